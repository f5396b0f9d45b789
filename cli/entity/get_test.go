package entity_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/httpclient"
)

// starSpec returns the get command of the toy entity, which has the records a, b and c. The lookup
// of x fails.
func starSpec() entity.Spec[star] {
	return entity.Spec[star]{
		Name: "star", Plural: "stars", IDs: entity.IDs{Placeholder: "<letter>...", Max: 4, Match: func(word string) bool { return len(word) == 1 }},
		Label: "Stars", Sources: []string{"sky"},
		Get: command.Command{
			Short:    "Read stars",
			Examples: []command.Example{{Line: "biomcp get star a", Explanation: "a star"}},
			Flags:    func(f *command.Flags) { f.Bool("dim", false, "dim ones too") },
		},
		Fetch: func(_ context.Context, _ *command.Input, ids []string, _ entity.Sections) (*entity.Found[star], error) {
			found := &entity.Found[star]{}
			for _, id := range ids {
				switch id {
				case "a", "b", "c":
					found.Add(id, &star{Name: id})
				case "x":
					found.Missing, found.Problem = append(found.Missing, id), errors.New("the sky is cloudy")
				default:
					found.Missing = append(found.Missing, id)
				}
			}
			return found, nil
		},
		Card: func(r *star, _ entity.Sections) result.Doc { return result.Doc{result.Heading{Level: 1, Text: r.Name}} },
		Sections: []entity.Section[star]{
			{
				Name: "planets", Label: "Planets", Short: "what goes round it", Source: "telescope",
				Load: func(_ context.Context, _ *command.Input, records []*star) (entity.LoadResult, error) {
					records[0].Planets = []string{"b", "c"}
					return entity.LoadResult{Notices: []string{"seen tonight"}}, nil
				},
				Has: func(r *star) bool { return len(r.Planets) > 0 },
				Doc: func(r *star) result.Doc { return result.Doc{result.List{Items: r.Planets}, result.ItemEnd{}} },
			},
			{
				Name: "spectrum", Label: "Spectrum", Short: "its light", Source: "prism",
				Load: func(context.Context, *command.Input, []*star) (entity.LoadResult, error) {
					return entity.LoadResult{}, errors.New("the prism is broken")
				},
				Has: func(*star) bool { return false }, Doc: func(*star) result.Doc { return nil },
			},
			{Name: "myths", Label: "Myths", Short: "who it was", Source: "books", Has: func(*star) bool { return false }, Doc: func(*star) result.Doc { return nil }},
		},
		Next: func(r *star) []result.Argv { return []result.Argv{{"search", "star", r.Name}} },
	}
}

func getStar(t *testing.T, words ...string) (*result.Result, error) {
	t.Helper()
	return run(t, entity.Define(starSpec()), append([]string{"get", "star"}, words...)...)
}

func TestGetCommandComesFromTheSpec(t *testing.T) {
	e := entity.Define(starSpec())
	if e.Get.Use != "star <letter>... [section...]" || e.Get.Args.Min != 0 || e.Get.Args.Max != -1 || e.Get.Effect != command.Reads {
		t.Errorf("%+v", e.Get)
	}
	if len(e.Get.Sections) != 3 || !reflect.DeepEqual(e.Get.Sections[0], command.Section{Name: "planets", Short: "what goes round it"}) {
		t.Errorf("%+v", e.Get.Sections)
	}
	if got := e.Get.Suggest(nil, nil); !slices.Equal(got, []string{"planets", "spectrum", "myths", "all"}) {
		t.Error(got)
	}
	spec := starSpec()
	spec.IDs.Max, spec.Sections = 1, nil
	if e := entity.Define(spec); e.Get.Use != "star <letter>..." || e.Get.Args != (command.Args{Min: 1, Max: 1, Name: "one id: <letter>..."}) || e.Get.Suggest != nil {
		t.Errorf("%+v", e.Get)
	}
	spec.Get.Args = command.Args{Min: 1, Max: 1, Name: "one letter", FreeText: true}
	if e := entity.Define(spec); e.Get.Args != spec.Get.Args {
		t.Errorf("%+v", e.Get.Args)
	}
	if e := entity.Define(entity.Spec[star]{Name: "star", Sync: []*command.Command{{Use: "star"}}}); e.Get != nil || len(e.Sync) != 1 {
		t.Errorf("%+v", e)
	}
}

func TestGetSplitsIDsFromSections(t *testing.T) {
	for line, want := range map[string]string{
		"a b a planets":          `"requested":["a","b"]`,
		"planets a":              `"requested":["a"]`,
		"a all":                  `"planets":["b","c"]`,
		"a myths myths":          `"not_found":[]`,
		"a q":                    `"not_found":["q"]`,
		"planets":                "which star? Give an id before the section: <letter>...",
		"a planet":               `no section "planet"; sections: planets, spectrum, myths, all; did you mean planets?`,
		"mars":                   `"mars" is not an id of this kind: <letter>...`,
		"a b c d e":              `"not_found":["d","e"]`,
		"q r":                    "no star found for q, r",
		"x":                      "the sky is cloudy",
		strings.Repeat("v", 200): strings.Repeat("v", 120) + "…",
	} {
		t.Run(line, func(t *testing.T) {
			res, err := getStar(t, strings.Fields(line)...)
			got := ""
			if err != nil {
				got = err.Error()
			} else if body, err := result.JSON(res.Payload); err != nil {
				t.Error(err)
			} else {
				got = string(body)
			}
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing in %s", line, want, got)
			}
		})
	}
	// Every card shows the name, so it is not a section.
	if _, err := getStar(t, "blue name"); err == nil || !strings.Contains(err.Error(), "is not an id of this kind") {
		t.Error(err)
	}
	_, err := getStar(t, "q", "r")
	if f := failure(t, err); f.Code != result.NotFound || !slices.Equal(f.Details["not_found"].([]string), []string{"q", "r"}) {
		t.Errorf("%+v", f)
	}
	spec := starSpec()
	spec.Sections, spec.IDs.Match = nil, nil
	if res, err := run(t, entity.Define(spec), "get", "star", "a", "planets"); err != nil || !slices.Contains(res.Notices, "not found: planets") {
		t.Errorf("without IsID every word is an id: %v, %+v", err, res)
	}
	spec.IDs.Match = starSpec().IDs.Match
	if _, err := run(t, entity.Define(spec), "get", "star", "a", "planets"); err == nil || !strings.Contains(err.Error(), "and get star has no sections") {
		t.Error(err)
	}
}

func TestGetReportsEachSection(t *testing.T) {
	res, err := getStar(t, "a", "x", "all")
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]result.State{}
	for _, s := range res.Sections {
		states[s.Key] = s.Outcome
	}
	for key, want := range map[string]result.State{"stars": result.Degraded, "planets": result.Data, "spectrum": result.Unavailable, "myths": result.Empty} {
		t.Run(key, func(t *testing.T) {
			if states[key] != want {
				t.Errorf("%s: %q, not %q", key, states[key], want)
			}
		})
	}
	if got := strings.Join(res.Notices, "; "); got != "not found: x; seen tonight; Spectrum is missing: the prism is broken" {
		t.Error(got)
	}
	text := render(t, res, false)
	for _, want := range []string{"# a\n", "## Planets\n\n- b\n- c\n", "## Spectrum\n\nNot known: the prism is broken.\n", "biomcp search star a"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%q is missing in\n%s", want, text)
			}
		})
	}
	if strings.Index(text, "## Planets") > strings.Index(text, "## Spectrum") {
		t.Error("sections are not in the order of the entity")
	}
}

func TestEachOfSeveralRecordsIsAnItem(t *testing.T) {
	res, err := getStar(t, "a", "q", "b", "c", "myths", "--dim")
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Next) != 0 {
		t.Error(res.Next)
	}
	steps := 0
	for _, b := range res.Payload.Doc() {
		if _, ok := b.(result.ItemEnd); ok {
			steps++
		}
	}
	if steps != 3 {
		t.Errorf("%d steps", steps)
	}
}

func TestFoundPayloadAndExtra(t *testing.T) {
	spec := starSpec()
	spec.Fetch = func(context.Context, *command.Input, []string, entity.Sections) (*entity.Found[star], error) {
		own := ownShape{&entity.Hits[star]{}}
		return &entity.Found[star]{Records: []*star{{Name: "a"}}, Payload: own}, nil
	}
	res, err := run(t, entity.Define(spec), "get", "star", "a")
	if err != nil || len(res.Next) != 1 {
		t.Fatalf("%v %+v", err, res)
	}
	if _, own := res.Payload.(ownShape); !own {
		t.Errorf("%T", res.Payload)
	}
	spec.Fetch = func(context.Context, *command.Input, []string, entity.Sections) (*entity.Found[star], error) {
		return &entity.Found[star]{Records: []*star{{Name: "a"}}, Extra: struct {
			Method string `json:"method"`
		}{"eye"}}, nil
	}
	res, err = run(t, entity.Define(spec), "get", "star", "a")
	if err != nil {
		t.Fatal(err)
	}
	if body, err := result.JSON(res.Payload); err != nil || string(body) != `{"requested":["a"],"stars":[{"name":"a","companion":null}],"not_found":[],"unavailable":[],"method":"eye"}` {
		t.Errorf("%v %s", err, body)
	}
}

func TestSectionMistakesOfTheCallerAndCancellationEndTheCommand(t *testing.T) {
	spec := starSpec()
	bad := result.Invalid("no such planet", "list")
	spec.Sections[0].Load = func(context.Context, *command.Input, []*star) (entity.LoadResult, error) {
		return entity.LoadResult{}, bad
	}
	if _, err := run(t, entity.Define(spec), "get", "star", "a", "planets"); !errors.Is(err, bad) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	asked := false
	if err := httpclient.Parallel(ctx, 0, 1, func(context.Context, int) { asked = true }); !errors.Is(err, context.Canceled) || !asked {
		t.Error(err)
	}
	late, stop := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer stop()
	if err := httpclient.Parallel(late, time.Hour, 2, func(context.Context, int) {}); err != nil {
		t.Error(err)
	}
	spec.Sections[0].Load = func(context.Context, *command.Input, []*star) (entity.LoadResult, error) {
		return entity.LoadResult{}, late.Err()
	}
	res, err := run(t, entity.Define(spec), "get", "star", "a", "planets")
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(res.Sections, func(s result.SectionSource) bool { return s.Key == "planets" }); i < 0 || res.Sections[i].Outcome != result.Unavailable {
		t.Errorf("a section without time is a part that is missing: %+v", res)
	}
}
