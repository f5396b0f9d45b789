package store

import (
	"reflect"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store/rows"
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

// A batch adds its new documents to the stored number of a query key and does not count the others again,
// so that lost rows stay noticed. It counts all documents only if no number is stored.
func TestDocumentsOfAKeyAreCountedOnce(t *testing.T) {
	s, ctx := openTest(t, t.TempDir(), Options{}), t.Context()
	if err := s.StartJob(ctx, Job{ID: "sync_1", Key: "q", Term: "mushrooms"}); err != nil {
		t.Fatal(err)
	}
	stored := func() (n int64) {
		err := s.db.Read(ctx, "test", func(r *rows.Conn) error { return r.Meta(keptMeta+"q", &n) })
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	deleted := s.Begin("q")
	if err := deleted.Put(synthetic(5)); err != nil {
		t.Fatal(err)
	}
	deleted.Delete(5, "")
	for _, step := range []struct {
		name   string
		change func() error
		want   int64
		damage bool
	}{
		{"new", func() error { commitTest(t, s, "q", synthetic(1), synthetic(2), synthetic(2)); return nil }, 2, false},
		{"new and known", func() error { commitTest(t, s, "q", synthetic(2), synthetic(3)); return nil }, 3, false},
		{"of another key", func() error { commitTest(t, s, "other", synthetic(4)); return nil }, 3, false},
		{"deleted", func() error { _, err := deleted.Commit(ctx); return err }, 3, false},
		{"known to the corpus", func() error { commitTest(t, s, "q", synthetic(4)); return nil }, 4, false},
		{"no stored number", func() error {
			err := s.db.Exec(ctx, "test", "DELETE FROM meta WHERE key='kept q'")
			commitTest(t, s, "q", synthetic(4), synthetic(6))
			return err
		}, 5, false},
		{"a lost row", func() error {
			err := s.db.Exec(ctx, "test", "DELETE FROM kept WHERE pmid=1")
			commitTest(t, s, "q", synthetic(7))
			return err
		}, 6, true},
	} {
		if err := step.change(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if got := stored(); got != step.want {
			t.Errorf("%s: the stored number is %d, want %d", step.name, got, step.want)
		}
		_, err := s.Check(ctx, CheckOptions{Deep: true})
		if got := IsKind(err, Corrupt); got != step.damage || err != nil && !got {
			t.Errorf("%s: a check finds damage: got %v (%v), want %v", step.name, got, err, step.damage)
		}
	}
}
