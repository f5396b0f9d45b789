package cli

import (
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// firstScreen is the answer to the program name alone, in at most 40 lines of 80 columns: the
// grammar, the commands grouped by purpose, examples, and pointers to more help.
type firstScreen struct {
	Explanation
	parts map[command.Purpose][][]string
}

// maxDescription is the maximum length of a command description that fits on one line.
const maxDescription = 58

// firstScreenOf builds the first screen from the commands that the caller may run.
func firstScreenOf(tree *command.Tree, policy command.Policy) firstScreen {
	s := firstScreen{Explanation: Explain(tree, tree.Root, policy), parts: map[command.Purpose][][]string{}}
	for _, c := range tree.Commands(tree.Root) {
		def := tree.Command(c)
		if len(Runnable(tree, c, policy)) == 0 {
			continue
		}
		short := def.Short
		if i := strings.IndexAny(short, ":;,"); len(short) > maxDescription && i > 0 {
			short = short[:i]
		}
		if c.Name() == "search" {
			var names []string
			for _, entity := range tree.Commands(c) {
				names = append(names, entity.Name())
			}
			short += ": " + strings.Join(names, ", ")
		}
		s.parts[def.Purpose] = append(s.parts[def.Purpose], []string{c.Name(), short, string(def.Purpose)})
	}
	return s
}

func (s firstScreen) Doc() result.Doc {
	commands := result.Table{Columns: result.Columns("Command", "What it does", "To")}
	for _, p := range command.Purposes {
		commands.Rows = append(commands.Rows, s.parts[p]...)
	}
	examples := result.Map(s.Examples, func(x command.Example) string { return x.Line })
	short, _, _ := strings.Cut(s.Short, ",")
	return result.Doc{
		result.Heading{Level: 1, Text: "biomcp: " + strings.ToLower(short[:1]) + short[1:]},
		result.Fence{Text: "biomcp search <entity> [query] [filters]\nbiomcp get <entity> <id>... [section...]"},
		commands,
		result.Heading{Level: 2, Text: "Examples"},
		result.Fence{Text: strings.Join(examples, "\n")},
		result.Para{Text: "biomcp list shows every entity with its sections, biomcp <command> --help the flags of a " +
			"command. --json makes any answer one JSON document."},
	}
}
