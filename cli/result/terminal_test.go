package result

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
)

// word returns a random word that is difficult for a table: long, wide, with combining
// characters or with markdown markup.
func word(r *rand.Rand) string {
	switch r.IntN(9) {
	case 0:
		return strings.Repeat("pneumono", 1+r.IntN(9))
	case 1:
		return strings.Repeat("漢字", 1+r.IntN(20))
	case 2:
		return "e\u0301tude"
	case 3:
		return "10.1002/(SICI)1097-0258(19980815/30)17:15/16" + fmt.Sprint(r.IntN(1e6))
	case 4:
		return []string{"-", `a\nb`, "%s", "|", "5%", "Ca²⁺", "θεραπεία"}[r.IntN(7)]
	}
	return strings.Repeat("w", 1+r.IntN(12))
}

func text(r *rand.Rand, most int) string {
	var words []string
	for range r.IntN(most + 1) {
		words = append(words, word(r))
	}
	return strings.Join(words, " ")
}

// rejoin parses a drawn table and returns the cells of each row without white space. A row
// begins where the first column is not empty.
func rejoin(t *testing.T, drawn string, widths []int) [][]string {
	t.Helper()
	lines := strings.Split(strings.TrimRight(drawn, "\n"), "\n")
	var rows [][]string
	for _, l := range lines {
		if strings.HasPrefix(l, "─") {
			continue
		}
		cells := make([]string, len(widths))
		col, used := 0, 0
		for _, r := range l {
			for col < len(widths)-1 && used >= widths[col] && runewidth.RuneWidth(r) > 0 {
				used -= widths[col]
				col++
			}
			used += runewidth.RuneWidth(r)
			cells[col] += string(r)
		}
		for j := range cells {
			cells[j] = strings.Join(strings.Fields(cells[j]), "")
		}
		if len(rows) == 0 || cells[0] != "" {
			rows = append(rows, make([]string, len(widths)))
		}
		for j := range cells {
			rows[len(rows)-1][j] += cells[j]
		}
	}
	return rows
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

func TestTerminalTablesShowEveryCell(t *testing.T) {
	listed := 0
	defer func() {
		if listed < 60 {
			t.Errorf("%d of 121 tables are lists, want at least 60", listed)
		}
		if listed > 119 {
			t.Errorf("%d of 121 tables are lists, want at most 119", listed)
		}
	}()
	for width := 40; width <= 160; width++ {
		r := rand.New(rand.NewPCG(1, uint64(width)))
		tab := Table{Columns: Columns("No", "Title", "Journal", ">Year")}
		for i := range 12 {
			tab.Rows = append(tab.Rows, []string{fmt.Sprintf("#%d", i), text(r, 30), text(r, 6), text(r, 1)})
		}
		drawn := newTerminal(Format{Width: width}).tableHead(tab)
		for _, l := range strings.Split(drawn, "\n") {
			if w := runewidth.StringWidth(l); w > width {
				t.Fatalf("width %d: %d columns: %q", width, w, l)
			}
		}
		if _, ok := columnWidths(tab, width); !ok {
			listed++
			if got, want := listedCells(t, drawn, tab), cellsOf(tab); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
				t.Fatalf("width %d:\n%q\nwant\n%q\n%s", width, got, want, drawn)
			}
			continue
		}
		// A drawn column is as wide as the widest line of its wrapped cells.
		got := rejoin(t, drawn, drawnWidths(tab, width))
		var want [][]string
		for i := -1; i < len(tab.Rows); i++ {
			md := markdown{}.tableHead(tab)
			if md = strings.SplitN(md, "\n", 2)[0]; i >= 0 {
				md = strings.TrimSuffix(markdown{}.tableRow(tab, i), "\n")
			}
			md = strings.TrimSuffix(strings.TrimPrefix(md, "| "), " |")
			row := strings.Split(strings.ReplaceAll(md, `\|`, "\x00"), " | ")
			for j := range row {
				row[j] = squeeze(strings.ReplaceAll(unescape(row[j]), "\x00", "|"))
			}
			want = append(want, row)
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Fatalf("width %d:\n%q\nmarkdown has\n%q\n%s", width, got, want, drawn)
		}
	}
}

// One long cell among ten is wrapped. It does not turn the table into a list.
func TestALongCellAmongMany(t *testing.T) {
	tab := Table{Columns: Columns("What", "Kind", "Status", "Detail")}
	for i := range 10 {
		tab.Rows = append(tab.Rows, []string{fmt.Sprintf("Sirius catalogue number %d", i), "source", "ok", "answers"})
		if _, ok := columnWidths(tab, 80); !ok {
			t.Fatal("a table of short cells is a list")
		}
		tab.Rows[i][3] = strings.Repeat("a longer word ", 10)
		if _, ok := columnWidths(tab, 80); ok != (i == 9) {
			t.Errorf("the last of %d cells is long: drawn %v", i+1, ok)
		}
		tab.Rows[i][3] = "answers"
	}
}

// listedCells parses a table drawn as a list and returns the cells of each row without white
// space and column names. A row begins at the left margin.
func listedCells(t *testing.T, drawn string, tab Table) (rows []string) {
	t.Helper()
	for _, l := range strings.Split(strings.TrimRight(drawn, "\n"), "\n") {
		if l != "" && l[0] != ' ' {
			rows = append(rows, "")
		}
		for _, c := range tab.Columns {
			if rest, named := strings.CutPrefix(l, "  "+c.Name+"  "); named {
				l = rest
			}
		}
		rows[len(rows)-1] += squeeze(l)
	}
	return rows
}

func cellsOf(tab Table) (rows []string) {
	for _, row := range tab.Rows {
		rows = append(rows, squeeze(strings.Join(row, "")))
	}
	return rows
}

func TestFirstColumnIsNeverWrapped(t *testing.T) {
	tab := Table{Columns: Columns("PMID", "Title", "Authors", "Journal", "Date", ">Cited by", "Free full text"), Rows: [][]string{
		{"32051057", "A title of some length on a subject of some interest in a group of some size: a study", "Smith J, Doe A, Roe B, et al.", "J Test. 2024 Mar 15;10(2):100-10", "2024-03-15", "12", "in PMC"},
	}}
	for width := 20; width <= 200; width++ {
		out := newTerminal(Format{Width: width}).tableHead(tab)
		_, drawn := columnWidths(tab, width)
		if n := strings.Count(out, "32051057"); n != 1 {
			t.Fatalf("width %d: the PMID occurs %d times, want once:\n%s", width, n, out)
		}
		if grid := strings.Contains(out, "───"); grid != drawn {
			t.Fatalf("width %d: is a grid: %v, want %v:\n%s", width, grid, drawn, out)
		}
		if drawn && width < 110 {
			t.Fatalf("width %d: got a grid, want a list:\n%s", width, out)
		}
	}
	want := "32051057  A title of some length on a\n  subject of some interest in a group of\n  some size: a study\n" +
		"  Authors         Smith J, Doe A, Roe B,\n                  et al.\n  Journal         J Test. 2024 Mar\n                  15;10(2):100-10\n" +
		"  Date            2024-03-15\n  Cited by        12\n  Free full text  in PMC\n"
	if out := newTerminal(Format{Width: 40}).tableHead(tab); out != want {
		t.Error(out)
	}
}

// drawnWidths returns the widths of the columns of a drawn table, which are as narrow as their
// widest line allows.
func drawnWidths(tab Table, width int) []int {
	widths, _ := columnWidths(tab, width)
	out := make([]int, len(widths))
	for j, w := range widths {
		cells := []string{tab.Columns[j].Name}
		for _, row := range tab.Rows {
			cells = append(cells, cellOrDash(row, j))
		}
		for _, c := range cells {
			for _, l := range wrap(c, w-padding) {
				out[j] = max(out[j], runewidth.StringWidth(l)+padding)
			}
		}
	}
	return out
}

// unescape reverses the escaping of escapeInline for the words of these tests.
func unescape(s string) string {
	for _, c := range []string{"<", "*", "`", "]", "&"} {
		s = strings.ReplaceAll(s, `\`+c, c)
	}
	return s
}

func TestNarrowTerminalShowsEveryCell(t *testing.T) {
	tab := Table{Columns: Columns("Field", "A header longer than its column", ">Number"), Rows: [][]string{
		{"Affiliation", strings.Repeat("x", 300), strings.Repeat("7", 30)},
	}}
	for _, width := range []int{20, 40, 80} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			out := newTerminal(Format{Width: width}).tableHead(tab)
			if n := strings.Count(out, "x"); n != 300 {
				t.Errorf("got %d letters, want 300:\n%s", n, out)
			}
			if n := strings.Count(out, "7"); n != 30 {
				t.Errorf("got %d digits, want 30:\n%s", n, out)
			}
		})
	}
}

// In a list of pairs each entry begins with both names, and the second is not repeated as a field.
func TestListOfPairsNamesBoth(t *testing.T) {
	tab := Table{Columns: Columns("Gene A", "Gene B", ">Both", "Tendency"), Pairs: true, Rows: [][]string{
		{"TP53", "KRAS", "18", strings.Repeat("x", 30)},
		{"TP53", "EGFR", "13", "none"},
	}}
	out := newTerminal(Format{Width: 40}).tableHead(tab)
	if want := "TP53 / KRAS\n  Both      18\n"; !strings.HasPrefix(out, want) {
		t.Errorf("got %q, want the prefix %q", out, want)
	}
	if want := "\nTP53 / EGFR\n  Both      13\n"; !strings.Contains(out, want) {
		t.Errorf("got %q, want it to contain %q", out, want)
	}
	if strings.Contains(out, "Gene B") {
		t.Errorf("the second gene is repeated as a field: %q", out)
	}
}
