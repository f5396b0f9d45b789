package cite

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mla formats an entry of the 9th edition:
//
//	Names. "Title." *Journal*, vol. V, no. I, Date, pp. P, https://doi.org/...
func mla(w *work) string {
	var container []string
	add := func(label, value string) {
		if value = oneLine(value); value != "" {
			container = append(container, label+value)
		}
	}
	title := ""
	switch w.kind {
	case book:
		title = endSentence(italic(w.fullTitle()))
	default:
		title = w.mlaTitle()
	}
	switch w.kind {
	case article, preprint:
		add("", italic(w.serverName()))
		add("vol. ", enDashRange(w.Journal.Volume))
		add("no. ", enDashRange(w.Journal.Issue))
	case chapter:
		add("", italic(w.bookTitle))
	}
	if b := w.Book; b != nil {
		if len(w.people) > 0 || w.kind == chapter {
			add("edited by ", mlaNames(w.editors, false, person.mlaNext))
		}
		add("", edition(b.Edition))
		add("vol. ", b.Volume)
		add("", b.Publisher)
	}
	add("", w.date.mla())
	switch {
	case w.kind == preprint: // a preprint's number is in its DOI or address
	case w.number != "":
		add("article ", w.number)
	case len(w.pages) == 0:
	case w.articleNumber():
		add("article ", w.pages[0].first)
	case len(w.pages) == 1 && w.pages[0].last == "":
		add("p. ", w.pages[0].first)
	default:
		add("pp. ", mlaPages(w.pages))
	}
	add("", w.link())
	names := mlaNames(w.people, w.incomplete, person.mlaFirst)
	if len(w.people) == 0 && w.kind == book && len(w.editors) > 0 {
		role := ", editor"
		if len(w.editors) > 1 {
			role = ", editors"
		}
		names = mlaNames(w.editors, false, person.mlaFirst) + role
	}
	extra := ""
	if w.kind == preprint {
		extra = "Preprint."
	}
	if w.Retracted {
		extra = joinNonEmpty(" ", extra, "Retracted.") // MLA has no rule for this
	}
	source := strings.Join(container, ", ")
	if w.kind == book && source != "" { // "Expanded ed." opens a sentence
		first, size := utf8.DecodeRuneInString(source)
		source = string(unicode.ToUpper(first)) + source[size:]
	}
	return oneLine(joinNonEmpty(" ", endSentence(names), title, endSentence(source), extra))
}

// mlaNames returns one name, two, or the first and "et al." (sections 5.4 to 5.8).
func mlaNames(list []person, incomplete bool, first func(person) string) string {
	switch {
	case len(list) == 0:
		return ""
	case len(list) > 2 || incomplete:
		return first(list[0]) + ", et al."
	case len(list) == 2:
		sep := " and "
		if strings.Contains(first(list[0]), ", ") {
			sep = ", and "
		}
		return first(list[0]) + sep + list[1].mlaNext()
	}
	return first(list[0])
}

// mlaTitle returns the title in quotation marks, with the inner ones made single, followed by a
// translation in brackets if there is one.
func (w *work) mlaTitle() string {
	single := strings.NewReplacer(`"`, "'", "“", "‘", "”", "’").Replace
	if w.original != "" {
		return `"` + single(w.original) + `" ` + endSentence(single(w.title))
	}
	return `"` + endSentence(single(w.fullTitle())) + `"`
}
