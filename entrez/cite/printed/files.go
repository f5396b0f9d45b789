package printed

import (
	"strings"

	"biomcp/entrez/pattern"
)

var (
	entry = pattern.Lazy(`(?m)^\s*@(\w+)\s*\{\s*([^,\s]*)\s*,`)
	begun = pattern.Lazy(`^(?:TY|PMID) {0,2}- `)
	tag   = pattern.Lazy(`^([A-Z][A-Z0-9]{1,3}) {0,2}- ?(.*)$`)
)

// Split reads the references of a text: the records of a BibTeX, RIS or nbib file, or one
// a line, several where they are told apart. Entries of BibTeX that are no works are left out.
func Split(text string) []Reference {
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	refs := []Reference{}
	switch {
	case entry().MatchString(text):
		return bibtex(text)
	case len(lines) > 2 && begun().MatchString(lines[0]):
		return tagged(lines)
	}
	for _, l := range lines {
		for _, one := range several(l) {
			if strings.TrimSpace(one) != "" {
				refs = append(refs, Parse(one))
			}
		}
	}
	return refs
}

// set fills a field, the first value of several, by its name in a file.
func (r *Reference) set(name, value string) {
	value = strings.Join(strings.Fields(value), " ")
	to := map[string]*string{
		"author": &r.Author, "AU": &r.Author, "A1": &r.Author, "FAU": &r.Author,
		"title": &r.Title, "TI": &r.Title, "T1": &r.Title,
		"journal": &r.Journal, "journaltitle": &r.Journal, "JO": &r.Journal, "JF": &r.Journal, "JA": &r.Journal, "T2": &r.Journal, "TA": &r.Journal, "JT": &r.Journal,
		"year": &r.Year, "date": &r.Year, "PY": &r.Year, "Y1": &r.Year, "DP": &r.Year,
		"volume": &r.Volume, "VL": &r.Volume, "VI": &r.Volume, "number": &r.Issue, "IS": &r.Issue, "IP": &r.Issue,
		"pages": &r.Page, "eid": &r.Page, "SP": &r.Page, "PG": &r.Page,
		"doi": &r.DOI, "DO": &r.DOI, "pmid": &r.PMID, "PMID": &r.PMID, "AN": &r.PMID, "pmcid": &r.PMCID, "PMC": &r.PMCID,
	}[name]
	switch {
	case name == "LID" || name == "AID":
		if id, is := strings.CutSuffix(value, " [doi]"); is && r.DOI == "" {
			r.DOI = id
		}
		return
	case to == nil || *to != "" || value == "":
		return
	case to == &r.Year && len(value) > 4:
		value = value[:4]
	case to == &r.Page:
		value, _, _ = strings.Cut(strings.ReplaceAll(value, "–", "-"), "-")
	case to == &r.Author:
		value, _, _ = strings.Cut(value, " and ")
		if family, given, is := strings.Cut(value, ","); is {
			value = first(family + ", " + given)
		}
	case to == &r.DOI:
		if m := doi().FindStringSubmatch(value); m != nil {
			value = m[1]
		}
	case to == &r.PMID && strings.Trim(value, "0123456789") != "":
		return // AN is the number of any database
	case to == &r.Title:
		value = bare(value)
	}
	*to = value
}

// tagged reads RIS (ER ends a record) and nbib (PMID begins one). A line without a tag goes
// on with the one before.
func tagged(lines []string) (refs []Reference) {
	var r Reference
	name, value := "", ""
	flush := func() {
		r.set(name, value)
		name, value = "", ""
	}
	end := func() {
		flush()
		if r.Text = r.line(); r.Text != "" {
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

// bibtex reads entries: name = {value}, "value" or a bare word, also joined by #
// (Patashnik, BibTeXing, 1988, section 2).
func bibtex(text string) (refs []Reference) {
	starts := entry().FindAllStringSubmatchIndex(text, -1)
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		kind := strings.ToLower(text[at[2]:at[3]])
		if kind == "comment" || kind == "preamble" || kind == "string" {
			continue
		}
		r := Reference{}
		for body := text[at[1]:end]; ; {
			name, rest, is := strings.Cut(body, "=")
			if !is {
				break
			}
			var value string
			value, body = braced(rest)
			r.set(strings.ToLower(strings.Trim(name, " ,\t\n")), unTeX().ReplaceAllString(value, ""))
		}
		if r.Text = r.line(); r.Text != "" {
			refs = append(refs, r)
		}
	}
	return refs
}

// unTeX is what LaTeX has around letters: braces and accents as commands. The letters
// alone are compared.
var unTeX = pattern.Lazy(`\\[a-zA-Z]+\s*|\\[^a-zA-Z\s]|[{}]`)

// braced is a value up to the comma at which no brace or quotation mark is open, and the
// rest.
func braced(s string) (value, rest string) {
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

// line is a reference of a file as it is shown.
func (r *Reference) line() string {
	var parts []string
	for _, p := range []string{r.Author, r.Title, r.Journal, strings.Trim(r.Year+";"+r.Volume+":"+r.Page, ";:"), r.DOI + r.PMID} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ". ")
}
