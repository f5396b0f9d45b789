package store

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"biomcp/store/rows"
)

// A flipped bit in the schema text counts as damage: it does not change an answer, and a repair
// loses nothing.
func TestADamagedSchemaIsRepaired(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs in one goroutine, and compresses or repairs much")
	}
	c := corpusToDamage(t, 9, false)
	pmids := keysOfMap(c.docs)
	whole, err := ask(t, c.dir, pmids)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(c.dir, FileName)
	original, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var names []int // positions of a column name in a statement
	for _, page := range pagesOf(t, c.dir, "sqlite_schema") {
		for _, at := range regexp.MustCompile(`\bsum\b`).FindAllIndex(original[(page-1)*rows.PageSize:page*rows.PageSize], -1) {
			names = append(names, (page-1)*rows.PageSize+at[0])
		}
	}
	mended := 0
	for _, at := range names {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			c.dir = t.TempDir()
			b := slices.Clone(original)
			b[at] ^= 1 // sum becomes rum
			if err := os.WriteFile(filepath.Join(c.dir, FileName), b, 0o600); err != nil {
				t.Fatal(err)
			}
			answer, err := ask(t, c.dir, pmids)
			if err != nil && !IsKind(err, Corrupt) || err == nil && !reflect.DeepEqual(answer, whole) {
				t.Errorf("it is not noticed: %v", err)
			}
			done, err := repairOf(c.dir).Run(t.Context())
			if err != nil {
				t.Fatalf("repair: %v", err)
			}
			if done.DamagedFile == "" && done.FixedFaults == 0 {
				if answer, err := ask(t, c.dir, pmids); err != nil || !reflect.DeepEqual(answer, whole) {
					t.Errorf("the repair does not notice it: %v", err)
				}
				return
			}
			mended++
			if missing := c.check(t, done); missing > 0 || done.Losses.Records > 0 {
				t.Errorf("%d documents are missing: %+v", missing, done)
			}
		})
	}
	if mended == 0 {
		t.Error("no name of a column was found")
	}
	t.Logf("%d of %d are repaired, the others change nothing", mended, len(names))
}
