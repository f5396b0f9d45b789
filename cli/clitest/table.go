package clitest

import (
	"strings"
	"testing"

	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

// Case is a line with what an agent gets for it: a part of the answer, the schema of the
// answer where it is JSON, a part of what is sent (as name=value) and an endpoint that
// is not asked. What is empty is not looked at.
type Case struct {
	Line, Text, Schema, Sent, Unasked string
}

// Answers runs each case as a subtest, on one server. The line succeeds.
func Answers(t *testing.T, srv *entreztest.Server, cases []Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Line, func(t *testing.T) {
			text, code, requests := Asked(t, srv, c.Line)
			if code != 0 || !strings.Contains(text, c.Text) {
				t.Errorf("exit %d: %s", code, text)
			}
			if s := sent(requests); !strings.Contains(s, c.Sent) {
				t.Errorf("sent %q: %s", s, text)
			}
			for _, name := range Endpoints(requests) {
				if name == c.Unasked {
					t.Errorf("%s was asked", name)
				}
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
