package entity

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// splitArgs splits ids from sections. A section's name is never an id.
func splitArgs[R any](in *command.Input, s Spec[R], names []string) (ids []string, asked Asked, err error) {
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
		case (s.IsID == nil || s.IsID(w)) && !(len(ids) > 0 && s.Joined == nil && Misspelt(w, names)):
			if !slices.Contains(ids, w) {
				ids = append(ids, w)
			}
		case len(ids) == 0:
			return nil, nil, s.refused(in, w, slices.DeleteFunc(slices.Clone(in.Args), func(w string) bool { return slices.Contains(names, w) }))
		case len(names) == 0:
			return nil, nil, result.Invalid(fmt.Sprintf("%q is not an id of this kind, and get %s has no sections", command.Clip(w), s.Name), "get", s.Name, "--help")
		default:
			return nil, nil, s.noSection(in, w, names)
		}
	}
	if s.Joined != nil { // a name of several words may end as a section does
		for i, w := range s.Joined(ids) {
			if i > 0 && sectionFor(w, names) != "" {
				return nil, nil, s.noSection(in, w, names)
			}
		}
	}
	if len(ids) == 0 {
		return nil, nil, result.Invalid("which "+s.Name+"? Give an id before the section: "+s.IDs, "get", s.Name, "--help")
	}
	if len(ids) > s.MaxIDs {
		return nil, nil, result.Invalid(fmt.Sprintf("%d ids at once; at most %d are accepted", len(ids), s.MaxIDs), "get", s.Name, "--help")
	}
	return ids, asked, nil
}

// noSection is the refusal of a word that is neither section nor id.
func (s *Spec[R]) noSection(in *command.Input, w string, names []string) error {
	near, flags := cmp.Or(sectionFor(w, names), command.Nearest(w, names)), []string(nil)
	if section, pairs := s.meant(w); section != "" {
		near, flags = section, pairs
	}
	args := in.Args
	if i := slices.Index(args, w); i >= 0 && i+1 < len(args) {
		if section := sectionOf(args[i:i+2], names); section != "" {
			near, args = section, slices.Delete(slices.Clone(args), i+1, i+2)
		}
	}
	try := in.Line(replaced(args, w, near), flags...)
	if near == "" && s.Partial != nil && slices.ContainsFunc(args, s.Partial) {
		try = result.Argv{"get", s.Name, "--help"}
	}
	return result.Invalid(
		fmt.Sprintf("no section %q; sections: %s%s", command.Clip(w), strings.Join(names, ", "), command.DidYouMean(w, names)),
		try...)
}

// sectionOf is the section that several words name: side effects; "" if they name none.
func sectionOf(words, sections []string) string {
	joined := strings.ToLower(strings.Join(words, "-"))
	if slices.Contains(sections, joined) {
		return joined
	}
	return sectionFor(joined, sections)
}

// looksLikeSection reports whether a word is in the form of a section's name.
func looksLikeSection(word string) bool {
	return len(word) > 1 && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") == ""
}

// Misspelt reports whether a word that could be an id is rather a section: in lower
// case, and near to the name of one.
func Misspelt(word string, sections []string) bool {
	return sectionFor(word, sections) != "" || len(word) > 4 && looksLikeSection(word) && command.Nearest(word, sections) != ""
}

// sectionFor is the section that a word names in the singular or the plural, or by
// another word for it; "" if it names none.
func sectionFor(word string, sections []string) string {
	for _, name := range sections {
		if word+"s" == name || word == name+"s" {
			return name
		}
	}
	if word = strings.ReplaceAll(word, " ", "-"); looksLikeSection(word) {
		return command.Meant(word, sections)
	}
	return ""
}

func (s *Spec[R]) meant(word string) (section string, flags []string) {
	if s.Meant == nil {
		return "", nil
	}
	return s.Meant(word)
}

// replaced is words with one of them replaced, or left out.
func replaced(words []string, old, by string) []string {
	var out []string
	for _, w := range words {
		if w == old {
			w = by
		}
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}
