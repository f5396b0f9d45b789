package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"biomcp/build/home"
)

// A release compiles the program for each platform. If this command linked the program too, it would be
// compiled once more, with other flags.
func TestCommandDoesNotLinkTheProgram(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, heavy := range []string{home.Module() + "/cli", home.Module() + "/store", "modernc.org/sqlite"} {
		if slices.Contains(strings.Fields(string(out)), heavy) {
			t.Errorf("go run ./build links %s; want it in ./build/generate alone", heavy)
		}
	}
}

func TestHomeNeedsOneAddress(t *testing.T) {
	for _, args := range [][]string{nil, {"github.com/a/b", "c"}, {"nowhere"}, {"-nonsense", "github.com/a/b"}} {
		if err := moveHome(args); err == nil {
			t.Errorf("home %q: got no error", args)
		}
	}
}
