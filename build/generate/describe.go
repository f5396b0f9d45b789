package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"biomcp/cli"
	"biomcp/cli/command"
)

const (
	// bytesPerToken is the approximate length of a token of English text for any model.
	bytesPerToken = 4

	// maxDescription is the maximum length of the description of the MCP tool in bytes. The
	// lines of entities are shortened until the text fits, but not to less than maxLine
	// bytes each.
	maxDescription = 1100 * bytesPerToken
	maxLine        = 70

	// maxValues is the maximum length of the list of a flag's values in the description.
	// Longer lists are shown by --help and by the error for an invalid value.
	maxValues = 38
)

// grammar describes the syntax of command lines. The placeholder is for the exceptions to
// the flags of pages.
const grammar = `BioMCP: read-only biomedical evidence. "command" is one line as below, split like a shell's (quote 'c.1799T>A'); no pipes, redirection, variables or second command. Answers end with commands to try; retracted articles are marked.

Not sure? ` + "`biomcp suggest \"<question>\"` names the commands; `list <entity>`, `list study`" + ` and --help explain every section and flag.

- search <entity> [query] [filters]: find ids. Lists take --limit N and --offset N%s.
- get <entity> <id>... [section...]: read. Name several ids at once, and only the sections you need; all is every one.
- Dates are 2024, 2024-03 or 2024-03-15. Markdown is a third of JSON (--json). Charts: --chart-format png|svg.
`

// A line is a line of the description that can be shortened by dropping the last items.
type line struct {
	head  string
	lists []nameList
}

// nameList is a list of names with an optional label.
type nameList struct {
	label string
	names []string
}

// text returns the line in at most room bytes, but always with its complete head.
func (l line) text(room int) string {
	const cut = " …\n"
	text, separator := l.head, ": "
	for _, list := range l.lists {
		for i, name := range list.names {
			if i == 0 {
				name = list.label + name
			}
			if len(text)+len(separator)+len(name)+len(cut) > room {
				return text + cut
			}
			text, separator = text+separator+name, " "
		}
		if len(list.names) > 0 {
			separator = "; "
		}
	}
	return text + "\n"
}

// Description returns the description of the MCP tool for agents: a grammar, then a line for
// each entity, analysis and other command that an agent may run. It is derived only from the
// tree.
func Description(tree *command.Tree) string {
	var unpaged, examples []string
	var entities []line
	var others strings.Builder
	family, common := "", []string(nil)
	for _, c := range cli.Runnable(tree, tree.Root, command.Agent) {
		path := command.Path(c)
		for _, x := range tree.Command(c).Examples {
			if x.ReadsLess {
				does, words := strings.ToUpper(x.Explanation[:1])+x.Explanation[1:], strings.TrimPrefix(x.Line, "biomcp ")
				examples = append(examples, fmt.Sprintf("- %s: `%s`.\n", does, words))
			}
		}
		flags := tree.Flags(c)
		if path[0] == "search" && (flags.Lookup("limit") == nil || flags.Lookup("offset") == nil) {
			unpaged = append(unpaged, c.Name())
		}
		switch group := c.Parent(); {
		case path[0] == "search", path[0] == "get" && tree.Counterpart(c, "search") == nil:
			entities = append(entities, entityLine(tree, c))
		case path[0] == "get", inGrammar(c):
		case len(path) > 1 && tree.Command(group).SharedFlags != "":
			if family != path[0] {
				fmt.Fprintf(&others, "\n%s <%s> %s\n", path[0], tree.Command(group).Noun, tree.Command(group).SharedFlags)
				if common = commonFlags(tree, group); len(common) > 0 {
					fmt.Fprintf(&others, "- half take %s X\n", strings.Join(common, " X "))
				}
			}
			others.WriteString(commandLine(tree, c, path[0], common...))
			family = path[0]
		case len(path) > 1 && tree.Command(group).Run != nil && tree.Command(group).MayRead(): // part of the line of its group
		default:
			if family != "" || others.Len() == 0 {
				others.WriteString("\nother commands:\n")
			}
			others.WriteString(commandLine(tree, c, ""))
			family = ""
		}
	}
	text := fmt.Sprintf(grammar, exceptionClause(unpaged)) + strings.Join(examples, "") +
		"\nEntities with their id: sections that get adds; filters that search takes:\n"
	return text + fitLines(entities, maxDescription-len(text)-others.Len()) + others.String()
}

// inGrammar reports whether the grammar explains a top-level command.
func inGrammar(c *cobra.Command) bool {
	isNamed := strings.Contains(grammar, "`biomcp "+c.Name()+" ") || strings.Contains(grammar, "`"+c.Name()+" ")
	return len(command.Path(c)) == 1 && isNamed
}

// exceptionClause returns the end of a sentence with exceptions, or "".
func exceptionClause(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " (but " + strings.Join(names, ", ") + ")"
}

// fitLines returns lines in at most room bytes. It cuts all lines at the same length, which is
// at least maxLine.
func fitLines(lines []line, room int) string {
	whole := func(limit int) string {
		var text strings.Builder
		for _, l := range lines {
			text.WriteString(l.text(limit))
		}
		return text.String()
	}
	tooLong := sort.Search(maxDescription-maxLine, func(n int) bool { return len(whole(maxLine+n)) > room })
	return whole(maxLine + max(0, tooLong-1))
}

// entityLine returns the line of an entity. c is its search command, or its get command if it
// has no search.
func entityLine(tree *command.Tree, c *cobra.Command) line {
	search, get := c, tree.Counterpart(c, "get")
	if command.Path(c)[0] == "get" {
		search, get = nil, c
	}
	l := line{head: "- " + c.Name()}
	if get == nil || search == nil {
		l.head = "- " + strings.Join(command.Path(c), " ")
	}
	short := func(c *cobra.Command) {
		does, _, _ := strings.Cut(tree.Command(c).Short, ":")
		does, _, _ = strings.Cut(does, ", with")
		l.lists = append(l.lists, nameList{"", strings.Fields(does)})
	}
	if get != nil {
		_, id, _ := strings.Cut(get.Use, " ")
		l.head += " " + strings.TrimSuffix(strings.TrimSuffix(id, " [section...]"), "...")
		var sections []string
		for _, s := range tree.Command(get).Sections {
			sections = append(sections, s.Name)
		}
		l.lists = append(l.lists, nameList{"", sections})
		if len(sections) == 0 {
			short(get)
		}
	}
	if search != nil {
		if get == nil {
			short(search)
		}
		l.lists = append(l.lists, nameList{"", shownFlags(tree, search)})
	}
	if get != nil {
		l.lists = append(l.lists, nameList{"get: ", shownFlags(tree, get)})
	}
	return l
}

// commonFlags returns the names of the flags that at least half of the members of a group show.
func commonFlags(tree *command.Tree, group *cobra.Command) (names []string) {
	members, n := map[string]int{}, 0
	for _, c := range cli.Runnable(tree, group, command.Agent) {
		n++
		for _, flag := range shownFlags(tree, c) {
			name, _, _ := strings.Cut(flag, " ")
			if members[name]++; members[name] == 1 {
				names = append(names, name)
			}
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return 2*members[name] < n })
}

// commandLine returns the line of another command, including its members if it is a group. It leaves
// out the flags that the line of its family names.
func commandLine(tree *command.Tree, c *cobra.Command, family string, common ...string) string {
	e := cli.Explain(tree, c, command.Agent)
	usage := e.Usage
	if tree.Command(c).ReadOnlySwitch == "" { // the flags follow
		for _, flags := range []string{" --", " [--", " [filters]"} {
			usage, _, _ = strings.Cut(usage, flags)
		}
	}
	line := "- " + strings.TrimPrefix(strings.TrimPrefix(usage, "biomcp "), family+" ")
	for _, member := range e.Commands {
		line += ", " + member.Name
	}
	does := e.Short
	if len(e.Commands) > 0 {
		does, _, _ = strings.Cut(does, ":")
	}
	line += ": " + does + "."
	own := slices.DeleteFunc(shownFlags(tree, c), func(flag string) bool {
		name, _, _ := strings.Cut(flag, " ")
		return slices.Contains(common, name)
	})
	return strings.Join(append([]string{line}, own...), " ") + "\n"
}

// shownFlags returns the flags of a command that the description shows.
func shownFlags(tree *command.Tree, c *cobra.Command) (names []string) {
	for _, f := range cli.Explain(tree, c, command.Agent).Flags {
		if !f.Rare {
			names = append(names, shortFlag(f))
		}
	}
	return names
}

// shortFlag returns a flag with its value: a letter, or all allowed values if their list is
// short.
func shortFlag(f cli.FlagHelp) string {
	name, value, takes := strings.Cut(f.Flag[strings.Index(f.Flag, "--"):], " ")
	switch {
	case !takes:
		return name
	case value == "<n>":
		return name + " N"
	case value == "<text>", len(value) > maxValues:
		return name + " X"
	}
	return name + " " + value
}
