package result

import (
	"strings"
	"testing"
)

// A terminal that is too narrow for a table shows the columns of Narrow and says how to get the others. A wider one,
// --long and markdown show all columns.
func TestNarrowTable(t *testing.T) {
	table := Table{
		Columns: Columns("Gene", "Compared", ">q"),
		Rows:    [][]string{{"TP53", strings.Repeat("a long explanation ", 5), "0.01"}, {"KRAS", strings.Repeat("another one ", 9), "0.02"}},
	}
	table.Narrow = Narrow(table, 0, 2)
	for name, c := range map[string]struct {
		format Format
		whole  bool
	}{
		"narrow": {Format{Terminal: true, Width: 24}, false},
		"wide":   {Format{Terminal: true, Width: 200}, true},
		"long":   {Format{Terminal: true, Width: 24, Long: true}, true},
	} {
		got := newTerminal(c.format).tableHead(table)
		if whole := strings.Contains(got, "explanation"); whole != c.whole || strings.Contains(got, narrowNote) == c.whole || !strings.Contains(got, "KRAS") {
			t.Errorf("%s: got\n%s\nwant all columns: %t", name, got, c.whole)
		}
	}
}

// The note of a column follows the table if the column is shown, and only then.
func TestColumnNotesFollowTheirColumns(t *testing.T) {
	table := Table{
		Columns: Columns("Gene", "Compared", ">q"),
		Rows:    [][]string{{"TP53", strings.Repeat("a long explanation ", 5), "0.01"}, {"KRAS", strings.Repeat("another one ", 9), "0.02"}},
	}
	table.Columns[1].Note, table.Columns[2].Note = "Compared: what both have", "q: over all"
	table.Narrow = Narrow(table, 0, 2)
	for name, c := range map[string]struct {
		l     layout
		whole bool
	}{
		"markdown": {markdown{}, true},
		"narrow":   {newTerminal(Format{Terminal: true, Width: 24}), false},
		"wide":     {newTerminal(Format{Terminal: true, Width: 200}), true},
		"long":     {newTerminal(Format{Terminal: true, Width: 24, Long: true}), true},
	} {
		got := strings.Join(strings.Fields(layOut(Doc{table}, c.l).text.String()), " ")
		if strings.Contains(got, "Compared: what both have") != c.whole || !strings.HasSuffix(got, "q: over all") {
			t.Errorf("%s: want the note of the hidden column: %t, got\n%s", name, c.whole, got)
		}
	}
}
