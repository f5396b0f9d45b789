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

// form is the shape of a command line regardless of its subject: the command, and the names of
// its flags and sections.
type form struct {
	command        string
	flags, section []string
}

// opening is a workflow with the form and the subjects of its first command. own lists the
// words of the worked example that occur in its commands. playbook is the command that prints
// the whole example.
type opening struct {
	form
	subjects
	workflow *result.Workflow
	own      []string
	playbook result.Argv
}

// subjects are the subjects of a command line: its arguments except sections, in order, and the
// values of its flags by name.
type subjects struct {
	args  []string
	flags map[string][]string
}

// openings lists the worked examples that have a ladder. It is filled on first use.
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

// typedArgs returns the words of a ladder's command after the program name.
func typedArgs(line string) result.Argv {
	all, err := words.Split(line)
	if err != nil || len(all) < 2 {
		panic("a ladder's command cannot be split: " + line) // ladders are embedded in the program
	}
	return all[1:]
}

// form returns the form of a parsed line. It ignores --limit and the flags that every command
// has.
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

// subjects returns the subjects of a parsed line.
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

// about returns the workflow with the subjects of another line. It drops steps that would still
// contain words of the worked example, and then adds the command that prints the whole example.
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

// words maps each subject of the opening to the subject of the line that replaces it. It also
// maps the members of a list, and the words of a name if the line's name has as many. same
// reports whether the line has the subjects of the opening itself.
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
			pair(own, theirs) // such as BRAF in BRAF V600E
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

// filled returns a command with its words replaced. It returns nil if a word of the worked
// example remains, or if a replacement would be read as a flag.
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

// startedBy returns the workflow whose first command has the form of the line, filled with the
// subjects of the line. If several match, it chooses the one with the most flags and sections.
// It returns nil if none matches.
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
