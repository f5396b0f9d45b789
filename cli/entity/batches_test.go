package entity_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
)

// A telescope is a source of planets that accepts four names at once. It records the names of each
// request and fails when it is asked about the planet down.
type telescope struct {
	mu      sync.Mutex
	fetched [][]string
	moons   []string
	down    string // name of a planet
	newMoon string // name of the first planet whose moons are not visible
}

func (s *telescope) planets() entity.Entity {
	return entity.Define(entity.Spec[planet]{
		Name: "planet", Plural: "planets",
		IDs:      entity.IDs{Placeholder: "<name>...", Max: 4, Fuzzy: func(context.Context, *command.Input, string) string { return "" }},
		Identity: []string{"name"}, Get: command.Command{Short: "Look at planets", Examples: []command.Example{{Line: "biomcp get planet Mars"}}},
		Fetch: s.fetch,
		Card: func(p *planet, _ entity.Sections) result.Doc {
			return result.Doc{result.Heading{Level: 1, Text: p.Name}}
		},
		ID: func(p *planet) string { return p.Name },
		Sections: []entity.Section[planet]{entity.RelatedSection[planet, string]{
			Name: "moons", Label: "Moons", Short: "its moons", Source: "Sky", Counted: true,
			Find: s.find, Columns: []string{"Name"}, Row: func(m *string) []string { return []string{*m} },
		}.Section()},
	})
}

func (s *telescope) fetch(_ context.Context, _ *command.Input, ids []string, _ entity.Sections) (*entity.Found[planet], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fetched = append(s.fetched, ids)
	if slices.Contains(ids, s.down) {
		return nil, errors.New("the sky is clouded")
	}
	found := &entity.Found[planet]{Notices: []string{"the night is clear"}}
	for _, id := range ids {
		if strings.HasPrefix(id, "no ") {
			found.NotFound(id, nil)
		} else if strings.HasPrefix(id, "dim ") {
			found.Failed(id, errors.New("too dim"))
		} else {
			found.Add(id, &planet{Name: strings.ToUpper(id)})
		}
	}
	return found, nil
}

func (s *telescope) find(_ context.Context, _ *command.Input, p *planet) (*entity.Answer[string], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moons = append(s.moons, p.Name)
	if s.newMoon != "" && p.Name >= s.newMoon {
		return nil, errors.New("the moon is new")
	}
	return &entity.Answer[string]{Rows: []string{"moon of " + p.Name}, Total: new(1)}, nil
}

// worlds returns a list of n names of two words each, one a line.
func worlds(n int) (names []string, text string) {
	for i := range n {
		names = append(names, fmt.Sprintf("world w%02d", i))
	}
	return names, strings.Join(names, "\n") + "\n"
}

// A list of any length is fetched in batches of the size that the source accepts, and so are its
// sections.
func TestListIsFetchedInBatches(t *testing.T) {
	s := &telescope{}
	names, text := worlds(30)
	res, err := runAs(t, command.Person, strings.NewReader("# mine\n"+text+"no star\n"+names[0]+"\nWORLD W01\n"), s.planets(), "get", "planet", "-", "moons")
	if err != nil {
		t.Fatal(err)
	}
	got := render(t, res, true)
	for i, name := range names {
		contains(t, name, got, fmt.Sprintf(`{"name":"WORLD W%02d","moons":["moon of WORLD W%02d"],"moons_total":1}`, i, i))
	}
	contains(t, "the ids", got, `"world w29","no star","WORLD W01"]`)
	contains(t, "the missing one", got, `"not_found":["no star"]`)
	equal(t, "batches", len(s.fetched), 8)
	for _, batch := range s.fetched {
		if len(batch) > 4 {
			t.Errorf("a batch has %d ids, want at most 4", len(batch))
		}
	}
	equal(t, "queries about moons", len(s.moons), 30)
	equal(t, "the record of two ids", strings.Count(got, `"name":"WORLD W01"`), 1)
	equal(t, "the notice of every batch", strings.Count(got, "the night is clear"), 1)
}

// If a batch fails, the answer has the others and the command for the rest.
func TestBatchThatFails(t *testing.T) {
	names, text := worlds(30)
	s := &telescope{down: names[29]}
	res, err := runAs(t, command.Person, strings.NewReader(text), s.planets(), "get", "planet", "-")
	if err != nil {
		t.Fatal(err)
	}
	got := render(t, res, true)
	contains(t, "a record", got, `{"name":"WORLD W00"}`)
	contains(t, "the ids that were not read", got, `"unavailable":["world w28","world w29"]`)
	contains(t, "the notice", got, "28 of 30 ids were read; the same command reads the rest, and takes these from the response cache: biomcp get planet -")
	contains(t, "the reason", got, "the sky is clouded")

	s = &telescope{down: names[0]}
	_, err = runAs(t, command.Person, strings.NewReader(names[0]+"\n"+text[:40]), s.planets(), "get", "planet", "-")
	if err == nil || !strings.Contains(err.Error(), "the sky is clouded") {
		t.Errorf("only batch fails: got %v, want its error", err)
	}
}

// The notice does not count the ids that a batch reports as failed, and its command does not write to the
// file that the line has written.
func TestPartialNoticeCountsFailedIDs(t *testing.T) {
	names, text := worlds(30)
	s := &telescope{down: names[29]}
	file := filepath.Join(t.TempDir(), "ids.csv")
	list := strings.Replace(text, names[0], "dim "+names[0], 1)
	res, err := runAs(t, command.Person, strings.NewReader(list), s.planets(), "get", "planet", "-", "--output", file)
	if err != nil {
		t.Fatal(err)
	}
	notices := strings.Join(res.Notices, "\n")
	contains(t, "the number", notices, "27 of 30 ids were read")
	contains(t, "the command", notices, "biomcp get planet - --output "+strings.TrimSuffix(file, ".csv")+"-2.csv")

	// Without an id that was read, the reason of the ids is the error.
	var all []string
	for _, name := range names {
		all = append(all, "dim "+name)
	}
	_, err = runAs(t, command.Person, strings.NewReader(strings.Join(all, "\n")), (&telescope{}).planets(), "get", "planet", "-")
	if err == nil || !strings.Contains(err.Error(), "too dim") {
		t.Errorf("every id fails: got %v, want its reason", err)
	}
}

// A section whose source fails is not requested for the batches after it.
func TestSectionThatFailsInABatch(t *testing.T) {
	_, text := worlds(35)
	s := &telescope{newMoon: "WORLD W10"}
	res, err := runAs(t, command.Person, strings.NewReader(text), s.planets(), "get", "planet", "-", "moons")
	if err != nil {
		t.Fatal(err)
	}
	got := render(t, res, true)
	contains(t, "a record of the first batch", got, `{"name":"WORLD W09","moons":["moon of WORLD W09"],"moons_total":1}`)
	contains(t, "a record of the last batch", got, `{"name":"WORLD W34","moons":null,"moons_total":null}`)
	contains(t, "the state", got, `"key":"moons","label":"Moons","outcome":"degraded"`)
	contains(t, "the notice", got, "Moons of WORLD W10, WORLD W11, WORLD W12, WORLD W13, WORLD W14 and 20 more is missing: the moon is new")
	equal(t, "queries about moons", len(s.moons), 20)
}

// No message about a list repeats it as a command to type.
func TestMessagesNameALongList(t *testing.T) {
	_, text := worlds(60)
	s := &telescope{}
	for _, c := range []struct{ in, line, want string }{
		{strings.ReplaceAll(text, "world", "no"), "get planet -", "no planet found for"},
		{text, "get planet - moonz", `no section "moonz"`},
	} {
		res, err := runAs(t, command.Person, strings.NewReader(c.in), s.planets(), strings.Fields(c.line)...)
		if err == nil {
			t.Fatalf("%s: %s", c.line, render(t, res, false))
		}
		f := failure(t, err)
		contains(t, c.line, f.Message, c.want)
		for _, try := range append([]result.Argv{f.Try}, f.Alternatives...) {
			if len(strings.Fields(try.String())) > 14 {
				t.Errorf("%s: suggests %s, want a short command", c.line, try)
			}
		}
	}
	if _, err := runAs(t, command.Agent, nil, s.planets(), "get", "planet", "A", "B", "C", "D", "E"); !strings.Contains(failure(t, err).Message, "5 ids at once; at most 4") {
		t.Errorf("over MCP: got %v, want a refusal", err)
	}
}
