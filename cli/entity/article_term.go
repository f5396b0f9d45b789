package entity

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// filter is one restriction of a search, as typed and as sent.
type filter struct {
	Flag  string `json:"flag"`
	Value string `json:"value"`
	Term  string `json:"term"`
}

// maxQuery bounds a query, in bytes; PubMed takes no longer ones in practice.
const maxQuery = 20000

var articleAnchors = []struct{ name, letter, usage string }{
	{"gene", "g", "a gene symbol, in title or abstract"},
	{"disease", "d", "a disease, mapped to MeSH by PubMed"},
	{"drug", "", "a drug, mapped to MeSH and substances by PubMed"},
	{"keyword", "k", "a word or phrase, mapped by PubMed"},
}

var dateTypes = []string{"pdat", "edat", "mdat", "crdt"}

func articleFilters(f *command.Flags) {
	for _, a := range articleAnchors {
		if a.letter == "" {
			f.String(a.name, "", a.usage)
		} else {
			f.StringP(a.name, a.letter, "", a.usage)
		}
	}
	f.String("author", "", `an author, "Smith J" or "Smith"`)
	f.String("journal", "", "a journal, by title, abbreviation or ISSN")
	f.Strings("mesh", "a MeSH heading")
	f.Strings("pub-type", "a publication type, such as Review")
	f.String("language", "", "a language, such as english")
	f.Enum("species", "", "studies on", "humans", "animals")
	f.Bool("has-abstract", false, "only with an abstract")
	f.Bool("free-full-text", false, "only with free full text")
	f.String("date-from", "", "from this day, month or year on (YYYY, YYYY-MM, YYYY-MM-DD)")
	f.String("date-to", "", "to the end of this day, month or year")
	f.Enum("date-type", "pdat", "which date: published, in PubMed (edat), modified or created", dateTypes...)
	f.Bool("exclude-retracted", false, "without retracted articles")
}

// articleTerm builds the term that is sent: the query in parentheses, so that a
// filter can never bind to half of it, then each filter joined with AND.
func articleTerm(in *command.Input) (term string, filters []filter, notices []string, err error) {
	filters = []filter{}
	query := ""
	if len(in.Args) == 1 {
		query = strings.TrimSpace(in.Args[0])
		if err := checkQuery(query); err != nil {
			return "", nil, nil, err
		}
	}
	add := func(flag, value, t string) { filters = append(filters, filter{flag, value, t}) }
	for _, a := range articleAnchors {
		v := strings.TrimSpace(in.String(a.name))
		if !in.Given(a.name) {
			continue
		}
		if err := plainValue(a.name, v); err != nil {
			return "", nil, nil, err
		}
		t := "(" + v + ")"
		if a.name == "gene" {
			t = v + "[Title/Abstract]"
		}
		add(a.name, v, t)
	}
	for _, t := range []struct{ flag, tag string }{
		{"author", "Author"}, {"journal", "Journal"}, {"mesh", "MeSH Terms"}, {"pub-type", "Publication Type"}, {"language", "Language"},
	} {
		if !in.Given(t.flag) {
			continue
		}
		values := []string{}
		if t.flag == "mesh" || t.flag == "pub-type" {
			values = in.Strings(t.flag)
		} else {
			values = append(values, strings.TrimSpace(in.String(t.flag)))
		}
		if len(values) == 0 {
			values = append(values, "")
		}
		for _, v := range values {
			if err := plainValue(t.flag, v); err != nil {
				return "", nil, nil, err
			}
			if t.flag != "author" { // PubMed matches "Smith J" to Smith JA only unquoted
				v = `"` + v + `"`
			}
			add(t.flag, strings.Trim(v, `"`), v+"["+t.tag+"]")
		}
	}
	if v := in.String("species"); v != "" {
		add("species", v, map[string]string{"humans": `"humans"[MeSH Terms]`, "animals": `"animals"[MeSH Terms:noexp]`}[v])
	}
	if in.Bool("has-abstract") {
		add("has-abstract", "true", "hasabstract")
	}
	if in.Bool("free-full-text") {
		add("free-full-text", "true", `"free full text"[Filter]`)
	}
	dates, err := dateSpan(in.String("date-from"), in.String("date-to"))
	if err != nil {
		return "", nil, nil, err
	}
	if !dates.From.IsZero() {
		kind := in.String("date-type")
		add("date", dates.From.Format("2006-01-02")+" to "+dates.To.Format("2006-01-02")+", "+kind, dates.term(kind))
		if dates.Notice != "" {
			notices = append(notices, dates.Notice)
		}
	}
	parts := []string{}
	if query != "" {
		parts = append(parts, "("+query+")")
	}
	for _, f := range filters {
		parts = append(parts, f.Term)
	}
	if len(parts) == 0 {
		return "", nil, nil, result.Invalid("search article needs a query or a filter", "search", "article", "--help")
	}
	term = strings.Join(parts, " AND ")
	if in.Bool("exclude-retracted") {
		const not = `"retracted publication"[Publication Type]`
		term = "(" + term + ") NOT " + not
		add("exclude-retracted", "true", "NOT "+not)
	}
	return term, filters, notices, nil
}

// checkQuery refuses what PubMed could only misread: it drops an unbalanced
// quote and may search for something else.
func checkQuery(q string) error {
	help := []string{"search", "article", "--help"}
	switch {
	case utf8.RuneCountInString(q) < 3:
		return result.Invalid("a query needs at least three characters", help...)
	case len(q) > maxQuery:
		return result.Invalid(fmt.Sprintf("the query has %d bytes; at most %d are accepted", len(q), maxQuery), help...)
	case !utf8.ValidString(q) || strings.ContainsFunc(q, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
		return result.Invalid("the query holds bytes that are not text", help...)
	case strings.Count(q, `"`)%2 != 0:
		return result.Invalid(`the query has an unbalanced quote (")`, help...)
	}
	depth, quoted := 0, false
	for _, r := range q {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '(':
			depth++
		case r == ')':
			depth--
		}
		if depth < 0 {
			break
		}
	}
	if depth != 0 {
		return result.Invalid("the query has unbalanced parentheses", help...)
	}
	return nil
}

// plainValue checks the value of a filter: it stands for itself, so that it can
// hold neither quotes, brackets nor operators.
func plainValue(flag, v string) error {
	help := []string{"search", "article", "--help"}
	switch {
	case v == "":
		return result.Invalid("--"+flag+" is empty", help...)
	case len(v) > 500:
		return result.Invalid(fmt.Sprintf("--%s has %d bytes; at most 500 are accepted", flag, len(v)), help...)
	case !utf8.ValidString(v) || strings.ContainsFunc(v, unicode.IsControl):
		return result.Invalid("--"+flag+" holds bytes that are not text", help...)
	case strings.ContainsAny(v, `"[]()`):
		return result.Invalid(fmt.Sprintf(`--%s stands for itself and cannot hold quotes, brackets or parentheses: %q; put those in the query`, flag, command.Clip(v)), help...)
	}
	for _, w := range strings.Fields(v) {
		if w == "AND" || w == "OR" || w == "NOT" {
			return result.Invalid(fmt.Sprintf("--%s stands for itself and cannot hold %s; put that in the query", flag, w), help...)
		}
	}
	return nil
}
