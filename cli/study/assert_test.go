package study_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
)

// askFor runs a line, checks its exit status and returns the answer.
func askFor(t *testing.T, app *command.App, may command.Policy, line string, wantCode int) string {
	t.Helper()
	text, code := clitest.Ask(t, app, may, line)
	if code != wantCode {
		t.Errorf("%s: exit status %d, want %d:\n%s", line, code, wantCode, text)
	}
	return text
}

// contains fails the test if text does not contain part.
func contains(t *testing.T, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("got\n%s\nwant it to contain %q", text, part)
	}
}

// lacks fails the test if text contains part.
func lacks(t *testing.T, text, part string) {
	t.Helper()
	if strings.Contains(text, part) {
		t.Errorf("got\n%s\nwant it not to contain %q", text, part)
	}
}

// suggests fails the test if an error does not end with the suggestion to try line.
func suggests(t *testing.T, text, line string) {
	t.Helper()
	if want := "\ntry:   biomcp " + line + "\n"; !strings.HasSuffix(text, want) {
		t.Errorf("got\n%s\nwant it to end with %q", text, want)
	}
}

// equal fails the test if got is not want. what names the compared value.
func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
