package cite

import (
	"cmp"
	"strings"
)

// arXivPrefix begins the number of an arXiv paper, as in arXiv:2304.02768v1. PubMed records it as
// the pii.
const arXivPrefix = "arXiv:"

// serverName returns the preprint server's name, in the server's own spelling.
func (w *work) serverName() string {
	name := w.journalTitle()
	if strings.EqualFold(name, "arXiv") {
		return "arXiv" // NLM's catalogue writes ArXiv
	}
	return name
}

// preprintNumber returns the server's number of a preprint, or "" if the record does not state it.
func (w *work) preprintNumber() string {
	if w.kind != preprint {
		return ""
	}
	if w.number == "" && len(w.pages) > 0 {
		return w.pages[0].first
	}
	return w.number
}

// preprintURL returns the address of a preprint without a DOI, as most of arXiv's are in PubMed: at
// arXiv by its number, or else in PubMed Central, or else in PubMed.
func (w *work) preprintURL() string {
	if number, ok := strings.CutPrefix(w.preprintNumber(), arXivPrefix); ok && number != "" {
		return "https://arxiv.org/abs/" + address(number)
	}
	return cmp.Or(w.pmcURL(), w.pubmedURL())
}

// link returns the address for readers of apa and mla: that of the DOI, or else that of a preprint
// or an online book.
func (w *work) link() string {
	switch {
	case w.DOI != "":
		return DOIURL(w.DOI)
	case w.kind == preprint:
		return w.preprintURL()
	}
	return w.Book.URL()
}
