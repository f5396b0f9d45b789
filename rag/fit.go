package rag

import (
	"context"
	"encoding/binary"
	"iter"

	"biomcp/entrez/record"
	"biomcp/rag/analyze"
	"biomcp/rag/lsa"
	"biomcp/rag/static"
	"biomcp/store"
	"biomcp/store/postings"
)

// FittedModel is a model that was fitted on a corpus: an LSA model of its terms and, if there is a
// table of token vectors, the weights of its tokens.
type FittedModel struct {
	*lsa.Model
	Tokens *Tokens // nil if there is no table
}

// TableMark precedes static.Table.Sum in the name of a model that is joined to a table of token
// vectors.
const TableMark = "+table-"

// Name returns the name that identifies the model.
func (f *FittedModel) Name() string {
	if f.Tokens == nil {
		return f.Model.Name()
	}
	return f.Model.Name() + TableMark + f.Tokens.Table.Sum()
}

// Dim returns the dimension of the model's vectors.
func (f *FittedModel) Dim() int {
	if f.Tokens == nil {
		return f.Model.Dim
	}
	return f.Model.Dim + f.Tokens.Table.Dim()
}

// tokensRow is the key of the row with the weights of tokens. No term is equal to it.
const tokensRow = "\x01tokens"

// Rows yields the model in the stored form: the rows of lsa.Model and, if there is a table, a
// row with the weights of its tokens as little-endian float32. A row is valid until the next
// one.
func (f *FittedModel) Rows() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for key, row := range f.Model.Rows() {
			if !yield(key, row) {
				return
			}
		}
		if f.Tokens == nil {
			return
		}
		row, _ := binary.Append(nil, binary.LittleEndian, f.Tokens.Weights) // encoding numbers does not fail
		yield(tokensRow, row)
	}
}

// OpenTokens reads the weights of a table's tokens from a stored model. It returns
// lsa.ErrDamaged if they are absent or have the wrong size.
func OpenTokens(ctx context.Context, table *static.Table, rows lsa.Source) (*Tokens, error) {
	found, err := rows.Rows(ctx, []string{tokensRow})
	if err != nil {
		return nil, err
	}
	row := found[tokensRow]
	t := &Tokens{table, make([]float32, table.Rows())}
	if n, err := binary.Decode(row, binary.LittleEndian, t.Weights); err != nil || n != len(row) {
		return nil, lsa.ErrDamaged
	}
	return t, nil
}

// FitLocal fits the model of the local embedder on a corpus of n documents, or on a sample of a
// large corpus (lsa.MaxDocs). table may be nil. docs yields the documents that its argument
// selects. FitLocal returns lsa.ErrTooSmall if the corpus is too small.
func FitLocal(
	ctx context.Context, n int, docs func(wanted func(record.PMID) bool) iter.Seq2[*store.Document, error],
	table *static.Table,
) (*FittedModel, error) {
	f, a := lsa.NewFitter(n), analyze.New()
	count := &frequencies{table: table, df: map[int]int64{}}
	var tokens []store.Token
	for d, err := range docs(f.InSample) {
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		text := EmbeddingText(d.Title, d.Abstract, Subjects(d))
		tokens, _ = a.Tokens(tokens[:0], text, 0)
		f.Add(tokens)
		count.add(text)
	}
	m, err := f.Fit(ctx)
	return &FittedModel{m, count.tokens()}, err
}

// frequencies counts the documents that contain each token.
type frequencies struct {
	table *static.Table
	docs  int64
	df    map[int]int64
}

func (f *frequencies) add(text string) {
	if f.table == nil {
		return
	}
	f.docs++
	seen := map[int]bool{}
	for _, id := range f.table.Tokens(text) {
		if !seen[id] {
			seen[id] = true
			f.df[id]++
		}
	}
}

// tokens returns the weights of the tokens, or nil without a table.
func (f *frequencies) tokens() *Tokens {
	if f.table == nil {
		return nil
	}
	weights := make([]float32, f.table.Rows())
	for id := range weights {
		weights[id] = float32(postings.IDF(f.docs, f.df[id]))
	}
	return &Tokens{f.table, weights}
}
