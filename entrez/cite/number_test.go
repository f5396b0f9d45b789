package cite

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/entrez/pubmed"
)

// numbered is a synthetic article of a journal without pages.
func numbered(locations ...pubmed.ELocation) *pubmed.Article {
	return with(func(a *pubmed.Article) {
		a.Journal.Pages, a.Journal.StartPage, a.Journal.EndPage = "", "", ""
		a.Journal.ISSNLinking = "2345-678X"
		a.Authors, a.ELocations = a.Authors[:1], locations
	})
}

func TestArticleNumber(t *testing.T) {
	doi := pubmed.ELocation{Type: "doi", Value: "10.1000/syn_1"}
	a := numbered(pubmed.ELocation{Type: "pii", Value: "9966"}, doi)
	prose(t, "article number", a,
		"van Moor, J.-L. A. (2020). Heat & yeast: a 50% test. *Journal of Synthetic Results*, *12*(3–4), Article 9966. https://doi.org/10.1000/syn_1",
		`van Moor, Jean-Luc A. "Heat & yeast: a 50% test." *Journal of Synthetic Results*, vol. 12, no. 3–4, 5 Mar. 2020, article 9966, https://doi.org/10.1000/syn_1.`,
		"van Moor JA. Heat & yeast: a 50% test. J. Synth. Res. 2020 Mar 5;12(3-4):9966. doi: 10.1000/syn_1. Epub 2019 Dec 30. PMID: 90000010; PMCID: PMC9000010.")
	for style, part := range map[string]string{
		"ris": "IS  - 3-4\nSP  - 9966\nSN  - ", "bibtex": "  number   = {3-4},\n  eid      = {9966},\n  issn", "csl-json": "\"issue\": \"3-4\",\n    \"number\": \"9966\",\n    \"issued\"",
		"nbib": "TI  - Heat & yeast: a 50% test.\nLID - 9966 [pii]\nLID - 10.1000/syn_1 [doi]\nAB  - ",
	} {
		t.Run(style, func(t *testing.T) {
			if got := must(t, style, a); !strings.Contains(got, part) {
				t.Errorf("%s has no %q:\n%s", style, part, got)
			}
		})
	}
	if got := must(t, "nbib", a); !strings.HasSuffix(got, "SO  - J Synth Res. 2020 Mar 5;12(3-4):9966. doi: 10.1000/syn_1. Epub 2019 Dec 30.\n\n") {
		t.Errorf("nbib: %s", got)
	}

	// Pages precede an article number. The record's order of locations is kept.
	paged := with(func(a *pubmed.Article) {
		a.ELocations = []pubmed.ELocation{doi, {Type: "pii", Value: "S1234-5678(20)00001-X"}, {Type: "pii", Value: "e99"}}
	})
	for _, style := range Styles {
		want := must(t, style, sample())
		if style == "nbib" {
			want = strings.Replace(want, "[doi]\n", "[doi]\nLID - S1234-5678(20)00001-X [pii]\nLID - e99 [pii]\n", 1)
		}
		if got := must(t, style, paged); got != want {
			t.Errorf("%s of an article with pages:\n got %s\nwant %s", style, got, want)
		}
	}
}

func TestWhatIsAnArticleNumber(t *testing.T) {
	for pii, want := range map[string]bool{
		"9966": true, "021003": true, "e154225": true, "euae122": true, "eabl6449": true, "e00216-22": true, "m1847": true, "S172": true, "2023-0147": true, "ib.x123": true, "ib.x999999999999.345": true, "ib.x9999999999999.345": false,
		"S0140-6736(20)30183-5": false, "S0140673620301835": false, "S2345-678X2013000100035": false, "S00042803201300010": false, // of publishers
		"1234-5678-7-10": false, "12345678-7-10": false, "2345-678X.AB-22-1": false, // with the journal's ISSN
		"10.1000/syn_1": false, "/j/synth.ahead/1": false, "two words 1": false, "": false, "corrigendum": false,
		"SYNTHESISAHA.120.047549": false, // too long to be typed
	} {
		t.Run(pii, func(t *testing.T) {
			a := numbered(pubmed.ELocation{Type: "pii", Value: pii})
			got := newWork(a).number
			if got != "" && got != pii || (got != "") != want {
				t.Errorf("%q: %q", pii, got)
			}
			if want {
				return
			}
			plain := numbered()
			for _, style := range Styles {
				if style == "nbib" { // PubMed's own format, see below
					continue
				}
				if text := must(t, style, a); text != must(t, style, plain) {
					t.Errorf("%s prints %q: %s", style, pii, text)
				}
			}
		})
	}
	for name, a := range map[string]*pubmed.Article{
		"the identifier for links": with(func(a *pubmed.Article) {
			a.Journal = numbered().Journal
			a.ArticleIDs = []pubmed.ArticleID{{Type: "pii", Value: "9966"}}
		}),
		"a DOI": numbered(pubmed.ELocation{Type: "doi", Value: "9966"}),
		"ahead of print": with(func(a *pubmed.Article) {
			*a = *numbered(pubmed.ELocation{Type: "pii", Value: "9966"})
			a.PublicationStatus = "aheadofprint"
		}),
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			if got := newWork(a).number; got != "" {
				t.Errorf("%s: %q", name, got)
			}
		})
	}
}

// PubMed prints any pii in place of pages, even for an article ahead of print, so nbib has it in
// SO.
func TestSourceLineOfPubMed(t *testing.T) {
	for _, c := range []struct {
		pii, status, want string
	}{
		{"S1234-5678(20)00001-X", "ppublish", "J Synth Res. 2020 Mar 5;12(3-4):S1234-5678(20)00001-X. doi: 10.1000/syn_1. Epub 2019 Dec 30."},
		{"S1234-5678(20)00001-X", "aheadofprint", "J Synth Res. 2019 Dec 30:S1234-5678(20)00001-X. doi: 10.1000/syn_1. Online ahead of print."},
		{"", "ppublish", "J Synth Res. 2020 Mar 5;12(3-4). doi: 10.1000/syn_1. Epub 2019 Dec 30."},
	} {
		t.Run(c.pii, func(t *testing.T) {
			a := numbered(pubmed.ELocation{Type: "pii", Value: c.pii})
			if a.PublicationStatus = c.status; c.status == "aheadofprint" {
				a.Journal.Volume, a.Journal.Issue = "", ""
			}
			fields, err := readNBIB(must(t, "nbib", a))
			if err != nil || value(fields[0], "SO") != c.want || value(fields[0], "PG") != "" {
				t.Errorf("%q, want %q (%v)", value(fields[0], "SO"), c.want, err)
			}
		})
	}
}

func TestPreprintNumber(t *testing.T) {
	a := numbered(pubmed.ELocation{Type: "pii", Value: "2020.03.25.008508"})
	a.PublicationTypes = append(a.PublicationTypes, "Preprint")
	a.Journal.Volume, a.Journal.Issue = "", ""
	prose(t, "preprint", a,
		"van Moor, J.-L. A. (2020). *Heat & yeast: a 50% test*. Journal of Synthetic Results. https://doi.org/10.1000/syn_1",
		`van Moor, Jean-Luc A. "Heat & yeast: a 50% test." *Journal of Synthetic Results*, 5 Mar. 2020, https://doi.org/10.1000/syn_1. Preprint.`,
		"van Moor JA. Heat & yeast: a 50% test. J. Synth. Res [Preprint]. 2020 Mar 5:2020.03.25.008508. doi: 10.1000/syn_1. Epub 2019 Dec 30. PMID: 90000010; PMCID: PMC9000010.")
}
