package entity

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// SpecOf is an entity whose records are of type R, a pointer: [Spec] is how it is written.
type SpecOf[R any] struct {
	Name   string   // "article"
	Also   []string // other words for the entity
	Plural string   // the key of the records in JSON: "articles"
	IDs    IDs
	// Get has what the command says of itself: texts, examples, flags. Its place, how it
	// runs and, unless they are given, its arguments follow from the spec.
	Get    command.Command
	Search *command.Command   // made by [Search]
	Sync   []*command.Command // members of the group sync
	Health func(ctx context.Context, in *command.Input) []Check
	// Label and Sources name the records and their origin in the sources of the
	// answer. Without Sources only the sections are listed there.
	Label   string
	Sources []string
	// Identity is the members of a record's JSON that are there whichever sections
	// are asked for; the others belong to a section, or are left out where some
	// section is asked for. None: a record is always whole.
	Identity []string
	// Fetch gets the records, in the order asked.
	Fetch func(ctx context.Context, in *command.Input, ids []string, asked Asked) (*FoundOf[R], error)
	// Card lays out a record; the whole of it where no section is asked.
	Card     func(r R, asked Asked) result.Doc
	Sections []SectionOf[R]
	Rows     RowsOf[R] // of several records, in place of their cards; it may have no columns
	// ID names a record in the table of a section, and among those that lack a part.
	ID func(r R) string
	// Next suggests what to ask about a single record.
	Next func(r R) []result.Argv
	// Less is the command for a share of a single record's one section; nil is none.
	Less func(in *command.Input, r R, share float64) result.Argv
}

// IDs says by which words the records of an entity are asked for. Each function may be nil.
type IDs struct {
	Words string // their place in a command line: "<pmid|pmcid|doi>..."
	Max   int    // how many at once
	// Many is how many a person may ask for, where Fetch asks in batches; 0: Max.
	Many int
	// Is reports whether a word is an id, not a misspelt section; nil accepts every word.
	Is func(word string) bool
	// Owns reports whether a text has the form of an id of this entity and of no other:
	// another entity that is asked for it names this one. A number alone has no owner.
	Owns func(text string) bool
	// Of is the entity whose ids these are, where they are another's.
	Of string
	// Meant is what is wrong with a word that is no id, and what to ask for it, where more
	// can be said than that; of an id that no record has, it is what to ask instead.
	Meant func(word string) (why string, try result.Argv)
	// Near, of records that are asked for by name, is a name of one that is like a name which
	// none has, "" if there is none. Such a name may be that of something else, which discover says.
	Near func(ctx context.Context, in *command.Input, name string) string
	// Listed ids may be separated by spaces, commas or line ends within a word, and
	// come from a file or from standard input; Is is then set.
	Listed bool
	// Check says what is wrong with a listed id.
	Check func(id string) error
	// Join puts words together that are one id: of all words where ids are listed, else of
	// those that are no sections. Nil leaves each word to itself.
	Join func(words []string) []string
}

// RowsOf lays records out as one table; without columns it is not done.
type RowsOf[R any] struct {
	Columns []string
	Row     func(r R) []string // nil for a record that has no row
}

// SectionOf is a part of a record that is shown, or asked for, by name.
type SectionOf[R any] struct {
	Name, Label, Short string
	Also               []string // other words for the section
	Flag               string   // a flag that goes with this section alone: "style"
	Source             string
	Members            []string // of the record's JSON, apart from the one of its name
	// Load completes all records at once; nil if the part came with them.
	// What it returns is how that went, and notices on what is missing.
	Load func(ctx context.Context, in *command.Input, records []R) (Loaded, error)
	// Has reports whether there is something to show.
	Has func(r R) bool
	Doc func(r R) result.Doc
	// Limited says that --limit and --offset bound what is shown.
	Limited bool
	// Lists are pointers to the lists of a record that are shown, one behind the other,
	// which --limit and --offset then cut. It is nil if Load minds them.
	Lists func(r R) []any
	// Table says that Doc is one table, of the same columns for every record, also
	// for one that has nothing.
	Table bool

	// Of a [Linked], in place of Load, and of [Unless].
	linked func(ctx context.Context, in *command.Input, records []R, id func(R) string, not func(R) error) (Loaded, error)
	not    func(R) error
	row    reflect.Type // of its rows
}

// Asked is the sections that were asked for.
type Asked []string

// Has reports whether a section was asked for.
func (a Asked) Has(name string) bool { return slices.Contains(a, name) }

// Whole reports whether all of a record is asked for, which has n sections: none or each.
func (a Asked) Whole(n int) bool { return len(a) == 0 || len(a) == n }

// Only reports whether this section and no other was asked for.
func (a Asked) Only(name string) bool { return len(a) == 1 && a[0] == name }

// Define makes an entity of its spec. Without Fetch it cannot be read by id.
func Define[R any](s SpecOf[R]) Entity {
	e := Entity{Name: s.Name, MaxIDs: s.IDs.most, Search: s.Search, Sync: s.Sync, Health: s.Health}
	if s.Search != nil {
		s.Search.Also = s.Also
	}
	if s.Fetch == nil {
		return e
	}
	e.Get = &s.Get
	e.Get.Use, e.Get.Also, e.Get.Effect, e.Get.IsID, e.Get.Owns = s.Name+" "+s.IDs.Words, s.Also, command.Reads, s.IDs.Is, s.IDs.Owns
	switch {
	case s.Get.Args.Max > 0:
	case s.IDs.Max == 1 && len(s.Sections) == 0:
		e.Get.Args = command.Args{Min: 1, Max: 1, Name: "one id: " + s.IDs.Words}
	default:
		e.Get.Args = command.Args{Min: 1, Max: -1, Name: "at least one id: " + s.IDs.Words}
	}
	if own := e.Get.Flags; s.IDs.Listed {
		e.Get.Args.Min = 0 // --ids-from may give them all
		e.Get.Flags = func(f *command.Flags) {
			if own != nil {
				own(f)
			}
			listFlags(f)
		}
		e.Get.Help.Input = strings.TrimSpace(e.Get.Help.Input + " Ids are separated by spaces, commas or line ends; - reads them from standard input.")
	}
	own := e.Get.Flags
	e.Get.Flags = func(f *command.Flags) {
		ValueFlags(f)
		if own != nil {
			own(f)
		}
		f.Follow("where a word is another name of one record, read that")
	}
	e.Accepts, e.Split = s.IDs.accept, s.split
	e.Like = func(sections []string) (like json.RawMessage, table bool, err error) {
		if slices.Contains(sections, "all") {
			sections = nil
		}
		like, err = (&answer[R]{spec: s, asked: sections}).like()
		return like, s.tableOf(sections) != nil, err
	}
	e.Get.Sections = s.sections()
	names := namesOf(e.Get.Sections)
	if len(names) > 0 {
		names = append(names, "all")
		e.Get.Use += " [section...]"
		e.Get.Help.Input = strings.TrimSpace(e.Get.Help.Input + " Sections, after the ids: " + strings.Join(names, ", ") + ".")
		e.Get.Suggest = func(*command.Tree, []string) []string { return names }
	}
	e.Get.Check = func(in *command.Input) error {
		if len(in.Args) == 0 || slices.Contains(in.Args, "-") || in.Typed("ids-from") {
			return nil // a list is not read to check a line
		}
		_, _, _, _, err := s.words(in, names)
		return err
	}
	e.Get.Run = func(ctx context.Context, in *command.Input) (*result.Result, error) {
		return get(ctx, in, s, names)
	}
	return e
}

// get runs the get command of every entity: split ids from sections, fetch, load
// sections, answer.
func get[R any](ctx context.Context, in *command.Input, s SpecOf[R], names []string) (*result.Result, error) {
	in, skipped, ids, asked, err := s.words(in, names)
	if err != nil {
		return nil, err
	}
	if err := CheckForms(in); err != nil {
		return nil, err
	}
	bounded, err := s.bounded(in, asked)
	if err != nil {
		return nil, err
	}
	found, err := s.Fetch(ctx, in, ids, asked)
	if err != nil {
		return nil, s.keeping(in, asked, err)
	}
	slices.SortStableFunc(found.Missing, func(a, b string) int { return slices.Index(ids, a) - slices.Index(ids, b) })
	if words, notices := found.followed(in); len(ids) > 1 && len(notices) > 0 && in.On(command.Follow) {
		res, err := get(ctx, in.With(words, command.Follow), s, names)
		if res != nil {
			res.Notices = append(notices, res.Notices...)
		}
		return res, err
	}
	switch nothing := len(found.Records) == 0 && found.Payload == nil; {
	case nothing && found.other() != nil:
		return nil, s.keeping(in, asked, found.other())
	case nothing && found.Problem != nil:
		return nil, s.keeping(in, asked, found.Problem)
	case nothing:
		return nil, s.notFound(ctx, in, found.Missing, names, asked)
	}
	res := &result.Result{Notices: slices.Concat(skipped, bounded, found.Notices, Because("could not be looked for: %s: %s", found.Missing, found.Lost))}
	var absent []string
	var instead []result.Argv
	for _, id := range found.Missing {
		switch other := found.others[id]; {
		case in.Part: // whose answer says it
		case other != nil:
			res.Notice(other.Message + ": " + other.Try.String())
			instead = append(instead, other.Try)
		case found.Lost[id] == nil:
			absent = append(absent, id)
		}
	}
	if len(absent) > 0 {
		notice := "not found: " + strings.Join(absent, ", ")
		said := strings.Join(absent, " ")
		section := sectionFor(said, s.sections())
		if section == "" && looksLikeSection(said) { // a slip
			section = command.Nearest(said, names)
		}
		if section != "" {
			rest := slices.DeleteFunc(slices.Clone(in.Args), func(w string) bool { return slices.Contains(absent, w) })
			notice += "; the section is " + section + ": " + in.Line(append(rest, section)).String()
		} else if len(names) > 0 && slices.ContainsFunc(absent, looksLikeSection) {
			notice += "; the sections are " + strings.Join(names, ", ")
		} else if near := s.near(ctx, in, absent); near != "" {
			notice += "; did you mean " + near + "?"
		}
		res.Notice(notice)
	}
	if len(s.Sources) > 0 {
		whole := result.SectionSource{Key: s.Plural, Label: s.Label, Outcome: result.Data, Sources: s.Sources}
		if found.Problem != nil {
			whole.Outcome = result.Degraded
		}
		res.Sections = append(res.Sections, whole)
	}
	a := &answer[R]{spec: s, requested: ids, found: found, asked: asked}
	res.Less = a.less(in)
	res.Payload = a
	if found.Payload != nil {
		res.Payload = found.Payload
	} else if a.loaded, err = loadAll(ctx, in, &s, ids, asked, found.Records, res); err != nil {
		return nil, err
	}
	if s.Next != nil && len(found.Records) == 1 {
		res.Next = s.Next(found.Records[0])
	}
	res.Next = slices.Concat(instead, s.others(in, ids, found.Missing), res.Next)
	if err := a.export(in, res); err != nil {
		return nil, err
	}
	return res, nil
}

// bounded are the notices that --limit is more than a section can show, and that it or --offset
// bounds nothing of what was asked for.
func (s *SpecOf[R]) bounded(in *command.Input, asked Asked) (notices []string, err error) {
	var lists []string
	for _, sec := range s.Sections {
		if sec.Limited || sec.Lists != nil {
			lists = append(lists, sec.Name)
		}
	}
	none := len(lists) > 0 && !slices.ContainsFunc(lists, asked.Has)
	var lowered string
	if in.Typed("limit") {
		if _, lowered, err = in.Limit(); lowered != "" && !none {
			notices = []string{lowered}
		}
	}
	for _, flag := range []string{"limit", "offset"} {
		if none && in.Typed(flag) {
			notices = append(notices, "--"+flag+" bounds nothing here; it is for the sections "+strings.Join(lists, ", "))
		}
	}
	return notices, err
}

// answer is the payload of get.
type answer[R any] struct {
	spec      SpecOf[R]
	requested []string
	found     *FoundOf[R]
	asked     Asked
	loaded    map[string]Loaded // by section
}

// MarshalJSON is {"requested":[], "<plural>":[], …extra, "not_found":[]}.
func (a *answer[R]) MarshalJSON() ([]byte, error) {
	var out []byte
	add := func(key string, v any) error {
		body, err := result.JSON(map[string]any{key: v})
		if err != nil {
			return err
		}
		out = append(append(out, ','), body[1:len(body)-1]...)
		return nil
	}
	records, err := a.records(a.found.Records)
	if err := errors.Join(err, add("requested", a.requested), add(a.spec.Plural, records), add("not_found", a.found.Missing)); err != nil {
		return nil, err
	}
	if a.found.Extra != nil {
		body, err := result.JSON(a.found.Extra)
		if err != nil {
			return nil, err
		}
		if len(body) > 2 {
			out = append(append(out, ','), body[1:len(body)-1]...)
		}
	}
	out[0] = '{'
	return append(out, '}'), nil
}

// records are the records for JSON: with what identifies them and the sections
// asked for, or whole if none or all of these are.
func (a *answer[R]) records(records []R) ([]json.RawMessage, error) {
	if len(a.spec.Identity) == 0 || len(a.asked) == 0 || len(a.asked) == len(a.spec.Sections) {
		return members(records, nil)
	}
	names := slices.Clone(a.spec.Identity)
	for _, sec := range a.spec.Sections {
		if a.asked.Has(sec.Name) {
			names = append(append(names, sec.Name), sec.Members...)
		}
	}
	return members(records, names)
}

// members are records with only some members of their JSON, none for all, and their
// [Parts].
func members[R any](records []R, names []string) ([]json.RawMessage, error) {
	out := make([]json.RawMessage, len(records))
	for i, r := range records {
		encode := result.JSON
		if names != nil {
			encode = func(v any) ([]byte, error) { return result.Members(v, names) }
		}
		body, err := encode(r)
		if p := partsOf(r); p != nil && err == nil {
			body, err = p.encoded(body)
		}
		if out[i] = body; err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (a *answer[R]) Doc() result.Doc {
	if a.found.Text != "" {
		return result.Doc{result.Verbatim{Text: a.found.Text}}
	}
	if a.spec.Rows.Row != nil && len(a.found.Records) > 1 {
		return result.Doc{a.table()}
	}
	return a.docs(a.found.Records)
}

func (a *answer[R]) docs(records []R) (doc result.Doc) {
	for _, r := range records {
		one := a.spec.Card(r, a.asked)
		for _, sec := range a.spec.Sections {
			if !a.asked.Has(sec.Name) {
				continue
			}
			one = append(one, result.Heading{Level: 2, Text: sec.Label})
			if sec.Has(r) {
				one = append(one, sec.Doc(r)...)
			} else {
				one = append(one, result.Para{Text: a.nothing(sec.Name, r)})
			}
		}
		if len(a.found.Records) > 1 {
			one = one.Item()
		}
		doc = append(doc, one...)
	}
	return doc
}

// less is the command for a share of the records, of a single record's sections,
// or of a single section.
func (a *answer[R]) less(in *command.Input) func(float64) result.Argv {
	present := a.present()
	return func(share float64) result.Argv {
		switch {
		case len(present) > 1:
			return in.Line(append(slices.Clone(present[:result.Share(len(present), share)]), a.asked...))
		case len(present) == 0:
			return nil
		case len(a.asked) > 1:
			return in.Line(append(slices.Clone(present), a.asked[:result.Share(len(a.asked), share)]...))
		case len(a.found.Records) == 1 && a.spec.Less != nil:
			return a.spec.Less(in, a.found.Records[0], share)
		}
		return nil
	}
}

// present are the ids that were found, as they were asked for.
func (a *answer[R]) present() []string {
	return slices.DeleteFunc(slices.Clone(a.requested), func(id string) bool { return slices.Contains(a.found.Missing, id) })
}
