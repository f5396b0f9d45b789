package rag

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store"
	"biomcp/store/vectors"
)

func hit(pmid record.PMID, ordinal int, score float64) store.Hit {
	return store.Hit{PMID: pmid, Ordinal: ordinal, ChunkID: fmt.Sprintf("s%d", ordinal), Score: score}
}

// shown writes results as pmid:chunk=score.
func shown(results []Result) string {
	var s []string
	for _, r := range results {
		s = append(s, fmt.Sprintf("%d:%s=%.3f", r.PMID, r.ChunkID, r.Score))
	}
	return strings.Join(s, " ")
}

func TestFusedScoresEqualValuesComputedByHand(t *testing.T) {
	// Computed by hand. Words 12, 10, 4 scale to 1, 0.75, 0; near 0.9, 0.5, 0.1 to
	// 1, 0.5, 0. Document 1 has two chunks: 0.5·1 each.
	words := []store.Hit{hit(1, 0, 12), hit(2, 0, 10), hit(3, 0, 4)}
	near := []store.Hit{hit(1, 1, 0.9), hit(3, 0, 0.5), hit(4, 0, 0.1)}
	for _, c := range []struct {
		name        string
		words, near []store.Hit
		want        string
	}{
		{"both", words, near, "1:s0=0.500 2:s0=0.375 3:s0=0.250 4:s0=0.000"},
		{"words alone", words, nil, "1:s0=0.500 2:s0=0.375 3:s0=0.000"},
		{"near alone", nil, near, "1:s1=0.500 3:s0=0.250 4:s0=0.000"},
		{"one hit each", words[:1], near[1:2], "1:s0=0.500 3:s0=0.500"},
		{"all equal", []store.Hit{hit(5, 0, 2), hit(4, 0, 2)}, []store.Hit{hit(4, 0, -1), hit(6, 0, -1)}, "4:s0=1.000 5:s0=0.500 6:s0=0.500"},
		{"negative similarity", nil, []store.Hit{hit(1, 0, 0.2), hit(2, 0, -0.2), hit(3, 0, -0.6)}, "1:s0=0.500 2:s0=0.250 3:s0=0.000"},
		{"same chunk in both", words[:2], []store.Hit{hit(2, 0, 0.8), hit(1, 0, 0.7)}, "1:s0=0.500 2:s0=0.500"},
		{"equal chunks of one document", []store.Hit{hit(1, 3, 1), hit(1, 2, 1)}, nil, "1:s2=0.500"},
		{"nothing", nil, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shown(Fuse(Hits{Words: c.words, Vectors: c.near}, DefaultShares(true, false), false, clock, 10)); got != c.want {
				t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
			}
		})
	}
	if got := shown(Fuse(Hits{Words: words, Vectors: near}, DefaultShares(true, false), false, clock, 2)); got != "1:s0=0.500 2:s0=0.375" {
		t.Errorf("the two best: %s", got)
	}
	if got := Fuse(Hits{}, DefaultShares(true, false), true, clock, 5); got == nil || len(got) != 0 {
		t.Errorf("nothing found: %v", got)
	}
}

// A title alone counts a fifth less, whatever the sign of its similarity; other hits keep
// their order.
func TestTitlesAreDiscounted(t *testing.T) {
	alone := func(pmid record.PMID, score float64) store.Hit {
		h := hit(pmid, 0, score)
		h.Facts = Facts(&store.Document{Title: "A title", Abstract: " "})
		return h
	}
	hits := []store.Hit{alone(1, 0.5), hit(2, 0, 0.45), hit(3, 0, 0.4), alone(4, 0), hit(5, 0, -0.1), alone(6, -0.1)}
	hits[1].Facts = Facts(&store.Document{Title: "A title", Abstract: "And more."})
	discountTitles(hits)
	var got []string
	for _, h := range hits {
		got = append(got, fmt.Sprintf("%d=%.2f", h.PMID, h.Score))
	}
	if want := "2=0.45 1=0.40 3=0.40 4=0.00 5=-0.10 6=-0.12"; strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, " "), want)
	}
	hits = []store.Hit{alone(1, 0.5), hit(2, 0, 0.5)}
	for i := range hits {
		hits[i].Vector = vectors.NewSpace(2).AppendBytes(nil, []float32{1, 0})
	}
	if done, err := compareAgain(t.Context(), hits, []Result{{PMID: 2, Fused: 1}}, true, nil); !done || err != nil {
		t.Fatal(done, err)
	}
	// Both have the similarity 1 to the first document, the title alone 0.8 of it.
	if hits[0].PMID != 2 || math.Abs(hits[0].Score-0.75) > 0.001 || math.Abs(hits[1].Score-0.65) > 0.001 {
		t.Errorf("compared again: %+v", hits)
	}
}

func TestFuseKeepsTheScoresOfBothSearches(t *testing.T) {
	r := Fuse(Hits{
		Words:   []store.Hit{hit(1, 0, 12), hit(2, 0, 10), hit(3, 0, 4)},
		Vectors: []store.Hit{hit(2, 0, 0.5), hit(4, 0, 0.25)},
	}, DefaultShares(true, false), false, clock, 9)
	if r[0].PMID != 2 || *r[0].BM25 != 10 || *r[0].Sim != 0.5 || r[0].Words != 0.75 || r[0].Vectors != 1 || math.Abs(r[0].Fused-0.875) > 1e-9 {
		t.Errorf("%+v", r[0])
	}
	if r[1].PMID != 1 || r[1].Sim != nil || r[1].Vectors != 0 {
		t.Errorf("%+v", r[1])
	}
	if last := r[3]; last.PMID != 4 || last.BM25 != nil || *last.Sim != 0.25 {
		t.Errorf("%+v", last)
	}
	if r[0].UUID() != UUID(2, "s0") {
		t.Error(r[0].UUID())
	}
}

func TestQualityBiasMultipliesScores(t *testing.T) {
	doc := store.Document{PubTypes: []string{"Meta-Analysis"}, PDat: "2024", Indexed: true, Human: true, Journal: store.Journal{MedlineTA: "Lancet"}}
	best := hit(2, 0, 10)
	best.Facts, best.Date = Facts(&doc), 20240101
	doc.Retracted = true
	retracted := hit(3, 0, 11)
	retracted.Facts, retracted.Date = Facts(&doc), 20240101
	words := []store.Hit{hit(1, 0, 12), retracted, best, hit(4, 0, 2)}
	// Scaled 1, 0.9, 0.8, 0; fused 0.5, 0.45, 0.4, 0; best of quality 9: 0.4·1.9.
	if got := shown(Fuse(Hits{Words: words}, DefaultShares(true, false), true, clock, 9)); got != "2:s0=0.760 1:s0=0.500 3:s0=0.450 4:s0=0.000" {
		t.Errorf("with bias: %s", got)
	}
	plain := Fuse(Hits{Words: words}, DefaultShares(true, false), false, clock, 9)
	if got := shown(plain); got != "1:s0=0.500 3:s0=0.450 2:s0=0.400 4:s0=0.000" || plain[2].Quality.Total != 9 {
		t.Errorf("without: %s, quality %d", got, plain[2].Quality.Total)
	}
}

// The document whose title is the query is the first, whatever the others have.
func TestAnExactTitleIsFirst(t *testing.T) {
	best := hit(2, 0, 9)
	doc := store.Document{PDat: "2024", PubTypes: []string{"Meta-Analysis"}, Journal: store.Journal{MedlineTA: "Lancet"}, Indexed: true, Human: true}
	best.Facts, best.Date = Facts(&doc), 20240101
	hits := Hits{Words: []store.Hit{best, hit(3, 0, 1)}, Vectors: []store.Hit{best}, Titles: []store.Hit{hit(1, 0, 13), hit(3, 0, 13)}}
	r := Fuse(hits, DefaultShares(true, false).withTitles(), true, clock, 9)
	if got := shown(r); got != "1:s0=0.667 3:s0=0.667 2:s0=0.633" || !r[0].Title || r[0].BM25 != nil || !r[1].Title || r[2].Title {
		t.Errorf("%s, %+v", got, r)
	}
}

// Computed by hand: words scale to 1, 0.75, 0, the model to 1, 0, the corpus's own
// vectors to 1, 0.5, 0.
func TestThreeSearchesHaveTheirShares(t *testing.T) {
	hits := Hits{
		Words:   []store.Hit{hit(1, 0, 12), hit(2, 0, 10), hit(3, 0, 4)},
		Vectors: []store.Hit{hit(2, 0, 0.9), hit(4, 0, 0.1)},
		Local:   []store.Hit{hit(4, 0, 0.6), hit(2, 0, 0.5), hit(1, 0, 0.4)},
	}
	shares := DefaultShares(true, true)
	if shares.Words+shares.Vectors+shares.Local != 1 || DefaultShares(true, false).Words+DefaultShares(true, false).Vectors != 1 {
		t.Errorf("the shares do not add up to 1: %+v, %+v", shares, DefaultShares(true, false))
	}
	r := Fuse(hits, shares, false, clock, 9)
	if got := shown(r); got != "2:s0=0.750 1:s0=0.333 4:s0=0.333 3:s0=0.000" {
		t.Error(got)
	}
	if *r[0].Sim != 0.9 || *r[0].LocalSim != 0.5 || r[0].Local != 0.5 || r[1].Sim != nil || *r[1].LocalSim != 0.4 || r[3].LocalSim != nil {
		t.Errorf("%+v", r)
	}
	hits.Vectors = nil // the service is down
	if got := shown(Fuse(hits, DefaultShares(false, true), false, clock, 9)); got != "2:s0=0.625 1:s0=0.500 4:s0=0.500 3:s0=0.000" {
		t.Error(got)
	}
}
