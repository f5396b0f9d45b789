package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
)

// For an agent, list and help show the part of the answer to a person that concerns commands it
// may run.
func TestAnAgentIsShownOnlyWhatItMayRun(t *testing.T) {
	tree := NewTree()
	app := &command.App{Version: "test"}
	narrowed := func(line string) bool { // whether the line has the switch that makes a command read
		return slices.ContainsFunc(Runnable(tree, tree.Root, command.Person), func(c *cobra.Command) bool {
			def := tree.Command(c)
			return def.ReadOnlySwitch != "" && strings.Contains(strings.ReplaceAll(line, `\|`, " ")+" ", c.Name()+" --"+def.ReadOnlySwitch+" ")
		})
	}
	for _, line := range []string{"list", "list article", "list ids", "list list", "--help", "get --help", "get article --help"} {
		t.Run(line, func(t *testing.T) {
			person, agent := map[string]bool{}, ""
			for _, json := range []string{"", " --json"} {
				text, code := ask(t, app, command.Agent, line+json)
				if code != 0 {
					t.Fatalf("%s: %s", line, text)
				}
				for _, c := range Runnable(tree, tree.Root, command.Person) {
					name := strings.Join(command.Path(c), " ")
					if !tree.Command(c).MayRead() && (strings.Contains(text, "| "+name+" ") || strings.Contains(text, `"usage":"biomcp `+name)) {
						t.Errorf("%s names %s", line+json, name)
					}
				}
				if strings.Contains(text, "--ids-from") {
					t.Errorf("%s names a flag that reads a file", line+json)
				}
				if json == "" {
					agent = text
				}
			}
			text, _ := ask(t, app, command.Person, line)
			for l := range strings.Lines(text) {
				person[l] = true
			}
			for l := range strings.Lines(agent) {
				if !person[l] && !narrowed(l) {
					t.Errorf("%s: only an agent reads %q", line, l)
				}
			}
		})
	}
	for _, c := range Runnable(tree, tree.Root, command.Agent) {
		e := Explain(tree, c, command.Agent)
		for _, word := range strings.FieldsFunc(e.Short+" "+e.About+" "+e.Input+" "+e.Output+" "+e.Surprises, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') }) {
			if isHostOnly(tree.Flags(c))(word) {
				t.Errorf("%s: an agent reads of %s, which it may not use", e.Command, word)
			}
		}
	}
	if text, _ := ask(t, app, command.Agent, "list study"); !strings.Contains(text, "List the studies that can be downloaded.") || strings.Contains(text, "onto this machine") {
		t.Error(text)
	}
	text, code := ask(t, app, command.Agent, "list cache")
	if code != 2 || strings.Contains(text, ", cache") {
		t.Errorf("list cache: exit %d, %s", code, text)
	}
}
