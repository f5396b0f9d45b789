package cli

import (
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// correct replaces the suggestion for a refused line, where that would be refused too,
// by what is suggested for it, at most n times.
func (c *call) correct(app *command.App, io command.IO, n int) {
	def := c.def()
	if def.Meant != nil && def.Args.Max == 0 && len(c.args) > 0 && isHelp(c.failure.Try) {
		in := command.NewInput(app, c.tree, io, command.Path(c.cmd), c.args, c.tree.Flags(c.cmd))
		if line := def.Meant(in); line != nil {
			c.failure.Try = line
		}
	}
	if n == 0 || len(c.failure.Try) == 0 || isHelp(c.failure.Try) {
		return
	}
	next := parse(command.NewTree(c.tree.Def(c.tree.Root)), c.failure.Try, c.may)
	if next.failure == nil {
		return
	}
	if next.correct(app, io, n-1); !isHelp(next.failure.Try) && parse(command.NewTree(c.tree.Def(c.tree.Root)), next.failure.Try, c.may).failure == nil {
		c.failure.Try = next.failure.Try
	}
}

// isHelp reports a line that asks for help.
func isHelp(line result.Argv) bool { return slices.Contains(line, "--help") }

// corrected is the line as it was typed with some words replaced.
func (c *call) corrected(old []string, by ...string) result.Argv {
	for i := range c.words {
		if i+len(old) <= len(c.words) && slices.Equal(c.words[i:i+len(old)], old) {
			return slices.Concat(c.words[:i], by, c.words[i+len(old):])
		}
	}
	return nil
}
