package entity_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/entrez/record"
)

func searchStars(t *testing.T, s *sky, words ...string) (*result.Result, error) {
	t.Helper()
	return run(t, entity.Entity{Name: "star", Search: entity.Search(s.spec())}, append([]string{"search", "star"}, words...)...)
}

func TestSearchFlagsComeFromTheSpec(t *testing.T) {
	tree := command.NewTree(&command.Command{Use: "biomcp", Short: "test", Noun: "command", Commands: entity.Groups([]entity.Entity{{Name: "star", Search: entity.Search((&sky{}).spec())}})}).Expand()
	cmd := tree.Root.Commands()[0].Commands()[0]
	var flags []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
	if got := strings.Join(flags, " "); got != "constellation class catalogue date-from date-to last date-type visible exclude-variable sort strict limit offset follow csv tsv jsonl output force fields dim arcs" {
		t.Error(got)
	}
	usage := cmd.Flags().FlagUsages()
	for _, want := range []string{"-c, --constellation", "--class A|G", "--date-type seen|listed", "fail when Sky drops a part of the query", "(at most 5)"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(usage, want) {
				t.Errorf("%q is missing in\n%s", want, usage)
			}
		})
	}
	def := tree.Command(cmd)
	equal(t, "usage", def.Use, "star [query] [filters]")
	equal(t, "arguments", def.Args, command.Args{Max: 1, Name: "a query", FreeText: true})
	equal(t, "effect", def.Effect, command.Reads)
	c := entity.Search(entity.SearchSpec[star]{Name: "star", Placeholder: "<term>"})
	equal(t, "minimum of arguments of <term>", c.Args.Min, 1)
	equal(t, "name of the argument <term>", c.Args.Name, "a term")
	c = entity.Search(entity.SearchSpec[star]{Name: "star"})
	equal(t, "usage without a query", c.Use, "star")
	equal(t, "maximum of arguments without a query", c.Args.Max, 0)
}

func TestFiltersReachTheSourceAsTypedAndAsSent(t *testing.T) {
	s := &sky{stars: constellation(1)}
	res, err := searchStars(t, s, "vega", "-c", "Lyra", "-c", "a, b", "--class", "A", "--catalogue", " BSC ",
		"--date-from", "2020-02", "--date-to", "2021", "--date-type", "listed", "--visible", "--exclude-variable")
	if err != nil {
		t.Fatal(err)
	}
	type applied struct{ flag, value, term string }
	want := []applied{
		{"constellation", "Lyra", "in:Lyra"}, {"constellation", "a, b", "in:a, b"}, {"class", "A", "A"}, {"catalogue", "BSC", "BSC"},
		{"date", "2020-02-01 to 2021-12-31, listed", "2020-02-01 to 2021-12-31, listed"}, {"visible", "true", "true"},
		{"exclude-variable", "true", "true"},
	}
	if !slices.EqualFunc(s.asked.Filters, want, func(f entity.AppliedFilter, w applied) bool {
		return applied{f.Flag, f.Value, f.Term} == w && f.Exclude == (w.flag == "exclude-variable") && !f.Dropped && !f.MatchAny
	}) {
		t.Errorf("%+v", s.asked.Filters)
	}
	equalList(t, "values of --constellation", s.asked.Values("constellation"), []string{"Lyra", "a, b"})
	equal(t, "value of --class", s.asked.Value("class"), "A")
	equal(t, "value of an unknown flag", s.asked.Value("nothing"), "")
	equal(t, "first day", s.asked.Dates.From.String(), "2020-02-01")
	equal(t, "last day", s.asked.Dates.To.String(), "2021-12-31")
	equal(t, "order", s.asked.Sort, "name")
	equal(t, "limit", s.asked.Limit, 3)
	if text := render(t, res, true); !strings.Contains(text, `"flag":"constellation","value":"Lyra","term":"in:Lyra"`) {
		t.Error(text)
	}
	if _, err := searchStars(t, s, "--date-to", "2021"); err != nil {
		t.Error(err)
	}
	equal(t, "dates without a start", s.asked.Value("date"), "any to 2021-12-31, seen")
}

func TestBadWordsAreRefusedBeforeTheSourceIsAsked(t *testing.T) {
	for line, want := range map[string]string{
		`vega --class M`:                       `"M" is not one of A, G`,
		`vega --sort colour`:                   `"colour" is not one of name, brightness`,
		`vega -c ""`:                           "the value is empty",
		`vega -c "a|b"`:                        "--constellation cannot hold |",
		`vega --date-from May`:                 `--date-from "May" is not a date`,
		`vega --date-to 2023-02-30`:            `--date-to "2023-02-30" is not a date of the calendar`,
		`vega --date-from 2024 --date-to 2023`: "--date-from 2024 is later than --date-to 2023",
		``:                                     "search star needs a query or a filter",
		`""`:                                   "the text is empty",
		`--exclude-variable`:                   "search star needs a query or a filter",
		`--catalogue " "`:                      "search star needs a query or a filter",
		strings.Repeat("v", 1001):              "the text has 1001 bytes; at most 1000",
		`vega --limit 0`:                       "--limit must be at least 1, not 0",
		`vega --limit x`:                       "invalid argument",
		`vega --offset -1`:                     "--offset must not be negative: -1",
		`vega --offset 1000000001`:             "--offset must be at most 1000000000",
		`vega --offset 1000000001 --sort brightness`: "--offset must be at most 1000000000",
		`vega --offset 9`: "Sky gives the first 9 hits only; --offset 9 works with --sort brightness",
	} {
		t.Run(fmt.Sprintf("%.60s", line), func(t *testing.T) {
			s := &sky{}
			args, err := words.Split(line)
			if err != nil {
				t.Fatal(err)
			}
			_, err = searchStars(t, s, args...)
			if err == nil {
				t.Fatalf("got no error, want %q", want)
			}
			contains(t, "error", err.Error(), want)
			if s.asked != nil {
				t.Errorf("the source received the query %+v, want none", s.asked)
			}
			if f, ok := err.(*result.Failure); ok {
				equal(t, "code", f.Code, result.Validation)
				if len(f.Try) == 0 {
					t.Errorf("got no suggestion, want one: %+v", f)
				}
			}
		})
	}
	_, err := searchStars(t, &sky{}, "a\x01b")
	if err == nil {
		t.Fatal("got no error for a control character")
	}
	contains(t, "error for a control character", err.Error(), "bytes that are not text")
	spec := (&sky{}).spec()
	spec.Pages.DeepSort = ""
	if _, err := run(t, entity.Entity{Name: "star", Search: entity.Search(spec)}, "search", "star", "x", "--offset", "9"); failure(t, err).Message != "Sky gives the first 9 hits only, and --offset is 9" {
		t.Error(err)
	}
}

func TestPagesOfASearch(t *testing.T) {
	for _, c := range []struct {
		flags   string
		sky     sky
		asked   string // offset and limit of the query
		next    string // offset of the next page, or ""
		notices string
	}{
		{"", sky{stars: constellation(7), counts: true}, "0 3", "3", ""},
		{"--offset 3", sky{stars: constellation(7), counts: true}, "3 3", "6", ""},
		{"--offset 6", sky{stars: constellation(7), counts: true}, "6 3", "", ""},
		{"--offset 4", sky{stars: constellation(7), counts: true}, "4 3", "", ""}, // the page ends with the last hit
		{"--offset 20 --sort brightness", sky{stars: constellation(7), counts: true}, "20 3", "", ""},
		{"--limit 99", sky{stars: constellation(7), counts: true}, "0 5", "5", "limit lowered from 99 to 5"},
		{"", sky{stars: constellation(7)}, "0 3", "3", ""}, // the source does not count
		{"--offset 6", sky{stars: constellation(7)}, "6 3", "", ""},
		{"--offset 7", sky{stars: constellation(20), counts: true}, "7 2", "", "limit lowered to 2: Sky gives the first 9 hits only, except with --sort brightness"},
		{"--offset 6", sky{stars: constellation(20), counts: true}, "6 3", "", ""}, // the page ends with the window
		{"--offset 7 --sort brightness", sky{stars: constellation(20), counts: true}, "7 3", "10", ""},
		{"", sky{stars: constellation(2), counts: true, lies: 8}, "0 3", "", "Sky counts 10 hits, 3 of them for this page, and gave 2"},
	} {
		t.Run(fmt.Sprintf("%.60s", c.flags), func(t *testing.T) {
			res, err := searchStars(t, &c.sky, append([]string{"vega"}, strings.Fields(c.flags)...)...)
			if err != nil {
				t.Errorf("%s: %v", c.flags, err)
				return
			}
			if asked := fmt.Sprint(c.sky.asked.Offset, " ", c.sky.asked.Limit); asked != c.asked {
				t.Errorf("offset and limit: got %s, want %s", asked, c.asked)
			}
			next := ""
			for _, n := range res.Next {
				if i := slices.Index(n, "--offset"); i >= 0 {
					next = n[i+1]
				}
			}
			if next != c.next {
				t.Errorf("offset of the next page: got %q, want %q", next, c.next)
			}
			if text := strings.Join(res.Notices, "; "); c.notices == "" {
				equal(t, "notices", text, "the night is clear")
			} else {
				contains(t, "notices", text, c.notices)
			}
			equal(t, "degraded", res.Sections[0].Outcome == result.Degraded, c.sky.lies > 0)
			left := c.sky.stars[min(c.sky.asked.Offset, len(c.sky.stars)):]
			equal(t, "calls of Describe", c.sky.described, min(1, len(left)))
		})
	}
}

func TestAHitThatIsNotDescribedCountsForThePage(t *testing.T) {
	total := 4
	spec := (&sky{}).spec()
	spec.Find = func(context.Context, *command.Input, *entity.Query) (*entity.Page[star], error) {
		return &entity.Page[star]{Hits: []*star{{Name: "a"}, {Name: "b"}}, Retrieved: 3, Total: &total, State: result.Degraded}, nil
	}
	res, err := run(t, entity.Entity{Search: entity.Search(spec)}, "search", "star", "vega")
	if err != nil {
		t.Fatal(err)
	}
	equalList(t, "notices", res.Notices, nil)
	equal(t, "number of suggestions", len(res.Next), 2)
	equal(t, "outcome", res.Sections[0].Outcome, result.Degraded)
}

func TestStrictRefusesABroaderSearch(t *testing.T) {
	s := &sky{stars: constellation(2), counts: true, dropped: []record.DroppedTerm{{Phrase: "xq", Action: "dropped", NotSearched: true}, {Phrase: "zz", Action: "dropped", NotSearched: true}, {Action: "says: no"}}}
	_, err := searchStars(t, s, "vega xq", "--strict", "--limit", "2")
	f := failure(t, err)
	equal(t, "code", f.Code, result.Entrez)
	equal(t, "message", f.Message,
		"Sky dropped: “xq”, “zz”; Sky says: no; the hits are for the rest of the query only")
	equal(t, "suggestion", f.Try.String(), "biomcp search star 'vega xq' --limit 2")
	details := fmt.Sprint(f.Details["dropped_phrases"], *f.Details["total"].(*int))
	equal(t, "dropped phrases and total", details, "[xq zz] 2")
	if s.described > 0 {
		t.Error("hits of a refused page were described")
	}
	res, err := searchStars(t, s, "vega xq")
	if err != nil {
		t.Fatal(err)
	}
	equalList(t, "notices", res.Notices, []string{"Sky dropped: “xq”, “zz”",
		"Sky says: no; the hits are for the rest of the query only", "the night is clear"})
	contains(t, "JSON", render(t, res, true), `"dropped_phrases":["xq","zz"]`)
	if _, err := searchStars(t, &sky{stars: constellation(2)}, "vega", "--strict"); err != nil {
		t.Errorf("nothing was dropped: %v", err)
	}
}

func TestDroppedFiltersAreMarkedAndCorrected(t *testing.T) {
	for _, c := range []struct {
		dropped []record.DroppedTerm
		words   string
		notice  string
		marked  string // values of the filters marked as dropped
		try     string
	}{
		{[]record.DroppedTerm{{Phrase: `"lyrra"[Constellation]`, Action: "dropped", NotSearched: true}}, "vega -c a -c Lyrra", "Sky dropped the filter --constellation Lyrra; did you mean Lyra?", "Lyrra",
			"biomcp search star vega --constellation a --constellation Lyra"},
		{[]record.DroppedTerm{{Phrase: "true", Action: "dropped", NotSearched: true}}, "vega --visible", "Sky dropped the filter --visible", "true", ""},
		{[]record.DroppedTerm{{Phrase: "a", Action: "dropped", NotSearched: true}}, "vega -c a -c b", "Sky dropped the filter --constellation a", "a", ""},
		{[]record.DroppedTerm{{Phrase: `"a"[Constellation]`, Action: "does not know the phrase, and searched for its words separately"}}, "vega -c a",
			"Sky does not know the phrase, and searched for its words separately: the filter --constellation a", "a", ""},
		{[]record.DroppedTerm{{Phrase: "Lyrra", Action: "dropped", NotSearched: true}}, "Lyrra -c Lyrra", "Sky dropped: “Lyrra”", "Lyrra", "biomcp search star Lyrra --constellation Lyra"},
		{[]record.DroppedTerm{{Phrase: "Lyrra", Action: "dropped", NotSearched: true}}, "Lyrra -c a", "Sky dropped: “Lyrra”", "", ""},
		{[]record.DroppedTerm{{Phrase: "nam", Action: "has no field", Suggestion: "name"}}, "vega[nam] -c a", "Sky has no field: “nam” (did you mean name?)", "", "biomcp search star vega[name] --constellation=a"},
	} {
		t.Run(c.words, func(t *testing.T) {
			s := &sky{stars: constellation(3), dropped: c.dropped}
			res, err := searchStars(t, s, strings.Fields(c.words)...)
			if err != nil {
				t.Fatal(err)
			}
			var marked []string
			for _, f := range s.asked.Filters {
				if f.Dropped {
					marked = append(marked, f.Value)
				}
			}
			equal(t, "filters marked as dropped", strings.Join(marked, " "), c.marked)
			if c.notice != "" && !slices.Contains(res.Notices, c.notice) {
				t.Errorf("notices: want %q in %q", c.notice, res.Notices)
			}
			try := ""
			if c.try != "" {
				try = res.Next[0].String()
			}
			got, _, _ := strings.Cut(strings.ReplaceAll(try, "'", ""), " --strict")
			equal(t, "suggestion", got, c.try)
			_, err = searchStars(t, s, append(strings.Fields(c.words), "--strict")...)
			f := failure(t, err)
			if c.notice != "" {
				contains(t, "message with --strict", f.Message, c.notice)
			}
			if c.try != "" && !slices.Contains(f.Try, "--strict") {
				t.Errorf("suggestion with --strict: want --strict in %q", f.Try)
			}
		})
	}
}

func TestNextCommandsQuoteHostileWords(t *testing.T) {
	for _, hostile := range []string{"$(reboot); `x`", `a'b"c"\d`, "--limit 5", "-x", "a\u00a0b", "x > /etc/passwd", "*?[a]", "!!"} {
		t.Run(hostile, func(t *testing.T) {
			args := []string{"-c", hostile, "--", hostile}
			res, err := searchStars(t, &sky{stars: []string{hostile, hostile, hostile, hostile}, counts: true}, args...)
			if err != nil {
				t.Errorf("%q: %v", hostile, err)
				return
			}
			if len(res.Next) != 2 {
				t.Fatalf("%q: %v", hostile, res.Next)
			}
			for _, next := range res.Next {
				back, err := words.Split(next.String())
				if err != nil {
					t.Fatalf("%s: %v", next, err)
				}
				equalList(t, "the suggestion after parsing", back[1:], next)
				if !slices.Contains(back, hostile) {
					t.Errorf("the suggestion %q lacks %q", back, hostile)
				}
			}
			again, err := run(t, entity.Entity{Search: entity.Search((&sky{stars: constellation(9)}).spec())}, res.Next[1]...)
			if err != nil {
				t.Fatalf("next page: %v", err)
			}
			hits := again.Payload.(*entity.Hits[star])
			equal(t, "query of the next page", hits.Text, hostile)
			equal(t, "filter of the next page", hits.Value("constellation"), hostile)
		})
	}
}

func TestJSONOfASearch(t *testing.T) {
	res, err := searchStars(t, &sky{stars: constellation(2), counts: true}, "vega", "--limit", "2")
	if err != nil {
		t.Fatal(err)
	}
	body, err := result.JSON(res.Payload)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "JSON", string(body), `{"query":"vega","applied_filters":[],"total":2,"offset":0,"limit":2,`+
		`"sort":"name","dropped_phrases":[],"results":[{"name":"a","companion":null},{"name":"b","companion":null}]}`)
	spec := entity.SearchSpec[star]{
		Name: "star", Placeholder: "<term>", Command: command.Command{Short: "Search", Examples: []command.Example{{Line: "biomcp search star x", Explanation: "x"}}},
		Source: "Sky", Key: "results", Label: "Stars", Rows: entity.Rows[star]{Columns: []string{"Star"}},
		Find: func(context.Context, *command.Input, *entity.Query) (*entity.Page[star], error) {
			return &entity.Page[star]{}, nil
		},
	}
	e := entity.Entity{Search: entity.Search(spec)}
	if res, err = run(t, e, "search", "star", "vega"); err != nil {
		t.Fatal(err)
	}
	if body, err = result.JSON(res.Payload); err != nil {
		t.Fatal(err)
	}
	equal(t, "JSON of no hits", string(body), `{"query":"vega","total":null,"dropped_phrases":[],"results":[]}`)
	equal(t, "outcome of no hits", res.Sections[0].Outcome, result.Empty)
}

func TestTextOfASearch(t *testing.T) {
	for _, c := range []struct {
		sky   sky
		flags string
		want  string
	}{
		{sky{stars: constellation(7), counts: true}, "--offset 3", "# Sky: vega\n\n- **Stars:** 7, shown 4 to 6\n- **Order:** name\n\n| Star |\n| --- |\n| d |\n| e |\n| f |\n"},
		{sky{stars: constellation(7)}, "", "**Stars:** total unknown, shown 1 to 3\n"},
		{sky{stars: constellation(7), counts: true}, "--offset 8", "**Stars:** 7; none after the first 8\n- **Order:** name\n"},
		{sky{stars: constellation(7)}, "--offset 8", "**Stars:** total unknown; none after the first 8\n"},
		{sky{counts: true}, "", "**Stars:** 0\n"},
		{sky{}, "", "**Stars:** 0\n"},
	} {
		t.Run(fmt.Sprintf("%.60s", c.flags), func(t *testing.T) {
			res, err := searchStars(t, &c.sky, append([]string{"vega"}, strings.Fields(c.flags)...)...)
			if err != nil {
				t.Fatal(err)
			}
			if text := render(t, res, false); !strings.Contains(text, c.want) {
				t.Errorf("%q is missing in\n%s", c.want, text)
			}
		})
	}
}

type ownShape struct{ *entity.Hits[star] }

func (ownShape) MarshalJSON() ([]byte, error) { return []byte(`{"own":true}`), nil }

func TestPagePayloadReplacesTheAnswer(t *testing.T) {
	spec := (&sky{}).spec()
	spec.Key = ""
	spec.Find = func(context.Context, *command.Input, *entity.Query) (*entity.Page[star], error) {
		return &entity.Page[star]{
			Hits: []*star{{Name: "a"}}, Effective: "vega[name]", Sections: []result.SectionSource{{Key: "own", Outcome: result.Data}},
			Payload: func(h *entity.Hits[star]) result.Payload { return ownShape{h} },
		}, nil
	}
	res, err := run(t, entity.Entity{Search: entity.Search(spec)}, "search", "star", "vega")
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Sections) != 1 {
		t.Fatalf("sections: got %+v, want one", res.Sections)
	}
	equal(t, "section", res.Sections[0].Key, "own")
	contains(t, "JSON", render(t, res, true), `"own":true`)
	text := render(t, res, false)
	contains(t, "text", text, "- **Searched as:** vega[name]\n")
	contains(t, "text", text, "| a |")
	broken := errors.New("broken")
	spec.Find = func(context.Context, *command.Input, *entity.Query) (*entity.Page[star], error) {
		return &entity.Page[star]{Hits: []*star{{}}, Describe: func(context.Context) error { return broken }}, nil
	}
	if _, err := run(t, entity.Entity{Search: entity.Search(spec)}, "search", "star", "vega"); !errors.Is(err, broken) {
		t.Error(err)
	}
}
