package cli

import (
	"slices"
	"strings"
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
	subjects
	workflow *result.Workflow
}

// subjects are what a line is about: its arguments other than sections, in their order,
// and the values of the flags that it has, by name.
type subjects struct {
	args  []string
	flags map[string][]string
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
		openings.list = append(openings.list, opening{first.form(), first.subjects(), w})
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

func (c *call) subjects() subjects {
	s := subjects{flags: map[string][]string{}}
	for _, name := range c.form().flags {
		value := c.cmd.Flag(name).Value
		if list, is := value.(pflag.SliceValue); is {
			s.flags[name] = list.GetSlice()
		} else {
			s.flags[name] = []string{value.String()}
		}
	}
	for _, w := range c.args {
		if !slices.ContainsFunc(c.def().Sections, func(s command.Section) bool { return s.Name == w }) {
			s.args = append(s.args, w)
		}
	}
	return s
}

// about is the opening's workflow for what another line is about: its commands with the
// words of that. Those without such words are the worked example's, which they say.
func (o opening) about(line subjects) *result.Workflow {
	words, other := map[string]string{}, false
	pair := func(own, theirs []string) {
		other = other || !slices.Equal(own, theirs)
		if len(own) == len(theirs) {
			for i, word := range own {
				words[word] = theirs[i]
			}
		}
	}
	pair(o.args, line.args)
	for name, values := range o.subjects.flags {
		pair(values, line.flags[name])
	}
	w := &result.Workflow{Name: o.workflow.Name}
	for _, rung := range o.workflow.Ladder {
		own, changed := slices.Clone(rung.Command), false
		for i, word := range own {
			if by := words[word]; by != "" && !strings.HasPrefix(by, "-") {
				own[i], changed = by, true
			}
		}
		if other && !changed {
			rung.Gives = "for the worked example: " + rung.Gives
		}
		w.Ladder = append(w.Ladder, result.Rung{Command: own, Gives: rung.Gives})
	}
	return w
}

// startedBy is the workflow that a line is the first command of, for what the line is
// about; nil where there is none: the one with the most flags and sections, all of which
// the line has.
func startedBy(c *call) *result.Workflow {
	var found opening
	has := func(all, some []string) bool {
		return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
	}
	openings.once.Do(readOpenings)
	f, most := c.form(), -1
	for _, o := range openings.list {
		n := len(o.form.flags) + len(o.section)
		if o.command == f.command && has(f.flags, o.form.flags) && has(f.section, o.section) && n > most {
			found, most = o, n
		}
	}
	if found.workflow == nil {
		return nil
	}
	return found.about(c.subjects())
}
