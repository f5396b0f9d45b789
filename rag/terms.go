package rag

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"sync"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// fieldGap is the distance between the fields of a chunk, so that no phrase crosses them.
const fieldGap = 10

// A Cutter cuts documents into chunks with terms. It must not be used by several goroutines at
// the same time.
type Cutter struct {
	a               *analyze.Analyzer
	chunker         chunker
	title, subjects fields
}

func NewCutter() *Cutter { return &Cutter{a: analyze.New()} }

// Cut sets d.Chunks to the passages of the abstract, each with its terms and without a vector.
func (c *Cutter) Cut(d *store.Document) {
	d.Chunks = nil
	for _, p := range c.chunker.chunks(d.Abstract, d.Sections) {
		d.Chunks = append(d.Chunks, store.Chunk{ID: p.ID, Section: p.Section, Text: p.Text(d.Abstract)})
	}
	c.Tokenize(d)
}

// Tokenize sets the terms of the existing chunks of a document. The first chunk also gets a
// term for the whole title.
func (c *Cutter) Tokenize(d *store.Document) {
	c.begin(d.Title, Subjects(d))
	for i := range d.Chunks {
		chunk := &d.Chunks[i]
		chunk.Tokens, chunk.TitleEnd, chunk.TextEnd = c.tokens(chunk.Text)
		if len(d.Mesh) == 0 { // then the subjects are keywords
			chunk.TextEnd += c.subjects.end
		}
	}
	if term := titleTerm(c.title.tokens); term != "" && len(d.Chunks) > 0 {
		first := &d.Chunks[0]
		last := first.Tokens[len(first.Tokens)-1]
		first.Tokens = append(first.Tokens, store.Token{Term: term, Pos: last.Pos + fieldGap})
	}
}

// titleTerm returns the term for a whole title, by which a pasted title finds its documents:
// "=" and 48 bits of the FNV-1a hash of its words and their positions. It returns "" if the
// title has fewer than two words.
func titleTerm(words []store.Token) string {
	h, last := fnv.New64a(), uint32(0)
	var line []byte
	for _, t := range words {
		line = append(append(line[:0], t.Term...), ' ')
		h.Write(append(strconv.AppendUint(line, uint64(t.Pos), 10), '\n'))
		last = t.Pos
	}
	if last == 0 {
		return ""
	}
	return "=" + strconv.FormatUint(h.Sum64()>>16, 36)
}

// Tokens returns the terms of one chunk: the title, the passage and the subjects. The title is
// included twice so that its words have double weight.
func (c *Cutter) Tokens(title, passage string, subjects []string) []store.Token {
	c.begin(title, subjects)
	tokens, _, _ := c.tokens(passage)
	return tokens
}

// begin analyses the fields that all chunks of a document share.
func (c *Cutter) begin(title string, subjects []string) {
	c.title.reset()
	c.title.add(c.a, title)
	c.subjects.reset()
	for _, s := range subjects {
		c.subjects.add(c.a, s)
	}
}

// tokens returns the terms of a passage with the fields, and the positions at which the title and the
// passage end.
func (c *Cutter) tokens(passage string) (tokens []store.Token, titleEnd, textEnd uint32) {
	size := 2*len(c.title.tokens) + len(passage)/5 + len(c.subjects.tokens)
	tokens = slices.Grow((*tokenRoom.Get().(*[]store.Token))[:0], size)
	tokens, at := c.title.place(tokens, 0)
	tokens, at = c.title.place(tokens, at)
	tokens, at = c.a.Tokens(tokens, passage, at)
	textEnd = at + fieldGap
	tokens, _ = c.subjects.place(tokens, textEnd)
	return tokens, c.title.end, textEnd
}

// Release removes the terms of a document's chunks and reuses their memory for other documents.
func Release(d *store.Document) {
	for i := range d.Chunks {
		tokens := d.Chunks[i].Tokens
		d.Chunks[i].Tokens = nil
		tokenRoom.Put(&tokens)
	}
}

var tokenRoom = sync.Pool{New: func() any { return new([]store.Token) }}

// fields holds the terms of texts that all chunks of a document share, with positions from 0.
type fields struct {
	tokens []store.Token
	end    uint32
}

func (f *fields) reset() { f.tokens, f.end = f.tokens[:0], 0 }

func (f *fields) add(a *analyze.Analyzer, text string) {
	f.tokens, f.end = a.Tokens(f.tokens, text, f.end)
	f.end += fieldGap
}

// place appends the terms to dst, with the first word at position at, and returns the position
// after them.
func (f *fields) place(dst []store.Token, at uint32) ([]store.Token, uint32) {
	for _, t := range f.tokens {
		t.Pos += at
		dst = append(dst, t)
	}
	return dst, at + f.end
}

// Subjects returns the MeSH descriptors of a document, or its keywords if it has no MeSH
// descriptors.
func Subjects(d *store.Document) []string {
	if len(d.Mesh) == 0 {
		return d.Keywords
	}
	subjects := make([]string, len(d.Mesh))
	for i, h := range d.Mesh {
		subjects[i] = h.Descriptor
	}
	return subjects
}

// EmbeddingText returns the text to embed for a chunk: the title, the passage and the subjects,
// one line each. Subjects come last, so that a model with a short context omits them first.
func EmbeddingText(title, passage string, subjects []string) string {
	return title + "\n" + passage + "\n" + strings.Join(subjects, "; ")
}
