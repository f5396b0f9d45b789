package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// Explanation is the answer to --help.
type Explanation struct {
	Command   string            `json:"command"`
	Usage     string            `json:"usage"`
	Short     string            `json:"short"`
	About     string            `json:"about"`
	Input     string            `json:"input"`
	Output    string            `json:"output"`
	Surprises string            `json:"surprises"`
	Commands  []subcommand      `json:"commands"`
	Flags     []FlagHelp        `json:"flags"`
	Examples  []command.Example `json:"examples"`

	sections []command.Section
}

type subcommand struct {
	Name   string         `json:"name"`
	Usage  string         `json:"usage"`
	Short  string         `json:"short"`
	Effect command.Effect `json:"effect"`
}

// FlagHelp is a flag in the answer to --help.
type FlagHelp struct {
	Flag    string `json:"flag"`
	Default string `json:"default"`
	Does    string `json:"does"`
	// Group is the heading under which help shows the flag, or "".
	Group      command.FlagGroup `json:"group"`
	Repeatable bool              `json:"repeatable"`

	Rare bool `json:"-"` // omitted from the description of the MCP tool
}

// Explain returns the help of a command or group, derived from its declaration. For an agent it
// contains only commands and flags that an agent may use.
func Explain(tree *command.Tree, cmd *cobra.Command, policy command.Policy) Explanation {
	def := tree.Command(cmd)
	e := Explanation{
		Command:   strings.TrimSpace("biomcp " + strings.Join(command.Path(cmd), " ")),
		Usage:     usage(tree, cmd),
		Short:     def.Short,
		About:     def.Help.Purpose,
		Input:     def.Help.Input,
		Output:    def.Help.Output,
		Surprises: def.Help.Surprises,
		Examples:  def.Examples,
		sections:  def.Sections,
	}
	if policy == command.Agent {
		e.Examples = slices.DeleteFunc(slices.Clone(e.Examples), func(x command.Example) bool {
			return slices.ContainsFunc(strings.Fields(x.Line), isHostOnly(tree.Flags(cmd)))
		})
	}
	for _, c := range Runnable(tree, cmd, policy) {
		if c != cmd {
			one := Explain(tree, c, policy)
			e.Commands = append(e.Commands, subcommand{Name: strings.Join(command.Path(c), " "), Usage: one.Usage,
				Short: one.Short, Effect: tree.Command(c).Effect})
		}
	}
	if policy == command.Agent && def.ReadOnlySwitch != "" { // an agent may use only this form of the command
		does := tree.Flags(cmd).Lookup(def.ReadOnlySwitch).Usage
		e.Usage = e.Command + " --" + def.ReadOnlySwitch
		e.Short, e.About, e.Input, e.Output, e.Surprises = strings.ToUpper(does[:1])+does[1:], "", "", "", ""
		e.Examples = []command.Example{{Line: e.Usage, Explanation: e.Short}}
		return e
	}
	tree.Flags(cmd).VisitAll(func(f *pflag.Flag) {
		inherited := cmd.InheritedFlags().Lookup(f.Name) != nil
		allowed := policy == command.Person || !command.IsHostOnly(f)
		if !f.Hidden && !inherited && allowed {
			e.Flags = append(e.Flags, describe(f))
		}
	})
	return e
}

// usage returns the command line of cmd with placeholders for its arguments.
func usage(tree *command.Tree, cmd *cobra.Command) string {
	path := command.Path(cmd)
	if len(path) == 0 {
		return "biomcp <command>"
	}
	_, places, _ := strings.Cut(cmd.Use, " ")
	line := "biomcp " + strings.Join(path, " ")
	if places != "" {
		line += " " + places
	}
	if tree.Command(cmd).Run == nil {
		line += " <" + tree.Command(cmd).Noun + ">"
	}
	return line
}

// maxUsage is the maximum length of a line of usage.
const maxUsage = 76

// usageLines returns a usage with its alternatives, and the parts of a long line, on lines of their own.
func usageLines(usage string) string {
	const indent = "\n    "
	lines := strings.Split(strings.ReplaceAll(usage, " | ", " |"+indent), "\n")
	for i, l := range lines {
		if at := strings.LastIndex(l[:min(len(l), maxUsage)], " --"); len(l) > maxUsage && at > 0 {
			lines[i] = l[:at] + indent + l[at+1:]
		}
	}
	return strings.Join(lines, "\n")
}

// describe returns the help of one flag, with a placeholder for its value.
func describe(f *pflag.Flag) FlagHelp {
	value, usage := pflag.UnquoteUsage(f) // the usage may name the value in back quotes
	h := FlagHelp{Flag: "--" + f.Name, Default: f.DefValue, Does: usage, Group: command.GroupOf(f),
		Rare: command.IsRare(f)}
	if f.Shorthand != "" {
		h.Flag = "-" + f.Shorthand + ", " + h.Flag
	}
	switch f.Value.Type() {
	case "bool", "count":
	case "stringArray":
		h.Flag, h.Repeatable = h.Flag+" <"+strings.Replace(value, "stringArray", "text", 1)+">", true
	case "string":
		h.Flag += " <" + strings.Replace(value, "string", "text", 1) + ">"
	case "int":
		h.Flag += " <n>"
	case "float64":
		h.Flag += " <x>"
	default:
		h.Flag += " <" + f.Value.Type() + ">"
	}
	switch h.Default {
	case "false", "[]", "0":
		h.Default = ""
	}
	return h
}

// isHostOnly returns a function that reports whether a word is a flag that only a person may
// use.
func isHostOnly(flags *pflag.FlagSet) func(word string) bool {
	return func(word string) bool {
		var f *pflag.Flag
		if name, long := strings.CutPrefix(word, "--"); long {
			f = flags.Lookup(name)
		} else if len(word) == 2 && word[0] == '-' {
			f = flags.ShorthandLookup(word[1:])
		}
		return f != nil && command.IsHostOnly(f)
	}
}

// Runnable returns the commands at or below cmd that the caller may run, in tree order.
func Runnable(tree *command.Tree, cmd *cobra.Command, policy command.Policy) []*cobra.Command {
	def := tree.Command(cmd)
	if def == nil {
		return nil
	}
	var all []*cobra.Command
	if def.Run != nil && (policy == command.Person || def.MayRead()) {
		all = append(all, cmd)
	}
	for _, c := range tree.Commands(cmd) {
		all = append(all, Runnable(tree, c, policy)...)
	}
	return all
}

// parts returns the parts of the help that every command may have, with their titles.
func (e Explanation) parts() []helpPart {
	return []helpPart{{"Input", e.Input}, {"Output", e.Output}, {"Surprises", e.Surprises}}
}

type helpPart struct{ title, text string }

// block lays out the text: a paragraph, or a list if it has several lines.
func (p helpPart) block() result.Block {
	if facts := strings.Split(p.text, "\n"); len(facts) > 1 {
		return result.List{Items: facts}
	}
	return result.Para{Text: p.text}
}

// Doc lays out the help: the purpose of the command, then Input, Output, Surprises, flags and
// examples.
func (e Explanation) Doc() result.Doc {
	doc := result.Doc{
		result.Heading{Level: 1, Text: e.Command},
		result.Para{Text: e.Short + "."},
		result.Fence{Text: usageLines(e.Usage)},
	}
	if e.About != "" {
		doc = append(doc, result.Para{Text: e.About})
	}
	for _, part := range e.parts() {
		if part.text != "" {
			doc = append(doc, result.Heading{Level: 2, Text: part.title}, part.block())
		}
	}
	if len(e.Commands) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "Commands"},
			result.Table{Terms: true, Columns: result.Columns("Command", "What it does"),
				Rows: result.Map(e.Commands, func(c subcommand) []string {
					return []string{c.Name, c.Short}
				})})
	}
	doc = append(doc, e.flagGroups()...)
	if len(e.Examples) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "Examples"})
		for _, x := range e.Examples {
			doc = append(doc, result.Para{Text: strings.ToUpper(x.Explanation[:1]) + x.Explanation[1:] + ":"},
				result.Fence{Text: x.Line})
		}
	}
	return doc
}

// flagGroups lays out the flags with a heading for each group.
func (e Explanation) flagGroups() (doc result.Doc) {
	for _, group := range command.FlagGroups {
		members := slices.DeleteFunc(slices.Clone(e.Flags), func(f FlagHelp) bool { return f.Group != group })
		if len(members) == 0 {
			continue
		}
		title := "Flags"
		if group != "" && len(members) < len(e.Flags) {
			title += ": " + string(group)
		}
		doc = append(doc, result.Heading{Level: 2, Text: title},
			result.Table{
				Terms: true, Rows: result.Map(members, FlagHelp.row),
				Columns: []result.Column{{Name: "Flag", Code: true}, {Name: "What it does"}},
			})
	}
	if slices.ContainsFunc(e.Flags, func(f FlagHelp) bool { return f.Repeatable && f.Group == command.SubjectFlags }) {
		doc = append(doc, result.Para{Text: "A flag with ... can be repeated: all its values must hold, unless it says any."})
	}
	return doc
}

// maxLabel is the maximum length of a flag whose placeholder lists the values.
const maxLabel = 28

// row returns the flag with its placeholder, and what it does. A long list of values stands there, too.
func (f FlagHelp) row() []string {
	label, does := f.Flag, f.Does
	head, values, listed := strings.Cut(strings.TrimSuffix(f.Flag, ">"), " <")
	separator := "|"
	if !strings.Contains(values, separator) {
		separator = ","
	}
	if listed && len(label) > maxLabel && strings.Contains(values, separator) {
		_, name, _ := strings.Cut(head, "--")
		label = head + " <" + name + ">"
		list := strings.ReplaceAll(values, separator, ", ")
		if without := strings.Replace(does, values, list, 1); without != does {
			does = without // the usage shows the values itself
		} else {
			does += ": " + list
		}
	}
	if f.Repeatable {
		label += "..."
	}
	if f.Default != "" {
		does = strings.TrimSuffix(does+" (", ") (")
		if strings.HasSuffix(does, "(") {
			does += "default " + f.Default + ")"
		} else { // join it to a remark
			does += "; default " + f.Default + ")"
		}
	}
	return []string{label, does}
}
