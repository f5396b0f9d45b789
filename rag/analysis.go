package rag

import (
	"context"
	"fmt"
	"strconv"

	"biomcp/entrez/fault"
	"biomcp/rag/analyze"
	"biomcp/store"
)

// analysisKey is the metadata key for the version of a corpus's terms.
const analysisKey = "analysis"

// An AnalysisError is returned if another version of package analyze indexed the corpus,
// because searches would miss documents. The documents are intact. Importing them into a new
// folder indexes them again.
type AnalysisError struct{ Have, Want string }

func (e *AnalysisError) Error() string {
	return fmt.Sprintf("the corpus was indexed with version %s of the text analysis, but this program has version %s",
		e.Have, e.Want)
}

// Meaning returns the code Invariant.
func (e *AnalysisError) Meaning() fault.Meaning {
	return fault.Meaning{
		Code:    fault.Invariant,
		Message: e.Error() + "; import its records again into an empty data folder",
		Next:    []string{"sync", "pubmed", "--help"},
	}
}

// CheckAnalysis returns an *AnalysisError if the terms of a corpus have another version than
// analyze.Version. It accepts a corpus without a version.
func CheckAnalysis(ctx context.Context, corpus *store.Store) error {
	have, err := corpus.Meta(ctx, analysisKey)
	if want := strconv.Itoa(analyze.Version); err == nil && have != "" && have != want {
		return &AnalysisError{have, want}
	}
	return err
}

// MarkAnalysis checks the version as CheckAnalysis does, and stores analyze.Version in a corpus
// without one. Call it before adding documents.
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

// AnalysisNote returns the metadata that MarkAnalysis stores, for a new corpus whose terms were
// all made by this program.
func AnalysisNote() map[string]string {
	return map[string]string{analysisKey: strconv.Itoa(analyze.Version)}
}
