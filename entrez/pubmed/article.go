package pubmed

import (
	"net/url"
	"slices"
	"strings"
)

// An Article is one PubMed record: a journal article or a book (DTD pubmed_250101,
// https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd). Texts are plain Unicode with
// collapsed white space, and are not normalized otherwise. Nested markup is flattened, sub- and
// superscripts become Unicode characters if all their characters have one (see [Superscript]), and
// MathML becomes its text. Slices of a decoded record are never nil, so that JSON shows [].
type Article struct {
	PMID    string `json:"pmid"`
	Version int    `json:"version"` // PMID@Version, 1 if absent
	Book    *Book  `json:"book"`    // nil for a journal article

	Title           string            `json:"title"` // for a whole book, the book's title
	VernacularTitle string            `json:"vernacular_title"`
	Abstract        string            `json:"abstract"` // sections as "LABEL: text", separated by empty lines
	Sections        []AbstractSection `json:"abstract_sections"`
	Copyright       string            `json:"copyright"`
	OtherAbstracts  []OtherAbstract   `json:"other_abstracts"`

	Authors          []Author     `json:"authors"`          // without misprinted names, which are marked ValidYN="N"
	AuthorsComplete  bool         `json:"authors_complete"` // false if AuthorList@CompleteYN is N
	Editors          []Author     `json:"editors"`          // AuthorList Type="editors"; only for a book
	Investigators    []Author     `json:"investigators"`
	Journal          Journal      `json:"journal"`
	PublicationDate  PubDate      `json:"publication_date"`
	ElectronicDate   PubDate      `json:"electronic_date"` // ArticleDate, DateType Electronic
	Dates            Dates        `json:"dates"`
	PublicationTypes []string     `json:"publication_types"`
	Keywords         []string     `json:"keywords"`
	Mesh             []Mesh       `json:"mesh"`
	SupplMesh        []SupplMesh  `json:"supplementary_mesh"`
	Chemicals        []Chemical   `json:"chemicals"`
	GeneSymbols      []string     `json:"gene_symbols"`
	PersonalNames    []Author     `json:"personal_name_subjects"`
	DataBanks        []DataBank   `json:"data_banks"`
	Grants           []Grant      `json:"grants"`
	Corrections      []Correction `json:"corrections"` // CommentsCorrections of every RefType but Cites
	References       []Reference  `json:"references"`  // nested lists in document order, or the Cites of an older record
	Notes            []string     `json:"general_notes"`

	DOI        string      `json:"doi"`
	PMCID      string      `json:"pmcid"` // with the PMC prefix
	ArticleIDs []ArticleID `json:"article_ids"`
	ELocations []ELocation `json:"e_locations"` // only for a journal article, without those marked ValidYN="N"
	Language   []string    `json:"language"`

	Status            string   `json:"status"`             // MedlineCitation@Status: MEDLINE, Publisher, ...
	IndexingMethod    string   `json:"indexing_method"`    // "", Manual, Automated, Curated
	PublicationStatus string   `json:"publication_status"` // ppublish, epublish, aheadofprint
	PubModel          string   `json:"pub_model"`
	CitationSubsets   []string `json:"citation_subsets"`
	Coi               string   `json:"coi_statement"`

	// Retracted is true if the publication types include "Retracted Publication", or the
	// corrections include a RetractionIn or RetractedandRepublishedIn.
	Retracted bool `json:"retracted"`
}

// IssueDate returns the date on which the work appeared. For a chapter it is the chapter's own date if
// the record has one, since PublicationDate is then that of the whole book. Otherwise it is the
// date of the issue, or else the electronic date.
func (a *Article) IssueDate() PubDate {
	switch {
	case a.Book != nil && a.Title != a.Book.Title && a.Book.ContributionDate.Year > 0:
		return a.Book.ContributionDate
	case a.PublicationDate.Year > 0:
		return a.PublicationDate
	case a.Book != nil && a.Book.ContributionDate.Year > 0:
		return a.Book.ContributionDate
	}
	return a.ElectronicDate
}

// An AbstractSection is one AbstractText. Label and Category are empty if absent. Category is one
// of BACKGROUND, OBJECTIVE, METHODS, RESULTS, CONCLUSIONS and UNASSIGNED.
type AbstractSection struct {
	Label    string `json:"label"`
	Category string `json:"category"`
	Text     string `json:"text"`
}

// An OtherAbstract is an abstract in another language or for other readers (Type
// plain-language-summary, Publisher, ...).
type OtherAbstract struct {
	Type      string            `json:"type"`
	Language  string            `json:"language"` // eng if absent
	Sections  []AbstractSection `json:"abstract_sections"`
	Copyright string            `json:"copyright"`
}

// AnyAbstract returns the abstract. If a record has none, it returns the first of the other
// abstracts, preferring English to other languages, and those to a plain-language summary. Records
// from POPLINE (PIP) may only have another abstract
// (https://github.com/hugheylab/pmparser/issues/71).
func (a *Article) AnyAbstract() []AbstractSection {
	if len(a.Sections) > 0 || len(a.OtherAbstracts) == 0 {
		return a.Sections
	}
	rank := func(o OtherAbstract) int {
		switch {
		case o.Type == "plain-language-summary":
			return 2
		case o.Language != "eng" && o.Language != "":
			return 1
		}
		return 0
	}
	return slices.MinFunc(a.OtherAbstracts, func(x, y OtherAbstract) int { return rank(x) - rank(y) }).Sections
}

// An Author is a person or, if CollectiveName is set, a group. ORCID has the form
// 0000-0002-1825-0097, and is empty if its check digit is wrong.
type Author struct {
	LastName       string   `json:"last_name"`
	ForeName       string   `json:"fore_name"`
	Initials       string   `json:"initials"`
	Suffix         string   `json:"suffix"`
	CollectiveName string   `json:"collective_name"`
	ORCID          string   `json:"orcid"`
	EqualContrib   bool     `json:"equal_contrib"`
	Affiliations   []string `json:"affiliations"`
}

// Name returns the name as PubMed shows it, "Last AB Jr", or the group's name.
func (a Author) Name() string {
	if a.CollectiveName != "" {
		return a.CollectiveName
	}
	return strings.Join(strings.Fields(a.LastName+" "+a.Initials+" "+a.Suffix), " ")
}

// A Journal describes the journal and the issue of an article. ISSN is the first one in the record.
// Abbreviation is MedlineTA, NLM's title abbreviation.
type Journal struct {
	Title           string `json:"title"`
	ISOAbbreviation string `json:"iso_abbreviation"`
	Abbreviation    string `json:"nlm_abbreviation"`
	ISSN            string `json:"issn"`
	ISSNType        string `json:"issn_type"`
	ISSNLinking     string `json:"issn_linking"`
	Volume          string `json:"volume"`
	Issue           string `json:"issue"`
	Pages           string `json:"pages"` // MedlinePgn, or else StartPage-EndPage
	StartPage       string `json:"start_page"`
	EndPage         string `json:"end_page"`
	NLMID           string `json:"nlm_id"`
	Country         string `json:"country"`
	Medium          string `json:"medium"` // CitedMedium: Internet or Print
}

// A PubDate is a date with the precision of the record. Unknown parts are zero, and null in JSON.
// MedlineDate keeps the text of the record ("1998 Dec-1999 Jan", "2000 Spring"), and Year is then
// its first four digits in a row. Season is a season or a range of months (Summer, Winter-Spring,
// Apr-Jun).
type PubDate struct {
	Year        int    `json:"year"`
	Month       int    `json:"month"`
	Day         int    `json:"day"`
	Season      string `json:"season"`
	MedlineDate string `json:"medline_date"`
}

// Dates holds the dates of the record itself, in the form "2006-01-02", or "2006-01-02T15:04" if
// the record has an hour. An absent date is "". PubMed's times have no time zone. A month or day
// that does not exist is dropped ("2006-02"), and if a status is repeated, the latest date is kept.
// The names in MEDLINE are CRDT for Entrez (PubStatus entrez), EDAT for Pubmed (PubStatus pubmed),
// MHDA for Medline (PubStatus medline), DCOM for Completed and LR for LastRevised.
type Dates struct {
	Received     string `json:"received"`
	Accepted     string `json:"accepted"`
	Revised      string `json:"revised"`
	Epublish     string `json:"epublish"`
	Ppublish     string `json:"ppublish"`
	AheadOfPrint string `json:"aheadofprint"`
	Retracted    string `json:"retracted"`
	Ecollection  string `json:"ecollection"`
	PMC          string `json:"pmc"`
	PMCR         string `json:"pmcr"`
	Pubmed       string `json:"pubmed"`
	PubmedR      string `json:"pubmedr"`
	Premedline   string `json:"premedline"`
	Medline      string `json:"medline"`
	MedlineR     string `json:"medliner"`
	Entrez       string `json:"entrez"`
	PMCRelease   string `json:"pmc_release"`
	Completed    string `json:"completed"`
	LastRevised  string `json:"last_revised"`
}

// A Mesh is one MeSH heading. Major reports whether the descriptor is a major topic.
type Mesh struct {
	Descriptor string      `json:"descriptor"`
	UI         string      `json:"ui"`
	Major      bool        `json:"major"`
	Qualifiers []Qualifier `json:"qualifiers"`
}

// A Qualifier is a MeSH subheading.
type Qualifier struct {
	Name  string `json:"name"`
	UI    string `json:"ui"`
	Major bool   `json:"major"`
}

// String returns the heading in MEDLINE's form (MH of
// https://www.nlm.nih.gov/bsd/mms/medlineelements.html): *Heading/*qualifier, with a star before
// major topics.
func (m Mesh) String() string {
	text := majorStar(m.Major) + m.Descriptor
	for _, q := range m.Qualifiers {
		text += "/" + majorStar(q.Major) + q.Name
	}
	return text
}

func majorStar(major bool) string {
	if major {
		return "*"
	}
	return ""
}

// A SupplMesh is a supplementary concept. Type is Disease, Protocol, Organism, Anatomy or
// Population.
type SupplMesh struct {
	Name string `json:"name"`
	UI   string `json:"ui"`
	Type string `json:"type"`
}

// A Chemical is a substance. Registry is a CAS number, a UNII, an EC number or "0".
type Chemical struct {
	Name     string `json:"name"`
	UI       string `json:"ui"`
	Registry string `json:"registry"`
}

// A DataBank is a data bank with the accession numbers deposited there.
type DataBank struct {
	Name       string   `json:"name"`
	Accessions []string `json:"accessions"`
}

// A Grant is a source of funding. PubMed encodes its texts twice; here they are decoded.
type Grant struct {
	ID      string `json:"id"`
	Acronym string `json:"acronym"`
	Agency  string `json:"agency"`
	Country string `json:"country"`
}

// A Correction links a record to another one. Type is the RefType of the DTD (RetractionIn,
// ErratumIn, CommentOn, ...). PMID is empty if the other record is not in PubMed.
type Correction struct {
	Type   string `json:"type"`
	Source string `json:"source"`
	PMID   string `json:"pmid"`
	Note   string `json:"note"`
}

// A Reference is one entry of the reference list, with the identifiers of the cited work.
type Reference struct {
	Citation string `json:"citation"`
	PMID     string `json:"pmid"`
	DOI      string `json:"doi"`
	PMCID    string `json:"pmcid"`
}

// An ArticleID is an identifier of the record itself, not of a cited work.
type ArticleID struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// An ELocation identifies an article online (ELocationID): by its DOI, or by another identifier of
// the publisher, the pii. If an article has no pages, the pii replaces them, and in many journals
// is the article number (NLM Tech Bull 2008 Jul-Aug;(363):e2). Value is unchanged from the record.
type ELocation struct {
	Type  string `json:"type"` // doi or pii
	Value string `json:"value"`
}

// A Book holds the additional fields of a PubmedBookArticle.
type Book struct {
	Title             string      `json:"title"`
	Authors           []Author    `json:"authors"` // authors of the whole book, if a chapter has its own
	Publisher         string      `json:"publisher"`
	PublisherLocation string      `json:"publisher_location"`
	Volume            string      `json:"volume"`
	VolumeTitle       string      `json:"volume_title"`
	Edition           string      `json:"edition"`
	Collection        string      `json:"collection"`
	ISBN              []string    `json:"isbn"`
	Medium            string      `json:"medium"`
	ReportNumber      string      `json:"report_number"`
	Sections          []string    `json:"sections"` // section titles in order, nested ones included
	LocationLabels    []string    `json:"location_labels"`
	ContributionDate  PubDate     `json:"contribution_date"`
	BeginningDate     PubDate     `json:"beginning_date"`
	EndingDate        PubDate     `json:"ending_date"`
	Accession         string      `json:"accession"` // bookaccession: NBK...
	ItemLists         []BookItems `json:"item_lists"`
}

// URL returns the address of the book or chapter at NCBI Bookshelf, or "" if it is unknown.
func (b *Book) URL() string {
	if b == nil || b.Accession == "" {
		return ""
	}
	return "https://www.ncbi.nlm.nih.gov/books/" + url.PathEscape(b.Accession) + "/"
}

// BookItems is a named list in a book record, such as the Synonyms of a disease.
type BookItems struct {
	Type  string   `json:"type"`
	Items []string `json:"items"`
}
