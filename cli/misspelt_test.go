package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
)

// A misspelt member of a group is named in the message at every level, even if it needs flags. An agent is told only of
// members that it may run. A word that runs a command
// is not misspelt.
func TestMisspeltMembers(t *testing.T) {
	tree, app := NewTree(), diskApp(t)
	for _, may := range []command.Policy{command.Person, command.Agent} {
		eachGroup(tree, tree.Root, func(group *cobra.Command) {
			for _, name := range tree.Members(may, group) {
				for _, word := range []string{name[:len(name)-1], name[:1] + name[2:], swapped(name)} {
					misspelt(t, app, may, tree, append(command.Path(group), word), name)
				}
			}
		})
	}
}

// misspelt claims that the line whose last word is a misspelt name suggests the name, unless the word is
// a member itself, has three letters or fewer, is closer to another name, or runs.
func misspelt(t *testing.T, app *command.App, may command.Policy, tree *command.Tree, words []string, name string) {
	word := words[len(words)-1]
	group, _, _ := tree.Root.Find(words[:len(words)-1])
	if len(word) < 4 || command.Nearest(word, tree.Members(may, group)) != name {
		return
	}
	out := Run(t.Context(), app, command.IO{}, words, may)
	if out.Failure == nil || tree.Member(group, word) != nil {
		return
	}
	text, _ := RenderAnswer(out, false, 0)
	if !strings.Contains(out.Failure.Message, "did you mean "+name+"?") && !strings.Contains(text, "understood as: ") {
		t.Errorf("policy %v: %s answers %q, want did you mean %s?", may, strings.Join(words, " "), text, name)
	}
}

// eachGroup calls f with the group and every group below it.
func eachGroup(tree *command.Tree, group *cobra.Command, f func(*cobra.Command)) {
	members := tree.Commands(group)
	if len(members) > 0 {
		f(group)
	}
	for _, c := range members {
		eachGroup(tree, c, f)
	}
}

// swapped returns word with two letters in its middle swapped.
func swapped(word string) string {
	i := len(word) / 2
	return word[:i-1] + word[i:i+1] + word[i-1:i] + word[i+1:]
}
