package correct

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/skills"
)

// membersNamed returns the members of a group whose name or synonym is word.
func (l *Line) membersNamed(group *cobra.Command, word string) (members []*cobra.Command) {
	for _, c := range l.Tree.Commands(group) {
		if def := l.Tree.Command(c); def != nil && command.MatchesName(word, c.Name(), def.Synonyms) {
			members = append(members, c)
		}
	}
	return members
}

// groups returns the groups that the caller may use, in the order of the tree.
func (l *Line) groups() (groups []*cobra.Command) {
	for _, c := range l.Tree.Commands(l.Tree.Root) {
		def := l.Tree.Command(c)
		if def == nil || len(def.Commands) == 0 {
			continue
		}
		if l.Policy == command.Person || l.Tree.ReadOnly(c) {
			groups = append(groups, c)
		}
	}
	return groups
}

// group returns the top-level group or command with the given name, or nil.
func (l *Line) group(name string) *cobra.Command { return l.Tree.Member(l.Tree.Root, name) }

// atTopLevel reports whether the word at fault stands in the position of a top-level command.
func (l *Line) atTopLevel() bool { return l.Cmd == l.Tree.Root }

// groupIndex returns the index of the group that the line names, or of the word at fault if the line
// names no group.
func (l *Line) groupIndex() int {
	if l.atTopLevel() {
		return l.faultIndex()
	}
	return slices.Index(l.Words, l.Cmd.Name())
}

// memberSynonym replaces a synonym of a command with the command's name. If the synonym is the last
// word of a search, it may be the query, so it proposes that search and its help as well: search cancer.
func memberSynonym(l *Line) (lines []result.Argv) {
	i := l.faultIndex()
	_, entities := l.splitRecord()
	if len(entities) == 1 && (l.atTopLevel() || slices.Contains(prepositions, l.Words[i+1])) {
		if lines = sectionFirst(l); lines != nil { // export article 32051057, get diseases for gene BRAF
			return lines
		}
	}
	rest := strings.Join(l.Words[i+1:], "")
	last := rest == "" || rest == "--json"
	for _, c := range l.membersNamed(l.Cmd, l.Fault.Word) {
		line := l.replace(i, 1, c.Name())
		if last && l.Tree.Command(c).Args.FreeText && !l.atTopLevel() {
			if command.MatchesName(l.Fault.Word, c.Name(), nil) { // search drugs
				return asList(line)
			}
			lines = append(lines, append(slices.Clone(line), l.Fault.Word), append(line, "--help"))
		} else {
			lines = append(lines, line)
		}
	}
	return lines
}

// memberVariant replaces the command of a similar program with a command and flags: study lollipop.
func memberVariant(l *Line) (lines []result.Argv) {
	for _, c := range l.Tree.Commands(l.Cmd) {
		for _, v := range l.Tree.Command(c).Variants {
			if command.MatchesName(l.Fault.Word, v.Names[0], v.Names[1:]) {
				lines = append(lines, l.replace(l.faultIndex(), 1, slices.Concat([]string{c.Name()}, v.Flags)...))
			}
		}
	}
	return lines
}

// joinMember joins two words to one command name: clinical trials, mcp config.
func joinMember(l *Line) (lines []result.Argv) {
	i := l.faultIndex()
	if i < 0 || i+1 >= len(l.Words) || isFlag(l.Words[i+1]) {
		return nil
	}
	for _, c := range l.membersNamed(l.Cmd, l.Words[i]+"-"+l.Words[i+1]) {
		lines = append(lines, l.replace(i, 2, c.Name()))
	}
	return lines
}

// isEntity reports whether word names an entity that can be searched.
func (l *Line) isEntity(word string) bool {
	return l.group("search") != nil && len(l.membersNamed(l.group("search"), word)) > 0
}

// entityFirst reorders a line that begins with an entity: gene search kinase, gtr sync, gene
// articles BRAF.
func entityFirst(l *Line) []result.Argv {
	i := l.faultIndex()
	word := l.Fault.Word
	var verb string
	var before, rest []string
	switch {
	case i >= 0 && l.atTopLevel() && i+1 < len(l.Words):
		verb, before, rest = l.Words[i+1], l.Words[:i], l.Words[i+2:]
	case i > 0 && !l.atTopLevel():
		word, verb, before, rest = l.Cmd.Name(), word, l.Words[:i-1], l.Words[i+1:]
	default:
		return nil
	}
	for _, g := range l.groups() {
		def := l.Tree.Command(g)
		for _, c := range l.membersNamed(g, word) {
			if command.MatchesName(verb, g.Name(), def.Synonyms) {
				return asList(slices.Concat(before, command.Path(c), rest))
			}
		}
	}
	get := l.group("get")
	if get == nil || !l.atTopLevel() {
		return nil
	}
	for _, c := range l.membersNamed(get, word) {
		if slices.ContainsFunc(l.Tree.Command(c).Sections, func(s command.Section) bool { return s.Name == verb }) {
			return asList(slices.Concat(before, command.Path(c), rest, []string{verb}))
		}
	}
	return nil
}

// otherGroup replaces get with search, or search with get, if the other group has the entity.
func otherGroup(l *Line) []result.Argv {
	if g := l.group(map[string]string{"get": "search", "search": "get"}[l.Cmd.Name()]); g != nil {
		return l.replaceGroup(g)
	}
	return nil
}

// dropGroup removes a group before a top-level command: get study brca_tcga, study demo.
func dropGroup(l *Line) []result.Argv { return l.replaceGroup(l.Tree.Root) }

// replaceGroup replaces the group and the word at fault with the commands of another group that the
// word names.
func (l *Line) replaceGroup(group *cobra.Command) (lines []result.Argv) {
	i := l.faultIndex()
	if i < 1 || l.atTopLevel() {
		return nil
	}
	for _, c := range l.membersNamed(group, l.Fault.Word) {
		lines = append(lines, l.replace(l.groupIndex(), i-l.groupIndex()+1, command.Path(c)...))
	}
	return lines
}

// insertGroup inserts the group before the name of a member: get if the entity is followed by an
// ID or by one word that may be an ID, otherwise search.
func insertGroup(l *Line) (lines []result.Argv) {
	if !l.atTopLevel() {
		return nil
	}
	i := l.faultIndex()
	if skills.BeginsCompound(strings.Join(beforeFlags(l.Words[i:]), " ")) { // gene therapy
		return l.firstText(i, i)
	}
	after, plural := beforeFlags(l.Words[i+1:]), strings.HasSuffix(strings.ToLower(l.Fault.Word), "s")
	var search, others []result.Argv
	for _, g := range l.groups() {
		for _, c := range l.membersNamed(g, l.Fault.Word) {
			def := l.Tree.Command(c)
			exact := strings.EqualFold(c.Name(), l.Fault.Word)
			line := l.replace(i, 1, command.Path(c)...)
			if def.Args.FreeText {
				line = l.replace(i, 1+countPrepositions(after), command.Path(c)...) // papers on CAR-T
			}
			switch {
			case def.Run == nil:
			case startsWithID(def, after, plural && !exact):
				return asList(line)
			case g.Name() == "get" && search == nil && len(after) > 0, l.acceptsWords(g, def, after):
				others = append(others, line)
			case def.Effect == command.Stores && len(after) > 1 && l.isEntity(after[0]): // download papers on CAR-T
				entity := l.membersNamed(l.group("search"), after[0])[0].Name()
				return asList(l.replace(i, 2+countPrepositions(after[1:]), "search", entity))
			case def.Effect == command.Stores && !l.anyID(after):
				others = append(others, append(command.Path(c), "--help"))
			case !def.Args.FreeText || search != nil:
			case len(after) == 0:
				search = []result.Argv{line, l.replace(i, 1, append(command.Path(c), "--help")...)}
			default:
				search = asList(line)
			}
		}
	}
	if search != nil {
		return search
	}
	return others
}

// acceptsWords reports whether a command of a group may be meant with the words after its name: it reads
// without arguments, or it is neither get nor search and one of the words is an ID.
func (l *Line) acceptsWords(group *cobra.Command, def *command.Command, words []string) bool {
	if def.Args.Max == 0 && (def.Effect == command.Reads || len(words) == 0) {
		return true
	}
	otherGroup := group.Name() != "get" && group.Name() != "search"
	return otherGroup && !def.Args.FreeText && l.anyID(words) && sectionFirst(l) == nil
}

// countPrepositions returns the number of leading prepositions to skip, 0 or 1: on CAR-T.
func countPrepositions(words []string) int {
	if len(words) > 1 && slices.Contains([]string{"on", "of", "in", "for", "about"}, words[0]) {
		return 1
	}
	return 0
}

// anyID reports whether any word is an ID of the first entity of get.
func (l *Line) anyID(words []string) bool {
	get := l.group("get")
	if get == nil {
		return false
	}
	first := l.Tree.Command(l.Tree.Commands(get)[0])
	return first.IsID != nil && slices.ContainsFunc(words, first.IsID)
}

// startsWithID reports whether words begin with an ID of a command. If the format of its IDs is
// unknown, any single word counts, alone or before a section, unless several records are asked for.
func startsWithID(def *command.Command, words []string, plural bool) bool {
	switch {
	case len(words) == 0:
		return false
	case def.MatchExclusive != nil && slices.ContainsFunc(firstIDs(words), def.MatchExclusive):
		return true
	case def.IsID != nil:
		return def.IsID(words[0]) && (!plural || strings.Trim(words[0], "0123456789") == "")
	}
	if len(def.Sections) == 0 || plural || strings.Contains(words[0], " ") {
		return false
	}
	return len(words) == 1 || slices.ContainsFunc(def.Sections, func(s command.Section) bool {
		return command.MatchesName(words[1], s.Name, s.Synonyms)
	})
}

// firstIDs returns the IDs that words may begin with: the first word, and the first two words
// joined, as in BRAF V600E.
func firstIDs(words []string) []string {
	ids := []string{words[0]}
	if words = beforeFlags(words); len(words) > 1 {
		ids = append(ids, words[0]+" "+words[1])
	}
	return ids
}

// mistypedMember replaces a misspelt command with the closest one.
func mistypedMember(l *Line) []result.Argv {
	if near := l.nearest(); near != "" {
		return asList(l.replace(l.faultIndex(), 1, near))
	}
	return nil
}

// nearest returns the member of the group whose name is closest to the word at fault. At the top
// level it falls back to the members of all groups. If none is close, it returns "".
func (l *Line) nearest() string {
	if l.atTopLevel() && l.namesCommand(l.Fault.Word) { // watch, not batch
		return ""
	}
	near := command.Nearest(l.Fault.Word, l.Tree.Members(command.Person, l.Cmd))
	for _, g := range l.groups() {
		for _, c := range l.Tree.Commands(g) {
			if near == "" && l.atTopLevel() && command.IsOneEdit(l.Fault.Word, c.Name()) {
				near = c.Name()
			}
		}
	}
	return near
}

// helpOfMistyped proposes the help of the member that a misspelt word is closest to, for lines
// without the words that it needs: serach article.
func helpOfMistyped(l *Line) []result.Argv {
	member := l.Tree.Member(l.Cmd, l.nearest())
	if member != nil && l.atTopLevel() {
		member = l.Tree.Member(member, slices.Concat(l.Words[l.faultIndex()+1:], []string{""})[0])
	}
	if member == nil {
		return nil
	}
	return asList(append(command.Path(member), "--help"))
}

// prepositions lists the prepositions between a section and its record: diseases for gene BRAF.
var prepositions = []string{"of", "for", "in"}

// switchFirst moves a switch that precedes the entity or the query behind the search command:
// count article x.
func switchFirst(l *Line) []result.Argv {
	search, i := l.group("search"), l.faultIndex()
	if search == nil || !l.atTopLevel() || i < 0 || i+1 >= len(l.Words) {
		return nil
	}
	members, n := l.membersNamed(search, l.Words[i+1]), 2
	if len(members) == 0 || i+n >= len(l.Words) { // count melanoma
		word := l.Fault.Word
		isName := l.isSection(word) || l.isEntity(word) || l.Tree.Member(l.group("get"), word) != nil
		if isName || len(members) > 0 && strings.HasPrefix(l.Words[i+1], members[0].Name()) {
			return nil
		}
		members, n = l.Tree.Commands(search)[:1], 1
	}
	n += countPrepositions(beforeFlags(l.Words[i+n:]))
	for _, c := range members {
		for f := range l.flags(c) {
			if f.Value.Type() == "bool" && command.IsFlag(f, l.Fault.Word) {
				return asList(append(l.replace(i, n, command.Path(c)...), "--"+f.Name))
			}
		}
	}
	return nil
}

// nameOrText passes words that are not a command to discover, as a name, or to the search of the
// first entity, as a query. It prefers discover for one word in capitals.
func nameOrText(l *Line) (lines []result.Argv) {
	i := l.faultIndex()
	words := beforeFlags(l.Words[max(0, i):])
	if i < 0 || len(words) == 0 || !l.atTopLevel() && l.Cmd.Name() != "get" && l.Cmd.Name() != "search" {
		return nil
	}
	text := strings.Join(words, " ")
	names := func(w string) bool {
		return w == "man" || slices.ContainsFunc(l.groups(), func(g *cobra.Command) bool {
			return g.Name() == w || l.atTopLevel() == (w == words[0]) && l.Tree.Member(g, w) != nil
		})
	}
	if slices.Contains(l.Words[:i], "help") || strings.Contains(foreignCommands, " "+text+" ") {
		return nil
	}
	if slices.ContainsFunc(words, names) || l.isSection(words[0]) {
		return nil
	}
	if l.misspellsCommand(words) {
		return nil
	}
	isID := func(w string) bool { return l.Tree.Owner(w) != "" || isNumber(w) }
	if len(text) >= 100 || !strings.ContainsFunc(text, unicode.IsLetter) || slices.ContainsFunc(words, isID) {
		return nil
	}
	start := l.groupIndex()
	asName := slices.Concat(l.Words[:start], []string{"discover", text}, l.Words[i+len(words):])
	asText := l.firstText(start, i)
	symbol := len(words) == 1 && text == strings.ToUpper(text)
	switch {
	case l.Cmd.Name() == "get", symbol && l.atTopLevel():
		return asList(asName)
	case symbol, len(words) == 1 && !strings.Contains(words[0], " ") && l.atTopLevel():
		return append(asText, asName)
	}
	return asText
}

// misspellsCommand reports whether the words are a single one in lower case that is nearly a command.
func (l *Line) misspellsCommand(words []string) bool {
	word := words[0]
	isNear := command.IsMisspelling(word, l.Fault.Near) || command.IsOneEdit(word, "help")
	return len(words) == 1 && l.atTopLevel() && word == strings.ToLower(word) && isNear
}

// foreignCommands lists commands of other programs, which are neither names nor queries.
const foreignCommands = " install login logout auth start stop exit quit run test api key web gui "

// firstText replaces the words from start up to at with the search of the first entity that
// takes a free-text query.
func (l *Line) firstText(start, at int) []result.Argv {
	search := l.group("search")
	if search == nil {
		return nil
	}
	for _, c := range l.Tree.Commands(search) {
		if def := l.Tree.Command(c); def.Args.FreeText {
			return asList(l.replace(start, at-start, command.Path(c)...))
		}
	}
	return nil
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// splitQuoted removes the quotes around a line that begins with a top-level command or with a word
// close to one: biomcp "serach article statins".
func splitQuoted(l *Line) []result.Argv {
	list := splitQuotedText(l.Fault.Word)
	if !l.atTopLevel() || l.faultIndex() < 0 || len(list) < 2 {
		return nil
	}
	c := l.Tree.Member(l.Tree.Root, command.Nearest(list[0], l.Tree.Members(command.Person, l.Tree.Root)))
	if c == nil {
		return nil
	}
	list[0] = c.Name()
	return asList(l.replace(l.faultIndex(), 1, list...))
}

// splitQuotedText returns the words of a quoted line. If a shell would act on a part of it, it returns the words of the
// first command alone.
func splitQuotedText(text string) []string {
	if !hasOperator(text) {
		return strings.Fields(text)
	}
	return words.Repair(text)
}

// hasOperator reports whether text has an operator on which a shell would act.
func hasOperator(text string) bool {
	_, err := words.Split(text)
	bad, rejected := errors.AsType[*words.Error](err)
	return rejected && bad.Kind == words.NotShell
}
