package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGalleryIsWritten(t *testing.T) {
	if err := writeGallery(""); err == nil {
		t.Error("no folder: no error")
	}
	dir := filepath.Join(t.TempDir(), "new")
	if err := writeGallery(dir); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || !strings.Contains(string(page), "<svg") {
		t.Errorf("the page has %d bytes and no picture, %v", len(page), err)
	}
}

func TestEvaluationNamesWhatIsMissing(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "name the folder of a test collection"},
		{[]string{"-against", missing, "."}, missing},
		{[]string{missing}, missing},
		{[]string{"-nonsense"}, "-nonsense"},
	} {
		if err := evaluateAll(t.Context(), c.args); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want an error with %q", c.args, err, c.want)
		}
	}
}
