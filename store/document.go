package store

import (
	"cmp"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/wordindex"
)

// Document is one PubMed record with every field that search results, citations and "get document"
// show. Dates are strings in the precision of the record: PDat is "2024", "2024-05" or
// "2024-05-11". EDAT, CRDT and LR have the form in which the caller shows them
// ("2024-05-11T06:00:00Z"); the store compares their digits. The slices of a document that was read
// are never nil.
//
// The fields from PMIDVersion on are stored in the order of their declaration (body_codec.go). Add
// a new field directly before LR.
type Document struct {
	PMID    record.PMID // revision in this corpus: 1 when inserted, incremented by each update; set by the store
	Version int         // ours: 1 when inserted, one more with each update; set by the store

	PMIDVersion   int // PMID@Version, at least 1
	Retracted     bool
	Indexed       bool   // indexed for MEDLINE; Human and Animal are meaningful only then
	Human, Animal bool   // has the MeSH heading Humans, Animals
	PDat          string // date of publication
	MedlineDate   string // the date as printed, if it is not a plain date
	Season        string // season or months of the issue: "Spring", "Jan-Mar"
	PubModel      string // Article@PubModel: Print, Electronic-eCollection
	PII           string // publisher item identifier, if the record gives it as its location
	// Epub is the date of electronic publication. For a book chapter it is the chapter's own date,
	// and PDat is the date of its revision.
	Epub            string
	EDAT            string // date the record entered PubMed (PubStatus pubmed)
	CRDT            string // date the record was created (PubStatus entrez)
	Status          string // MedlineCitation@Status
	DOI             string
	PMCID           string
	Publisher       string // publisher of a book
	BookTitle       string // title of the book of a chapter
	Journal         Journal
	Languages       []string
	PubTypes        []string
	Authors         []Author
	Mesh            []Heading
	SupplMesh       []Supplementary
	Keywords        []string
	Corrections     []Correction
	Grants          []Grant
	Chemicals       []Chemical
	Cites           []record.PMID // cited records that are in PubMed, in the order of the record
	Title           string
	VernacularTitle string
	Abstract        string    // full text of the abstract
	Sections        []Section // labelled sections of the abstract, if the record has them

	LR string // date of the last revision (DateRevised)

	// Facts is a number that the caller defines, one per document. Searches return it with every
	// hit, so that ranking does not have to read documents. A change of Facts alone does not count
	// as a change of the document.
	Facts uint32

	Chunks []Chunk
}

func (doc *Document) flags() wordindex.Flags {
	return wordindex.FlagRetracted.OnlyIf(doc.Retracted) |
		wordindex.FlagPMC.OnlyIf(doc.PMCID != "") |
		wordindex.FlagIndexed.OnlyIf(doc.Indexed) |
		wordindex.FlagHuman.OnlyIf(doc.Human) |
		wordindex.FlagAnimal.OnlyIf(doc.Animal)
}

func (doc *Document) properties() []string {
	j := doc.Journal
	n := wordindex.Names{
		Journals: []string{j.Title, j.ISOAbbreviation, j.MedlineTA, j.NLMID, j.ISSN}, PubTypes: doc.PubTypes,
		Languages: doc.Languages,
	}
	for _, h := range doc.Mesh {
		n.Mesh = append(n.Mesh, h.Descriptor, h.UI)
		if h.Major || slices.ContainsFunc(h.Qualifiers, func(q Qualifier) bool { return q.Major }) {
			n.MajorMesh = append(n.MajorMesh, h.Descriptor, h.UI)
		}
	}
	for _, g := range doc.Grants {
		n.Grants = append(n.Grants, g.ID, g.Acronym, g.Agency)
	}
	for _, a := range doc.Authors {
		n.Authors = append(n.Authors, wordindex.AuthorName{Last: cmp.Or(a.LastName, a.Collective), Initials: a.Initials})
	}
	return wordindex.Properties(n)
}

// Passes reports whether a document passes a filter.
func (doc *Document) Passes(f Filter) (bool, error) {
	compiled, err := f.Compile()
	return err == nil && compiled.Passes(doc.PMID, wordindex.DayNumber(doc.PDat), doc.flags(), doc.properties()), err
}

// Section is one labelled part of an abstract.
type Section struct{ Label, Category, Text string }

// Author is a person, or a group if Collective is set.
type Author struct{ LastName, ForeName, Initials, Suffix, Collective, ORCID string }

// Grant is a source of funding.
type Grant struct{ ID, Acronym, Agency, Country string }

// Chemical is a substance that a record names. Registry is its registry number, "0" if it has none.
type Chemical struct{ Name, UI, Registry string }

// Journal identifies the journal, volume, issue and pages. MedlineTA is the NLM title abbreviation.
type Journal struct{ Title, ISOAbbreviation, MedlineTA, NLMID, ISSN, Volume, Issue, Pages string }

// Heading is a MeSH descriptor with its qualifiers.
type Heading struct {
	Major          bool
	Descriptor, UI string
	Qualifiers     []Qualifier
}

// Supplementary is a MeSH supplementary concept. Type is Disease, Organism or similar.
type Supplementary struct{ Name, UI, Type string }

// Qualifier is a MeSH qualifier of a heading.
type Qualifier struct {
	Major    bool
	Name, UI string
}

// Correction links a document to a related record or notice. Type is the DTD's RefType.
type Correction struct{ Type, PMID, Source, Note string }

// Chunk is a passage of a document, the unit of search. Its index in Document.Chunks is its
// ordinal. ID is s0, s1, s1_0 … or w0 …. The chunk's UUID is derived from PMID and ID and is not
// stored.
type Chunk struct {
	ID      string
	Section string
	Text    string

	// Tokens are the analysed terms, in any order. Length is the chunk's length for BM25; 0 means
	// len(Tokens). Vector is the embedding under the batch's model: nil if it is not computed yet,
	// empty if the text has no embedding. All three are indexed but not read back.
	Tokens []Token
	Length int
	Vector []float32

	// TitleEnd and TextEnd are the positions after those of the title, and after those of the title,
	// the passage and the keywords; zero if unknown. They are indexed but not read back.
	TitleEnd, TextEnd uint32

	// SecondVector is the vector under the second model. Only external engines use it.
	SecondVector []float32
}

// Token is one occurrence of a term. Phrases are matched by position: leave a gap between fields
// that no phrase may cross. Repeat a term to increase its weight. Entry, if not nil, caches the
// vocabulary entry of the same term and speeds up a Batch.
type Token struct {
	Term  string
	Pos   uint32
	Entry *postings.Entry
}
