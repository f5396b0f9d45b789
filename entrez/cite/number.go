package cite

import (
	"strings"

	"biomcp/entrez/pattern"
)

// pii is what NLM prints where an article has no pages (NLM Tech Bull 2008
// Jul-Aug;(363):e2): the first pii among its ELocationIDs, whatever that is.
func (w *work) pii() string {
	for _, l := range w.ELocations {
		if value := line(l.Value); l.Type == "pii" && value != "" {
			return value
		}
	}
	return ""
}

// articleNumberOf is the pii of an article without pages if it is its number in
// the journal: 9966, e154225, euae122. Ahead of print it is not, since many
// journals then give the number of the manuscript and pages later.
func (w *work) articleNumberOf() string {
	pii := w.pii()
	if len(w.pages) > 0 || w.aheadOfPrint() || !w.shortNumber(pii) {
		return ""
	}
	return pii
}

var (
	oneWord = pattern.Lazy(`^[A-Za-z0-9]+([.:-][A-Za-z0-9]+)*$`) // no DOI, no S0140-6736(20)30183-5
	// A Publisher Item Identifier is S with the ISSN of the journal or B with the
	// ISBN of the book, year and number behind (https://en.wikipedia.org/wiki/Publisher_Item_Identifier);
	// SciELO's is like it.
	publisherItem = pattern.Lazy(`^[SB]\d{4}-?\d{3}[\dX]`)
)

// shortNumber reports whether a reader could find an article by this next to
// journal, volume and issue: it is one word with a digit, of a length that one
// would type, and not built of the journal's ISSN.
func (w *work) shortNumber(pii string) bool {
	if len(pii) > 20 || !strings.ContainsAny(pii, "0123456789") || !oneWord().MatchString(pii) || publisherItem().MatchString(pii) {
		return false
	}
	bare := func(s string) string { return strings.ReplaceAll(s, "-", "") }
	for _, issn := range []string{bare(w.Journal.ISSN), bare(w.Journal.ISSNLinking)} {
		if issn != "" && strings.Contains(bare(pii), issn) {
			return false
		}
	}
	return true
}
