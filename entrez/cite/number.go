package cite

import (
	"strings"

	"biomcp/entrez/pattern"
)

// pii returns the first pii among the article's ELocationIDs, which NLM prints if an article has no
// pages (NLM Tech Bull 2008 Jul-Aug;(363):e2).
func (w *work) pii() string {
	for _, l := range w.ELocations {
		if value := oneLine(l.Value); l.Type == "pii" && value != "" {
			return value
		}
	}
	return ""
}

// articleNumberOf returns the pii of an article without pages if it is the article's number in the
// journal, such as 9966, e154225 or euae122, or else "". Before the article is in an issue, many
// journals give the number of the manuscript, and pages later.
//
// RIS has the number in SP, which Zotero and JabRef read as the pages. C7, EndNote's article
// number, replaces the issue in JabRef and becomes a note in Zotero. BibTeX has it in eid, and CSL
// in number.
func (w *work) articleNumberOf() string {
	pii := w.pii()
	if len(w.pages) > 0 || w.aheadOfPrint() || !w.shortNumber(pii) {
		return ""
	}
	return pii
}

var (
	oneWord = pattern.Lazy(`^[A-Za-z0-9]+([.:-][A-Za-z0-9]+)*$`) // excludes DOIs and S0140-6736(20)30183-5
	// publisherItem matches a Publisher Item Identifier: S with the ISSN of the journal, or B with
	// the ISBN of the book, followed by year and number
	// (https://en.wikipedia.org/wiki/Publisher_Item_Identifier). SciELO's identifiers have a
	// similar form.
	publisherItem = pattern.Lazy(`^[SB]\d{4}-?\d{3}[\dX]`)
)

// shortNumber reports whether pii could be the number under which readers find the article: one
// word with a digit, at most 20 characters long, and without the journal's ISSN.
func (w *work) shortNumber(pii string) bool {
	isNumberWord := strings.ContainsAny(pii, "0123456789") && oneWord().MatchString(pii)
	if len(pii) > 20 || !isNumberWord || publisherItem().MatchString(pii) {
		return false
	}
	withoutHyphens := func(s string) string { return strings.ReplaceAll(s, "-", "") }
	for _, issn := range []string{withoutHyphens(w.Journal.ISSN), withoutHyphens(w.Journal.ISSNLinking)} {
		if issn != "" && strings.Contains(withoutHyphens(pii), issn) {
			return false
		}
	}
	return true
}
