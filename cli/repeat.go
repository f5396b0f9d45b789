package cli

import (
	"slices"

	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// repeats reports whether a line asks for what this one has answered: the same command
// with the same flags and words, or with some of its sections.
func (c *call) repeats(line result.Argv) bool {
	next := parse(c.tree.ForCall(), line, c.may)
	if next.fault != nil || next.def() != c.def() || next.help || !slices.Equal(next.settings(), c.settings()) {
		return false
	}
	asked, sections := c.sections(), next.sections()
	if len(asked) == 0 || len(sections) == 0 { // a card is no section
		return len(asked) == len(sections) && slices.Equal(next.args, c.args)
	}
	return !slices.ContainsFunc(sections, func(s string) bool { return !slices.Contains(asked, s) && !slices.Contains(asked, "all") })
}

// sections are the sections that a parsed line names.
func (c *call) sections() (names []string) {
	for _, w := range c.args {
		if w == "all" || slices.ContainsFunc(c.def().Sections, func(s command.Section) bool { return s.Name == w }) {
			names = append(names, w)
		}
	}
	return names
}

// settings are the flags of a parsed line with their values, without those that every
// command has.
func (c *call) settings() (list []string) {
	c.cmd.Flags().Visit(func(f *pflag.Flag) {
		if c.cmd.InheritedFlags().Lookup(f.Name) == nil {
			list = append(list, f.Name+"="+f.Value.String())
		}
	})
	return list
}
