package article

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
)

// filter is one restriction of a search, as typed and as sent.
type filter struct {
	Flag  string `json:"flag"`
	Value string `json:"value"`
	Term  string `json:"term"`
}

// maxQuery bounds a query, in bytes; PubMed takes no longer ones in practice.
// maxValue bounds the value of a filter.
const maxQuery, maxValue = 20000, 500

// termFilters are the filters whose value is a text, in the order they are sent.
// Each may be repeated, and then all must hold.
var termFilters = []struct {
	flag, letter string
	tag          string // of PubMed; "" leaves the mapping to PubMed
	quoted       bool   // sent as a phrase
	usage        string
}{
	{"gene", "g", "Title/Abstract", false, "a gene symbol, in title or abstract"},
	{"disease", "d", "", false, "a disease, mapped to MeSH by PubMed"},
	{"drug", "", "", false, "a drug, mapped to MeSH and substances by PubMed"},
	{"keyword", "k", "", false, "a word or phrase, mapped by PubMed"},
	{"author", "", "Author", false, `an author, "Smith J" or "Smith"`}, // matches Smith JA only unquoted
	{"journal", "", "Journal", true, "a journal, by title, abbreviation or ISSN"},
	{"mesh", "", "MeSH Terms", true, "a MeSH heading"},
	{"pub-type", "", "Publication Type", true, "a publication type, such as Review"},
	{"language", "", "Language", true, "a language, such as english"},
}

var dateTypes = []string{"pdat", "edat", "mdat", "crdt"}

func articleFilters(f *command.Flags) {
	for _, t := range termFilters {
		f.StringsP(t.flag, t.letter, t.usage+" (repeatable: all must hold)")
	}
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
	for _, t := range termFilters {
		for _, v := range in.Strings(t.flag) {
			sent, err := valueTerm(t.flag, v, t.tag, t.quoted)
			if err != nil {
				return "", nil, nil, err
			}
			add(t.flag, v, sent)
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
	dates, err := entity.DateSpan(in.String("date-from"), in.String("date-to"), articleHelp...)
	if err != nil {
		return "", nil, nil, err
	}
	if !dates.From.IsZero() {
		kind := in.String("date-type")
		add("date", dates.From.Format("2006-01-02")+" to "+dates.To.Format("2006-01-02")+", "+kind, pubMedSpan(dates, kind))
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
		return "", nil, nil, result.Invalid("search article needs a query or a filter", articleHelp...)
	}
	term = strings.Join(parts, " AND ")
	if in.Bool("exclude-retracted") {
		const not = `"retracted publication"[Publication Type]`
		term = "(" + term + ") NOT " + not
		add("exclude-retracted", "true", "NOT "+not)
	}
	return term, filters, notices, nil
}

// articleHelp is where a search that cannot be sent is explained.
var articleHelp = []string{"search", "article", "--help"}

// checkQuery refuses what PubMed could only misread.
func checkQuery(q string) error {
	if utf8.RuneCountInString(q) < 3 {
		return result.Invalid("a query needs at least three characters", articleHelp...)
	}
	if err := entity.CheckText("the query", q, maxQuery, "\n\t", articleHelp...); err != nil {
		return err
	}
	return checkBalance("the query", q)
}

// valueTerm is a filter as it is sent. A value with a tag stands for itself: what
// PubMed would take for its syntax is sent as a phrase. One without a tag may be
// a phrase itself, and cannot reach beyond its own parentheses.
func valueTerm(flag, v, tag string, phrase bool) (string, error) {
	what := "--" + flag
	if err := entity.CheckText(what, v, maxValue, "", articleHelp...); err != nil {
		return "", err
	}
	operator := slices.ContainsFunc(strings.Fields(v), func(w string) bool { return w == "AND" || w == "OR" || w == "NOT" })
	switch {
	case tag == "" && operator:
		return "", result.Invalid(what+" stands for itself and cannot hold AND, OR or NOT; put those in the query", articleHelp...)
	case tag == "":
		return "(" + v + ")", checkBalance(what, v)
	case strings.Contains(v, `"`):
		return "", result.Invalid(fmt.Sprintf(`%s stands for itself and cannot hold a quote ("): %q; put that in the query`, what, command.Clip(v)), articleHelp...)
	case phrase || operator || strings.ContainsAny(v, "()[]"):
		v = `"` + v + `"`
	}
	return v + "[" + tag + "]", nil
}

// checkBalance wants every quote, parenthesis and bracket closed: PubMed drops an
// unbalanced one, and may search for something else.
func checkBalance(what, s string) error {
	unbalanced := func(name string) error { return result.Invalid(what+" has "+name, articleHelp...) }
	names := map[rune]string{')': "unbalanced parentheses", ']': "unbalanced brackets"}
	var awaited []rune // the closing ones, innermost last
	quoted := false
	for _, r := range s {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '(':
			awaited = append(awaited, ')')
		case r == '[':
			awaited = append(awaited, ']')
		case r == ')' || r == ']':
			if len(awaited) == 0 || awaited[len(awaited)-1] != r {
				return unbalanced(names[r])
			}
			awaited = awaited[:len(awaited)-1]
		}
	}
	switch {
	case quoted:
		return unbalanced(`an unbalanced quote (")`)
	case len(awaited) > 0:
		return unbalanced(names[awaited[len(awaited)-1]])
	}
	return nil
}

// pubMedSpan is the range as PubMed writes it.
func pubMedSpan(s entity.Span, dateType string) string {
	return fmt.Sprintf("%s:%s[%s]", s.From.Format("2006/01/02"), s.To.Format("2006/01/02"), dateType)
}
