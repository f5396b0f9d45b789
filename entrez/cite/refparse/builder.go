package refparse

import (
	"cmp"
	"net/url"
	"strings"

	"biomcp/entrez/pattern"
)

// A builder collects the fields of one record of a file.
type builder struct {
	r                     Reference
	used                  bool   // the record has a line
	first                 string // its first line
	urls                  []string
	note                  string
	fullAuthor, group     string // if there is no other author
	accession, database   string // a number in a database, and the name of that database
	articleNumber, source string
	originalTitle         string // if there is no English title
}

var (
	yearForm   = pattern.Lazy(`\b(?:1[6-9]|20)\d\d`)
	pmidField  = pattern.Lazy(`^(?i:PMID:?\s*|MEDLINE:|https?://\S*/)?(\d{1,8})(?:\.0|/|\s*\[pmid\])?$`)
	pmidInNote = pattern.Lazy(`(?i)\bPMID:?\s*(\d{1,8})\b`)
	pmcidForm  = pattern.Lazy(`(?i)\bPMC\d{1,9}\b`)
	ofPubMed   = pattern.Lazy(`(?i)\b(?:pubmed|medline|nlm|national library of medicine)\b`)
	cochraneID = pattern.Lazy(`(?i)\bPUBMED (\d{1,8})\b`)
)

// set sets a field by its common name, unless the record has it already.
func (b *builder) set(name, value string) {
	value = strings.Join(strings.Fields(value), " ")
	r := &b.r
	set := func(field *string, value string) { *field = cmp.Or(*field, value) }
	if value == "" {
		return
	}
	switch name {
	case "author":
		set(&r.Author, firstAuthor(value))
	case "group":
		set(&b.group, value)
	case "full author":
		set(&b.fullAuthor, firstAuthor(value))
	case "title":
		set(&r.Title, titleOf(value))
	case "original title":
		set(&b.originalTitle, titleOf(value))
	case "journal":
		set(&r.Journal, value)
	case "source":
		set(&b.source, value)
	case "year":
		set(&r.Year, yearForm().FindString(value))
	case "year of a chapter": // replaces the year of the book
		r.Year = cmp.Or(yearForm().FindString(value), r.Year)
	case "volume":
		set(&r.Volume, value)
	case "issue":
		set(&r.Issue, value)
	case "page":
		first, _, _ := strings.Cut(strings.NewReplacer("–", "-", "—", "-").Replace(value), "-")
		first, _, _ = strings.Cut(first, ",")
		set(&r.Page, strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(first, "pp. "), "p. ")))
	case "article number":
		set(&b.articleNumber, value)
	case "doi":
		set(&r.DOI, doiIn(value))
	case "pmid":
		if m := pmidField().FindStringSubmatch(value); m != nil {
			set(&r.PMID, strings.TrimLeft(m[1], "0"))
		}
	case "pmcid":
		if strings.Trim(value, "0123456789") == "" {
			value = "PMC" + value
		}
		set(&r.PMCID, strings.ToUpper(pmcidForm().FindString(value)))
	case "url":
		b.urls = append(b.urls, value)
	case "note":
		b.note += value + "\n"
	case "accession":
		set(&b.accession, value)
	case "database":
		b.database += value + " "
	case "citation":
		b.setCitation(value)
	}
}

// setCitation sets the fields of a printed reference that the record lacks.
func (b *builder) setCitation(text string) {
	p, r := Parse(text), &b.r
	r.Year, r.Volume, r.Issue = cmp.Or(r.Year, p.Year), cmp.Or(r.Volume, p.Volume), cmp.Or(r.Issue, p.Issue)
	r.Page, r.DOI = cmp.Or(r.Page, p.Page), cmp.Or(r.DOI, p.DOI)
	r.Journal = cmp.Or(r.Journal, p.Journal)
	r.PMID, r.PMCID = cmp.Or(r.PMID, p.PMID), cmp.Or(r.PMCID, p.PMCID)
}

// doiIn returns the DOI in a field or an address. An address encodes some characters.
func doiIn(value string) string {
	m := doi().FindStringSubmatch(value)
	if m == nil {
		return ""
	}
	id := strings.TrimRight(m[1], ".,;")
	if plain, err := url.PathUnescape(id); err == nil && strings.Contains(value, "://") {
		id = plain
	}
	return id
}

// reference returns the record. Addresses, notes and accession numbers are used only for the
// identifiers that no field of their own states. A number is a PMID only if it is of PubMed, or if
// the record names no database.
func (b *builder) reference() Reference {
	r := &b.r
	r.Author = cmp.Or(r.Author, b.fullAuthor, b.group)
	r.Title, r.Page = cmp.Or(r.Title, b.originalTitle), cmp.Or(r.Page, b.articleNumber)
	if r.Journal == "" && !strings.ContainsAny(b.source, "0123456789") {
		r.Journal = b.source
	}
	for _, address := range b.urls {
		if m := pmid().FindStringSubmatch(address); m != nil {
			r.PMID = cmp.Or(r.PMID, m[1])
		}
		r.PMCID = cmp.Or(r.PMCID, strings.ToUpper(pmcidForm().FindString(address)))
		if strings.Contains(address, "doi") {
			r.DOI = cmp.Or(r.DOI, doiIn(address))
		}
	}
	if m := pmidInNote().FindStringSubmatch(b.note); m != nil && r.PMID == "" {
		r.PMID = m[1]
	}
	r.PMCID = cmp.Or(r.PMCID, pmcidForm().FindString(b.note))
	if b.database == "" || ofPubMed().MatchString(b.database) {
		b.set("pmid", b.accession)
	}
	r.removePreprintID()
	r.Text = r.text()
	return *r
}

// text formats a reference of a file for display.
func (r *Reference) text() string {
	var parts []string
	location := strings.Trim(r.Year+";"+r.Volume+":"+r.Page, ";:")
	for _, p := range []string{r.Author, r.Title, r.Journal, location, cmp.Or(r.DOI, r.PMID, r.PMCID)} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ". ")
}
