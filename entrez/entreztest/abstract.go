package entreztest

import (
	"fmt"
	"slices"
	"strings"

	"biomcp/entrez/pubmed"
)

// abstract formats record n of a reply in PubMed's abstract display: citation, title, authors with
// numbered affiliations, abstract, notices and identifiers. A blank line separates them, and two
// follow the record.
func abstract(n int, a *pubmed.Article) string {
	var b strings.Builder
	block := func(text string) {
		if text != "" {
			b.WriteString(fill(text) + "\n\n")
		}
	}
	block(fmt.Sprintf("%d. %s", n, sourceLine(a)))
	block(a.Title)
	if a.VernacularTitle != "" {
		block("[Article in " + strings.Join((&summary{Lang: a.Language}).languageNames(), ", ") + "]")
	}
	authors, places := byline(a.Authors)
	block(authors)
	if len(places) > 0 {
		b.WriteString("Author information:\n")
		for i, p := range places {
			b.WriteString(fill(fmt.Sprintf("(%d)%s", i+1, p)) + "\n")
		}
		b.WriteString("\n")
	}
	for _, c := range a.Corrections {
		block(relation(c.Type) + "\n    " + c.Source)
	}
	block(strings.ReplaceAll(a.Abstract, "\n\n", "\n"))
	block(a.Copyright)
	var ids []string
	if a.DOI != "" {
		ids = append(ids, "DOI: "+a.DOI)
	}
	if a.PMCID != "" {
		ids = append(ids, "PMCID: "+a.PMCID)
	}
	pmid := "PMID: " + a.PMID
	if a.Status == "MEDLINE" {
		pmid += " [Indexed for MEDLINE]"
	}
	b.WriteString(strings.Join(append(ids, pmid), "\n"))
	if a.Coi != "" {
		b.WriteString("\n\n" + fill("Conflict of interest statement: "+a.Coi))
	}
	return b.String() + "\n\n\n"
}

// byline returns the authors as "Smith J(1), Doe A(1)(2).", and the affiliations that the numbers
// refer to.
func byline(people []pubmed.Author) (line string, places []string) {
	var names []string
	for _, p := range people {
		name := p.Name()
		for _, place := range p.Affiliations {
			at := slices.Index(places, place)
			if at < 0 {
				at = len(places)
				places = append(places, place)
			}
			name += fmt.Sprintf("(%d)", at+1)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return "", nil
	}
	return strings.Join(names, ", ") + ".", places
}

// fill wraps every line of text at 80 columns.
func fill(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		current := indent
		for _, w := range strings.Fields(line) {
			if len(current) > len(indent) && len(current)+1+len(w) > 80 {
				out = append(out, current)
				current = indent
			}
			if len(current) > len(indent) {
				current += " "
			}
			current += w
		}
		out = append(out, current)
	}
	return strings.Join(out, "\n")
}
