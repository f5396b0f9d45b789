package ragtest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/analyze"
	"biomcp/store"
)

// An Engine is an implementation of rag.Index under test.
type Engine struct {
	// Open returns an empty index for vectors of dimension Dim, and registers its cleanup with
	// t.
	Open func(t testing.TB) rag.Index
	// Approximate is set if the vector search of the engine may miss some hits. The suite then
	// requires nine in ten of the ten nearest, instead of all.
	Approximate bool
}

// Suite tests the contract of rag.Index.
func Suite(t *testing.T, e Engine) {
	t.Run("AnEmptyIndexHasNoHits", e.testEmpty)
	t.Run("WordsAreRankedByBM25", e.testWords)
	t.Run("NearReturnsTheNearestVectors", e.testNear)
	t.Run("FiltersApplyToBothSearches", e.testFilters)
	t.Run("PutReplacesOlderVersionsOnly", e.testReplace)
	t.Run("DeleteRemovesDocuments", e.testRemove)
	t.Run("ChunksAreYieldedInOrder", e.testChunks)
	t.Run("HitsHoldDateFactsAndFlags", e.testHits)
	t.Run("UUIDsAndQualityAreTheGoldenValues", e.testGoldenValues)
	t.Run("ACancelledContextIsAnError", e.testCancelled)
	t.Run("SearchesDuringPutSeeWholeDocuments", e.testSearchDuringPut)
}

// openFilled returns an engine and the reference index, both with n documents.
func (e Engine) openFilled(t *testing.T, n int) (rag.Index, *Memory) {
	t.Helper()
	index, ref := e.Open(t), &Memory{}
	put(t, index, Documents(n)...)
	put(t, ref, Documents(n)...)
	return index, ref
}

func put(t testing.TB, index rag.Index, docs ...*store.Document) {
	t.Helper()
	if err := index.Put(context.Background(), docs); err != nil {
		t.Fatal(err)
	}
}

func parse(query string) store.Query { return rag.ParseQuery(analyze.New(), query).Lexical }

var queries = []string{
	"heart failure", "IL-6", "il 6 in asthma", "the patients", "cataract lens sepsis statin", "tumor oedema metastasis",
	`"heart failure"`, `"patients treatment cells"`, `"beta-blocker" stroke`,
	"beta-blocker AND heart", "insulin AND (glucose OR asthma) NOT mice", "NOT patients",
	"inflam*", "met* AND c*", "HLA-A*0201", "CD8+ T", "type 2 diabetes",
	"vitamin OR (lens AND NOT cataract)", "unheard-of", "",
}

func (e Engine) testEmpty(t *testing.T) {
	ctx, index := context.Background(), e.Open(t)
	words, err := index.Words(ctx, parse("heart"), store.Filter{}, 10)
	if err != nil || words == nil || len(words) != 0 {
		t.Errorf("words: %v, %v", words, err)
	}
	near, _, err := index.SearchVectors(ctx, vector(rand.New(rand.NewPCG(1, 1))), store.Filter{}, 10)
	if err != nil || near == nil || len(near) != 0 {
		t.Errorf("near: %v, %v", near, err)
	}
	for p, err := range index.Chunks(ctx, 0) {
		t.Errorf("chunk %v, %v", p, err)
	}
	if n, err := index.Documents(ctx); n != 0 || err != nil {
		t.Errorf("%d documents, %v", n, err)
	}
	if err := index.Delete(ctx, []record.PMID{1}); err != nil {
		t.Errorf("delete: %v", err)
	}
	if err := index.Put(ctx, nil); err != nil {
		t.Errorf("put nothing: %v", err)
	}
}

func (e Engine) testWords(t *testing.T) {
	index, ref := e.openFilled(t, 300)
	for _, q := range queries {
		for _, k := range []int{1, 10, 1000} {
			e.compareWords(t, index, ref, q, store.Filter{}, k)
		}
	}
	if hits, err := index.Words(context.Background(), parse("heart"), store.Filter{}, 0); err != nil || len(hits) != 0 {
		t.Errorf("k=0: %d hits, %v", len(hits), err)
	}
}

func (e Engine) compareWords(t *testing.T, index, ref rag.Index, query string, f store.Filter, k int) {
	t.Helper()
	got, err := index.Words(context.Background(), parse(query), f, k)
	if err != nil {
		t.Errorf("%q: %v", query, err)
		return
	}
	want, _ := ref.Words(context.Background(), parse(query), f, 1<<20)
	compare(t, fmt.Sprintf("%q %+v k=%d", query, f, k), got, want, k, wordTolerance)
}

// Relative tolerances of scores. Engines sum in another order, and with 32 bits. Storing does
// not change the vectors.
const (
	wordTolerance = 1e-4
	nearTolerance = 1e-5
)

// compare compares hits with all hits of the reference. Their number must be equal. Each must
// have the reference's score for its chunk, and they must be ordered by these scores.
func compare(t *testing.T, label string, got, full []store.Hit, k int, tolerance float64) {
	t.Helper()
	if len(got) != min(k, len(full)) {
		t.Errorf("%s: %d hits, want %d", label, len(got), min(k, len(full)))
		return
	}
	scores := map[rag.Place]float64{}
	for _, h := range full {
		scores[placeOf(h)] = h.Score
	}
	for i, h := range got {
		own, ok := scores[placeOf(h)]
		if !ok || math.Abs(h.Score-own) > tolerance*max(1, own) {
			t.Errorf("%s: hit %d is %v with score %g, in the reference %g (is a hit there: %v)",
				label, i, placeOf(h), h.Score, own, ok)
			return
		}
		if math.Abs(own-full[i].Score) > tolerance*max(1, own) {
			t.Errorf("%s: hit %d is %v with %g, want a better one, %v with %g",
				label, i, placeOf(h), own, placeOf(full[i]), full[i].Score)
			return
		}
		delete(scores, placeOf(h)) // makes a duplicate an error
	}
}

func placeOf(h store.Hit) rag.Place {
	return rag.Place{PMID: h.PMID, Ordinal: h.Ordinal, ChunkID: h.ChunkID}
}

func (e Engine) testNear(t *testing.T) {
	index, ref := e.openFilled(t, 300)
	r := rand.New(rand.NewPCG(5, 5))
	found, wanted := 0, 0
	for range 20 {
		v := vector(r)
		full, _, _ := ref.SearchVectors(context.Background(), v, store.Filter{}, 1<<20)
		for _, k := range []int{1, 10, 5000} {
			got, exact, err := index.SearchVectors(context.Background(), v, store.Filter{}, k)
			switch {
			case err != nil:
				t.Fatal(err)
			case !e.Approximate && !exact:
				t.Error("an exact engine returned exact = false")
			case !e.Approximate:
				compare(t, fmt.Sprintf("near, k=%d", k), got, full, k, nearTolerance)
			case k == 10:
				for _, h := range full[:10] {
					wanted++
					if slices.ContainsFunc(got, func(g store.Hit) bool { return placeOf(g) == placeOf(h) }) {
						found++
					}
				}
			}
		}
	}
	if e.Approximate && found < wanted*9/10 {
		t.Errorf("found %d of the %d nearest", found, wanted)
	}
}

func (e Engine) testFilters(t *testing.T) {
	index, ref := e.openFilled(t, 300)
	v := vector(rand.New(rand.NewPCG(6, 6)))
	for _, f := range []store.Filter{
		{From: "2010"}, {To: "2010"}, {From: "2005-03", To: "2005-07"},
		{From: "2007-05-06", To: "2019-11-30"}, {From: "2030"},
		{Journals: []string{"J Num 1"}}, {Journals: []string{"journal of  number 2", "0000-0003"}},
		{Journals: []string{"no such"}},
		{PubTypes: []string{"review"}}, {PubTypes: []string{"Review", "Case Reports"}},
		{NotTypes: []string{"review"}}, {NotTypes: []string{"Case Reports", "no such"}, Mesh: []string{"Humans"}},
		{Mesh: []string{"Humans"}}, {Mesh: []string{"heart", "D006801"}}, {Mesh: []string{"heart", "lung"}},
		{HasPMC: true}, {ExcludeRetracted: true}, {Humans: true}, {Animals: true}, {Humans: true, Animals: true},
		{PMIDs: []record.PMID{1003, 1300, 7}, Humans: true},
		{PMIDs: []record.PMID{1003, 1300, 7}}, {PMIDs: []record.PMID{}},
		{From: "2003", PubTypes: []string{"Review"}, Mesh: []string{"Humans"}, ExcludeRetracted: true},
	} {
		e.compareWords(t, index, ref, "patients heart OR cells", f, 50)
		e.compareWords(t, index, ref, "NOT insulin", f, 1000)
		got, _, err := index.SearchVectors(context.Background(), v, f, 50)
		full, _, _ := ref.SearchVectors(context.Background(), v, f, 1<<20)
		if err != nil {
			t.Errorf("near %+v: %v", f, err)
		} else if !e.Approximate {
			compare(t, fmt.Sprintf("near %+v", f), got, full, 50, nearTolerance)
		}
		for _, h := range got {
			if !slices.ContainsFunc(full, func(w store.Hit) bool { return placeOf(w) == placeOf(h) }) {
				t.Errorf("near %+v: %v does not pass", f, placeOf(h))
			}
		}
	}
}

func (e Engine) testReplace(t *testing.T) {
	index, ref := e.openFilled(t, 60)
	for range 2 { // repeating changes nothing
		for i := range 60 {
			if i%2 == 0 {
				put(t, index, RevisedDocument(i))
				put(t, ref, RevisedDocument(i))
			}
		}
		put(t, index, Documents(60)...) // older: ignored
		e.compareAll(t, index, ref)
	}
}

// compareAll compares a whole index with the reference.
func (e Engine) compareAll(t *testing.T, index, ref rag.Index) {
	t.Helper()
	if got, want := places(t, index, 0), places(t, ref, 0); !slices.Equal(got, want) {
		t.Errorf("chunks %v, want %v", got, want)
	}
	for _, q := range queries {
		e.compareWords(t, index, ref, q, store.Filter{}, 1000)
	}
	if !e.Approximate {
		v := vector(rand.New(rand.NewPCG(7, 7)))
		got, _, err := index.SearchVectors(context.Background(), v, store.Filter{}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		full, _, _ := ref.SearchVectors(context.Background(), v, store.Filter{}, 1<<20)
		compare(t, "near", got, full, 1000, nearTolerance)
	}
}

func places(t *testing.T, index rag.Index, after record.PMID) (list []rag.Place) {
	t.Helper()
	for p, err := range index.Chunks(context.Background(), after) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

func (e Engine) testRemove(t *testing.T) {
	index, ref := e.openFilled(t, 60)
	var gone []record.PMID
	for i, d := range Documents(60) {
		if i%3 == 0 {
			gone = append(gone, d.PMID)
		}
	}
	for range 2 {
		for _, x := range []rag.Index{index, ref} {
			if err := x.Delete(context.Background(), append(gone, 7)); err != nil { // 7 was never stored
				t.Fatal(err)
			}
		}
		e.compareAll(t, index, ref)
		if n, err := index.Documents(context.Background()); n != 40 || err != nil {
			t.Errorf("%d documents, %v", n, err)
		}
	}
	put(t, index, RevisedDocument(0)) // newer: stored again
	put(t, ref, RevisedDocument(0))
	e.compareAll(t, index, ref)
}

func (e Engine) testChunks(t *testing.T) {
	index, ref := e.openFilled(t, 40)
	for _, after := range []record.PMID{0, 999, 1000, 1060, 1117, 5000} {
		if got, want := places(t, index, after), places(t, ref, after); !slices.Equal(got, want) {
			t.Errorf("after %d: %v, want %v", after, got, want)
		}
	}
	for range index.Chunks(context.Background(), 0) {
		break // the caller may stop early
	}
}

// testHits tests the fields of a hit except its score and its vector, which engines may leave out.
func (e Engine) testHits(t *testing.T) {
	index, ref := e.openFilled(t, 60)
	v := vector(rand.New(rand.NewPCG(8, 8)))
	full, _ := ref.Words(context.Background(), parse("patients"), store.Filter{}, 1<<20)
	nearest, _, _ := ref.SearchVectors(context.Background(), v, store.Filter{}, 1<<20)
	want := map[rag.Place]store.Hit{}
	for _, h := range append(full, nearest...) {
		h.Score = 0
		want[placeOf(h)] = h
	}
	words, err := index.Words(context.Background(), parse("patients"), store.Filter{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	near, _, err := index.SearchVectors(context.Background(), v, store.Filter{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range append(words, near...) {
		h.Score, h.Vector = 0, nil
		if !reflect.DeepEqual(h, want[placeOf(h)]) {
			t.Errorf("got %+v, want %+v", h, want[placeOf(h)])
		}
	}
}

func (e Engine) testCancelled(t *testing.T) {
	index, _ := e.openFilled(t, 10)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := index.Words(ctx, parse("heart"), store.Filter{}, 10); err == nil {
		t.Error("Words did not fail")
	}
	if _, _, err := index.SearchVectors(ctx, vector(rand.New(rand.NewPCG(9, 9))), store.Filter{}, 10); err == nil {
		t.Error("Near did not fail")
	}
	if err := index.Put(ctx, Documents(1)); err == nil {
		t.Error("Put did not fail")
	}
}

func (e Engine) testSearchDuringPut(t *testing.T) {
	index := e.Open(t)
	docs := Documents(60)
	put(t, index, docs[:20]...)
	chunks := map[record.PMID]int{}
	for _, d := range docs {
		chunks[d.PMID] = len(d.Chunks)
	}
	var wg sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		wg.Go(func() {
			for {
				hits, err := index.Words(context.Background(), store.All{}, store.Filter{}, 1000)
				if err != nil {
					t.Error(err)
					return
				}
				seen := map[record.PMID]int{}
				for _, h := range hits {
					seen[h.PMID]++
				}
				for pmid, n := range seen {
					if n != chunks[pmid] {
						t.Errorf("pmid %d has %d of %d chunks", pmid, n, chunks[pmid])
						return
					}
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := 20; i < 60; i += 10 {
		put(t, index, docs[i:i+10]...)
	}
	close(done)
	wg.Wait()
}
