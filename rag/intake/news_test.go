package intake

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store"
)

// The news of a key are the changes since its last sync, whichever sync has stored them.
func TestNewsOfAKey(t *testing.T) {
	bubble(t, func(r *rig) {
		want := func(report Report, n News) {
			t.Helper()
			if !reflect.DeepEqual(report.News, n) {
				r.t.Errorf("news %v, want %v", report.News, n)
			}
		}
		other := func() {
			if _, err := Delta(r.t.Context(), r.o, r.cl, Query{Key: "other", Term: "synthetic[tiab]", OverlapDays: 5}); err != nil {
				t.Fatal(err)
			}
		}
		want(r.sync(), News{Added: []record.PMID{1, 2, 3, 4}})
		want(r.sync(), News{})
		r.later(3)
		r.add(pubmedRecord{pmid: 2, lr: r.today(), title: "Synthetic revision"},
			pubmedRecord{pmid: 3, lr: r.today(), pubTypes: "Retracted Publication"},
			pubmedRecord{pmid: 9, edat: r.today()})
		other()
		want(r.sync(), News{Added: []record.PMID{9}, Changed: []record.PMID{2, 3}, Retracted: []record.PMID{3}})
		want(r.sync(), News{})
		k, ok, err := keyOf(t.Context(), r.o.Store, "k")
		if !ok || err != nil || k.Unfinished || k.FinishedRound != k.Round || k.Term != "synthetic[tiab]" || k.Finished == "" || k.LastEDAT == "" {
			t.Errorf("%+v %v %v", k, ok, err)
		}
		all, err := r.o.Store.QueryDocuments(t.Context(), "k", 0)
		if len(all) != 5 || err != nil {
			t.Errorf("%v %v", all, err)
		}
	}, many(1, 4)...)
}

// The news since any sync are the changes of all syncs from then on, so that a daily sync and a weekly
// list agree. The test draws histories of records and syncs and compares with what was drawn.
func TestNewsOverSeveralSyncs(t *testing.T) {
	t.Parallel()
	type round struct {
		start                     int64
		added, changed, retracted map[record.PMID]bool
	}
	for seed := range uint64(4) {
		bubble(t, func(r *rig) {
			draw := rand.New(rand.NewPCG(seed, 1))
			retracted := map[record.PMID]bool{}
			var rounds []round
			next := round{added: map[record.PMID]bool{1: true, 2: true, 3: true, 4: true},
				changed: map[record.PMID]bool{}, retracted: map[record.PMID]bool{}}
			last := record.PMID(4)
			for range 12 {
				r.later(1)
				for range draw.IntN(4) {
					n := record.PMID(1 + draw.IntN(int(last)+1)) // last+1 is a new record
					one := pubmedRecord{pmid: int(n), lr: r.today(), title: fmt.Sprintf("Synthetic revision %d", draw.Int())}
					if n > last {
						last, one.edat = n, r.today()
						next.added[n] = true
					} else {
						next.changed[n] = true
					}
					if !retracted[n] && draw.IntN(3) == 0 {
						retracted[n], next.retracted[n] = true, true
					}
					if retracted[n] {
						one.pubTypes = "Retracted Publication"
					}
					r.add(one)
				}
				if draw.IntN(3) == 0 {
					continue // a day without a sync
				}
				r.sync()
				k, _, err := keyOf(t.Context(), r.o.Store, "k")
				if err != nil {
					t.Fatal(err)
				}
				next.start = k.Round
				rounds = append(rounds, next)
				next = round{added: map[record.PMID]bool{}, changed: map[record.PMID]bool{}, retracted: map[record.PMID]bool{}}
			}
			for i := range rounds {
				all := round{added: map[record.PMID]bool{}, changed: map[record.PMID]bool{}, retracted: map[record.PMID]bool{}}
				for _, one := range rounds[i:] {
					maps.Copy(all.added, one.added)
					maps.Copy(all.changed, one.changed)
					maps.Copy(all.retracted, one.retracted)
				}
				maps.DeleteFunc(all.changed, func(n record.PMID, _ bool) bool { return all.added[n] })
				want := News{Added: slices.Sorted(maps.Keys(all.added)), Changed: slices.Sorted(maps.Keys(all.changed)),
					Retracted: slices.Sorted(maps.Keys(all.retracted))}
				got, err := NewsSince(t.Context(), r.o.Store, "k", rounds[i].start)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("seed %d, since sync %d of %d: got %v, want %v, %v", seed, i+1, len(rounds), got, want, err)
				}
			}
		}, many(1, 4)...)
	}
}

// keyOf is a query key that was synced or has a watermark; ok is false for another one.
func keyOf(ctx context.Context, s *store.Store, key string) (k store.QueryKey, ok bool, err error) {
	keys, err := s.QueryKeys(ctx)
	if i := slices.IndexFunc(keys, func(k store.QueryKey) bool { return k.Key == key }); i >= 0 {
		return keys[i], true, err
	}
	return k, false, err
}
