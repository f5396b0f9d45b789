package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A search without hits suggests a command at every door, for every entity that finds records by words, with
// filters too.
func TestEmptySearchSuggestsACommand(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	lines := []string{
		"search article zzqxv --meta-analysis --exclude-retracted", "search article ergothioneine zzqxv --meta-analysis",
		"search article 'ergothioneine cancer risk' --meta-analysis --exclude-retracted --limit 5",
		"'does ergothioneine lower cancer risk'", "search trial --sponsor zzqxv", "search all zzqxv",
	}
	for _, e := range cli.Entities() {
		if e.Search != nil && e.Search.Args.FreeText && e.Name != "citation" { // which matches references
			lines = append(lines, "search "+e.Name+" zzqxv")
		}
	}
	for _, line := range lines {
		text, code := clitest.Ask(t, app, command.Person, line)
		if code != 0 { // a search of data that is not on this machine names the command that brings them
			if !strings.Contains(text, "\ntry:   biomcp ") {
				t.Errorf("%s: got exit %d without a command: %s", line, code, text)
			}
			continue
		}
		agent := clitest.AskAgent(t, app, line, false)
		for door, text := range map[string]string{"text": text, "agent": agent.Text} {
			if _, next, _ := strings.Cut(text, "\n## Next\n"); !strings.Contains(next, "\nbiomcp ") {
				t.Errorf("%s: got as %s no next command: %s", line, door, text)
			}
		}
		reply := clitest.AskAgent(t, app, line, true)
		var answer struct {
			Meta struct {
				Next []string `json:"next_commands"`
			} `json:"_meta"`
		}
		if err := json.Unmarshal([]byte(reply.Text), &answer); err != nil || len(answer.Meta.Next) == 0 {
			t.Errorf("%s: got in JSON no next command (%v): %.400s", line, err, reply.Text)
		}
	}
}
