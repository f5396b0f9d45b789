package intake

import (
	"context"
	"time"

	"biomcp/rag"
	"biomcp/store"
)

// Repair mends the damaged corpus in a folder, or saves what can be read of it into a new
// file, with the word index made again, and puts that in its place (store.Repair). Then the
// vectors of an embedding service are saved; those of the corpus's own model, which
// cost nothing, are made again by the next sync or Reembed. force does so also where
// no damage is found. show, which may be nil, is given the progress.
func Repair(ctx context.Context, dir string, now func() time.Time, force bool, show func(Progress)) (store.Repaired, error) {
	cutter := rag.NewCutter()
	r := store.Repair{
		Options: store.Options{Dir: dir, Now: now},
		Index:   cutter.Tokenize,
		Vectors: func(model string) bool { return !isLocal(store.Model{Name: model}) },
		Meta:    rag.AnalysisNote(),
		Force:   force,
	}
	if show != nil {
		r.Progress = func(records, of int64) { show(Progress{Records: int(records), TotalRecords: int(of)}) }
	}
	return r.Run(ctx)
}
