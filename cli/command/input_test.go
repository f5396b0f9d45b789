package command_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"biomcp/cli/command"
)

func TestAgainKeepsTheJSONFlag(t *testing.T) {
	for _, c := range []struct{ typed, args, want []string }{
		{[]string{"--json", "--limit=5"}, []string{"a b"}, []string{"search", "article", "a b", "--limit", "5", "--offset", "5", "--json"}},
		{[]string{"--limit=5"}, []string{"a b"}, []string{"search", "article", "a b", "--limit", "5", "--offset", "5"}},
		{[]string{"--json"}, []string{"-x"}, []string{"search", "article", "--offset", "5", "--json", "--", "-x"}},
		{[]string{"--json=false"}, nil, []string{"search", "article", "--offset", "5", "--json=false"}},
	} {
		t.Run(strings.Join(c.typed, " "), func(t *testing.T) {
			flags := pflag.NewFlagSet("", pflag.ContinueOnError)
			flags.Bool("json", false, "")
			flags.Int("limit", 10, "")
			flags.Int("offset", 0, "")
			if err := flags.Parse(c.typed); err != nil {
				t.Fatal(err)
			}
			got := command.NewInput(nil, nil, command.IO{}, []string{"search", "article"}, c.args, flags).LineWith("--offset", "5")
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A switch is turned on without a value, since the value would be an argument.
func TestAgainTurnsASwitchOn(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.Bool("all", false, "")
	flags.Bool("force", false, "")
	if err := flags.Parse([]string{"--all"}); err != nil {
		t.Fatal(err)
	}
	got := command.NewInput(nil, nil, command.IO{}, []string{"sync", "pubmed"}, nil, flags).LineWith("--force", "true")
	if want := []string{"sync", "pubmed", "--all", "--force"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
