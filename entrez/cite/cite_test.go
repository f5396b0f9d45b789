package cite

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"biomcp/entrez/pubmed"
)

// sample is a synthetic article with something for every rule.
func sample() *pubmed.Article {
	return &pubmed.Article{
		PMID: "90000010", Title: "Heat & yeast: a 50% test.", Abstract: "AIM: To test.\n\nRESULT: It works.", AuthorsComplete: true,
		Authors: []pubmed.Author{
			{LastName: "van Moor", ForeName: "Jean-Luc A", Initials: "JA"},
			{LastName: "King", ForeName: "Martin", Initials: "M", Suffix: "Jr"},
			{CollectiveName: "Yeast and Heat Group"},
		},
		Journal: pubmed.Journal{
			Title: "Journal of synthetic results : official journal of nobody", ISOAbbreviation: "J. Synth. Res.", Abbreviation: "J Synth Res",
			ISSN: "1234-5678", ISSNType: "Print", Volume: "12", Issue: "3-4", Pages: "737-8", StartPage: "737", EndPage: "738",
		},
		PublicationDate: pubmed.PubDate{Year: 2020, Month: 3, Day: 5}, ElectronicDate: pubmed.PubDate{Year: 2019, Month: 12, Day: 30},
		PublicationTypes: []string{"Journal Article"}, Keywords: []string{"yeast"}, Language: []string{"eng"},
		Mesh:       []pubmed.Mesh{{Descriptor: "Yeasts"}, {Descriptor: "Neoplasms, Second Primary", Major: true}},
		ELocations: []pubmed.ELocation{{Type: "doi", Value: "10.1000/syn_1"}},
		DOI:        "10.1000/syn_1", PMCID: "PMC9000010", Status: "MEDLINE", PublicationStatus: "ppublish", PubModel: "Print-Electronic",
	}
}

func with(change func(*pubmed.Article)) *pubmed.Article {
	a := sample()
	change(a)
	return a
}

func TestEveryStyle(t *testing.T) {
	want := map[string]string{
		"ris": `TY  - JOUR
AU  - van Moor, Jean-Luc A
AU  - King, Martin, Jr.
AU  - Yeast and Heat Group
TI  - Heat & yeast: a 50% test
JF  - Journal of synthetic results : official journal of nobody
JO  - J. Synth. Res
PY  - 2020
DA  - 2020/03/05/
VL  - 12
IS  - 3-4
SP  - 737
EP  - 738
SN  - 1234-5678
DO  - 10.1000/syn_1
DB  - PubMed
AN  - 90000010
C2  - PMC9000010
UR  - https://pubmed.ncbi.nlm.nih.gov/90000010/
UR  - https://pmc.ncbi.nlm.nih.gov/articles/PMC9000010/
LA  - eng
KW  - yeast
KW  - Yeasts
KW  - Neoplasms, Second Primary
AB  - AIM: To test. RESULT: It works.
ER  - 
`,
		"bibtex": `@article{pmid90000010,
  author   = {van Moor, Jean-Luc A and King, Jr., Martin and {Yeast and Heat Group}},
  title    = {{Heat \& yeast: a 50\% test}},
  journal  = {Journal of synthetic results : official journal of nobody},
  year     = {2020},
  month    = mar,
  day      = {5},
  volume   = {12},
  number   = {3-4},
  pages    = {737--738},
  issn     = {1234-5678},
  doi      = {10.1000/syn_1},
  pmid     = {90000010},
  pmcid    = {PMC9000010},
  language = {English},
  keywords = {yeast, Yeasts, {Neoplasms, Second Primary}},
}
`,
		"apa":       `van Moor, J.-L. A., King, M., Jr., & Yeast and Heat Group. (2020). Heat & yeast: a 50% test. *Journal of Synthetic Results*, *12*(3–4), 737–738. https://doi.org/10.1000/syn_1`,
		"mla":       `van Moor, Jean-Luc A., et al. "Heat & yeast: a 50% test." *Journal of Synthetic Results*, vol. 12, no. 3–4, 5 Mar. 2020, pp. 737–38, https://doi.org/10.1000/syn_1.`,
		"vancouver": `van Moor JA, King M Jr; Yeast and Heat Group. Heat & yeast: a 50% test. J. Synth. Res. 2020 Mar 5;12(3-4):737-8. doi: 10.1000/syn_1. Epub 2019 Dec 30. PMID: 90000010; PMCID: PMC9000010.`,
		"nbib": `PMID- 90000010
OWN - NLM
STAT- MEDLINE
IS  - 1234-5678 (Print)
VI  - 12
IP  - 3-4
DP  - 2020 Mar 5
TI  - Heat & yeast: a 50% test.
PG  - 737-8
LID - 10.1000/syn_1 [doi]
AB  - AIM: To test. RESULT: It works.
FAU - van Moor, Jean-Luc A
AU  - van Moor JA
FAU - King, Martin Jr
AU  - King M Jr
CN  - Yeast and Heat Group
LA  - eng
PT  - Journal Article
DEP - 20191230
TA  - J Synth Res
JT  - Journal of synthetic results : official journal of nobody
MH  - Yeasts
MH  - *Neoplasms, Second Primary
PMC - PMC9000010
OTO - NOTNLM
OT  - yeast
PST - ppublish
SO  - J Synth Res. 2020 Mar 5;12(3-4):737-8. doi: 10.1000/syn_1. Epub 2019 Dec 30.
`,
		"csl-json": `[
  {
    "id": "pmid:90000010",
    "type": "article-journal",
    "title": "Heat & yeast: a 50% test",
    "author": [
      {
        "family": "van Moor",
        "given": "Jean-Luc A"
      },
      {
        "family": "King",
        "given": "Martin",
        "suffix": "Jr."
      },
      {
        "literal": "Yeast and Heat Group"
      }
    ],
    "container-title": "Journal of synthetic results : official journal of nobody",
    "container-title-short": "J. Synth. Res",
    "volume": "12",
    "issue": "3-4",
    "page": "737-738",
    "page-first": "737",
    "issued": {
      "date-parts": [
        [
          2020,
          3,
          5
        ]
      ]
    },
    "available-date": {
      "date-parts": [
        [
          2019,
          12,
          30
        ]
      ]
    },
    "language": "en",
    "ISSN": "1234-5678",
    "DOI": "10.1000/syn_1",
    "PMID": "90000010",
    "PMCID": "PMC9000010",
    "URL": "https://pubmed.ncbi.nlm.nih.gov/90000010/",
    "source": "PubMed",
    "keyword": "yeast, Yeasts, Neoplasms, Second Primary",
    "abstract": "AIM: To test. RESULT: It works."
  }
]
`,
	}
	if len(want) != len(Styles) {
		t.Fatalf("%d styles, %d expected texts", len(Styles), len(want))
	}
	for _, style := range Styles {
		if got := must(t, style, sample()); got != want[style] {
			t.Errorf("%s:\n got %s\nwant %s", style, got, want[style])
		}
	}
}

func TestUnknownStyle(t *testing.T) {
	_, err := Format("chicago", sample())
	var unknown *StyleError
	if !errors.As(err, &unknown) || unknown.Style != "chicago" {
		t.Fatalf("error %v", err)
	}
	for _, s := range []string{"ris", "bibtex", "apa", "mla", "vancouver", "nbib", "csl-json"} {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("%q does not name %s", err, s)
		}
	}
}

func TestSeveralArticles(t *testing.T) {
	two := []*pubmed.Article{sample(), with(func(a *pubmed.Article) { a.PMID = "90000011" })}
	if r, err := readRIS(must(t, "ris", two...)); err != nil || len(r) != 2 || value(r[1], "AN") != "90000011" {
		t.Errorf("ris: %v %v", r, err)
	}
	if r, err := readBibTeX(must(t, "bibtex", two...)); err != nil || len(r) != 2 || r[1].key != "pmid90000011" {
		t.Errorf("bibtex: %v %v", r, err)
	}
	if r, err := readNBIB(must(t, "nbib", two...)); err != nil || len(r) != 2 || value(r[1], "PMID") != "90000011" {
		t.Errorf("nbib: %v %v", r, err)
	}
	if r, err := readCSL(must(t, "csl-json", two...)); err != nil || len(r) != 2 || r[1]["PMID"] != "90000011" {
		t.Errorf("csl-json: %v %v", r, err)
	}
	for _, style := range []string{"apa", "mla", "vancouver"} {
		if lines := strings.Split(must(t, style, two...), "\n"); len(lines) != 2 || lines[0] == "" || lines[1] == "" {
			t.Errorf("%s: %q", style, lines)
		}
	}
	if got := must(t, "csl-json"); got != "[\n  \n]\n" {
		t.Errorf("no articles: %q", got)
	}
}

// prose compares the three styles for reading, each "" left out.
func prose(t *testing.T, name string, a *pubmed.Article, apa, mla, vancouver string) {
	t.Helper()
	for style, want := range map[string]string{"apa": apa, "mla": mla, "vancouver": vancouver} {
		if got := must(t, style, a); want != "" && got != want {
			t.Errorf("%s, %s:\n got %s\nwant %s", name, style, got, want)
		}
	}
}

// group gives an article n authors: Author1 A, Author2 A, ...
func group(n int) *pubmed.Article {
	return &pubmed.Article{
		PMID: "1", Title: "T.", AuthorsComplete: true, PublicationDate: pubmed.PubDate{Year: 2020},
		Journal: pubmed.Journal{Title: "J", ISOAbbreviation: "J"},
		Authors: func() (out []pubmed.Author) {
			for i := 1; i <= n; i++ {
				out = append(out, pubmed.Author{LastName: fmt.Sprint("A", i), ForeName: "B C", Initials: "BC"})
			}
			return out
		}(),
	}
}

func TestNumberOfAuthors(t *testing.T) {
	prose(t, "none", group(0), "T. (2020). *J*.", `"T." *J*, 2020.`, "T. J. 2020. PMID: 1.")
	prose(t, "1", group(1), "A1, B. C. (2020). T. *J*.", `A1, B. C. "T." *J*, 2020.`, "A1 BC. T. J. 2020. PMID: 1.")
	prose(t, "2", group(2), "A1, B. C., & A2, B. C. (2020). T. *J*.", `A1, B. C., and B. C. A2. "T." *J*, 2020.`, "A1 BC, A2 BC. T. J. 2020. PMID: 1.")
	prose(t, "3", group(3), "A1, B. C., A2, B. C., & A3, B. C. (2020). T. *J*.", `A1, B. C., et al. "T." *J*, 2020.`, "A1 BC, A2 BC, A3 BC. T. J. 2020. PMID: 1.")
	prose(t, "6", group(6), "", "", "A1 BC, A2 BC, A3 BC, A4 BC, A5 BC, A6 BC. T. J. 2020. PMID: 1.")
	prose(t, "7", group(7), "", "", "A1 BC, A2 BC, A3 BC, A4 BC, A5 BC, A6 BC, et al. T. J. 2020. PMID: 1.")
	twenty := must(t, "apa", group(20))
	if !strings.Contains(twenty, "A19, B. C., & A20, B. C. (2020)") || strings.Contains(twenty, "…") {
		t.Errorf("20 authors: %s", twenty)
	}
	for n, last := range map[int]string{21: "A19, B. C., … A21, B. C. (2020)", 300: "A19, B. C., … A300, B. C. (2020)"} {
		if got := must(t, "apa", group(n)); !strings.Contains(got, last) || strings.Contains(got, "A20,") || strings.Contains(got, "&") {
			t.Errorf("%d authors: %s", n, got)
		}
	}
	some := group(2)
	some.AuthorsComplete = false
	prose(t, "incomplete", some, "A1, B. C., A2, B. C., et al. (2020). T. *J*.", `A1, B. C., et al. "T." *J*, 2020.`, "A1 BC, A2 BC, et al. T. J. 2020. PMID: 1.")
	if got := must(t, "bibtex", some); !strings.Contains(got, "{A1, B C and A2, B C and others}") {
		t.Errorf("incomplete: %s", got)
	}
}

func TestRetraction(t *testing.T) {
	retracted := with(func(a *pubmed.Article) {
		a.Retracted = true
		a.PublicationTypes = append(a.PublicationTypes, "Retracted Publication")
		a.Corrections = []pubmed.Correction{
			{Type: "ErratumIn", Source: "J Synth Res. 2020;13(1):5"},
			{Type: "RetractionIn", Source: "J Synth Res. 2021 Feb 6;13(9):445-6. doi: 10.1000/r", PMID: "90000099"},
			{Type: "CommentIn", Source: "Elsewhere. 2020;1:1"},
		}
	})
	prose(t, "retraction", retracted,
		"van Moor, J.-L. A., King, M., Jr., & Yeast and Heat Group. (2020). Heat & yeast: a 50% test. *Journal of Synthetic Results*, *12*(3–4), 737–738. https://doi.org/10.1000/syn_1 (Retraction published 2021, *Journal of Synthetic Results*, *13*[9], 445–446)",
		`van Moor, Jean-Luc A., et al. "Heat & yeast: a 50% test." *Journal of Synthetic Results*, vol. 12, no. 3–4, 5 Mar. 2020, pp. 737–38, https://doi.org/10.1000/syn_1. Retracted.`,
		"van Moor JA, King M Jr; Yeast and Heat Group. Heat & yeast: a 50% test. J. Synth. Res. 2020 Mar 5;12(3-4):737-8. doi: 10.1000/syn_1. Epub 2019 Dec 30. Retraction in: J Synth Res. 2021 Feb 6;13(9):445-6. doi: 10.1000/r. Erratum in: J Synth Res. 2020;13(1):5. PMID: 90000010; PMCID: PMC9000010.")
	for style, parts := range map[string][]string{
		"ris":      {"TI  - RETRACTED: Heat", "N1  - Retracted publication.\nN1  - Retraction in: J Synth Res. 2021 Feb 6;13(9):445-6. doi: 10.1000/r. PMID: 90000099.\nN1  - Erratum in:"},
		"bibtex":   {"{{RETRACTED: Heat", `note     = {Retracted publication. Retraction in: J Synth Res. 2021`},
		"nbib":     {"PT  - Retracted Publication\n", "EIN - J Synth Res. 2020;13(1):5\n", "RIN - J Synth Res. 2021 Feb 6;13(9):445-6. doi: 10.1000/r PMID: 90000099\n", "CIN - Elsewhere"},
		"csl-json": {`"title": "RETRACTED: Heat`, `"status": "retracted"`, `"note": "Retracted publication. Retraction in:`},
	} {
		got := must(t, style, retracted)
		for _, part := range parts {
			if !strings.Contains(got, part) {
				t.Errorf("%s has no %q:\n%s", style, part, got)
			}
		}
	}
	// The mark must stand even where nobody knows of a notice, and only once.
	for _, title := range []string{"Heat.", "RETRACTED: Heat."} {
		bare := with(func(a *pubmed.Article) { a.Retracted, a.Title = true, title })
		for _, style := range Styles {
			text := strings.ReplaceAll(strings.ToLower(must(t, style, bare)), "retracted: heat", "")
			if !strings.Contains(text, "retracted") || strings.Contains(text, "retracted: retracted") {
				t.Errorf("%s: %s", style, text)
			}
		}
	}
}

func TestDatesBeforeAndBesideTheIssue(t *testing.T) {
	ahead := with(func(a *pubmed.Article) {
		a.PublicationStatus, a.Journal.Volume, a.Journal.Issue = "aheadofprint", "", ""
		a.Journal.Pages, a.Journal.StartPage, a.Journal.EndPage = "", "", ""
		a.PublicationDate = pubmed.PubDate{Year: 2019, Month: 12, Day: 30}
		a.Authors = a.Authors[:1]
	})
	prose(t, "ahead of print", ahead,
		"van Moor, J.-L. A. (2019). Heat & yeast: a 50% test. *Journal of Synthetic Results*. Advance online publication. https://doi.org/10.1000/syn_1",
		`van Moor, Jean-Luc A. "Heat & yeast: a 50% test." *Journal of Synthetic Results*, 30 Dec. 2019, https://doi.org/10.1000/syn_1.`,
		"van Moor JA. Heat & yeast: a 50% test. J. Synth. Res. 2019 Dec 30. doi: 10.1000/syn_1. Epub ahead of print. PMID: 90000010; PMCID: PMC9000010.")
	for style, part := range map[string]string{
		"nbib": "SO  - J Synth Res. 2019 Dec 30. doi: 10.1000/syn_1. Online ahead of print.\n", "ris": "N1  - Epub ahead of print.\n",
		"csl-json": `"status": "advance online publication"`, "bibtex": "{Epub ahead of print.}",
	} {
		if got := must(t, style, ahead); !strings.Contains(got, part) {
			t.Errorf("%s has no %q:\n%s", style, part, got)
		}
	}
	for model, want := range map[string]string{
		"Print":                  "J Synth Res. 2020 Mar 5;12(3-4):737-8. doi: 10.1000/syn_1.",
		"Electronic":             "J Synth Res. 2019 Dec 30;12(3-4):737-8. doi: 10.1000/syn_1.",
		"Electronic-Print":       "J Synth Res. 2019 Dec 30;12(3-4):737-8. doi: 10.1000/syn_1. Print 2020 Mar 5.",
		"Electronic-eCollection": "J Synth Res. 2019 Dec 30;12(3-4):737-8. doi: 10.1000/syn_1. eCollection 2020 Mar 5.",
	} {
		a := with(func(a *pubmed.Article) {
			if a.PubModel = model; model == "Print" {
				a.ElectronicDate = pubmed.PubDate{}
			}
		})
		fields, err := readNBIB(must(t, "nbib", a))
		if err != nil || value(fields[0], "SO") != want {
			t.Errorf("%s: %q, want %q", model, value(fields[0], "SO"), want)
		}
	}
}

func TestDates(t *testing.T) {
	for _, c := range []struct {
		date                        pubmed.PubDate
		apa, mla, nlm, ris, bib, cs string
	}{
		{pubmed.PubDate{}, "n.d.", "", "", "", "", ""},
		{pubmed.PubDate{Year: 2020}, "2020", "2020", "2020", "", "", "[[2020]]"},
		{pubmed.PubDate{Year: 2020, Month: 9}, "2020", "Sept. 2020", "2020 Sep", "2020/09//", "sep", "[[2020 9]]"},
		{pubmed.PubDate{Year: 2020, Month: 5, Day: 1}, "2020", "1 May 2020", "2020 May 1", "2020/05/01/", "may", "[[2020 5 1]]"},
		{pubmed.PubDate{Year: 2021, Season: "Spring"}, "2021", "spring 2021", "2021 Spring", "2021///Spring", "{Spring}", "[[2021]] season 1"},
		{pubmed.PubDate{Year: 2013, Season: "Jan-Mar"}, "2013", "Jan.–Mar. 2013", "2013 Jan-Mar", "2013/01//Jan-Mar", `jan # "--" # mar`, "[[2013 1] [2013 3]]"},
		{pubmed.PubDate{Year: 2024, Season: "Winter-Spring"}, "2024", "winter-spring 2024", "2024 Winter-Spring", "2024///Winter-Spring", "{Winter-Spring}", "[[2024]]"},
		{pubmed.PubDate{Year: 1998, MedlineDate: "1998 Dec-1999 Jan"}, "1998", "Dec. 1998–Jan. 1999", "1998 Dec-1999 Jan", "1998/12//Dec-1999 Jan", `dec # "--" # jan`, "[[1998 12] [1999 1]]"},
		{pubmed.PubDate{Year: 2000, MedlineDate: "2000 Nov 4-10"}, "2000", "4–10 Nov. 2000", "2000 Nov 4-10", "2000/11/04/Nov 4-Nov 10", "nov", "[[2000 11 4] [2000 11 10]]"},
		{pubmed.PubDate{Year: 1977, MedlineDate: "1977-1978"}, "1977", "1977–1978", "1977-1978", "1977///1978", "", "[[1977] [1978]]"},
		{pubmed.PubDate{Year: 2000, MedlineDate: "2000 Spring"}, "2000", "spring 2000", "2000 Spring", "2000///Spring", "{Spring}", "[[2000]] season 1"},
		{pubmed.PubDate{Year: 1966, MedlineDate: "in the year 1966, 2d quarter"}, "1966", "1966", "in the year 1966, 2d quarter", "", "", "[[1966]]"},
	} {
		d := readDate(c.date)
		year := d.year()
		if year == "" {
			year = "n.d."
		}
		cs := ""
		if x := d.csl(); x != nil {
			if cs = fmt.Sprint(x.Parts); x.Season > 0 {
				cs += fmt.Sprint(" season ", x.Season)
			}
		}
		got := []string{year, d.mla(), nlmDate(c.date), d.ris(), d.bibtexMonth(), cs}
		want := []string{c.apa, c.mla, c.nlm, c.ris, c.bib, c.cs}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%+v: %q, want %q", c.date, got[i], want[i])
			}
		}
	}
}

func TestPages(t *testing.T) {
	for _, c := range []struct{ pgn, start, end, full, mla string }{
		{"737-8", "", "", "737-738", "737–38"},
		{"217-64", "217", "264", "217-264", "217–64"},
		{"1198-202", "", "", "1198-1202", "1198–202"},
		{"e1-e8", "", "", "e1-e8", "e1–e8"},
		{"e1-8", "", "", "e1-e8", "e1–e8"},
		{"S12-7", "", "", "S12-S17", "S12–S17"},
		{"S12-S17", "", "", "S12-S17", "S12–S17"},
		{"1023.e1-5", "", "", "1023.e1-1023.e5", "1023.e1–1023.e5"},
		{"1023.e1-e5", "", "", "1023.e1-1023.e5", "1023.e1–1023.e5"},
		{"126A-B", "", "", "126A-126B", "126A–126B"},
		{"126A-127A", "", "", "126A-127A", "126A–127A"},
		{"iv-x", "", "", "iv-x", "iv–x"},
		{"12-8", "", "", "12-18", "12–18"},
		{"98-2", "", "", "98-2", "98–2"},
		{"5-5", "", "", "5", "5"},
		{"e5807", "", "", "e5807", "e5807"},
		{"123-5, 130", "", "", "123-125, 130", "123–25, 130"},
		{"1-4; discussion 5-8", "", "", "1-4", "1–4"},
		{"96-101", "", "", "96-101", "96–101"},
		{"103-4", "", "", "103-104", "103–04"},
		{"1003-5", "", "", "1003-1005", "1003–05"},
		{"1608-1774", "", "", "1608-1774", "1608–774"},
		{"1471-2105-7-10", "", "", "1471-2105-7-10", "1471-2105-7-10"},
		{"", "H337", "H349", "H337-H349", "H337–H349"},
		{"rs.3.rs-1800050", "rs.3.rs-1800050", "", "rs.3.rs-1800050", "rs.3.rs-1800050"},
		{"", "", "", "", ""},
	} {
		w := &work{Article: &pubmed.Article{Journal: pubmed.Journal{Pages: c.pgn, StartPage: c.start, EndPage: c.end}}}
		ranges := w.readPages()
		if full, mla := written(ranges, "-"), mlaPages(ranges); full != c.full || mla != c.mla {
			t.Errorf("%q: %q and %q, want %q and %q", c.pgn, full, mla, c.full, c.mla)
		}
	}
	// The same in a record of old, which has MedlinePgn alone.
	old := with(func(a *pubmed.Article) { a.Journal.StartPage, a.Journal.EndPage = "", "" })
	for style, part := range map[string]string{
		"ris": "SP  - 737\nEP  - 738\n", "bibtex": "{737--738}", "csl-json": `"page": "737-738"`, "apa": ", 737–738.", "mla": "pp. 737–38", "vancouver": ":737-8.", "nbib": "PG  - 737-8\n",
	} {
		if got := must(t, style, old); !strings.Contains(got, part) {
			t.Errorf("%s has no %q:\n%s", style, part, got)
		}
	}
	for page, want := range map[string]bool{"e5807": true, "031208": true, "1360006": true, "eabl6449": true, "121": false, "S172": false, "H337": false} {
		w := &work{Article: &pubmed.Article{PubModel: "Print-Electronic"}, pages: []pageRange{{first: page}}}
		if w.articleNumber() != want {
			t.Errorf("%s as an article number: %v", page, !want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		author                      pubmed.Author
		apa, first, next, nlm, data string
	}{
		{pubmed.Author{LastName: "Rossi", ForeName: "Mario Andrea", Initials: "MA"}, "Rossi, M. A.", "Rossi, Mario Andrea", "Mario Andrea Rossi", "Rossi MA", "Rossi, Mario Andrea"},
		{pubmed.Author{LastName: "De Neve", ForeName: "Jan-Emmanuel", Initials: "JE"}, "De Neve, J.-E.", "De Neve, Jan-Emmanuel", "Jan-Emmanuel De Neve", "De Neve JE", "De Neve, Jan-Emmanuel"},
		{pubmed.Author{LastName: "Gates", ForeName: "H Louis", Initials: "HL", Suffix: "Jr"}, "Gates, H. L., Jr.", "Gates, H. Louis, Jr.", "H. Louis Gates, Jr.", "Gates HL Jr", "Gates, H Louis, Jr."},
		{pubmed.Author{LastName: "Ford", ForeName: "Al", Initials: "A", Suffix: "3rd"}, "Ford, A., III", "Ford, Al, III", "Al Ford III", "Ford A 3rd", "Ford, Al, III"},
		{pubmed.Author{LastName: "Ford", Initials: "AB", Suffix: "3ʳᵈ"}, "Ford, A. B., III", "Ford, A. B., III", "A. B. Ford III", "Ford AB 3rd", "Ford, AB, III"},
		{pubmed.Author{LastName: "Suharto"}, "Suharto", "Suharto", "Suharto", "Suharto", "Suharto"},
		{pubmed.Author{LastName: "Øre", ForeName: "åse (Liv)"}, "Øre, Å.", "Øre, åse (Liv)", "åse (Liv) Øre", "Øre Å", "Øre, åse (Liv)"},
		{pubmed.Author{CollectiveName: "WHO."}, "WHO", "WHO", "WHO", "WHO", "WHO"},
	} {
		p := people([]pubmed.Author{c.author})[0]
		got := []string{p.apa(), p.mlaFirst(), p.mlaNext(), p.nlm(), p.reversed()}
		want := []string{c.apa, c.first, c.next, c.nlm, c.data}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%+v: %q, want %q", c.author, got[i], want[i])
			}
		}
	}
	if got := bibtexNames(people([]pubmed.Author{{LastName: "Smith and Son", ForeName: "A, B"}, {CollectiveName: "This and That"}}), false); got != "{Smith and Son}, {A, B} and {This and That}" {
		t.Errorf("names that hold and: %s", got)
	}
}

func TestTitles(t *testing.T) {
	one := func(title, vernacular, language string) *pubmed.Article {
		a := group(1)
		a.Title, a.VernacularTitle, a.Language = title, vernacular, []string{language}
		return a
	}
	prose(t, "question", one("Why?", "", "eng"), "A1, B. C. (2020). Why? *J*.", `A1, B. C. "Why?" *J*, 2020.`, "A1 BC. Why? J. 2020. PMID: 1.")
	prose(t, "abbreviation", one("New species of Foo spp.", "", "eng"), "A1, B. C. (2020). New species of Foo spp. *J*.", "", "A1 BC. New species of Foo spp. J. 2020. PMID: 1.")
	prose(t, "country", one("Care in the U.S.", "", "eng"), "A1, B. C. (2020). Care in the U.S. *J*.", `A1, B. C. "Care in the U.S." *J*, 2020.`, "")
	prose(t, "quotation", one(`"So," he said: "why?"`, "", "eng"), `A1, B. C. (2020). "So," he said: "why?" *J*.`, `A1, B. C. "'So,' he said: 'why?'" *J*, 2020.`, `A1 BC. "So," he said: "why?" J. 2020. PMID: 1.`)
	prose(t, "translated", one("[On yeast].", "Über Hefe.", "ger"), "A1, B. C. (2020). Über Hefe [On yeast]. *J*.", `A1, B. C. "Über Hefe" [On yeast]. *J*, 2020.`, "A1 BC. Über Hefe [On yeast]. J. 2020. German. PMID: 1.")
	prose(t, "translated, original unknown", one("[On yeast].", "", "chi"), "A1, B. C. (2020). [On yeast]. *J*.", `A1, B. C. "[On yeast]." *J*, 2020.`, "A1 BC. [On yeast]. J. 2020. Chinese. PMID: 1.")
	prose(t, "only the original", one("[Not Available].", "Sur la levure.", "fre"), "A1, B. C. (2020). Sur la levure. *J*.", `A1, B. C. "Sur la levure." *J*, 2020.`, "A1 BC. Sur la levure. J. 2020. French. PMID: 1.")
	prose(t, "bilingual", one("On yeast.", "Om gjær.", "nor"), "A1, B. C. (2020). On yeast. *J*.", "", "")
	prose(t, "none", one("", "", "eng"), "A1, B. C. (2020). [Untitled]. *J*.", `A1, B. C. "[Untitled]." *J*, 2020.`, "A1 BC. [Untitled]. J. 2020. PMID: 1.")

	german := one("[On yeast].", "Über Hefe.", "ger")
	for style, parts := range map[string][]string{
		"ris": {"TI  - [On yeast]\n", "N1  - Original title: Über Hefe.\n", "LA  - ger\n"}, "bibtex": {"{{[On yeast]}}", "{Original title: Über Hefe.}", "language = {German}"},
		"nbib": {"TI  - [On yeast].\n", "TT  - Über Hefe.\n", "LA  - ger\n"}, "csl-json": {`"title": "[On yeast]"`, `"original-title": "Über Hefe"`, `"language": "de"`},
	} {
		for _, part := range parts {
			if got := must(t, style, german); !strings.Contains(got, part) {
				t.Errorf("%s has no %q:\n%s", style, part, got)
			}
		}
	}
}

func TestAddresses(t *testing.T) {
	a := with(func(a *pubmed.Article) { a.DOI = `10.1002/(SICI)1097<1661::AID>3.0;2-#{}%` })
	if got := newWork(a).doiURL(); got != "https://doi.org/10.1002/(SICI)1097%3C1661::AID%3E3.0;2-%23%7B%7D%25" {
		t.Errorf("DOI as a link: %s", got)
	}
	if got := must(t, "vancouver", a); !strings.Contains(got, "doi: 10.1002/(SICI)1097<1661::AID>3.0;2-#{}%.") {
		t.Errorf("DOI as it is: %s", got)
	}
}
