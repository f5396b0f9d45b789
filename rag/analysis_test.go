package rag

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"biomcp/store"
)

func TestACorpusOfAnotherAnalysisVersionIsAnError(t *testing.T) {
	ctx := context.Background()
	corpus, err := store.Open(ctx, store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer corpus.Close()
	if err := CheckAnalysis(ctx, corpus); err != nil {
		t.Errorf("a new corpus: %v", err)
	}
	for range 2 {
		if err := MarkAnalysis(ctx, corpus); err != nil {
			t.Fatal(err)
		}
	}
	if err := CheckAnalysis(ctx, corpus); err != nil {
		t.Errorf("its own: %v", err)
	}
	if err := corpus.SetMeta(ctx, analysisKey, "0"); err != nil {
		t.Fatal(err)
	}
	var other *AnalysisError
	for _, err := range []error{CheckAnalysis(ctx, corpus), MarkAnalysis(ctx, corpus)} {
		t.Run(fmt.Sprint(err), func(t *testing.T) {
			if !errors.As(err, &other) || other.Have != "0" {
				t.Errorf("another version: %v", err)
			}
		})
	}
}
