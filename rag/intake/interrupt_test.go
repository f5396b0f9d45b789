package intake

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"biomcp/store"
)

// The progress of an import counts no record that is not stored, and its report no file.
func TestAnImportCountsWhatIsStored(t *testing.T) {
	o := options(t)
	o.batch, o.NoVectors = 100, true
	dir := write(t, map[string]string{"a.xml": set(many(1, 250)), "b.xml": set(many(301, 250))})
	var shown int
	o.Progress = func(p Progress) {
		if _, err := fmt.Sscanf(p.Line(time.Second), "%d records stored", &shown); err != nil {
			t.Errorf("%q: %v", p.Line(time.Second), err)
		}
		if held := len(pmids(t, o.Store)); shown > held {
			t.Errorf("%d records shown, %d stored", shown, held)
		}
	}
	importing(t, o, dir)
	if shown != 500 {
		t.Errorf("%d records shown at the end, want 500", shown)
	}

	// A stopped import counts the files that it has stored.
	o = options(t)
	o.NoVectors = true
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o.Progress = func(p Progress) {
		if p.File == "b.xml" {
			stop()
		}
	}
	report, err := Import(ctx, o, dir)
	if err == nil {
		t.Fatal("a stopped import does not fail")
	}
	done := 0
	for _, name := range []string{"a.xml", "b.xml"} {
		f, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		stored, err := o.Store.FileDone(t.Context(), store.File{Path: filepath.Join(dir, name), Size: f.Size(), ModTime: f.ModTime()})
		if err != nil {
			t.Fatal(err)
		}
		if stored {
			done++
		}
	}
	if report.Files != done || report.Processed != len(pmids(t, o.Store)) {
		t.Errorf("%d files and %d records counted, want %d and %d", report.Files, report.Processed, done, len(pmids(t, o.Store)))
	}
}
