package refparse

import (
	"strings"

	"biomcp/entrez/pattern"
)

var (
	entry       = pattern.Lazy(`(?m)^\s*@(\w+)\s*\{\s*([^,\s]*)\s*,`)
	firstRecord = pattern.Lazy(`^(?:TY|PMID) {0,2}- `)
	tag         = pattern.Lazy(`^([A-Z][A-Z0-9]{1,3}) {0,2}- ?(.*)$`)
)

// Split parses all references of a text: the records of a BibTeX, RIS or nbib file, or else one
// reference per line, or several if they are clearly separated. It skips BibTeX entries that are not
// works.
func Split(text string) []Reference {
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	refs := []Reference{}
	switch {
	case entry().MatchString(text):
		return bibtex(text)
	case len(lines) > 2 && firstRecord().MatchString(lines[0]):
		return parseTagged(lines)
	}
	for _, l := range lines {
		for _, part := range splitLine(l) {
			if strings.TrimSpace(part) != "" {
				refs = append(refs, Parse(part))
			}
		}
	}
	return refs
}

// set sets the field that has the given name in files, unless it is set already.
func (r *Reference) set(name, value string) {
	value = strings.Join(strings.Fields(value), " ")
	field := map[string]*string{
		"author": &r.Author, "AU": &r.Author, "A1": &r.Author, "FAU": &r.Author,
		"title": &r.Title, "TI": &r.Title, "T1": &r.Title,
		"journal": &r.Journal, "journaltitle": &r.Journal, "JO": &r.Journal, "JF": &r.Journal, "JA": &r.Journal,
		"T2": &r.Journal, "TA": &r.Journal, "JT": &r.Journal,
		"year": &r.Year, "date": &r.Year, "PY": &r.Year, "Y1": &r.Year, "DP": &r.Year,
		"volume": &r.Volume, "VL": &r.Volume, "VI": &r.Volume, "number": &r.Issue, "IS": &r.Issue, "IP": &r.Issue,
		"pages": &r.Page, "eid": &r.Page, "SP": &r.Page, "PG": &r.Page,
		"doi": &r.DOI, "DO": &r.DOI, "pmid": &r.PMID, "PMID": &r.PMID, "AN": &r.PMID,
		"pmcid": &r.PMCID, "PMC": &r.PMCID,
	}[name]
	switch {
	case name == "LID" || name == "AID":
		if id, ok := strings.CutSuffix(value, " [doi]"); ok && r.DOI == "" {
			r.DOI = id
		}
		return
	case field == nil || *field != "" || value == "":
		return
	case field == &r.Year && len(value) > 4:
		value = value[:4]
	case field == &r.Page:
		value, _, _ = strings.Cut(strings.ReplaceAll(value, "–", "-"), "-")
	case field == &r.Author:
		value, _, _ = strings.Cut(value, " and ")
		if family, givenNames, ok := strings.Cut(value, ","); ok {
			value = firstAuthor(family + ", " + givenNames)
		}
	case field == &r.DOI:
		if m := doi().FindStringSubmatch(value); m != nil {
			value = m[1]
		}
	case field == &r.PMID && strings.Trim(value, "0123456789") != "":
		return // AN holds accession numbers of any database
	case field == &r.Title:
		value = trimPunctuation(value)
	}
	*field = value
}

// parseTagged parses RIS, in which ER ends a record, and nbib, in which PMID begins one. A line without a tag
// continues the previous one.
func parseTagged(lines []string) (refs []Reference) {
	var r Reference
	name, value := "", ""
	flush := func() {
		r.set(name, value)
		name, value = "", ""
	}
	end := func() {
		flush()
		if r.Text = r.text(); r.Text != "" {
			refs = append(refs, r)
		}
		r = Reference{}
	}
	for _, l := range lines {
		m := tag().FindStringSubmatch(strings.TrimRight(l, " \t"))
		switch {
		case m == nil:
			value += " " + strings.TrimSpace(l)
			continue
		case m[1] == "ER", m[1] == "PMID", m[1] == "TY":
			end()
		}
		flush()
		name, value = m[1], m[2]
	}
	end()
	return refs
}

// bibtex parses entries. A value is {value}, "value" or a bare word, or several of these joined by
// # (Patashnik, BibTeXing, 1988, section 2).
func bibtex(text string) (refs []Reference) {
	starts := entry().FindAllStringSubmatchIndex(text, -1)
	for i, start := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		kind := strings.ToLower(text[start[2]:start[3]])
		if kind == "comment" || kind == "preamble" || kind == "string" {
			continue
		}
		r := Reference{}
		for body := text[start[1]:end]; ; {
			name, rest, ok := strings.Cut(body, "=")
			if !ok {
				break
			}
			var value string
			value, body = cutValue(rest)
			r.set(strings.ToLower(strings.Trim(name, " ,\t\n")), unTeX().ReplaceAllString(value, ""))
		}
		if r.Text = r.text(); r.Text != "" {
			refs = append(refs, r)
		}
	}
	return refs
}

// unTeX matches LaTeX's braces and accent commands, which are removed so that only letters are
// compared.
var unTeX = pattern.Lazy(`\\[a-zA-Z]+\s*|\\[^a-zA-Z\s]|[{}]`)

// cutValue splits s at the first comma outside braces and quotation marks.
func cutValue(s string) (value, rest string) {
	depth, quotes := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth < 0 {
				return strings.Trim(s[:i], " \t\n\""), ""
			}
		case c == '"' && depth == 0:
			quotes = !quotes
		case c == ',' && depth == 0 && !quotes:
			return strings.Trim(s[:i], " \t\n\""), s[i+1:]
		}
	}
	return strings.Trim(s, " \t\n\""), ""
}

// text formats a reference of a file for display.
func (r *Reference) text() string {
	var parts []string
	location := strings.Trim(r.Year+";"+r.Volume+":"+r.Page, ";:")
	for _, p := range []string{r.Author, r.Title, r.Journal, location, r.DOI + r.PMID} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ". ")
}
