package command

import (
	"slices"

	"github.com/spf13/pflag"
)

// Owner returns the name of the entity whose id a text has the form of, "" where it has
// that of none.
func (t *Tree) Owner(text string) string {
	for _, group := range t.Commands(t.Root) {
		for _, c := range t.Commands(group) {
			if def := t.Def(c); def != nil && def.Owns != nil && def.Owns(text) {
				return c.Name()
			}
		}
	}
	return ""
}

// Holders are the commands that have what a word names, or nearly names: "get drug" with
// the section safety, or, if none has such a section, "study compare --type expression".
func (t *Tree) Holders(word string) (sections []string) {
	var values []string
	for _, group := range t.Commands(t.Root) {
		for _, c := range t.Commands(group) {
			def, line := t.Def(c), group.Name()+" "+c.Name()
			if slices.ContainsFunc(def.Sections, func(s Section) bool {
				return Is(word, s.Name, s.Also) || len(word) > 6 && Nearest(word, []string{s.Name}) != ""
			}) {
				sections = append(sections, line)
			}
			t.Flags(c).VisitAll(func(f *pflag.Flag) {
				if value, certain := ValueOf(f, word); certain && len(word) > 6 {
					values = append(values, line+" --"+f.Name+" "+value)
				}
			})
		}
	}
	if len(sections) > 0 {
		return sections
	}
	return values
}
