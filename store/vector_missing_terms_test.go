package store

import (
	"math/rand/v2"
	"slices"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/wordindex"
)

// After any puts, revisions, deletions, merges and embeddings, MissingTerms yields exactly the
// chunks without a vector, with their terms, even if documents are stored while it is read.
func TestMissingTermsAreThoseOfTheChunksWithoutAVector(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compares many corpora, in one goroutine")
	}
	terms := []string{"absent", "w0", "w1", "w12", "w2", "w3", "w9", "w99"}
	for seed := range uint64(2) {
		rng := rand.New(rand.NewPCG(seed, 33))
		s := openTest(t, t.TempDir(), Options{})
		m := newModel(t, s, "m", 8)
		want, revision := map[record.PMID]*Document{}, 1000
		change := func() {
			b := s.Begin("test")
			for _, n := range rng.Perm(300)[:1+rng.IntN(60)] {
				pmid := record.PMID(1 + n)
				if rng.IntN(5) == 0 {
					b.Delete(pmid, "")
					delete(want, pmid)
					continue
				}
				revision++
				d := randomDocument(rng, pmid, revision)
				if err := b.Put(d); err != nil {
					t.Fatal(err)
				}
				want[pmid] = d
			}
			if _, err := b.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for round := range 5 {
			change()
			missing := map[wordindex.Key]int{}
			for c, err := range s.MissingVectors(t.Context(), m.ID) {
				if err != nil {
					t.Fatal(err)
				}
				missing[wordindex.Key{PMID: c.PMID, Ordinal: uint16(c.Ordinal)}] = c.Version
			}
			var some []Vector
			for list, err := range s.MissingTerms(t.Context(), m.ID, terms) {
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range list {
					k := wordindex.Key{PMID: c.PMID, Ordinal: uint16(c.Ordinal)}
					if missing[k] != c.Version || c.Version == 0 {
						t.Fatalf("seed %d round %d: %v has version %d, want %d", seed, round, k, c.Version, missing[k])
					}
					delete(missing, k)
					counts := map[string]uint32{}
					for _, token := range want[c.PMID].Chunks[c.Ordinal].Tokens {
						counts[token.Term]++
					}
					var own []postings.TermCount
					for n, term := range terms {
						if counts[term] > 0 {
							own = append(own, postings.NewTermCount(uint32(n), counts[term]))
						}
					}
					if !slices.Equal(own, c.Terms) {
						t.Fatalf("seed %d round %d: %v has %v, want %v", seed, round, k, c.Terms, own)
					}
					if rng.IntN(2) == 0 {
						some = append(some, Vector{c.PMID, c.Version, c.Ordinal, randomUnit(rng, 8)})
					}
				}
			}
			if len(missing) > 0 {
				t.Fatalf("seed %d round %d: %d chunks were left out: %v", seed, round, len(missing), missing)
			}
			if _, err := s.AddVectors(t.Context(), m.ID, some); err != nil {
				t.Fatal(err)
			}
		}
		for round := 0; ; round++ { // each batch is stored before the next is read, while more documents arrive
			n := 0
			for list, err := range s.MissingTerms(t.Context(), m.ID, terms) {
				if err != nil {
					t.Fatal(err)
				}
				var vectors []Vector
				for _, c := range list {
					vectors = append(vectors, Vector{c.PMID, c.Version, c.Ordinal, randomUnit(rng, 8)})
				}
				if round < 2 {
					change()
				}
				taken, err := s.AddVectors(t.Context(), m.ID, vectors)
				if err != nil || round >= 2 && taken != len(vectors) {
					t.Fatal(taken, err)
				}
				n += taken
			}
			if models, err := s.Models(t.Context()); err != nil || round > 2 && models[0].Missing > 0 {
				t.Fatalf("seed %d: %+v %v", seed, models, err)
			} else if n == 0 && round > 2 {
				break
			}
		}
	}
}
