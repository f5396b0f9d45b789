package cite

import (
	"cmp"
	"strings"
)

// arXivPrefix begins the number of an arXiv paper, which PubMed has as its pii:
// arXiv:2304.02768v1.
const arXivPrefix = "arXiv:"

// serverName is the preprint server's name as the server itself writes it.
func (w *work) serverName() string {
	name := w.journalTitle()
	if strings.EqualFold(name, "arXiv") {
		return "arXiv" // ArXiv in NLM's catalogue
	}
	return name
}

// preprintNumber is the number under which the server has a preprint, "" where the
// record does not say.
func (w *work) preprintNumber() string {
	if w.kind != preprint {
		return ""
	}
	if w.number == "" && len(w.pages) > 0 {
		return w.pages[0].first
	}
	return w.number
}

// preprintURL leads to a preprint without a DOI: to arXiv by its number, else to
// the copy in PubMed Central, else to the record.
func (w *work) preprintURL() string {
	if number, ok := strings.CutPrefix(w.preprintNumber(), arXivPrefix); ok && number != "" {
		return "https://arxiv.org/abs/" + address(number)
	}
	return cmp.Or(w.pmcURL(), w.pubmedURL())
}

// link is where a reader of apa or mla finds the work: its DOI, else, for what is
// online only, its address.
func (w *work) link() string {
	switch {
	case w.DOI != "":
		return DOIURL(w.DOI)
	case w.kind == preprint:
		return w.preprintURL()
	}
	return w.Book.URL()
}
