package rag

import (
	"context"
	"math"
	"sync"

	"biomcp/rag/lsa"
	"biomcp/rag/static"
	"biomcp/store"
	"biomcp/store/postings"
)

// Local is an Embedder with a model of rag/lsa that was fitted on the corpus, and optionally a
// table of token vectors.
type Local struct {
	name    string
	space   *lsa.Space
	tokens  *Tokens // nil if there is no table
	cutters sync.Pool
}

// Tokens is a table of token vectors with the weight of each token: its idf in the corpus, ln(1
// + (N − df + ½)/(df + ½)).
type Tokens struct {
	Table   *static.Table
	Weights []float32
}

// tokensShare is the length of the table's part of a vector, relative to the part of the fitted
// model. If the model was fitted on fewer than smallCorpus documents, it learned little, and
// both parts have equal length.
const (
	tokensShare = 0.5
	smallCorpus = 300
)

// NewLocal returns an embedder for a fitted model and the name under which it was stored
// (FittedModel.Name). tokens may be nil.
func NewLocal(name string, space *lsa.Space, tokens *Tokens) *Local {
	return &Local{name: name, space: space, tokens: tokens, cutters: sync.Pool{New: func() any { return NewCutter() }}}
}

func (l *Local) Model() string { return l.name }

func (l *Local) Dim() int {
	if l.tokens == nil {
		return l.space.Dim
	}
	return l.space.Dim + l.tokens.Table.Dim()
}

// FittedDocuments returns the number of documents in the corpus when the model was fitted.
func (l *Local) FittedDocuments() int { return l.space.Docs }

// Release frees the memory of the model until it is used again.
func (l *Local) Release() { l.space.Release() }

func (l *Local) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	c := l.cutters.Get().(*Cutter)
	defer l.cutters.Put(c)
	var tokens []store.Token
	bags := make([][]string, len(texts))
	for i, text := range texts {
		tokens, _ = c.a.Tokens(tokens[:0], text, 0)
		bags[i] = terms(tokens)
	}
	return l.vectors(ctx, bags, texts)
}

// EmbedChunks returns the vectors of chunks, as Embed does for texts. It embeds the terms under
// which a chunk is indexed (Cutter): those of chunk.Tokens or, if these are nil, those that a
// Cutter would set.
func (l *Local) EmbedChunks(ctx context.Context, chunks []store.DocumentChunk) ([][]float32, error) {
	cutter := l.cutters.Get().(*Cutter)
	defer l.cutters.Put(cutter)
	bags, texts := make([][]string, len(chunks)), make([]string, len(chunks))
	for i, c := range chunks {
		chunk := c.Chunk()
		if chunk.Tokens != nil {
			bags[i] = terms(chunk.Tokens)
		} else {
			tokens := cutter.Tokens(c.Title, chunk.Text, Subjects(c.Document))
			bags[i] = terms(tokens)
			tokenRoom.Put(&tokens)
		}
		if l.tokens != nil {
			texts[i] = c.Title + "\n" + EmbeddingText(c.Title, chunk.Text, Subjects(c.Document))
		}
	}
	return l.vectors(ctx, bags, texts)
}

// Terms returns the sorted terms that EmbedCounts refers to by index. ok is false if
// EmbedCounts cannot be used, because a model with a table of token vectors requires texts.
func (l *Local) Terms(ctx context.Context) (terms []string, ok bool, err error) {
	if l.tokens != nil {
		return nil, false, nil
	}
	terms, err = l.space.Terms(ctx)
	return terms, true, err
}

// EmbedCounts returns the vectors of chunks like EmbedChunks. Each chunk is given by the
// indexes of its terms in Terms.
func (l *Local) EmbedCounts(ctx context.Context, chunks [][]postings.TermCount) ([][]float32, error) {
	return l.space.CountVectors(ctx, chunks)
}

// terms returns the terms of tokens.
func terms(tokens []store.Token) []string {
	all := make([]string, len(tokens))
	for i, t := range tokens {
		all[i] = t.Term
	}
	return all
}

// query returns the vector of a query, or nil if the model knows no word of it.
func (l *Local) query(ctx context.Context, q Query) ([]float32, error) {
	v, err := l.vectors(ctx, [][]string{q.Terms}, []string{q.Text})
	if err != nil {
		return nil, err
	}
	return v[0], nil
}

// vectors embeds texts. bags holds the terms of each text.
func (l *Local) vectors(ctx context.Context, bags [][]string, texts []string) ([][]float32, error) {
	vectors, err := l.space.Vectors(ctx, bags)
	if err != nil || l.tokens == nil {
		return vectors, err
	}
	for i, text := range texts {
		table := l.tokens.Table
		t, err := table.Vector(table.Tokens(text), l.tokens.Weights)
		if err != nil {
			return nil, err
		}
		vectors[i] = l.join(vectors[i], t)
	}
	return vectors, nil
}

// join concatenates the vector s of the fitted model and the vector t of the table, weighted by
// its share, and scales the result to length 1. It returns nil if both are nil.
func (l *Local) join(s, t []float32) []float32 {
	share := float64(tokensShare)
	if l.space.Docs < smallCorpus {
		share = 1
	}
	v, square := make([]float32, l.Dim()), 0.0
	if copy(v, s) > 0 {
		square = 1
	}
	for i, x := range t {
		v[l.space.Dim+i] = float32(share) * x
	}
	if t != nil {
		square += share * share
	}
	if square == 0 {
		return nil
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(square))
	}
	return v
}
