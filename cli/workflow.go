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

// opening is a workflow and the form of its first command, the words of the worked example
// in its commands, and the command that prints all of the example.
type opening struct {
	form
	subjects
	workflow *result.Workflow
	own      []string
	playbook result.Argv
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
		w := &result.Workflow{Name: e.Ladder.Workflow, Ladder: result.Map(e.Ladder.Steps, func(s skills.Step) result.Rung {
			return result.Rung{Command: typedArgs(s.Command), Gives: s.Gives}
		})}
		first := parse(NewTree(), w.Ladder[0].Command, command.Agent)
		openings.list = append(openings.list, opening{first.form(), first.subjects(), w, e.Ladder.About, typedArgs(e.Ladder.Playbook)})
	}
}

// typedArgs are the words of a ladder's command after the program's name.
func typedArgs(line string) result.Argv {
	all, err := words.Split(line)
	if err != nil || len(all) < 2 {
		panic("a ladder's command cannot be split: " + line) // it is part of the program
	}
	return all[1:]
}

// form returns the form of a parsed line. The limit of a list is not a part of it, nor are
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
// words of that. Steps that have words of the worked example still are left out, and the
// command that prints all of it comes last.
func (o opening) about(line subjects) *result.Workflow {
	words, same := o.words(line)
	if same {
		return o.workflow
	}
	w := &result.Workflow{Name: o.workflow.Name}
	for _, rung := range o.workflow.Ladder {
		if own := o.filled(rung.Command, words); own != nil {
			w.Ladder = append(w.Ladder, result.Rung{Command: own, Gives: rung.Gives})
		}
	}
	if len(w.Ladder) < len(o.workflow.Ladder) {
		w.Ladder = append(w.Ladder, result.Rung{Command: o.playbook, Gives: "all steps of the worked example, also those that need more words of yours"})
	}
	return w
}

// words are what another line has in the place of each word of the opening: one, or
// several arguments for one; and in the place of each member of a list, and of each word of a
// name that has as many. same says that the line is about what the opening is about.
func (o opening) words(line subjects) (words map[string][]string, same bool) {
	words, same = map[string][]string{}, true
	pair := func(own, theirs []string) {
		for i := range min(len(own), len(theirs)) {
			words[own[i]] = theirs[i : i+1]
		}
	}
	both := func(own, theirs []string) {
		same = same && slices.Equal(own, theirs)
		if own, theirs := strings.Fields(strings.Join(own, " ")), strings.Fields(strings.Join(theirs, " ")); len(own) == len(theirs) {
			pair(own, theirs) // BRAF of BRAF V600E
		}
		list, theirList := strings.Join(own, ","), strings.Join(theirs, ",")
		pair(strings.Split(list, ","), strings.Split(theirList, ","))
		pair([]string{list}, []string{theirList})
		if len(own) == 1 {
			words[own[0]] = theirs
		}
	}
	both(o.args, line.args)
	for name, values := range o.subjects.flags {
		both(values, line.flags[name])
	}
	return words, same
}

// filled is a command with other words, nil if one of the worked example's stays, or
// would be read as a flag.
func (o opening) filled(command result.Argv, words map[string][]string) (out result.Argv) {
	for i, word := range command {
		by, known := words[word]
		switch {
		case known && (len(by) == 1 || len(by) > 1 && !strings.HasPrefix(command[i-1], "-")) && !strings.HasPrefix(by[0], "-"):
			out = append(out, by...)
		case slices.ContainsFunc(o.own, func(own string) bool { return strings.Contains(word, own) }):
			return nil
		default:
			out = append(out, word)
		}
	}
	return out
}

// startedBy is the workflow that a line is the first command of, for what the line is
// about; nil if there is none: the one with the most flags and sections, all of which
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
