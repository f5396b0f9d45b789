package store

import (
	"math/rand/v2"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store/wordindex"
)

// Commits of another program may remove chunks at any time while segments are merged, up to all chunks of
// a segment that was chosen. A merge that was killed before has left a segment that must be swept.
func TestCommitsRemoveChunksOfChosenSegments(t *testing.T) {
	t.Parallel()
	for _, removed := range []int{1, 4} {
		for call := 1; call <= 3; call++ {
			dir := t.TempDir()
			s, other := openTest(t, dir, Options{}), openTest(t, dir, Options{})
			want := plain{}
			for pmid := record.PMID(1); pmid <= 4; pmid++ { // a segment each
				want[pmid] = randomDocument(rand.New(rand.NewPCG(uint64(pmid), 43)), pmid, 1000)
				b := s.Begin("q")
				if err := b.Put(want[pmid]); err != nil {
					t.Fatal(err)
				}
				commitMerged(t, b)
			}
			const killedMerge = "INSERT INTO segment(state,chunks,dead,length,lo,hi,bytes) VALUES(0,1,0,0,1,1,0)"
			if err := s.db.Exec(t.Context(), "test", killedMerge); err != nil {
				t.Fatal(err)
			}
			calls := 0
			all := func(segments []*wordindex.Segment) []*wordindex.Segment {
				if calls++; calls == call {
					b := other.Begin("q")
					for pmid := range record.PMID(removed) {
						b.Delete(pmid+1, "")
						delete(want, pmid+1)
					}
					commitMerged(t, b)
				}
				if len(segments) < 2 {
					return nil
				}
				return segments
			}
			if err := s.words.Merge(t.Context(), all); err != nil {
				t.Errorf("%d documents removed at call %d: Merge failed: %v", removed, call, err)
			}
			checkIntegrity(t, s)
			checkSearches(t, rand.New(rand.NewPCG(1, 44)), s, want, "after the merge")
		}
	}
}

// commitMerged commits a batch and fails the test if it was not stored, or what is due was not merged.
func commitMerged(t *testing.T, b *Batch) {
	t.Helper()
	if done, err := b.Commit(t.Context()); err != nil || done.Unmerged != nil {
		t.Fatalf("%v, %v", err, done.Unmerged)
	}
}
