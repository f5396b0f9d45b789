package correct

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// argsToFlags inserts the flags that arguments belong to, for a command that takes only flags.
func argsToFlags(l *Line) []result.Argv { return l.insertFlags(false) }

// certainArgsToFlags does the same as argsToFlags if each word has a recognisable format or if only
// one flag accepts words: study summary brca_tcga.
func certainArgsToFlags(l *Line) []result.Argv { return l.insertFlags(true) }

// insertFlags implements argsToFlags and, if sure is true, certainArgsToFlags.
func (l *Line) insertFlags(sure bool) []result.Argv {
	def := l.def()
	values := map[string][]string{}
	line := l.withoutArgs()
	var order []command.ArgFlag
	flagOf := func(word string) int {
		_, numberErr := strconv.ParseFloat(word, 64)
		return slices.IndexFunc(def.ArgFlags, func(p command.ArgFlag) bool {
			fits := p.Accepts == nil && numberErr != nil || p.Accepts != nil && p.Accepts(word)
			return fits && p.AcceptsTail == nil && !l.flag(p.Flag).Changed && (p.Separator != "" || len(values[p.Flag]) == 0)
		})
	}
	last := -1
	for i, word := range l.Args {
		// A preposition before a word of another flag leads to it: coexpression of TP53 in brca_tcga.
		if i+1 < len(l.Args) && slices.Contains(prepositions, word) && flagOf(l.Args[i+1]) != last {
			continue
		}
		if last >= 0 && word == "and" && (def.ArgFlags[last].Separator == "," || flagOf(word) != last) {
			continue
		}
		at := flagOf(word)
		if at < 0 || sure && def.ArgFlags[at].Accepts == nil && len(def.ArgFlags) > 1 {
			return nil
		}
		p := def.ArgFlags[at]
		if values[p.Flag] == nil {
			order = append(order, p)
		}
		values[p.Flag] = append(values[p.Flag], word)
		last = at
	}
	for _, p := range order {
		line = append(line, "--"+p.Flag, strings.Join(values[p.Flag], p.Separator))
	}
	return asList(line)
}

// insertMemberFor inserts the first member of the group with a flag for the word, or the first
// member if it takes free text: study expression, study brca_tcga, sync melanoma.
func insertMemberFor(l *Line) []result.Argv {
	word := l.Fault.Word
	if l.atTopLevel() || l.Cmd.Name() == "search" || l.Cmd.Name() == "get" { // their members take arguments
		return nil
	}
	for _, c := range l.Tree.Commands(l.Cmd) {
		for i, p := range l.Tree.Command(c).ArgFlags {
			if i > 0 && p.Accepts != nil && p.Accepts(word) {
				return asList(l.replace(l.faultIndex(), 1, c.Name(), "--"+p.Flag, word))
			}
		}
	}
	for _, c := range l.Tree.Commands(l.Cmd) {
		if def := l.Tree.Command(c); len(def.ArgFlags) > 0 && strings.Contains(word, "_") { // a study ID
			return asList(l.replace(l.faultIndex(), 0, c.Name()))
		}
	}
	for _, g := range l.groups() {
		for _, c := range l.membersNamed(g, word) { // a command of another group: sync remove dna
			list := l.Tree.Member(l.Cmd, "list")
			if l.Tree.Command(c).Effect == command.Stores && list != nil {
				return asList(slices.Concat(l.Words[:l.faultIndex()], []string{list.Name()}))
			}
		}
	}
	first := l.Tree.Commands(l.Cmd)[0]
	def := l.Tree.Command(first)
	isName := len(l.membersNamed(l.Tree.Root, word)) > 0 || l.Tree.Flags(first).Lookup(word) != nil
	if def == nil || def.Args.Max >= 0 || isName {
		return nil
	}
	return asList(l.replace(l.faultIndex(), 0, first.Name()))
}

// joinValues joins the words after a flag's value to the value if the flag takes several: --genes
// TP53 PIK3CA, --expression-above EGFR 1. It removes words that only repeat the meaning of the flag:
// --amplified EGFR gain. It repeats a repeatable flag before words in capitals: --mutated TP53 KRAS.
func joinValues(l *Line) []result.Argv {
	i := l.faultIndex()
	_, numberErr := strconv.ParseFloat(l.Fault.Word, 64)
	if i < 2 || l.def().Args.Max != 0 || !isFlag(l.Words[i-2]) || isFlag(l.Fault.Word) && numberErr != nil {
		return nil
	}
	more := l.Words[i : i+1+len(beforeFlags(l.Words[i+1:]))]
	for _, p := range l.def().ArgFlags {
		f := l.flag(p.Flag)
		if !command.IsFlag(f, strings.TrimLeft(l.Words[i-2], "-")) {
			continue
		}
		_, repeats := f.Value.(pflag.SliceValue)
		fits := p.AcceptsTail == nil || !slices.ContainsFunc(more, func(word string) bool { return !p.AcceptsTail(word) })
		switch {
		case fits && p.Separator != "":
			return asList(l.replace(i-1, len(more)+1, strings.Join(l.Words[i-1:i+len(more)], p.Separator)))
		case fits && p.AcceptsTail != nil:
			return asList(l.replace(i, len(more)))
		case repeats && p.Separator == "" && numberErr != nil && strings.ToUpper(l.Fault.Word) == l.Fault.Word:
			var repeated []string
			for _, word := range more {
				repeated = append(repeated, l.Words[i-2], word)
			}
			return asList(l.replace(i, len(more), repeated...))
		}
	}
	return nil
}

// joinCommand joins a command and the next word to the name of another command: serve http.
func joinCommand(l *Line) (lines []result.Argv) {
	i := l.faultIndex()
	if i < 1 || !l.Cmd.HasParent() {
		return nil
	}
	for _, c := range l.membersNamed(l.Cmd.Parent(), l.Words[i-1]+"-"+l.Words[i]) {
		lines = append(lines, l.replace(i-1, 2, c.Name()))
	}
	return lines
}

// dropVerb removes a synonym of get after a command: skill show follow-citations.
func dropVerb(l *Line) []result.Argv {
	get := l.group("get")
	if get == nil || len(l.Args) < 2 || !command.MatchesName(l.Args[0], "get", l.Tree.Command(get).Synonyms) {
		return nil
	}
	return asList(l.replace(slices.Index(l.Words, l.Args[0]), 1))
}

// withoutArgs returns the words of the line without its arguments.
func (l *Line) withoutArgs() result.Argv {
	line, args := result.Argv{}, slices.Clone(l.Args)
	for _, word := range slices.Backward(l.Words) {
		if n := len(args); n > 0 && args[n-1] == word {
			args = args[:n-1]
			continue
		}
		line = append(line, word)
	}
	slices.Reverse(line)
	return line
}

// valueAsWord inserts the flag before a single argument that only that flag accepts: mcp-config
// cursor. Otherwise it proposes every value that begins with the argument: mcp-config claude.
func valueAsWord(l *Line) (lines []result.Argv) {
	if len(l.Args) != 1 || l.def().Args.Max != 0 {
		return nil
	}
	if f, value := l.valueFlag(l.Cmd, l.Args[0]); f != nil && !f.Changed {
		return asList(append(l.withoutArgs(), "--"+f.Name, value))
	}
	for f := range l.flags(l.Cmd) {
		for _, value := range command.ValuesWithPrefix(f, l.Args[0]) {
			lines = append(lines, append(l.withoutArgs(), "--"+f.Name, value))
		}
	}
	return lines
}

// sectionSynonym replaces a synonym of a section, of one word or two, with the section's name:
// side effects. It removes the synonym if the line already names the section.
func sectionSynonym(l *Line) (lines []result.Argv) {
	i := l.faultIndex()
	for n := 2; n > 0 && lines == nil; n-- {
		if i < 0 || i+n > len(l.Words) {
			continue
		}
		for _, s := range sectionsNamed(l.sections(), strings.Join(l.Words[i:i+n], " ")) {
			switch {
			case slices.Contains(l.Words, s.Name):
				lines = append(lines, l.replace(i, n))
			default:
				lines = append(lines, l.replace(i, n, s.Name))
			}
		}
	}
	return lines
}

// sectionsNamed returns the sections with a name or synonym equal to word. If there are none, it returns
// those whose name or synonym differs from word only in number, so that cite is not cites.
func sectionsNamed(sections []command.Section, word string) (named []command.Section) {
	exact := func(s command.Section) bool {
		equal := func(name string) bool { return normalize(name) == normalize(word) }
		return equal(s.Name) || slices.ContainsFunc(s.Synonyms, equal)
	}
	for _, s := range sections {
		if command.MatchesName(word, s.Name, s.Synonyms) {
			named = append(named, s)
		}
	}
	if slices.ContainsFunc(named, exact) {
		named = slices.DeleteFunc(named, func(s command.Section) bool { return !exact(s) })
	}
	return named
}

// flagAsWord adds the missing hyphens to the name of a flag. A flag with a value must be followed
// by a word: health deep, citation style ris.
func flagAsWord(l *Line) []result.Argv {
	for _, word := range append([]string{l.Fault.Word}, l.Args...) {
		i, f := slices.Index(l.Words, word), l.flag(word)
		if f != nil && i >= 0 && (f.Value.Type() == "bool" || i+1 < len(l.Words) && !isFlag(l.Words[i+1])) {
			return asList(l.replace(i, 1, "--"+f.Name))
		}
	}
	return nil
}

// valueAsSection inserts the flag before a value that only that flag accepts: bibtex.
func valueAsSection(l *Line) []result.Argv {
	if f, value := l.valueFlag(l.Cmd, l.Fault.Word); f != nil && !f.Changed {
		return asList(l.replace(l.faultIndex(), 1, l.flagWords(l.Cmd, f, value)...))
	}
	return nil
}

// mistypedSection replaces a misspelt section with the closest one.
func mistypedSection(l *Line) []result.Argv {
	names := result.Map(l.sections(), func(s command.Section) string { return s.Name })
	if near := command.Nearest(l.Fault.Word, names); near != "" {
		return asList(l.replace(l.faultIndex(), 1, near))
	}
	return nil
}

// isSection reports whether word is the name of a section of any entity.
func (l *Line) isSection(word string) bool {
	get := l.group("get")
	return get != nil && slices.ContainsFunc(l.Tree.Commands(get), func(c *cobra.Command) bool {
		return slices.ContainsFunc(l.Tree.Command(c).Sections, func(s command.Section) bool {
			return command.MatchesName(word, s.Name, nil)
		})
	})
}
