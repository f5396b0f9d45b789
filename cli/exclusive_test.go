package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
)

// setFlag returns a word that sets a flag to a value other than nothing.
func setFlag(f *pflag.Flag) string {
	value := "2020"
	switch values := command.ValuesWithPrefix(f, ""); {
	case f.Value.Type() == "bool":
		return "--" + f.Name
	case len(values) > 0:
		value = values[0]
	case f.Value.Type() == "int":
		value = "1"
	case f.Value.Type() == "file":
		value = "x.csv"
	}
	return "--" + f.Name + "=" + value
}

// Each pair of flags of each command that exclude each other is refused before the command runs. The
// message names both flags, and the suggested line has one of them.
func TestFlagsThatExcludeEachOther(t *testing.T) {
	app := diskApp(t)
	tree := NewTree().Expand()
	pairs := 0
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range tree.Commands(c) {
			visit(sub)
		}
		def := tree.Command(c)
		if def.Run == nil {
			return
		}
		tree.Flags(c).VisitAll(func(f *pflag.Flag) {
			for _, name := range command.Exclusions(f) {
				other := tree.Flags(c).Lookup(name)
				if other == nil {
					continue
				}
				line := command.Path(c)
				for range def.Args.Min {
					line = append(line, "x")
				}
				if pairs++; f.Name != command.ContinueAt {
					line = append(line, setFlag(f), setFlag(other))
				} else {
					line = append(line, setFlag(f), "--json")
				}
				t.Run(strings.Join(line, " "), func(t *testing.T) {
					policies := []command.Policy{command.Person}
					if def.Effect == command.Reads && !command.IsHostOnly(f) && !command.IsHostOnly(other) {
						policies = append(policies, command.Agent)
					}
					for _, policy := range policies {
						refusesPair(t, slices.Clone(line), policy, f.Name, name)
					}
					if len(policies) > 1 {
						text := agent(app)(t.Context(), line, false).Text
						if !strings.Contains(text, "--"+f.Name) || !strings.Contains(text, "--"+name) {
							t.Errorf("over MCP: got %q, want both flags", text)
						}
					}
				})
			}
		})
	}
	visit(tree.Root)
	t.Logf("%d pairs", pairs)
	if pairs < 100 {
		t.Errorf("got %d pairs of flags, want at least 100", pairs)
	}
}

func refusesPair(t *testing.T, line []string, policy command.Policy, kept, dropped string) {
	t.Helper()
	c := parse(NewTree(), line, policy)
	if c.refusal == nil {
		t.Errorf("policy %v: the line is accepted", policy)
		return
	}
	f := c.refusal.Failure
	if !strings.Contains(f.Message, "--"+kept+" cannot be used with --"+dropped) {
		t.Errorf("policy %v: message: got %q, want both flags", policy, f.Message)
	}
	has := func(name string) bool {
		return slices.ContainsFunc(f.Try, func(w string) bool { return w == "--"+name || strings.HasPrefix(w, "--"+name+"=") })
	}
	if !has(kept) || has(dropped) {
		t.Errorf("policy %v: line to try: got %q, want --%s without --%s", policy, f.Try, kept, dropped)
	}
}
