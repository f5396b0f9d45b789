package intake

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize/english"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

// CountMissing returns how many documents of the corpus an external engine lacks or holds in an
// outdated version. If engine is nil, it counts the documents that syncs have noted.
func CountMissing(ctx context.Context, corpus *store.Store, engine rag.Index) (int64, error) {
	job, ok, err := corpus.UnfinishedJob(ctx, engineKey)
	if err != nil {
		return 0, err
	}
	noted := map[record.PMID]bool{}
	if ok {
		notes, err := corpus.StoredSlices(ctx, job.ID)
		if err != nil {
			return 0, err
		}
		for note := range notes {
			for _, pmid := range parseNote(note) {
				noted[pmid] = true
			}
		}
	}
	if engine == nil {
		return int64(len(noted)), nil
	}
	have, err := engine.Documents(ctx)
	if err != nil {
		return 0, err
	}
	stats, err := corpus.Stats(ctx)
	return max(int64(len(noted)), stats.Documents-have), err
}

// MissingText returns a message with the number of documents that an engine lacks and the command
// that sends them.
func MissingText(n int64) string {
	return fmt.Sprintf("the engine lacks %s: the owner of the corpus can send them with biomcp sync index",
		english.Plural(int(n), "document", ""))
}

// warnMissing warns if the engine lacks documents at the end of a sync.
func (s *session) warnMissing(ctx context.Context) error {
	if s.o.Index == nil || s.engine == nil {
		return nil
	}
	n, err := CountMissing(ctx, s.o.Store, s.o.Index)
	if err != nil { // the engine did not answer
		n, err = CountMissing(ctx, s.o.Store, nil)
	}
	if n > 0 {
		s.warn("%s", MissingText(n))
	}
	return err
}
