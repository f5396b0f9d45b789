package advice_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/entitytest"
)

// A search without hits whose filters are not to blame suggests its first words, as many as have hits. If these
// have none, or cannot be counted, it suggests the help for filters alone. Syntax is not cut.
func TestSearchWithoutHitsSuggestsFewerWords(t *testing.T) {
	known := func(_ context.Context, _ *command.Input, q *entity.Query) (int, error) {
		if q.Text == "unreachable" {
			return 0, errors.New("no answer")
		}
		if q.Text == "spiral" || q.Text == "spiral arm" {
			return 7, nil
		}
		return 0, nil
	}
	for line, c := range map[string]struct{ next, notice string }{
		"'spiral arm unseen'":            {"biomcp search galaxy 'spiral arm'", "hits for “spiral arm” alone: 7"},
		"'spiral unseen' --group x":      {"biomcp search galaxy spiral", "hits without --group x: 0; for “spiral” alone: 7"},
		"'unseen spiral'":                {"", ""},
		"'unreachable unseen'":           {"", ""},
		"'spiral AND unseen'":            {"", ""},
		"'spiral \"unseen words\"'":      {"", ""},
		"'spiral b c d e f g'":           {"", ""},
		"unseen":                         {"", ""},
		"--group x":                      {"biomcp search galaxy --help", ""},
		"--group x --date-from 2020":     {"biomcp search galaxy --help", "hits without its dates: 0; without --group x: 0"},
		"spiral --date-from 2020":        {"biomcp search galaxy spiral", "hits without its dates: 7"},
		"'unseen unseen' --group x":      {"", ""},
		"unreachable --group x":          {"biomcp search galaxy unreachable", ""},
		"'spiral:x unseen' --group=Ours": {"", ""},
	} {
		e := galaxies(nil, func(s *entity.SearchSpec[star]) { s.Alternatives = entity.Alternatives{Count: known} })
		res, err := entitytest.Call{Entities: []entity.Entity{e}}.Run(t, append([]string{"search", "galaxy"}, fields(line)...)...)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		var next []string
		for _, l := range res.Next {
			next = append(next, l.String())
		}
		if got := strings.Join(next, "; "); got != c.next {
			t.Errorf("%s: suggests %q, want %q", line, got, c.next)
		}
		if c.notice != "" && !slices.Contains(res.Notices, c.notice) {
			t.Errorf("%s: got notices %q, want %q", line, res.Notices, c.notice)
		}
	}
}

// fields splits a line at spaces outside of single quotes.
func fields(line string) []string {
	quoted := false
	return strings.FieldsFunc(line, func(r rune) bool {
		if r == '\'' {
			quoted = !quoted
		}
		return r == ' ' && !quoted || r == '\''
	})
}
