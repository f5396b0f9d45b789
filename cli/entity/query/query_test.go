package query_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/entrez/record"
)

// filters returns the filters of a toy search.
func filters() []query.Filter {
	return []query.Filter{
		{Flag: "name", Letter: "n", Usage: "a name", ValueSynonyms: command.Synonyms{"mars": "ares red-planet"}, Term: func(v string) (string, error) {
			return v + "[Name]", query.CheckBalance("--name", v, "search", "--help")
		}},
		{Flag: "one", Single: true, Usage: "one text"},
		{Flag: "kind", Values: []string{"rock", "gas"}, Synonyms: []string{"type"}, Usage: "a kind", Spelling: func(w string) string {
			return strings.TrimSuffix(w, "es")
		}},
		{Flag: "kinds", Values: []string{"ice", "dust"}, Multiple: true, Usage: "kinds"},
		{Flag: "rings", Switch: true, Exclude: true, Usage: "without rings"},
		{Flag: "moon", MatchAny: true, Usage: "a moon", OtherNames: func(context.Context, *command.Input, string) (query.OtherNames, error) {
			return query.OtherNames{}, nil
		}},
		{Flag: "dates", Dates: &query.Dates{From: "from", To: "to", Type: "which", Types: []string{"seen", "named"}, Term: func(s *query.Span, kind string) (string, string) {
			if s.To == (record.Date{}) {
				s.To = record.Date{Year: 3000}
				return kind + " open", "the end is open"
			}
			return "", ""
		}}},
	}
}

// read reads the flags of a line of the toy search on 15 June 2024.
func read(t *testing.T, line string) (*query.Query, error) {
	t.Helper()
	list := filters()
	def := &command.Command{Use: "find [word...]", Short: "Find", Effect: command.Reads, Examples: []command.Example{{Line: "biomcp find mars", Explanation: "a planet"}}, Flags: func(f *command.Flags) {
		for i := range list {
			list[i].Define(f)
		}
	}, Run: func(context.Context, *command.Input) (*result.Result, error) { return nil, nil }}
	tree := command.NewTree(&command.Command{Use: "biomcp", Short: "test", Noun: "command", Commands: []*command.Command{def}}).Expand()
	cmd := tree.Root.Commands()[0]
	typed, err := words.Split(line)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.ParseFlags(typed); err != nil {
		return nil, err
	}
	app := &command.App{Now: func() time.Time { return time.Date(2024, 6, 15, 12, 0, 0, 0, time.UTC) }}
	in := command.NewInput(app, tree, command.IO{}, command.Path(cmd), cmd.Flags().Args(), cmd.Flags())
	q := &query.Query{}
	for i := range list {
		if err := list[i].Read(in, q, []string{"find", "--help"}); err != nil {
			return nil, err
		}
	}
	return q, nil
}

func TestFiltersOfALine(t *testing.T) {
	for line, want := range map[string]string{
		"":                                      "",
		"--name venus --name 'Io (moon)'":       "--name venus=venus[Name] subject; --name Io (moon)=Io (moon)[Name] subject",
		"--name ares":                           "--name mars=mars[Name] subject",
		"--name MARS":                           "--name MARS=MARS[Name] subject",
		"--one ' a, b '":                        "--one a, b=a, b subject",
		"--kind gases --kinds ice,dust":         "--kind gas=gas narrows; --kinds ice,dust=ice,dust narrows",
		"--rings":                               "--rings=true narrows",
		"--moon Io":                             "--moon Io=Io subject",
		"--date-from 2020 --date-to 2021-02":    "--dates 2020-01-01 to 2021-02-28, seen=2020-01-01 to 2021-02-28, seen narrows",
		"--date-from 2020/03 --date-type named": "--dates 2020-03-01 to 3000, named=named open narrows",
		"--date-to 2020-02-29":                  "--dates any to 2020-02-29, seen=any to 2020-02-29, seen narrows",
		"--last 2y":                             "--dates 2022-06-15 to 2024-06-15, seen=2022-06-15 to 2024-06-15, seen narrows",
		"--last 3m":                             "--dates 2024-03-15 to 2024-06-15, seen=2024-03-15 to 2024-06-15, seen narrows",
		"--last 30d":                            "--dates 2024-05-16 to 2024-06-15, seen=2024-05-16 to 2024-06-15, seen narrows",
	} {
		q, err := read(t, line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		var got []string
		for _, f := range q.Filters {
			kind := map[bool]string{true: "narrows", false: "subject"}[f.Narrows]
			got = append(got, f.String()+"="+f.Term+" "+kind)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s:\n got %s\nwant %s", line, strings.Join(got, "; "), want)
		}
	}
}

func TestNoticesOfFilters(t *testing.T) {
	for line, want := range map[string]string{
		"--name ares":                     "--name ares is read as mars",
		"--name red-planet":               "--name red-planet is read as mars",
		"--name mars":                     "",
		"--date-type named":               "--date-type has no effect without --date-from, --date-to or --last",
		"--date-from 2020":                "the end is open",
		"--date-from 2020 --date-to 2021": "",
	} {
		if q, err := read(t, line); err != nil || strings.Join(q.Notices, "; ") != want {
			t.Errorf("%s: %v, %v, want %q", line, q, err, want)
		}
	}
}

// A value that cannot be meant is an error with the line that can be.
func TestWrongValues(t *testing.T) {
	for line, want := range map[string]string{
		"--name BRAF,TP53 --moon IO,GANYMEDE,EUROPA": "--moon takes one name; repeat it for each name (all must match): IO,GANYMEDE,EUROPA | find --name=BRAF,TP53 --moon IO --moon GANYMEDE --moon EUROPA",
		"--name 'venus (planet'":                     "--name has unbalanced parentheses | find --name 'venus planet'",
		"--name 'cancer[ti'":                         "--name has unbalanced brackets | find --name 'cancer[ti]'",
		`--name 'a "b'`:                              `--name has an unbalanced quote (") | find --name 'a b'`,
		"--name 'AND OR'":                            "--name has operators and no word to search for | search --help",
		"--name " + strings.Repeat("x", 1001):        "--name has 1001 bytes; at most 1000 are accepted | find --help",
		"--kind ice":                                 "is not one of rock, gas",
		"--date-from 2021 --date-to 2020":            "--date-from 2021 is later than --date-to 2020 | find --date-from 2020 --date-to 2021",
		"--date-from 2021-02-30":                     "is not a date of the calendar; write YYYY, YYYY-MM or YYYY-MM-DD | find --date-from 2021-02",
		"--date-from 01/2020":                        "is not a date of the calendar; write YYYY, YYYY-MM or YYYY-MM-DD | find --date-from 2020-01",
		"--date-to 'March 5, 2020'":                  "is not a date of the calendar; write YYYY, YYYY-MM or YYYY-MM-DD | find --date-to 2020-03-05",
		"--date-from 'last 2 weeks'":                 "is not a date of the calendar; write YYYY, YYYY-MM or YYYY-MM-DD | find --last 14d",
		"--date-from 7d":                             "is not a date of the calendar; write YYYY, YYYY-MM or YYYY-MM-DD | find --last 7d",
		"--date-from soon":                           "is not a date of the calendar; write YYYY, YYYY-MM or YYYY-MM-DD | find --help",
		"--date-from 1200":                           "is not a date of the calendar; write YYYY, YYYY-MM or YYYY-MM-DD | find --help",
		"--last '5 years'":                           "is not a number of years, months or days; write 5y, 6m or 30d | find --last 5y",
		"--last 2w":                                  "is not a number of years, months or days; write 5y, 6m or 30d | find --last 14d",
		"--last 5":                                   "is not a number of years, months or days; write 5y, 6m or 30d | find --last 5y",
		"mars --last 5 'rings years'":                "is not a number of years, months or days; write 5y, 6m or 30d | find mars rings --last 5y",
		"--last never":                               "is not a number of years, months or days; write 5y, 6m or 30d | find --help",
		"--last 900y":                                "--last 900y begins before 1500 | find --help",
	} {
		_, err := read(t, line)
		got := fmt.Sprint(err)
		if f, ok := errors.AsType[*result.Failure](err); ok {
			got = f.Message + " | " + strings.TrimPrefix(f.Try.String(), "biomcp ")
		}
		if err == nil || !strings.Contains(got, want) {
			t.Errorf("%.60s:\n got %s\nwant %s", line, got, want)
		}
	}
}

func TestTermsOfAQuery(t *testing.T) {
	q := &query.Query{Text: "red", Filters: []query.AppliedFilter{{Flag: "name", Value: "mars", Term: "mars[Name]"}, {Flag: "kind", Value: "gas"}, {Flag: "name", Value: "io", Term: "io[Name]"}}}
	if got, want := q.Terms("x"), "(red) AND mars[Name] AND io[Name] AND x"; got != want {
		t.Errorf("terms %q, want %q", got, want)
	}
	if got := q.Values("name"); !slices.Equal(got, []string{"mars", "io"}) || q.Value("name") != "mars" || q.Value("moon") != "" {
		t.Errorf("values %q, the first %q, of no filter %q", got, q.Value("name"), q.Value("moon"))
	}
}

func TestOtherNamesOfAFilter(t *testing.T) {
	term := func(name string) (string, error) {
		if name == "" {
			return "", errors.New("empty")
		}
		return name + "[Name]", nil
	}
	for name, c := range map[string]struct {
		other               query.OtherNames
		err                 error
		notice, term, names string
	}{
		"a failure": {query.OtherNames{}, errors.New("no answer"), "other names of --name ares are not searched for: no answer", "ares[Name]", "ares"},
		"nothing":   {query.OtherNames{}, nil, "", "ares[Name]", "ares"},
		"no names":  {query.OtherNames{Description: "a planet"}, nil, "--name ares is a planet: it is searched for as typed", "ares[Name]", "ares"},
		"names": {query.OtherNames{Description: "an alias of mars", Names: []string{"mars", ""}}, nil,
			"--name ares is an alias of mars: each is searched for; --exact searches for ares alone", "(ares[Name] OR mars[Name])", "ares,mars,"},
		"an id": {query.OtherNames{Description: "the id of mars", Names: []string{"mars"}, ReplaceValue: true}, nil,
			"--name ares is the id of mars, which is searched for", "(mars[Name])", "mars"},
		"a term": {query.OtherNames{Description: "an alias of mars", Names: []string{"mars"}, Term: "T", ValuePart: "are"}, nil,
			"--name ares is an alias of mars: each is searched for; --exact searches for ares alone", "T", "are,mars"},
	} {
		f := query.AppliedFilter{Flag: "name", Value: "ares", Term: "ares[Name]"}
		notice := f.AddNames(c.other, c.err, term)
		if names := strings.Join(f.Names(), ","); notice != c.notice || f.Term != c.term || names != c.names {
			t.Errorf("%s: %q, term %q, names %q, want %q, %q, %q", name, notice, f.Term, names, c.notice, c.term, c.names)
		}
	}
}

func TestCheckTerm(t *testing.T) {
	for text, isValid := range map[string]bool{"": false, "mars": true, "a\tb": false, "\xff": false} {
		if err := query.CheckTerm(text); (err == nil) != isValid {
			t.Errorf("%q: %v, want valid %t", text, err, isValid)
		}
	}
	if got := query.SplitList("a, ,b"); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("parts %q", got)
	}
}
