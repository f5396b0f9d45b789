package entity

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity/advice"
	"biomcp/cli/result"
	"biomcp/entrez/httpclient"
)

// SpecOf describes an entity whose records have the type R, a pointer. Write it as [Spec].
type SpecOf[R any] struct {
	Name     string   // "article"
	Synonyms []string // synonyms of the entity
	Plural   string   // key of the records in JSON: "articles"
	IDs      IDs
	// Get holds the texts, examples and flags of the command. The spec sets its name, its function
	// and, if they are empty, its arguments.
	Get    command.Command
	Search *command.Command   // the result of [Search]
	Sync   []*command.Command // commands of the group sync
	Health func(ctx context.Context, in *command.Input) []Check
	// Label and Sources name the records and their origin in the sources of the answer. If Sources
	// is empty, the answer lists only the sources of its sections.
	Label   string
	Sources []string
	// Identity lists the members of a record's JSON that are always present. If sections are
	// requested, the answer has only these members and those of the sections. If Identity is empty,
	// a record is always whole.
	Identity []string
	// Fetch returns the records in the order of ids.
	Fetch func(ctx context.Context, in *command.Input, ids []string, sections Sections) (*FoundOf[R], error)
	// Card formats a record. Without sections it formats the whole record.
	Card     func(r R, sections Sections) result.Doc
	Sections []SectionOf[R]
	Rows     RowsOf[R] // formats several records, instead of Card
	// ID returns the name of a record, for the table of a section and for notices.
	ID func(r R) string
	// Next suggests commands about a single record.
	Next func(r R) []result.Argv
	// Smaller returns the command for a share of the only section of a single record, or nil. It may
	// be nil.
	Smaller func(in *command.Input, r R, share float64) result.Argv
}

// IDs describes the words that identify the records of an entity. Each function may be nil.
type IDs struct {
	Placeholder string // placeholder in the usage: "<pmid|pmcid|doi>..."
	Max         int    // maximum number of ids per Fetch; a person may ask for any number, in batches
	// Unbatched passes any number of ids to Fetch, which makes batches itself.
	Unbatched bool
	// Match reports whether word is an id, not a misspelt section. If nil, every word is an id.
	Match func(word string) bool
	// MatchExclusive reports whether text has the ID format of this entity and of no other. Other entities
	// then refer to this one. It is false for a plain number.
	MatchExclusive func(text string) bool
	// Entity is the entity that these ids belong to, if it is not this one.
	Entity string
	// Explain, if not nil, explains an invalid id, or a valid one without a record, and suggests a
	// replacement. It returns "" if it has nothing to add.
	Explain func(word string) (reason string, try result.Argv)
	// Fuzzy returns the name of a record that is similar to name, which no record has, or "" if
	// there is none. It is set for entities that find records by name. Since name may belong to
	// another entity, get also suggests discover.
	Fuzzy func(ctx context.Context, in *command.Input, name string) string
	// Listed allows ids that are separated by spaces, commas or line ends within a word. It requires
	// Match.
	Listed bool
	// File returns the ids in text if it is a file of another program, not a plain list. It may be nil.
	File func(text string) (ids, notices []string, isFile bool, err error)
	// Check returns an error that says what is wrong with a listed id.
	Check func(id string) error
	// Join joins words that form one id. It receives all words if ListTerm is set; otherwise those
	// that are not sections. If nil, each word is an id of its own.
	Join func(words []string) []string
}

// RowsOf formats records as one table. Without columns there is no table.
type RowsOf[R any] struct {
	Columns []string
	Row     func(r R) []string // nil if the record has no row
	// Fields lists the columns of whole records for another program, without --fields. The name of an object
	// stands for all its members. If it is empty, they have all columns.
	Fields []string
}

// SectionOf describes a named part of a record.
type SectionOf[R any] struct {
	Name, Label, Short string
	Synonyms           []string // synonyms of the section
	Flag               string   // a flag that requires this section: "style"
	// Example returns a value of Flag for r, or "". A section with data suggests it unless the flag is given.
	Example func(r R) string
	Source  string
	Members []string // further members of the record's JSON, besides the one with its name
	// Load completes all records at once. It is nil if the section comes with the record. It
	// returns the outcome, and notices about missing data.
	Load func(ctx context.Context, in *command.Input, records []R) (LoadResult, error)
	// Has reports whether the section of r has data.
	Has func(r R) bool
	Doc func(r R) result.Doc
	// IsLocal, if not nil, reports whether the section answers from local tables alone, without a request.
	IsLocal func(ctx context.Context, app *command.App) bool
	// Limited reports whether --limit and --offset restrict the section.
	Limited bool
	// Lists returns pointers to the lists of a record in the section, in order. get cuts them to
	// --limit and --offset. It is nil if Load does this.
	Lists func(r R) []any
	// Table reports whether Doc is one table with the same columns for every record, even one
	// without data.
	Table bool
	// Cite returns a record with the citation, in a style, of each article, and notices about missing
	// ones. It is nil unless the rows of the table are articles.
	Cite func(ctx context.Context, in *command.Input, pmids []string, style string) (any, []string, error)

	// These belong to a [RelatedSection], which has no Load, and to [WithPrecondition].
	linked       linkedLoader[R]
	precondition func(R) error
	rowType      reflect.Type // type of its rows
	maxRecords   int          // maximum number of records per load; zero means any number
	keys         []string     // members of a row, if its type does not show them
}

// WithRows sets the type of the rows of a section that is a table without Lists, which has the columns of
// an export.
func (sec SectionOf[R]) WithRows(row any) SectionOf[R] {
	sec.rowType = reflect.TypeOf(row)
	return sec
}

// linkedLoader loads a linked section of all records. id names a record in notices. If not returns an error for a
// record, no source is queried about it.
type linkedLoader[R any] func(ctx context.Context, in *command.Input, records []R, id func(R) string,
	not func(R) error) (LoadResult, error)

// Sections lists the requested sections.
type Sections []string

// Has reports whether a section was requested.
func (a Sections) Has(name string) bool { return slices.Contains(a, name) }

// Whole reports whether the whole of a record with n sections is requested: no section or all of
// them.
func (a Sections) Whole(n int) bool { return len(a) == 0 || len(a) == n }

// IsOnly reports whether name is the only requested section.
func (a Sections) IsOnly(name string) bool { return len(a) == 1 && a[0] == name }

// Define returns the entity of a spec. Without Fetch it has no get command.
func Define[R any](s SpecOf[R]) Entity {
	e := Entity{Name: s.Name, MaxIDs: s.IDs.maxIDs, Search: s.Search, Sync: s.Sync, Health: s.Health, Columns: s.Rows.Fields}
	if s.Search != nil {
		s.Search.Synonyms = s.Synonyms
	}
	if s.Fetch == nil {
		return e
	}
	e.Get = &s.Get
	e.Get.Use, e.Get.Synonyms, e.Get.Effect = s.Name+" "+s.IDs.Placeholder, s.Synonyms, command.Reads
	e.Get.IsID, e.Get.MatchExclusive = s.IDs.Match, s.IDs.MatchExclusive
	s.defineArgs(e.Get)
	s.defineFlags(e.Get)
	e.Accepts, e.Split, e.ReadList = s.IDs.accepts, s.split, s.readList
	e.Template = func(sections []string) (template json.RawMessage, table bool, err error) {
		if slices.Contains(sections, "all") {
			sections = nil
		}
		template, err = (&answer[R]{spec: s, sections: sections}).template()
		return template, s.tableOf(sections) != nil, err
	}
	e.Get.Sections = s.sections()
	names := advice.NamesOf(e.Get.Sections)
	if len(names) > 0 {
		names = append(names, "all")
		e.Get.Use += " [section...]"
		e.Get.Help.Input = withFact(e.Get.Help.Input, "Sections, after the ids: "+strings.Join(names, ", ")+".")
		e.Get.Suggest = func(*command.Tree, []string) []string { return names }
	}
	e.Get.Check = func(in *command.Input) error {
		if s.IDs.several() && (len(in.Args) == 0 || slices.Contains(in.Args, "-") || in.Changed("ids-from")) {
			return nil // checking a command line does not read its list
		}
		_, _, _, _, err := s.parseArgs(in, names)
		return err
	}
	e.Get.Run = func(ctx context.Context, in *command.Input) (*result.Result, error) {
		return get(ctx, in, s, names)
	}
	return e
}

// defineArgs sets the arguments of the get command, unless the spec has its own.
func (s *SpecOf[R]) defineArgs(get *command.Command) {
	switch {
	case s.Get.Args.Max > 0:
	case s.IDs.Max == 1 && len(s.Sections) == 0:
		get.Args = command.Args{Min: 1, Max: 1, Name: "one id: " + s.IDs.Placeholder}
	default:
		get.Args = command.Args{Min: 1, Max: -1, Name: "at least one id: " + s.IDs.Placeholder}
	}
	if !s.IDs.several() {
		return
	}
	get.Args.Min = 0 // --ids-from may hold all ids
	get.Examples = command.WithBulk(get.Examples, "biomcp get "+s.Name+" --ids-from "+s.Name+"s.txt --csv",
		"a file of ids, as a table for a spreadsheet")
	separated := "Ids are separated by spaces, commas or line ends"
	if !s.IDs.Listed {
		separated = "A list has one name per line"
	}
	get.Help.Input = withFact(get.Help.Input, separated+"; - reads any number from standard input, in batches.")
}

// defineFlags adds the flags that every get command has to those of the spec.
func (s *SpecOf[R]) defineFlags(get *command.Command) {
	own, several := get.Flags, s.IDs.several()
	get.Flags = func(f *command.Flags) {
		ValueFlags(f, TableRows)
		if own != nil {
			own(f)
		}
		if several {
			s.IDs.listFlags(f)
		}
		f.Follow("if a word is another name of one record, read that record")
		if s.IDs.Max == 1 { // accepted as for every entity, but its ids have no other names
			f.Hide(command.Follow)
		}
	}
}

// withFact returns a part of a help with another line.
func withFact(text, fact string) string { return strings.TrimPrefix(text+"\n"+fact, "\n") }

// get runs the get command of every entity. No command line that it suggests repeats a long list.
func get[R any](ctx context.Context, in *command.Input, s SpecOf[R], names []string) (*result.Result, error) {
	in, skipped, ids, sections, err := s.parseArgs(in, names)
	if err != nil {
		return nil, err
	}
	res, err := getRecords(ctx, in, s, names, ids, sections)
	if f, is := errors.AsType[*result.Failure](err); is {
		f.Try = in.Shorten(f.Try)
		in.ShortenAll(f.Next)
		in.ShortenAll(f.Alternatives)
	}
	if res != nil {
		res.Notices = slices.Concat(skipped, res.Notices)
		in.ShortenAll(res.Next)
	}
	return res, err
}

// getRecords fetches the records, loads the sections and returns the answer.
func getRecords[R any](
	ctx context.Context, in *command.Input, s SpecOf[R], names, ids []string, sections Sections,
) (*result.Result, error) {
	if err := CheckForms(in); err != nil {
		return nil, err
	}
	bounded, err := s.limitNotices(in, sections)
	if err != nil {
		return nil, err
	}
	if in.Policy == command.Person && len(ids) > s.IDs.Max {
		ctx = httpclient.WithoutEnd(ctx)
	}
	found, err := s.fetchAll(ctx, in, ids, sections)
	if err != nil {
		return nil, advice.KeepSections(in, sections, err)
	}
	slices.SortStableFunc(found.Missing, func(a, b string) int { return slices.Index(ids, a) - slices.Index(ids, b) })
	if words, notices := found.followAliases(in); len(ids) > 1 && len(notices) > 0 && in.IsSet(command.Follow) {
		followed, _ := found.followAliases(in.WithArgs(ids))
		res, err := getRecords(ctx, in.WithArgs(words, command.Follow), s, names, Unique(followed), sections)
		if res != nil {
			res.Notices = append(notices, res.Notices...)
		}
		return res, err
	}
	if len(found.Records) == 0 && found.Payload == nil {
		return nil, s.nothingFound(ctx, in, found, names, sections)
	}
	res := &result.Result{Notices: slices.Concat(bounded, found.Notices, found.LostNotices())}
	instead := s.noticeMissing(ctx, in, found, names, res)
	if len(s.Sources) > 0 {
		whole := result.SectionSource{Key: s.Plural, Label: s.Label, Outcome: result.Data, Sources: s.Sources}
		if found.Sources != nil {
			whole.Sources = found.Sources
		}
		if found.Problem != nil {
			whole.Outcome = result.Degraded
		}
		res.Sections = append(res.Sections, whole)
	}
	a := &answer[R]{spec: s, requested: ids, found: found, sections: sections}
	res.Smaller = a.smaller(in)
	res.Payload = a
	if found.Payload != nil {
		res.Payload = found.Payload
	} else if a.loaded, err = loadAll(ctx, in, &s, ids, sections, found.Records, res); err != nil {
		return nil, err
	}
	if len(found.Records) == 1 {
		res.Next = s.suggest(in, sections, found.Records[0])
	}
	res.Next = slices.Concat(instead, s.advice(names).OtherEntityCommands(in, ids, found.Missing), res.Next)
	if err := a.export(ctx, in, res); err != nil {
		return nil, err
	}
	return res, nil
}

// suggest returns a line for each section with data that was requested by name and without its own flag, and the
// commands of Next.
func (s *SpecOf[R]) suggest(in *command.Input, requested Sections, r R) (lines []result.Argv) {
	for _, sec := range s.Sections {
		asked := requested.Has(sec.Name) && !requested.Whole(len(s.Sections))
		if !asked || sec.Flag == "" || in.Given(sec.Flag) || !sec.Has(r) {
			continue
		}
		if value := sec.Example(r); value != "" {
			lines = append(lines, result.Argv{"get", s.Name, s.ID(r), sec.Name, "--" + sec.Flag, value})
		}
	}
	if s.Next != nil {
		lines = append(lines, s.Next(r)...)
	}
	return lines
}

// nothingFound returns the error of a command line without any record: an explanation of its names, the
// reason why they could not be looked for, or that there is none.
func (s *SpecOf[R]) nothingFound(ctx context.Context, in *command.Input, found *FoundOf[R], names []string,
	sections Sections) error {
	if f := found.explanation(); f != nil {
		return advice.KeepSections(in, sections, f)
	}
	if found.Problem != nil {
		return advice.KeepSections(in, sections, found.Problem)
	}
	return s.advice(names).NotFound(ctx, in, found.Missing, names, sections)
}

// noticeMissing adds notices about the words without a record to an answer with records. It returns the
// commands for those that are other names.
func (s *SpecOf[R]) noticeMissing(ctx context.Context, in *command.Input, found *FoundOf[R], names []string,
	res *result.Result) (instead []result.Argv) {
	if in.Nested { // the result of each word says so
		return nil
	}
	var absent []string
	for _, id := range found.Missing {
		if other := found.explanations[id]; other != nil {
			res.Notice(other.Message + ": " + other.Try.String())
			instead = append(instead, other.Try)
		} else if found.Failures[id] == nil {
			absent = append(absent, id)
		}
	}
	if len(absent) > 0 {
		res.Notice(s.advice(names).Missing(ctx, in, absent, names))
	}
	return instead
}

// advice describes the entity to package advice. names lists the sections that a line may have.
func (s *SpecOf[R]) advice(names []string) *advice.Entity {
	e := &advice.Entity{
		Name: s.Name, Placeholder: s.IDs.Placeholder, Owner: s.IDs.Entity, Sections: s.sections(), Fields: s.recordFields(),
		SearchesText: s.Search != nil && s.Search.Args.FreeText,
		IsID:         s.IDs.Match, MatchExclusive: s.IDs.MatchExclusive, Explain: s.IDs.Explain, Fuzzy: s.IDs.Fuzzy,
		Check: s.IDs.Check, Joined: s.IDs.Join != nil,
		Alias: func(ctx context.Context, in *command.Input) *result.Failure { return s.aliasFailure(ctx, in, names) },
	}
	if len(s.Get.Examples) > 0 {
		e.Example = strings.TrimPrefix(s.Get.Examples[0].Line, "biomcp get "+s.Name+" ")
	}
	return e
}

// recordFields returns the fields of the record, which every answer shows.
func (s *SpecOf[R]) recordFields() (names []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[R]().Elem()) { // R is a pointer
		names = append(names, f.Tag.Get("json"))
	}
	return names
}

// aliasFailure runs Fetch with the arguments of in. It returns the alias failure if no record was found
// and every name is another name; otherwise nil.
func (s *SpecOf[R]) aliasFailure(ctx context.Context, in *command.Input, names []string) *result.Failure {
	ids, asked, err := splitArgs(in, *s, names, false)
	if err != nil || len(ids) == 0 || in.Nested {
		return nil
	}
	found, err := s.Fetch(ctx, in, ids, asked)
	if err != nil || found.explanation() == nil {
		return nil
	}
	f, _ := errors.AsType[*result.Failure](advice.KeepSections(in, asked, found.explanation()))
	if f == nil || f.Meta.Alias == nil {
		return nil
	}
	return f
}

// limitNotices returns notices that --limit exceeds the maximum of a section, and that --limit or
// --offset does not apply to any requested section.
func (s *SpecOf[R]) limitNotices(in *command.Input, sections Sections) (notices []string, err error) {
	var lists []string
	for _, sec := range s.Sections {
		if sec.Limited || sec.Lists != nil {
			lists = append(lists, sec.Name)
		}
	}
	none := len(lists) > 0 && !slices.ContainsFunc(lists, sections.Has)
	var lowered string
	if in.Changed("limit") {
		if _, lowered, err = RowLimit(in); lowered != "" && !none {
			notices = []string{lowered}
		}
	}
	for _, flag := range []string{"limit", "offset"} {
		if none && in.Changed(flag) {
			notices = append(notices, "--"+flag+" has no effect here; it applies to the sections "+
				strings.Join(lists, ", "))
		}
	}
	return notices, err
}
