package cite

import (
	"strings"
	"testing"

	"biomcp/entrez/pubmed"
)

func TestPreprint(t *testing.T) {
	a := group(1)
	a.PublicationTypes = []string{"Journal Article", "Preprint"}
	a.Journal = pubmed.Journal{Title: "bioRxiv : the preprint server for biology", ISOAbbreviation: "bioRxiv", Abbreviation: "bioRxiv", Pages: "2020.03.25.008508", StartPage: "2020.03.25.008508"}
	a.PublicationDate = pubmed.PubDate{Year: 2020, Month: 3, Day: 27}
	a.DOI, a.PubModel = "10.1101/2020.03.25.008508", "Electronic"
	a.Corrections = []pubmed.Correction{{Type: "UpdateIn", Source: "Cell. 2020 May 1;1:2", PMID: "5"}}
	prose(t, "preprint", a,
		"A1, B. C. (2020). *T*. bioRxiv. https://doi.org/10.1101/2020.03.25.008508",
		`A1, B. C. "T." *bioRxiv*, 27 Mar. 2020, https://doi.org/10.1101/2020.03.25.008508. Preprint.`,
		"A1 BC. T. bioRxiv [Preprint]. 2020 Mar 27:2020.03.25.008508. doi: 10.1101/2020.03.25.008508. Update in: Cell. 2020 May 1;1:2. PMID: 1.")
	for style, part := range map[string]string{
		"ris": "TY  - GEN\n", "bibtex": "howpublished  = {bioRxiv},\n  eprint        = {2020.03.25.008508},\n  archiveprefix = {bioRxiv},\n", "csl-json": `"genre": "preprint"`, "nbib": "SO  - bioRxiv [Preprint]. 2020 Mar 27:2020.03.25.008508.",
	} {
		t.Run(style, func(t *testing.T) {
			if got := must(t, style, a); !strings.Contains(got, part) {
				t.Errorf("%s has no %q:\n%s", style, part, got)
			}
		})
	}
}

// arXiv is a synthetic record like PubMed's arXiv papers, with a number and without a DOI.
func arXiv() *pubmed.Article {
	a := group(2)
	a.PublicationTypes, a.PublicationStatus, a.PubModel = []string{"Journal Article", "Preprint"}, "epublish", "Electronic"
	a.Journal = pubmed.Journal{Title: "ArXiv", ISOAbbreviation: "ArXiv", Abbreviation: "ArXiv"}
	a.PublicationDate = pubmed.PubDate{Year: 2023, Month: 4, Day: 5}
	a.ELocations = []pubmed.ELocation{{Type: "pii", Value: "arXiv:2304.99999v1"}}
	return a
}

func TestPreprintWithoutDOI(t *testing.T) {
	prose(t, "arXiv", arXiv(),
		"A1, B. C., & A2, B. C. (2023). *T* (arXiv:2304.99999v1). arXiv. https://arxiv.org/abs/2304.99999v1",
		`A1, B. C., and B. C. A2. "T." *arXiv*, 5 Apr. 2023, https://arxiv.org/abs/2304.99999v1. Preprint.`,
		"A1 BC, A2 BC. T. ArXiv [Preprint]. 2023 Apr 5:arXiv:2304.99999v1. PMID: 1.")
	bib := must(t, "bibtex", arXiv())
	for _, part := range []string{"@misc{pmid1,", "  eprint        = {2304.99999v1},\n", "  archiveprefix = {arXiv},\n", "{arXiv},\n"} {
		t.Run(part, func(t *testing.T) {
			if !strings.Contains(bib, part) {
				t.Errorf("no %q in\n%s", part, bib)
			}
		})
	}
	if strings.Contains(bib, "eid ") {
		t.Errorf("the number of the preprint is there twice:\n%s", bib)
	}
	other := arXiv()
	other.Journal = pubmed.Journal{Title: "Research Square", ISOAbbreviation: "Res Sq"}
	other.ELocations = []pubmed.ELocation{{Type: "pii", Value: "rs.3.rs-9999"}}
	prose(t, "in PubMed alone", other,
		"A1, B. C., & A2, B. C. (2023). *T* (rs.3.rs-9999). Research Square. https://pubmed.ncbi.nlm.nih.gov/1/",
		`A1, B. C., and B. C. A2. "T." *Research Square*, 5 Apr. 2023, https://pubmed.ncbi.nlm.nih.gov/1/. Preprint.`, "")
	other.PMCID = "PMC9"
	prose(t, "in PMC", other,
		"A1, B. C., & A2, B. C. (2023). *T* (rs.3.rs-9999). Research Square. https://pmc.ncbi.nlm.nih.gov/articles/PMC9/", "", "")
}
