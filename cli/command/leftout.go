package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Owner is the name of the command that a text has the form of an id of, "" where there
// is none.
func (t *Tree) Owner(text string) string {
	for _, c := range t.Commands(t.Root) {
		if owner := t.owner(c, text); owner != nil {
			return owner.Name()
		}
	}
	return ""
}

func (t *Tree) owner(group *cobra.Command, text string) *cobra.Command {
	for _, c := range t.Commands(group) {
		if def := t.Def(c); def != nil && def.Owns != nil && def.Owns(text) {
			return c
		}
	}
	return nil
}

// LeftOut is what was meant by the first of some words below a group that has no such
// member: the word itself, put right, after the names that were left out before it. Nil
// where the words do not say which. An id is its owner's. The name of an entity, also in
// the plural, is read if an id follows and searched for otherwise. Any other word is an
// id, or the beginning of a query, of the first entity.
func (t *Tree) LeftOut(p Policy, group *cobra.Command, words []string) []string {
	var groups []*cobra.Command
	if group == t.Root {
		for _, c := range t.Commands(group) {
			if def := t.Def(c); def != nil && len(def.Commands) > 0 && (p == Person || t.ReadOnly(c)) {
				groups = append(groups, c)
			}
		}
	} else {
		groups = []*cobra.Command{group}
	}
	if group == t.Root {
		if line := t.ofMember(groups, words); line != nil {
			return line
		}
	}
	below := func(c *cobra.Command) []string { return append(Path(c)[len(Path(group)):], words[0]) }
	for _, g := range groups {
		for _, id := range firstIDs(words) {
			if c := t.owner(g, id); c != nil {
				return below(c)
			}
		}
	}
	var text *cobra.Command
	for _, g := range groups {
		members := t.Commands(g)
		if len(members) == 0 || t.Def(members[0]) == nil || len(words[0]) >= 100 {
			continue
		}
		switch first := t.Def(members[0]); {
		case first.IsID != nil && first.IsID(words[0]):
			return below(members[0])
		case first.Args.FreeText && text == nil:
			text = members[0]
		}
	}
	if text == nil {
		return nil
	}
	return below(text)
}

// ofMember is LeftOut for a word that is the name of a member of some groups.
func (t *Tree) ofMember(groups []*cobra.Command, words []string) (search []string) {
	name, several := t.singular(groups, words[0])
	if name == "" {
		return nil
	}
	after := beforeFlags(words[1:])
	for _, g := range groups {
		c := t.Member(g, name)
		if c == nil || t.Def(c) == nil {
			continue
		}
		switch def := t.Def(c); {
		case def.Run != nil && def.Args.Max == 0 && (def.Effect == Reads || len(after) == 0), t.reads(def, after, several):
			return Path(c)
		case !def.Args.FreeText || search != nil:
		case len(after) == 0:
			search = append(Path(c), "--help")
		default:
			search = Path(c)
		}
	}
	return search
}

// reads reports whether words are an id of a command's: by its form, or, after the name
// of one entity, any single word that it accepts.
func (t *Tree) reads(def *Command, words []string, several bool) bool {
	section := func(w string) bool {
		return slices.ContainsFunc(def.Sections, func(s Section) bool { return s.Name == w })
	}
	switch {
	case len(words) == 0:
		return false
	case def.Owns != nil && slices.ContainsFunc(firstIDs(words), def.Owns):
		return true
	case def.IsID != nil:
		return def.IsID(words[0]) && (!several || strings.Trim(words[0], "0123456789") == "")
	}
	return len(def.Sections) > 0 && !several && !strings.Contains(words[0], " ") && (len(words) == 1 || section(words[1]))
}

// singular is the member of some groups that a word is the name of, also in another
// letter case or the plural, or means; several is whether it is a plural.
func (t *Tree) singular(groups []*cobra.Command, word string) (name string, several bool) {
	word = strings.ToLower(word)
	one, several := strings.CutSuffix(word, "s")
	for _, w := range append([]string{word, one}, strings.Fields(meanings()[word]+" "+meanings()[one])...) {
		for _, g := range groups {
			if t.Member(g, w) != nil {
				return w, several && w != word
			}
		}
	}
	return "", false
}

// firstIDs are the ids that some words may begin with: one has a word, or two, such as
// BRAF V600E.
func firstIDs(words []string) []string {
	ids := []string{words[0]}
	if words = beforeFlags(words); len(words) > 1 {
		ids = append(ids, words[0]+" "+words[1])
	}
	return ids
}

func beforeFlags(words []string) []string {
	if i := slices.IndexFunc(words, func(w string) bool { return len(w) > 1 && w[0] == '-' }); i >= 0 {
		return words[:i]
	}
	return words
}
