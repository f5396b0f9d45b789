package entity_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
)

// A planet has two sections from other sources.
type planet struct {
	Name string `json:"name"`
	entity.Parts
}

func planets(moons func(name string) (*entity.Answer[string], error)) entity.Entity {
	linked := func(name string, counted bool, find func(string) (*entity.Answer[string], error)) entity.Section[planet] {
		return entity.RelatedSection[planet, string]{
			Name: name, Label: name, Short: name, Source: "Sky", Counted: counted,
			Find: func(_ context.Context, _ *command.Input, p *planet) (*entity.Answer[string], error) {
				return find(p.Name)
			},
			Columns: []string{"Name"}, Row: func(s *string) []string { return []string{*s} },
		}.Section()
	}
	return entity.Define(entity.Spec[planet]{
		Name: "planet", Plural: "planets", IDs: entity.IDs{Placeholder: "<name>...", Max: 50, Match: func(w string) bool { return w[0] < 'a' }},
		Identity: []string{"name"}, Get: command.Command{Short: "Look at planets", Examples: []command.Example{{Line: "biomcp get planet Mars"}}},
		Fetch: func(_ context.Context, _ *command.Input, ids []string, _ entity.Sections) (*entity.Found[planet], error) {
			found := &entity.Found[planet]{}
			for _, id := range ids {
				found.Records = append(found.Records, &planet{Name: id})
			}
			return found, nil
		},
		Card: func(p *planet, _ entity.Sections) result.Doc {
			return result.Doc{result.Heading{Level: 1, Text: p.Name}}
		},
		ID: func(p *planet) string { return p.Name },
		Sections: []entity.Section[planet]{
			linked("moons", true, moons),
			linked("rings", false, func(string) (*entity.Answer[string], error) { return &entity.Answer[string]{}, nil }),
		},
	})
}

func TestSourceThatFailsCostsItsSectionOnly(t *testing.T) {
	res, err := run(t, planets(func(string) (*entity.Answer[string], error) { return nil, errors.New("the sky is clouded") }), "get", "planet", "Mars", "all")
	if err != nil {
		t.Fatal(err)
	}
	text := render(t, res, true)
	for _, want := range []string{`"moons":null`, `"moons_total":null`, `"rings":[]`, `"key":"moons","label":"moons","outcome":"unavailable"`,
		`"key":"rings","label":"rings","outcome":"empty"`, "moons is missing: the sky is clouded"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%s is missing in %s", want, text)
			}
		})
	}
}

func TestRowsOfAnotherSourceHaveTheirTotal(t *testing.T) {
	total := 9
	res, err := run(t, planets(func(name string) (*entity.Answer[string], error) {
		if name == "Venus" {
			return nil, errors.New("the sky is clouded")
		}
		return &entity.Answer[string]{Rows: []string{"Phobos"}, Total: &total}, nil
	}), "get", "planet", "Mars", "Venus", "moons")
	if err != nil {
		t.Fatal(err)
	}
	text := render(t, res, true)
	for _, want := range []string{`"moons":["Phobos"],"moons_total":9`, `"name":"Venus","moons":null`, `"outcome":"degraded"`,
		"moons of Mars: 1 of 9 shown", "moons of Venus is missing: the sky is clouded"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%s is missing in %s", want, text)
			}
		})
	}
	if strings.Contains(text, "rings") {
		t.Errorf("a section that was not asked for: %s", text)
	}
}

// If a source could not be reached, the section says so. Only an answer can say that there is
// nothing.
func TestSectionWithNothingToShowSaysWhy(t *testing.T) {
	sky := func(name string) (*entity.Answer[string], error) {
		switch name {
		case "Venus":
			return nil, errors.New("the sky is clouded")
		case "Sun":
			return nil, entity.Inapplicable("the Sun is a star")
		case "Pluto":
			return nil, entity.Inapplicable("Pluto is no planet")
		case "Earth":
			return &entity.Answer[string]{Rows: []string{"Moon"}}, nil
		}
		return &entity.Answer[string]{}, nil
	}
	for line, want := range map[string]string{
		"Venus": "unavailable: Not known: the sky is clouded.", "Mercury": "empty: None.", "Sun": "inapplicable: Not applicable.",
		"Pluto": "inapplicable: Not applicable. Pluto is no planet", "Pluto Venus": "degraded: Not known: the sky is clouded. Not applicable. Pluto is no planet",
		"Mercury Venus": "degraded: None. Not known: the sky is clouded.", "Sun Earth": "data: Not applicable. Moon", "Sun Venus": "degraded: Not known: the sky is clouded. Not applicable.",
		"Pluto Mercury Sun": "empty: None. Not applicable. Pluto is no planet not applicable to Pluto, Sun: moons",
	} {
		t.Run(line, func(t *testing.T) {
			res, err := run(t, planets(sky), append(append([]string{"get", "planet"}, strings.Fields(line)...), "moons")...)
			if err != nil {
				t.Fatal(line, err)
			}
			text, got := render(t, res, false), string(res.Sections[0].Outcome)+":"
			for _, words := range []string{"None.", "Not known: the sky is clouded.", "Not applicable.", "Pluto is no planet", "not applicable to Pluto, Sun: moons", "Moon"} {
				if strings.Contains(text, words) {
					got += " " + words
				}
			}
			if got != want {
				t.Errorf("%s: %s, want %s: %s", line, got, want, text)
			}
		})
	}
}

// An id may have several records, and several ids may have the same record.
func TestRecordsOfAnID(t *testing.T) {
	found := &entity.Found[planet]{Missing: []string{"none"}}
	mars, venus := &planet{Name: "Mars"}, &planet{Name: "Venus"}
	found.Add("red", mars)
	found.Add("4", mars)
	found.Add("inner", venus)
	found.Add("inner", mars)
	res, err := run(t, entity.Define(entity.Spec[planet]{
		Name: "planet", Plural: "planets", IDs: entity.IDs{Placeholder: "<name>...", Max: 5},
		Get: command.Command{Short: "Look at planets", Examples: []command.Example{{Line: "biomcp get planet Mars"}}},
		Fetch: func(context.Context, *command.Input, []string, entity.Sections) (*entity.Found[planet], error) {
			return found, nil
		},
	}), "get", "planet", "red", "4", "inner", "none")
	if err != nil {
		t.Fatal(err)
	}
	a := res.Payload.(entity.ByID)
	var got []string
	for _, id := range a.IDs() {
		records, err := a.RecordsOf(id)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %d %s", id, len(records), records))
	}
	if want := `red 1 [{"name":"Mars"}]|4 1 [{"name":"Mars"}]|inner 2 [{"name":"Venus"} {"name":"Mars"}]|none 0 []`; strings.Join(got, "|") != want || len(found.Records) != 2 {
		t.Errorf("%d records, %q", len(found.Records), got)
	}
}

func TestAliasAnswer(t *testing.T) {
	mars := result.Candidate{Symbol: "Mars", Name: "the red one", ID: "4"}
	a := entity.Alias{Entity: "planet", Word: "Red-One", Description: "another name, not the name", Tier: "alias", Matches: []result.Candidate{mars}, Sources: []string{"Sky"}}
	f := a.Failure()
	if f.Code != result.NotFound || f.Try.String() != "biomcp get planet Mars" || f.Meta.Alias.Kind != "canonical" || f.Meta.Alias.CanonicalID != "4" {
		t.Errorf("%+v %+v", f, f.Meta.Alias)
	}
	a.Matches, a.MatchEntity = append(a.Matches, result.Candidate{Symbol: "Antares", Name: "the other red one", ID: "9"}), "star"
	f = a.Failure()
	if f.Meta.Alias.Kind != "ambiguous" || len(f.Next) != 2 || f.Next[1].String() != "biomcp get star Antares" || f.Meta.Alias.Canonical != "" ||
		len(f.Meta.Alias.Candidates) != 2 || f.Meta.Alias.CanonicalEntity != "star" || !strings.HasSuffix(f.Message, "of 2: Mars, Antares") {
		t.Errorf("%+v %+v", f, f.Meta.Alias)
	}
}

// Rows that are part of the records need no source, so a command may ask for any number of records.
func TestRowsThatCameWithTheRecord(t *testing.T) {
	e := entity.Define(entity.Spec[planet]{
		Name: "planet", Plural: "planets", IDs: entity.IDs{Placeholder: "<name>...", Max: 50, Match: func(w string) bool { return w[0] < 'a' }},
		Identity: []string{"name"}, Get: command.Command{Short: "Look at planets", Examples: []command.Example{{Line: "biomcp get planet Mars"}}},
		Fetch: func(_ context.Context, _ *command.Input, ids []string, _ entity.Sections) (*entity.Found[planet], error) {
			found := &entity.Found[planet]{}
			for _, id := range ids {
				found.Records = append(found.Records, &planet{Name: id})
			}
			return found, nil
		},
		Card: func(p *planet, _ entity.Sections) result.Doc { return nil }, ID: func(p *planet) string { return p.Name },
		Sections: []entity.Section[planet]{entity.RelatedSection[planet, string]{
			Name: "letters", Label: "Letters", Short: "its letters", Source: "Sky", Columns: []string{"Letter"}, Row: func(s *string) []string { return []string{*s} },
			Embedded: func(p *planet) ([]string, error) {
				if p.Name == "X" {
					return nil, errors.New("the unknown one")
				}
				return strings.Split(p.Name, ""), nil
			},
		}.Section()},
	})
	ids := strings.Fields("A B C D E F G H I J K L X")
	ask := append(append([]string{"get", "planet"}, ids...), "letters")
	res, err := run(t, e, ask...)
	if err != nil {
		t.Fatal(err)
	}
	ask[len(ask)-1] = "moons" // a section from another source
	if _, err := runAs(t, command.Agent, nil, planets(nil), ask...); !strings.Contains(failure(t, err).Message, "the section moons accepts at most 10 records at once, not 13") {
		t.Error(err)
	}
	text := render(t, res, true)
	for _, want := range []string{`{"name":"L","letters":["L"]}`, `{"name":"X","letters":null}`, "Letters of X is missing: the unknown one"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%s is missing in %s", want, text)
			}
		})
	}
}
