package store

import (
	"os"
	"path/filepath"
	"testing"

	"biomcp/store/rows"
)

// clearPages clears the pages of tables.
func clearPages(t *testing.T, dir, tables string) {
	t.Helper()
	pages := pagesOf(t, dir, tables)
	edit(t, filepath.Join(dir, FileName), func(b []byte) []byte {
		for _, n := range pages {
			clear(b[(n-1)*rows.PageSize : n*rows.PageSize])
		}
		return b
	})
}

// If documents of query keys are lost, their watermarks are removed, so that the next sync fetches
// all, and the loss is outstanding until such a sync has finished or the loss is accepted.
func TestLostDocumentsOfAQueryKeyResetItsWatermark(t *testing.T) {
	t.Parallel()
	for _, tables := range []string{"kept", "source sqlite_autoindex_source_1"} {
		t.Run(tables, func(t *testing.T) {
			c := corpusToDamage(t, 3, false)
			clearPages(t, c.dir, tables)
			done, err := repairOf(c.dir).Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "query keys that lost documents", len(done.Losses.QueryKeys), 3)
			s := openTest(t, c.dir, Options{})
			defer s.Close()
			for key, want := range map[string]bool{"key 0": false, "key 1": false, "key 2": false, "k": true} {
				if _, has, err := s.Checkpoint(t.Context(), key); err != nil || has != want {
					t.Errorf("%s has a watermark: got %v, %v, want %v", key, has, err, want)
				}
			}
			o, err := s.Outstanding(t.Context())
			if err != nil || len(o.QueryKeys) != 3 {
				t.Errorf("outstanding: got %+v, %v, want 3 query keys", o, err)
			}
			if err := s.StartJob(t.Context(), Job{ID: "again", Key: "key 0", Term: "term"}); err != nil {
				t.Fatal(err)
			}
			if err := s.FinishJob(t.Context(), "again", ""); err != nil {
				t.Fatal(err)
			}
			if o, err = s.Outstanding(t.Context()); err != nil || len(o.QueryKeys) > 3 {
				t.Errorf("outstanding after a sync: got %+v, %v", o, err)
			}
			if err := s.AcceptLosses(t.Context()); err != nil {
				t.Fatal(err)
			}
			if o, err = s.Outstanding(t.Context()); err != nil || o.Any() {
				t.Errorf("outstanding after they were accepted: got %+v, %v, want none", o, err)
			}
		})
	}
}

// A deletion whose record was lost still holds: an older file does not bring the record back, and a
// newer one does.
func TestADeletionOutlivesItsLostRecord(t *testing.T) {
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	put := func(file FileNumber, lr string) (done CommitResult) {
		t.Helper()
		d := synthetic(7)
		d.LR = lr
		b := s.Begin("files").FromFile(file)
		if err := b.Put(d); err != nil {
			t.Fatal(err)
		}
		done, err := b.Commit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	put(260001, "2024-06-01T00:00:00Z")
	b := s.Begin("files").FromFile(260002)
	b.Delete(7, "2024-06-02T00:00:00Z")
	if _, err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	clearPages(t, dir, "document")
	done, err := repairOf(dir).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "lost records", done.Losses.Records, 1)
	s = openTest(t, dir, Options{})
	defer s.Close()
	equal(t, "records that an old file brings back", put(260001, "2024-06-01T00:00:00Z").Inserted, 0)
	equal(t, "records that a newer file brings", put(260003, "2024-06-03T00:00:00Z").Inserted, 1)
	if o, err := s.Outstanding(t.Context()); err != nil || len(o.PMIDs) > 0 {
		t.Errorf("outstanding: got %v, %v, want none", o.PMIDs, err)
	}
	if _, err := os.Stat(filepath.Join(dir, done.DamagedFile)); err != nil || done.DamagedFile == "" {
		t.Errorf("the damaged file %q was not kept: %v", done.DamagedFile, err)
	}
}
