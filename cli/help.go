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

// describe returns the help of one flag, with a placeholder for its value.
func describe(f *pflag.Flag) FlagHelp {
	value, usage := pflag.UnquoteUsage(f) // the usage may name the value in back quotes
	h := FlagHelp{Flag: "--" + f.Name, Default: f.DefValue, Does: usage, Rare: command.IsRare(f)}
	if f.Shorthand != "" {
		h.Flag = "-" + f.Shorthand + ", " + h.Flag
	}
	switch f.Value.Type() {
	case "bool", "count":
	case "stringArray":
		h.Flag += " <text>"
		if !strings.Contains(h.Does, "(repeatable") {
			h.Does += " (repeatable)"
		}
	case "string":
		h.Flag += " <" + strings.Replace(value, "string", "text", 1) + ">"
	case "int":
		h.Flag += " <n>"
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

// Doc lays out the help: the purpose of the command, then Input, Output, Surprises, flags and
// examples.
func (e Explanation) Doc() result.Doc {
	doc := result.Doc{
		result.Heading{Level: 1, Text: e.Command},
		result.Para{Text: e.Short + "."},
		result.Fence{Text: e.Usage},
	}
	if e.About != "" {
		doc = append(doc, result.Para{Text: e.About})
	}
	for _, part := range e.parts() {
		if part.text != "" {
			doc = append(doc, result.Heading{Level: 2, Text: part.title}, result.Para{Text: part.text})
		}
	}
	if len(e.Commands) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "Commands"},
			result.Table{Columns: result.Columns("Command", "What it does"),
				Rows: result.Map(e.Commands, func(c subcommand) []string {
					return []string{c.Name, c.Short}
				})})
	}
	if len(e.Flags) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "Flags"},
			result.Table{Columns: result.Columns("Flag", "What it does", "Default"),
				Rows: result.Map(e.Flags, func(f FlagHelp) []string {
					return []string{f.Flag, f.Does, f.Default}
				})})
	}
	if len(e.Examples) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "Examples"})
		for _, x := range e.Examples {
			doc = append(doc, result.Para{Text: strings.ToUpper(x.Explanation[:1]) + x.Explanation[1:] + ":"},
				result.Fence{Text: x.Line})
		}
	}
	return doc
}
