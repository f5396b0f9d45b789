package advice

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// InvalidList returns the error that lists every invalid id of a list. words are the other words of the
// list and of the line.
func (e *Entity) InvalidList(in *command.Input, words, bad []string) error {
	if word := e.sectionInList(bad); word != "" {
		return &command.Refusal{Reason: command.UnknownSection, Word: word,
			Failure: result.Invalid(e.notID(word), "get", e.Name, "--help")}
	}
	if len(words) == 0 && e.otherEntity(in, bad[0]) != "" {
		return e.Invalid(in, bad[0], bad)
	}
	m := &miss{Entity: e, in: in, words: bad, invalid: bad[0], valid: words, message: e.notID(bad[0])}
	if len(bad) > 1 {
		m.message = fmt.Sprintf("%d words are not ids of this kind (%s): %s", len(bad), e.Placeholder,
			command.Clip(strings.Join(bad, ", ")))
	} else if e.IsID(bad[0]) {
		m.message = e.Check(bad[0]).Error()
	}
	f := m.first(context.Background(), listRules) // none of these rules asks a source
	f.Details = map[string]any{"invalid": bad}
	return f
}

func (e *Entity) notID(word string) string {
	return fmt.Sprintf("%q is not an id of this kind: %s", command.Clip(word), e.Placeholder)
}

// sectionInList returns the first invalid word that is a flag of a section, or with the next one the name
// of a section; otherwise "".
func (e *Entity) sectionInList(bad []string) string {
	for i, word := range bad[:len(bad)-1] {
		flag := slices.ContainsFunc(e.Sections, func(s command.Section) bool { return s.Flag != "" && s.Flag == word })
		if flag || SectionFor(word+" "+bad[i+1], e.Sections) != "" {
			return word
		}
	}
	return ""
}

// isSection reports whether word is exactly the name of a section.
func (e *Entity) isSection(word string) bool {
	return word == "all" || slices.ContainsFunc(e.Sections, func(s command.Section) bool { return s.Name == word })
}

// explainedWord adds the explanation that the entity has of the first invalid word.
func explainedWord(_ context.Context, m *miss) *result.Failure {
	why, line := m.explain(m.invalid)
	if why == "" {
		return nil
	}
	return m.fail(why, line...)
}

// explainedTogether gives the explanation that the entity has of all words, which together may be a
// name.
func explainedTogether(_ context.Context, m *miss) *result.Failure {
	name := strings.Join(slices.DeleteFunc(slices.Clone(m.in.Args), m.isSection), " ")
	why, line := m.explain(name)
	if why == "" {
		return nil
	}
	return result.Invalid(why, line...)
}

// searchNames suggests a search if no word may be an id.
func searchNames(_ context.Context, m *miss) *result.Failure {
	isID := func(w string) bool { return !m.isSection(w) }
	if slices.ContainsFunc(m.valid, isID) || slices.ContainsFunc(m.words, HasIDSign) {
		return nil
	}
	return m.fail("", m.searchCommand(m.words)...)
}

// skipInvalid suggests --skip-invalid unless most words are invalid, because the others are then
// probably not ids either, or a number may be part of an unreadable id.
func skipInvalid(_ context.Context, m *miss) *result.Failure {
	if len(m.valid) < len(m.words) || m.Joined && m.Check == nil && slices.ContainsFunc(m.valid, isNumber) {
		return nil
	}
	return m.fail("--skip-invalid skips invalid ids", append(m.in.Line(m.in.Args), "--skip-invalid")...)
}

// HasIDSign reports whether a word has a digit or a slash, as every id of a list does. Other words are
// more likely names of sections.
func HasIDSign(word string) bool { return strings.ContainsAny(word, digits+"/") }

// help suggests the help of get.
func help(_ context.Context, m *miss) *result.Failure { return m.fail("", "get", m.Name, "--help") }
