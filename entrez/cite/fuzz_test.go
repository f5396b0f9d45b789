package cite

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/pubmed"
)

// FuzzFormat puts hostile texts into every field. The records must stay well-formed, and titles
// must be read back unchanged.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{
		"a\nER  - \nTY  - JOUR", "}, note = {x", "{{{", "}}}", `\`, `\}`, "@article{x,", "a # b ~ c ^ d _ e $ f % g & h", "\x00\x1b[31m\x85\u2028",
		"PMID- 1\n\nPMID- 2", `"],"x":[`, "\xff\xfe", "x and y", "a, b, c", "1-2-3;4,5", "9-9999999999999999999999", "[Not Available].", "*", "…", "\u202e",
		strings.Repeat("word ", 100), strings.Repeat("x", 300), "1998 Dec-1999 Jan",
	} {
		f.Add(s, "Ann "+s, "12-"+s, uint8(len(s)))
	}
	f.Fuzz(func(t *testing.T, title, name, pages string, kind uint8) {
		a := &pubmed.Article{
			PMID: name, Title: title, VernacularTitle: name, Abstract: title + "\n\n" + name, AuthorsComplete: kind&1 == 0, Retracted: kind&2 != 0,
			Authors:          []pubmed.Author{{LastName: name, ForeName: title, Initials: pages, Suffix: title}, {CollectiveName: title}, {LastName: "Z"}},
			Editors:          []pubmed.Author{{LastName: title}, {CollectiveName: name}},
			Journal:          pubmed.Journal{Title: title, ISOAbbreviation: name, Volume: pages, Issue: title, Pages: pages, ISSN: name},
			PublicationDate:  pubmed.PubDate{Year: int(kind) * 10, MedlineDate: pages},
			PublicationTypes: []string{title, "Journal Article"}, Keywords: []string{title, name}, Language: []string{"eng", name},
			Mesh:        []pubmed.Mesh{{Descriptor: title, Qualifiers: []pubmed.Qualifier{{Name: name}}}},
			Corrections: []pubmed.Correction{{Type: "RetractionIn", Source: title, PMID: name, Note: pages}},
			ELocations:  []pubmed.ELocation{{Type: "pii", Value: pages}, {Type: name, Value: title}},
			DOI:         title, PMCID: name, PubModel: "Electronic",
		}
		if kind&16 != 0 {
			a.Journal.Pages = ""
		}
		if kind&4 != 0 {
			a.Book = &pubmed.Book{Title: name, Publisher: title, Edition: pages, ISBN: []string{title}, Accession: name}
		}
		if kind&8 != 0 {
			a.PublicationTypes = append(a.PublicationTypes, "Preprint")
		}
		texts := map[string]string{}
		for _, style := range Styles {
			text, err := FormatAll(style, []*pubmed.Article{a, a})
			if err != nil {
				t.Fatal(err)
			}
			if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) {
				t.Errorf("%s is no clean text: %q", style, text)
			}
			texts[style] = text
		}
		want := newWork(a).dataTitle()

		if r, err := readRIS(texts["ris"]); err != nil || len(r) != 2 || value(r[1], "TI") != want {
			t.Errorf("RIS: %v, %d records, title %q:\n%s", err, len(r), want, texts["ris"])
		}
		bib, err := readBibTeX(texts["bibtex"])
		if err != nil || len(bib) != 2 {
			t.Fatalf("BibTeX: %v, %d entries:\n%s", err, len(bib), texts["bibtex"])
		}
		for _, field := range bib[1].fields {
			text := strings.TrimSuffix(strings.TrimPrefix(field.value, "{"), "}")
			switch field.tag {
			case "title":
				if got, err := unLaTeX(text); err != nil || got != want {
					t.Errorf("BibTeX title %q (%v), want %q", got, err, want)
				}
			case "author":
				people := len(newWork(a).people)
				if !a.AuthorsComplete {
					people++ // and others
				}
				if n := len(authorNames(field.value)); n != people {
					t.Errorf("%d names, want %d: %s", n, people, field.value)
				}
			case "doi", "eprint":
				if want := strings.ReplaceAll(oneLine(a.DOI), " ", ""); strings.ContainsAny(text, `\ `) ||
					field.tag == "doi" && !strings.ContainsAny(want, `\{}`) && text != want {
					t.Errorf("%s %q, want %q", field.tag, text, want)
				}
			case "url", "pmid", "pmcid":
				if strings.ContainsAny(text, `{}\%`+" ") && !strings.Contains(text, "%") {
					t.Errorf("%s cannot be printed unchanged: %s", field.tag, text)
				}
			}
		}
		if items, err := readCSL(texts["csl-json"]); err != nil || len(items) != 2 || want != "" && fmt.Sprint(items[0]["title"]) != want {
			t.Errorf("CSL: %v: %s", err, texts["csl-json"])
		}
		if oneLine(a.PMID) != "" { // a record without PMID has no beginning
			if r, err := readNBIB(texts["nbib"]); err != nil || len(r) != 2 {
				t.Errorf("NBIB: %v, %d records:\n%s", err, len(r), texts["nbib"])
			}
		}
		for _, style := range []string{"apa", "mla", "vancouver"} {
			if strings.Count(texts[style], "\n") != 1 {
				t.Errorf("%s is not one line: %q", style, texts[style])
			}
		}
	})
}
