package wordindex

import (
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/postings"
)

// Query is a tree of conditions on a chunk. Terms must be analysed in the same way as those in
// Token.Term. The score of a chunk is the sum, over the matching leaves of the query outside Not,
// of
//
//	weight · idf · tf / (tf + k1·(1 − b + b·length/average length))
//	idf = ln(1 + (N − n + 0.5)/(n + 0.5))
//
// with N the number of chunks in the corpus and n the number that hold the term. This is BM25 as in
// Lucene 8 and later, without the constant factor k1+1 (Robertson and Zaragoza, The Probabilistic
// Relevance Framework, 2009). N, n and the lengths are exact counts of live chunks, so scores do
// not depend on the order of imports.
type Query interface{ node() }

// Term matches chunks that hold the term. A Weight of 0 means 1, here and in Phrase and Prefix. A Scope
// restricts it to a part of the chunk.
type Term struct {
	Text   string
	Weight float64
	Scope  Scope
}

// Scope is a part of a chunk in which a term, phrase or prefix must be. A chunk whose parts are unknown
// (store.Chunk.TitleEnd) matches only Anywhere. Only the corpus file knows the parts; other engines need
// not support them.
type Scope = postings.Scope

const (
	Anywhere = postings.Anywhere
	InTitle  = postings.InTitle
	InText   = postings.InText // in the title, the passage or the keywords, but not in MeSH headings
)

// Or matches chunks that match any of its parts, and And chunks that match all. An empty Or matches
// nothing, an empty And everything.
type (
	Or  []Query
	And []Query
)

// Not matches chunks that its part does not match. It adds nothing to a score.
type Not struct{ Query Query }

// Phrase matches chunks that hold its slots at their relative positions. It scores like a term
// whose tf is the number of such positions, and whose idf is the sum of the idf of each slot's
// rarest term, as in Lucene.
type Phrase struct {
	Slots  []Slot
	Weight float64
	Scope  Scope
}

// Slot is one position of a phrase: any of Terms, At words after the phrase begins.
type Slot struct {
	Terms []string
	At    uint32
}

// Prefix matches chunks that hold any term beginning with Text. The terms count as one: tf and n
// describe their union, which is never truncated.
type Prefix struct {
	Text   string
	Weight float64
	Scope  Scope
}

// Where matches the chunks, with score 0, of documents that pass a filter. Only the corpus file
// supports it; other engines need not.
type Where struct{ Filter Filter }

// All matches every chunk with score 0.
type All struct{}

// Documents matches every chunk, with score 0, of the documents that match its part. In the part, a
// leaf matches a document if any of its chunks matches the leaf, and And, Or and Not combine
// documents. A phrase thus stays within a chunk.
type Documents struct{ Query Query }

func (Term) node()   {}
func (Or) node()     {}
func (And) node()    {}
func (Not) node()    {}
func (Phrase) node() {}
func (Prefix) node() {}
func (All) node()    {}
func (Where) node()  {}

func (Documents) node() {}

// Filter restricts hits to documents with all the given properties. Names are compared without
// regard to case and extra spaces. A name that ends in a star stands for all that begin so.
type Filter struct {
	// From and To limit the date of publication, inclusively: "2024", "2024-05" or "2024-05-11". To
	// means the end of its year or month. A document dated "2024" counts as of its first day, as in
	// PubMed. A document without a date does not pass if either is set.
	From, To string

	Journals []string // any of these titles, ISO or NLM abbreviations, NLM IDs or ISSNs
	PubTypes []string // any of these publication types
	NotTypes []string // none of these publication types
	Mesh     []string // all of these descriptors or their UIs

	// Documents that an earlier program indexed lack these, and those in Scope (Index.ChunksWithoutFields).
	MajorMesh    []string // all of these descriptors or their UIs, as major topics
	Authors      []string // all of these (ReadAuthor)
	FirstAuthors []string // all of these, as the first author
	Languages    []string // any of these names or codes
	Grants       []string // any of these numbers, acronyms or agencies

	PMIDs []record.PMID // any of these; nil means no restriction, and an empty list passes nothing

	HasPMC           bool
	ExcludeRetracted bool
	Humans, Animals  bool // by MeSH headings

	// A document must pass every filter in All, at least one in Any unless Any is nil, and no
	// filter in None.
	All, Any, None []Filter
}

// NeedsFields reports whether the filter has properties that an earlier program did not index
// (Index.ChunksWithoutFields).
func (f Filter) NeedsFields() bool {
	return len(f.MajorMesh)+len(f.Authors)+len(f.FirstAuthors)+len(f.Languages)+len(f.Grants) > 0 ||
		slices.ContainsFunc(slices.Concat(f.All, f.Any, f.None), Filter.NeedsFields)
}

// ReadsFields reports whether only the corpus file can test the filter.
func (f Filter) ReadsFields() bool {
	return f.NeedsFields() || len(f.All)+len(f.None) > 0 || f.Any != nil
}

// Flags are the properties of a document that a Filter tests.
type Flags uint8

const (
	FlagRetracted Flags = 1 << iota
	FlagPMC             // has a PMCID
	FlagIndexed
	FlagHuman
	FlagAnimal
)

// OnlyIf returns f if on is set, and no flags otherwise.
func (f Flags) OnlyIf(on bool) Flags {
	if on {
		return f
	}
	return 0
}

// Hit is a chunk found, with the data of its document that ranking needs.
type Hit struct {
	PMID    record.PMID
	Ordinal int    // index of the chunk in Document.Chunks
	ChunkID string // Chunk.ID
	Score   float64
	Date    int    // publication date as yyyymmdd; 0 if unknown
	Facts   uint32 // Document.Facts

	// Vector is the stored form of the vector (package vectors) of a hit by meaning. Not every
	// engine returns it.
	Vector []byte
}
