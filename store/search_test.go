package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store/rows"
	"biomcp/store/wordindex"
)

// plain is a synthetic corpus in memory, from which simple rules compute the expected results.
type plain map[record.PMID]*Document

var plainJournals = []Journal{
	{Title: "Annals of  Samples", ISOAbbreviation: "Ann. Samp.", MedlineTA: "Ann Samp", NLMID: "0000001", ISSN: "1111-1111"},
	{Title: "Made Up Letters", MedlineTA: "Made Up Lett"},
}

func randomDocument(rng *rand.Rand, pmid record.PMID, lr int) *Document {
	doc := &Document{PMID: pmid, PMIDVersion: 1, LR: fmt.Sprintf("%04d-01-01", lr), Title: fmt.Sprint("t", rng.IntN(1000)),
		Journal: plainJournals[rng.IntN(2)], Facts: rng.Uint32(), Human: rng.IntN(2) == 0, Retracted: rng.IntN(5) == 0,
		PDat: []string{"", "2019", "2020-05", "2020-05-17", "2021-12-31"}[rng.IntN(5)]}
	if rng.IntN(2) == 0 {
		doc.PMCID = "PMC1"
	}
	for _, t := range []string{"Review", "Journal Article", "Clinical Trial"} {
		if rng.IntN(2) == 0 {
			doc.PubTypes = append(doc.PubTypes, t)
		}
	}
	for i, h := range []string{"Humans", "Mice, Inbred C57BL"} {
		if rng.IntN(2) == 0 {
			doc.Mesh = append(doc.Mesh, Heading{Descriptor: h, UI: fmt.Sprint("D00000", i)})
		}
	}
	for c := range rng.IntN(4) {
		chunk := Chunk{ID: fmt.Sprintf("s%d", c)}
		for p := range rng.IntN(30) {
			chunk.Tokens = append(chunk.Tokens, Token{Term: fmt.Sprintf("w%d", int(math.Exp(rng.Float64()*5))-1), Pos: uint32(p)})
		}
		if rng.IntN(5) == 0 {
			chunk.Length = 40
		}
		doc.Chunks = append(doc.Chunks, chunk)
	}
	return doc
}

func lengthOf(c Chunk) int {
	if c.Length > 0 {
		return c.Length
	}
	return len(c.Tokens)
}

// search scores every chunk for any of the words.
func (p plain) search(words []string, pass func(*Document) bool, k int) []Hit {
	n, total := 0, 0
	df := map[string]int{}
	for _, d := range p {
		for _, c := range d.Chunks {
			n++
			total += lengthOf(c)
			seen := map[string]bool{}
			for _, t := range c.Tokens {
				seen[t.Term] = true
			}
			for t := range seen {
				df[t]++
			}
		}
	}
	avg := max(1, float64(total)/float64(max(1, n)))
	hits := []Hit{}
	for _, d := range p {
		if !pass(d) {
			continue
		}
		for i, c := range d.Chunks {
			var score int64
			found := false
			for _, w := range words {
				tf := 0
				for _, t := range c.Tokens {
					if t.Term == w {
						tf++
					}
				}
				if tf > 0 {
					found = true
					idf := math.Log1p((float64(n-df[w]) + 0.5) / (float64(df[w]) + 0.5))
					norm := 1.2 * (1 - 0.4 + 0.4*float64(lengthOf(c))/avg)
					score += int64(idf*(float64(tf)/(float64(tf)+norm))*(1<<32) + 0.5)
				}
			}
			if found {
				h := Hit{PMID: d.PMID, Ordinal: i, ChunkID: c.ID, Score: float64(score) / (1 << 32), Facts: d.Facts}
				h.Date = map[string]int{"": 0, "2019": 20190101, "2020-05": 20200501, "2020-05-17": 20200517, "2021-12-31": 20211231}[d.PDat]
				hits = append(hits, h)
			}
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		switch {
		case a.Score != b.Score:
			return int(math.Copysign(1, b.Score-a.Score))
		case a.PMID != b.PMID:
			return cmp.Compare(a.PMID, b.PMID)
		}
		return a.Ordinal - b.Ordinal
	})
	return hits[:min(k, len(hits))]
}

func has(list []string, s string) bool { return slices.Contains(list, s) }

func headings(d *Document) (names []string) {
	for _, h := range d.Mesh {
		names = append(names, h.Descriptor)
	}
	return names
}

// filters lists filters, each with its simple rule.
var filters = []struct {
	filter Filter
	pass   func(*Document) bool
}{
	{Filter{}, func(*Document) bool { return true }},
	{Filter{From: "2020"}, func(d *Document) bool { return d.PDat >= "2020" }},
	{Filter{From: "2020-05-02", To: "2020"}, func(d *Document) bool { return d.PDat == "2020-05-17" }},
	{Filter{To: "2020/05"}, func(d *Document) bool { return d.PDat != "" && d.PDat < "2021" }},
	{Filter{Journals: []string{" annals of samples"}}, func(d *Document) bool { return d.Journal.NLMID != "" }},
	{Filter{Journals: []string{"ANN SAMP", "nothing"}}, func(d *Document) bool { return d.Journal.NLMID != "" }},
	{Filter{Journals: []string{"Made Up. Lett.", "1111-1111"}}, func(d *Document) bool { return true }},
	{Filter{PubTypes: []string{"review", "clinical trial"}}, func(d *Document) bool { return has(d.PubTypes, "Review") || has(d.PubTypes, "Clinical Trial") }},
	{Filter{NotTypes: []string{"review", "no such type"}, To: "2025"}, func(d *Document) bool { return !has(d.PubTypes, "Review") && d.PDat != "" }},
	{Filter{Mesh: []string{"humans", "D000001"}}, func(d *Document) bool { return len(d.Mesh) == 2 }},
	{Filter{HasPMC: true, ExcludeRetracted: true}, func(d *Document) bool { return d.PMCID != "" && !d.Retracted }},
	{Filter{Humans: true, Mesh: []string{"mice, inbred c57bl"}, From: "2019"}, func(d *Document) bool {
		return d.Human && has(headings(d), "Mice, Inbred C57BL") && d.PDat != ""
	}},
	{Filter{PubTypes: []string{"no such type"}}, func(*Document) bool { return false }},
}

func checkSearches(t *testing.T, rng *rand.Rand, s *Store, want plain, what string) {
	t.Helper()
	for range 3 {
		checkList(t, rng, s, want, what)
		var words []string
		for range 1 + rng.IntN(4) {
			if w := fmt.Sprintf("w%d", int(math.Exp(rng.Float64()*5))-1); !has(words, w) {
				words = append(words, w)
			}
		}
		f := filters[rng.IntN(len(filters))]
		k := []int{1, 10, 1000}[rng.IntN(3)]
		q := Or{}
		for _, w := range words {
			q = append(q, Term{Text: w})
		}
		// As words alone, and in an equivalent tree.
		for _, q := range []Query{q, And{q, All{}}} {
			got, err := s.Search(t.Context(), q, f.filter, k)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if expected := want.search(words, f.pass, k); !reflect.DeepEqual(got, expected) {
				t.Fatalf("%s: %v %+v k %d:\ngot  %+v\nwant %+v", what, words, f.filter, k, got, expected)
			}
		}
	}
}

// After any puts, revisions, deletions, batches and merges, a search finds and scores the current
// contents and a list has them, in this process and another.
func TestSearchEqualsExhaustiveSearchAfterChanges(t *testing.T) {
	t.Parallel()
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 5))
		dir := t.TempDir()
		s := openTest(t, dir, Options{})
		other := openTest(t, dir, Options{ReadOnly: true, CacheBytes: 1 << 16})
		want := plain{}
		revision := 1000 // newer than all earlier ones, including deletions
		for round := range 30 {
			b := s.Begin("q")
			for range rng.IntN(25) {
				pmid := record.PMID(1 + rng.IntN(150))
				revision++
				if rng.IntN(5) == 0 {
					b.Delete(pmid, "")
					delete(want, pmid)
					continue
				}
				doc := randomDocument(rng, pmid, revision)
				if err := b.Put(doc); err != nil {
					t.Fatal(err)
				}
				want[pmid] = doc
			}
			if _, err := b.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("seed %d round %d", seed, round)
			checkSearches(t, rng, s, want, what)
			checkSearches(t, rng, other, want, what+", another process")
		}
		ix := snapshot(t, s)
		if len(ix.Segments) >= 16 {
			t.Errorf("%d segments after 30 batches: nothing was merged", len(ix.Segments))
		}
		if err := s.words.Merge(t.Context(), mergeable); err != nil {
			t.Fatal(err)
		}
		checkSearches(t, rng, s, want, "merged")
		if ix := snapshot(t, s); len(ix.Segments) != 1 || ix.Segments[0].Dead != 0 {
			t.Errorf("merged to %d segments, %d dead", len(ix.Segments), ix.Segments[0].Dead)
		}
		checkIntegrity(t, s)

		again := openTest(t, t.TempDir(), Options{}) // the same documents, imported afresh
		b := again.Begin("q")
		for _, d := range want {
			if err := b.Put(d); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := b.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		checkSearches(t, rng, again, want, "imported again")
	}
}

// A missing page counts as damage.
func TestMissingPageOfHits(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	commitTest(t, s, "test", &Document{PMID: 1, Chunks: []Chunk{{ID: "w0", Tokens: []Token{{Term: "a"}}}}})
	if _, err := s.db.Writer.Exec("DELETE FROM page WHERE id>>26&63 = (SELECT max(id>>26&63) FROM page)"); err != nil {
		t.Fatal(err)
	}
	if hits, err := s.Search(t.Context(), Term{Text: "a"}, Filter{}, 1); !IsKind(err, Corrupt) {
		t.Errorf("%v, %v", hits, err)
	}
}

// snapshot returns the current word index.
func snapshot(t *testing.T, s *Store) (ix *wordindex.Snapshot) {
	t.Helper()
	err := s.db.Read(t.Context(), "test", func(r *rows.Conn) (err error) {
		ix, err = s.words.Load(r)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// mergeable chooses all segments, unless there is only one without removed chunks.
func mergeable(segments []*wordindex.Segment) []*wordindex.Segment {
	if len(segments) == 1 && segments[0].Dead == 0 {
		return nil
	}
	return segments
}

// checkIntegrity compares the index with the documents.
func checkIntegrity(t *testing.T, s *Store) {
	t.Helper()
	err := s.db.Read(t.Context(), "test", func(r *rows.Conn) error {
		var verdict string
		if err := r.Row("PRAGMA integrity_check", nil, &verdict); err != nil || verdict != "ok" {
			t.Errorf("integrity: %s %v", verdict, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	hits, err := s.Search(t.Context(), All{}, Filter{}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	indexed := map[string]int{}
	for _, h := range hits {
		indexed[fmt.Sprintf("%d:%s:%d", h.PMID, h.ChunkID, h.Ordinal)]++
	}
	stored := map[string]int{}
	for d, err := range s.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range d.Chunks {
			stored[fmt.Sprintf("%d:%s:%d", d.PMID, c.ID, i)]++
		}
	}
	if !reflect.DeepEqual(indexed, stored) {
		t.Errorf("%d chunks are found, %d are stored", len(indexed), len(stored))
	}
}

// Two processes commit and merge while another reads. A document removed while its segment is being
// merged stays removed.
func TestWritersAndMergesAtTheSameTime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var wg sync.WaitGroup
	wants := [2]plain{{}, {}}
	ctx, cancel := context.WithCancel(context.Background())
	for w := range wants {
		s := openTest(t, dir, Options{})
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 41))
			for round := range 35 {
				b := s.Begin("q")
				for i := range 10 {
					pmid := record.PMID(1 + 2*rng.IntN(60) + w) // each writer has either the odd or the even PMIDs
					if wants[w][pmid] != nil && rng.IntN(2) == 0 {
						b.Delete(pmid, "")
						delete(wants[w], pmid)
						continue
					}
					doc := randomDocument(rng, pmid, 1000+10*round+i)
					if err := b.Put(doc); err != nil {
						t.Error(err)
					}
					wants[w][pmid] = doc
				}
				if done, err := b.Commit(context.Background()); err != nil || done.Unmerged != nil {
					t.Error(err, done.Unmerged)
				}
			}
		})
	}
	reader := openTest(t, dir, Options{ReadOnly: true})
	var reading sync.WaitGroup
	reading.Go(func() {
		for ctx.Err() == nil {
			hits, err := reader.Search(context.Background(), And{}, Filter{}, 1000)
			if err != nil {
				t.Error(err)
				return
			}
			seen := map[string]bool{}
			for _, h := range hits {
				key := fmt.Sprint(h.PMID, h.ChunkID)
				if seen[key] {
					t.Errorf("%s is there twice", key)
				}
				seen[key] = true
			}
		}
	})
	wg.Wait()
	cancel()
	reading.Wait()
	want := wants[0]
	maps.Copy(want, wants[1])
	checkIntegrity(t, reader)
	checkSearches(t, rand.New(rand.NewPCG(1, 42)), reader, want, "afterwards")
}
