package cite

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/pubmed"
)

// sample is a synthetic article with a value for every rule.
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
		"apa":       `van Moor, J.-L. A., King, M., Jr., & Yeast and Heat Group. (2020). Heat & yeast: a 50% test. Journal of Synthetic Results, 12(3–4), 737–738. https://doi.org/10.1000/syn_1`,
		"mla":       `van Moor, Jean-Luc A., et al. "Heat & yeast: a 50% test." Journal of Synthetic Results, vol. 12, no. 3–4, 5 Mar. 2020, pp. 737–38, https://doi.org/10.1000/syn_1.`,
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
		t.Run(s, func(t *testing.T) {
			if !strings.Contains(err.Error(), s) {
				t.Errorf("%q does not name %s", err, s)
			}
		})
	}
}

func TestSeveralArticles(t *testing.T) {
	two := []*pubmed.Article{sample(), with(func(a *pubmed.Article) { a.PMID = "90000011" })}
	second := func(style string, n int, err error, want string, id func() string) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", style, err)
		} else if n != 2 {
			t.Errorf("%s: %d records, want 2", style, n)
		} else if got := id(); got != want {
			t.Errorf("%s: ID of the second record %q, want %q", style, got, want)
		}
	}
	risFile, err := readRIS(must(t, "ris", two...))
	second("ris", len(risFile), err, "90000011", func() string { return value(risFile[1], "AN") })
	bibFile, err := readBibTeX(must(t, "bibtex", two...))
	second("bibtex", len(bibFile), err, "pmid90000011", func() string { return bibFile[1].key })
	nbibFile, err := readNBIB(must(t, "nbib", two...))
	second("nbib", len(nbibFile), err, "90000011", func() string { return value(nbibFile[1], "PMID") })
	cslFile, err := readCSL(must(t, "csl-json", two...))
	second("csl-json", len(cslFile), err, "90000011", func() string { return fmt.Sprint(cslFile[1]["PMID"]) })
	for _, style := range []string{"apa", "mla", "vancouver"} {
		t.Run(style, func(t *testing.T) {
			lines := strings.Split(must(t, style, two...), "\n")
			if len(lines) != 2 {
				t.Errorf("%s: %d lines, want 2: %q", style, len(lines), lines)
			}
			if slices.Contains(lines, "") {
				t.Errorf("%s: an empty line: %q", style, lines)
			}
		})
	}
	if got := must(t, "csl-json"); got != "[\n  \n]\n" {
		t.Errorf("no articles: %q", got)
	}
}

// prose compares citations in the styles for reading, except those that are "". Asterisks stand for
// Emphasis.
func prose(t *testing.T, name string, a *pubmed.Article, apa, mla, vancouver string) {
	t.Helper()
	for style, want := range map[string]string{"apa": apa, "mla": mla, "vancouver": vancouver} {
		marked, err := FormatMarked(style, a)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(marked, Emphasis, "*"); want != "" && got != want {
			t.Errorf("%s, %s:\n got %s\nwant %s", name, style, got, want)
		}
		if got, plain := must(t, style, a), strings.ReplaceAll(marked, Emphasis, ""); got != plain {
			t.Errorf("%s, %s as plain text:\n got %s\nwant %s", name, style, got, plain)
		}
	}
}

// group returns an article with n authors: Author1 A, Author2 A, ...
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
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got := must(t, "apa", group(n)); !strings.Contains(got, last) || strings.Contains(got, "A20,") || strings.Contains(got, "&") {
				t.Errorf("%d authors: %s", n, got)
			}
		})
	}
	many := group(25)
	many.AuthorsComplete = false
	if got := must(t, "apa", many); !strings.Contains(got, "A18, B. C., A19, B. C., et al. (2020)") || strings.Contains(got, "A20,") {
		t.Errorf("25 authors of more: %s", got)
	}
	some := group(2)
	some.AuthorsComplete = false
	prose(t, "incomplete", some, "A1, B. C., A2, B. C., et al. (2020). T. *J*.", `A1, B. C., et al. "T." *J*, 2020.`, "A1 BC, A2 BC, et al. T. J. 2020. PMID: 1.")
	if got := must(t, "bibtex", some); !strings.Contains(got, "{A1, B C and A2, B C and others}") {
		t.Errorf("incomplete: %s", got)
	}
}

// Citations of notices in NLM's forms (RefSource).
func TestRetractionOfNamedAuthors(t *testing.T) {
	for source, want := range map[string]string{
		"Moor AB, Van der Veld C. J Heat. 1977 Apr 10;252(7):2473":       "1977, *J Heat*, *252*[7], 2473",
		"Moor AB, King M Jr, et al. J Heat. 1977;252:24":                 "1977, *J Heat*, *252*, 24",
		"Moor AB et al. Proc Soc Heat U S A. 1977 Apr;2(7):24":           "1977, *Proc Soc Heat U S A*, *2*[7], 24",
		"Moor AB. Retraction of a test. J Synth Res. 1997 Aug;98(8):124": "1997, *Journal of Synthetic Results*, *98*[8], 124",
		"Proc Soc Heat U S A. 1977 Apr;2(7):24":                          "1977, *Proc Soc Heat U S A*, *2*[7], 24",
		"J Heat B. 1977 Apr;2(7):24":                                     "1977, *J Heat B*, *2*[7], 24",
	} {
		t.Run(source, func(t *testing.T) {
			got, err := FormatMarked("apa", with(func(a *pubmed.Article) {
				a.Retracted, a.Corrections = true, []pubmed.Correction{{Type: "RetractionIn", Source: source}}
			}))
			if got = strings.ReplaceAll(got, Emphasis, "*"); err != nil || !strings.HasSuffix(got, "(Retraction published "+want+")") {
				t.Errorf("%v: %s", err, got)
			}
		})
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
		t.Run(style, func(t *testing.T) {
			got := must(t, style, retracted)
			for _, part := range parts {
				if !strings.Contains(got, part) {
					t.Errorf("%s has no %q:\n%s", style, part, got)
				}
			}
		})
	}
	// A retracted work has the mark exactly once, even if no notice is known.
	for _, title := range []string{"Heat.", "RETRACTED: Heat."} {
		t.Run(title, func(t *testing.T) {
			bare := with(func(a *pubmed.Article) { a.Retracted, a.Title = true, title })
			for _, style := range Styles {
				text := strings.ReplaceAll(strings.ToLower(must(t, style, bare)), "retracted: heat", "")
				if !strings.Contains(text, "retracted") || strings.Contains(text, "retracted: retracted") {
					t.Errorf("%s: %s", style, text)
				}
			}
		})
	}
}
