package intake

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store"
	"biomcp/store/disk/disktest"
)

// repairAll repairs the corpus in a folder, and fetches the lost records again.
func (r *rig) repairAll(dir string) (*store.Store, error) {
	if _, err := Repair(r.t.Context(), dir, r.o.Now, false, nil); err != nil {
		return nil, err
	}
	s, err := store.Open(r.t.Context(), store.Options{Dir: dir, Now: r.o.Now})
	if err != nil {
		return nil, err
	}
	o := r.o
	o.Store, o.block = s, 10
	_, err = Refetch(r.t.Context(), o, r.cl)
	return s, err
}

// A process that repairs a corpus and fetches lost records is killed or runs out of disk space
// at any write. The next process completes the repair, and then nothing is missing.
func TestRepairOnADiskThatEnds(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("repairs in one goroutine, once for each write")
	}
	const pageSize = 8192
	bubble(t, func(r *rig) {
		t = r.t
		r.o.NoVectors = true
		original := filepath.Join(t.TempDir(), "original")
		r.o.Store = openStore(t, original)
		r.sync()
		whole := recordsOf(t, r.o.Store)
		if err := r.o.Store.Close(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(original, store.FileName))
		if err != nil {
			t.Fatal(err)
		}
		harmed := func(at, n int) string { // a copy of the corpus with n bytes zeroed
			dir, damaged := filepath.Join(t.TempDir(), "data"), slices.Clone(b)
			clear(damaged[at:][:n])
			if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, store.FileName), damaged, 0o600)); err != nil {
				t.Fatal(err)
			}
			return dir
		}
		for name, zeros := range map[string]int{"mended": 8, "rebuilt": pageSize} {
			at := pageSize // the first place of records
			for ; ; at += pageSize / 2 {
				done, err := Repair(t.Context(), harmed(at, zeros), r.o.Now, false, nil)
				if err != nil {
					t.Fatal(err)
				}
				if len(done.Losses.PMIDs) > 0 && (name == "mended") == (done.FixedFaults > 0) {
					break
				}
			}
			dir := harmed(at, zeros)
			d := disktest.Watch(t, dir)
			s, err := r.repairAll(dir)
			if err != nil {
				t.Fatal(err)
			}
			writes := d.Writes()
			r.equal(name, s, whole)
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			for n := 1; n <= writes; n += 1 + n/3 {
				full := n%2 == 0
				dir, what := harmed(at, zeros), fmt.Sprintf("%s, write %d of %d, full %v", name, n, writes, full)
				d := disktest.Watch(t, dir)
				if full {
					d.FullAt(n, 1000)
				} else {
					d.KillAt(n, dir+".killed")
				}
				s, err := r.repairAll(dir)
				if s != nil {
					_ = s.Close() // the process was killed
				}
				if d.Killed() {
					dir += ".killed"
				} else if full && err != nil && !store.IsKind(err, store.Full) && !errors.As(err, new(*Incomplete)) {
					t.Errorf("%s: %v", what, err)
				}
				d.Reset()
				if s, err = r.repairAll(dir); err != nil {
					t.Errorf("%s, and then: %v", what, err)
					continue
				}
				r.equal(what, s, whole)
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
			if testing.Verbose() {
				t.Logf("%s: %d writes", name, writes)
			}
			if writes < 20 {
				t.Errorf("%s: %d writes", name, writes)
			}
		}
	}, many(1, 60)...)
}

// equal checks that a corpus has its original content and no fault.
func (r *rig) equal(what string, s *store.Store, whole map[record.PMID]store.Document) {
	r.t.Helper()
	ctx := context.Background()
	if now := recordsOf(r.t, s); !reflect.DeepEqual(now, whole) {
		r.t.Errorf("%s: %d documents, of %d", what, len(now), len(whole))
	}
	if _, err := s.Check(ctx, store.CheckOptions{Deep: true}); err != nil {
		r.t.Errorf("%s: %v", what, err)
	}
	if edat, _, err := s.Checkpoint(ctx, r.q.Key); err != nil || edat == "" {
		r.t.Errorf("%s: watermark %q, %v", what, edat, err)
	}
	if lost, err := s.LostRecords(ctx); err != nil || len(lost) > 0 {
		r.t.Errorf("%s: lost %v, %v", what, lost, err)
	}
}
