package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"biomcp/entrez/record"
	"biomcp/store/rows"
	"biomcp/store/salvage"
)

// asked holds the answers of a corpus.
type asked struct {
	Words, Phrase, Filtered, Near []Hit
	Docs                          map[record.PMID]*Document
	States                        map[record.PMID]State
	Vectors                       map[record.PMID]map[int][]float32
	Vanished                      []record.PMID
	Model                         map[string][]byte
	Keys                          []QueryKey
	Kept                          map[string][]QueryDocument
	Checkpoints                   map[string]string
	Unfinished                    map[string]Job
	Slices                        map[string]bool
	Files                         map[string]bool
	Imported                      ImportedFiles
	Note                          string
	Stats                         Stats
	Lost                          []record.PMID
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
		func() (err error) { a.Keys, err = s.QueryKeys(ctx); return err },
		func() (err error) { a.Imported, err = s.ImportedFiles(ctx, "file "); return err },
		func() (err error) { a.Note, err = s.Meta(ctx, "note"); return err },
		func() (err error) { a.Slices, err = s.StoredSlices(ctx, "job of key 0"); return err },
		func() (err error) { a.Lost, err = s.LostRecords(ctx); return err },
		func() (err error) { a.Stats, err = s.Stats(ctx); a.Stats.Bytes = 0; return err },
		func() error { return a.askKeys(ctx, s) },
	} {
		if err := step(); err != nil {
			return a, err
		}
	}
	return a, nil
}

// askKeys asks for all that is stored by query key or file.
func (a *asked) askKeys(ctx context.Context, s *Store) error {
	a.Kept, a.Checkpoints = map[string][]QueryDocument{}, map[string]string{}
	a.Unfinished, a.Files = map[string]Job{}, map[string]bool{}
	for _, key := range []string{"key 0", "key 1", "key 2", "k"} {
		at, _, err := s.Checkpoint(ctx, key)
		a.Checkpoints[key] = at
		var failed [2]error
		a.Kept[key], failed[0] = s.QueryDocuments(ctx, key, 0)
		a.Unfinished[key], _, failed[1] = s.UnfinishedJob(ctx, key)
		if err := errors.Join(err, failed[0], failed[1]); err != nil {
			return err
		}
	}
	for round := range 6 {
		f := File{Path: fmt.Sprintf("file %d", round), Size: int64(round), ModTime: time.Unix(1, 0)}
		done, err := s.FileDone(ctx, f)
		if a.Files[f.Path] = done; err != nil {
			return err
		}
	}
	return nil
}

// A flipped bit in data that a search reads never changes an answer silently.
func TestAFlippedBitIsNoticed(t *testing.T) {
	t.Parallel()
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

// A check finds a damaged row of a document or of a deleted record, even if it cannot read the word
// index by which a deep check visits the documents.
func TestADamagedRowIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		pmid      record.PMID
		harm      string
		o         CheckOptions
		documents int // documents that cannot be read
	}{
		"document":              {2, "", CheckOptions{}, 1},
		"document, deep":        {2, "", CheckOptions{Deep: true}, 1},
		"deleted record":        {3, "", CheckOptions{}, 0},
		"deleted record, deep":  {3, "", CheckOptions{Deep: true}, 0},
		"without a word index":  {2, "DELETE FROM page", CheckOptions{Deep: true}, 0},
		"deleted, without that": {3, "DELETE FROM page", CheckOptions{Deep: true}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTest(t, t.TempDir(), Options{})
			commitTest(t, s, "q", synthetic(1), synthetic(2), synthetic(3))
			b := s.Begin("q")
			b.Delete(3, "")
			if _, err := b.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			err := s.db.UseWriter(t.Context(), func(w *rows.Conn) error {
				for _, q := range []string{
					"PRAGMA writable_schema=ON", // the sum shall not follow the row
					"UPDATE sqlite_schema SET sql=replace(sql,' AS (crc32c(''document'',pmid,version,pmid_version,lr,hash,file,body)) STORED','')",
					"PRAGMA writable_schema=RESET", fmt.Sprintf("UPDATE document SET lr=lr+1 WHERE pmid=%d", c.pmid), c.harm,
				} {
					if _, err := w.SQL.ExecContext(t.Context(), q); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			_, k, err := s.check(t.Context(), c.o)
			if !IsKind(err, Corrupt) {
				t.Errorf("got %v, want an error of kind Corrupt", err)
			}
			damaged := func(part salvage.Table) bool { return part.Name == "document" }
			if !slices.ContainsFunc(k.damagedParts, damaged) || len(k.badDocuments) != c.documents {
				t.Errorf("the parts %v are damaged and the documents %v cannot be read, want a part of document and %d", k.damagedParts, k.badDocuments, c.documents)
			}
		})
	}
}
