package command

import (
	"context"

	"biomcp/rag"
	"biomcp/rag/analyze"
)

// ReadQuery reads a query over the corpus, with fields. If the local tables cannot be read, names of MeSH
// headings are taken as typed.
func (a *App) ReadQuery(ctx context.Context, text string) rag.Query {
	q, _ := rag.Read(ctx, analyze.New(), text, a.thesaurus, a.Now()) // the search reports the error
	return q
}
