package cite

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"biomcp/entrez/pattern"
)

// apa writes a reference of the 7th edition:
// Names (Year). Title. *Journal*, *Vol*(Issue), Pages. https://doi.org/...
func apa(w *work) string {
	year := cmp.Or(w.date.year(), "n.d.")
	title := stop(w.apaTitle())
	head := joined(" ", w.apaNames(), "("+year+").", title)
	if len(w.people)+len(w.editors) == 0 || len(w.people) == 0 && w.kind != book {
		head = joined(" ", title, "("+year+").") // the title takes the authors' place
	}
	return line(joined(" ", head, w.apaSource(), w.link(), w.apaRetraction()))
}

// apaNames are up to 20 names, or the first 19 and the last (9.8), ended by a stop.
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
	return stop(text)
}

// apaTitle is in italics where the work is not a part of another.
func (w *work) apaTitle() string {
	switch w.kind {
	case book:
		return joined(" ", italic(w.fullTitle()), w.apaBookDetails(false))
	case preprint: // a number only where no DOI has it (10.8, examples 73 and 74)
		number := ""
		if w.DOI == "" {
			number = around("(", w.preprintNumber(), ")")
		}
		return joined(" ", italic(w.fullTitle()), number)
	}
	return w.fullTitle()
}

func (w *work) apaSource() string {
	switch w.kind {
	case preprint:
		return stop(w.serverName())
	case book:
		return stop(line(w.Book.Publisher))
	case chapter:
		in := "In " + around("", w.apaEditors(), ", ") + italic(w.bookTitle)
		return joined(" ", stop(joined(" ", in, w.apaBookDetails(true))), stop(line(w.Book.Publisher)))
	}
	j := w.Journal
	volume := italic(spanned(j.Volume)) + around("(", spanned(j.Issue), ")")
	pages := cmp.Or(written(w.pages, "–"), w.number)
	if w.number != "" || w.articleNumber() {
		pages = "Article " + pages
	}
	source := stop(joined(", ", italic(w.journalTitle()), volume, pages))
	if w.aheadOfPrint() && volume == "" {
		source = joined(" ", source, "Advance online publication.")
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

// apaBookDetails is "(2nd ed., Vol. 3, pp. 1–20)".
func (w *work) apaBookDetails(withPages bool) string {
	pages := ""
	if withPages {
		pages = around("pp. ", written(w.pages, "–"), "")
	}
	return around("(", joined(", ", edition(w.Book.Edition), around("Vol. ", line(w.Book.Volume), ""), pages), ")")
}

var editionWord = pattern.Lazy(`(?i)\s*\b(edition|edn|ed)\b\.?$`)

// edition is "2nd ed.", from "2", "2nd" or "2nd edition".
func edition(s string) string {
	s = editionWord().ReplaceAllString(line(s), "")
	if s == "" {
		return ""
	}
	if n, err := strconv.ParseUint(s, 10, 31); err == nil {
		s = humanize.Ordinal(int(n))
	}
	return s + " ed."
}
