package entity_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/entitytest"
	"biomcp/cli/result"
	"biomcp/entrez/record"
)

// A star is a record of the toy entity.
type star struct {
	Name      string   `json:"name"`
	Companion *string  `json:"companion"`
	Planets   []string `json:"planets,omitempty"`
}

// A sky is a toy source. It holds the answers of the source and records the queries.
type sky struct {
	stars     []string
	counts    bool // returns the total
	lies      int  // added to the total
	dropped   []record.DroppedTerm
	asked     *entity.Query
	described int
}

func (s *sky) spec() entity.SearchSpec[star] {
	return entity.SearchSpec[star]{
		Name: "star", Placeholder: "[query]",
		Command: command.Command{
			Short:    "Search the sky",
			Examples: []command.Example{{Line: "biomcp search star vega", Explanation: "a star"}},
			Flags:    func(f *command.Flags) { f.Bool("dim", false, "dim ones too"); f.Int("arcs", 1, "width") },
		},
		Source: "Sky", Sources: []string{"sky"}, Key: "results", Label: "Stars",
		Filters: []entity.Filter{
			{Flag: "constellation", Letter: "c", Usage: "a constellation", Term: func(v string) (string, error) {
				if strings.Contains(v, "|") {
					return "", result.Invalid("--constellation cannot hold |", "search", "star", "--help")
				}
				return "in:" + v, nil
			}},
			{Flag: "class", Usage: "spectral class", Values: []string{"A", "G"}},
			{Flag: "catalogue", Usage: "a catalogue", Single: true},
			{Flag: "date", Dates: &entity.Dates{From: "seen from", To: "seen to", Type: "which date", Types: []string{"seen", "listed"}}},
			{Flag: "visible", Usage: "seen by eye", Switch: true},
			{Flag: "exclude-variable", Usage: "steady ones", Switch: true, Exclude: true},
		},
		Sorts: []string{"name", "brightness"}, Strict: true, Pages: entity.Pages{Limit: 3, Max: 5, Window: 9, DeepSort: "brightness"},
		Alternatives: entity.Alternatives{
			Similar: func(_ context.Context, _ *command.Input, f entity.AppliedFilter) string {
				return map[string]string{"Lyrra": "Lyra"}[f.Value]
			},
		},
		Find: s.find, Rows: entity.Rows[star]{Columns: []string{"Star"}, Row: func(h *star) []string { return []string{h.Name} }},
		Next: func(h *star) []result.Argv { return []result.Argv{{"get", "star", h.Name}} },
	}
}

func (s *sky) find(_ context.Context, _ *command.Input, q *entity.Query) (*entity.Page[star], error) {
	s.asked = q
	page := &entity.Page[star]{Dropped: s.dropped, Notices: []string{"the night is clear"}}
	for _, name := range s.stars[min(q.Offset, len(s.stars)):min(q.Offset+q.Limit, len(s.stars))] {
		page.Hits = append(page.Hits, &star{Name: name})
	}
	if s.counts {
		total := len(s.stars) + s.lies
		page.Total = &total
	}
	page.Describe = func(context.Context) error { s.described++; return nil }
	return page, nil
}

func constellation(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = string(rune('a' + i))
	}
	return names
}

// run runs a command of one entity, without the checks of arguments in package cli.
func run(t *testing.T, e entity.Entity, words ...string) (*result.Result, error) {
	t.Helper()
	return runAs(t, command.Person, nil, e, words...)
}

// runAs is like run, for a policy and with a standard input.
func runAs(t *testing.T, policy command.Policy, stdin io.Reader, e entity.Entity, words ...string) (*result.Result, error) {
	t.Helper()
	return entitytest.Call{Entities: []entity.Entity{e}, Policy: policy, Stdin: stdin}.Run(t, words...)
}

func render(t *testing.T, res *result.Result, json bool) string {
	t.Helper()
	var out, errs bytes.Buffer
	if err := result.Render(&out, &errs, result.Outcome{Result: res}, result.Format{JSON: json}); err != nil {
		t.Fatal(err)
	}
	return errs.String() + out.String()
}

// equal checks that a value is as wanted. what names the value.
func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %+v, want %+v", what, got, want)
	}
}

// equalList checks that a list is as wanted. what names the list.
func equalList[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %+v, want %+v", what, got, want)
	}
}

// contains checks that a text contains another one. what names the text.
func contains(t *testing.T, what, text, want string) {
	t.Helper()
	if !strings.Contains(text, want) {
		t.Errorf("%s: want %q in %s", what, want, text)
	}
}

// failure returns err as a failure.
func failure(t *testing.T, err error) *result.Failure {
	t.Helper()
	f := new(result.Failure)
	if !errors.As(err, &f) {
		t.Fatalf("not a failure: %v", err)
	}
	return f
}
