// Package refparse parses references as people print them, a line of a reference list, and the files
// of reference managers: see [Format]. It sends no requests. A field that a reference lacks, or has
// in an unknown form, is "".
//
//	file, err := refparse.Read(text)
//	if err != nil {
//		return err
//	}
//	file.References[0].Volume // "75"
//
// # Sources
//
// A line is parsed by its punctuation, which many styles share. These are the forms:
//
//	Authors. Title. Journal. 2018 Feb;75(2):79-89.       NLM, Citing Medicine, 2nd edition, chapter 1A
//	                                                     (https://www.ncbi.nlm.nih.gov/books/NBK7282/), and
//	                                                     the AMA Manual of Style, 11th edition, 3.11
//	Authors (2018). Title. Journal, 75(2), 79-89.        Publication Manual of the APA, 7th edition, 10.1
//	Authors. "Title." Journal, vol. 75, no. 2, 2018,     MLA Handbook, 9th edition, chapter 5
//	  pp. 79-89.
//	Authors. Title. Journal 75, 79-89 (2018).            Nature
//	                                                     (https://www.nature.com/nature/for-authors/formatting-guide)
//	Authors. Title. Journal 2018, 75, 79-89.             ACS Guide to Scholarly Communication, 4.3
//	A. Author, B. Author, Title, Journal 75 (2018)       Elsevier's guides for authors, references by number
//	  79-89.
//	A. Author, "Title," Journal, vol. 75, no. 2,         IEEE Reference Guide
//	  pp. 79-89, 2018.
//	Author. "Title." Journal 75, no. 2 (2018): 79-89.    Chicago Manual of Style, 17th edition, 14.168
//	Authors. Title. In: Editors, editors. Book. Place:   Citing Medicine, chapter 2B
//	  Publisher; 2018.
//
// The part with volume and pages is found first, since it is the most regular. The text before it
// is then split into authors, title and journal.
package refparse

import (
	"regexp"
	"strings"

	"biomcp/entrez/pattern"
)

// A Reference holds the fields of a printed reference.
type Reference struct {
	Text    string `json:"text,omitzero"`  // the printed text
	Author  string `json:"author"`         // first author: "Lerro CC", or the name of a group
	Title   string `json:"title,omitzero"` // without a final period
	Journal string `json:"journal"`        // title or abbreviation
	Year    string `json:"year"`           // "2018"
	Volume  string `json:"volume"`         //
	Issue   string `json:"issue,omitzero"` //
	Page    string `json:"page"`           // first page, or article number
	DOI     string `json:"doi,omitzero"`   // "10.1136/oemed-2017-104431"
	PMID    string `json:"pmid,omitzero"`  // "29247046"
	PMCID   string `json:"pmcid,omitzero"` // "PMC5771878"
}

const (
	anyYear   = `(?:1[6-9]|20)\d\d`
	year      = `(?P<year>` + anyYear + `)`
	monthName = `(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Spring|Summer|Fall|Autumn|Winter)`
)

// locators lists the forms in which volume and pages are printed, with the groups year, volume,
// issue and page. The first form that matches is used, at its last match in the line.
var locators = []struct {
	form  func() *regexp.Regexp
	dated bool // applies only if the year follows the authors
	book  bool // place, publisher and year of a book; applies only after authors and a title
}{
	// IEEE: , vol. 75, no. 2, pp. 79-89, Feb. 2018
	{form: pattern.Lazy(`,?\s+vol\.\s*(?P<volume>[^,()]{1,20})(?:,\s*no\.\s*(?P<issue>[^,]+))?,\s*pp?\.\s*` +
		`(?P<page>[^\s,]+),[^,]{0,20}?` + year + `\b`)},
	// MLA: , vol. 75, no. 2, Feb. 2018, pp. 79-89
	{form: pattern.Lazy(`,?\s+vol\.\s*(?P<volume>[^,()]{1,20})(?:,\s*no\.\s*(?P<issue>[^,]+))?` +
		`(?:,\s*[^,]*?` + year + `[^,]*?)?(?:,\s*(?:pp?\.|[Aa]rticle)\s*(?P<page>[^\s,]+))?(?:[,.]|$)`)},
	{form: pattern.Lazy(`,\s+[^,"]{0,25}` + year + `,\s*(?:pp?\.|[Aa]rticle)\s*(?P<page>[^\s,]+)`)},
	// NLM, of a book: . Bethesda (MD): Publisher; 1993-2024
	{book: true, form: pattern.Lazy(`\.\s+[^.:;]{2,40}:\s*[^:;]{2,80};\s*` + year + `(?:-(?:\d{4})?)?\.?\s*$`)},
	// NLM, AMA, ahead of print: 2018 Feb 3:S0140-6736(18)30001-2 and Published online Feb 3, 2018
	{form: pattern.Lazy(`\b` + year + `\s` + monthName + `\s\d{1,2}:\s*(?:S\d{4}-\d{3}[\dX]\(\d\d\)\d{5}-[\dX]|` +
		`(?P<page>[^\s,;()]+))\.?\s*$`)},
	{form: pattern.Lazy(`(?i)\bpublished online:?(?:\s` + monthName + `[^,.]{0,10},?|\s\d{1,2}\s` + monthName + `\S*)\s+` +
		year + `\.?\s*$`)},
	// NLM, AMA: 2018 Feb 3;75(2):79-89
	{form: pattern.Lazy(`\b` + year + `\b[^;:()".]{0,40}\.?;\s*(?P<volume>[^\s:(;,]*(?:\s+(?:Suppl|Pt` +
		`|Spec)\b[^:(;,]*)?)\s*(?:\((?P<issue>[^()]*(?:\([^)]*\)[^()]*)?)\))?\s*(?::\s*(?:pp?\.?\s*)?` +
		`(?P<page>[^\s,;]+))?`)},
	// Nature: 75, 79-89 (2018)
	{form: pattern.Lazy(`[\s,](?P<volume>\d[\w-]*)\s*(?:\((?P<issue>[^)]*)\))?\s*[,:]\s*(?:pp?\.\s*)?` +
		`(?P<page>[A-Za-z]*\d[\w.-]*)\s*\(` + year + `\)`)},
	// Elsevier: 75 (2018) 79-89; Chicago: 75, no. 2 (February 2018): 79-89
	{form: pattern.Lazy(`\s(?P<volume>\d[\w-]*)(?:,\s*no\.\s*(?P<issue>[^,()]+?))?\s*\((?:\p{L}{3,9}\.?\s+)?` +
		year + `\)[,:]?\s*(?P<page>[A-Za-z]*\d[\w.]*)`)},
	// ACS: 2018, 75, 79-89
	{form: pattern.Lazy(`\b` + year + `,\s*(?P<volume>\d[\w-]*)\s*(?:\((?P<issue>[^)]*)\))?\s*[,:]\s*` +
		`(?:pp?\.\s*)?(?P<page>[A-Za-z]*\d[\w.]*)`)},
	// APA: , 75(2), 79-89 or , 75(2), Article e12; Harvard: 75(2):79-89
	{form: pattern.Lazy(`[,\s]\s*(?P<volume>[A-Za-z]{0,2}\d[\w-]*(?:\s+(?:Suppl|Pt|Spec)\b[^:(;,]*)?)\s*(?:\(` +
		`(?P<issue>[^)]*)\))?\s*[,:]\s*(?:pp?\.\s*|[Aa]rticle\s+)?(?P<page>[A-Za-z]{0,6}\d[\w.]*)` +
		`(?:(?:-\w+)?(?:,\s*[A-Za-z]?\d+(?:-\w+)?)+\.?\s*$)?`)},
	{form: pattern.Lazy(`,\s+(?:[Aa]rticle|pp?\.)\s+(?P<page>[A-Za-z]{0,6}\d[\w.]*)`), dated: true},
	{form: pattern.Lazy(`,\s+(?P<volume>\d[\w-]*)\s*(?:\((?P<issue>[^)]*)\))?\.?\s*$`), dated: true},
	// As people type it: 2018 75 79, 2018 75(2) 79-89
	{form: pattern.Lazy(`(?:^|\s)` + year + `[,;]?\s+(?P<volume>\d{1,4})\s*(?:\((?P<issue>[^)]*)\))?[,:;]?\s+` +
		`(?P<page>[A-Za-z]{0,6}\d[\w.]*(?:-\w+)?)\.?\s*$`)},
	// A date alone, for an article without a volume yet.
	{form: pattern.Lazy(`(?:^|[.,\s])\s*` + year + `\b(?:\s` + monthName +
		`[^:.]*)?(?::(?P<page>[A-Za-z]*\d[\w.]*))?\.?\s*$`)},
}

// authorDate matches a year after the authors, as in APA and Harvard style.
var authorDate = pattern.Lazy(`[.,]?\s*\(((?:1[6-9]|20)\d\d)[a-z]?(?:,[^)]{0,20})?\)[.,:]?\s+`)

// Parse parses one printed reference.
func Parse(text string) Reference {
	r := Reference{Text: strings.Join(strings.Fields(text), " ")}
	head := r.identifiers(normalize(r.Text))
	head, isPart := r.cutBook(head)
	head, located, isBook := r.locate(head)
	isBook = isBook || isPart
	located = located && !isBook
	r.Page, _, _ = strings.Cut(r.Page, "-")
	switch quote, dated := quotedTitle().FindStringSubmatchIndex(head), authorDate().FindStringSubmatchIndex(head+" "); {
	case quote != nil:
		authors := head[:quote[0]]
		if dated != nil && dated[0] > 0 && dated[0] < quote[0] {
			r.Year, authors = head[dated[2]:dated[3]], head[:dated[0]]
		}
		r.Author, r.Title = firstAuthor(authors), titleOf(head[quote[2]:quote[3]])
		r.Journal = trimPunctuation(head[quote[1]:])
	case dated != nil && dated[0] > 0 && dated[1] < len(head):
		before, after := head[:dated[0]], head[dated[1]:]
		r.Year = head[dated[2]:dated[3]]
		if located && isTitle(before) && len(sentences(after)) == 1 { // there is no author
			r.Title, r.Journal = titleOf(before), trimPunctuation(after)
			break
		}
		r.Author = firstAuthor(before)
		r.setTitleAndJournal(after, located)
	default:
		authors, rest := cutAuthors(head, isBook)
		r.Author = firstAuthor(authors)
		r.setTitleAndJournal(rest, located)
		comma := strings.LastIndex(r.Title, ", ")
		lacksJournal := r.Journal == "" && located
		if lacksJournal && comma > 0 && initialsFirst().MatchString(authors) {
			r.Title, r.Journal = r.Title[:comma], r.Title[comma+2:]
		}
	}
	r.removePreprintID()
	return r
}

// locate sets the fields of the part with volume and pages, and returns the text before it. located is
// false if there is none, and isBook is true if it describes a book.
func (r *Reference) locate(head string) (rest string, located, isBook bool) {
	isDated := authorDate().MatchString(head)
	for _, l := range locators {
		form := l.form()
		all := form.FindAllStringSubmatchIndex(head, -1)
		if len(all) == 0 || l.dated && !isDated {
			continue
		}
		match := all[len(all)-1]
		if l.book && len(sentences(head[:match[0]])) < 2 {
			continue
		}
		for g, name := range form.SubexpNames() {
			if name != "" && match[2*g] >= 0 {
				*r.field(name) = strings.Trim(head[match[2*g]:match[2*g+1]], " .,;")
			}
		}
		return strings.TrimSpace(head[:match[0]]), true, l.book
	}
	return head, false, false
}

// cutBook removes the description of the book that a chapter is part of, and sets the year from it.
func (r *Reference) cutBook(head string) (rest string, isPart bool) {
	for _, form := range []func() *regexp.Regexp{inBook, inEdited} {
		if at := form().FindStringIndex(head); at != nil {
			if years := yearForm().FindAllString(head[at[1]:], -1); years != nil {
				r.Year = years[len(years)-1]
			}
			return head[:at[0]+1], true
		}
	}
	return head, false
}

// IsReference reports whether text can only be a printed reference: it has an author and a title, and a
// year, a volume and a page.
func IsReference(text string) bool {
	r := Parse(text)
	hasLocation := r.Year != "" && r.Volume != "" && r.Page != ""
	return hasLocation && r.Author != "" && r.Title != "" && !strings.ContainsAny(text, "[]")
}

// field returns the field for a group of a locator.
func (r *Reference) field(group string) *string {
	return map[string]*string{"year": &r.Year, "volume": &r.Volume, "issue": &r.Issue, "page": &r.Page}[group]
}
