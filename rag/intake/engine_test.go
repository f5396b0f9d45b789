package intake

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

// shelf is an engine in memory that becomes unreachable after left changes, or never if left is
// negative. It does not check the age of documents, so the sync must not send old ones.
type shelf struct {
	docs  map[record.PMID]*store.Document
	left  int
	puts  int
	model string
	dim   int

	second string // the corpus's own model next to that of a service
}

var errGone = errors.New("the engine does not answer")

func newShelf(left int) *shelf { return &shelf{docs: map[record.PMID]*store.Document{}, left: left} }

// UseModels forgets everything if vectors get another length, as Weaviate must.
func (s *shelf) UseModels(_ context.Context, used, second store.Model) error {
	return s.change(func() {
		if s.dim != 0 && s.dim != used.Dim {
			clear(s.docs)
		}
		s.model, s.dim, s.second = used.Name, used.Dim, second.Name
	})
}

func (s *shelf) change(f func()) error {
	if s.left == 0 {
		return errGone
	}
	s.left--
	f()
	return nil
}

func (s *shelf) Put(_ context.Context, docs []*store.Document) error {
	return s.change(func() {
		for _, d := range docs {
			s.docs[d.PMID] = d
		}
		s.puts += len(docs)
	})
}

func (s *shelf) Delete(_ context.Context, pmids []record.PMID) error {
	return s.change(func() {
		for _, pmid := range pmids {
			delete(s.docs, pmid)
		}
	})
}

func (s *shelf) Documents(context.Context) (int64, error) {
	if s.left == 0 {
		return 0, errGone
	}
	return int64(len(s.docs)), nil
}

// Words finds the chunks that hold one term.
func (s *shelf) Words(_ context.Context, q store.Query, _ store.Filter, _ int) ([]store.Hit, error) {
	var hits []store.Hit
	for pmid, d := range s.docs {
		for i, c := range d.Chunks {
			if slices.ContainsFunc(c.Tokens, func(t store.Token) bool { return t.Term == q.(store.Term).Text }) {
				hits = append(hits, store.Hit{PMID: pmid, Ordinal: i})
			}
		}
	}
	return hits, nil
}

func (s *shelf) SearchVectors(context.Context, []float32, store.Filter, int) ([]store.Hit, bool, error) {
	return nil, true, nil
}

func (s *shelf) Chunks(_ context.Context, after record.PMID) iter.Seq2[rag.Place, error] {
	return func(yield func(rag.Place, error) bool) {
		for _, pmid := range slices.Sorted(maps.Keys(s.docs)) {
			for i, c := range s.docs[pmid].Chunks {
				if pmid > after && !yield(rag.Place{PMID: pmid, Ordinal: i, ChunkID: c.ID}, nil) {
					return
				}
			}
		}
	}
}

// holds checks that an engine finds the documents of the corpus.
func holds(t *testing.T, index rag.Index, s *store.Store) {
	t.Helper()
	show := func(list []string) string { return strings.Join(list, "\n") }
	var want, got []string
	for d, err := range s.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range d.Chunks {
			want = append(want, fmt.Sprint(d.PMID, " ", i, " ", c.ID))
		}
		hits, err := index.Words(t.Context(), store.Term{Text: fmt.Sprint("record", d.PMID)}, store.Filter{}, 10)
		if err != nil || len(hits) != 1 || hits[0].PMID != d.PMID {
			t.Errorf("pmid %d is found as %v, %v", d.PMID, hits, err)
		}
	}
	for c, err := range index.Chunks(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(c.PMID, " ", c.Ordinal, " ", c.ChunkID))
	}
	if show(got) != show(want) {
		t.Errorf("the engine holds\n%s\nthe corpus\n%s", show(got), show(want))
	}
}

func TestEngineHoldsWhatTheCorpusHolds(t *testing.T) {
	o := options(t)
	o.batch = 30
	o.Index = newShelf(-1)
	importing(t, o, write(t, map[string]string{
		"1.xml": set(many(1, 100), 7, 999), "2.xml": set(append(revised(many(20, 5)), pubmedRecord{pmid: 21}, pubmedRecord{pmid: 21, lr: "2025-01-01", abstract: "record21 anew"}), 30, 31),
	}))
	holds(t, o.Index, o.Store)
	hits, err := o.Index.Words(t.Context(), store.Term{Text: "anew"}, store.Filter{}, 10)
	if err != nil || len(hits) != 1 {
		t.Errorf("the last of three: %v, %v", hits, err)
	}
}

// An engine that fails at any moment costs no document: the sync says so, stores
// them, and the next one brings the engine up to the corpus.
func TestEngineThatFailsCatchesUp(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"1.xml": set(many(1, 100), 7), "2.xml": set(revised(many(20, 5)), 30)})
	for left := range 6 {
		t.Run(fmt.Sprint(left), func(t *testing.T) {
			o := options(t)
			o.batch = 30
			f := newShelf(left)
			o.Index = f
			_, err := Import(t.Context(), o, dir)
			var incomplete *Incomplete
			if !errors.As(err, &incomplete) || !errors.Is(err, errGone) || len(incomplete.Causes) != 1 {
				t.Fatalf("error %v", err)
			}
			if got := pmids(t, o.Store); len(got) != 98 {
				t.Errorf("%d documents", len(got))
			}
			lacking, err := CountMissing(t.Context(), o.Store, nil)
			if warned := strings.Join(incomplete.Report.Warnings, "\n"); err != nil || lacking == 0 || !strings.Contains(warned, fmt.Sprintf("the engine lacks %d documents", lacking)) || !strings.Contains(warned, "biomcp sync index") {
				t.Errorf("it lacks %d, %v; warnings %q", lacking, err, warned)
			}
			// It still does not answer; then it does.
			f.left = 0
			if _, err := Import(t.Context(), o, dir); !errors.Is(err, errGone) {
				t.Errorf("the second time %v", err)
			}
			f.left = -1
			wantCounts(t, importing(t, o, dir), "0 inserted, 0 updated, 0 skipped, 0 deleted")
			holds(t, o.Index, o.Store)
			if n, err := CountMissing(t.Context(), o.Store, f); err != nil || n != 0 {
				t.Errorf("it lacks %d, %v", n, err)
			}
		})
	}
}

// The command in the warning sends the engine the documents that it lacks.
func TestMoveGivesWhatTheEngineLacks(t *testing.T) {
	o := options(t)
	f := newShelf(-1)
	o.Index = f
	importing(t, o, inFile(t, many(1, 40)))
	f.left = 0
	if _, err := Import(t.Context(), o, inFile(t, append(many(100, 20), revised(many(5, 3))...), 1)); !errors.Is(err, errGone) {
		t.Fatal(err)
	}
	f.left = -1
	if n, err := CountMissing(t.Context(), o.Store, f); err != nil || n != 24 {
		t.Errorf("it lacks %d, %v", n, err)
	}
	if _, err := Move(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	holds(t, f, o.Store)
	if n, err := CountMissing(t.Context(), o.Store, f); err != nil || n != 0 {
		t.Errorf("after the move it lacks %d, %v", n, err)
	}
	clear(f.docs) // a server that was set up again
	if n, err := CountMissing(t.Context(), o.Store, f); err != nil || n != 59 {
		t.Errorf("an empty one lacks %d, %v", n, err)
	}
}

// A move that was stopped continues, unless the engine has become empty.
func TestMoveBeginsAgainForAnEngineMadeNew(t *testing.T) {
	o := options(t)
	importing(t, o, inFile(t, many(1, moveBatch+10)))
	f := newShelf(2) // the models, one portion
	o.Index = f
	if _, err := Move(t.Context(), o); !errors.Is(err, errGone) || len(f.docs) != moveBatch {
		t.Fatalf("%d documents, %v", len(f.docs), err)
	}
	clear(f.docs)
	f.left = -1
	moved, err := Move(t.Context(), o)
	if err != nil || moved.Before != 0 || moved.Documents != moveBatch+10 {
		t.Errorf("%+v, %v", moved, err)
	}
	holds(t, f, o.Store)
}

// A delta does not move its watermark while the engine lacks records of it.
func TestEngineThatFailsInADelta(t *testing.T) {
	bubble(t, func(r *rig) {
		f := newShelf(0)
		r.o.Index = f
		report, incomplete := r.fails()
		if !errors.Is(incomplete, errGone) || report.Inserted != 10 || len(pmids(t, r.o.Store)) != 10 {
			t.Errorf("%s, %v", counts(report), incomplete)
		}
		r.fetchedIDs()
		f.left = -1
		r.sync()
		if again := r.fetchedIDs(); len(again) > 1 || slices.Contains(again, "1") {
			t.Errorf("fetched %v again", again)
		}
		holds(t, f, r.o.Store)
		r.wantWatermark("2024-05-11T06:00:00Z")
	}, many(1, 10)...)
}
