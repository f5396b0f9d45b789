package rag

import (
	"context"
	"fmt"
	"strconv"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// analysisKey is the key under which a corpus stores the version of its terms.
const analysisKey = "analysis"

// AnalysisError is returned if a corpus was indexed with another version of
// analyze than this program's: searches would miss documents. The documents are
// intact; importing them into a new folder indexes them again.
type AnalysisError struct{ Have, Want string }

func (e *AnalysisError) Error() string {
	return fmt.Sprintf("the corpus was indexed with version %s of the text analysis, this program has version %s", e.Have, e.Want)
}

// CheckAnalysis returns an *AnalysisError if the terms of a corpus are of another
// version than analyze.Version. A corpus without a version passes.
func CheckAnalysis(ctx context.Context, corpus *store.Store) error {
	have, err := corpus.Meta(ctx, analysisKey)
	if want := strconv.Itoa(analyze.Version); err == nil && have != "" && have != want {
		return &AnalysisError{have, want}
	}
	return err
}

// MarkAnalysis is CheckAnalysis before documents are added: it stores
// analyze.Version in a corpus without a version.
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

// AnalysisNote returns what MarkAnalysis stores. It is for a corpus whose terms were all
// made by this program.
func AnalysisNote() map[string]string {
	return map[string]string{analysisKey: strconv.Itoa(analyze.Version)}
}
