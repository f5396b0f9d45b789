package advice_test

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/advice"
	"biomcp/cli/entity/entitytest"
	"biomcp/cli/result"
	"biomcp/entrez/record"
)

// A star is a record of a toy entity, with names such as Vega; a comet has ids such as C12.
type star struct {
	Name   string `json:"name"`
	Colour string `json:"colour"`
}

var cometForm = regexp.MustCompile(`^C\d+$`)

func sections() []entity.Section[star] {
	none := func(*star) bool { return false }
	doc := func(*star) result.Doc { return nil }
	return []entity.Section[star]{
		{Name: "planets", Label: "Planets", Short: "what goes round it", Synonyms: []string{"worlds"}, Has: none, Doc: doc},
		{Name: "side-effects", Label: "Effects", Short: "effects", Has: none, Doc: doc},
	}
}

// entities returns notes with numbers as ids, stars with names and comets with ids.
func entities() []entity.Entity {
	fetch := func(_ context.Context, _ *command.Input, ids []string, _ entity.Sections) (*entity.Found[star], error) {
		found := &entity.Found[star]{}
		for _, id := range ids {
			switch id {
			case "Vega", "C12":
				found.Add(id, &star{Name: id})
			case "Wega":
				found.NotFound(id, (&advice.Alias{Entity: "star", Word: id, Description: "another name", Tier: "alias",
					Matches: []result.Candidate{{Symbol: "Vega", ID: "1"}}}).Failure())
			default:
				found.NotFound(id, nil)
			}
		}
		return found, nil
	}
	card := func(r *star, _ entity.Sections) result.Doc { return nil }
	get := func(line string) command.Command {
		return command.Command{Short: "Read", Examples: []command.Example{{Line: line, Explanation: "one"}}}
	}
	search := command.Command{Short: "Search", Examples: []command.Example{{Line: "biomcp search comet x", Explanation: "x"}}}
	isNumber := func(w string) bool { return strings.Trim(w, "0123456789") == "" }
	return []entity.Entity{
		entity.Define(entity.Spec[star]{Name: "note", Plural: "notes", IDs: entity.IDs{Placeholder: "<number>", Max: 9, Match: isNumber},
			Get: get("biomcp get note 1"), Fetch: fetch, Card: card}),
		entity.Define(entity.Spec[star]{
			Name: "star", Plural: "stars", Get: get("biomcp get star Vega"), Fetch: fetch, Card: card, Sections: sections(),
			IDs: entity.IDs{
				Placeholder: "<name>", Max: 9,
				Fuzzy: func(_ context.Context, _ *command.Input, name string) string {
					return map[string]string{"Vegga": "Vega"}[name]
				},
				Explain: func(word string) (string, result.Argv) {
					if word == "sun" {
						return "the sun is not in the catalogue", result.Argv{"get", "note", "1"}
					}
					return "", nil
				},
			},
		}),
		entity.Define(entity.Spec[star]{
			Name: "comet", Plural: "comets", Get: get("biomcp get comet C12"), Fetch: fetch, Card: card, Sections: sections(),
			IDs: entity.IDs{Placeholder: "<id>", Max: 9, Match: cometForm.MatchString, MatchExclusive: cometForm.MatchString,
				Listed: true,
				Explain: func(word string) (string, result.Argv) {
					if word == "halley" {
						return "halley is a name", nil
					}
					return "", nil
				}},
			Search: entity.Search(entity.SearchSpec[star]{Name: "comet", Placeholder: "<term>", Command: search, Source: "Sky", Key: "results", Label: "Comets"}),
		}),
	}
}

// Each rule of a word without a record suggests its line.
func TestWordsWithoutARecord(t *testing.T) {
	for line, want := range map[string]struct{ message, try, second string }{
		"star C12x":              {"no star found for C12x", "biomcp discover C12x", ""},
		"star C7":                {"C7 is an id of a comet, not of a star", "biomcp get comet C7", ""},
		"star 'Vega planets'":    {"no star found for Vega planets", "biomcp get star Vega planets", ""},
		"star 'worlds of Vega'":  {"no star found for worlds of Vega", "biomcp get star Vega planets", ""},
		"star 'Wega colour'":     {"no star found for Wega colour; Wega is another name", "biomcp get star Vega", ""},
		"star sun":               {"no star found for sun; the sun is not in the catalogue", "biomcp get note 1", ""},
		"star 32":                {"no star found for 32", "biomcp get note 32", ""},
		"star Vegga planets":     {"no star found for Vegga; did you mean Vega?", "biomcp get star Vega planets", "biomcp discover Vegga"},
		"star 'Deneb, Rigel'":    {"no star found for Deneb, Rigel", "biomcp get star Deneb Rigel", "biomcp discover 'Deneb, Rigel'"},
		"star Deneb":             {"no star found for Deneb", "biomcp discover Deneb", ""},
		"comet C99":              {"no comet found for C99", "biomcp get comet --help", ""},
		"comet 12":               {`"12" is not an id of this kind: <id>, such as C12`, "biomcp get comet C12", "biomcp get note 12"},
		"comet halley":           {"halley is a name", "biomcp search comet halley", ""},
		"comet 'C12 planets'":    {`"C12 planets" is not an id of this kind: <id>, such as C12`, "biomcp get comet C12 planets", ""},
		"comet 'long tail'":      {`"long tail" is not an id of this kind: <id>, such as C12`, "biomcp search comet 'long tail'", ""},
		"note C12":               {`"C12" is not an id of this kind: <number>, such as 1; it is an id of a comet`, "biomcp get comet C12", ""},
		"comet side effects C12": {`"side" is not an id of this kind: <id>`, "biomcp get comet --help", ""},
		"comet C1 C2 x1 halley":  {"2 words are not ids of this kind (<id>): x1, halley; --skip-invalid skips invalid ids", "biomcp get comet C1 C2 x1 halley --skip-invalid", ""},
		"comet x1 halley":        {"2 words are not ids of this kind (<id>): x1, halley", "biomcp get comet --help", ""},
		"comet long tail":        {"2 words are not ids of this kind (<id>): long, tail", "biomcp search comet 'long tail'", ""},
		"comet halley tail":      {"2 words are not ids of this kind (<id>): halley, tail; halley is a name", "biomcp search comet halley", ""},
	} {
		t.Run(line, func(t *testing.T) {
			_, err := entitytest.Call{Entities: entities()}.Run(t, append([]string{"get"}, split(line)...)...)
			f, is := errors.AsType[*result.Failure](err)
			if refusal := new(command.Refusal); errors.As(err, &refusal) {
				f, is = refusal.Failure, true
			}
			if !is {
				t.Fatalf("got %v, want a failure", err)
			}
			second := ""
			if len(f.Alternatives) > 0 {
				second = f.Alternatives[0].String()
			}
			if f.Message != want.message {
				t.Errorf("message: got %q, want %q", f.Message, want.message)
			}
			if f.Try.String() != want.try {
				t.Errorf("line to try: got %q, want %q", f.Try, want.try)
			}
			if second != want.second {
				t.Errorf("second line: got %q, want %q", second, want.second)
			}
		})
	}
}

// split splits a line at spaces outside single quotes.
func split(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

// An answer with records names the missing words, and the section that they may mean.
func TestMissingWordsOfAnAnswer(t *testing.T) {
	for line, want := range map[string]string{
		"star Vega Vegga":        "not found: Vegga; did you mean Vega?",
		"star Vega Deneb":        "not found: Deneb",
		"star Vega side effects": "not found: side, effects; the section is side-effects: biomcp get star Vega side-effects",
		"star Vega xyzzy":        "not found: xyzzy; the sections are planets, side-effects, all",
	} {
		t.Run(line, func(t *testing.T) {
			res, err := entitytest.Call{Entities: entities()}.Run(t, append([]string{"get"}, split(line)...)...)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(res.Notices, want) {
				t.Errorf("got %q, want %q", res.Notices, want)
			}
		})
	}
	res, err := entitytest.Call{Entities: entities()}.Run(t, "get", "star", "Vega", "C7")
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Next) == 0 || res.Next[0].String() != "biomcp get comet C7" {
		t.Errorf("next: got %v, want the comet", res.Next)
	}
}

// galaxies returns a search whose source drops some parts of the query and finds nothing.
func galaxies(dropped []record.DroppedTerm, change func(*entity.SearchSpec[star])) entity.Entity {
	spec := entity.SearchSpec[star]{
		Name: "galaxy", Placeholder: "[query]", Source: "Sky",
		Command: command.Command{Short: "Search", Examples: []command.Example{{Line: "biomcp search galaxy x", Explanation: "x"}}},
		Key:     "results", Label: "Galaxies", Strict: true,
		Pages: entity.Pages{Limit: 3, Max: 5},
		Filters: []entity.Filter{
			{Flag: "group", Usage: "a group", Term: func(v string) (string, error) { return v, nil },
				OtherNames: func(_ context.Context, _ *command.Input, v string) (entity.OtherNames, error) {
					if v != "Local" {
						return entity.OtherNames{}, nil
					}
					return entity.OtherNames{Names: []string{"Ours"}, Description: "a name of Ours"}, nil
				}},
			{Flag: "language", Usage: "a language", RequireKnown: true, ValueSynonyms: command.Synonyms{"latin": "lat"}},
			{Flag: "date", Dates: &entity.Dates{From: "from", To: "to"}},
		},
		Alternatives: entity.Alternatives{
			Spell: func(_ context.Context, _ *command.Input, text string) string {
				return strings.ReplaceAll(text, "andromda", "andromeda")
			},
			Count: func(_ context.Context, _ *command.Input, q *entity.Query) (int, error) {
				return len(q.Filters), nil
			},
			OtherSearches: func(_ context.Context, _ *command.Input, q *entity.Query) ([]result.Argv, string) {
				return []result.Argv{{"search", "corpus", q.Text}}, "in the local corpus: 3"
			},
		},
		Find: func(context.Context, *command.Input, *entity.Query) (*entity.Page[star], error) {
			return &entity.Page[star]{Total: new(0), Dropped: dropped}, nil
		},
	}
	if change != nil {
		change(&spec)
	}
	return entity.Entity{Name: "galaxy", Search: entity.Search(spec)}
}

// A search without hits suggests, in this order, another spelling, fewer filters and other searches.
func TestSearchWithoutHits(t *testing.T) {
	words := []string{"search", "galaxy", "andromda", "--group", "x", "--date-from", "2020"}
	res, err := entitytest.Call{Entities: []entity.Entity{galaxies(nil, nil)}}.Run(t, words...)
	if err != nil {
		t.Fatal(err)
	}
	var next []string
	for _, line := range res.Next {
		next = append(next, line.String())
	}
	want := []string{
		"biomcp search galaxy andromeda --group=x --date-from 2020",
		"biomcp search galaxy andromda --group x", "biomcp search galaxy andromda --date-from 2020", "biomcp search corpus andromda",
	}
	if !slices.Equal(normal(next), normal(want)) {
		t.Errorf("suggestions:\n got %q\nwant %q", next, want)
	}
	notices := []string{"nothing was found; did you mean “andromeda”?",
		"hits without its filters: 0; without its dates: 1; without --group x: 1; in the local corpus: 3"}
	if !slices.Equal(res.Notices, notices) {
		t.Errorf("notices:\n got %q\nwant %q", res.Notices, notices)
	}
	uncounted := galaxies(nil, func(s *entity.SearchSpec[star]) { s.Alternatives = entity.Alternatives{} })
	if res, err = (entitytest.Call{Entities: []entity.Entity{uncounted}}).Run(t, words...); err != nil {
		t.Fatal(err)
	}
	if len(res.Next) != 1 || res.Next[0].String() != "biomcp search galaxy andromda" {
		t.Errorf("suggestions of a source that cannot count: got %v", res.Next)
	}
}

// normal returns lines with a space between each flag and its value.
func normal(lines []string) (out []string) {
	for _, l := range lines {
		out = append(out, strings.ReplaceAll(l, "=", " "))
	}
	return out
}

// A part of the query that the source dropped is named, and the filter that it belongs to is marked.
func TestDroppedParts(t *testing.T) {
	drop := func(phrase string) []record.DroppedTerm {
		return []record.DroppedTerm{{Phrase: phrase, Action: "dropped", NotSearched: true}}
	}
	for name, c := range map[string]struct {
		words   string
		dropped []record.DroppedTerm
		want    string
	}{
		"a filter":                  {"vega --group x", drop("x"), "Sky found nothing for the filter --group x"},
		"a part of one":             {"vega --group 'big x'", drop("x"), "Sky found nothing for a part of the filter --group big x: “x”"},
		"one of several names":      {"vega --group Local", drop("Local"), "Sky does not have Local, one of the names; the hits are for the others"},
		"a word":                    {"vega zzq", drop("zzq"), "Sky dropped: “zzq”"},
		"a field":                   {"vega group:zzq", drop("group:zzq"), "Sky dropped: “group:zzq” (did you mean --group zzq?)"},
		"every word of the query":   {"zzq", drop("zzq"), "the source dropped every word of the query; hits for the rest are not shown"},
		"an unknown value (strict)": {"vega --language klingon", drop("klingon"), `Sky does not know the value "klingon" of --language; known values include latin`},
		"a word, with --strict":     {"vega zzq --strict", drop("zzq"), "Sky dropped: “zzq”"},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := entitytest.Call{Entities: []entity.Entity{galaxies(c.dropped, nil)}}.Run(t,
				append([]string{"search", "galaxy"}, split(c.words)...)...)
			var got []string
			if err != nil {
				got = []string{err.Error()}
			} else {
				got = res.Notices
			}
			if !slices.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A count that reached its limit may be higher.
func TestFormatCount(t *testing.T) {
	for _, c := range []struct {
		n, limit int
		want     string
	}{{3, 0, "3"}, {3, 10, "3"}, {10, 10, "10 or more"}} {
		if got := advice.FormatCount(c.n, c.limit); got != c.want {
			t.Errorf("count %d up to %d: got %q, want %q", c.n, c.limit, got, c.want)
		}
	}
}
