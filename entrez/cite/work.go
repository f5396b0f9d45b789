package cite

import (
	"slices"
	"strings"
	"unicode"

	"biomcp/entrez/pattern"
	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
)

type kind int

const (
	article kind = iota
	preprint
	book
	chapter
)

// work is a record as the styles need it.
type work struct {
	*pubmed.Article
	kind       kind
	title      string // without the stop at its end; in brackets where it is a translation
	original   string // the title in the work's own language, where that is another
	bookTitle  string
	people     []person // authors; of a book without any, none
	editors    []person
	incomplete bool // NLM did not record all authors
	date       date
	pages      []pageRange
	number     string // of an article without pages, in its journal
}

func newWork(a *pubmed.Article) *work {
	w := &work{
		Article: a, title: bareTitle(a.Title), original: bareTitle(a.VernacularTitle),
		people: people(a.Authors), editors: people(a.Editors),
		incomplete: !a.AuthorsComplete && len(a.Authors) > 0,
	}
	switch {
	case a.Book != nil:
		w.bookTitle = bareTitle(a.Book.Title)
		w.kind = chapter
		if w.title == "" || w.title == w.bookTitle {
			w.kind, w.title = book, w.bookTitle
		}
	case hasType(a, "Preprint"):
		w.kind = preprint
	}
	w.date = readDate(a.Issued())
	w.pages = w.readPages()
	w.number = w.articleNumberOf()
	if w.original != "" && record.Untitled(w.title) {
		w.title, w.original = w.original, ""
	}
	if !w.translated() { // an English title of a bilingual paper is its own
		w.original = ""
	}
	return w
}

func hasType(a *pubmed.Article, name string) bool {
	return slices.ContainsFunc(a.PublicationTypes, func(t string) bool { return strings.EqualFold(t, name) })
}

func (w *work) translated() bool {
	return strings.HasPrefix(w.title, "[") && strings.HasSuffix(w.title, "]")
}

// fullTitle is the title for reading: the original, then the translation.
func (w *work) fullTitle() string {
	switch {
	case w.title == "":
		return "[Untitled]"
	case w.original != "":
		return w.original + " " + w.title
	}
	return w.title
}

// dataTitle is the title for reference managers, which drop notes easily.
func (w *work) dataTitle() string {
	return record.Label(w.Retracted && w.title != "", w.title)
}

func (w *work) aheadOfPrint() bool {
	return w.PublicationStatus == "aheadofprint" && w.kind == article
}

// subjects are keywords and MeSH headings, each once.
func (w *work) subjects() []string {
	var out []string
	seen := map[string]bool{}
	add := func(s string) {
		s = line(s)
		if key := strings.ToLower(s); s != "" && !seen[key] {
			seen[key] = true
			out = append(out, s)
		}
	}
	for _, k := range w.Keywords {
		add(k)
	}
	for _, m := range w.Mesh {
		add(m.Descriptor)
	}
	return out
}

func (w *work) pubmedURL() string {
	return around("https://pubmed.ncbi.nlm.nih.gov/", address(w.PMID), "/")
}

func (w *work) pmcURL() string {
	return around("https://pmc.ncbi.nlm.nih.gov/articles/", address(w.PMCID), "/")
}

// DOIURL is a DOI as a link (https://www.doi.org/doi-handbook/HTML/index.html,
// section 3.6: what a URL cannot hold is percent-encoded).
func DOIURL(doi string) string { return "https://doi.org/" + address(doi) }

// address makes a string fit for the path of a URL and for a field that is
// printed unchanged.
func address(s string) string {
	const hex = "0123456789ABCDEF"
	var out strings.Builder
	for _, b := range []byte(strings.Join(strings.Fields(s), "")) {
		if b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("-._~/:;()@&=+,!*'$", b) >= 0 {
			out.WriteByte(b)
		} else {
			out.WriteString("%" + string(hex[b>>4]) + string(hex[b&15]))
		}
	}
	return out.String()
}

// line is a text on one line: white space collapsed, control characters and
// bytes that are no text gone.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case r == unicode.ReplacementChar, r == '\ufeff', r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return -1 // directions that would reorder what follows
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

var abbreviationAtEnd = pattern.Lazy(`(\b\pL\.\pL\.|\b(sp|spp|ssp|subsp|var|nov|al|etc|Inc|Jr|Sr|vs)\.|\.\.)$`)

// bareTitle is a title without the stop that PubMed puts at its end, unless that
// belongs to its last word.
func bareTitle(s string) string {
	s = line(s)
	if strings.HasSuffix(s, ".") && !abbreviationAtEnd().MatchString(s) {
		return strings.TrimSpace(s[:len(s)-1])
	}
	return s
}

// stop ends a sentence, once, also where its own stop is inside quotation marks
// or italics.
func stop(s string) string {
	end := strings.TrimRight(s, Emphasis+"\"'”’")
	if end == "" || strings.ContainsAny(end[len(end)-1:], ".?!") || strings.HasSuffix(end, "…") {
		return s
	}
	return s + "."
}

// around is a text with others before and behind it, nothing for no text.
func around(before, s, after string) string {
	if s == "" {
		return ""
	}
	return before + s + after
}

// joined joins what is not empty.
func joined(sep string, parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, sep)
}
