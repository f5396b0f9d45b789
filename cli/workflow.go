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

// opening is a workflow with the form and the subjects of its first command. exampleWords lists the
// words of the worked example that occur in its commands. playbook is the command that prints
// the whole example.
type opening struct {
	form
	subjects
	workflow     *result.Workflow
	exampleWords []string
	playbook     result.Argv
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
		w := &result.Workflow{Name: e.Ladder.Workflow,
			Steps: result.Map(e.Ladder.Steps, func(s skills.Step) result.WorkflowStep {
				return result.WorkflowStep{Command: typedArgs(s.Command), Description: s.Description}
			})}
		first := parse(NewTree(), w.Steps[0].Command, command.Agent)
		openings.list = append(openings.list,
			opening{first.form(), first.subjects(), w, e.Ladder.SpecificWords, typedArgs(e.Ladder.Playbook)})
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

// workflowFor returns the workflow with the subjects of another line. It drops steps that would still
// contain words of the worked example, and then adds the command that prints the whole example.
func (o opening) workflowFor(line subjects) *result.Workflow {
	substitutions, unchanged := o.substitutions(line)
	if unchanged {
		return o.workflow
	}
	w := &result.Workflow{Name: o.workflow.Name}
	for _, rung := range o.workflow.Steps {
		if command := o.substitute(rung.Command, substitutions); command != nil {
			w.Steps = append(w.Steps, result.WorkflowStep{Command: command, Description: rung.Description})
		}
	}
	if len(w.Steps) < len(o.workflow.Steps) {
		w.Steps = append(w.Steps, result.WorkflowStep{Command: o.playbook,
			Description: "all steps of the worked example, also those that need more words of yours"})
	}
	return w
}

// substitutions maps each subject of the opening to the subject of the line that replaces it. It
// also maps the members of a list, and the words of a name if the line's name has as many.
// unchanged reports whether the line has the subjects of the opening itself.
func (o opening) substitutions(line subjects) (words map[string][]string, unchanged bool) {
	words, unchanged = map[string][]string{}, true
	pair := func(original, replacements []string) {
		for i := range min(len(original), len(replacements)) {
			words[original[i]] = replacements[i : i+1]
		}
	}
	compare := func(original, replacements []string) {
		unchanged = unchanged && slices.Equal(original, replacements)
		originalWords := strings.Fields(strings.Join(original, " "))
		replacementWords := strings.Fields(strings.Join(replacements, " "))
		if len(originalWords) == len(replacementWords) {
			pair(originalWords, replacementWords) // such as BRAF in BRAF V600E
		}
		originalList, replacementList := strings.Join(original, ","), strings.Join(replacements, ",")
		pair(strings.Split(originalList, ","), strings.Split(replacementList, ","))
		pair([]string{originalList}, []string{replacementList})
		if len(original) == 1 {
			words[original[0]] = replacements
		}
	}
	compare(o.args, line.args)
	for name, values := range o.subjects.flags {
		compare(values, line.flags[name])
	}
	return words, unchanged
}

// substitute returns a command with its words replaced. It returns nil if a word of the worked
// example remains, or if a replacement would be read as a flag.
func (o opening) substitute(command result.Argv, words map[string][]string) (out result.Argv) {
	for i, word := range command {
		replacement := words[word]
		isFlagValue := i > 0 && strings.HasPrefix(command[i-1], "-")
		isInWord := func(exampleWord string) bool { return strings.Contains(word, exampleWord) }
		switch {
		case fits(replacement, isFlagValue):
			out = append(out, replacement...)
		case slices.ContainsFunc(o.exampleWords, isInWord):
			return nil
		default:
			out = append(out, word)
		}
	}
	return out
}

// fits reports whether the words of a replacement can be put into a command: none would be read
// as a flag, and the value of a flag stays one word.
func fits(replacement []string, isFlagValue bool) bool {
	if len(replacement) == 0 || len(replacement) > 1 && isFlagValue {
		return false
	}
	return !strings.HasPrefix(replacement[0], "-")
}

// workflowStartedBy returns the workflow whose first command has the form of the line, filled with the
// subjects of the line. If several match, it chooses the one with the most flags and sections.
// It returns nil if none matches.
func workflowStartedBy(c *call) *result.Workflow {
	var found opening
	contains := func(all, subset []string) bool {
		return !slices.ContainsFunc(subset, func(s string) bool { return !slices.Contains(all, s) })
	}
	openings.once.Do(readOpenings)
	f, best := c.form(), -1
	for _, o := range openings.list {
		n := len(o.form.flags) + len(o.section)
		if o.command == f.command && contains(f.flags, o.form.flags) && contains(f.section, o.section) && n > best {
			found, best = o, n
		}
	}
	if found.workflow == nil {
		return nil
	}
	return found.workflowFor(c.subjects())
}
