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

// A work is a record with the values that the styles share.
type work struct {
	*pubmed.Article
	kind       kind
	title      string // without a final period; in brackets if it is a translation
	original   string // the title in the work's own language, if title is a translation
	bookTitle  string
	people     []person // authors; empty for a book without any
	editors    []person
	incomplete bool // NLM did not record all authors
	date       date
	pages      []pageRange
	number     string // article number in the journal, if there are no pages
}

func newWork(a *pubmed.Article) *work {
	w := &work{
		Article: a, title: trimTitle(a.Title), original: trimTitle(a.VernacularTitle),
		people: people(a.Authors), editors: people(a.Editors),
		incomplete: !a.AuthorsComplete && len(a.Authors) > 0,
	}
	switch {
	case a.Book != nil:
		w.bookTitle = trimTitle(a.Book.Title)
		w.kind = chapter
		if w.title == "" || w.title == w.bookTitle {
			w.kind, w.title = book, w.bookTitle
		}
	case hasType(a, "Preprint"):
		w.kind = preprint
	}
	w.date = readDate(a.IssueDate())
	w.pages = w.readPages()
	w.number = w.articleNumberOf()
	if w.original != "" && record.Untitled(w.title) {
		w.title, w.original = w.original, ""
	}
	if !w.translated() { // not a translation: the English title of a bilingual paper
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

// fullTitle returns the title for reading: the original followed by the translation.
func (w *work) fullTitle() string {
	switch {
	case w.title == "":
		return "[Untitled]"
	case w.original != "":
		return w.original + " " + w.title
	}
	return w.title
}

// dataTitle returns the title for reference managers. The title of a retracted work begins with
// "RETRACTED: ", as NISO RP-45-2024 (CREC) asks of metadata, since programs easily lose notes.
func (w *work) dataTitle() string {
	return record.Label(w.Retracted && w.title != "", w.title)
}

func (w *work) aheadOfPrint() bool {
	return w.PublicationStatus == "aheadofprint" && w.kind == article
}

// subjects returns the keywords and MeSH headings without duplicates.
func (w *work) subjects() []string {
	var out []string
	seen := map[string]bool{}
	add := func(s string) {
		s = oneLine(s)
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
	return wrap("https://pubmed.ncbi.nlm.nih.gov/", address(w.PMID), "/")
}

func (w *work) pmcURL() string {
	return wrap("https://pmc.ncbi.nlm.nih.gov/articles/", address(w.PMCID), "/")
}

// DOIURL returns a DOI as a link, percent-encoded as needed
// (https://www.doi.org/doi-handbook/HTML/index.html, section 3.6).
func DOIURL(doi string) string { return "https://doi.org/" + address(doi) }

// address percent-encodes s for the path of a URL, and for fields that styles print unchanged.
func address(s string) string {
	const hex = "0123456789ABCDEF"
	var out strings.Builder
	for _, b := range []byte(strings.Join(strings.Fields(s), "")) {
		isAlphanumeric := b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
		if isAlphanumeric || strings.IndexByte("-._~/:;()@&=+,!*'$", b) >= 0 {
			out.WriteByte(b)
		} else {
			out.WriteString("%" + string(hex[b>>4]) + string(hex[b&15]))
		}
	}
	return out.String()
}

// oneLine puts s on one line: it collapses white space, and removes control characters and invalid
// bytes.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case r == unicode.ReplacementChar, r == '\ufeff', r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return -1 // direction marks would reorder the following text
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

var abbreviationAtEnd = pattern.Lazy(`(\b\pL\.\pL\.|\b(sp|spp|ssp|subsp|var|nov|al|etc|Inc|Jr|Sr|vs)\.|\.\.)$`)

// trimTitle removes the final period that PubMed adds to titles, unless it belongs to an
// abbreviation.
func trimTitle(s string) string {
	s = oneLine(s)
	if strings.HasSuffix(s, ".") && !abbreviationAtEnd().MatchString(s) {
		return strings.TrimSpace(s[:len(s)-1])
	}
	return s
}

// endSentence adds a period unless s ends a sentence, possibly inside quotation marks or italics.
func endSentence(s string) string {
	end := strings.TrimRight(s, Emphasis+"\"'”’")
	if end == "" || strings.ContainsAny(end[len(end)-1:], ".?!") || strings.HasSuffix(end, "…") {
		return s
	}
	return s + "."
}

// wrap returns s between before and after, or "" if s is empty.
func wrap(before, s, after string) string {
	if s == "" {
		return ""
	}
	return before + s + after
}

// joinNonEmpty joins the parts that are not empty.
func joinNonEmpty(sep string, parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, sep)
}

// languageNames returns the languages of a work, such as "German" or "English, Norwegian". It
// returns "" if the work is only in English.
func (w *work) languageNames() string {
	names := w.allLanguages()
	if names == "English" {
		return ""
	}
	return names
}

func (w *work) allLanguages() string {
	var out []string
	for _, code := range w.Language {
		if _, name := record.Language(code); name != "" {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}
