// Package entitytest runs commands of entities that a test makes up.
package entitytest

import (
	"io"
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
)

// A Call says who runs a command of which entities, and with which standard input.
type Call struct {
	Entities []entity.Entity
	Policy   command.Policy
	Stdin    io.Reader
}

// Run runs a line, without the checks of arguments in package cli.
func (c Call) Run(t testing.TB, words ...string) (*result.Result, error) {
	t.Helper()
	tree := command.NewTree(&command.Command{Use: "biomcp", Short: "test", Noun: "command", Commands: entity.Groups(c.Entities)}).Expand()
	cmd := tree.Root
	for len(words) > 0 && len(tree.Command(cmd).Commands) > 0 {
		i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == words[0] })
		if i < 0 {
			t.Fatalf("no command %q", words[0])
		}
		cmd, words = cmd.Commands()[i], words[1:]
	}
	if err := cmd.ParseFlags(words); err != nil {
		return nil, err
	}
	in := command.NewInput(&command.App{}, tree, command.IO{In: c.Stdin}, command.Path(cmd), cmd.Flags().Args(), cmd.Flags())
	in.Policy = c.Policy
	return tree.Command(cmd).Run(t.Context(), in)
}
