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
