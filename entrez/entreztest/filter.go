package entreztest

import (
	"strings"

	"biomcp/entrez/pubmed"
	records "biomcp/entrez/record"
)

// filtersOf returns the subsets that a record belongs to, which are the values of [sb] and [filter]
// (PubMed User Guide, "Filters" and "Subset"). PubMed has more filters. One that no record has is a
// phrase that is not found, like any unknown term.
func filtersOf(a *pubmed.Article, r *record) []string {
	out := []string{"all"}
	add := func(on bool, names ...string) {
		if on {
			out = append(out, names...)
		}
	}
	add(r.hasAbstract, "hasabstract", "fha")
	add(r.pmcid != "", "free full text", "ffrft", "pubmed pmc", "pubmed pmc local", "full text", "fft",
		"loattrfree full text")
	add(r.doi != "", "full text", "fft")
	add(r.isBook, "books", "pmcbook")
	add(a.Retracted, "retracted")
	switch a.Status {
	case "MEDLINE":
		add(true, "medline")
	case "PubMed-not-MEDLINE":
		add(true, "pubmednotmedline")
	case "In-Process", "In-Data-Review":
		add(true, "inprocess")
	case "Publisher":
		add(true, "publisher")
	}
	add(a.PublicationStatus == "aheadofprint", "aheadofprint")
	for _, m := range a.Mesh {
		switch m.Descriptor {
		case "Humans", "Animals", "Male", "Female":
			add(true, m.Descriptor)
		}
	}
	for _, t := range a.PublicationTypes {
		add(true, t)
		add(t == "Systematic Review", "systematic")
	}
	for _, code := range a.Language {
		_, name := records.Language(code)
		add(name != "", name)
	}
	for _, s := range a.CitationSubsets {
		switch s {
		case "IM":
			add(true, "jsubsetim")
		case "AIM":
			add(true, "jsubsetaim")
		default:
			add(true, "jsubset"+strings.ToLower(s))
		}
	}
	return out
}

// broaderTypes is the most used part of MeSH's tree of publication types. [pt] also finds the
// narrower types (NLM, "Publication Types").
var broaderTypes = map[string][]string{
	"Systematic Review":                 {"Review"},
	"Scoping Review":                    {"Review"},
	"Randomized Controlled Trial":       {"Controlled Clinical Trial", "Clinical Trial"},
	"Controlled Clinical Trial":         {"Clinical Trial"},
	"Pragmatic Clinical Trial":          {"Randomized Controlled Trial", "Controlled Clinical Trial", "Clinical Trial"},
	"Equivalence Trial":                 {"Randomized Controlled Trial", "Controlled Clinical Trial", "Clinical Trial"},
	"Adaptive Clinical Trial":           {"Clinical Trial"},
	"Clinical Trial, Phase I":           {"Clinical Trial"},
	"Clinical Trial, Phase II":          {"Clinical Trial"},
	"Clinical Trial, Phase III":         {"Clinical Trial"},
	"Clinical Trial, Phase IV":          {"Clinical Trial"},
	"Practice Guideline":                {"Guideline"},
	"Autobiography":                     {"Biography"},
	"Introductory Journal Article":      {"Journal Article"},
	"Clinical Trial, Veterinary":        {"Observational Study, Veterinary"},
	"Network Meta-Analysis":             {"Meta-Analysis"},
	"Corrected and Republished Article": {"Journal Article"},
}
