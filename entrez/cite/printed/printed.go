// Package printed reads references as people print them: a line of a reference list, or a
// BibTeX, RIS or PubMed (nbib) file. It asks nobody; what a reference does not say, or says
// in a form that is not known, stays "".
//
//	refs := printed.Split(text)
//	refs[0].Volume // "75"
//
// # Sources
//
// A line is read by the punctuation that the styles have in common. It does not matter
// which of them a journal follows, but whether it writes
//
//	Authors. Title. Journal. 2018 Feb;75(2):79-89.       NLM, Citing Medicine, 2nd edition, chapter 1A
//	                                                     (https://www.ncbi.nlm.nih.gov/books/NBK7282/), and
//	                                                     the AMA Manual of Style, 11th edition, 3.11
//	Authors (2018). Title. Journal, 75(2), 79-89.        Publication Manual of the APA, 7th edition, 10.1
//	Authors. "Title." Journal, vol. 75, no. 2, 2018,     MLA Handbook, 9th edition, chapter 5
//	  pp. 79-89.
//	Authors. Title. Journal 75, 79-89 (2018).            Nature (https://www.nature.com/nature/for-authors/formatting-guide)
//	Authors. Title. Journal 2018, 75, 79-89.             ACS Guide to Scholarly Communication, 4.3
//	A. Author, B. Author, Title, Journal 75 (2018)       Elsevier's guides for authors, references by number
//	  79-89.
//	A. Author, "Title," Journal, vol. 75, no. 2,         IEEE Reference Guide
//	  pp. 79-89, 2018.
//
// The part with volume and pages is found first: it is the most regular. Title, journal and
// authors are divided in what is before it.
package printed

import (
	"regexp"
	"strings"

	"biomcp/entrez/pattern"
)

// Reference is what a printed reference says.
type Reference struct {
	Text    string `json:"text,omitzero"`  // as it is printed
	Author  string `json:"author"`         // the first: "Lerro CC", or the name of a group
	Title   string `json:"title,omitzero"` // without a stop at its end
	Journal string `json:"journal"`        // title or abbreviation
	Year    string `json:"year"`           // "2018"
	Volume  string `json:"volume"`         //
	Issue   string `json:"issue,omitzero"` //
	Page    string `json:"page"`           // the first, or the number of an article
	DOI     string `json:"doi,omitzero"`   // "10.1136/oemed-2017-104431"
	PMID    string `json:"pmid,omitzero"`  // "29247046"
	PMCID   string `json:"pmcid,omitzero"` // "PMC5771878"
}

const year = `(?P<year>(?:1[6-9]|20)\d\d)`

// locators are the ways to print volume and pages, by the groups year, volume, issue and
// page. The first that a line has is taken, and of several places the last.
var locators = []struct {
	form  func() *regexp.Regexp
	dated bool // only where the year is behind the authors
}{
	// IEEE: , vol. 75, no. 2, pp. 79-89, Feb. 2018
	{form: pattern.Lazy(`,?\s+vol\.\s*(?P<volume>[^,()]{1,20})(?:,\s*no\.\s*(?P<issue>[^,]+))?,\s*pp?\.\s*(?P<page>[^\s,]+),[^,]{0,20}?` + year + `\b`)},
	// MLA: , vol. 75, no. 2, Feb. 2018, pp. 79-89
	{form: pattern.Lazy(`,?\s+vol\.\s*(?P<volume>[^,()]{1,20})(?:,\s*no\.\s*(?P<issue>[^,]+))?(?:,\s*[^,]*?` + year + `[^,]*?)?(?:,\s*(?:pp?\.|[Aa]rticle)\s*(?P<page>[^\s,]+))?(?:[,.]|$)`)},
	{form: pattern.Lazy(`,\s+[^,"]{0,25}` + year + `,\s*(?:pp?\.|[Aa]rticle)\s*(?P<page>[^\s,]+)`)},
	// NLM, AMA: 2018 Feb 3;75(2):79-89
	{form: pattern.Lazy(`\b` + year + `\b[^;:()".]{0,40}\.?;\s*(?P<volume>[^\s:(;,]*(?:\s+(?:Suppl|Pt|Spec)\b[^:(;,]*)?)\s*(?:\((?P<issue>[^()]*(?:\([^)]*\)[^()]*)?)\))?\s*(?::\s*(?:pp?\.?\s*)?(?P<page>[^\s,;]+))?`)},
	// Nature: 75, 79-89 (2018)
	{form: pattern.Lazy(`[\s,](?P<volume>\d[\w-]*)\s*(?:\((?P<issue>[^)]*)\))?\s*[,:]\s*(?:pp?\.\s*)?(?P<page>[A-Za-z]*\d[\w.-]*)\s*\(` + year + `\)`)},
	// Elsevier: 75 (2018) 79-89
	{form: pattern.Lazy(`\s(?P<volume>\d[\w-]*)\s*\(` + year + `\),?\s*(?P<page>[A-Za-z]*\d[\w.]*)`)},
	// ACS: 2018, 75, 79-89
	{form: pattern.Lazy(`\b` + year + `,\s*(?P<volume>\d[\w-]*)\s*(?:\((?P<issue>[^)]*)\))?\s*[,:]\s*(?:pp?\.\s*)?(?P<page>[A-Za-z]*\d[\w.]*)`)},
	// APA: , 75(2), 79-89 or , 75(2), Article e12; Harvard: 75(2):79-89
	{form: pattern.Lazy(`[,\s]\s*(?P<volume>[A-Za-z]{0,2}\d[\w-]*(?:\s+(?:Suppl|Pt|Spec)\b[^:(;,]*)?)\s*(?:\((?P<issue>[^)]*)\))?\s*[,:]\s*(?:pp?\.\s*|[Aa]rticle\s+)?(?P<page>[A-Za-z]{0,6}\d[\w.]*)`)},
	{form: pattern.Lazy(`,\s+(?:[Aa]rticle|pp?\.)\s+(?P<page>[A-Za-z]{0,6}\d[\w.]*)`), dated: true},
	{form: pattern.Lazy(`,\s+(?P<volume>\d[\w-]*)\s*(?:\((?P<issue>[^)]*)\))?\.?\s*$`), dated: true},
	// As people type it: 2018 75 79, 2018 75(2) 79-89
	{form: pattern.Lazy(`(?:^|\s)` + year + `[,;]?\s+(?P<volume>\d{1,4})\s*(?:\((?P<issue>[^)]*)\))?[,:;]?\s+(?P<page>[A-Za-z]{0,6}\d[\w.]*(?:-\w+)?)\.?\s*$`)},
	// A date alone: of what has no volume yet.
	{form: pattern.Lazy(`(?:^|[.,\s])\s*` + year + `\b(?:\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Spring|Summer|Fall|Autumn|Winter)[^:.]*)?(?::(?P<page>[A-Za-z]*\d[\w.]*))?\.?\s*$`)},
}

// authorDate is the year behind the authors, in APA, Harvard and others.
var authorDate = pattern.Lazy(`[.,]?\s*\(((?:1[6-9]|20)\d\d)[a-z]?(?:,[^)]{0,20})?\)[.,:]?\s+`)

// Parse reads one printed reference.
func Parse(text string) Reference {
	r := Reference{Text: strings.Join(strings.Fields(text), " ")}
	head := r.identifiers(plain(r.Text))
	located, isDated := false, authorDate().MatchString(head)
	for _, l := range locators {
		form := l.form()
		all := form.FindAllStringSubmatchIndex(head, -1)
		if len(all) == 0 || l.dated && !isDated {
			continue
		}
		at := all[len(all)-1]
		for g, name := range form.SubexpNames() {
			if name != "" && at[2*g] >= 0 {
				*r.part(name) = strings.Trim(head[at[2*g]:at[2*g+1]], " .,;")
			}
		}
		head, located = strings.TrimSpace(head[:at[0]]), true
		break
	}
	r.Page, _, _ = strings.Cut(r.Page, "-")
	switch quote, dated := quoted().FindStringSubmatchIndex(head), authorDate().FindStringSubmatchIndex(head+" "); {
	case quote != nil:
		authors := head[:quote[0]]
		if dated != nil && dated[0] > 0 && dated[0] < quote[0] {
			r.Year, authors = head[dated[2]:dated[3]], head[:dated[0]]
		}
		r.Author, r.Title, r.Journal = first(authors), bare(head[quote[2]:quote[3]]), bare(head[quote[1]:])
	case dated != nil && dated[0] > 0 && dated[1] < len(head):
		r.Year, r.Author = head[dated[2]:dated[3]], first(head[:dated[0]])
		r.divide(head[min(dated[1], len(head)):], located)
	default:
		authors, rest := authorsOf(head)
		r.Author = first(authors)
		r.divide(rest, located)
		if at := strings.LastIndex(r.Title, ", "); r.Journal == "" && located && at > 0 && leading().MatchString(authors) {
			r.Title, r.Journal = r.Title[:at], r.Title[at+2:]
		}
	}
	return r
}

// IsReference reports whether a text can be nothing but a printed reference: it says where
// an article is and, before that, what or by whom.
func IsReference(text string) bool {
	r := Parse(text)
	return r.Year != "" && r.Volume != "" && r.Page != "" && r.Author != "" && r.Title != "" && !strings.ContainsAny(text, "[]")
}

// part is the field that a group of a locator fills.
func (r *Reference) part(group string) *string {
	return map[string]*string{"year": &r.Year, "volume": &r.Volume, "issue": &r.Issue, "page": &r.Page}[group]
}
