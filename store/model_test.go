package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"
)

func TestModelIsComputedWhileAnotherIsInUse(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	ctx := t.Context()
	rng := rand.New(rand.NewPCG(1, 23))
	commitTest(t, s, "q", synthetic(1), synthetic(2), synthetic(3))
	old := newModel(t, s, "old", 8)
	if err := s.UseModel(ctx, old.ID, 0); !IsKind(err, ModelMismatch) {
		t.Fatalf("a model without its vectors was taken into use: %v", err)
	}
	some := func(DocumentChunk) []float32 { return randomUnit(rng, 8) }
	embedMissing(t, s, old.ID, some)
	rows := map[string][]byte{"alpha": {1}, "βeta": {2, 3}, "": {}}
	if err := s.PutModelRows(ctx, old.ID, maps.All(rows)); err != nil {
		t.Fatal(err)
	}
	if err := s.UseModel(ctx, old.ID, 0); err != nil {
		t.Fatal(err)
	}
	got, err := s.ModelRows(ctx, old.ID, []string{"alpha", "βeta", "", "absent"})
	if err != nil || len(got) != 3 || !reflect.DeepEqual(got["βeta"], []byte{2, 3}) {
		t.Errorf("rows %v %v", got, err)
	}

	fresh := newModel(t, s, "new", 12)
	if again := newModel(t, s, "new", 12); again.ID != fresh.ID {
		t.Error("an unfinished model must be gone on with")
	}
	var list []Vector
	for c, err := range s.MissingVectors(ctx, fresh.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Title == "" || c.Chunk().Text == "" || c.Chunk().ID == "" {
			t.Errorf("an embedder needs more than %+v", c)
		}
		list = append(list, Vector{c.PMID, c.Version, c.Ordinal, randomUnit(rng, 12)})
	}
	revised := synthetic(2)
	revised.LR, revised.Abstract = "2025-01-01", "Another."
	b := s.Begin("q").WithModel(old.ID) // meanwhile a document changes
	for i := range revised.Chunks {
		revised.Chunks[i].Vector = randomUnit(rng, 8)
	}
	if err := b.Put(revised); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	if n, err := s.AddVectors(ctx, fresh.ID, list); err != nil || n != 4 {
		t.Errorf("%d of 6 vectors taken, two are of a text that is no more: %v", n, err)
	}
	if err := s.UseModel(ctx, fresh.ID, 0); !IsKind(err, ModelMismatch) {
		t.Fatalf("a model was taken into use with two vectors missing: %v", err)
	}
	if hits, _, err := s.Near(ctx, old.ID, randomUnit(rng, 8), Filter{}, 10); err != nil || len(hits) != 6 {
		t.Errorf("the old model serves until the new one is complete: %d hits, %v", len(hits), err)
	}
	embedMissing(t, s, fresh.ID, func(DocumentChunk) []float32 { return randomUnit(rng, 12) })
	if err := s.UseModel(ctx, fresh.ID, 0); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Near(ctx, old.ID, randomUnit(rng, 8), Filter{}, 10); !IsKind(err, NotFound) {
		t.Errorf("the old model is gone: %v", err)
	}
	v := randomUnit(rng, 12)
	hits, exact, err := s.Near(ctx, fresh.ID, v, Filter{}, 10)
	for _, h := range hits {
		if got := float64(s.space(12).Query(v).Dot(h.Vector)); got != h.Score {
			t.Errorf("the vector of %d scores %g, not %g", h.PMID, got, h.Score)
		}
	}
	if err != nil || len(hits) != 6 || !exact {
		t.Errorf("the new model serves: %d hits, %v", len(hits), err)
	}
	for table, want := range map[string]int{"vector": 3, "vector_code": 1, "model_row": 0, "model": 1} {
		t.Run(table, func(t *testing.T) {
			var n int
			if err := s.db.Writer.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil || n != want {
				t.Errorf("%d rows in %s, want %d: %v", n, table, want, err)
			}
		})
	}

	if _, _, err := s.Near(ctx, fresh.ID, randomUnit(rng, 8), Filter{}, 10); !IsKind(err, ModelMismatch) {
		t.Errorf("a vector of another dimension: %v", err)
	}
	if _, err := s.AddVectors(ctx, fresh.ID, []Vector{{1, 1, 0, make([]float32, 12)}}); !IsKind(err, Invalid) {
		t.Errorf("a vector of no length: %v", err)
	}
	if _, err := s.NewModel(ctx, "x", 0); !IsKind(err, Invalid) {
		t.Errorf("a model without dimensions: %v", err)
	}
	if hits, exact, err := s.Near(ctx, fresh.ID, nil, Filter{}, 10); err != nil || len(hits) != 0 || !exact {
		t.Errorf("a query that has no vector is near nothing: %v %v", hits, err)
	}
	if err := s.DropModel(ctx, fresh.ID); err != nil {
		t.Fatal(err)
	}
	if models, err := s.Models(ctx); err != nil || len(models) != 0 {
		t.Errorf("after it was dropped: %v %v", models, err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.UseModel(cancelled, 1, 0); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestTwoModelsInUse(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	ctx := t.Context()
	rng := rand.New(rand.NewPCG(1, 29))
	commitTest(t, s, "q", synthetic(1), synthetic(2), synthetic(3))
	local, service := newModel(t, s, "local", 8), newModel(t, s, "service", 12)
	embedMissing(t, s, local.ID, func(DocumentChunk) []float32 { return randomUnit(rng, 8) })
	if err := s.UseModel(ctx, local.ID, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.UseModel(ctx, service.ID, local.ID); !IsKind(err, ModelMismatch) {
		t.Fatalf("a model without its vectors was taken into use: %v", err)
	}
	embedMissing(t, s, service.ID, func(DocumentChunk) []float32 { return randomUnit(rng, 12) })
	if err := s.UseModel(ctx, service.ID, local.ID); err != nil {
		t.Fatal(err)
	}
	list, err := s.Models(ctx)
	if err != nil || len(list) != 2 || list[0].ID != service.ID || !list[0].InUse || list[0].Second || list[1].ID != local.ID || list[1].InUse || !list[1].Second {
		t.Fatalf("%+v, %v", list, err)
	}
	for range 3 { // turn by turn, also from memory
		for id, dim := range map[int64]int{local.ID: 8, service.ID: 12} {
			t.Run(fmt.Sprint(id), func(t *testing.T) {
				if hits, _, err := s.Near(ctx, id, randomUnit(rng, dim), Filter{}, 10); err != nil || len(hits) != 6 {
					t.Errorf("model %d: %d hits, %v", id, len(hits), err)
				}
			})
		}
	}
	fresh := newModel(t, s, "local 2", 8)
	if err := s.UseModel(ctx, service.ID, fresh.ID); !IsKind(err, ModelMismatch) {
		t.Errorf("a second model without its vectors was taken into use: %v", err)
	}
	embedMissing(t, s, fresh.ID, func(DocumentChunk) []float32 { return randomUnit(rng, 8) })
	if err := s.UseModel(ctx, service.ID, fresh.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.UseModel(ctx, fresh.ID, 0); err != nil { // the service is given up
		t.Fatal(err)
	}
	if list, err = s.Models(ctx); err != nil || len(list) != 1 || list[0].ID != fresh.ID || !list[0].InUse {
		t.Errorf("%+v, %v", list, err)
	}
	if hits, _, err := s.Near(ctx, fresh.ID, randomUnit(rng, 8), Filter{}, 10); err != nil || len(hits) != 6 {
		t.Errorf("%d hits, %v", len(hits), err)
	}
}

// modelRows are made-up rows of a model.
func modelRows() iter.Seq2[string, []byte] {
	rng := rand.New(rand.NewPCG(8, 1))
	return func(yield func(string, []byte) bool) {
		for i := range 200 {
			row := make([]byte, 100)
			for j := range row {
				row[j] = byte(rng.Uint32())
			}
			if !yield(fmt.Sprintf("term %d", i), row) {
				return
			}
		}
	}
}

// A damaged row of a model is read from its second copy, and a repair makes two of one. A
// model that has lost both is made again as a whole: no vector is made with what is left.
func TestModelRowsAreStoredTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in one goroutine")
	}
	c := corpusToDamage(t, 4, false)
	s := openTest(t, c.dir, Options{})
	_, err := s.db.Writer.Exec("VACUUM") // no page holds what it held before
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	want := maps.Collect(modelRows())
	const seven, eight = "term 7", "term 8"
	damage := func(find func(s, sep []byte) int, key string) {
		t.Helper()
		edit(t, filepath.Join(c.dir, FileName), func(b []byte) []byte {
			at := find(b, want[key])
			if at < 0 {
				t.Fatal("it stands nowhere in the file")
			}
			b[at+50] ^= 1
			return b
		})
	}
	read := func() (models []Model, rows map[string][]byte, all int, err error) {
		s := openTest(t, c.dir, Options{ReadOnly: true})
		defer s.Close()
		models, err = s.Models(t.Context())
		if err == nil && len(models) > 0 {
			var found error
			rows, found = s.ModelRows(t.Context(), models[0].ID, []string{seven, eight})
			err = errors.Join(found, s.EachModelRow(t.Context(), models[0].ID, func(key string, data []byte) error {
				if all++; !bytes.Equal(data, want[key]) {
					t.Errorf("another row of %s", key)
				}
				return nil
			}))
		}
		return models, rows, all, err
	}
	for key, find := range map[string]func(s, sep []byte) int{seven: bytes.Index, eight: bytes.LastIndex} { // a repair makes two of one
		damage(find, key)
		models, rows, all, err := read()
		if len(models) != 1 || models[0].Missing != 0 || err != nil || !bytes.Equal(rows[seven], want[seven]) || !bytes.Equal(rows[eight], want[eight]) || all != len(want) {
			t.Errorf("%s: %d rows, %v", key, all, err)
		}
		if done, err := repairOf(c.dir).Run(t.Context()); err != nil || done.Mended != 1 {
			t.Errorf("%s: %+v, %v", key, done, err)
		}
	}
	damage(bytes.Index, seven)
	damage(bytes.Index, seven)
	if _, _, _, err := read(); !IsKind(err, Corrupt) {
		t.Errorf("both copies: %v", err)
	}
	if done, err := repairOf(c.dir).Run(t.Context()); err != nil || done.Mended != 1 || done.Lost.Records != 0 {
		t.Errorf("both copies: %+v, %v", done, err)
	}
	if models, _, _, err := read(); err != nil || len(models) != 0 {
		t.Errorf("%+v, %v", models, err)
	}
}
