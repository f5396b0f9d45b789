package store

import (
	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/wordindex"
)

// Document is one PubMed record as the corpus keeps it: everything that search
// results, a citation and the answer to "get document" show. Dates are text in
// the precision they have: PDat "2024", "2024-05" or "2024-05-11"; EDAT, CRDT
// and LR as the caller wants them shown ("2024-05-11T06:00:00Z"); the store
// compares them by their digits. Slices of a document that was read are never nil.
//
// The fields from PMIDVersion on are stored as they are declared (codec.go): a new
// one comes last before LR.
type Document struct {
	PMID    record.PMID // 1 to 4,294,967,295
	Version int         // ours: 1 when inserted, one more with each update; set by the store

	PMIDVersion     int // PMID@Version, at least 1
	Retracted       bool
	Indexed         bool   // MEDLINE-indexed, so that Human and Animal mean something
	Human, Animal   bool   // MeSH Humans, Animals
	PDat            string // date of publication
	MedlineDate     string // the date as printed, if it is not a plain date
	Season          string // of the issue: "Spring", "Jan-Mar"
	PubModel        string // Article@PubModel: Print, Electronic-eCollection
	PII             string // the publisher's number, where the record has it as a place
	Epub            string // date of electronic publication; of a chapter, its own; PDat is then the date of its revision
	EDAT            string // entered PubMed (PubStatus pubmed)
	CRDT            string // record created (PubStatus entrez)
	Status          string // MedlineCitation@Status
	DOI             string
	PMCID           string
	Publisher       string // of a book
	BookTitle       string // of a book chapter
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
	Cites           []record.PMID // what it cites that is in PubMed, in the order of the record
	Title           string
	VernacularTitle string
	Abstract        string    // as it is shown, whole
	Sections        []Section // the labelled sections, where the record has them

	LR string // last revised (DateRevised)

	// Facts is a word of the caller's own, one for the document. The store
	// returns it with every hit, so that ranking needs no document to be read.
	// It is no part of the content that decides whether a document changed.
	Facts uint32

	Chunks []Chunk
}

func (doc *Document) flags() wordindex.Flags {
	return wordindex.FlagRetracted.If(doc.Retracted) | wordindex.FlagPMC.If(doc.PMCID != "") | wordindex.FlagIndexed.If(doc.Indexed) | wordindex.FlagHuman.If(doc.Human) | wordindex.FlagAnimal.If(doc.Animal)
}

func (doc *Document) properties() []string {
	var headings []string
	for _, h := range doc.Mesh {
		headings = append(headings, h.Descriptor, h.UI)
	}
	j := doc.Journal
	return wordindex.Properties([]string{j.Title, j.ISOAbbreviation, j.MedlineTA, j.NLMID, j.ISSN}, doc.PubTypes, headings)
}

// Section is one labelled part of an abstract.
type Section struct{ Label, Category, Text string }

// Author is a person, or with Collective alone a group.
type Author struct{ LastName, ForeName, Initials, Suffix, Collective, ORCID string }

// Grant is one source of money.
type Grant struct{ ID, Acronym, Agency, Country string }

// Chemical is a substance that a record names; Registry is its number there, "0" for none.
type Chemical struct{ Name, UI, Registry string }

// Journal is where a document appeared. MedlineTA is the NLM title abbreviation.
type Journal struct{ Title, ISOAbbreviation, MedlineTA, NLMID, ISSN, Volume, Issue, Pages string }

// Heading is a MeSH descriptor with its qualifiers.
type Heading struct {
	Major          bool
	Descriptor, UI string
	Qualifiers     []Qualifier
}

// Supplementary is a supplementary concept of MeSH; Type is Disease, Organism and the like.
type Supplementary struct{ Name, UI, Type string }

// Qualifier is an aspect of a heading.
type Qualifier struct {
	Major    bool
	Name, UI string
}

// Correction ties a document to another record; Type is the DTD's RefType.
type Correction struct{ Type, PMID, Source, Note string }

// Chunk is a passage of a document, the unit of search. Its place in
// Document.Chunks is its ordinal. ID is s0, s1, s1_0 … or w0 …; the UUID
// follows from PMID and ID and is not stored.
type Chunk struct {
	ID      string
	Section string
	Text    string

	// Tokens are the analysed terms, in any order; Length is the length BM25
	// reckons with, len(Tokens) if it is 0. Vector is the embedding under the
	// batch's model: nil if it is still to be computed, empty if the text is
	// known to have none. All three go into the index and are not read back.
	Tokens []Token
	Length int
	Vector []float32

	// Second is, for an external engine alone, the vector under the model next to that
	// of Vector.
	Second []float32
}

// Token is one occurrence of a term. Positions make phrases: leave a gap
// between fields that no phrase may cross. A term that shall weigh more is
// given more than once. Entry speeds up a Batch; it may be nil, else it is of no other term.
type Token struct {
	Term  string
	Pos   uint32
	Entry *postings.Entry
}
