package wordindex

import "biomcp/entrez/record"

// Query is a tree of what a chunk must hold. Terms are given analysed, exactly
// as Token.Term was. The score of a chunk is the sum over the leaves of the
// query that it matches, Not aside, of
//
//	weight · idf · tf / (tf + k1·(1 − b + b·length/average length))
//	idf = ln(1 + (N − n + 0.5)/(n + 0.5))
//
// with N the number of chunks in the corpus and n the number that hold the term (BM25 as in
// Lucene 8 and later, without the constant factor k1+1; Robertson and Zaragoza,
// The Probabilistic Relevance Framework, 2009). N, n and the lengths are exact
// and count what is there now: scores do not depend on the order of imports.
type Query interface{ node() }

// Term matches chunks that hold the term. A Weight of 0 is 1, of a Phrase and a
// Prefix too.
type Term struct {
	Text   string
	Weight float64
}

// Or matches chunks that match any of its parts, And chunks that match all.
// Without parts Or matches nothing, And everything.
type (
	Or  []Query
	And []Query
)

// Not matches chunks that its part does not match; it adds nothing to a score.
type Not struct{ Query Query }

// Phrase matches chunks that hold its slots at their places relative to each
// other. It scores as a term whose tf is the number of such places and whose
// idf is the sum over the slots of their rarest term's, as in Lucene.
type Phrase struct {
	Slots  []Slot
	Weight float64
}

// Slot is one place of a phrase: any of Terms, At words after the phrase begins.
type Slot struct {
	Terms []string
	At    uint32
}

// Prefix matches chunks that hold a term beginning with Text. All these terms
// count as one: nothing is cut, and its tf and n are counted in their union.
type Prefix struct {
	Text   string
	Weight float64
}

// All matches every chunk with score 0.
type All struct{}

func (Term) node()   {}
func (Or) node()     {}
func (And) node()    {}
func (Not) node()    {}
func (Phrase) node() {}
func (Prefix) node() {}
func (All) node()    {}

// Filter restricts hits to documents with all the properties given. Names are
// compared without regard to case and to the spaces around and between words.
type Filter struct {
	// From and To bound the date of publication, both included: "2024",
	// "2024-05" or "2024-05-11"; To means the end of its year or month. A
	// document dated "2024" counts as of its first day, as in PubMed. Documents
	// without a date match no bound.
	From, To string

	Journals []string // any of: title, ISO or NLM abbreviation, NLM ID or ISSN
	PubTypes []string // any of
	NotTypes []string // none of these publication types
	Mesh     []string // all of: descriptor or its UI

	PMIDs []record.PMID // any of; nil: no bound, and without members nothing passes

	HasPMC           bool
	ExcludeRetracted bool
	Humans, Animals  bool // by MeSH
}

// Flags are properties of a document by which a Filter chooses.
type Flags uint8

const (
	FlagRetracted Flags = 1 << iota
	FlagPMC             // has a PMCID
	FlagIndexed
	FlagHuman
	FlagAnimal
)

// If returns f where on is set, and no flag elsewhere.
func (f Flags) If(on bool) Flags {
	if on {
		return f
	}
	return 0
}

// Hit is one chunk found, with what ranking needs of its document.
type Hit struct {
	PMID    record.PMID
	Ordinal int    // the chunk's place in Document.Chunks
	ChunkID string // Chunk.ID
	Score   float64
	Date    int    // publication as yyyymmdd, 0 if it is not known
	Facts   uint32 // Document.Facts

	// Vector is, of a hit by meaning, its vector as package vectors stores it. Not every
	// engine returns it.
	Vector []byte
}
