package corpus

import (
	"context"

	"biomcp/cli/command"
	"biomcp/rag"
	"biomcp/rag/intake"
	"biomcp/rag/weaviate"
)

// engineNotices are the notices that the corpus file was searched in place of an
// engine, and that the engine lacks documents.
func engineNotices(ctx context.Context, app *command.App, s *rag.Searcher, found *rag.Answer) (notices []string, err error) {
	if found.Unavailable != nil {
		notices = append(notices, "the engine could not be used, and the corpus file was searched: "+found.Unavailable.Error())
	}
	if s.Spare == nil || found.Unavailable != nil && !weaviate.IsKind(found.Unavailable, weaviate.Missing) {
		return notices, nil
	}
	corpus, err := app.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	n, err := intake.Lacks(ctx, corpus, s.Index)
	switch {
	case err != nil:
		notices = append(notices, "whether the engine lacks documents is not known: "+err.Error())
	case n > 0:
		notices = append(notices, intake.LacksText(n))
	}
	return notices, nil
}
