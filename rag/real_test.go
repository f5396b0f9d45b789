package rag_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/entrez/pubmed"
	"biomcp/rag"
	"biomcp/rag/intake"
)

// sharedFile opens a file of the real test data, or skips.
func sharedFile(t testing.TB, path string) *os.File {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	f, err := os.Open(filepath.Join(dir, "..", "shared", "data", path))
	if err != nil {
		t.Skipf("there is no real test data (%s) here", path)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Real abstracts are cut without loss, by their labels if they have them.
func TestRealAbstracts(t *testing.T) {
	r, err := pubmed.NewReader(sharedFile(t, "pubmed/efetch-163.xml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	docs, bySection, windows := 0, 0, 0
	for item, err := range pubmed.Scan(r) {
		if err != nil {
			t.Fatal(err)
		}
		d, err := intake.Document(item.Article)
		if err != nil {
			t.Fatal(err)
		}
		docs++
		end := 0
		var all strings.Builder
		for _, p := range rag.Chunks(d.Abstract, d.Sections) {
			all.WriteString(d.Abstract[end:p.End])
			end = p.End
			if n := rag.CountTokens(p.Text(d.Abstract)); n > rag.ChunkMax {
				t.Errorf("%d %s has %d tokens", d.PMID, p.ID, n)
			}
			if p.ID == "s0" {
				bySection++
			}
			if p.ID == "w1" {
				windows++
			}
		}
		if all.String() != d.Abstract {
			t.Errorf("%d lost text", d.PMID)
		}
		labelled := false
		for _, s := range d.Sections {
			labelled = labelled || s.Label != ""
		}
		if first := rag.Chunks(d.Abstract, d.Sections)[0]; labelled && first.ID[0] != 's' {
			t.Errorf("%d has labels, and the chunk %s", d.PMID, first.ID)
		}
	}
	if docs != 163 || bySection < 20 {
		t.Errorf("%d documents, %d cut by section", docs, bySection)
	}
	t.Logf("%d documents, %d by section, %d in windows", docs, bySection, windows)
}
