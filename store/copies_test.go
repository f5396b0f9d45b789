package store

import (
	"biomcp/store/rows"
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// A damaged page of rows that many others depend on does not change an answer: the second copy is
// used.
func TestTheCopyThatHoldsIsUsed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs in one goroutine, and compresses or repairs much")
	}
	c := corpusToDamage(t, 10, false)
	pmids := keysOfMap(c.docs)
	whole, err := ask(t, c.dir, pmids)
	if err != nil || len(whole.Docs) != len(c.docs) {
		t.Fatal(err)
	}
	original, err := os.ReadFile(filepath.Join(c.dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"code", "meta", "segment", "model"} {
		for _, n := range pagesOf(t, c.dir, table) {
			for harm, change := range map[string]func([]byte){
				"zeros": func(page []byte) { clear(page) },
				"bits":  func(page []byte) { page[len(page)-5] ^= 4; page[len(page)-40] ^= 4 },
			} {
				t.Run(table+" "+harm, func(t *testing.T) {
					dir := t.TempDir()
					b := append([]byte{}, original...)
					change(b[(n-1)*rows.PageSize : n*rows.PageSize])
					if err := os.WriteFile(filepath.Join(dir, FileName), b, 0o600); err != nil {
						t.Fatal(err)
					}
					if answer, err := ask(t, dir, pmids); err != nil || !reflect.DeepEqual(answer, whole) {
						t.Errorf("page %d: %v", n, err)
					}
					s, err := Open(t.Context(), Options{Dir: dir})
					if err == nil {
						err = s.SetMeta(t.Context(), "note", "y")
						s.Close()
					}
					if table != "code" && !IsKind(err, Corrupt) {
						t.Errorf("page %d: who writes is told %v", n, err)
					}
				})
			}
		}
	}
}

// A damaged second copy does not keep a Repair from saving the rest.
func TestADamagedCopyIsNotUsed(t *testing.T) {
	c := corpusToDamage(t, 11, false)
	edit(t, filepath.Join(c.dir, FileName), func(b []byte) []byte {
		copy(b, "damaged")
		copies := bytes.Count(b, []byte(`"checkpoint":[`))
		if copies == 0 {
			t.Fatal("there is no second copy")
		}
		return bytes.ReplaceAll(b, []byte(`"checkpoint":[`), []byte(`xcheckpoint":[`))
	})
	done, err := repairOf(c.dir).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if missing := c.check(t, done); missing > 0 {
		t.Errorf("%d missing: %+v", missing, done)
	}
}
