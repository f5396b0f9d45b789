package cite

import (
	"fmt"
	"strings"
)

// bibtex writes an entry with its fields aligned. The title is in two pairs of
// braces, so that no style changes its capitals.
func bibtex(w *work) string {
	kinds := map[kind]string{article: "article", preprint: "misc", book: "book", chapter: "inbook"}
	fields := [][2]string{}
	raw := func(name, value string) {
		if value != "" {
			fields = append(fields, [2]string{name, value})
		}
	}
	add := func(name, value string) {
		raw(name, around("{", latex(value), "}"))
	}
	verbatim := func(name, value string) { raw(name, around("{", value, "}")) } // printed unchanged, or part of a URL

	b := w.Book
	verbatim("author", bibtexNames(w.people, w.incomplete))
	verbatim("editor", bibtexNames(w.editors, false))
	raw("title", around("{{", latex(w.dataTitle()), "}}"))
	switch w.kind {
	case article:
		add("journal", w.Journal.Title)
	case preprint:
		add("howpublished", w.serverName())
		verbatim("eprint", plainID(strings.TrimPrefix(w.preprintNumber(), arXivPrefix)))
		if w.preprintNumber() != "" {
			add("archiveprefix", w.serverName())
		}
	case chapter:
		raw("booktitle", around("{{", latex(w.bookTitle), "}}"))
	}
	add("year", w.date.year())
	raw("month", w.date.bibtexMonth())
	if w.date.from.day > 0 && (w.date.to == point{}) {
		add("day", fmt.Sprint(w.date.from.day))
	}
	add("volume", w.Journal.Volume)
	add("number", w.Journal.Issue)
	if w.kind != preprint { // its number is the eprint
		add("pages", written(w.pages, "--"))
		add("eid", w.number)
	}
	if b != nil {
		add("volume", b.Volume)
		add("edition", b.Edition)
		add("series", b.Collection)
		add("publisher", b.Publisher)
		add("address", b.PublisherLocation)
		add("isbn", strings.Join(b.ISBN, ", "))
		verbatim("url", w.Book.URL())
	}
	add("issn", w.Journal.ISSN)
	verbatim("doi", plainID(w.DOI))
	verbatim("pmid", address(w.PMID))
	verbatim("pmcid", address(w.PMCID))
	add("language", w.allLanguages())
	add("note", strings.Join(w.remarks(), " "))
	verbatim("keywords", bibtexKeywords(w.subjects()))

	width := 0
	for _, f := range fields {
		width = max(width, len(f[0]))
	}
	key := "pmid" + strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, w.PMID)
	var out strings.Builder
	fmt.Fprintf(&out, "@%s{%s,\n", kinds[w.kind], key)
	for _, f := range fields {
		fmt.Fprintf(&out, "  %-*s = %s,\n", width, f[0], f[1])
	}
	return out.String() + "}\n"
}

// bibtexNames joins names with "and"; a group is one name whatever words it has.
func bibtexNames(people []person, others bool) string {
	var out []string
	for _, p := range people {
		switch {
		case p.group != "":
			out = append(out, "{"+latex(p.group)+"}")
		case p.generation() != "":
			out = append(out, joined(", ", namePart(p.family), namePart(p.generation()), namePart(p.fore())))
		case p.fore() == "": // without braces its last word would be the family name
			out = append(out, "{"+latex(p.family)+"}")
		default:
			out = append(out, joined(", ", namePart(p.family), namePart(p.fore())))
		}
	}
	if others && len(out) > 0 {
		out = append(out, "others")
	}
	return strings.Join(out, " and ")
}

// namePart keeps a comma or an "and" inside a name from dividing it.
func namePart(s string) string {
	text := latex(s)
	if strings.Contains(text, ",") || strings.Contains(" "+strings.ToLower(text)+" ", " and ") {
		return "{" + text + "}"
	}
	return text
}

// bibtexKeywords is a list with commas; a term that has a comma, as many MeSH
// headings have, is in braces (biblatex reads such a list so).
func bibtexKeywords(terms []string) string {
	out := make([]string, len(terms))
	for i, t := range terms {
		if out[i] = latex(t); strings.Contains(t, ",") {
			out[i] = "{" + out[i] + "}"
		}
	}
	return strings.Join(out, ", ")
}

// bibtexMonth is BibTeX's own macro, which styles can translate: mar, or
// jan # "--" # mar; a season is text.
func (d date) bibtexMonth() string {
	name := func(p point) string { return strings.ToLower(months[p.month]) }
	switch {
	case d.season != "":
		return "{" + latex(d.season) + "}"
	case d.from.month == 0:
		return ""
	case d.to.month > 0 && d.to.month != d.from.month:
		return name(d.from) + ` # "--" # ` + name(d.to)
	}
	return name(d.from)
}

var latexEscapes = map[rune]string{
	'\\': `\textbackslash{}`, '~': `\textasciitilde{}`, '^': `\textasciicircum{}`,
	'&': `\&`, '%': `\%`, '$': `\$`, '#': `\#`, '_': `\_`, '{': `\{`, '}': `\}`,
}

// plainID is an identifier as it is registered, as doi and eprint want it:
// biblatex and hyperref print such a field verbatim, so that an escape would
// become part of it. Percent-encoded are only braces that do not pair up, at which
// BibTeX would end the field elsewhere, and a backslash, which TeX would obey.
func plainID(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(line(s), " ", ""), `\`, "%5C")
	if paired(s) {
		return s
	}
	return strings.NewReplacer("{", "%7B", "}", "%7D").Replace(s)
}

// paired reports whether every brace is closed and none is closed before it is
// opened. BibTeX counts braces even behind a backslash.
func paired(s string) bool {
	depth := 0
	for _, r := range s {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

// latex escapes what LaTeX would obey; letters beyond ASCII stay UTF-8. Braces that
// do not pair up are written as commands.
func latex(s string) string {
	s = line(s)
	balanced := paired(s)
	var out strings.Builder
	for _, r := range s {
		switch escape, found := latexEscapes[r]; {
		case r == '{' && !balanced:
			out.WriteString(`\textbraceleft{}`)
		case r == '}' && !balanced:
			out.WriteString(`\textbraceright{}`)
		case found:
			out.WriteString(escape)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
