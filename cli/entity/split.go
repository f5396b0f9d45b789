package entity

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity/advice"
	"biomcp/cli/result"
)

// parseArgs reads the ids and the requested sections of a command line. in has each id as one argument,
// and skipped has notices about invalid words.
func (s *SpecOf[R]) parseArgs(line *command.Input, names []string) (
	in *command.Input, skipped, ids []string, sections Sections, err error,
) {
	read, skipped, err := expandIDs(line, *s, names)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	ids, sections, err = splitArgs(read.in, *s, names, len(read.list) > 0)
	if err == nil && s.joinsWords() {
		ids = s.IDs.Join(ids)
	}
	if err == nil && len(ids)+len(read.list) == 0 {
		err = result.Invalid("which "+s.Name+"? Give an id before the section: "+s.IDs.Placeholder,
			"get", s.Name, "--help")
	}
	ids = Unique(append(ids, read.list...))
	if most := s.IDs.maxIDs(line.Policy); err == nil && len(ids) > most {
		err = result.Invalid(fmt.Sprintf("%d ids at once; at most %d are accepted", len(ids), most),
			"get", s.Name, "--help")
	}
	in = read.in.WithList(read.list, read.source)
	for _, sec := range s.Sections {
		if err == nil && sec.Flag != "" && in.Given(sec.Flag) && !sections.Has(sec.Name) {
			err = result.Invalid("--"+sec.Flag+" requires the section "+sec.Name,
				in.Line(slices.Concat(ids, sections, []string{sec.Name}))...)
		}
	}
	return in, skipped, ids, sections, err
}

// joinsWords reports whether a name may span several arguments.
func (s *SpecOf[R]) joinsWords() bool { return s.IDs.Join != nil && !s.IDs.Listed }

// Unique returns ids without repeated ones.
func Unique(ids []string) (once []string) {
	seen := make(map[string]bool, len(ids))
	for _, id := range ids {
		if !seen[id] {
			once, seen[id] = append(once, id), true
		}
	}
	return once
}

// splitArgs splits ids from sections. The name of a section is never an id. listed reports whether there
// are ids besides the arguments.
func splitArgs[R any](
	in *command.Input, s SpecOf[R], names []string, listed bool,
) (ids []string, sections Sections, err error) {
	for _, w := range in.Args {
		if strings.TrimSpace(w) == "" {
			continue
		}
		isID := s.IDs.Match == nil || s.IDs.Match(w)
		mayNameSection := (len(ids) > 0 || listed) && len(names) > 0 && !s.joinsWords()
		switch {
		case w == "all" && len(names) > 0:
			sections = sections.with(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "all" })...)
		case slices.Contains(names, w):
			sections = sections.with(w)
		case isID && !(mayNameSection && advice.NamesSection(in, w, s.sections())):
			ids = append(ids, w)
		case len(ids) == 0 && !listed, strings.Contains(w, " ") && advice.SectionFor(w, s.sections()) == "":
			return nil, nil, s.advice(names).Invalid(in, w,
				slices.DeleteFunc(slices.Clone(in.Args), func(w string) bool { return slices.Contains(names, w) }))
		default:
			return nil, nil, s.notSection(in, w, names)
		}
	}
	if s.joinsWords() { // the end of a longer name may look like a section
		joined := s.IDs.Join(ids)
		for _, w := range joined[min(1, len(joined)):] {
			looks := advice.LooksLikeSection(w) && len(in.Tree().CommandsWith(w)) > 0
			if looks || advice.SectionFor(w, s.sections()) != "" {
				return nil, nil, advice.UnknownSection(in, s.Name, w, s.sections())
			}
		}
	}
	return ids, sections, nil
}

// with returns the sections and those of names that are not among them.
func (a Sections) with(names ...string) Sections {
	for _, n := range names {
		if !a.Has(n) {
			a = append(a, n)
		}
	}
	return a
}

// notSection returns the error for a word after the ids that is neither an id nor a section.
func (s *SpecOf[R]) notSection(in *command.Input, word string, names []string) error {
	rest := slices.DeleteFunc(slices.Clone(in.Args), func(a string) bool { return a == word })
	if len(names) == 0 {
		return result.Invalid(fmt.Sprintf("%q is not an id of this kind, and get %s has no sections",
			command.Clip(word), s.Name), in.Line(rest)...)
	}
	f := advice.UnknownSection(in, s.Name, word, s.sections())
	named := advice.SectionFor(strings.ReplaceAll(word, "_", "-"), s.sections()) != ""
	if !named && slices.Contains(s.recordFields(), word) {
		f.Message = fmt.Sprintf("no section %q: every record shows it", command.Clip(word))
		f.Try = in.Line(rest)
	}
	return f
}

// accepts reports whether word is an id that passes Check.
func (ids IDs) accepts(word string) bool {
	return (ids.Match == nil || ids.Match(word)) && (ids.Check == nil || ids.Check(word) == nil)
}

// several reports whether a command may have more than one id.
func (ids IDs) several() bool { return ids.Max > 1 }

// maxIDs returns the maximum number of ids per call. For a person, more than Max ids are fetched in
// batches.
func (ids IDs) maxIDs(policy command.Policy) int {
	if policy == command.Person && ids.several() {
		return math.MaxInt
	}
	return ids.Max
}

// sections returns the sections in the form that a command needs.
func (s *SpecOf[R]) sections() []command.Section {
	return result.Map(s.Sections, func(sec SectionOf[R]) command.Section {
		return command.Section{Name: sec.Name, Short: sec.Short, Synonyms: sec.Synonyms, Flag: sec.Flag}
	})
}
