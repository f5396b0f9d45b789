package rag

import (
	"strings"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// fieldGap separates the fields of a chunk, so that no phrase crosses them.
const fieldGap = 10

// Cutter cuts documents into chunks with terms. Only one goroutine may use it at a
// time.
type Cutter struct{ a *analyze.Analyzer }

// NewCutter returns a Cutter.
func NewCutter() *Cutter { return &Cutter{analyze.New()} }

// Cut sets d.Chunks: the passages of its abstract (Chunks), each with its terms and
// without a vector.
func (c *Cutter) Cut(d *store.Document) {
	d.Chunks = nil
	for _, p := range Chunks(d.Abstract, d.Sections) {
		d.Chunks = append(d.Chunks, store.Chunk{ID: p.ID, Section: p.Section, Text: p.Text(d.Abstract)})
	}
	c.Tokenize(d)
}

// Tokenize sets the terms of the chunks that a document has.
func (c *Cutter) Tokenize(d *store.Document) {
	title, subjects := c.fields(d.Title), c.fields(Subjects(d)...)
	for i := range d.Chunks {
		d.Chunks[i].Tokens = c.tokens(title, d.Chunks[i].Text, subjects)
	}
}

// Tokens returns the terms of one chunk: the title, twice so that its words have
// double weight, the passage, and the subjects.
func (c *Cutter) Tokens(title, passage string, subjects []string) []store.Token {
	return c.tokens(c.fields(title), passage, c.fields(subjects...))
}

func (c *Cutter) tokens(title fields, passage string, subjects fields) []store.Token {
	tokens := make([]store.Token, 0, 2*len(title.tokens)+len(passage)/5+len(subjects.tokens))
	tokens, at := title.place(tokens, 0)
	tokens, at = title.place(tokens, at)
	tokens, at = c.a.Tokens(tokens, passage, at)
	tokens, _ = subjects.place(tokens, at+fieldGap)
	return tokens
}

// fields are the terms of texts that several places of a document's chunks have, with
// their positions from 0.
type fields struct {
	tokens []store.Token
	end    uint32
}

func (c *Cutter) fields(texts ...string) (f fields) {
	for _, text := range texts {
		f.tokens, f.end = c.a.Tokens(f.tokens, text, f.end)
		f.end += fieldGap
	}
	return f
}

// place appends the terms with the first word at position at, and returns the position
// after them.
func (f fields) place(dst []store.Token, at uint32) ([]store.Token, uint32) {
	for _, t := range f.tokens {
		t.Pos += at
		dst = append(dst, t)
	}
	return dst, at + f.end
}

// Subjects returns the MeSH descriptors of a document, or its keywords if it has no
// MeSH descriptors.
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

// TextFor returns the text of a chunk as an embedder takes it: EmbeddingText, for
// the local model with the title three times.
func TextFor(by Embedder, title, passage string, subjects []string) string {
	text := EmbeddingText(title, passage, subjects)
	if _, local := by.(*Local); local && title != "" {
		text = title + "\n" + title + "\n" + text
	}
	return text
}

// EmbeddingText returns the text that is embedded for a chunk: the title, the passage
// and the subjects, one line each. Subjects come last, so that a model with a short
// context omits them first.
func EmbeddingText(title, passage string, subjects []string) string {
	return title + "\n" + passage + "\n" + strings.Join(subjects, "; ")
}
