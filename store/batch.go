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

// Batch collects documents to be stored together. Its methods may be called
// concurrently; it is used up by a Commit that succeeds, and may be committed
// again after one that failed.
type Batch struct {
	s      *Store
	source string
	file   FileNumber
	model  int64

	packing sync.Once
	packs   *packer

	mu     sync.Mutex
	ops    []operation
	terms  *postings.Vocabulary // nil: no chunk has come
	files  []File
	slices [][2]string
	holds  []record.PMID // of which the file has records
	forget int           // the files before this year are forgotten
}

// operation is one Put or Delete.
type operation struct {
	wordindex.Entry
	remove      bool
	restored    *State // the document, or its deletion, comes from a damaged corpus in this state
	pmidVersion int
	revised     int64
	hash        int64
	body        []byte // as encodeBody writes it; nil if it is packed already
	packed      []byte

	known *Document // not nil: the corpus seems to have it, and index gives it chunks
	index func(*Document)

	properties []string // until they have numbers
	vectors    [][]float32
}

// Begin starts a batch of what source brings: a query key or the name of a
// file. Nothing is locked and nothing written before Commit. Some thousand
// documents make a good batch: it is held in memory, about 8 KB each.
func (s *Store) Begin(source string) *Batch {
	return &Batch{s: s, source: source}
}

// vocabularies come from batches that were committed: room for 100,000 terms costs
// more to make than to use again.
var vocabularies = sync.Pool{New: func() any { return postings.NewVocabulary() }}

// WithModel says under which model the vectors of the chunks are.
func (b *Batch) WithModel(id int64) *Batch {
	b.model = id
	return b
}

// FromFile says which of PubMed's files brings the documents.
func (b *Batch) FromFile(n FileNumber) *Batch {
	b.file = n
	return b
}

// Len is the number of documents put or deleted so far.
func (b *Batch) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.ops)
}

// Put adds a document with its chunks. Of several puts and deletes of one PMID
// each is decided on what those before it left. doc is not kept.
func (b *Batch) Put(doc *Document) error {
	op, err := b.operation(doc)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.number(&op, doc)
	b.ops = append(b.ops, op)
	return nil
}

// PutKnown is Put for a document without chunks that is skipped, going by what States
// said before. index sets its chunks; it is called during Commit, and only if the
// corpus has changed so that the document is not skipped. doc is kept until then.
func (b *Batch) PutKnown(doc *Document, index func(*Document)) error {
	op, err := operationOf(doc)
	if err != nil {
		return err
	}
	op.hash, op.known, op.index = contentHash(doc), doc, index
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ops = append(b.ops, op)
	return nil
}

// complete gives the operation of a known document what Put would have given it.
func (c *commit) complete(op *operation) error {
	doc := op.known
	op.index(doc)
	full, err := c.operation(doc)
	if err == nil {
		c.number(&full, doc)
		*op = full
	}
	return err
}

func operationOf(doc *Document) (operation, error) {
	if doc.PMID == 0 {
		return operation{}, disk.NewError(Invalid, opPut, "a document has no PMID")
	}
	return operation{Entry: wordindex.Entry{PMID: doc.PMID, Date: wordindex.DayNumber(doc.PDat), Facts: doc.Facts, Flags: doc.flags()}, pmidVersion: max(doc.PMIDVersion, 1), revised: dateNumber(doc.LR)}, nil
}

const opPut = "put document" // the Op of errors

// operation returns the operation of a document with its chunks, without the numbers of
// terms.
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
				return op, disk.NewError(Invalid, name, "pmid:%d: chunk %s holds a term that is empty or begins with a control character", doc.PMID, c.ID)
			}
		}
		op.Codes = append(op.Codes, code)
		op.Chunks = append(op.Chunks, postings.Inverted{ID: uint32(doc.PMID), Length: uint16(length)})
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

// number gives the terms of an operation their numbers. b.mu is held.
func (b *Batch) number(op *operation, doc *Document) {
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
		in.Terms = make([]postings.Occurrence, len(c.Tokens))
		for j, t := range c.Tokens {
			in.Terms[j] = postings.Occurrence{Term: b.terms.Number(wordindex.CutTerm(t.Term), t.Entry), Pos: t.Pos}
		}
	}
	op.properties = nil
}

// Delete removes a document, unless it is newer than the deletion, and leaves a
// tombstone that only a record newer than the deletion lifts (State.Delete). asOf is
// the newest LR of the file that holds the deletion, "" if it is not known.
func (b *Batch) Delete(pmid record.PMID, asOf string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ops = append(b.ops, operation{Entry: wordindex.Entry{PMID: pmid}, remove: true, revised: dateNumber(asOf)})
}

// restore adds an operation that a repair makes.
func (b *Batch) restore(op operation) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ops = append(b.ops, op)
}

// FileDone notes, together with this batch, that a file was imported to its end.
func (b *Batch) FileDone(f File) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.files = append(b.files, f)
}

// SliceDone notes, together with this batch, that a part of a job is stored.
func (b *Batch) SliceDone(job, slice string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.slices = append(b.slices, [2]string{job, slice})
}
