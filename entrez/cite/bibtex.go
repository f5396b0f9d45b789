package cite

import (
	"fmt"
	"strings"
	"sync"
)

// bibtex formats an entry with aligned fields. Two pairs of braces around the title keep styles
// from changing its capitals.
func bibtex(w *work) string {
	kinds := map[kind]string{article: "article", preprint: "misc", book: "book", chapter: "inbook"}
	fields := [][2]string{}
	raw := func(name, value string) {
		if value != "" {
			fields = append(fields, [2]string{name, value})
		}
	}
	add := func(name, value string) {
		raw(name, wrap("{", latex(value), "}"))
	}
	// fields that styles print unchanged or use in a URL
	verbatim := func(name, value string) { raw(name, wrap("{", value, "}")) }

	b := w.Book
	verbatim("author", bibtexNames(w.people, w.incomplete))
	verbatim("editor", bibtexNames(w.editors, false))
	raw("title", wrap("{{", latex(w.dataTitle()), "}}"))
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
		raw("booktitle", wrap("{{", latex(w.bookTitle), "}}"))
	}
	add("year", w.date.year())
	raw("month", w.date.bibtexMonth())
	if w.date.from.day > 0 && (w.date.to == point{}) {
		add("day", fmt.Sprint(w.date.from.day))
	}
	add("volume", w.Journal.Volume)
	add("number", w.Journal.Issue)
	if w.kind != preprint { // a preprint's number is in eprint
		add("pages", formatPages(w.pages, "--"))
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

// bibtexNames joins names with "and", and adds "others" if the list is incomplete. Braces keep the
// name of a group together.
func bibtexNames(people []person, incomplete bool) string {
	var out []string
	for _, p := range people {
		switch {
		case p.group != "":
			out = append(out, "{"+latex(p.group)+"}")
		case p.generation() != "":
			out = append(out, joinNonEmpty(", ", namePart(p.family), namePart(p.generation()), namePart(p.givenNamesOrInitials())))
		case p.givenNamesOrInitials() == "": // without braces, BibTeX would take the last word as the family name
			out = append(out, "{"+latex(p.family)+"}")
		default:
			out = append(out, joinNonEmpty(", ", namePart(p.family), namePart(p.givenNamesOrInitials())))
		}
	}
	if incomplete && len(out) > 0 {
		out = append(out, "others")
	}
	return strings.Join(out, " and ")
}

// namePart encloses a name in braces if a comma or "and" in it would split it.
func namePart(s string) string {
	text := latex(s)
	if strings.Contains(text, ",") || strings.Contains(" "+strings.ToLower(text)+" ", " and ") {
		return "{" + text + "}"
	}
	return text
}

// bibtexKeywords joins terms with commas. It encloses terms that contain a comma, such as many MeSH
// headings, in braces, as biblatex expects.
func bibtexKeywords(terms []string) string {
	out := make([]string, len(terms))
	for i, t := range terms {
		if out[i] = latex(t); strings.Contains(t, ",") {
			out[i] = "{" + out[i] + "}"
		}
	}
	return strings.Join(out, ", ")
}

// bibtexMonth returns BibTeX's macros for a month or a range, which styles can translate: mar, or
// jan # "--" # mar. It returns a season as text.
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

var latexEscapes = sync.OnceValue(func() map[rune]string {
	return map[rune]string{
		'\\': `\textbackslash{}`, '~': `\textasciitilde{}`, '^': `\textasciicircum{}`,
		'&': `\&`, '%': `\%`, '$': `\$`, '#': `\#`, '_': `\_`, '{': `\{`, '}': `\}`,
	}
})

// plainID returns an identifier for the fields doi and eprint, which biblatex and hyperref print
// verbatim, so that an escape would become part of it. It only percent-encodes backslashes, which
// TeX would interpret, and unbalanced braces, which would end the field early.
func plainID(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(oneLine(s), " ", ""), `\`, "%5C")
	if len(loneBraces(s)) == 0 {
		return s
	}
	return strings.NewReplacer("{", "%7B", "}", "%7D").Replace(s)
}

// loneBraces returns the offsets of the braces in s that have no partner.
func loneBraces(s string) map[int]bool {
	alone := map[int]bool{}
	var open []int
	for i, r := range s {
		switch n := len(open); {
		case r == '{':
			open = append(open, i)
		case r == '}' && n == 0:
			alone[i] = true
		case r == '}':
			open = open[:n-1]
		}
	}
	for _, i := range open {
		alone[i] = true
	}
	return alone
}

// latex escapes LaTeX's special characters, and leaves other letters in UTF-8. It writes a brace
// without a partner as a command, since BibTeX also counts escaped braces.
func latex(s string) string {
	s = oneLine(s)
	alone := loneBraces(s)
	var out strings.Builder
	for i, r := range s {
		switch escape, found := latexEscapes()[r]; {
		case r == '{' && alone[i]:
			out.WriteString(`\textbraceleft{}`)
		case r == '}' && alone[i]:
			out.WriteString(`\textbraceright{}`)
		case found:
			out.WriteString(escape)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
