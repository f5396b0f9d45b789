package clitest

import (
	"strings"
	"testing"
)

// WantExit ends the test if a command exited with another code than want.
func WantExit(t testing.TB, code, want int, text string) {
	t.Helper()
	if code != want {
		t.Fatalf("exit %d, want %d: %s", code, want, text)
	}
}

// WantText reports each part that text lacks.
func WantText(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("the answer lacks %q: %s", p, text)
		}
	}
}

// WantNoText reports each part that text contains.
func WantNoText(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("the answer contains %q: %s", p, text)
		}
	}
}
