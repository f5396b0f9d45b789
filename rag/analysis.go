package rag

import (
	"context"
	"fmt"
	"strconv"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// analysisKey is where a corpus remembers the version of its terms.
const analysisKey = "analysis"

// AnalysisError says that the words of a corpus were indexed by other rules than
// this program's: its searches would miss documents. The documents are whole; an
// import into a new folder indexes them anew.
type AnalysisError struct{ Have, Want string }

func (e *AnalysisError) Error() string {
	return fmt.Sprintf("the words of the corpus were indexed by version %s of the analysis, this program has %s", e.Have, e.Want)
}

// CheckAnalysis returns an *AnalysisError where the terms of a corpus are of
// another version than analyze.Version. A corpus that has none yet passes.
func CheckAnalysis(ctx context.Context, corpus *store.Store) error {
	have, err := corpus.Meta(ctx, analysisKey)
	if want := strconv.Itoa(analyze.Version); err == nil && have != "" && have != want {
		return &AnalysisError{have, want}
	}
	return err
}

// MarkAnalysis is CheckAnalysis for one who is about to add documents: a corpus
// that has no version yet gets this one.
func MarkAnalysis(ctx context.Context, corpus *store.Store) error {
	if err := CheckAnalysis(ctx, corpus); err != nil {
		return err
	}
	have, err := corpus.Meta(ctx, analysisKey)
	if err != nil || have != "" {
		return err
	}
	return corpus.SetMeta(ctx, analysisKey, strconv.Itoa(analyze.Version))
}
