package main

import (
	"slices"
	"strings"
	"testing"

	"biomcp/cli"
)

func TestGeneratedFilesAreFresh(t *testing.T) {
	stale, err := run("..", true)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range stale {
		t.Errorf("%s is stale; run: go run ./build", f)
	}
}

func TestDescriptionHoldsOnlyWhatAnAgentMayRun(t *testing.T) {
	text, err := description()
	if err != nil {
		t.Fatal(err)
	}
	if len(text) >= maxDescription || len(text) < 1000 {
		t.Errorf("%d bytes", len(text))
	}
	for _, bad := range forbidden() {
		if contains(text, bad) {
			t.Errorf("the description names %q", bad)
		}
	}
	if len(forbidden()) < 5 {
		t.Errorf("only %d commands are forbidden: %q", len(forbidden()), forbidden())
	}
}

// forbidden are the commands that an agent may not run, as they would be typed.
func forbidden() []string {
	var bad []string
	for _, c := range cli.Reference(cli.NewTree(), "").Commands {
		bad = append(bad, c.Command)
	}
	for _, family := range cli.Families(cli.NewTree()) {
		for _, c := range family.Commands {
			bad = slices.DeleteFunc(bad, func(s string) bool { return s == c.Command })
		}
	}
	return bad
}

func contains(text, command string) bool {
	command = strings.TrimPrefix(command, "biomcp ")
	return strings.Contains(text, "- "+command) || strings.Contains(text, "biomcp "+command)
}
