package cite

import (
	"fmt"

	"biomcp/entrez/pattern"
	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
)

// noticeWords lists the corrections that a citation must mention, in NLM's words and in order of
// importance (Citing Medicine, chapter 1A, notes).
var noticeWords = []struct{ kind, words string }{
	{"RetractionIn", "Retraction in"},
	{"RetractedandRepublishedIn", "Retracted and republished in"},
	{"ExpressionOfConcernIn", "Expression of concern in"},
	{"CorrectedandRepublishedIn", "Corrected and republished in"},
	{"ErratumIn", "Erratum in"},
	{"UpdateIn", "Update in"},
	{"RetractionOf", "Retraction of"},
	{"ExpressionOfConcernFor", "Expression of concern for"},
	{"ErratumFor", "Erratum for"},
}

// notices returns notes such as "Retraction in: Lancet. 2010 Feb 6;375(9713):445.", the retraction
// first. A retracted work without a known notice gets "Retracted publication.". Data formats
// include the PMID of each notice.
func (w *work) notices(withPMID bool) []string {
	var out []string
	if w.Retracted && w.retraction() == nil {
		out = append(out, "Retracted publication.")
	}
	for _, n := range noticeWords {
		for _, c := range w.Corrections {
			if c.Type != n.kind {
				continue
			}
			text := joinNonEmpty(" ", endSentence(oneLine(c.Source)), endSentence(oneLine(c.Note)))
			if withPMID {
				text = joinNonEmpty(" ", text, wrap("PMID: ", oneLine(c.PMID), "."))
			}
			if text != "" {
				out = append(out, n.words+": "+text)
			}
		}
	}
	return out
}

// remarks returns notes for data formats on facts that have no field of their own.
func (w *work) remarks() []string {
	out := w.notices(true)
	if w.Retracted && len(out) > 0 && out[0] != "Retracted publication." {
		out = append([]string{"Retracted publication."}, out...)
	}
	if w.aheadOfPrint() {
		out = append(out, "Epub ahead of print.")
	}
	if w.kind == preprint {
		out = append(out, "Preprint.")
	}
	if w.original != "" {
		out = append(out, "Original title: "+endSentence(w.original))
	}
	return out
}

// retraction returns the notice that retracts this work, nil if none is known.
func (w *work) retraction() *pubmed.Correction {
	for i, c := range w.Corrections {
		if record.IsRetraction(c.Type) && oneLine(c.Source) != "" {
			return &w.Corrections[i]
		}
	}
	return nil
}

// shortCitation matches NLM's citation of a notice: "Lancet. 2010 Feb 6;375(9713):445. doi: ...".
var shortCitation = pattern.Lazy(`^(.+?)\. (\d{4})\b[^;:.]*(?:;([^(:.;]+))?(?:\(([^)]*)\))?(?::([^.; ]+))?`)

// noticeAuthors matches the names and the title before the journal in the citations of some
// notices: "Smith AB, Jones C, et al. J Test. 1977 Apr;252(7):24".
var noticeAuthors = pattern.Lazy(`^\pL[\pL'’ -]* \p{Lu}{1,4}(?: (?:Jr|Sr|\d\w\w))?(?:,? et al` +
	`|, \pL[\pL'’ -]* \p{Lu}{1,4}(?: (?:Jr|Sr|\d\w\w))?)*\. (?:.*?\. )??([^.]+\. \d{4}\b)`)

// apaRetraction returns a note such as "(Retraction published 2010, Lancet, 375[9713], 445)", with
// the journal and the volume in italics (APA 10.1, example "retracted journal article").
func (w *work) apaRetraction() string {
	if !w.Retracted {
		return ""
	}
	notice := w.retraction()
	if notice == nil {
		return "(Retracted)"
	}
	m := shortCitation().FindStringSubmatch(noticeAuthors().ReplaceAllString(oneLine(notice.Source), "$1"))
	if m == nil {
		return "(Retraction published: " + oneLine(notice.Source) + ")"
	}
	journal := m[1]
	if journal == oneLine(w.Journal.Abbreviation) || journal == oneLine(w.Journal.ISOAbbreviation) {
		journal = w.journalTitle()
	}
	volume := italic(m[3]) + wrap("[", m[4], "]")
	pages := ""
	if m[5] != "" {
		one := work{Article: &pubmed.Article{Journal: pubmed.Journal{Pages: m[5]}}}
		pages = formatPages(one.readPages(), "–")
	}
	return fmt.Sprintf("(Retraction published %s)", joinNonEmpty(", ", m[2], italic(journal), volume, pages))
}
