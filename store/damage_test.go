package store

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"biomcp/store/rows"
)

var damages = flag.Uint64("damages", 10, "how many damages TestNoDamageChangesAnAnswer draws")

// pageTypes returns the pages of a corpus by the table or index and the kind of page, and those
// that hold no rows.
func pageTypes(t *testing.T, dir string) map[string][]int64 {
	t.Helper()
	s := openTest(t, dir, Options{})
	types := map[string][]int64{}
	var pages int64
	err := s.db.Read(t.Context(), "test", func(r *rows.Conn) error {
		of := map[int64]string{}
		err := r.Each("SELECT name, pagetype, pageno FROM dbstat", nil, func(scan func(...any) error) error {
			var name, kind string
			var page int64
			err := scan(&name, &kind, &page)
			of[page] = name + " " + kind
			return err
		})
		err = errors.Join(err, r.Row("PRAGMA page_count", nil, &pages))
		for page := int64(1); page <= pages; page++ {
			if of[page] == "" {
				of[page] = "unused or map"
			}
			types[of[page]] = append(types[of[page]], page)
		}
		return err
	})
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return types
}

// A damage is one drawn change of the files of a corpus.
type damage struct {
	pages string // type of the damaged page, or journal
	kind  string
}

// harm draws a damage, of which there are as many for each type of page.
func (c damagedCorpus) harm(t *testing.T, rng *rand.Rand, types map[string][]int64) (d damage) {
	t.Helper()
	names := slices.Sorted(maps.Keys(types))
	path := filepath.Join(c.dir, FileName)
	if _, err := os.Stat(path + "-wal"); err == nil && rng.IntN(4) == 0 {
		d.pages = "journal"
		edit(t, path+"-wal", func(b []byte) []byte { return d.journal(rng, b) })
		if d.kind == "removed" {
			if err := os.Remove(path + "-wal"); err != nil {
				t.Fatal(err)
			}
		}
		return d
	}
	d.pages = names[rng.IntN(len(names))]
	list := types[d.pages]
	number := list[rng.IntN(len(list))]
	edit(t, path, func(b []byte) []byte {
		page := func(n int64) []byte { // only the first pages may be in the file yet
			n = min(n, int64(len(b)/rows.PageSize))
			return b[(n-1)*rows.PageSize : n*rows.PageSize]
		}
		other := 1 + rng.Int64N(int64(len(b)/rows.PageSize))
		sibling := list[rng.IntN(len(list))]
		kinds := map[string]func(){
			"a bit":           func() { page(number)[rng.IntN(rows.PageSize)] ^= 1 << rng.IntN(8) },
			"some bytes":      func() { at := rng.IntN(rows.PageSize - 64); fill(rng, page(number)[at:at+64]) },
			"zeros":           func() { clear(page(number)) },
			"noise":           func() { fill(rng, page(number)) },
			"doubled":         func() { copy(page(sibling), page(number)) },
			"of other tables": func() { copy(page(number), page(other)) },
			"swapped": func() {
				was := slices.Clone(page(number))
				copy(page(number), page(sibling))
				copy(page(sibling), was)
			},
			"the header": func() { b[rng.IntN(100)] ^= 1 << rng.IntN(8) },
			"cut off":    func() { b = b[:rng.Int64N(int64(len(b)))] },
		}
		d.kind = slices.Sorted(maps.Keys(kinds))[rng.IntN(len(kinds))]
		kinds[d.kind]()
		return b
	})
	return d
}

// journal draws a damage of the journal.
func (d *damage) journal(rng *rand.Rand, b []byte) []byte {
	at := rng.IntN(len(b))
	d.kind = []string{"a bit", "zeros", "cut off", "removed", "emptied"}[rng.IntN(5)]
	switch d.kind {
	case "a bit":
		b[at] ^= 1 << rng.IntN(8)
	case "zeros":
		clear(b[at:])
	case "cut off":
		b = b[:at]
	case "emptied":
		b = nil
	}
	return b
}

func fill(rng *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
}

// No damage of a page of any table or index, of the header or of the journal changes an answer in
// silence: it is an error that says so, or it changes nothing.
func TestNoDamageChangesAnAnswer(t *testing.T) {
	t.Parallel()
	type outcome struct{ drawn, noticed, silent int }
	table := map[damage]*outcome{}
	defer func() {
		lines := []string{}
		for d, o := range table {
			lines = append(lines, fmt.Sprintf("%-36s %-16s %3d drawn, %3d noticed, %d silent", d.pages, d.kind, o.drawn, o.noticed, o.silent))
		}
		slices.Sort(lines)
		t.Logf("\n%s", strings.Join(lines, "\n"))
	}()
	types := map[string]map[string][]int64{}
	answers := map[string]asked{}
	for seed := range *damages {
		open := seed%3 == 2
		c := corpusToDamage(t, seed%4, open)
		pmids := keysOfMap(c.docs)
		key := fmt.Sprint(seed%4, open)
		if types[key] == nil {
			whole, err := ask(t, c.dir, pmids)
			if err != nil {
				t.Fatal(err)
			}
			answers[key], types[key] = whole, pageTypes(t, c.dir)
			c = corpusToDamage(t, seed%4, open)
		}
		d := c.harm(t, rand.New(rand.NewPCG(seed, 48)), types[key])
		if table[d] == nil {
			table[d] = new(outcome)
		}
		o := table[d]
		o.drawn++
		answer, err := ask(t, c.dir, pmids)
		switch {
		case err != nil && !IsKind(err, Corrupt):
			t.Errorf("seed %d, %v: the error is not of kind Corrupt: %v", seed, d, err)
		case err != nil:
			o.noticed++
		case !reflect.DeepEqual(answer, answers[key]):
			o.silent++
			t.Errorf("seed %d: %v changed an answer in silence", seed, d)
		}
	}
}
