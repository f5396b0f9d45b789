package command

import (
	"context"

	"biomcp/rag"
	"biomcp/rag/analyze"
)

// ReadQuery reads a query over the corpus, with fields. If the local tables or the corpus cannot be read,
// names of MeSH headings and authors are taken as typed.
func (a *App) ReadQuery(ctx context.Context, text string) rag.Query {
	q, _ := rag.Read(ctx, analyze.New(), text, a.headings, a.authors, a.Now()) // the search reports the error
	return q
}

// authors looks up names of authors in the local corpus.
func (a *App) authors(ctx context.Context, names []string) (map[string]string, error) {
	corpus, err := a.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	return rag.FindAuthors(ctx, corpus, names)
}
