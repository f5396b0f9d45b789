package command_test

import (
	"context"
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// Member and Commands return the same member, and Commands keeps the order of definition.
func TestMembersOfATreeThatGrows(t *testing.T) {
	leaf := func(name string, aliases ...string) *command.Command {
		return &command.Command{Use: name + " <id>", Aliases: aliases, Short: "Do it", Effect: command.Reads, Examples: []command.Example{{Line: name}},
			Run: func(context.Context, *command.Input) (*result.Result, error) { return nil, nil }}
	}
	tree := command.NewTree(&command.Command{Use: "root", Short: "Group", Noun: "command", Commands: []*command.Command{leaf("a"), leaf("b", "bee"), leaf("c")}}).ForCall()
	bee := tree.Member(tree.Root, "bee")
	if bee == nil || bee.Name() != "b" || bee.Parent() != tree.Root || tree.Member(tree.Root, "b") != bee || tree.Member(tree.Root, "d") != nil {
		t.Fatalf("bee is %v", bee)
	}
	all := slices.Clone(tree.Commands(tree.Root))
	var names []string
	for _, c := range all {
		names = append(names, c.Name())
	}
	if !slices.Equal(names, []string{"a", "b", "c"}) || all[1] != bee || bee.Parent() != tree.Root {
		t.Errorf("the members are %q", names)
	}
	if tree.Member(tree.Root, "c") != all[2] || !slices.EqualFunc(tree.Commands(tree.Root), all, func(a, b *cobra.Command) bool { return a == b }) {
		t.Error("members were made twice")
	}
}
