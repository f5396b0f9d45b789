package advice

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"biomcp/cli/command"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
)

// An Entity describes the get command of an entity: the form of its ids and what its records have.
// Each function except IsID may be nil.
type Entity struct {
	Name         string
	Placeholder  string // placeholder of the ids: "<pmid|pmcid|doi>..."
	Example      string // the words after "get <entity>" in its first example, or ""
	Owner        string // the entity that the ids belong to, if it is another one
	Sections     []command.Section
	Fields       []string // members that the JSON of every record has
	SearchesText bool     // its search takes free text

	// IsID reports whether word may be an id. It is nil if every word may be one.
	IsID func(word string) bool
	// MatchExclusive reports whether text has the ID format of this entity and of no other.
	MatchExclusive func(text string) bool
	// Explain explains an invalid id, or a valid one without a record, and suggests a replacement.
	Explain func(word string) (reason string, try result.Argv)
	// Fuzzy returns the name of a record that is similar to name, or "". It is set for entities that
	// find records by name.
	Fuzzy func(ctx context.Context, in *command.Input, name string) string
	// Alias returns the failure of a command line if every name of it is another name of a record, and
	// nil otherwise.
	Alias func(ctx context.Context, in *command.Input) *result.Failure
	// Check returns an error that says what is wrong with an id of a list.
	Check  func(id string) error
	Joined bool // several words may form one id
}

// NotFound returns the failure for words without a record. names lists the sections that the line may
// have, and requested those that it has.
func (e *Entity) NotFound(ctx context.Context, in *command.Input, words, names, requested []string) *result.Failure {
	m := &miss{
		Entity: e, in: in, words: words, sections: names, requested: requested,
		message: fmt.Sprintf("no %s found for %s", e.Name, command.Clip(strings.Join(words, ", "))),
	}
	f := m.first(ctx, absentRules)
	f.Details = map[string]any{"not_found": words}
	return f
}

// Invalid returns the failure for a word that cannot be an id. words are the arguments without
// sections.
func (e *Entity) Invalid(in *command.Input, word string, words []string) *result.Failure {
	m := &miss{
		Entity: e, in: in, words: words, invalid: word, sections: append(NamesOf(e.Sections), "all"),
		message: e.notID(word) + e.exampleSuffix(),
	}
	return m.first(context.Background(), invalidRules) // none of these rules asks a source
}

// Missing returns the notice about words without a record in an answer with records. names lists the
// sections that the line may have.
func (e *Entity) Missing(ctx context.Context, in *command.Input, absent, names []string) string {
	notice := "not found: " + strings.Join(absent, ", ")
	said := strings.Join(absent, " ")
	section := SectionFor(said, e.Sections)
	if section == "" && LooksLikeSection(said) { // perhaps a typing error
		section = command.Nearest(said, names)
	}
	if section != "" {
		rest := slices.DeleteFunc(slices.Clone(in.Args), func(w string) bool { return slices.Contains(absent, w) })
		return notice + "; the section is " + section + ": " + in.Line(append(rest, section)).String()
	}
	if len(names) > 0 && slices.ContainsFunc(absent, LooksLikeSection) {
		return notice + "; the sections are " + strings.Join(names, ", ")
	}
	if near := e.similarName(ctx, in, absent); near != "" {
		notice += command.Guess(near)
	}
	return notice
}

// OtherEntityCommands returns a get command for each missing word that is an id of another entity,
// either alone or together with the word before it, as in BRAF V600E.
func (e *Entity) OtherEntityCommands(in *command.Input, ids, missing []string) (lines []result.Argv) {
	for i, w := range ids {
		if !slices.Contains(missing, w) {
			continue
		}
		for _, id := range []string{w, ids[max(0, i-1)] + " " + w} {
			if owner := e.otherEntity(in, id); owner != "" {
				lines = append(lines, result.Argv{"get", owner, id})
				break
			}
		}
	}
	return lines
}

// idElsewhere suggests the other entity whose ID format a word has.
func idElsewhere(_ context.Context, m *miss) *result.Failure {
	for _, w := range m.words {
		if owner := m.otherEntity(m.in, w); owner != "" {
			return (&Alias{
				Entity: m.Name, Word: w, Tier: "id",
				Description: "an id of " + command.WithArticle(owner) + ", not of " + command.WithArticle(m.Name),
				Matches:     []result.Candidate{{Symbol: w, ID: w}}, MatchEntity: owner,
			}).Failure()
		}
	}
	return nil
}

// idOfOther suggests the other entity that the invalid word is an id of.
func idOfOther(_ context.Context, m *miss) *result.Failure {
	owner := m.otherEntity(m.in, m.invalid)
	if owner == "" {
		return nil
	}
	return m.fail("it is an id of "+command.WithArticle(owner), "get", owner, m.invalid)
}

// sectionInName separates a section from the name that it follows. If the rest of the name is another
// name of a record, it suggests that record.
func sectionInName(ctx context.Context, m *miss) *result.Failure {
	args := m.sectionArgs(m.in.Args, m.words, m.sections)
	if args == nil {
		return nil
	}
	f := m.fail("", m.in.Line(args)...)
	if m.Alias != nil {
		if other := m.Alias(ctx, m.in.WithArgs(args)); other != nil {
			f.Message, f.Try = f.Message+"; "+other.Message, other.Try
		}
	}
	return f
}

// sectionInID separates a section from the invalid word.
func sectionInID(_ context.Context, m *miss) *result.Failure {
	args := m.sectionArgs(m.in.Args, m.words, m.sections)
	if len(args) < 2 || !strings.Contains(m.invalid, args[1]) {
		return nil
	}
	return m.fail("", m.in.Line(args)...)
}

// explained gives the explanation that the entity has of the first word.
func explained(_ context.Context, m *miss) *result.Failure {
	reason, line := m.explain(m.words[0])
	if line == nil {
		return nil
	}
	return m.fail(reason, line...)
}

// explainedForm gives the explanation that the entity has of the invalid word, instead of the message.
func explainedForm(_ context.Context, m *miss) *result.Failure {
	why, try := m.explain(m.invalid)
	if why == "" {
		return nil
	}
	return result.Invalid(why, try...)
}

// numbers suggests the first entity of get for words that are numbers, such as PMIDs.
func numbers(_ context.Context, m *miss) *result.Failure {
	line := m.numberCommand(m.in, m.words)
	if line == nil {
		return nil
	}
	return m.fail("", line...)
}

// malformed suggests help if the first word can only be an id of this entity.
func malformed(ctx context.Context, m *miss) *result.Failure {
	if m.MatchExclusive == nil || !m.MatchExclusive(m.words[0]) {
		return nil
	}
	return help(ctx, m)
}

// similar suggests a record with a similar name, and a search second, since the name may belong to
// another entity.
func similar(ctx context.Context, m *miss) *result.Failure {
	near := m.similarName(ctx, m.in, m.words)
	if near == "" {
		return nil
	}
	f := m.fail("", m.in.Line(append([]string{near}, m.requested...))...)
	f.Message += command.Guess(near)
	f.Alternatives = []result.Argv{m.searchCommand(m.words)}
	return f
}

// nameList separates names at commas.
func nameList(_ context.Context, m *miss) *result.Failure {
	names := splitAtCommas(m.words)
	if m.Fuzzy == nil || len(names) < 2 {
		return nil
	}
	f := m.fail("", m.in.Line(append(names, m.requested...))...)
	f.Alternatives = []result.Argv{m.searchCommand(m.words)}
	return f
}

// prefixed completes a number to an id of this entity. If it is the only word, it suggests second the
// entity whose ids are numbers.
func prefixed(_ context.Context, m *miss) *result.Failure {
	id := m.completeID(m.invalid)
	if id == "" {
		return nil
	}
	f := m.fail("", m.in.Line(replaceWord(m.in.Args, m.invalid, id))...)
	if line := m.numberCommand(m.in, []string{m.invalid}); line != nil && len(m.in.Args) == 1 {
		f.Alternatives = []result.Argv{line}
	}
	return f
}

// search suggests a search for the words.
func search(_ context.Context, m *miss) *result.Failure {
	return m.fail("", m.searchCommand(m.words)...)
}

// splitAtCommas splits ids at commas and removes duplicates. It returns nil if this changes nothing.
func splitAtCommas(ids []string) (names []string) {
	for name := range strings.SplitSeq(strings.Join(ids, ","), ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if slices.Equal(names, ids) {
		return nil
	}
	return names
}

// sectionArgs returns the arguments to suggest if the only name ends with the name of a section, or
// begins with one followed by "of" or "for"; otherwise nil. A part that every record shows needs no
// section, so it is only removed from the name.
func (e *Entity) sectionArgs(args, names, sections []string) []string {
	words := strings.Fields(names[0])
	if len(names) != 1 || len(words) < 2 {
		return nil
	}
	line := func(name []string, part ...string) []string {
		word := strings.ToLower(strings.Join(part, "-"))
		section := cmp.Or(SectionFor(word, e.Sections), word)
		if !slices.Contains(sections, section) {
			if section = ""; !slices.Contains(e.Fields, word) {
				return nil
			}
		}
		others := slices.DeleteFunc(slices.Clone(args),
			func(w string) bool { return !slices.Contains(sections, w) || w == section })
		all := slices.Concat([]string{strings.Join(name, " "), section}, others)
		n := len(args) - len(part)
		separate := n > 0 && slices.Equal(args[n:], part) // the section was typed as separate words
		if separate && !slices.Contains(sections, part[0]) {
			all = append(slices.Clone(args[:n]), section)
		}
		return slices.DeleteFunc(all, func(w string) bool { return w == "" })
	}
	if len(words) > 2 && (words[1] == "of" || words[1] == "for") {
		return line(words[2:], words[0])
	}
	for n := min(2, len(words)-1); n > 0; n-- { // "side effects", "label"
		i := len(words) - n
		if all := line(words[:i], words[i:]...); all != nil {
			return all
		}
	}
	return nil
}

// otherEntity returns the other entity whose ID format word matches, or "" if none does.
func (e *Entity) otherEntity(in *command.Input, word string) string {
	if owner := in.Tree().Owner(word); owner != e.Name && owner != e.Owner {
		return owner
	}
	return ""
}

// similarName returns the name of a record similar to the missing one, or "" if there is none or several
// are missing.
func (e *Entity) similarName(ctx context.Context, in *command.Input, missing []string) string {
	if e.Fuzzy == nil || len(missing) != 1 || in.Nested || e.MatchExclusive != nil && e.MatchExclusive(missing[0]) {
		return ""
	}
	if near := e.Fuzzy(ctx, in, missing[0]); !strings.EqualFold(near, missing[0]) {
		return near
	}
	return ""
}

// numberCommand returns the get command of the first entity for words that are numbers only, such as
// PMIDs. It returns nil for other words and for that entity itself.
func (e *Entity) numberCommand(in *command.Input, missing []string) result.Argv {
	first := NumericIDEntity(in.Tree(), missing...)
	if first == "" || first == e.Name {
		return nil
	}
	return append(result.Argv{"get", first}, missing...)
}

// NumericIDEntity returns the name of the first entity, whose ids may be plain numbers such as PMIDs, if
// all words are such ids; otherwise "".
func NumericIDEntity(tree *command.Tree, words ...string) string {
	first := tree.Commands(tree.Member(tree.Root, "get"))[0]
	def := tree.Command(first)
	if def.IsID == nil || slices.ContainsFunc(words, func(w string) bool { return !isNumber(w) || !def.IsID(w) }) {
		return ""
	}
	return first.Name()
}

const digits = "0123456789"

// isNumber reports whether word has digits only.
func isNumber(word string) bool { return strings.Trim(word, digits) == "" }

// completeID completes number to an id by adding the prefix of this entity's ids: NCT02576665 for
// 02576665. It returns "" if the outcome is not an id.
func (e *Entity) completeID(number string) string {
	example, _, _ := strings.Cut(e.Example, " ")
	prefix := strings.TrimRight(example, digits)
	if id := prefix + number; prefix != "" && isNumber(number) && e.IsID != nil && e.IsID(id) {
		return id
	}
	return ""
}

// explain says why word is not an id with a record, and suggests a command. It returns "", nil if
// it has nothing to add.
func (e *Entity) explain(word string) (reason string, try result.Argv) {
	if e.Explain == nil {
		return "", nil
	}
	if reason, try = e.Explain(word); reason != "" && try == nil {
		try = e.searchCommand([]string{word})
	}
	return reason, try
}

// maxSearchWords is the maximum number of ids that one text to search for may have.
const maxSearchWords = 10

// searchCommand returns the command that finds words which are not ids here: discover if records have
// names, otherwise the search of this entity. For a malformed id or text without letters it returns
// the help of get.
func (e *Entity) searchCommand(words []string) result.Argv {
	text := strings.Join(words, " ")
	switch {
	case len(words) > maxSearchWords, e.isMalformedID(text),
		query.CheckTerm(text) != nil || !strings.ContainsFunc(text, unicode.IsLetter):
	case e.Fuzzy != nil:
		return command.Line([]string{"discover"}, []string{text}, nil)
	case e.SearchesText:
		return command.Line([]string{"search", e.Name}, []string{text}, nil)
	}
	return result.Argv{"get", e.Name, "--help"}
}

// exampleSuffix returns the id in the first example as the end of a sentence, or "" if there are no
// examples.
func (e *Entity) exampleSuffix() string {
	if e.Example != "" {
		return ", such as " + e.Example
	}
	return ""
}

// isMalformedID reports whether word starts with the prefix of this entity's ids and then has a digit,
// so that it is a malformed id, such as NCT1.
func (e *Entity) isMalformedID(word string) bool {
	i, j := strings.IndexAny(e.Example, digits), strings.IndexAny(word, digits)
	return i > 0 && i == j && strings.EqualFold(e.Example[:i], word[:j])
}

// replaceWord returns a copy of words in which every old is replaced by another word.
func replaceWord(words []string, old, by string) []string {
	out := slices.Clone(words)
	for i, w := range out {
		if w == old {
			out[i] = by
		}
	}
	return out
}
