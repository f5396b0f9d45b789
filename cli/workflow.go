package cli

import (
	"slices"
	"sync"

	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/skills"
)

// form is what a command line asks for, whatever it asks about: the command, and the
// flags and sections that it names.
type form struct {
	command        string
	flags, section []string
}

// opening is a workflow and the form of its first command.
type opening struct {
	form
	workflow *result.Workflow
}

// openings are the worked examples that have a ladder, read once.
var openings struct {
	once sync.Once
	list []opening
}

func readOpenings() {
	for _, e := range skills.Catalogue() {
		if e.Ladder == nil {
			continue
		}
		w := &result.Workflow{Name: e.Ladder.Workflow}
		for _, s := range e.Ladder.Steps {
			line, err := words.Split(s.Command)
			if err != nil || len(line) < 2 {
				panic("a ladder's command cannot be split: " + s.Command) // it is part of the program
			}
			w.Ladder = append(w.Ladder, result.Rung{Command: line[1:], Gives: s.Gives})
		}
		first := parse(NewTree(), w.Ladder[0].Command, command.Agent)
		openings.list = append(openings.list, opening{first.form(), w})
	}
}

// form is that of a parsed line. The limit of a list is not a part of it, nor are
// the flags that every command has.
func (c *call) form() form {
	f := form{command: c.cmd.CommandPath()}
	c.cmd.Flags().Visit(func(flag *pflag.Flag) {
		if c.cmd.InheritedFlags().Lookup(flag.Name) == nil && flag.Name != "limit" {
			f.flags = append(f.flags, flag.Name)
		}
	})
	for _, s := range c.def().Sections {
		if slices.Contains(c.args, s.Name) {
			f.section = append(f.section, s.Name)
		}
	}
	return f
}

// startedBy is the workflow that a line is the first command of, nil where there is
// none: the one with the most flags and sections, all of which the line has.
func startedBy(c *call) (found *result.Workflow) {
	has := func(all, some []string) bool {
		return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
	}
	openings.once.Do(readOpenings)
	f, most := c.form(), -1
	for _, o := range openings.list {
		n := len(o.flags) + len(o.section)
		if o.command == f.command && has(f.flags, o.flags) && has(f.section, o.section) && n > most {
			found, most = o.workflow, n
		}
	}
	return found
}
