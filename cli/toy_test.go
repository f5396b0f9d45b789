package cli

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/record"
)

// The toy entity proves that an entity needs one file and one line in a list. Commands,
// sections, help and messages follow from it.

type planet struct {
	Name  string   `json:"name"`
	Moons []string `json:"moons,omitempty"`
}

func toyEntity() entity.Entity {
	return entity.Define(entity.Spec[planet]{
		Name: "planet", Plural: "planets", IDs: entity.IDs{Placeholder: "<name>...", Max: 3, Match: func(w string) bool { return slices.Contains([]string{"mars", "venus", "nibiru", "jupiter"}, w) }},
		Get: command.Command{Short: "Read planets", Examples: []command.Example{{Line: "biomcp get planet mars moons", Explanation: "a planet"}}},
		Fetch: func(_ context.Context, _ *command.Input, ids []string, _ entity.Sections) (*entity.Found[planet], error) {
			f := &entity.Found[planet]{Records: []*planet{}}
			for _, id := range ids {
				if id == "nibiru" {
					f.Missing = append(f.Missing, id)
				} else {
					f.Records = append(f.Records, &planet{Name: id})
				}
			}
			return f, nil
		},
		Card: func(p *planet, _ entity.Sections) result.Doc {
			return result.Doc{result.Heading{Level: 1, Text: p.Name}}
		},
		Sections: []entity.Section[planet]{
			{
				Name: "moons", Label: "Moons", Short: "what goes round it", Source: "sky",
				Load: func(_ context.Context, _ *command.Input, ps []*planet) (entity.LoadResult, error) {
					for _, p := range ps {
						if p.Name == "jupiter" {
							panic("/home/secret: too many moons")
						}
						if p.Name == "mars" {
							p.Moons = []string{"Phobos", "Deimos"}
						}
					}
					return entity.LoadResult{}, nil
				},
				Has: func(p *planet) bool { return len(p.Moons) > 0 },
				Doc: func(p *planet) result.Doc { return result.Doc{result.List{Items: p.Moons}} },
			},
			{
				Name: "rings", Label: "Rings", Short: "what is round it", Source: "telescope",
				Load: func(context.Context, *command.Input, []*planet) (entity.LoadResult, error) {
					return entity.LoadResult{}, os.ErrDeadlineExceeded
				},
				Has: func(*planet) bool { return false }, Doc: func(*planet) result.Doc { return nil },
			},
		},
		Next: func(p *planet) []result.Argv { return []result.Argv{{"get", "planet", p.Name, "moons"}} },
		Search: entity.Search(entity.SearchSpec[planet]{
			Name: "planet", Placeholder: "[word]", Source: "Sky", Sources: []string{"sky"}, Key: "results", Label: "Planets",
			Command: command.Command{Short: "Find planets", Examples: []command.Example{{Line: "biomcp search planet red", Explanation: "planets"}}},
			Filters: []entity.Filter{{Flag: "kind", Usage: "what it is made of", Values: []string{"rock", "gas"}}},
			Strict:  true, Pages: entity.Pages{Limit: 1, Max: 2},
			Find: func(_ context.Context, _ *command.Input, q *entity.Query) (*entity.Page[planet], error) {
				p := &entity.Page[planet]{}
				if strings.Contains(q.Text, "xq") {
					p.Dropped = []record.DroppedTerm{{Phrase: "xq", Action: "does not know"}}
				}
				for _, name := range []string{"mars", "venus", "jupiter"}[q.Offset:][:q.Limit] {
					p.Hits = append(p.Hits, &planet{Name: name})
				}
				return p, nil
			},
			Rows: entity.Rows[planet]{Columns: []string{"Planet"}, Row: func(p *planet) []string { return []string{p.Name} }},
			Next: func(p *planet) []result.Argv { return []result.Argv{{"get", "planet", p.Name}} },
		}),
		Sync: []*command.Command{{
			Use: "planet <name>", Short: "Keep a planet here", Effect: command.Stores, Args: command.Args{Min: 1, Max: 1, Name: "a planet"},
			Examples: []command.Example{{Line: "biomcp sync planet mars", Explanation: "a planet on this machine"}},
			Run: func(_ context.Context, in *command.Input) (*result.Result, error) {
				return nil, result.Missing("no orbit for "+in.Args[0], "get", "planet", in.Args[0])
			},
		}},
		Health: func(context.Context, *command.Input) []entity.Check {
			return []entity.Check{{Name: "telescope", Kind: "data", Status: "ok", Detail: "8 planets"}, {Name: "orbits", Kind: "data", Err: os.ErrNotExist}}
		},
	})
}

// toyRun runs words over a tree that has only the toy entity.
func toyRun(t *testing.T, words ...string) result.Outcome {
	t.Helper()
	return runIn(t.Context(), toyTree(), toyApp(), command.IO{}, words, command.Person)
}

func toyTree() *command.Tree { return command.NewTree(Root([]entity.Entity{toyEntity()})) }

// Sections are read in parallel. A panic in one fails the command, but not the server.
func TestPanicInASection(t *testing.T) {
	out := toyRun(t, "get", "planet", "jupiter", "all")
	text, failed := RenderAnswer(out, true, 0)
	if !failed || ExitStatus(out) != 1 || !strings.Contains(text, `"UNKNOWN"`) || strings.Contains(text, "secret") {
		t.Error(text)
	}
}

func TestToyEntityHasEverything(t *testing.T) {
	text, failed := RenderAnswer(toyRun(t, "get", "planet", "mars", "nibiru", "moons", "rings"), false, 0)
	for _, want := range []string{"not found: nibiru", "Rings is missing", "# mars", "## Moons", "- Phobos"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing in\n%s", want, text)
			}
		})
	}
	if failed {
		t.Error("part of an answer is an answer")
	}
	const next = "biomcp get planet mars moons"
	if rings, _ := RenderAnswer(toyRun(t, "get", "planet", "mars", "rings"), false, 0); strings.Contains(text, next) || !strings.Contains(rings, next) {
		t.Errorf("the next command repeats what was asked, or is missing: %s", rings)
	}
	text, _ = RenderAnswer(toyRun(t, "get", "planet", "mars", "venus", "all"), true, 0)
	var got struct {
		Requested []string
		Planets   []planet
		NotFound  []string `json:"not_found"`
		Meta      struct {
			Sources []result.SectionSource `json:"section_sources"`
		} `json:"_meta"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err, text)
	}
	if len(got.Planets) != 2 || got.NotFound == nil || len(got.Meta.Sources) != 2 ||
		got.Meta.Sources[0].Outcome != result.Data || got.Meta.Sources[1].Outcome != result.Unavailable {
		t.Errorf("%+v", got)
	}
	for words, want := range map[string]string{
		"get planet":              "get planet needs at least one id: <name>...",
		"get planet mars pathway": `no section "pathway"; sections: moons, rings, all`,
		"get planet mars mons":    "did you mean moons?",
		"get planet moons":        "Give an id before the section",
		"get planet nibiru":       "no planet found for nibiru",
		"get plant mars":          `no entity "plant"; did you mean planet?`,
	} {
		t.Run(words, func(t *testing.T) {
			text, failed := RenderAnswer(toyRun(t, strings.Fields(words)...), false, 0)
			if !failed || !strings.Contains(text, want) {
				t.Errorf("%s: %s", words, text)
			}
		})
	}
	text, _ = RenderAnswer(toyRun(t, "get", "planet", "--help"), false, 0)
	if !strings.Contains(text, "Sections, after the ids: moons, rings, all.") {
		t.Error(text)
	}
	text, _ = RenderAnswer(toyRun(t, "help", "get", "planet"), false, 0)
	if !strings.Contains(text, "biomcp get planet mars moons") {
		t.Error(text)
	}
}

func TestToyEntityIsInEveryTextMadeFromTheTree(t *testing.T) {
	tree := toyTree()
	list, _ := RenderAnswer(toyRun(t, "list"), false, 0)
	for name, c := range map[string]struct{ text, want string }{
		"reference": {ReferenceText(tree), "| planet moons | what goes round it |"},
		"list":      {list, `| sync planet \<name> | Keep a planet here |`},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(c.text, c.want) {
				t.Errorf("%s: %q is missing in\n%s", name, c.want, c.text)
			}
		})
	}
	for _, c := range Runnable(tree, tree.Root, command.Person) {
		want := map[string]string{"list": "planet", "get planet": "moons"}[strings.Join(command.Path(c), " ")]
		if got, _ := c.ValidArgsFunction(c, nil, ""); want != "" && (!slices.Contains(got, want) || slices.Contains(got, "article")) {
			t.Errorf("%s completes %q", c.Name(), got)
		}
	}
	app := ncbiApp(t, synthetic(t))
	for words, want := range map[string]string{
		"search planet":                "search planet needs a query or a filter",
		"search planet red":            "- **Planets:** total unknown, shown 1 to 1\n\n| Planet |\n| --- |\n| mars |\n",
		"search planet red --json":     "\"biomcp search planet red --offset 1 --json\"",
		"search planet red --kind ice": "is not one of rock, gas",
		"search planet xq --strict":    "Sky does not know: “xq”",
		"search planet red blue":       "# Sky: red blue\n",
		"list planet":                  "| planet rings | what is round it |",
		"sync --help":                  "Keep a planet here",
		"sync planet mars":             "no orbit for mars",
		"sync":                         "sync needs a target: planet",
		"health":                       "| telescope | data | ok | 8 planets |\n| orbits | data | down |",
	} {
		t.Run(words, func(t *testing.T) {
			out := runIn(t.Context(), toyTree(), app, command.IO{}, strings.Fields(words), command.Person)
			if text, _ := RenderAnswer(out, strings.Contains(words, "--json"), 0); !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing in\n%s", words, want, text)
			}
		})
	}
}
