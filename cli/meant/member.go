package meant

import (
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// named returns the members of a group that a word is another word for.
func (l *Line) named(group *cobra.Command, word string) (members []*cobra.Command) {
	for _, c := range l.Tree.Commands(group) {
		if def := l.Tree.Def(c); def != nil && command.Is(word, c.Name(), def.Also) {
			members = append(members, c)
		}
	}
	return members
}

// groups returns the groups that may be run, in the order of the tree.
func (l *Line) groups() (groups []*cobra.Command) {
	for _, c := range l.Tree.Commands(l.Tree.Root) {
		if def := l.Tree.Def(c); def != nil && len(def.Commands) > 0 && (l.May == command.Person || l.Tree.ReadOnly(c)) {
			groups = append(groups, c)
		}
	}
	return groups
}

// group is a group by its name, or nil.
func (l *Line) group(name string) *cobra.Command { return l.Tree.Member(l.Tree.Root, name) }

// top reports whether the word at fault stands where the first word of a command is.
func (l *Line) top() bool { return l.Cmd == l.Tree.Root }

// start is the place of the group that the word at fault is to be in, at the top that of the word.
func (l *Line) start() int {
	if l.top() {
		return l.at()
	}
	return slices.Index(l.Words, l.Cmd.Name())
}

// memberAlso puts a command's name in the place of another word for it. The last word of a
// line may be what is searched for instead: search cancer.
func memberAlso(l *Line) (lines []result.Argv) {
	if _, entities := l.record(); len(entities) == 1 && (l.top() || slices.Contains(belonging, l.Words[l.at()+1])) {
		if lines = sectionFirst(l); lines != nil { // export article 32051057, get diseases for gene BRAF
			return lines
		}
	}
	for _, c := range l.named(l.Cmd, l.Fault.Word) {
		line := l.replaced(l.at(), 1, c.Name())
		if rest := strings.Join(l.Words[l.at()+1:], ""); l.Tree.Def(c).Args.FreeText && !l.top() && (rest == "" || rest == "--json") {
			if command.Is(l.Fault.Word, c.Name(), nil) { // search drugs
				return one(line)
			}
			lines = append(lines, append(slices.Clone(line), l.Fault.Word), append(line, "--help"))
		} else {
			lines = append(lines, line)
		}
	}
	return lines
}

// joinedName reads two words as one name: clinical trials, mcp config.
func joinedName(l *Line) (lines []result.Argv) {
	i := l.at()
	if i < 0 || i+1 >= len(l.Words) || isFlag(l.Words[i+1]) {
		return nil
	}
	for _, c := range l.named(l.Cmd, l.Words[i]+"-"+l.Words[i+1]) {
		lines = append(lines, l.replaced(i, 2, c.Name()))
	}
	return lines
}

// isEntity reports whether a word means an entity.
func (l *Line) isEntity(word string) bool {
	return l.group("search") != nil && len(l.named(l.group("search"), word)) > 0
}

// entityFirst puts the words of a line in order that begins with its entity: gene search
// kinase, gtr sync, gene articles BRAF.
func entityFirst(l *Line) []result.Argv {
	i := l.at()
	word := l.Fault.Word
	var verb string
	var before, rest []string
	switch {
	case i >= 0 && l.top() && i+1 < len(l.Words):
		verb, before, rest = l.Words[i+1], l.Words[:i], l.Words[i+2:]
	case i > 0 && !l.top():
		word, verb, before, rest = l.Cmd.Name(), word, l.Words[:i-1], l.Words[i+1:]
	default:
		return nil
	}
	for _, g := range l.groups() {
		def := l.Tree.Def(g)
		for _, c := range l.named(g, word) {
			if command.Is(verb, g.Name(), def.Also) {
				return one(slices.Concat(before, command.Path(c), rest))
			}
		}
	}
	get := l.group("get")
	if get == nil || !l.top() {
		return nil
	}
	for _, c := range l.named(get, word) {
		if slices.ContainsFunc(l.Tree.Def(c).Sections, func(s command.Section) bool { return s.Name == verb }) {
			return one(slices.Concat(before, command.Path(c), rest, []string{verb}))
		}
	}
	return nil
}

// otherGroup puts search in the place of get, or get in that of search, where the other
// one has the entity.
func otherGroup(l *Line) []result.Argv {
	if g := l.group(map[string]string{"get": "search", "search": "get"}[l.Cmd.Name()]); g != nil {
		return l.from(g)
	}
	return nil
}

// withoutGroup leaves out a group before a command of its own: get study brca_tcga, study demo.
func withoutGroup(l *Line) []result.Argv { return l.from(l.Tree.Root) }

// from puts commands of another group that the word at fault names in the place of the group
// and the word.
func (l *Line) from(group *cobra.Command) (lines []result.Argv) {
	i := l.at()
	if i < 1 || l.top() {
		return nil
	}
	for _, c := range l.named(group, l.Fault.Word) {
		lines = append(lines, l.replaced(l.start(), i-l.start()+1, command.Path(c)...))
	}
	return lines
}

// ofEntity puts the group before the name of a member: get where an id follows the name
// of an entity, or one word that may be one, else search.
func ofEntity(l *Line) (lines []result.Argv) {
	if !l.top() {
		return nil
	}
	i := l.at()
	after, several := beforeFlags(l.Words[i+1:]), strings.HasSuffix(strings.ToLower(l.Fault.Word), "s")
	var search, others []result.Argv
	for _, g := range l.groups() {
		for _, c := range l.named(g, l.Fault.Word) {
			def := l.Tree.Def(c)
			exact := strings.EqualFold(c.Name(), l.Fault.Word)
			line := l.replaced(i, 1, command.Path(c)...)
			if def.Args.FreeText {
				line = l.replaced(i, 1+joins(after), command.Path(c)...) // papers on CAR-T
			}
			switch {
			case def.Run == nil:
			case reads(def, after, several && !exact):
				return one(line)
			case def.Args.Max == 0 && (def.Effect == command.Reads || len(after) == 0):
				others = append(others, line)
			case g.Name() == "get" && search == nil && len(after) > 0:
				others = append(others, line)
			case !def.Args.FreeText && g.Name() != "get" && g.Name() != "search" && l.anyID(after) && sectionFirst(l) == nil:
				others = append(others, line)
			case def.Effect == command.Stores && len(after) > 1 && l.isEntity(after[0]): // download papers on CAR-T
				return one(l.replaced(i, 2+joins(after[1:]), "search", l.named(l.group("search"), after[0])[0].Name()))
			case def.Effect == command.Stores && !l.anyID(after):
				others = append(others, append(command.Path(c), "--help"))
			case !def.Args.FreeText || search != nil:
			case len(after) == 0:
				search = []result.Argv{line, l.replaced(i, 1, append(command.Path(c), "--help")...)}
			default:
				search = one(line)
			}
		}
	}
	if search != nil {
		return search
	}
	return others
}

// joins is 1 where words begin with one that joins them to what stands before: on CAR-T.
func joins(words []string) int {
	if len(words) > 1 && slices.Contains([]string{"on", "of", "in", "for", "about"}, words[0]) {
		return 1
	}
	return 0
}

// anyID reports whether one of some words is an id of the first entity that is read.
func (l *Line) anyID(words []string) bool {
	get := l.group("get")
	if get == nil {
		return false
	}
	first := l.Tree.Def(l.Tree.Commands(get)[0])
	return first.IsID != nil && slices.ContainsFunc(words, first.IsID)
}

// reads reports whether words are an id of a command's: by its form or, after the name
// of one entity, any single word that it accepts.
func reads(def *command.Command, words []string, several bool) bool {
	switch {
	case len(words) == 0:
		return false
	case def.Owns != nil && slices.ContainsFunc(firstIDs(words), def.Owns):
		return true
	case def.IsID != nil:
		return def.IsID(words[0]) && (!several || strings.Trim(words[0], "0123456789") == "")
	}
	section := func(w string) bool {
		return slices.ContainsFunc(def.Sections, func(s command.Section) bool { return command.Is(w, s.Name, s.Also) })
	}
	return len(def.Sections) > 0 && !several && !strings.Contains(words[0], " ") && (len(words) == 1 || section(words[1]))
}

// firstIDs are the ids that words may begin with: of one word or of two, as BRAF V600E.
func firstIDs(words []string) []string {
	ids := []string{words[0]}
	if words = beforeFlags(words); len(words) > 1 {
		ids = append(ids, words[0]+" "+words[1])
	}
	return ids
}

// mistypedMember puts the nearest name in the place of a word.
func mistypedMember(l *Line) []result.Argv {
	if near := l.nearest(); near != "" {
		return one(l.replaced(l.at(), 1, near))
	}
	return nil
}

// nearest is the member of the group whose name is like the word at fault or, at the top, the
// member of one of the groups; "" if none is.
func (l *Line) nearest() string {
	near := command.Nearest(l.Fault.Word, l.Tree.Members(command.Person, l.Cmd))
	if c := l.Tree.Member(l.Cmd, near); l.top() && c != nil && !command.OneSlip(l.Fault.Word, near) && l.at()+1 < len(l.Words) {
		if def := l.Tree.Def(c); len(def.Commands) == 0 && !def.Args.FreeText && !isFlag(l.Words[l.at()+1]) {
			near = "" // heart attack
		}
	}
	for _, g := range l.groups() {
		for _, c := range l.Tree.Commands(g) {
			if near == "" && l.top() && command.OneSlip(l.Fault.Word, c.Name()) {
				near = c.Name()
			}
		}
	}
	return near
}

// helpOfMistyped is the help of the member that a word is like, where what follows is
// refused too and cannot be mended: search artcle x, serach article.
func helpOfMistyped(l *Line) []result.Argv {
	member := l.Tree.Member(l.Cmd, l.nearest())
	if member != nil && l.top() {
		member = l.Tree.Member(member, slices.Concat(l.Words[l.at()+1:], []string{""})[0])
	}
	if member == nil {
		return nil
	}
	return one(append(command.Path(member), "--help"))
}

// belonging are the words between what is asked for and the record that has it.
var belonging = []string{"of", "for", "in"}

// switchFirst reads a switch before what is searched for as one of that search: count article x.
func switchFirst(l *Line) []result.Argv {
	search, i := l.group("search"), l.at()
	if search == nil || !l.top() || i < 0 || i+1 >= len(l.Words) {
		return nil
	}
	members, n := l.named(search, l.Words[i+1]), 2
	if len(members) == 0 || i+n >= len(l.Words) { // count melanoma
		if l.isSection(l.Fault.Word) || len(l.named(search, l.Fault.Word)) > 0 || l.Tree.Member(l.group("get"), l.Fault.Word) != nil || len(members) > 0 && strings.HasPrefix(l.Words[i+1], members[0].Name()) {
			return nil
		}
		members, n = l.Tree.Commands(search)[:1], 1
	}
	for _, c := range members {
		for f := range l.flags(c) {
			if f.Value.Type() == "bool" && command.IsFlag(f, l.Fault.Word) {
				return one(append(l.replaced(i, n, command.Path(c)...), "--"+f.Name))
			}
		}
	}
	return nil
}

// nameOrText reads words that are no command as a name, which discover knows, or as the
// query of the first entity. A short name in capitals is rather a name.
func nameOrText(l *Line) (lines []result.Argv) {
	i := l.at()
	words := beforeFlags(l.Words[max(0, i):])
	if i < 0 || len(words) == 0 || !l.top() && l.Cmd.Name() != "get" && l.Cmd.Name() != "search" {
		return nil
	}
	text := strings.Join(words, " ")
	names := func(w string) bool {
		return w == "man" || slices.ContainsFunc(l.groups(), func(g *cobra.Command) bool {
			return g.Name() == w || l.top() == (w == words[0]) && l.Tree.Member(g, w) != nil
		})
	}
	if slices.Contains(l.Words[:i], "help") || strings.Contains(ofOtherPrograms, " "+text+" ") || slices.ContainsFunc(words, names) || l.isSection(words[0]) {
		return nil
	}
	if len(text) >= 100 || !strings.ContainsFunc(text, unicode.IsLetter) || slices.ContainsFunc(words, func(w string) bool { return l.Tree.Owner(w) != "" || isNumber(w) }) {
		return nil
	}
	start := l.start()
	asName := slices.Concat(l.Words[:start], []string{"discover", text}, l.Words[i+len(words):])
	asText := l.firstText(start, i)
	symbol := len(words) == 1 && text == strings.ToUpper(text)
	switch {
	case l.Cmd.Name() == "get", symbol && l.top():
		return one(asName)
	case symbol, len(words) == 1 && !strings.Contains(words[0], " ") && l.top():
		return append(asText, asName)
	}
	return asText
}

// ofOtherPrograms are words that are commands of other programs, and names of nothing.
const ofOtherPrograms = " install login logout auth start stop exit quit run test api key web gui "

// firstText is the line that searches the first entity for the words from a place on.
func (l *Line) firstText(start, at int) []result.Argv {
	search := l.group("search")
	if search == nil {
		return nil
	}
	for _, c := range l.Tree.Commands(search) {
		if def := l.Tree.Def(c); def.Args.FreeText {
			return one(l.replaced(start, at-start, command.Path(c)...))
		}
	}
	return nil
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }
