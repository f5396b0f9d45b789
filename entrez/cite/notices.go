package cite

import (
	"fmt"

	"biomcp/entrez/pattern"
	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
)

// Corrections that a reader of a citation must know, in NLM's words and in the
// order of their weight (Citing Medicine, chapter 1A, notes).
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

// notices are "Retraction in: Lancet. 2010 Feb 6;375(9713):445." and the like,
// beginning with the retraction, which is there even if nobody knows where it
// was published. Data formats also get the notice's PMID.
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
			text := joined(" ", stop(line(c.Source)), stop(line(c.Note)))
			if withPMID {
				text = joined(" ", text, around("PMID: ", line(c.PMID), "."))
			}
			if text != "" {
				out = append(out, n.words+": "+text)
			}
		}
	}
	return out
}

// remarks are what data formats have no field for.
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
		out = append(out, "Original title: "+stop(w.original))
	}
	return out
}

// retraction returns the notice that retracts this work, nil if none is known.
func (w *work) retraction() *pubmed.Correction {
	for i, c := range w.Corrections {
		if record.IsRetraction(c.Type) && line(c.Source) != "" {
			return &w.Corrections[i]
		}
	}
	return nil
}

// NLM's short citation of a notice: "Lancet. 2010 Feb 6;375(9713):445. doi: ...".
var shortCitation = pattern.Lazy(`^(.+?)\. (\d{4})\b[^;:.]*(?:;([^(:.;]+))?(?:\(([^)]*)\))?(?::([^.; ]+))?`)

// noticeAuthors are the names, and the title, that stand before the journal in the citation
// of some notices: "Smith AB, Jones C, et al. J Test. 1977 Apr;252(7):24".
var noticeAuthors = pattern.Lazy(`^\pL[\pL'’ -]* \p{Lu}{1,4}(?: (?:Jr|Sr|\d\w\w))?(?:,? et al|, \pL[\pL'’ -]* \p{Lu}{1,4}(?: (?:Jr|Sr|\d\w\w))?)*\. (?:.*?\. )??([^.]+\. \d{4}\b)`)

// apaRetraction is "(Retraction published 2010, Lancet, 375[9713], 445)", the journal and
// the volume in italics.
func (w *work) apaRetraction() string {
	if !w.Retracted {
		return ""
	}
	notice := w.retraction()
	if notice == nil {
		return "(Retracted)"
	}
	m := shortCitation().FindStringSubmatch(noticeAuthors().ReplaceAllString(line(notice.Source), "$1"))
	if m == nil {
		return "(Retraction published: " + line(notice.Source) + ")"
	}
	journal := m[1]
	if journal == line(w.Journal.Abbreviation) || journal == line(w.Journal.ISOAbbreviation) {
		journal = w.journalTitle()
	}
	where := italic(m[3]) + around("[", m[4], "]")
	pages := ""
	if m[5] != "" {
		one := work{Article: &pubmed.Article{Journal: pubmed.Journal{Pages: m[5]}}}
		pages = written(one.readPages(), "–")
	}
	return fmt.Sprintf("(Retraction published %s)", joined(", ", m[2], italic(journal), where, pages))
}
