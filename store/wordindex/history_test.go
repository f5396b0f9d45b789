package wordindex_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store"
)

// words lists only a few words, so that random queries find something.
var words = []string{"heart", "hearts", "attack", "old", "mouse"}

func drawText(rng *rand.Rand) string {
	text := make([]string, rng.IntN(8))
	for i := range text {
		text[i] = words[rng.IntN(len(words))]
	}
	return strings.Join(text, " ")
}

func drawQuery(rng *rand.Rand, depth int) store.Query {
	word := func() string { return words[rng.IntN(len(words))] }
	kind := rng.IntN(10)
	if depth == 0 {
		kind = rng.IntN(4)
	}
	switch kind {
	case 0:
		return store.Prefix{Text: word()[:3]}
	case 1:
		return store.Phrase{Slots: []store.Slot{{Terms: []string{word(), word()}}, {Terms: []string{word()}, At: uint32(1 + rng.IntN(2))}}}
	case 2, 3:
		return store.Term{Text: word()}
	case 4:
		return store.Not{Query: drawQuery(rng, depth-1)}
	case 5:
		return store.And{drawQuery(rng, depth-1), drawQuery(rng, depth-1)}
	case 6:
		return store.And{drawQuery(rng, depth-1), store.Not{Query: drawQuery(rng, depth-1)}}
	case 7, 8:
		return store.Documents{Query: drawQuery(rng, depth-1)}
	}
	return store.Or{drawQuery(rng, depth-1), drawQuery(rng, depth-1)}
}

// matches evaluates a query on a chunk, word by word. chunks are all of its document. In a Documents query a leaf may
// be in any of them.
func matches(q store.Query, chunk []string, chunks [][]string) bool {
	of := func(p store.Query) bool { return matches(p, chunk, chunks) }
	switch q := q.(type) {
	case store.Documents:
		return matchesDocument(q.Query, chunks)
	case store.Not:
		return !of(q.Query)
	case store.And:
		return !slices.ContainsFunc(q, func(p store.Query) bool { return !of(p) })
	case store.Or:
		return slices.ContainsFunc(q, of)
	}
	return holds(q, chunk)
}

func matchesDocument(q store.Query, chunks [][]string) bool {
	of := func(p store.Query) bool { return matchesDocument(p, chunks) }
	switch q := q.(type) {
	case store.Documents:
		return of(q.Query)
	case store.Not:
		return !of(q.Query)
	case store.And:
		return !slices.ContainsFunc(q, func(p store.Query) bool { return !of(p) })
	case store.Or:
		return slices.ContainsFunc(q, of)
	}
	return slices.ContainsFunc(chunks, func(chunk []string) bool { return holds(q, chunk) })
}

// holds reports whether a chunk matches a leaf.
func holds(q store.Query, text []string) bool {
	switch q := q.(type) {
	case store.Term:
		return slices.Contains(text, q.Text)
	case store.Prefix:
		return slices.ContainsFunc(text, func(w string) bool { return strings.HasPrefix(w, q.Text) })
	case store.Phrase:
		for at := range text {
			if !slices.ContainsFunc(q.Slots, func(s store.Slot) bool {
				i := at + int(s.At)
				return i >= len(text) || !slices.Contains(s.Terms, text[i])
			}) {
				return true
			}
		}
	}
	return false
}

// place identifies a chunk.
type place struct {
	pmid    record.PMID
	ordinal int
}

func (p place) compare(o place) int { return cmp.Or(cmp.Compare(p.pmid, o.pmid), p.ordinal-o.ordinal) }

// texts returns the words of each chunk of a document.
func texts(d *store.Document) [][]string {
	texts := make([][]string, len(d.Chunks))
	for i, c := range d.Chunks {
		for _, token := range c.Tokens {
			texts[i] = append(texts[i], token.Term)
		}
	}
	return texts
}

// After any puts, revisions, deletions and merges, a query finds exactly the chunks that match it,
// in this process and another.
func TestAQueryFindsWhatItMeans(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			rng, dir := rand.New(rand.NewPCG(seed, 77)), t.TempDir()
			s := openCorpus(t, dir, false)
			other := openCorpus(t, dir, true)
			there := map[record.PMID]*store.Document{}
			for round := range 24 { // more segments than can stay unmerged
				commit(t, s, func(b *store.Batch) error {
					for range 8 {
						pmid := record.PMID(1 + rng.IntN(60))
						if rng.IntN(4) == 0 {
							b.Delete(pmid, "")
							delete(there, pmid)
							continue
						}
						var chunks []store.Chunk
						abstract := ""
						for i := range 1 + rng.IntN(3) {
							text := drawText(rng)
							abstract += text + ". "
							chunks = append(chunks, chunk(text))
							chunks[i].ID = fmt.Sprint("w", i)
						}
						d := &store.Document{PMID: pmid, LR: fmt.Sprintf("%d-01-01", 1000+round), Abstract: abstract, Chunks: chunks,
							PDat: fmt.Sprint(2018 + rng.IntN(4)), PubTypes: [][]string{{"Review"}, {"Letter"}, {}}[rng.IntN(3)], Retracted: rng.IntN(3) == 0}
						if err := b.Put(d); err != nil {
							return err
						}
						there[pmid] = d
					}
					return nil
				})
				q := drawQuery(rng, 3)
				f := []store.Filter{{}, {From: "2019", To: "2020"}, {PubTypes: []string{"review"}}, {NotTypes: []string{"Letter"}, ExcludeRetracted: true}}[rng.IntN(4)]
				want, passing := []place{}, []record.PMID{}
				for pmid, d := range there {
					pass := (f.From == "" || d.PDat == "2019" || d.PDat == "2020") && (f.PubTypes == nil || slices.Contains(d.PubTypes, "Review")) &&
						(f.NotTypes == nil || !slices.Contains(d.PubTypes, "Letter") && !d.Retracted)
					if pass {
						passing = append(passing, pmid)
					}
					texts := texts(d)
					for i, text := range texts {
						if pass && matches(q, text, texts) {
							want = append(want, place{pmid, i})
						}
					}
				}
				slices.SortFunc(want, place.compare)
				slices.SortFunc(passing, func(a, b record.PMID) int {
					return cmp.Or(cmp.Compare(there[b].PDat, there[a].PDat), cmp.Compare(b, a))
				})
				for name, s := range map[string]*store.Store{"here": s, "another process": other} {
					hits, err := s.Search(t.Context(), q, f, 1000)
					if err != nil {
						t.Fatal(err)
					}
					got := []place{}
					for _, h := range hits {
						got = append(got, place{h.PMID, h.Ordinal})
					}
					if slices.SortFunc(got, place.compare); !reflect.DeepEqual(got, want) {
						t.Fatalf("round %d, %s: %+v, %+v found %v, want %v", round, name, q, f, got, want)
					}
					list, total, err := s.List(t.Context(), f, 1, 5)
					if err != nil {
						t.Fatal(err)
					}
					listed := []record.PMID{}
					for _, h := range list {
						listed = append(listed, h.PMID)
					}
					page := passing[min(1, len(passing)):min(6, len(passing))]
					if !slices.Equal(listed, page) || total != len(passing) {
						t.Fatalf("round %d, %s: %+v lists %v of %d, want %v of %d", round, name, f, listed, total, page, len(passing))
					}
				}
			}
			compareScores(t, s, there)
		})
	}
}

// compareScores compares the scores of a corpus with those of a new one of the same documents: revisions, deletions and
// merges leave no trace.
func compareScores(t *testing.T, s *store.Store, there map[record.PMID]*store.Document) {
	t.Helper()
	fresh := openCorpus(t, t.TempDir(), false)
	commit(t, fresh, func(b *store.Batch) error {
		for _, d := range there {
			if err := b.Put(d); err != nil {
				return err
			}
		}
		return nil
	})
	scores := func(s *store.Store, q store.Query) map[place]string {
		hits, err := s.Search(t.Context(), q, store.Filter{}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		scores := map[place]string{}
		for _, h := range hits {
			scores[place{h.PMID, h.Ordinal}] = fmt.Sprintf("%.5f", h.Score)
		}
		return scores
	}
	for _, word := range words {
		q := store.Or{store.Term{Text: word}, store.Prefix{Text: "att"}}
		if got, want := scores(s, q), scores(fresh, q); !reflect.DeepEqual(got, want) {
			t.Errorf("%s OR att*: after changes %v, in a new corpus %v", word, got, want)
		}
	}
}

func TestASearchThatWasCancelled(t *testing.T) {
	s := openCorpus(t, t.TempDir(), false)
	commit(t, s, func(b *store.Batch) error {
		return b.Put(&store.Document{PMID: 1, Chunks: []store.Chunk{chunk("heart attack")}})
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, q := range []store.Query{store.Term{Text: "heart"}, store.Prefix{Text: "hea"}, store.Not{Query: store.Term{Text: "mouse"}}} {
		if hits, err := s.Search(ctx, q, store.Filter{}, 10); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: %v, %v, want %v", q, hits, err, context.Canceled)
		}
	}
}
