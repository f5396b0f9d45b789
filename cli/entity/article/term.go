package article

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/entrez/cite/refparse"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/record"
	"biomcp/skills"
)

// maxQuery limits a query in bytes; in practice PubMed accepts no longer ones. maxValue
// limits the value of a filter.
const maxQuery, maxValue = 20000, 500

// filters returns the filters of search article, in the order of the query.
func filters() []entity.Filter {
	// text makes a repeatable filter whose values must all hold. Without a tag, PubMed
	// maps the value itself.
	text := func(f entity.Filter, tag string, phrase bool) entity.Filter {
		f.Term = func(v string) (string, error) { return valueTerm(f.Flag, v, tag, phrase) }
		return f
	}
	fixed := func(f entity.Filter, terms ...string) entity.Filter {
		f.Switch = len(f.Values) == 0
		f.Term = entity.AnyTerm(func(v string) (string, error) { return terms[max(0, slices.Index(f.Values, v))], nil })
		return f
	}
	kind := func(flag, pubType, plural string, synonyms ...string) entity.Filter {
		return fixed(entity.Filter{
			Flag: flag, Synonyms: synonyms, MatchAny: true, Usage: plural + "; with others of its kind any of them",
		}, `"`+pubType+`"[Publication Type]`)
	}
	short := func(is func(word string) bool) func(string) bool { // PubMed does not map words of two letters
		return func(text string) bool { return utf8.RuneCountInString(text) == 2 && is(text) }
	}
	return []entity.Filter{
		text(entity.Filter{
			Flag: "gene", Letter: "g", Synonyms: []string{"symbol", "gene-symbol"},
			Usage: "a gene symbol or alias, in title or abstract", OtherNames: eutils.GeneNames,
			MatchesQuery: short(skills.NamesGene),
		}, "Title/Abstract", false),
		text(entity.Filter{
			Flag: "disease", Letter: "d", Synonyms: []string{"condition", "cancer"},
			Usage: "a disease, mapped to MeSH by PubMed, or an id of one", OtherNames: eutils.ConditionNames,
		}, "", false),
		text(entity.Filter{Flag: "drug", Usage: "a drug, mapped to MeSH and substances by PubMed", OtherNames: drugNames},
			"", false),
		{
			Flag: "variant", Synonyms: []string{"mutation", "snp", "rs", "rsid"},
			Usage:      "a variant, in title or abstract: rs113488022, BRAF V600E",
			Term:       entity.ParsedTerm("article", "variant", "an rs number or a change such as BRAF V600E", variantTerm),
			OtherNames: variantNames,
		},
		text(entity.Filter{
			Flag: "keyword", Letter: "k", Usage: "a word or phrase, mapped by PubMed",
			MatchesQuery: short(func(string) bool { return true }),
		}, "", false),
		// unquoted, because "Smith J" then also matches Smith JA
		text(entity.Filter{Flag: "author", Synonyms: []string{"by", "a"}, Usage: `an author, "Smith J" or "Smith"`},
			"Author", false),
		text(entity.Filter{Flag: "first-author", Usage: "the first author"}, "Author - First", false),
		text(entity.Filter{Flag: "last-author", Usage: "the last author"}, "Author - Last", false),
		text(entity.Filter{
			Flag: "affiliation", Synonyms: []string{"institution", "university"}, Usage: "words of an affiliation",
		}, "Affiliation", false),
		text(entity.Filter{Flag: "title", Usage: "words of the title"}, "Title", false),
		text(entity.Filter{Flag: "journal", Usage: "a journal, by title, abbreviation or ISSN"}, "Journal", true),
		text(entity.Filter{Flag: "mesh", Usage: "a MeSH heading"}, "MeSH Terms", true),
		text(entity.Filter{
			Flag: "pub-type", Synonyms: []string{"type", "publication-type", "article-type", "pubtype"},
			ValueSynonyms: eutils.PubTypes, RequireKnown: true, Usage: "a publication type, such as Review",
		}, "Publication Type", true),
		kind("review", "Review", "reviews"),
		kind("trial", "Clinical Trial", "clinical trials", "clinical-trial"),
		kind("meta-analysis", "Meta-Analysis", "meta-analyses"),
		text(entity.Filter{
			Flag: "language", Synonyms: []string{"lang"}, ValueSynonyms: languageCodes(), RequireKnown: true,
			Usage: "a language, such as english",
		}, "Language", true),
		fixed(entity.Filter{
			Flag: "species", Usage: "studies on, comma-separated", Multiple: true,
			Values: []string{"humans", "animals"}, Synonyms: []string{"organism"},
			ValueSynonyms: command.Synonyms{"humans": "people", "animals": "mice"},
		}, `"humans"[MeSH Terms]`, `"animals"[MeSH Terms:noexp]`),
		fixed(entity.Filter{Flag: "has-abstract", Usage: "only with an abstract"}, "hasabstract"),
		fixed(entity.Filter{
			Flag: "free-full-text", Synonyms: []string{"open-access", "oa", "free", "full-text", "free-fulltext"},
			Usage: "only with free full text",
		}, `"free full text"[Filter]`),
		{Flag: "date", Dates: &entity.Dates{
			From:  "from this day, month or year on (YYYY, YYYY-MM, YYYY-MM-DD)",
			To:    "to the end of this day, month or year",
			Type:  "which date: published, in PubMed (edat), modified or created",
			Types: []string{"pdat", "edat", "mdat", "crdt"},
			Term:  dateTerm,
		}},
		fixed(entity.Filter{
			Flag: "exclude-retracted", Synonyms: []string{"no-retracted", "no-retractions", "not-retracted"},
			Usage: "without retracted articles", Exclude: true,
		}, `NOT "retracted publication"[Publication Type]`),
		fixed(entity.Filter{
			Flag: "exclude-preprints", Synonyms: []string{"no-preprints", "no-preprint", "not-preprint"},
			Usage: "without preprints", Exclude: true,
		}, `NOT "preprint"[Publication Type]`),
	}
}

// languageCodes maps the languages of MEDLINE to their codes.
func languageCodes() command.Synonyms {
	codes := command.Synonyms{}
	for row := range record.Languages() {
		codes[strings.ToLower(row.Name)] = row.Code + " " + row.ISO
	}
	return codes
}

// searchTerm returns the query to send: the user's query in parentheses, so that a filter
// cannot bind to half of it, and each filter joined with AND.
func searchTerm(q *entity.Query) string {
	var parts []string
	if q.Text != "" {
		parts = append(parts, "("+q.Text+")")
	}
	without, either := "", []string{}
	for _, f := range q.Filters {
		switch {
		case f.Exclude:
			without += " " + f.Term
		case f.MatchAny:
			either = append(either, f.Term)
		default:
			parts = append(parts, f.Term)
		}
	}
	switch len(either) {
	case 0:
	case 1:
		parts = append(parts, either...)
	default:
		parts = append(parts, "("+strings.Join(either, " OR ")+")")
	}
	term := strings.Join(parts, " AND ")
	if without != "" {
		return "(" + term + ")" + without
	}
	return term
}

// dateTerm returns a date range in PubMed's syntax, which needs both ends.
func dateTerm(s *entity.Span, dateType string) (term, notice string) {
	if s.From == (record.Date{}) {
		s.From = record.Date{Year: 1500, Month: 1, Day: 1}
		notice = "--date-from was not given: the search has no lower bound"
	}
	if s.To == (record.Date{}) {
		s.To = record.Date{Year: 3000, Month: 12, Day: 31}
		notice = "--date-to was not given: the search has no upper bound, and includes dates announced for the future"
	}
	return strings.ReplaceAll(fmt.Sprintf("%s:%s[%s]", s.From, s.To, dateType), "-", "/"), notice
}

// articleHelp is the command that explains an invalid search.
var articleHelp = []string{"search", "article", "--help"}

// checkQuery rejects a query that PubMed would misread.
func checkQuery(q string) error {
	if utf8.RuneCountInString(q) < 3 {
		if strings.ContainsFunc(q, func(r rune) bool { return r > unicode.MaxLatin1 && unicode.IsLetter(r) }) { // β
			return result.Invalid("a query needs at least three characters", "search", "article", "--keyword", q)
		}
		return result.Invalid("a query needs at least three characters", articleHelp...)
	}
	if err := query.CheckText("the query", q, maxQuery, "\n\t", articleHelp...); err != nil {
		return err
	}
	if !query.HasLetterOrDigit(q) {
		return result.Invalid("PubMed ignores a query without a letter or a digit", articleHelp...)
	}
	if refparse.IsReference(q) {
		return result.Invalid("this is a printed reference, and PubMed's search would drop parts of it; search "+
			"citation finds it",
			"search", "citation", q)
	}
	if words := strings.Fields(strings.TrimLeft(q, "( ")); len(words) > 1 && words[0] == "NOT" {
		return result.Invalid("the query begins with NOT, which needs words before it to exclude from", articleHelp...)
	}
	return query.CheckBalance("the query", q, articleHelp...)
}

// valueTerm returns the query term of a filter. A value with a tag is literal: it becomes a
// quoted phrase if it contains PubMed syntax. A value without a tag may be a phrase
// already, and is put in parentheses.
func valueTerm(flag, v, tag string, phrase bool) (string, error) {
	what := "--" + flag
	if err := query.CheckText(what, v, maxValue, "", articleHelp...); err != nil {
		return "", err
	}
	operator := slices.ContainsFunc(strings.Fields(v), func(w string) bool {
		return w == "AND" || w == "OR" || w == "NOT"
	})
	switch {
	case tag == "" && operator:
		return "", result.Invalid(what+" is a single term and cannot contain AND, OR or NOT; put those in the query",
			articleHelp...)
	case tag == "":
		return "(" + v + ")", query.CheckBalance(what, v, articleHelp...)
	case strings.Contains(ncbi.StraightQuotes(v), `"`):
		return "", result.Invalid(fmt.Sprintf(`%s is a single term and cannot contain a quote ("): %q; put that in the query`,
			what, command.Clip(v)),
			articleHelp...)
	case phrase || operator || strings.ContainsAny(v, "()[]"):
		v = `"` + v + `"`
	}
	return v + "[" + tag + "]", nil
}
