package store

import (
	"cmp"
	"math"
	"sync"

	"biomcp/entrez/record"
	"biomcp/store/disk"
	"biomcp/store/postings"
	"biomcp/store/wordindex"
)

// Batch collects documents to be stored together. Its methods are safe for concurrent use. A Commit
// that succeeds empties the batch; one that fails may be repeated.
type Batch struct {
	s      *Store
	source string
	file   FileNumber
	model  int64

	packerOnce   sync.Once
	cachedPacker *packer

	mu           sync.Mutex
	ops          []operation
	terms        *postings.Vocabulary // nil until the first chunk is added
	files        []File
	slices       [][2]string
	filePMIDs    []record.PMID // PMIDs of the records that the file holds
	forgetBefore int           // year; PMID lists of files of earlier years are deleted
}

// operation is one Put or Delete.
type operation struct {
	wordindex.Entry
	remove      bool
	restored    *State // stored state of a document or deletion recovered from a damaged corpus
	pmidVersion int
	revised     int64
	hash        int64
	body        []byte // as encodeBody writes it; nil if packed is set
	packed      []byte

	knownDoc *Document       // document of PutKnown, which the corpus seems to have already
	index    func(*Document) // sets the chunks of known

	properties []string // until they are numbered
	vectors    [][]float32
}

// Begin starts a batch of documents that source brings: a query key or a file name. It takes no
// lock and writes nothing before Commit. A few thousand documents make a good batch; each occupies
// about 8 KB of memory.
func (s *Store) Begin(source string) *Batch {
	return &Batch{s: s, source: source}
}

// vocabularies recycles the vocabularies of committed batches: allocating room for 100,000 terms is
// slower than reusing it.
var vocabularies = sync.Pool{New: func() any { return postings.NewVocabulary() }}

// WithModel sets the model of the chunks' vectors.
func (b *Batch) WithModel(id int64) *Batch {
	b.model = id
	return b
}

// FromFile sets the PubMed file that the documents come from.
func (b *Batch) FromFile(n FileNumber) *Batch {
	b.file = n
	return b
}

// Len returns the number of documents put or deleted so far.
func (b *Batch) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.ops)
}

// Put adds a document with its chunks. Several operations on one PMID are applied in order. The
// batch does not retain doc.
func (b *Batch) Put(doc *Document) error {
	op, err := b.operation(doc)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.numberTerms(&op, doc)
	b.ops = append(b.ops, op)
	return nil
}

// PutKnown adds a document without chunks that Commit is expected to skip, according to an earlier
// call of States. If the corpus has changed and the document is not skipped, Commit calls index to
// set its chunks. The batch retains doc until then.
func (b *Batch) PutKnown(doc *Document, index func(*Document)) error {
	op, err := operationOf(doc)
	if err != nil {
		return err
	}
	op.hash, op.knownDoc, op.index = contentHash(doc), doc, index
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ops = append(b.ops, op)
	return nil
}

// complete replaces the operation of a known document with the one that Put would have added.
func (c *commit) complete(op *operation) error {
	doc := op.knownDoc
	op.index(doc)
	full, err := c.operation(doc)
	if err == nil {
		c.numberTerms(&full, doc)
		*op = full
	}
	return err
}

func operationOf(doc *Document) (operation, error) {
	if doc.PMID == 0 {
		return operation{}, disk.NewError(Invalid, opPut, "a document has no PMID")
	}
	entry := wordindex.Entry{PMID: doc.PMID, Date: wordindex.DayNumber(doc.PDat), Facts: doc.Facts, Flags: doc.flags()}
	return operation{Entry: entry, pmidVersion: max(doc.PMIDVersion, 1), revised: dateNumber(doc.LR)}, nil
}

const opPut = "put document" // Error.Op

// operation returns the operation of a document with its chunks. Its terms are not numbered yet.
func (b *Batch) operation(doc *Document) (operation, error) {
	const name = opPut
	op, err := operationOf(doc)
	if err != nil {
		return op, err
	}
	for _, c := range doc.Chunks {
		code, ok := wordindex.ChunkNumber(c.ID)
		if !ok {
			return op, disk.NewError(Invalid, name, "pmid:%d: %q is not the id of a chunk", doc.PMID, c.ID)
		}
		length := cmp.Or(c.Length, len(c.Tokens))
		if length < 0 || length > math.MaxUint16 || len(c.Tokens) > math.MaxUint16 {
			return op, disk.NewError(Invalid, name, "pmid:%d: chunk %s is too long", doc.PMID, c.ID)
		}
		for _, t := range c.Tokens {
			if t.Term == "" || t.Term[0] < 0x20 {
				return op, disk.NewError(Invalid, name,
					"pmid:%d: chunk %s holds a term that is empty or begins with a control character", doc.PMID, c.ID)
			}
		}
		op.Codes = append(op.Codes, code)
		op.Chunks = append(op.Chunks, postings.ChunkPostings{ID: uint32(doc.PMID), Length: uint16(length)})
		op.vectors = append(op.vectors, c.Vector)
	}
	if p := b.packer(); p != nil {
		op.packed, op.hash = p.packDocument(doc)
	} else {
		op.body, op.hash = encodeBody(doc)
	}
	op.properties = doc.properties()
	return op, nil
}

// numberTerms assigns numbers to the terms of an operation. The caller holds b.mu.
func (b *Batch) numberTerms(op *operation, doc *Document) {
	if b.terms == nil {
		b.terms = vocabularies.Get().(*postings.Vocabulary)
	}
	numbers := make([]uint32, len(op.properties))
	for i, p := range op.properties {
		numbers[i] = b.terms.Number(p, nil)
	}
	for i, c := range doc.Chunks {
		in := &op.Chunks[i]
		in.Properties = numbers
		in.Terms = make([]postings.Occurrence, len(c.Tokens), len(c.Tokens)+2)
		for j, t := range c.Tokens {
			in.Terms[j] = postings.Occurrence{Term: b.terms.Number(wordindex.CutTerm(t.Term), t.Entry), Pos: t.Pos}
		}
		if c.TextEnd > c.TitleEnd {
			bounds := b.terms.Number(postings.BoundsTerm, nil)
			in.Terms = append(in.Terms, postings.Occurrence{Term: bounds, Pos: c.TitleEnd},
				postings.Occurrence{Term: bounds, Pos: c.TextEnd})
		}
	}
	op.properties = nil
}

// Delete removes a document unless its record is newer than the deletion. It leaves a tombstone
// that only a record newer than the deletion replaces (State.Delete). asOf is the newest LR in the
// file that holds the deletion, or "" if unknown.
func (b *Batch) Delete(pmid record.PMID, asOf string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ops = append(b.ops, operation{Entry: wordindex.Entry{PMID: pmid}, remove: true, revised: dateNumber(asOf)})
}

// restore adds an operation of a repair.
func (b *Batch) restore(op operation) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ops = append(b.ops, op)
}

// FileDone records, in the same transaction, that a file was imported completely.
func (b *Batch) FileDone(f File) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.files = append(b.files, f)
}

// SliceDone records, in the same transaction, that a part of a job is stored.
func (b *Batch) SliceDone(job, slice string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.slices = append(b.slices, [2]string{job, slice})
}
