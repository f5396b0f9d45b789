package clitest

import (
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

// A Case is a line and the expected result for an agent: the exit status, a part of the answer,
// the schema of a JSON answer, a part of a request as name=value, and an endpoint that must not
// be requested. An empty field is not checked.
type Case struct {
	Line               string
	ExitStatus         int
	Text, Schema       string
	Sent, NotRequested string
}

// RunCases runs each case as a subtest, each with its own App and empty cache.
func RunCases(t *testing.T, srv *entreztest.Server, cases []Case) {
	t.Helper()
	run(t, srv, cases, func(t *testing.T) *command.App { return commandtest.NCBI(t, srv) })
}

// RunCasesOn runs each case as a subtest on app, with its tables and cached replies.
func RunCasesOn(t *testing.T, app *command.App, srv *entreztest.Server, cases []Case) {
	t.Helper()
	run(t, srv, cases, func(*testing.T) *command.App { return app })
}

func run(t *testing.T, srv *entreztest.Server, cases []Case, app func(*testing.T) *command.App) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Line, func(t *testing.T) {
			srv.ClearRequests()
			text, code := Ask(t, app(t), command.Agent, c.Line)
			requests := srv.Requests()
			if code != c.ExitStatus || !strings.Contains(text, c.Text) {
				t.Errorf("exit %d: %s", code, text)
			}
			if s := sent(requests); !strings.Contains(s, c.Sent) {
				t.Errorf("sent %q: %s", s, text)
			}
			if slices.Contains(Endpoints(requests), c.NotRequested) {
				t.Errorf("%s was asked", c.NotRequested)
			}
			if c.Schema != "" {
				commandtest.Validate(t, c.Schema, c.Line, text)
			}
		})
	}
}

func sent(requests []sourcetest.Request) string {
	var b strings.Builder
	for _, r := range requests {
		for name, values := range r.Params {
			b.WriteString(name + "=" + values[0] + "\n")
		}
	}
	return b.String()
}
