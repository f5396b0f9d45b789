package command_test

import (
	"context"
	"slices"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// Member and Commands return the same member, and Commands keeps the order of definition.
func TestMembersOfATreeThatGrows(t *testing.T) {
	leaf := func(name string, aliases ...string) *command.Command {
		return &command.Command{Use: name + " <id>", Aliases: aliases, Short: "Do it", Effect: command.Reads, Examples: []command.Example{{Line: name}},
			Run: func(context.Context, *command.Input) (*result.Result, error) { return nil, nil }}
	}
	tree := command.NewTree(&command.Command{Use: "root", Short: "Group", Noun: "command", Commands: []*command.Command{leaf("a"), leaf("b", "bee"), leaf("c")}}).Clone()
	bee := tree.Member(tree.Root, "bee")
	if bee == nil {
		t.Fatal("Member does not find the alias bee")
	}
	if bee.Name() != "b" {
		t.Errorf("member bee: got the name %q, want %q", bee.Name(), "b")
	}
	if bee.Parent() != tree.Root {
		t.Errorf("member bee: got the parent %v, want the root", bee.Parent())
	}
	if got := tree.Member(tree.Root, "b"); got != bee {
		t.Errorf("member b: got %v, want the command of its alias", got)
	}
	if got := tree.Member(tree.Root, "d"); got != nil {
		t.Errorf("member d: got %v, want nil", got)
	}
	all := slices.Clone(tree.Commands(tree.Root))
	var names []string
	for _, c := range all {
		names = append(names, c.Name())
	}
	if want := []string{"a", "b", "c"}; !slices.Equal(names, want) {
		t.Fatalf("members: got %q, want %q", names, want)
	}
	if all[1] != bee {
		t.Error("Commands made the member b again")
	}
	if bee.Parent() != tree.Root {
		t.Errorf("member bee after Commands: got the parent %v, want the root", bee.Parent())
	}
	if tree.Member(tree.Root, "c") != all[2] {
		t.Error("Member made the member c again")
	}
	if again := tree.Commands(tree.Root); !slices.Equal(again, all) {
		t.Errorf("Commands made members again: got %v, want %v", again, all)
	}
}
