package refparse

import (
	"strings"
	"testing"
)

// Every row of a table is a reference, or the reader tells its line and why it is not.
func TestRowsOfTablesAreReadOrTold(t *testing.T) {
	const header, one, two, three = "PMID,Title,Year\n", "31,One,2019\n", "32,Two,2020\n", "33,Three,2021\n"
	for name, c := range map[string]struct{ text, pmids, skipped string }{
		"whole":                    {header + one + two, "31 32", ""},
		"without a last line end":  {header + one + strings.TrimSpace(two), "31 32", ""},
		"cut in the last row":      {header + one + "32,Tw", "31", "line 3 is cut off: 2 fields, and the header has 3"},
		"too few fields":           {header + "31,One\n" + two, "31 32", ""},
		"too many fields":          {header + "31,One, and more,2019\n" + two, "32", "line 2: 4 fields, and the header has 3"},
		"blank fields at the end":  {header + "31,One,2019,,\n" + two, "31 32", ""},
		"an open quote":            {header + one + "32,\"Two,2020\n" + three, "31 33", `line 3: a quotation mark is not closed: 32,"Two,2020`},
		"an open quote at the end": {header + one + "32,\"Tw", "31", `line 3: a quotation mark is not closed: 32,"Tw`},
		"two open quotes": {header + "31,\"One,2019\n\n" + two + "33,\"Three,2021\n", "32",
			`line 2: a quotation mark is not closed: 31,"One,2019; line 5: a quotation mark is not closed: 33,"Three,2021`},
		"quotes in quotes":       {header + "31,\"The \"Warburg effect\" revisited\",2019\n" + two, "31 32", ""},
		"a quoted line break":    {header + "31,\"One\nof two\",2019\n" + two, "31 32", ""},
		"below a title":          {"Scopus\n\n" + header + one + "32,\"Two,2020\n", "31", `Scopus; line 5: a quotation mark is not closed: 32,"Two,2020`},
		"tabs and an open quote": {"PMID\tTitle\n31\t\"One\n32\tTwo\n", "32", "line 2: a quotation mark is not closed: 31 \"One"},
		"a NUL":                  {header + "31,O\x00ne,2019\n" + two, "31 32", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Read(c.text)
			if err != nil || f.Format != CSV {
				t.Fatalf("%s, %v", f.Format, err)
			}
			ids, without := f.IDs()
			if got := strings.Join(ids, " "); got != c.pmids || without > 0 {
				t.Errorf("PMIDs %q and %d without, want %q", got, without, c.pmids)
			}
			if got := strings.Join(f.Skipped, "; "); got != c.skipped {
				t.Errorf("skipped %q, want %q", got, c.skipped)
			}
		})
	}
	f, _ := Read(header + strings.Repeat("\"x\n", 1000) + one)
	if n := len(f.Skipped); n != maxOpenQuotes+1 || !strings.Contains(f.Skipped[n-1], "line 102 and all below it") {
		t.Errorf("%d lines are skipped, want %d and the rest: %.200q", n, maxOpenQuotes, f.Skipped[n-1])
	}
}

// Titles of a table keep their quotation marks, signs and marks.
func TestTitlesOfTables(t *testing.T) {
	for cell, want := range map[string]string{
		`"The ""Warburg effect"" revisited"`: `The "Warburg effect" revisited`,
		`"The "Warburg effect" revisited"`:   `The "Warburg effect" revisited`,
		"'-omics of x\u0304":                 "-omics of x\u0304",
		"'Omics":                             "'Omics",
	} {
		f, err := Read("PMID,Title,Year\n31," + cell + ",2019\n")
		if err != nil || len(f.References) != 1 || f.References[0].Title != want {
			t.Errorf("%s: %+v, %v, want the title %q", cell, f.References, err, want)
		}
	}
}
