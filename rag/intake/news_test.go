package intake

import (
	"context"
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

// keyOf is a query key that was synced or has a watermark; ok is false for another one.
func keyOf(ctx context.Context, s *store.Store, key string) (k store.QueryKey, ok bool, err error) {
	keys, err := s.QueryKeys(ctx)
	if i := slices.IndexFunc(keys, func(k store.QueryKey) bool { return k.Key == key }); i >= 0 {
		return keys[i], true, err
	}
	return k, false, err
}
