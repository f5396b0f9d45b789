package pubmed

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// sharedFile finds a file of real data next to the module, and skips the test if it is not there.
func sharedFile(t testing.TB, name string) []byte {
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
	f, err := os.Open(filepath.Join(dir, "..", "shared", "data", name))
	if err != nil {
		t.Skip("no real data: ../shared/data/" + name + " is absent")
	}
	defer f.Close()
	r, err := NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// scanned holds the result of one scan, without the final error.
func scanned(r io.Reader) (items []Item, broken []*RecordError, final error) {
	for item, err := range Scan(r) {
		var one *RecordError
		switch {
		case errors.As(err, &one):
			broken = append(broken, one)
		case err != nil:
			final = err
		default:
			item.Raw = bytes.Clone(item.Raw)
			items = append(items, item)
		}
	}
	return items, broken, final
}

// diff returns the name of the first field in which two items differ.
func diff(got, want Item) string {
	if !reflect.DeepEqual(got.Deleted, want.Deleted) && len(got.Deleted)+len(want.Deleted) > 0 {
		return "deleted: " + show(got.Deleted) + " instead of " + show(want.Deleted)
	}
	if (got.Article == nil) != (want.Article == nil) {
		return "an article on one side only"
	}
	if got.Article == nil || reflect.DeepEqual(got.Article, want.Article) {
		return ""
	}
	g, w := reflect.ValueOf(*got.Article), reflect.ValueOf(*want.Article)
	for i := range g.NumField() {
		if a, b := g.Field(i).Interface(), w.Field(i).Interface(); !reflect.DeepEqual(a, b) {
			return g.Type().Field(i).Name + ": " + show(a) + "\ninstead of " + show(b)
		}
	}
	return "?"
}

func show(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func TestRealRecordsEqualReference(t *testing.T) {
	for name, count := range map[string]int{
		"pubmed/efetch-163.xml.gz":         163,
		"retrieval/pubmedqa/corpus.xml.gz": 1000,
		"retrieval/med/corpus.xml.gz":      1033,
		"eutils/pubmed1.xml":               2,
		"eutils/pubmed2.xml":               2,
		"eutils/pubmed4.xml":               1,
		"eutils/pubmed5.xml":               1,
		"eutils/pubmed6.xml":               1,
		"eutils/pubmed7.xml":               1,
	} {
		t.Run(name, func(t *testing.T) {
			data := sharedFile(t, name)
			want, err := referenceScan(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			got, broken, final := scanned(bytes.NewReader(data))
			if len(broken) > 0 || final != nil {
				t.Fatal(broken, final)
			}
			if len(got) != len(want) || len(got) != count {
				t.Fatalf("%d records, %d by encoding/xml, %d known", len(got), len(want), count)
			}
			for i := range got {
				if d := diff(got[i], want[i]); d != "" {
					t.Errorf("record %s: %s", want[i].Article.PMID, d)
				}
			}
		})
	}
}
