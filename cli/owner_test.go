package cli_test

import (
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// To an agent, a notice that names a command which stores says that the owner of the server
// runs it.
func TestNoticesOfCommandsOfTheOwner(t *testing.T) {
	t.Parallel()
	app := commandtest.Disk(t)
	for may, want := range map[command.Policy]bool{command.Person: false, command.Agent: true} {
		text, _ := clitest.Ask(t, app, may, "study list")
		if !strings.Contains(text, "biomcp study download synthetic_demo") || strings.Contains(text, "synthetic_demo (the server's owner runs it)") != want {
			t.Errorf("%v: %s", may, text)
		}
	}
	tree := cli.NewTree()
	for text, want := range map[string]bool{
		"biomcp sync ema stores it": true, "say biomcp sync repair.": true, "see biomcp study download --list": false, "biomcp search trial": false, "biomcp": false, "": false,
	} {
		if got := tree.NamesRestricted(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
