package correct_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/words"
)

// Over MCP the reply to a rejected line suggests one of the expected corrections. Package cli
// tests the complete lists of suggestions.
func TestRefusedLinesOverMCP(t *testing.T) {
	f, err := os.Open("testdata/refused.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	parse := cli.Parser(commandtest.Disk(t))
	answered, right, carried := 0, 0, 0
	for in := bufio.NewScanner(f); in.Scan(); {
		cells := strings.Split(in.Text(), "\t")
		if len(cells) < 2 || strings.HasPrefix(cells[0], "#") {
			continue
		}
		list, err := words.Split(cells[0])
		if err != nil {
			t.Fatal(cells[0], err)
		}
		call := parse(list)
		if !call.Refused {
			carried++
			continue
		}
		answered++
		text := call.Run(t.Context(), false).Text
		for _, want := range cells[1:] {
			if want == "help" || strings.Contains(text, ":   biomcp "+want+"\n") || strings.Contains(text, ":    biomcp "+want+"\n") {
				right++
				break
			}
		}
		if strings.Count(text, "\n") < 2 {
			t.Errorf("%s: no suggestion: %s", cells[0], text)
		}
	}
	// Package cli compares lines with synonyms of flags after parsing.
	if answered < 200 {
		t.Errorf("%d lines are rejected, want at least 200", answered)
	}
	if carried < 100 {
		t.Errorf("%d lines are carried out, want at least 100", carried)
	}
	if right*10 < answered*8 {
		t.Errorf("%d of %d rejected lines suggest an expected correction, want at least 80 %%", right, answered)
	}
}
