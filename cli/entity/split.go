package entity

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// words reads the words of a line: ids and sections, and notices of words that were left
// out. The input has each id as one argument.
func (s *SpecOf[R]) words(typed *command.Input, names []string) (in *command.Input, skipped, ids []string, asked Asked, err error) {
	in, skipped, err = listed(typed, *s, names)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	ids, asked, err = splitArgs(in, *s, names)
	if err == nil && s.joins() {
		ids = s.IDs.Join(ids)
	}
	for _, sec := range s.Sections {
		if err == nil && sec.Flag != "" && in.Given(sec.Flag) && !asked.Has(sec.Name) {
			err = result.Invalid("--"+sec.Flag+" goes with the section "+sec.Name, in.Line(slices.Concat(ids, asked, []string{sec.Name}))...)
		}
	}
	return in, skipped, ids, asked, err
}

// joins reports whether a name may be several words of a command line.
func (s *SpecOf[R]) joins() bool { return s.IDs.Join != nil && !s.IDs.Listed }

// splitArgs splits ids from sections. A section's name is never an id.
func splitArgs[R any](in *command.Input, s SpecOf[R], names []string) (ids []string, asked Asked, err error) {
	for _, w := range in.Args {
		switch {
		case strings.TrimSpace(w) == "": // nothing was given
		case w == "all" && len(names) > 0:
			for _, n := range names {
				if n != "all" && !asked.Has(n) {
					asked = append(asked, n)
				}
			}
		case slices.Contains(names, w):
			if !asked.Has(w) {
				asked = append(asked, w)
			}
		case (s.IDs.Is == nil || s.IDs.Is(w)) && !(len(ids) > 0 && len(names) > 0 && !s.joins() && NamesSection(in, w, s.sections())):
			if !slices.Contains(ids, w) {
				ids = append(ids, w)
			}
		case len(ids) == 0, strings.Contains(w, " ") && sectionFor(w, s.sections()) == "":
			return nil, nil, s.refused(in, w, slices.DeleteFunc(slices.Clone(in.Args), func(w string) bool { return slices.Contains(names, w) }))
		case len(names) == 0:
			return nil, nil, result.Invalid(fmt.Sprintf("%q is not an id of this kind, and get %s has no sections", command.Clip(w), s.Name), in.Line(slices.DeleteFunc(slices.Clone(in.Args), func(a string) bool { return a == w }))...)
		default:
			f := NoSection(in, s.Name, w, s.sections())
			if sectionFor(strings.ReplaceAll(w, "_", "-"), s.sections()) == "" && s.onCard(w) {
				f.Message = fmt.Sprintf("no section %q: every record shows it", command.Clip(w))
				f.Try = in.Line(slices.DeleteFunc(slices.Clone(in.Args), func(a string) bool { return a == w }))
			}
			return nil, nil, f
		}
	}
	if s.joins() { // a name of several words may end as a section does
		for i, w := range s.IDs.Join(ids) {
			if i > 0 && (sectionFor(w, s.sections()) != "" || looksLikeSection(w) && len(in.Tree().Holders(w)) > 0) {
				return nil, nil, NoSection(in, s.Name, w, s.sections())
			}
		}
	}
	if len(ids) == 0 {
		return nil, nil, result.Invalid("which "+s.Name+"? Give an id before the section: "+s.IDs.Words, "get", s.Name, "--help")
	}
	if most := s.IDs.most(in.May); len(ids) > most {
		return nil, nil, result.Invalid(fmt.Sprintf("%d ids at once; at most %d are accepted", len(ids), most), "get", s.Name, "--help")
	}
	return ids, asked, nil
}

// accept reports whether a word is an id and no check refuses it.
func (ids IDs) accept(word string) bool {
	return (ids.Is == nil || ids.Is(word)) && (ids.Check == nil || ids.Check(word) == nil)
}

// most is how many ids one call may have.
func (ids IDs) most(may command.Policy) int {
	if may == command.Person {
		return max(ids.Max, ids.Many)
	}
	return ids.Max
}

// NoSection is the refusal of a word that is neither a section of an entity nor an id. It
// says which sections there are, and which command has what the word names.
func NoSection(in *command.Input, name, word string, sections []command.Section) *command.Refusal {
	names := append(namesOf(sections), "all")
	text := fmt.Sprintf("no section %q; sections: %s", command.Clip(word), strings.Join(names, ", "))
	if near := cmp.Or(sectionFor(word, sections), command.Nearest(word, names)); near != "" {
		text += "; did you mean " + near + "?"
	} else if holders := in.Tree().Holders(word); len(holders) > 0 {
		text += "; it belongs to " + Some(holders)
	}
	return &command.Refusal{Reason: command.NoSection, Word: word, Sections: sections, Failure: result.Invalid(text, "get", name, "--help")}
}

// looksLikeSection reports whether a word is in the form of a section's name.
func looksLikeSection(word string) bool {
	return len(word) > 1 && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") == ""
}

// sections are the sections as the command has them.
func (s *SpecOf[R]) sections() []command.Section {
	return result.Map(s.Sections, func(sec SectionOf[R]) command.Section {
		return command.Section{Name: sec.Name, Short: sec.Short, Also: sec.Also, Flag: sec.Flag}
	})
}

func namesOf(sections []command.Section) []string {
	return result.Map(sections, func(s command.Section) string { return s.Name })
}

// NamesSection reports whether a word behind an id, which could be one, is rather a section,
// of these or of another entity: in lower case, and the name of one or near to it.
func NamesSection(in *command.Input, word string, sections []command.Section) bool {
	return sectionFor(word, sections) != "" || looksLikeSection(word) && (len(word) > 4 && command.Nearest(word, namesOf(sections)) != "" || len(in.Tree().Holders(word)) > 0)
}

// sectionFor is the section that a word names, also in the singular or the plural or by
// another word for it; "" where it names none.
func sectionFor(word string, sections []command.Section) string {
	if looksLikeSection(strings.ReplaceAll(word, " ", "-")) {
		for _, s := range sections {
			if command.Is(word, s.Name, s.Also) {
				return s.Name
			}
		}
	}
	return ""
}
