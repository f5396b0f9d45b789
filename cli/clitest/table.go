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

// Case is a line with what an agent gets for it: the exit status, a part of the answer,
// the schema of the answer where it is JSON, a part of what is sent (as name=value) and
// an endpoint that is not asked. What is empty is not looked at.
type Case struct {
	Line          string
	Exit          int
	Text, Schema  string
	Sent, Unasked string
}

// Answers runs each case as a subtest, without the replies of the others.
func Answers(t *testing.T, srv *entreztest.Server, cases []Case) {
	t.Helper()
	run(t, srv, cases, func(t *testing.T) *command.App { return commandtest.NCBI(t, srv) })
}

// AnswersOf is the same on one App, with its tables and the replies that it has.
func AnswersOf(t *testing.T, app *command.App, srv *entreztest.Server, cases []Case) {
	t.Helper()
	run(t, srv, cases, func(*testing.T) *command.App { return app })
}

func run(t *testing.T, srv *entreztest.Server, cases []Case, app func(*testing.T) *command.App) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Line, func(t *testing.T) {
			srv.Forget()
			text, code := Ask(t, app(t), command.Agent, c.Line)
			requests := srv.Requests()
			if code != c.Exit || !strings.Contains(text, c.Text) {
				t.Errorf("exit %d: %s", code, text)
			}
			if s := sent(requests); !strings.Contains(s, c.Sent) {
				t.Errorf("sent %q: %s", s, text)
			}
			if slices.Contains(Endpoints(requests), c.Unasked) {
				t.Errorf("%s was asked", c.Unasked)
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
