package entreztest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"biomcp/entrez/pubmed"
	records "biomcp/entrez/record"
)

// A segment is one stretch of a record's text. A phrase does not extend over several segments, and
// a word field is a mask of segments.
type segment uint32

const (
	segTitle segment = 1 << iota
	segAbstract
	segKeyword
	segVernacular
	segAffiliation
	segHeading // MeSH, substances, publication types
	segName    // authors, groups, investigators
	segSource  // journal, identifiers, grants
	segCoi
	segAny segment = 1<<iota - 1
)

// A record is one PubMed record: its own bytes, and the values that it is searched and sorted by.
// Other values are parsed from the bytes when needed, so that 20,000 records need little memory.
type record struct {
	pmid  uint32
	raw   []byte
	text  []wordID // segments, each ending in a mark; see corpus.addText
	order sortKeys

	published, electronic         day // DP (print or only date) and ArticleDate
	entry, created, revised       day // EDAT, CRDT, LR
	indexed, completed            day // MHDA, DCOM
	pmcid                         string
	references                    []uint32
	review, hasAbstract, isBook   bool
	headings                      []string // folded descriptors, for similarity
	journal, volume, year, author string   // folded, for ecitmatch
	page                          string
	doi                           string
}

type sortKeys struct {
	author, journal string
}

// article parses the record's bytes.
func (r *record) article() *pubmed.Article {
	for item, err := range pubmed.Scan(bytes.NewReader(r.raw)) {
		if err == nil && item.Article != nil {
			return item.Article
		}
	}
	return &pubmed.Article{PMID: strconv.FormatUint(uint64(r.pmid), 10)}
}

// scan reads PubMed XML, which may be gzipped. It calls yield with each record and its bytes, and
// remove with each PMID of a DeleteCitation.
func scan(r io.Reader, yield func(a *pubmed.Article, raw []byte) error, remove func(pmid string)) error {
	r, err := pubmed.NewReader(r)
	if err != nil {
		return err
	}
	for item, err := range pubmed.Scan(r) {
		var bad *pubmed.RecordError
		switch {
		case errors.As(err, &bad):
			return fmt.Errorf("a record that cannot be read: %w", err)
		case err != nil:
			return err
		case item.Article != nil:
			if err := yield(item.Article, item.Raw); err != nil {
				return err
			}
		}
		for _, pmid := range item.Deleted {
			remove(pmid)
		}
	}
	return nil
}

func newRecord(a *pubmed.Article, raw []byte) (*record, error) {
	pmid, err := strconv.ParseUint(a.PMID, 10, 32)
	if err != nil || pmid == 0 {
		return nil, fmt.Errorf("PMID %q is not a number", a.PMID)
	}
	r := &record{
		pmid: uint32(pmid), raw: bytes.Clone(raw),
		published: firstDay(a.PublicationDate), electronic: firstDay(a.ElectronicDate),
		entry: dayOfISO(a.Dates.Pubmed), created: dayOfISO(a.Dates.Entrez),
		revised: dayOfISO(a.Dates.LastRevised), indexed: dayOfISO(a.Dates.Medline),
		completed: dayOfISO(a.Dates.Completed),
		pmcid:     a.PMCID, doi: strings.ToLower(a.DOI),
		hasAbstract: a.Abstract != "", isBook: a.Book != nil,
		volume: fold(a.Journal.Volume), page: firstPage(a.Journal), journal: fold(a.Journal.Abbreviation),
	}
	if a.PublicationDate.Year != 0 {
		r.year = strconv.Itoa(a.PublicationDate.Year)
	}
	if a.Book != nil && r.published == 0 {
		r.published = firstDay(a.Book.BeginningDate)
	}
	if r.created == 0 {
		r.created = r.entry
	}
	if len(a.Authors) > 0 {
		r.author = fold(a.Authors[0].Name())
		r.order.author = strings.ToLower(a.Authors[0].Name())
	}
	r.order.journal = strings.ToLower(a.Journal.Abbreviation)
	for _, m := range a.Mesh {
		r.headings = append(r.headings, fold(m.Descriptor))
	}
	for _, t := range a.PublicationTypes {
		r.review = r.review || strings.HasSuffix(t, "Review")
	}
	for _, ref := range a.References {
		if id, err := strconv.ParseUint(ref.PMID, 10, 32); err == nil {
			r.references = append(r.references, uint32(id))
		}
	}
	return r, nil
}

func firstPage(j pubmed.Journal) string {
	page := j.StartPage
	if page == "" {
		page, _, _ = strings.Cut(j.Pages, "-")
	}
	return fold(page)
}

func (r *record) id() string { return strconv.FormatUint(uint64(r.pmid), 10) }

// texts calls add with each stretch of searchable text of an article.
func texts(a *pubmed.Article, add func(segment, string)) {
	add(segTitle, a.Title)
	if a.Book != nil {
		add(segTitle, a.Book.Title)
		add(segSource, a.Book.Publisher)
	}
	for _, s := range a.Sections {
		add(segAbstract, s.Label)
		add(segAbstract, s.Text)
	}
	for _, o := range a.OtherAbstracts {
		for _, s := range o.Sections {
			add(segAbstract, s.Text)
		}
	}
	for _, k := range a.Keywords {
		add(segKeyword, k)
	}
	add(segVernacular, a.VernacularTitle)
	for _, m := range a.Mesh {
		add(segHeading, m.Descriptor)
		for _, q := range m.Qualifiers {
			add(segHeading, q.Name)
		}
	}
	for _, s := range a.SupplMesh {
		add(segHeading, s.Name)
	}
	for _, c := range a.Chemicals {
		add(segHeading, c.Name)
	}
	for _, t := range a.PublicationTypes {
		add(segHeading, t)
	}
	for _, people := range [][]pubmed.Author{a.Authors, a.Editors, a.Investigators, a.PersonalNames} {
		for _, p := range people {
			add(segName, p.Name())
			for _, where := range p.Affiliations {
				add(segAffiliation, where)
			}
		}
	}
	add(segSource, a.Journal.Title)
	add(segSource, a.Journal.Abbreviation)
	for _, g := range a.Grants {
		add(segSource, g.ID)
	}
	for _, id := range a.ArticleIDs {
		add(segSource, id.Value)
	}
	add(segCoi, a.Coi)
}

// terms calls add with each whole term of an article, by field code.
func terms(a *pubmed.Article, r *record, add func(code, term string)) {
	for _, m := range a.Mesh {
		add("MESH", m.Descriptor)
		if m.Major {
			add("MAJR", m.Descriptor)
		}
		for _, q := range m.Qualifiers {
			add("SUBH", q.Name)
			add("MESH", m.Descriptor+"/"+q.Name)
			if q.Major {
				add("MAJR", m.Descriptor)
				add("MAJR", m.Descriptor+"/"+q.Name)
			}
		}
	}
	for _, s := range a.SupplMesh {
		add("SUBS", s.Name)
	}
	for _, c := range a.Chemicals {
		add("SUBS", c.Name)
		add("ECNO", c.Registry)
	}
	j := a.Journal
	plain, _, _ := strings.Cut(j.Title, " (")
	for _, name := range []string{j.Abbreviation, j.ISOAbbreviation, j.Title, plain, j.ISSN, j.ISSNLinking, j.NLMID} {
		add("JOUR", name)
	}
	add("VOL", j.Volume)
	add("ISS", j.Issue)
	add("PAGE", r.page)
	add("PAGE", j.Pages)
	add("CNTY", j.Country)
	for _, t := range a.PublicationTypes {
		add("PTYP", t)
		for _, broader := range broaderTypes[t] {
			add("PTYP", broader)
		}
	}
	for _, code := range a.Language {
		add("LANG", code)
		_, name := records.Language(code)
		add("LANG", name)
	}
	for i, p := range a.Authors {
		if p.CollectiveName != "" {
			add("COLN", p.CollectiveName)
			continue
		}
		names(p, "FULL", add)
		if i == 0 {
			names(p, "FAUT", add)
		}
		if i == len(a.Authors)-1 {
			names(p, "LAUT", add)
		}
		add("AUID", p.ORCID)
	}
	for _, p := range a.Editors {
		names(p, "ED", add)
	}
	for _, p := range a.Investigators {
		names(p, "FINV", add)
	}
	for _, p := range a.PersonalNames {
		names(p, "PS", add)
	}
	for _, g := range a.Grants {
		add("GRNT", g.ID)
	}
	for _, b := range a.DataBanks {
		add("SI", b.Name)
		for _, acc := range b.Accessions {
			add("SI", acc)
			add("SI", b.Name+"/"+acc)
		}
	}
	add("PID", a.DOI)
	add("PID", a.PMCID)
	for _, id := range a.ArticleIDs {
		add("PID", id.Value)
	}
	if a.Book != nil {
		for _, isbn := range a.Book.ISBN {
			add("ISBN", isbn)
		}
		add("PUBN", a.Book.Publisher)
		add("BOOK", a.Book.Accession)
	}
	for _, name := range filtersOf(a, r) {
		add("FILT", name)
	}
}

func names(p pubmed.Author, code string, add func(code, term string)) {
	add(code, p.LastName+" "+p.Initials)
	add(code, p.LastName+" "+p.ForeName)
}
