package cite

import (
	"os"
	"strings"
	"testing"

	"biomcp/entrez/pubmed"
)

// A letter is not a byte: initials and the first letter of a source stay whole.
func TestFirstLetters(t *testing.T) {
	for name, want := range map[string]string{
		"ʿAlī": "ʿA.", "ʻOkina": "ʻO.", "ʼAbd": "ʼA.", "'Abd": "A.", "Élie": "É.", "E\u0301lie": "E\u0301.", "øre": "Ø.", "Jean-ʿAlī": "J.-ʿA.",
		"ʿAbd al-Raḥmān": "ʿA. A.-R.", "(Liv)": "", "ʿ": "",
	} {
		if got := people([]pubmed.Author{{LastName: "X", ForeName: name}})[0].apaInitials(); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	a := bookChapter()
	a.Title, a.Editors, a.Book.Edition = "", nil, "édition revue"
	if got := must(t, "mla", a); !strings.Contains(got, "Édition revue") {
		t.Errorf("the edition has no whole first letter: %s", got)
	}
	a.Book.Edition, a.Book.Publisher = "", "éditions du Seuil"
	if got := must(t, "mla", a); !strings.Contains(got, "Éditions du Seuil") || strings.Contains(got, "\ufffd") {
		t.Errorf("the publisher has no whole first letter: %s", got)
	}
}

func TestRISKeepsAllPageRanges(t *testing.T) {
	for pages, want := range map[string]string{
		"iii-iv, ix-xi, 1-158": "SP  - iii-iv, ix-xi, 1-158\n", "101, 103": "SP  - 101, 103\n", "1-12, 15, 20-3": "SP  - 1-12, 15, 20-23\n",
		"iii, 1-100": "SP  - iii, 1-100\n", "737-8": "SP  - 737\nEP  - 738\n", "e5": "SP  - e5\n",
	} {
		a := with(func(a *pubmed.Article) { a.Journal.Pages, a.Journal.StartPage, a.Journal.EndPage = pages, "", "" })
		got := must(t, "ris", a)
		if !strings.Contains(got, want) || strings.Count(got, "SP  - ") != 1 || strings.Contains(want, ",") && strings.Contains(got, "EP  - ") {
			t.Errorf("%s: no %q in\n%s", pages, want, got)
		}
	}
}

func TestBraces(t *testing.T) {
	for title, want := range map[string]string{
		"On {braces}": `{{On \{braces\}}}`, "{a} and { alone": `{{\{a\} and \textbraceleft{} alone}}`, "} {": `{{\textbraceright{} \textbraceleft{}}}`, "{{a}": `{{\textbraceleft{}\{a\}}}`,
	} {
		a := with(func(a *pubmed.Article) { a.Title = title })
		got := must(t, "bibtex", a)
		if !strings.Contains(got, want) {
			t.Errorf("%s: no %s in\n%s", title, want, got)
		}
		if entries, err := readBibTeX(got); err != nil || len(entries) != 1 {
			t.Errorf("%s: %d entries, %v", title, len(entries), err)
		}
	}
}

// TestSharedPages reads the made-up records with several page ranges.
func TestSharedPages(t *testing.T) {
	file, err := os.Open("../../../shared/data/t4/references/pages_of_several_ranges.xml")
	if err != nil {
		t.Skipf("SKIPPED: records with several page ranges are absent: %v", err)
	}
	defer file.Close()
	var got []string
	for item, err := range pubmed.Scan(file) {
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(must(t, "ris", item.Article)) {
			if pages, ok := strings.CutPrefix(line, "SP  - "); ok {
				got = append(got, strings.TrimSpace(pages))
			}
		}
	}
	if want := "iii-iv, ix-xi, 1-158|iii, 1-100|101, 103|1-12, 15, 20-23"; strings.Join(got, "|") != want {
		t.Errorf("pages %q, want %q", got, want)
	}
}

// Marks of direction, a byte order mark and the replacement character would reorder or spoil the text around them.
func TestMarksOfDirectionAreLeftOut(t *testing.T) {
	marks := []rune{0xfeff, 0xfffd}
	for r := rune(0x202a); r <= 0x202e; r++ {
		marks = append(marks, r)
	}
	for r := rune(0x2066); r <= 0x2069; r++ {
		marks = append(marks, r)
	}
	for _, style := range Styles {
		want := must(t, style, sample())
		for _, mark := range marks {
			m := string(mark)
			got := must(t, style, with(func(a *pubmed.Article) {
				a.Title, a.Keywords[0] = m+a.Title[:4]+m+a.Title[4:]+m, a.Keywords[0]+m
				a.Authors[0].LastName += m
			}))
			if got != want {
				t.Errorf("%s with %U:\n got %s\nwant %s", style, mark, got, want)
			}
		}
	}
	for _, kept := range []string{"\u2029", "\u202f", "\u2065", "\u206a", "\ufefe"} {
		if got := oneLine("a" + kept + "b"); got == "ab" {
			t.Errorf("oneLine removes %+q", kept)
		}
	}
}

// A subject that is a keyword and a heading stands once, as first written.
func TestSubjectsStandOnce(t *testing.T) {
	a := with(func(a *pubmed.Article) { a.Keywords = []string{"yeasts", "heat", "Heat", "Yeasts"} })
	for style, want := range map[string]string{
		"ris":    "KW  - yeasts\nKW  - heat\nKW  - Neoplasms, Second Primary\n",
		"bibtex": "{yeasts, heat, {Neoplasms, Second Primary}}",
	} {
		if got := must(t, style, a); !strings.Contains(got, want) || strings.Count(strings.ToLower(got), "yeasts") != 1 {
			t.Errorf("%s has no %q alone:\n%s", style, want, got)
		}
	}
}

// A name of which nothing can be printed is left out, and what follows stays.
func TestEmptyNames(t *testing.T) {
	a := with(func(a *pubmed.Article) {
		a.Authors = append([]pubmed.Author{{ORCID: "0000-0001-2345-6789"}}, a.Authors...)
		a.ArticleIDs = []pubmed.ArticleID{{Type: "mid", Value: "NIHMS1"}}
	})
	got := must(t, "nbib", a)
	for _, want := range []string{"FAU - King, Martin Jr\n", "CN  - Yeast and Heat Group\n", "MID - NIHMS1\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("nbib has no %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "AUID") {
		t.Errorf("nbib has the identifier of nobody:\n%s", got)
	}
	none := with(func(a *pubmed.Article) { a.Authors, a.AuthorsComplete = nil, false })
	if got := must(t, "bibtex", none); strings.Contains(got, "author") {
		t.Errorf("bibtex has authors of a list that is not there:\n%s", got)
	}
}

// A day is a field of its own in BibTeX only if the issue has one date.
func TestBibTeXDay(t *testing.T) {
	for date, want := range map[pubmed.PubDate]string{
		{Year: 2020, Month: 3, Day: 5}: "  day      = {5},\n", {Year: 2020, Month: 3, Day: 1}: "  day      = {1},\n",
		{Year: 2020, Month: 3}: "", {Year: 2020}: "", {Year: 2000, MedlineDate: "2000 Nov 4-10"}: "", {Year: 1998, MedlineDate: "1998 Dec-1999 Jan"}: "",
	} {
		got := must(t, "bibtex", with(func(a *pubmed.Article) { a.PublicationDate = date }))
		if _, line, _ := strings.Cut(got, "  day "); want != "" && !strings.Contains(got, want) || want == "" && line != "" {
			t.Errorf("%v has no %q:\n%s", date, want, got)
		}
	}
}
