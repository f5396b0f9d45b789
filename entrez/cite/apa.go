package cite

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"biomcp/entrez/pattern"
)

// apa formats a reference of the 7th edition:
//
//	Names (Year). Title. *Journal*, *Vol*(Issue), Pages. https://doi.org/...
func apa(w *work) string {
	year := cmp.Or(w.date.year(), "n.d.")
	title := endSentence(w.apaTitle())
	head := joinNonEmpty(" ", w.apaNames(), "("+year+").", title)
	if len(w.people)+len(w.editors) == 0 || len(w.people) == 0 && w.kind != book {
		head = joinNonEmpty(" ", title, "("+year+").") // the title replaces the authors
	}
	return oneLine(joinNonEmpty(" ", head, w.apaSource(), w.link(), w.apaRetraction()))
}

// apaNames returns up to 20 names, or the first 19 and the last (section 9.8), followed by a
// period.
func (w *work) apaNames() string {
	list, role := w.people, ""
	if len(list) == 0 && w.kind == book {
		list, role = w.editors, " (Ed.)."
		if len(list) > 1 {
			role = " (Eds.)."
		}
	}
	var names []string
	for _, p := range list {
		names = append(names, p.apa())
	}
	n := len(names)
	text := ""
	switch {
	case n == 0:
		return ""
	case w.incomplete:
		text = strings.Join(names[:min(n, 19)], ", ") + ", et al."
	case n == 1:
		text = names[0]
	case n <= 20:
		text = strings.Join(names[:n-1], ", ") + ", & " + names[n-1]
	default:
		text = strings.Join(names[:19], ", ") + ", … " + names[n-1]
	}
	if role != "" {
		return text + role
	}
	return endSentence(text)
}

// apaTitle returns the title, in italics unless the work is part of another.
func (w *work) apaTitle() string {
	switch w.kind {
	case book:
		return joinNonEmpty(" ", italic(w.fullTitle()), w.apaBookDetails(false))
	case preprint: // a number only if there is no DOI (10.8, examples 73 and 74)
		number := ""
		if w.DOI == "" {
			number = wrap("(", w.preprintNumber(), ")")
		}
		return joinNonEmpty(" ", italic(w.fullTitle()), number)
	}
	return w.fullTitle()
}

func (w *work) apaSource() string {
	switch w.kind {
	case preprint:
		return endSentence(w.serverName())
	case book:
		return endSentence(oneLine(w.Book.Publisher))
	case chapter:
		in := "In " + wrap("", w.apaEditors(), ", ") + italic(w.bookTitle)
		return joinNonEmpty(" ", endSentence(joinNonEmpty(" ", in, w.apaBookDetails(true))), endSentence(oneLine(w.Book.Publisher)))
	}
	j := w.Journal
	volume := italic(enDashRange(j.Volume)) + wrap("(", enDashRange(j.Issue), ")")
	pages := cmp.Or(formatPages(w.pages, "–"), w.number)
	if w.number != "" || w.articleNumber() {
		pages = "Article " + pages
	}
	source := endSentence(joinNonEmpty(", ", italic(w.journalTitle()), volume, pages))
	if w.aheadOfPrint() && volume == "" {
		source = joinNonEmpty(" ", source, "Advance online publication.")
	}
	return source
}

func (w *work) apaEditors() string {
	var names []string
	for _, p := range w.editors {
		names = append(names, p.apaAfterIn())
	}
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0] + " (Ed.)"
	case 2:
		return names[0] + " & " + names[1] + " (Eds.)"
	default:
		if n > 20 {
			names = append(names[:19:19], "… "+names[n-1])
			return strings.Join(names, ", ") + " (Eds.)"
		}
		return strings.Join(names[:n-1], ", ") + ", & " + names[n-1] + " (Eds.)"
	}
}

// apaBookDetails returns "(2nd ed., Vol. 3, pp. 1–20)".
func (w *work) apaBookDetails(withPages bool) string {
	pages := ""
	if withPages {
		pages = wrap("pp. ", formatPages(w.pages, "–"), "")
	}
	return wrap("(", joinNonEmpty(", ", edition(w.Book.Edition), wrap("Vol. ", oneLine(w.Book.Volume), ""), pages), ")")
}

var editionWord = pattern.Lazy(`(?i)\s*\b(edition|edn|ed)\b\.?$`)

// edition returns "2nd ed." for "2", "2nd" or "2nd edition".
func edition(s string) string {
	s = editionWord().ReplaceAllString(oneLine(s), "")
	if s == "" {
		return ""
	}
	if n, err := strconv.ParseUint(s, 10, 31); err == nil {
		s = humanize.Ordinal(int(n))
	}
	return s + " ed."
}
