package result

import (
	"strings"
	"testing"
)

// A table of numbers that is too wide for the terminal is turned, so that the numbers of its rows stand
// side by side; if that is too wide too, or a column is text, it becomes a list.
func TestWideTablesOfNumbersAreTurned(t *testing.T) {
	names := []string{"Group", ">Patients", ">Events", ">Censored", ">Event Rate", ">Median (95 % CI)", ">1yr", ">3yr", ">5yr"}
	row := func(name string) []string {
		return []string{name, "60", "43", "17", "71.7 %", "19.8 (9.5 to 27.2)", "0.612", "0.355", "0.230"}
	}
	two := Table{Columns: Columns(names...), Rows: [][]string{row("mutant"), row("wildtype")}}
	many := Table{Columns: two.Columns}
	for range 9 {
		many.Rows = append(many.Rows, row("a group with a name"))
	}
	text := Table{Columns: Columns(append([]string{"Group", "Text"}, names[1:]...)...), Rows: [][]string{
		append([]string{"a", "b"}, row("")[1:]...), append([]string{"c", "d"}, row("")[1:]...)}}
	pairs := two
	pairs.Pairs = true
	for name, c := range map[string]struct {
		table      Table
		width      int
		want, none string
	}{
		"turned":    {two, 70, "Group mutant wildtype", "mutant\n"},
		"wide":      {two, 120, "Group Patients", "Patients    "},
		"many rows": {many, 70, "a group with a name\n", "──"},
		"text":      {text, 70, "a\n", "──"},
		"pairs":     {pairs, 70, "mutant / 60", "──"},
		"one row":   {Table{Columns: two.Columns, Rows: two.Rows[:1]}, 70, "mutant\n", "──"},
	} {
		t.Run(name, func(t *testing.T) {
			got := newTerminal(Format{Terminal: true, Width: c.width}).tableHead(c.table)
			squeezed := strings.Join(strings.Fields(got), " ")
			if want := strings.Join(strings.Fields(c.want), " "); !strings.Contains(squeezed, want) {
				t.Errorf("got\n%s\nwant %q", got, c.want)
			}
			if strings.Contains(got, c.none) {
				t.Errorf("got\n%s\nwant no %q", got, c.none)
			}
			for line := range strings.Lines(got) {
				if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > c.width {
					t.Errorf("got %d columns, want at most %d: %s", n, c.width, line)
				}
			}
		})
	}
}

// Trailing notices follow the answer and come before the next commands. If the answer must be cut, all of
// them come first.
func TestTrailingNotices(t *testing.T) {
	r := &Result{
		Payload: sample{doc: Doc{Para{Text: strings.Repeat("body ", 40)}}},
		Notices: []string{"first", "second", "third"}, Trailing: 2,
		Next: []Argv{{"version"}}, ContinueFrom: func(int) Argv { return Argv{"more"} },
	}
	order := func(text string, parts ...string) {
		t.Helper()
		at := 0
		for _, p := range parts {
			i := strings.Index(text, p)
			if i < at {
				t.Errorf("%q is at %d, want it after %d:\n%s", p, i, at, text)
			}
			at = i
		}
	}
	for _, c := range []struct {
		format Format
		want   []string
	}{
		{Format{}, []string{"first", "body", "second", "third", "biomcp version"}},
		{Format{Terminal: true, Width: 80}, []string{"first", "body", "second", "third", "biomcp version"}},
		{Format{Max: 190}, []string{"first", "second", "third", "body"}},
		{Format{JSON: true}, []string{`"first","second","third"`}},
	} {
		text, _ := render(t, Outcome{Result: r}, c.format)
		order(text, c.want...)
	}
}
