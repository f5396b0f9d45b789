package rag

import (
	"biomcp/rag/analyze"
	"biomcp/store"
)

// fieldGap separates the fields of a chunk, so that no phrase crosses them.
const fieldGap = 10

// Cutter makes the chunks of documents, with their terms. It serves one goroutine
// at a time.
type Cutter struct{ a *analyze.Analyzer }

// NewCutter returns a Cutter.
func NewCutter() *Cutter { return &Cutter{analyze.New()} }

// Cut sets d.Chunks: the passages of its abstract (Chunks), each with the terms
// that it is found by. Vectors are left out.
func (c *Cutter) Cut(d *store.Document) {
	d.Chunks = nil
	subjects := Subjects(d)
	for _, p := range Chunks(d.Abstract, d.Sections) {
		chunk := store.Chunk{ID: p.ID, Section: p.Section, Text: p.Text(d.Abstract)}
		chunk.Tokens = c.Tokens(d.Title, chunk.Text, subjects)
		d.Chunks = append(d.Chunks, chunk)
	}
}

// Tokens are the terms of one chunk: the title, twice so that its words weigh
// double, the passage, and the subjects.
func (c *Cutter) Tokens(title, passage string, subjects []string) []store.Token {
	tokens := make([]store.Token, 0, (2*len(title)+len(passage))/6)
	at := uint32(0)
	add := func(text string) {
		tokens, at = c.a.Tokens(tokens, text, at)
		at += fieldGap
	}
	add(title)
	add(title)
	add(passage)
	for _, s := range subjects {
		add(s)
	}
	return tokens
}

// Subjects are what a document is about in the words of its indexers, the MeSH
// descriptors; in those of its authors, the keywords, where it is not indexed.
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

// EmbeddingText is what is embedded for a chunk: the title, the passage and the
// subjects, a line each. Subjects come last, where a model with a short context
// loses them first.
func EmbeddingText(title, passage string, subjects []string) string {
	text := title + "\n" + passage + "\n"
	for i, s := range subjects {
		if i > 0 {
			text += "; "
		}
		text += s
	}
	return text
}
