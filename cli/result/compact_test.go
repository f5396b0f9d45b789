package result

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
)

// hits returns a table of synthetic hits with long titles.
func hits(brief bool) Table {
	t := Table{Columns: Columns("PMID", "Title", "Authors", "Journal", ">Cited by"), Main: true, Hits: true}
	b := Table{Columns: Columns("Title", "First author", "Journal", "Id", "Marks")}
	for i := range 20 {
		id, title := fmt.Sprint(90000001+i), fmt.Sprintf("%d. %s of a synthetic record", i+1, strings.Repeat("A long title ", 3+i%4))
		t.Rows = append(t.Rows, []string{id, title, "One A, Two B, Three C, et al.", "J Test. 2024 Mar 15;10(2):100-10", "7"})
		b.Rows = append(b.Rows, []string{title, "One A, et al.", "J Test 2024", "PMID " + id, ""})
	}
	b.Columns[3].Whole = true
	if brief {
		t.Brief = &b
	}
	return t
}

// A hit takes two lines on a narrow terminal and one on a wide one, and its ID is not truncated.
// --long shows complete cells.
func TestHitsTakeALineOrTwo(t *testing.T) {
	for _, c := range []struct{ width, lines, briefly int }{{40, 4, 3}, {80, 2, 2}, {120, 2, 1}, {200, 1, 1}} {
		for _, brief := range []bool{false, true} {
			if brief {
				c.lines = c.briefly
			}
			t.Run(fmt.Sprint(c.width, brief), func(t *testing.T) {
				tab := hits(brief)
				res := Outcome{Result: &Result{Payload: sample{doc: Doc{tab}}}}
				out, _ := render(t, res, Format{Terminal: true, Width: c.width})
				lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
				if most := c.lines*len(tab.Rows) + 4; len(lines) > most {
					t.Errorf("%d lines for %d hits:\n%s", len(lines), len(tab.Rows), out)
				}
				for _, l := range lines {
					if runewidth.StringWidth(l) > c.width {
						t.Errorf("wider than %d: %q", c.width, l)
					}
				}
				for _, row := range tab.Rows {
					if !strings.Contains(out, row[0]) {
						t.Errorf("no id %s:\n%s", row[0], out)
					}
				}
				if !strings.Contains(out, "--long") && strings.Contains(out, "…") {
					t.Error("cells are truncated without a note about --long")
				}
				if strings.Contains(out, "Marks") {
					t.Error("a column that no row fills is shown")
				}
				whole, _ := render(t, res, Format{Terminal: true, Width: c.width, Long: true})
				for _, row := range tab.Rows {
					for _, cell := range row {
						if !strings.Contains(squeeze(whole), squeeze(cell)) && c.width < wideTerminal {
							t.Errorf("--long lacks %q", cell)
						}
					}
				}
			})
		}
	}
}

// On a terminal a message wraps between words, and the suggested command stays on one line so that
// it can be copied. A file gets the message on one line without colour.
func TestErrorsWrapAtWords(t *testing.T) {
	f := &Failure{Code: Validation, Message: strings.Repeat("several words of a message ", 8), Try: Argv{"search", "article", strings.Repeat("long", 20)}}
	for _, width := range []int{40, 80, 120} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			_, errs := render(t, Outcome{Failure: f}, Format{Terminal: true, Width: 80, ErrWidth: width})
			lines := strings.Split(strings.TrimSpace(errs), "\n")
			for i, l := range lines[:len(lines)-1] {
				if w := runewidth.StringWidth(l); w > width {
					t.Errorf("line %d is %d columns wide, want at most %d: %q", i, w, width, l)
				}
				if i > 0 && !strings.HasPrefix(l, "       ") {
					t.Errorf("line %d is not indented: %q", i, l)
				}
			}
			words := strings.Fields(strings.Join(lines[:len(lines)-1], " "))
			if got, want := strings.Join(words[1:], " "), strings.TrimSpace(f.Message); got != want {
				t.Errorf("message: got %q, want %q", got, want)
			}
			if last, want := lines[len(lines)-1], "try:   "+f.Try.String(); last != want {
				t.Errorf("last line: got %q, want %q", last, want)
			}
		})
	}
	_, errs := render(t, Outcome{Failure: f}, Format{Terminal: true, Color: true, Width: 40})
	if n := strings.Count(errs, "\n"); n != 2 {
		t.Errorf("a file gets %d lines, want 2: %q", n, errs)
	}
	if strings.Contains(errs, "\x1b") {
		t.Errorf("a file gets colour: %q", errs)
	}
}

// A number that fits on a line is never cut: it is shown complete, moved to the next line or
// replaced with an ellipsis.
func TestNumbersAreNotCut(t *testing.T) {
	const frequency, count, id = "1.65e-05", "12,345,678", "synthetic_2026-11-26.10456"
	hits := Table{Hits: true, Columns: Columns("Allele", ">Frequency", "Population of the study", ">Allele count"), Rows: [][]string{{"T", frequency, "an invented one of 20481 people", count}}}
	whole := map[string]bool{}
	for _, n := range numberPattern().FindAllString(strings.Join(append(hits.Rows[0], id), " "), -1) {
		whole[n] = true
	}
	for width := 26; width <= 130; width++ {
		out := newTerminal(Format{Width: width})
		for name, text := range map[string]string{
			"hits": out.tableHead(hits), "table": out.tableHead(Table{Columns: hits.Columns, Rows: hits.Rows}),
			"field": out.block(Fields{{Name: "Job", Value: id}}), "text": out.block(Para{Text: id + " " + id}),
		} {
			for _, n := range numberPattern().FindAllString(text, -1) {
				if !whole[n] {
					t.Fatalf("width %d, %s: %s is not a number of the table:\n%s", width, name, n, text)
				}
			}
			if name != "hits" && strings.Contains(text, "…") {
				t.Fatalf("width %d, %s: text is truncated:\n%s", width, name, text)
			}
			if name == "hits" && width >= 100 && !strings.Contains(text, count) {
				t.Fatalf("width %d: %s is missing:\n%s", width, count, text)
			}
		}
	}
}

// If rows take two lines, a cell after an empty one, and a yes or no, is shown with its column name.
func TestCellsWhosePlaceSaysNothingAreNamed(t *testing.T) {
	tab := Table{Main: true, Hits: true, Columns: Columns("Id", "Title", "Germline", "Oncogenicity", "Exact", ">Stars"), Rows: [][]string{
		{"V1", "a variant of some synthetic gene", "Pathogenic", "Oncogenic", "yes", "2"},
		{"V2", "another variant of that gene", "", "Uncertain significance", "no", "1"},
	}}
	out, _ := render(t, Outcome{Result: &Result{Payload: sample{doc: Doc{tab}}}}, Format{Terminal: true, Width: 64})
	narrow, _ := render(t, Outcome{Result: &Result{Payload: sample{doc: Doc{tab}}}}, Format{Terminal: true, Width: 40})
	for _, want := range []string{"  Pathogenic · Oncogenic · Exact yes · Stars 2\n", "  Oncogenicity Uncertain significance · Exact no · Stars 1\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if want := "Exact yes"; !strings.Contains(narrow, want) {
		t.Errorf("%q is missing in\n%s", want, narrow)
	}
}

// A row with many columns loses no cell on a narrow terminal. A cut "Does Not Support" would read as its opposite.
func TestRowsOfManyColumnsAreWrapped(t *testing.T) {
	tab := Table{Columns: Columns("Profile", "Disease", "Therapies", "Type", "Level", "Direction", "Significance", ">Stars", "Source"),
		Main: true, Hits: true}
	row := []string{"SYNT V1E", "Invented Colorectal Cancer", "Fictinib, Synthimab (Combination)", "Predictive", "B (clinical)",
		"Does Not Support (AGAINST the significance)", "Sensitivity/Response", "4", "PMID 90000001"}
	tab.Rows = [][]string{row, row}
	for _, width := range []int{40, 80, 120} {
		out, _ := render(t, Outcome{Result: &Result{Payload: sample{doc: Doc{tab}}}}, Format{Terminal: true, Width: width})
		text := strings.Join(strings.Fields(out), " ")
		for _, cell := range row {
			if strings.Count(text, cell) != 2 {
				t.Errorf("width %d: want %q in each row, got:\n%s", width, cell, out)
			}
		}
		for l := range strings.Lines(out) {
			if runewidth.StringWidth(strings.TrimRight(l, "\n")) > width {
				t.Errorf("wider than %d: %q", width, l)
			}
		}
	}
}
