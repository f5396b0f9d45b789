package refparse

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/cite"
)

// TestReadFindsTheFormInTheWholeFile checks format, identifiers, titles and the number of skipped
// lines of files as tools write them.
func TestReadFindsTheFormInTheWholeFile(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		format  Format
		ids     string // identifiers, separated by spaces
		without int
		titles  string // separated by |
		skipped int
	}{
		"Cochrane": {"Record #1 of 2\nProvider: P\nContent: text/plain; charset=\"UTF-8\"\nTY  - JOUR\nAN  - CN-1\nTI  - One\nC3  - EMBASE 5,PUBMED 31\nER  - \n\nRecord #2 of 2\nTY  - JOUR\nTI  - Two\nER  - \n",
			RIS, "31", 1, "One|Two", 4},
		"Ovid":          {"1. \nTY  - JOUR\nID  - 31234567\nT1  - One.\nY1  - 2019//\nER  - \n\n2. \nTY  - JOUR\nT1  - Two\nER  - \n", RIS, "31234567", 1, "One|Two", 2},
		"ids of others": {"TY  - JOUR\nID  - 30454593\nTI  - One\nER  - \nTY  - JOUR\nDB  - CINAHL\nDP  - EBSCOhost\nAN  - 10712345\nTI  - Two\nER  - \n", RIS, "", 2, "One|Two", 0},
		"PubMed's RIS":  {"TY  - JOUR\nAN  - 31\nDB  - PubMed\nTI  - One\nER  - \nTY  - JOUR\nDB  - Scopus\nC2  - 32\nTI  - Two\nER  -\nTY  - JOUR\nTI  - Three\nC2  - PMC33\nER  - ", RIS, "31 32 PMC33", 0, "One|Two|Three", 0},
		"tags before":   {"DB  - x\nTI  - One\nTY  - JOUR\nER  - \nDB  - x\nTI  - Two\nTY  - JOUR\nER  - \n", RIS, "", 2, "One|Two", 0},
		"wrapped ER": {"TY  - JOUR\nTI  - One\nAB  - Text\nER positive cases\nER-negative ones. ER  - no.\nER  - also\nTI - 6 mg\nAU  - King, M\nER  - \n\nTY  - JOUR\n\nTI  - Two\n\nER  - \n",
			RIS, "", 2, "One|Two", 0},
		"no ER":        {"TY  - JOUR\nTI  - One\nTY  - JOUR\nTI  - Two", RIS, "", 2, "One|Two", 0},
		"links of RIS": {"TY  - JOUR\nUR  - https://pubmed.ncbi.nlm.nih.gov/31/\nER  - \nTY  - JOUR\nL3  - https://doi.org/10.1000/a%3Cb\nTI  - Two\nER  - \n", RIS, "31 10.1000/a<b", 0, "|Two", 0},
		"nbib":         {"Search: x\n\nPMID- 31\nOWN - NLM\nIS  - 1234-5678 (Print)\nIS  - 1234-5679 (Linking)\nIP  - 3\nTI  - One of\n      two lines\n\nA line between.\nPMID- 32\nTI  - Two\n", NBIB, "31 32", 0, "One of two lines|Two", 2},
		"EndNote":      {"From a site\n%0 Journal Article\n%T One\n%A King, Martin\n%M 31\n%W PubMed\n%X first line\nsecond line\n\n%0 Journal Article\n%T Two\n%R 10.1000/2\n", EndNote, "31 10.1000/2", 0, "One|Two", 1},
		"EndNote XML": {`<?xml version="1.0" encoding="UTF-8"?><xml><records><record><database name="a.enl">a.enl</database><contributors><authors><author><style face="normal">King, Martin</style></author></authors></contributors>` +
			`<titles><title><style>One </style><style face="italic">two</style></title><secondary-title>J</secondary-title></titles><dates><year>2019</year></dates><accession-num>31</accession-num><remote-database-provider>NLM</remote-database-provider></record>` +
			`<record><titles><title>Two</title></titles><electronic-resource-num>doi:10.1000/2</electronic-resource-num></record></records></xml>`, EndNoteXML, "31 10.1000/2", 0, "One two|Two", 0},
		"PubMed XML": {`<?xml version="1.0"?><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>31</PMID><Article><Journal/><ArticleTitle>One.</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>`, PubMedXML, "31", 0, "One", 0},
		"CSL-JSON": {`[{"title":"One","PMID":31,"author":[{"family":"King","given":"Martin"}],"issued":{"date-parts":[[2019,3]]}},{"title":"Two","DOI":"10.1000/2"},{"title":"Three","note":"PMID: 33\nPMCID: PMC9"}]`,
			JSON, "31 10.1000/2 33", 0, "One|Two|Three", 0},
		"items":      {`{"items":[{"title":["One"],"DOI":"10.1000/1"}]}`, JSON, "10.1000/1", 0, "One", 0},
		"own answer": {`{"articles":[{"pmid":"31","title":"One","journal":{"title":"J","volume":"2"}}],"not_found":[]}`, JSON, "31", 0, "One", 0},
		"JSON lines": {"{\"pmid\":\"31\",\"title\":\"One\"}\n{\"pmid\":\"32\",\"title\":\"Two\"}\n", JSON, "31 32", 0, "One|Two", 0},
		"JSON ids":   {`["31", 2014]`, JSON, "31 2014", 0, "|", 0},
		"PubMed CSV": {"\ufeffPMID,Title,Authors,Citation,First Author,Journal/Book,Publication Year,Create Date,PMCID,NIHMS ID,DOI\r\n31,\"One, with 300 patients.\",Moss AB.,J Invent Med. 2019 Mar;12(3):101-9.,Moss AB,J Invent Med,2019,2019/03/02,,,\r\n",
			CSV, "31", 0, "One, with 300 patients", 0},
		"Zotero CSV": {"\"Key\",\"Item Type\",\"Publication Year\",\"Author\",\"Title\",\"DOI\",\"Url\"\n\"A1\",\"journalArticle\",\"2019\",\"Moss, Ada B.; Fern, Q\",\"One\",\"10.1000/1\",\"\"\n\"A2\",\"journalArticle\",\"2020\",\"\",\"Two\",\"\",\"https://pubmed.ncbi.nlm.nih.gov/32/\"\n", CSV, "10.1000/1 32", 0, "One|Two", 0},
		"Scopus CSV": {"Scopus\n\nAuthors,Title,Year,\"PubMed ID\"\nMoss A.,One,2019,31.0\n", CSV, "31", 0, "One", 1},
		"tabs":       {"Title\tYear\tPMID\nOne\t2019\t31\n", CSV, "31", 0, "One", 0},
		"BibTeX": {"A comment.\n@comment{x = {}}\n@preamble{\"x\"}\n@string{jim = \"J Invent Med\"}\n@article{a, title={One {\\&} $\\alpha$}, journal=jim # \" A\", url={https://doi.org/10.4103/j\\_14}}\ntext\n@article(b, title=\"Two\", pmid=32)\n@misc{title={Three}, eprint={33}, eprinttype={pubmed}}",
			BibTeX, "10.4103/j_14 32 33", 0, "One & α|Two|Three", 2},
		"open entry":    {"@article{a, title={One}, doi={10.1000/1},\n year={2019\n\n@article{b, title={Two}, pmid={32}}\n@article{c, title={Three}, pmid={33}}\n", BibTeX, "10.1000/1 32 33", 0, "One|Two|Three", 0},
		"one line":      {"@article{a, title={One}, pmid=31} @article{b, title={Two}, pmid=32}", BibTeX, "31 32", 0, "One|Two", 0},
		"printed lines": {"1. Moss AB. One. J Invent Med. 2019;12(3):101-9. PMID: 31\n2. Moss AB. Two. J Invent Med. 2019;12(3):110-9.\n", Lines, "31", 1, "One|Two", 0},
		"[1] Moss":      {"[1] Moss AB. One. J Invent Med. 2019;12(3):101-9. PMID: 31\n[2] Moss AB. Two. J Invent Med. 2019;12(3):110-9.\n", Lines, "31", 1, "One|Two", 0},
		"marked text":   {"<i>Moss AB</i>. One. J Invent Med. 2019;12(3):101-9. PMID: 31\n", Lines, "31", 0, "One", 0},
		"numbers":       {"2014\n300\n", Lines, "", 2, "|", 0},
		"header alone":  {"PMID\n2014, 300\n", Lines, "2014 300", 0, "|", 0},
		"no known tag":  {"TY  - \nXX  - 1\nER  - \nTY  - JOUR\nXX  - 1\nER  - \n", RIS, "", 0, "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Read(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if f.Format != c.format {
				t.Errorf("format %s, want %s", f.Format, c.format)
			}
			ids, without := f.IDs()
			if got := strings.Join(ids, " "); got != c.ids || without != c.without {
				t.Errorf("ids %q and %d without, want %q and %d", got, without, c.ids, c.without)
			}
			var titles []string
			for _, r := range f.References {
				titles = append(titles, r.Title)
				if r.Text == "" {
					t.Errorf("a record without text: %+v", r)
				}
			}
			if got := strings.Join(titles, "|"); got != c.titles {
				t.Errorf("titles %q, want %q", got, c.titles)
			}
			if len(f.Skipped) != c.skipped {
				t.Errorf("skipped %q, want %d lines", f.Skipped, c.skipped)
			}
		})
	}
}

func TestReadRejectsOtherForms(t *testing.T) {
	for name, text := range map[string]string{
		"HTML": "<!DOCTYPE html><html><body>x</body></html>", "other XML": "<article/>", "cut XML": "<xml><records><record><titles>",
		"cut JSON": `[{"title":"One"},{"title":`, "cut object": "{\n \"pmid\": \"3", "not closed": "<xml>", "PubMed XML": "<PubmedArticleSet><PubmedArticle>",
	} {
		_, err := Read(text)
		if _, ok := errors.AsType[*FormatError](err); !ok {
			t.Errorf("%s: %v, want a *FormatError", name, err)
		}
		if got := Split(text); len(got) != 0 || got == nil {
			t.Errorf("%s: Split returns %+v, want an empty list", name, got)
		}
	}
}

// TestFieldsOfFiles checks every field of one record in each format.
func TestFieldsOfFiles(t *testing.T) {
	want := Reference{Author: "King ML", Title: "A title", Journal: "J Invent Med", Year: "2019", Volume: "12", Issue: "3", Page: "101", DOI: "10.1000/x_1", PMID: "31", PMCID: "PMC9"}
	for name, text := range map[string]string{
		"RIS":         "TY  - JOUR\nAU  - King, Martin Luther\nTI  - A title.\nJF  - J Invent Med\nPY  - 2019/03/01/\nVL  - 12\nIS  - 3\nSP  - 101\nEP  - 109\nSN  - 1234-5678\nDO  - https://doi.org/10.1000/x_1\nAN  - 31\nC2  - PMC9\nER  - \n",
		"nbib":        "PMID- 31\nIS  - 1234-5678 (Print)\nVI  - 12\nIP  - 3\nDP  - 2019 Mar\nTI  - A title.\nPG  - 101-9\nLID - 10.1000/x_1 [doi]\nFAU - King, Martin Luther\nAU  - King ML\nTA  - J Invent Med\nPMC - PMC9\n",
		"nbib's SO":   "PMID- 31\nTI  - A title.\nFAU - King, Martin Luther\nAID - 10.1000/x_1 [doi]\nPMC - PMC9\nSO  - J Invent Med. 2019 Mar;12(3):101-9. doi: 10.1000/x_1.\n",
		"EndNote":     "%0 Journal Article\n%A King, Martin Luther\n%T A title\n%J J Invent Med\n%D 2019\n%V 12\n%N 3\n%P 101-109\n%R 10.1000/x_1\n%M 31\n%2 PMC9\n%@ 1234-5678\n",
		"BibTeX":      "@article{k, author={Martin Luther King and Other, A}, title={{A title}}, journal={J Invent Med}, year=2019, month=mar, volume=\"12\", number={3}, pages={101--109}, doi={10.1000/x\\_1}, pmid={31}, pmcid={PMC9}, url={https://doi.org/10.1000/other}}",
		"CSL-JSON":    `[{"author":[{"family":"King","given":"Martin Luther"}],"title":"A title","container-title":"J Invent Med","issued":{"date-parts":[["2019",3]]},"volume":12,"issue":"3","page":"101-109","DOI":"10.1000/x_1","PMID":"31","PMCID":"PMC9","source":"PubMed"}]`,
		"EndNote XML": `<xml><records><record><contributors><authors><author>King, Martin Luther</author></authors></contributors><titles><title>A title</title></titles><periodical><full-title>J Invent Med</full-title></periodical><pages>101-109</pages><volume>12</volume><number>3</number><dates><year>2019</year></dates><electronic-resource-num>10.1000/x_1</electronic-resource-num><accession-num>31</accession-num><custom2>PMC9</custom2></record></records></xml>`,
		"CSV":         "PMID;PMCID;DOI;Title;First Author;Journal;Year;Volume;Issue;Pages\n31;9;10.1000/x_1;A title.;King ML;J Invent Med;2019;12;3;101-109\n",
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Read(text)
			if err != nil || len(f.References) != 1 {
				t.Fatalf("%v: %+v", err, f)
			}
			got := f.References[0]
			got.Text = ""
			if got != want {
				t.Errorf("\n got %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestFirstNameOfBibTeX(t *testing.T) {
	for names, want := range map[string]string{
		"King, Martin L. and Other, A": "King ML", "Martin L. King": "King ML", "Ada van der Berg": "van der Berg A", "{The Group and Friends} and King, M": "The Group and Friends",
		`B{\"o}rner, Lea`: "Börner L", `{\'E}mile Zola`: "Zola É", "King ML": "King ML", "Plato": "Plato", "Smith AND Jones": "Smith",
	} {
		f, _ := Read("@article{a, title={x}, author={" + names + "}}")
		if got := f.References[0].Author; got != want {
			t.Errorf("%s: %q, want %q", names, got, want)
		}
	}
}

func TestDOIsOfBibTeX(t *testing.T) {
	for field, want := range map[string]string{
		`10.1000/a{b}c%20d#e`: "10.1000/a{b}c%20d#e", `10.1000/j{\_}1{_}2`: "10.1000/j_1_2", `{10.1000/x}`: "10.1000/x",
		`https://doi.org/10.1000/a%3Cb`: "10.1000/a<b", `10.1000/a\%2Fb\&c\#d`: "10.1000/a%2Fb&c#d", `doi:10.1000/x.`: "10.1000/x",
	} {
		f, _ := Read("@article{a, title={x}, doi={" + field + "}}")
		if got := f.References[0].DOI; got != want {
			t.Errorf("%s: %q, want %q", field, got, want)
		}
	}
}

func TestFromTeX(t *testing.T) {
	for text, want := range map[string]string{
		`10.4103/j.j\_14\_19`: "10.4103/j.j_14_19", `j{\_}14`: "j_14", `j$\_$14`: "j_14", `a$<$b\ensuremath{>}c`: "a<b>c", `{\textless}1{\textgreater}`: "<1>",
		`\% \& \# \$ \{ \}`: "% & # $ { }", `100\%`: "100%", `\'{e}\` + "`" + `a\^{\i}\"u\~n\c{c}\v{S}\H o\aa{}ngstr\"om`: "éàîüñçŠőångström", `{\ss}\o\L{}`: "ßøŁ",
		`CO$_2$`: "CO2", `\textit{E. coli} and \emph{x}`: "E. coli and x", `$\alpha$-synuclein $\beta_{2}$`: "α-synuclein β2", `a~b`: "a b", `http://x.org/~b`: "http://x.org/~b",
		`\textasciitilde{}x\textbackslash{}`: `~x\`, `10\,mg`: "10 mg", `\`: "", `\'`: "'", `\c`: "", `plain`: "plain", `\{ \textbraceleft{}`: "{ {", `\~{}b`: "~b",
	} {
		if got := fromTeX(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Files that this program writes are read back with the PMIDs and DOIs of all records.
func TestOwnFilesAreReadBack(t *testing.T) {
	articles := realArticles(t)
	for style, format := range map[string]Format{"ris": RIS, "bibtex": BibTeX, "nbib": NBIB, "csl-json": JSON} {
		text, err := cite.FormatAll(style, articles)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Read("A heading\n" + text)
		if style == "csl-json" {
			f, err = Read(text)
		}
		if err != nil || f.Format != format || len(f.References) != len(articles) {
			t.Errorf("%s: %d references of %d as %s, %v", style, len(f.References), len(articles), f.Format, err)
			continue
		}
		for i, a := range articles {
			if r := f.References[i]; r.PMID != a.PMID || !strings.EqualFold(r.DOI, a.DOI) {
				t.Errorf("%s: PMID %s and DOI %s, want %s and %s", style, r.PMID, r.DOI, a.PMID, a.DOI)
			}
		}
	}
}

// TestSharedFiles counts the records of files as other tools write them.
func TestSharedFiles(t *testing.T) {
	for name, want := range map[string]string{
		"doi_escapes.bib": "BibTeX 12 10 0", "endnote.enw": "EndNote 2 0 0", "nbib_after_a_line.nbib": "nbib 1 1 1", "pubmed_export.csv": "CSV 2 2 0",
		"ris_cochrane.ris": "RIS 2 0 6", "ris_ovid.ris": "RIS 2 1 2", "ris_tags_before_ty.ris": "RIS 2 0 0", "ris_wrapped_er.ris": "RIS 2 0 0", "records.xml": "PubMed XML 93 93 0",
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "shared", "data", "t4", "references", name))
		if err != nil {
			t.Skipf("SKIPPED: files of other tools are absent: %v", err)
		}
		f, err := Read(string(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		ids, _ := f.IDs()
		if got := fmt.Sprintf("%s %d %d %d", f.Format, len(f.References), len(ids), len(f.Skipped)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if name == "doi_escapes.bib" {
			slices.Sort(ids)
			if got := slices.Compact(ids); len(got) != 3 {
				t.Errorf("DOIs %q, want 3 different ones", got)
			}
		}
	}
}

// The first author is the same person or group in each way that files write names.
func TestFirstAuthorOfFiles(t *testing.T) {
	for text, want := range map[string]string{
		"Authors,Title,Year\n\"Muster C.C., Beispiel L.\",A title,2019\n":                     "Muster CC", // Scopus, Embase
		"Authors,Title,Year\n\"O'Muster C.-C., van Beispiel L.\",A title,2019\n":              "O'Muster CC",
		"Authors,Title,Year\n\"Muster, C.C.; Beispiel, L.\",A title,2019\n":                   "Muster CC",
		"Authors,Title,Year\n\"van der Muster C., Beispiel L.\",A title,2019\n":               "van der Muster C",
		"Authors,Title,Year\n\"St. Muster, Carla C.\",A title,2019\n":                         "St. Muster CC",
		"@article{a, author={Invented Study Group}, title={A title}}":                         "Invented Study Group",
		"@article{a, author={National Invention Centre Team and Muster, C}, title={A title}}": "National Invention Centre Team",
		"@article{a, author={Carla C. Muster}, title={A title}}":                              "Muster CC",
		"TY  - JOUR\nAU  - Invented Study Group\nTI  - A title\nER  - \n":                     "Invented Study Group",
	} {
		if got := Split(text); len(got) != 1 || got[0].Author != want {
			t.Errorf("%s: %+v, want the author %q", text, got, want)
		}
	}
}
