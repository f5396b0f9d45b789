package pubmed

import (
	"net/url"
	"slices"
	"strings"
)

// Article is one PubMed record: a journal article or a book (DTD pubmed_250101,
// https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd). All text is plain
// Unicode with its white space collapsed, and is not normalised otherwise: nested
// markup is flattened, sub- and superscripts become their Unicode characters where
// every character has one (see Superscript), MathML becomes its text. Slices are
// never nil in a decoded record, so that JSON shows [].
type Article struct {
	PMID    string `json:"pmid"`
	Version int    `json:"version"` // PMID@Version, 1 where it is not given
	Book    *Book  `json:"book"`    // nil for a journal article

	Title           string            `json:"title"` // of a whole book, the book's
	VernacularTitle string            `json:"vernacular_title"`
	Abstract        string            `json:"abstract"` // sections joined: "LABEL: text", an empty line between two
	Sections        []AbstractSection `json:"abstract_sections"`
	Copyright       string            `json:"copyright"`
	OtherAbstracts  []OtherAbstract   `json:"other_abstracts"`

	Authors          []Author     `json:"authors"`          // without those marked ValidYN="N", a misprinted name
	AuthorsComplete  bool         `json:"authors_complete"` // false where AuthorList@CompleteYN is N
	Editors          []Author     `json:"editors"`          // AuthorList Type="editors", of a book
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
	Corrections      []Correction `json:"corrections"` // CommentsCorrections, every RefType but Cites
	References       []Reference  `json:"references"`  // nested lists in order; the Cites of an older record
	Notes            []string     `json:"general_notes"`

	DOI        string      `json:"doi"`
	PMCID      string      `json:"pmcid"` // with the PMC prefix
	ArticleIDs []ArticleID `json:"article_ids"`
	ELocations []ELocation `json:"e_locations"` // of a journal article, without those marked ValidYN="N"
	Language   []string    `json:"language"`

	Status            string   `json:"status"`             // MedlineCitation@Status: MEDLINE, Publisher, ...
	IndexingMethod    string   `json:"indexing_method"`    // "", Manual, Automated, Curated
	PublicationStatus string   `json:"publication_status"` // ppublish, epublish, aheadofprint
	PubModel          string   `json:"pub_model"`
	CitationSubsets   []string `json:"citation_subsets"`
	Coi               string   `json:"coi_statement"`

	// Retracted: publication type "Retracted Publication", or a RetractionIn or
	// RetractedandRepublishedIn among the corrections.
	Retracted bool `json:"retracted"`
}

// Issued is when the work itself appeared: a chapter's own date, where its record
// has one, since PublicationDate is then the year of the whole book; else the date
// of the issue, else the electronic one.
func (a *Article) Issued() PubDate {
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

// AbstractSection is one AbstractText. Label and Category are empty where the
// record has none; Category is one of BACKGROUND OBJECTIVE METHODS RESULTS
// CONCLUSIONS UNASSIGNED.
type AbstractSection struct {
	Label    string `json:"label"`
	Category string `json:"category"`
	Text     string `json:"text"`
}

// OtherAbstract is an abstract in another language or for other readers
// (Type plain-language-summary, Publisher, ...).
type OtherAbstract struct {
	Type      string            `json:"type"`
	Language  string            `json:"language"` // eng where the record does not say
	Sections  []AbstractSection `json:"abstract_sections"`
	Copyright string            `json:"copyright"`
}

// AnyAbstract returns the abstract. If a record has none, it returns the first of the other
// abstracts: English before other languages, and a plain-language summary last. Records from
// POPLINE (PIP) may have only such a one (https://github.com/hugheylab/pmparser/issues/71).
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

// Author is a person or, with CollectiveName alone, a group. ORCID is bare
// (0000-0002-1825-0097) and empty where its check digit is wrong.
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

// Name is "Last AB Jr" as PubMed shows it, or the group's name.
func (a Author) Name() string {
	if a.CollectiveName != "" {
		return a.CollectiveName
	}
	return strings.Join(strings.Fields(a.LastName+" "+a.Initials+" "+a.Suffix), " ")
}

// Journal is where an article appeared. ISSN is the one the record gives first;
// Abbreviation is MedlineTA, the NLM title abbreviation.
type Journal struct {
	Title           string `json:"title"`
	ISOAbbreviation string `json:"iso_abbreviation"`
	Abbreviation    string `json:"nlm_abbreviation"`
	ISSN            string `json:"issn"`
	ISSNType        string `json:"issn_type"`
	ISSNLinking     string `json:"issn_linking"`
	Volume          string `json:"volume"`
	Issue           string `json:"issue"`
	Pages           string `json:"pages"` // MedlinePgn, else StartPage-EndPage
	StartPage       string `json:"start_page"`
	EndPage         string `json:"end_page"`
	NLMID           string `json:"nlm_id"`
	Country         string `json:"country"`
	Medium          string `json:"medium"` // CitedMedium: Internet or Print
}

// PubDate is a date with the precision the record has: parts that are zero are
// unknown, and null in JSON.
// A MedlineDate ("1998 Dec-1999 Jan", "2000 Spring") is kept unchanged, with
// the first four digits in a row as Year. Season is a season or a range of months
// (Summer, Winter-Spring, Apr-Jun).
type PubDate struct {
	Year        int    `json:"year"`
	Month       int    `json:"month"`
	Day         int    `json:"day"`
	Season      string `json:"season"`
	MedlineDate string `json:"medline_date"`
}

// Dates are the record's own dates, each "2006-01-02" or "2006-01-02T15:04"
// where the record has an hour, "" where it has none. PubMed's times carry no
// zone. A month or day that no calendar has is left out ("2006-02"), and of a
// repeated status the latest date counts. Entrez is CRDT (PubStatus entrez), Pubmed is EDAT (PubStatus pubmed),
// Medline is MHDA (PubStatus medline); Completed is DCOM and LastRevised is LR.
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

// Mesh is one MeSH heading. Major is true where the descriptor is a major topic.
type Mesh struct {
	Descriptor string      `json:"descriptor"`
	UI         string      `json:"ui"`
	Major      bool        `json:"major"`
	Qualifiers []Qualifier `json:"qualifiers"`
}

// Qualifier is a MeSH subheading.
type Qualifier struct {
	Name  string `json:"name"`
	UI    string `json:"ui"`
	Major bool   `json:"major"`
}

// String is the heading as MEDLINE has it (MH of
// https://www.nlm.nih.gov/bsd/mms/medlineelements.html): *Heading/*qualifier, with a star at
// what the article is about.
func (m Mesh) String() string {
	text := starred(m.Major) + m.Descriptor
	for _, q := range m.Qualifiers {
		text += "/" + starred(q.Major) + q.Name
	}
	return text
}

func starred(major bool) string {
	if major {
		return "*"
	}
	return ""
}

// SupplMesh is a supplementary concept; Type is Disease, Protocol, Organism,
// Anatomy or Population.
type SupplMesh struct {
	Name string `json:"name"`
	UI   string `json:"ui"`
	Type string `json:"type"`
}

// Chemical is a substance; Registry is a CAS number, a UNII, an EC number or "0".
type Chemical struct {
	Name     string `json:"name"`
	UI       string `json:"ui"`
	Registry string `json:"registry"`
}

// DataBank is a data bank with the accession numbers deposited there.
type DataBank struct {
	Name       string   `json:"name"`
	Accessions []string `json:"accessions"`
}

// Grant is one source of money. PubMed encodes these twice; here they are plain.
type Grant struct {
	ID      string `json:"id"`
	Acronym string `json:"acronym"`
	Agency  string `json:"agency"`
	Country string `json:"country"`
}

// Correction ties a record to another one: Type is the RefType of the DTD
// (RetractionIn, ErratumIn, CommentOn, ...), PMID is empty where the other is
// not in PubMed.
type Correction struct {
	Type   string `json:"type"`
	Source string `json:"source"`
	PMID   string `json:"pmid"`
	Note   string `json:"note"`
}

// Reference is one entry of the reference list, with the identifiers of the
// cited work.
type Reference struct {
	Citation string `json:"citation"`
	PMID     string `json:"pmid"`
	DOI      string `json:"doi"`
	PMCID    string `json:"pmcid"`
}

// ArticleID is an identifier of the record itself, never of a cited work.
type ArticleID struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// ELocation is where an article is found online (ELocationID): its DOI, or, as pii,
// whatever else the publisher calls it. Where an article has no pages the pii
// takes their place, which makes it the article number of many journals
// (NLM Tech Bull 2008 Jul-Aug;(363):e2). Value is as the record writes it.
type ELocation struct {
	Type  string `json:"type"` // doi or pii
	Value string `json:"value"`
}

// Book is what a PubmedBookArticle has in addition to an article's fields.
type Book struct {
	Title             string      `json:"title"`
	Authors           []Author    `json:"authors"` // of the whole book, where a chapter has its own
	Publisher         string      `json:"publisher"`
	PublisherLocation string      `json:"publisher_location"`
	Volume            string      `json:"volume"`
	VolumeTitle       string      `json:"volume_title"`
	Edition           string      `json:"edition"`
	Collection        string      `json:"collection"`
	ISBN              []string    `json:"isbn"`
	Medium            string      `json:"medium"`
	ReportNumber      string      `json:"report_number"`
	Sections          []string    `json:"sections"` // section titles, in order, nested ones indented by no mark
	LocationLabels    []string    `json:"location_labels"`
	ContributionDate  PubDate     `json:"contribution_date"`
	BeginningDate     PubDate     `json:"beginning_date"`
	EndingDate        PubDate     `json:"ending_date"`
	Accession         string      `json:"accession"` // bookaccession: NBK...
	ItemLists         []BookItems `json:"item_lists"`
}

// URL is where NCBI Bookshelf has the book or chapter, "" where the record does not
// say.
func (b *Book) URL() string {
	if b == nil || b.Accession == "" {
		return ""
	}
	return "https://www.ncbi.nlm.nih.gov/books/" + url.PathEscape(b.Accession) + "/"
}

// BookItems is a named list of a book record, such as the Synonyms of a disease.
type BookItems struct {
	Type  string   `json:"type"`
	Items []string `json:"items"`
}
