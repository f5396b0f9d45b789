package cite

import (
	"strings"
	"testing"

	"biomcp/entrez/pubmed"
)

// biblatex and hyperref print a DOI verbatim, so that an escape becomes part of it.
func TestBibTeXDOIIsUnescaped(t *testing.T) {
	for doi, want := range map[string]string{
		"10.1002/(SICI)1097-0258(19981230)17:24%3C2815::AID-SIM110%3E3.0.CO;2-8": "10.1002/(SICI)1097-0258(19981230)17:24%3C2815::AID-SIM110%3E3.0.CO;2-8",
		"10.1002/(SICI)1097-0258(19981230)17:24<2815::AID-SIM110>3.0.CO;2-8":     "10.1002/(SICI)1097-0258(19981230)17:24<2815::AID-SIM110>3.0.CO;2-8",
		"10.1892/0891-6640(2006)20[1389:roccel]2.0.co;2":                         "10.1892/0891-6640(2006)20[1389:roccel]2.0.co;2",
		"10.5555/a_b#c%d&e{f}": "10.5555/a_b#c%d&e{f}",
		"10.5555/a}b":          "10.5555/a%7Db", // BibTeX would end the field
	} {
		t.Run(doi, func(t *testing.T) {
			a := with(func(a *pubmed.Article) { a.DOI = doi })
			entries, err := readBibTeX(must(t, "bibtex", a))
			if err != nil {
				t.Fatal(err)
			}
			if got := value(entries[0].fields, "doi"); got != want {
				t.Errorf("%s: %q, want %q", doi, got, want)
			}
		})
	}
}

// BibTeX takes the last word of a name as the family name, unless braces or a comma say otherwise.
func TestBibTeXFamilyNameAloneIsBraced(t *testing.T) {
	a := with(func(a *pubmed.Article) {
		a.Authors = []pubmed.Author{{LastName: "Two Words"}, {LastName: "Suharto"}, {LastName: "De Neve", ForeName: "Jan"}}
	})
	if got, want := must(t, "bibtex", a), "= {{Two Words} and {Suharto} and De Neve, Jan},"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}

func TestJournalTitleAfterASlash(t *testing.T) {
	a := with(func(a *pubmed.Article) { a.Journal.Title = "Critical reviews in oncology/hematology" })
	if got, want := newWork(a).journalTitle(), "Critical Reviews in Oncology/Hematology"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Files written one by one and joined are a valid file with all records.
func TestNBIBFilesCanBeJoined(t *testing.T) {
	one := must(t, "nbib", sample())
	if records, err := readNBIB(one + one + one); err != nil || len(records) != 3 {
		t.Errorf("%d records of 3: %v", len(records), err)
	}
	if both := must(t, "nbib", sample(), sample()); both != one+one {
		t.Errorf("two records at once differ from two files:\n%s", both)
	}
}
