package store

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// asked holds the answers of a corpus.
type asked struct {
	Words, Phrase, Filtered, Near []Hit
	Docs                          map[record.PMID]*Document
	States                        map[record.PMID]State
	Vectors                       map[record.PMID]map[int][]float32
	Vanished                      []record.PMID
	Model                         map[string][]byte
}

// ask queries every kind of contents of a corpus.
func ask(t *testing.T, dir string, pmids []record.PMID) (a asked, err error) {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: dir, ReadOnly: true})
	if err != nil {
		return a, err
	}
	defer s.Close()
	ctx, only := t.Context(), Filter{From: "2001", Journals: []string{"Synthetic"}}
	v := make([]float32, 8)
	v[0] = 1
	models, err := s.Models(ctx)
	if err != nil || len(models) == 0 {
		return a, err
	}
	for _, step := range []func() error{
		func() (err error) { a.Words, err = s.Search(ctx, Term{Text: "one"}, Filter{}, 500); return err },
		func() (err error) {
			a.Phrase, err = s.Search(ctx, Phrase{Slots: []Slot{{Terms: []string{"one"}}, {Terms: []string{"two"}, At: 1}}}, Filter{}, 500)
			return err
		},
		func() (err error) { a.Filtered, err = s.Search(ctx, Prefix{Text: "tw"}, only, 500); return err },
		func() (err error) { a.Near, _, err = s.NearestChunks(ctx, models[0].ID, v, Filter{}, 20); return err },
		func() (err error) { a.Docs, err = s.DocumentsByPMID(ctx, pmids); return err },
		func() (err error) { a.States, err = s.States(ctx, pmids); return err },
		func() (err error) { a.Vectors, err = s.Vectors(ctx, models[0].ID, pmids); return err },
		func() (err error) { a.Vanished, err = s.VanishedPMIDs(ctx, 26); return err },
		func() (err error) {
			a.Model, err = s.ModelRows(ctx, models[0].ID, []string{"term 7", "term 8"})
			return err
		},
	} {
		if err := step(); err != nil {
			return a, err
		}
	}
	return a, nil
}

// A flipped bit in data that a search reads never changes an answer silently.
func TestAFlippedBitIsNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in one goroutine, and compresses or repairs much")
	}
	c := corpusToDamage(t, 9, false)
	pmids := keysOfMap(c.docs)
	whole, err := ask(t, c.dir, pmids)
	if err != nil || len(whole.Words) == 0 || len(whole.Phrase) == 0 || len(whole.Near) == 0 || len(whole.Docs) != len(c.docs) {
		t.Fatal(err, len(whole.Words), len(whole.Phrase), len(whole.Near))
	}
	original, err := os.ReadFile(filepath.Join(c.dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	rng, draws := rand.New(rand.NewPCG(4, 4)), 24
	if testing.Short() {
		draws = 2
	}
	for _, table := range []string{"page", "vector", "vector_code", "document", "segment", "dead", "model"} {
		pages := pagesOf(t, c.dir, table)
		t.Run(table, func(t *testing.T) {
			dir, noticed := t.TempDir(), 0
			for range draws {
				bit := 8*(pages[rng.IntN(len(pages))]-1)*rows.PageSize + rng.IntN(8*rows.PageSize)
				b := append([]byte{}, original...)
				b[bit/8] ^= 1 << (bit % 8)
				if err := os.WriteFile(filepath.Join(dir, FileName), b, 0o600); err != nil {
					t.Fatal(err)
				}
				answer, err := ask(t, dir, pmids)
				switch {
				case err == nil && !reflect.DeepEqual(answer, whole):
					t.Errorf("bit %d of byte %d of page %d of %s changed the answers", bit%8, bit/8%rows.PageSize, 1+bit/8/rows.PageSize, table)
				case err != nil && !IsKind(err, Corrupt):
					t.Errorf("bit %d: %v", bit, err)
				case err != nil:
					noticed++
				}
			}
			t.Logf("%d of %d noticed, the rest changed nothing", noticed, draws)
		})
	}
}
