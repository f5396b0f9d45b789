package wordindex

import (
	"math/rand/v2"
	"slices"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store/postings"
)

// A listing that drops documents keeps the same first ones as one that keeps all.
func TestAListingKeepsTheFirstDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 7))
	whole := listing{end: 1 << 20}
	short := listing{end: 100}
	for pmid := range record.PMID(3 * minKept) {
		d := listedDocument{pmid: pmid + 1, date: 20200101 + rng.Uint32N(20)}
		whole.add(d)
		short.add(d)
		if len(short.first) >= minKept {
			t.Fatalf("%d documents are kept", len(short.first))
		}
	}
	whole.cut()
	short.cut()
	if short.total != 3*minKept || !slices.Equal(short.first, whole.first[:100]) {
		t.Errorf("%d documents, first %v, want %v", short.total, short.first, whole.first[:100])
	}
}

func TestSetBits(t *testing.T) {
	set := postings.NewBits(200)
	for _, i := range []uint32{0, 63, 64, 127, 128, 130, 199} {
		set.Set(i)
	}
	if got := slices.Collect(setBits(set, 63, 199)); !slices.Equal(got, []int{63, 64, 127, 128, 130}) {
		t.Error(got)
	}
	for i := range setBits(set, 1, 200) {
		if i != 63 {
			t.Error(i)
		}
		break
	}
}
