package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// maxDescription bounds the description of the MCP tool, in bytes.
const maxDescription = 6000

// maxValues is how long the list of a flag's values may be in the description. A
// longer one is named by --help and by the refusal of another value.
const maxValues = 24

// howTo is how the tool is used, and how with few tokens.
const howTo = `BioMCP: a read-only biomedical tool. One argument, command: a command line as below ("biomcp" in front is optional), split like a shell's, but without pipes, redirection, variables or several commands. Answers end with commands to try next. Retracted articles are always marked.

How to ask:
- Quote a query, a name or a title of several words.
- Markdown, the default, is about a third of JSON: set json to true, or write --json, only for a program.
- Dates are 2024, 2024-03 or 2024-03-15. Name several ids at once, then only the sections you need; all is every one.
- Lists take --limit and --offset, tables --csv or --tsv; ` + "`list <entity>`" + ` and --help explain sections and have rarer flags. Study commands take --study X.
`

// shortFlag is a flag with the value that it takes: a letter, or all that there are
// where they are few.
func shortFlag(f flagHelp) string {
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

// Description is the text by which an agent knows the MCP tool: the commands
// that it may run, from the tree alone.
func Description(tree *command.Tree) (string, error) {
	var text, commands, examples strings.Builder
	text.WriteString(howTo)
	family := ""
	for _, c := range leaves(tree, tree.Root, command.Agent) {
		name := "other"
		if path := command.Path(c); len(path) > 1 {
			name = path[0]
		}
		first := name != family
		if first {
			family = name
			fmt.Fprintf(&commands, "\n%s:\n", family)
		}
		e := explain(tree, c, command.Agent)
		does := e.Short
		if len(e.sections) > 0 {
			does, _, _ = strings.Cut(does, ":") // the sections say the rest
		}
		fmt.Fprintf(&commands, "- %s: %s.", strings.TrimPrefix(e.Usage, "biomcp "), does)
		var flags, sections []string
		for _, f := range e.Flags {
			if !f.rare {
				flags = append(flags, shortFlag(f))
			}
		}
		if len(flags) > 0 {
			fmt.Fprintf(&commands, " %s", strings.Join(flags, " "))
		}
		commands.WriteString("\n")
		for _, s := range e.sections {
			sections = append(sections, s.Name)
		}
		if len(sections) > 0 {
			fmt.Fprintf(&commands, "  Sections: %s\n", strings.Join(sections, ", "))
		}
		for _, x := range e.Examples {
			if x.Saves {
				fmt.Fprintf(&text, "- %s: `%s`.\n", strings.ToUpper(x.Does[:1])+x.Does[1:], x.Line)
			}
		}
		if example := e.Examples[0].Line; first && name != "other" {
			fmt.Fprintf(&examples, "- %s\n", example)
		}
	}
	text.WriteString(commands.String() + "\nExamples:\n" + examples.String() + "\nEvery command takes --help. Start with: biomcp suggest \"<question>\"\n")
	if text.Len() >= maxDescription {
		return "", fmt.Errorf("%d bytes, and it must be under %d", text.Len(), maxDescription)
	}
	return text.String(), nil
}

// ReferenceText is the command reference as `biomcp list` prints it to a pipe.
func ReferenceText(tree *command.Tree) string {
	text, _ := Answer(result.Outcome{Result: &result.Result{Payload: Reference(tree, "", command.Person)}}, false, 0)
	return text
}

// CommandTable is every command as a table of the README: what can be searched in a
// row each, with how it is read, and of another group one for the whole.
func CommandTable(tree *command.Tree) string {
	var s strings.Builder
	s.WriteString("| Command | What it does |\n| --- | --- |\n")
	row := func(line, does string) {
		fmt.Fprintf(&s, "| `%s` | %s |\n", strings.ReplaceAll(line, "|", `\|`), does) // a bar divides cells, in code too
	}
	for _, c := range tree.Commands(tree.Root) {
		all := leaves(tree, c, command.Person)
		if c.Name() == "get" { // those that can be searched have their row already
			all = slices.DeleteFunc(all, func(one *cobra.Command) bool { return twin(one, "search") != nil })
		}
		switch {
		case len(all) == 0:
		case c.Name() == "search":
			for _, one := range all {
				if read := twin(one, "get"); read != nil {
					row("search|get "+one.Name(), one.Short+". "+read.Short)
					continue
				}
				row("search "+one.Name(), one.Short)
			}
		case len(all) == 1:
			row(strings.TrimPrefix(usage(tree, all[0]), "biomcp "), all[0].Short)
		default:
			var names []string
			for _, one := range all {
				if one != c {
					names = append(names, one.Name())
				}
			}
			members := strings.Join(names, "|")
			if len(names) < len(all) {
				members = "[" + members + "]" // the group runs by itself
			}
			row(c.Name()+" "+members, c.Short)
		}
	}
	return s.String()
}

// twin is the command of another group for the same entity, nil where there is none.
func twin(c *cobra.Command, group string) *cobra.Command {
	found, _, err := c.Root().Find([]string{group, c.Name()})
	if err != nil || found.Name() != c.Name() {
		return nil
	}
	return found
}
