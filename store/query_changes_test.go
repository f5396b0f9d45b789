package store

import (
	"reflect"
	"testing"

	"biomcp/entrez/record"
)

// A repair keeps the records of what is new for a key.
func TestRepairKeepsWhatIsNewForAKey(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	s := openTest(t, dir, Options{})
	for i, id := range []string{"sync_1", "sync_2"} {
		if err := s.StartJob(ctx, Job{ID: id, Key: "q", Term: "mushrooms"}); err != nil {
			t.Fatal(err)
		}
		commitTest(t, s, "q", synthetic(1), synthetic(record.PMID(2+i)))
		if i == 0 {
			if err := s.FinishJob(ctx, id, "{}"); err != nil {
				t.Fatal(err)
			}
		}
	}
	read := func(s *Store) (keys []QueryKey, kept []QueryDocument) {
		keys, err := s.QueryKeys(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if kept, err = s.QueryDocuments(ctx, "q", 0); err != nil {
			t.Fatal(err)
		}
		return keys, kept
	}
	keys, kept := read(s)
	if len(keys) != 1 || !keys[0].Unfinished || keys[0].Round <= keys[0].FinishedRound || len(kept) != 3 || kept[0].Added != keys[0].FinishedRound || kept[2].Added != keys[0].Round {
		t.Fatalf("%+v %+v", keys, kept)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r := repairOf(dir)
	r.Force = true
	if done, err := r.Run(ctx); err != nil || done.DamagedFile == "" {
		t.Fatalf("%+v, %v", done, err)
	}
	again := openTest(t, dir, Options{})
	if k, d := read(again); !reflect.DeepEqual(k, keys) || !reflect.DeepEqual(d, kept) {
		t.Errorf("after a repair %+v %+v", k, d)
	}
}
