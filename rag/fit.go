package rag

import (
	"context"
	"iter"

	"biomcp/rag/analyze"
	"biomcp/rag/lsa"
	"biomcp/store"
)

// FitLocal fits the model of the local embedder on a corpus of n documents, or on a
// sample of a large corpus (lsa.MaxDocs). It returns lsa.ErrTooSmall for a corpus
// that is too small.
func FitLocal(ctx context.Context, n int, docs iter.Seq2[*store.Document, error]) (*lsa.Model, error) {
	f, a := lsa.NewFitter(n), analyze.New()
	var tokens []store.Token
	for d, err := range docs {
		if err != nil {
			return nil, err
		}
		if !f.Takes(d.PMID) {
			continue
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		tokens, _ = a.Tokens(tokens[:0], EmbeddingText(d.Title, d.Abstract, Subjects(d)), 0)
		f.Add(tokens)
	}
	return f.Fit(ctx)
}
