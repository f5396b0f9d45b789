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
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "rows found", len(got), 3)
	if !bytes.Equal(got["βeta"], []byte{2, 3}) {
		t.Errorf("row βeta: got %v, want [2 3]", got["βeta"])
	}

	fresh := newModel(t, s, "new", 12)
	equal(t, "ID of an unfinished model begun again", newModel(t, s, "new", 12).ID, fresh.ID)
	var list []Vector
	for c, err := range s.MissingVectors(ctx, fresh.ID) {
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"title": c.Title, "text": c.Chunk().Text, "ID": c.Chunk().ID} {
			if text == "" {
				t.Errorf("a missing chunk has no %s: %+v", name, c)
			}
		}
		list = append(list, Vector{c.PMID, c.Version, c.Ordinal, randomUnit(rng, 12)})
	}
	revised := synthetic(2)
	revised.LR, revised.Abstract = "2025-01-01", "Another."
	b := s.Begin("q").WithModel(old.ID) // a document changes in the meantime
	for i := range revised.Chunks {
		revised.Chunks[i].Vector = randomUnit(rng, 8)
	}
	if err := b.Put(revised); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	n, err := s.AddVectors(ctx, fresh.ID, list)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "vectors stored of 6, 2 of which are of an outdated text", n, 4)
	if err := s.UseModel(ctx, fresh.ID, 0); !IsKind(err, ModelMismatch) {
		t.Fatalf("a model was taken into use with two vectors missing: %v", err)
	}
	hits, _, err := s.NearestChunks(ctx, old.ID, randomUnit(rng, 8), Filter{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "hits under the old model while the new one is incomplete", len(hits), 6)
	embedMissing(t, s, fresh.ID, func(DocumentChunk) []float32 { return randomUnit(rng, 12) })
	if err := s.UseModel(ctx, fresh.ID, 0); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.NearestChunks(ctx, old.ID, randomUnit(rng, 8), Filter{}, 10); !IsKind(err, NotFound) {
		t.Errorf("the old model is gone: %v", err)
	}
	v := randomUnit(rng, 12)
	hits, exact, err := s.NearestChunks(ctx, fresh.ID, v, Filter{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "hits under the new model", len(hits), 6)
	equal(t, "the search under the new model is exact", exact, true)
	for _, h := range hits {
		if got := float64(s.space(12).Query(v).Dot(h.Vector)); got != h.Score {
			t.Errorf("the vector of %d scores %g, not %g", h.PMID, got, h.Score)
		}
	}
	for table, want := range map[string]int{"vector": 3, "vector_code": 1, "model_row": 0, "model": 1} {
		t.Run(table, func(t *testing.T) {
			var n int
			if err := s.db.Writer.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil {
				t.Fatal(err)
			}
			equal(t, "rows", n, want)
		})
	}

	if _, _, err := s.NearestChunks(ctx, fresh.ID, randomUnit(rng, 8), Filter{}, 10); !IsKind(err, ModelMismatch) {
		t.Errorf("a vector of another dimension: %v", err)
	}
	if _, err := s.AddVectors(ctx, fresh.ID, []Vector{{1, 1, 0, make([]float32, 12)}}); !IsKind(err, Invalid) {
		t.Errorf("a vector of length 0: got %v, want Invalid", err)
	}
	if _, err := s.NewModel(ctx, "x", 0); !IsKind(err, Invalid) {
		t.Errorf("a model without dimensions: %v", err)
	}
	if hits, exact, err = s.NearestChunks(ctx, fresh.ID, nil, Filter{}, 10); err != nil {
		t.Fatal(err)
	}
	equal(t, "hits of a query without a vector", len(hits), 0)
	equal(t, "the search without a vector is exact", exact, true)
	if err := s.DropModel(ctx, fresh.ID); err != nil {
		t.Fatal(err)
	}
	models, err := s.Models(ctx)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "models after the last one was dropped", len(models), 0)
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
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 {
		t.Fatalf("models: got %+v, want 2", list)
	}
	equal(t, "ID of the first model", list[0].ID, service.ID)
	equal(t, "the first model is in use", list[0].InUse, true)
	equal(t, "the first model is the second in use", list[0].IsSecond, false)
	equal(t, "ID of the second model", list[1].ID, local.ID)
	equal(t, "the second model is in use", list[1].InUse, false)
	equal(t, "the second model is the second in use", list[1].IsSecond, true)
	for range 3 { // alternately, so that later searches use the cache
		for id, dim := range map[int64]int{local.ID: 8, service.ID: 12} {
			t.Run(fmt.Sprint(id), func(t *testing.T) {
				hits, _, err := s.NearestChunks(ctx, id, randomUnit(rng, dim), Filter{}, 10)
				if err != nil {
					t.Fatal(err)
				}
				equal(t, "hits", len(hits), 6)
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
	if err := s.UseModel(ctx, fresh.ID, 0); err != nil { // stop using the service
		t.Fatal(err)
	}
	if list, err = s.Models(ctx); err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 {
		t.Fatalf("models: got %+v, want 1", list)
	}
	equal(t, "ID of the remaining model", list[0].ID, fresh.ID)
	equal(t, "the remaining model is in use", list[0].InUse, true)
	hits, _, err := s.NearestChunks(ctx, fresh.ID, randomUnit(rng, 8), Filter{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "hits under the remaining model", len(hits), 6)
}

// modelRows yields synthetic rows of a model.
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

// A damaged row of a model is read from its second copy, and a repair restores the damaged copy. A
// model that has lost both copies of a row is dropped, so that no vector is made from an incomplete
// model.
func TestModelRowsAreStoredTwice(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs in one goroutine")
	}
	c := corpusToDamage(t, 4, false)
	s := openTest(t, c.dir, Options{})
	_, err := s.db.Writer.Exec("VACUUM") // no page keeps outdated contents
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	want := maps.Collect(modelRows())
	const seven, eight = "term 160", "term 161" // not on the page on which both copies meet
	damage := func(find func(s, sep []byte) int, key string) {
		t.Helper()
		edit(t, filepath.Join(c.dir, FileName), func(b []byte) []byte {
			at := find(b, want[key])
			if at < 0 {
				t.Fatal("the row is not in the file")
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
	for key, find := range map[string]func(s, sep []byte) int{seven: bytes.Index, eight: bytes.LastIndex} { // either copy may be damaged
		damage(find, key)
		models, rows, all, err := read()
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		if len(models) != 1 {
			t.Fatalf("%s: models: got %+v, want 1", key, models)
		}
		equal(t, key+": chunks without a vector", models[0].Missing, 0)
		for _, k := range []string{seven, eight} {
			if !bytes.Equal(rows[k], want[k]) {
				t.Errorf("%s is damaged: row %s: got %x, want %x", key, k, rows[k], want[k])
			}
		}
		equal(t, key+": rows", all, len(want))
		done, err := repairOf(c.dir).Run(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		equal(t, key+": repaired faults", done.FixedFaults, 1)
	}
	damage(bytes.Index, seven)
	damage(bytes.Index, seven)
	if _, _, _, err := read(); !IsKind(err, Corrupt) {
		t.Errorf("both copies: %v", err)
	}
	done, err := repairOf(c.dir).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "both copies: repaired faults", done.FixedFaults, 1)
	equal(t, "both copies: lost records", done.Losses.Records, 0)
	models, _, _, err := read()
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "both copies: models left", len(models), 0)
}

// Rows that are stored once take half the space, and later rows of the model are stored once too. A damaged
// row is an error, and a repair drops the model.
func TestModelRowsAreStoredOnce(t *testing.T) {
	t.Parallel()
	want, sizes := maps.Collect(modelRows()), map[string]int64{}
	put := map[string]func(*Store, int64) error{
		"once": func(s *Store, id int64) error {
			some := maps.All(map[string][]byte{"term 1": want["term 1"]})
			return errors.Join(s.PutModelRowsOnce(t.Context(), id, some), s.PutModelRows(t.Context(), id, maps.All(want)))
		},
		"twice": func(s *Store, id int64) error { return s.PutModelRows(t.Context(), id, maps.All(want)) },
	}
	const key = "term 160"
	for name, put := range put {
		dir := t.TempDir()
		s := openTest(t, dir, Options{})
		m, err := s.NewModel(t.Context(), "local-test", 2)
		if err == nil {
			err = put(s, m.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.db.Writer.Exec("VACUUM")
		if err = errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
		edit(t, filepath.Join(dir, FileName), func(b []byte) []byte {
			sizes[name] = int64(len(b))
			b[bytes.Index(b, want[key])+50] ^= 1
			return b
		})
		s = openTest(t, dir, Options{ReadOnly: true})
		all := 0
		found, err := s.ModelRows(t.Context(), m.ID, []string{key})
		each := s.EachModelRow(t.Context(), m.ID, func(string, []byte) error { all++; return nil })
		if name == "once" && (!IsKind(err, Corrupt) || !IsKind(each, Corrupt)) {
			t.Errorf("once: a damaged row gives %v and %v, want errors of kind Corrupt", err, each)
		}
		if name == "twice" && (err != nil || each != nil || !bytes.Equal(found[key], want[key]) || all != len(want)) {
			t.Errorf("twice: %d rows, %v, %v, want %d", all, err, each, len(want))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := repairOf(dir).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		s = openTest(t, dir, Options{})
		models, err := s.Models(t.Context())
		if kept := len(models) == 1; err != nil || kept != (name == "twice") {
			t.Errorf("%s: after the repair %d models, %v", name, len(models), err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if sizes["twice"]-sizes["once"] < 15_000 {
		t.Errorf("stored once, the rows take %d bytes, and twice %d", sizes["once"], sizes["twice"])
	}
}
