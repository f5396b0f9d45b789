package intake

import (
	"context"
	"time"

	"biomcp/rag"
	"biomcp/store"
)

// Repair repairs the damaged corpus in a folder in place, or copies its readable records to a
// new file, with a new word index, that replaces it (store.Repair). The vectors of an embedding
// service are kept. Those of the corpus's own model cost nothing, and the next sync or UpdateVectors
// makes them again. If force is set, Repair makes a new file even without damage. It reports
// progress to show, unless show is nil.
func Repair(ctx context.Context, dir string, now func() time.Time, force bool, show func(Progress)) (store.RepairResult, error) {
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
