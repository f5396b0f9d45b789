package cite

import (
	"fmt"
	"strings"
)

// ris formats a record: each line is a tag, two spaces, a hyphen, a space and the value. TY is
// first and ER last. Lines end in a line feed, which all importers accept.
func ris(w *work) string {
	var out strings.Builder
	add := func(tag string, values ...string) {
		for _, v := range values {
			if v = oneLine(v); v != "" {
				out.WriteString(tag + "  - " + v + "\n")
			}
		}
	}
	add("TY", map[kind]string{article: "JOUR", preprint: "GEN", book: "BOOK", chapter: "CHAP"}[w.kind])
	for _, p := range w.people {
		add("AU", p.invertedName())
	}
	for _, p := range w.editors {
		add("ED", p.invertedName())
	}
	add("TI", w.dataTitle())
	if w.kind == chapter {
		add("T2", w.bookTitle)
	}
	add("JF", w.Journal.Title)
	add("JO", w.journalAbbreviation())
	add("PY", w.date.year())
	add("DA", w.date.ris())
	add("VL", w.Journal.Volume)
	add("IS", w.Journal.Issue)
	if len(w.pages) == 1 {
		add("SP", w.pages[0].first)
		add("EP", w.pages[0].last)
	} else { // a first and a last page would lose the ranges between
		add("SP", formatPages(w.pages, "-"))
	}
	add("SP", w.number)
	if b := w.Book; b != nil {
		add("T3", b.Collection)
		add("VL", b.Volume)
		add("ET", b.Edition)
		add("PB", b.Publisher)
		add("CY", b.PublisherLocation)
		add("SN", b.ISBN...)
	}
	if w.kind == preprint {
		add("M3", "Preprint")
	}
	add("SN", w.Journal.ISSN)
	add("DO", w.DOI)
	add("DB", "PubMed")
	add("AN", w.PMID)
	add("C2", w.PMCID)
	add("UR", w.pubmedURL(), w.pmcURL(), w.Book.URL())
	add("LA", w.Language...)
	add("N1", w.remarks()...)
	add("KW", w.subjects()...)
	add("AB", w.Abstract)
	return out.String() + "ER  - \n"
}

// ris returns a date in the form YYYY/MM/DD/other, always with all slashes. It returns "" if only
// the year is known, which is in PY.
func (d date) ris() string {
	other := d.season
	if (d.to != point{}) {
		from := strings.TrimPrefix(d.from.words(months, "%[2]s %[3]d", "%[2]s"), d.year())
		to := d.to.words(months, "%[1]d %[2]s %[3]d", "%[1]d %[2]s")
		other = joinNonEmpty("-", from, strings.TrimPrefix(to, d.year()+" "))
	}
	if d.from.year == 0 || d.from.month == 0 && other == "" {
		return ""
	}
	out := fmt.Sprintf("%04d/", d.from.year)
	if d.from.month > 0 {
		out += fmt.Sprintf("%02d", d.from.month)
	}
	out += "/"
	if d.from.day > 0 {
		out += fmt.Sprintf("%02d", d.from.day)
	}
	return out + "/" + other
}
