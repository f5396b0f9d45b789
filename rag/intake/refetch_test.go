package intake

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"biomcp/entrez/record"
	"biomcp/store"
)

var damages = flag.Uint64("damages", 24, "how many damages TestRefetchMakesTheCorpusEqual draws")

// recordsOf are all documents of a corpus, without our version of them.
func recordsOf(t *testing.T, s *store.Store) map[record.PMID]store.Document {
	t.Helper()
	docs := map[record.PMID]store.Document{}
	for d, err := range s.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		d.Version = 0
		docs[d.PMID] = *d
	}
	return docs
}

// Whichever part of the file is damaged, after a repair and fetching the lost records the
// corpus has its original content, and no check finds a fault.
func TestRefetchMakesTheCorpusEqual(t *testing.T) {
	t.Parallel()
	const pageSize = 8192
	bubble(t, func(r *rig) {
		r.o.NoVectors = true
		dir := t.TempDir()
		r.o.Store = openStore(t, dir)
		r.sync()
		whole := recordsOf(t, r.o.Store)
		if len(whole) != 300 {
			t.Fatal(len(whole))
		}
		read := func(suffix string) []byte {
			b, err := os.ReadFile(filepath.Join(dir, store.FileName+suffix))
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		open, journal := read(""), read("-wal") // as a process left them that was killed
		if err := r.o.Store.Close(); err != nil {
			t.Fatal(err)
		}
		original := read("")
		pages, harmed, again, mended, synced, reset := len(original)/pageSize, 0, 0, 0, 0, 0
		if testing.Short() {
			*damages = min(*damages, 4)
		}
		for seed := range *damages {
			rng := rand.New(rand.NewPCG(seed, 31))
			b := slices.Clone(original)
			at := rng.IntN(pages)
			page := b[at*pageSize : (at+1)*pageSize]
			kind := rng.IntN(6)
			var wal []byte
			switch kind {
			case 0:
				clear(page)
			case 1:
				page[rng.IntN(pageSize)] ^= 1 << rng.IntN(8)
			case 2:
				other := b[rng.IntN(pages)*pageSize:][:pageSize]
				kept := slices.Clone(page)
				copy(page, other)
				copy(other, kept)
			case 3:
				b = b[:max(len(b)*3/4, at*pageSize)]
			case 4:
				for range 1 + rng.IntN(20) {
					b[rng.IntN(len(b))] ^= byte(1 + rng.IntN(255))
				}
			case 5:
				b, wal = open, slices.Clone(journal)
				wal[rng.IntN(len(wal))] ^= 1 << rng.IntN(8)
			}
			what := fmt.Sprintf("damage %d of kind %d at page %d of %d", seed, kind, at+1, pages)
			folder := filepath.Join(dir, fmt.Sprint(seed))
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			err := os.WriteFile(filepath.Join(folder, store.FileName), b, 0o600)
			if err == nil && wal != nil {
				err = os.WriteFile(filepath.Join(folder, store.FileName+"-wal"), wal, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			done, err := Repair(t.Context(), folder, func() time.Time { return r.now }, false, nil)
			if err != nil {
				t.Errorf("%s: repair: %v", what, err)
				continue
			}
			if done.DamagedFile != "" || done.FixedFaults > 0 {
				harmed++
			}
			if done.FixedFaults > 0 {
				mended++
			}
			s, err := store.Open(t.Context(), store.Options{Dir: folder})
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			o := r.o
			o.Store = s
			fetched, err := Refetch(r.t.Context(), o, r.cl)
			if err != nil || len(fetched.Missing) > 0 {
				t.Errorf("%s: fetching again: %+v, %v", what, fetched, err)
			}
			again += fetched.Stored
			if len(done.Losses.QueryKeys) > 0 { // the next sync of a query that lost documents fetches all
				if _, err := Delta(r.t.Context(), o, r.cl, r.q); err != nil {
					t.Errorf("%s: syncing a query that lost documents: %v", what, err)
				}
				if left, err := s.Outstanding(t.Context()); err != nil || len(left.QueryKeys) > 0 {
					t.Errorf("%s: after that sync outstanding: got %+v, %v, want none", what, left.QueryKeys, err)
				}
				reset++
			}
			if done.Losses.Journal > 0 || done.Losses.Records > int64(len(done.Losses.PMIDs)) || wal != nil && len(recordsOf(t, s)) < len(whole) {
				// PMIDs are not known: the query is synced from its beginning, as the notice of the
				// command says. The end of a journal that is cut off is as if it had not been written.
				if err := s.SetCheckpoint(t.Context(), r.q.Key, "1900-01-01T00:00:00Z"); err != nil {
					t.Fatal(err)
				}
				if _, err := Delta(r.t.Context(), o, r.cl, r.q); err != nil {
					t.Errorf("%s: syncing again: %v", what, err)
				}
				synced++
			}
			if now := recordsOf(t, s); !reflect.DeepEqual(now, whole) {
				t.Errorf("%s: %d documents, of %d; %+v", what, len(now), len(whole), done.Losses)
			}
			if _, err := s.Check(t.Context(), store.CheckOptions{Deep: true}); err != nil {
				t.Errorf("%s: afterwards: %v", what, err)
			}
			hits, err := s.Search(t.Context(), store.All{}, store.Filter{}, 1000)
			if edat, _, marked := s.Checkpoint(t.Context(), r.q.Key); err != nil || marked != nil || len(hits) < len(whole) || edat == "" {
				t.Errorf("%s: %d hits, watermark %q, %v, %v", what, len(hits), edat, err, marked)
			}
			list, err := s.QueryDocuments(t.Context(), r.q.Key, 0)
			if err != nil || len(list) != len(whole) {
				t.Errorf("%s: documents of the query: got %d, %v, want %d", what, len(list), err, len(whole))
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		t.Logf("%d of %d damages were noticed, %d mended in place, the others changed nothing; %d records were fetched again, %d times the query was, and %d times its watermark was reset", harmed, *damages, mended, again, synced, reset)
	}, many(1, 300)...)
}

// A record that cannot be read is in the file that brought it: of a folder that was imported
// the next import reads that file again, and no other.
func TestAFileBringsBackWhatIsLost(t *testing.T) {
	for _, column := range []string{"body", "hash"} {
		t.Run(column, func(t *testing.T) {
			o := options(t)
			folder, dir := write(t, map[string]string{
				"pubmed26n0001.xml": set(many(1, 40)), "pubmed26n0002.xml": set(many(41, 40)), "pubmed26n0003.xml": set(many(81, 40)),
			}), t.TempDir()
			o.Store = openStore(t, dir)
			importing(t, o, folder)
			whole := recordsOf(t, o.Store)
			if err := o.Store.Close(); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, store.FileName)
			b, err := os.ReadFile(path)
			db, failed := sql.Open("sqlite", "file:"+path+"?mode=ro")
			var body []byte
			var hash int64
			if failed == nil {
				failed = errors.Join(db.QueryRow("SELECT body, hash FROM document WHERE pmid=50").Scan(&body, &hash), db.Close())
			}
			at := bytes.Index(b, body) + len(body)/2
			if column == "hash" {
				at = bytes.Index(b, binary.BigEndian.AppendUint64(nil, uint64(hash)))
			}
			if err = errors.Join(err, failed); err != nil || at < 0 {
				t.Fatal(at, err)
			}
			b[at] ^= 1
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			done, err := Repair(t.Context(), dir, o.Now, false, nil)
			if err != nil || done.FixedFaults == 0 || !slices.Equal(done.Losses.PMIDs, []record.PMID{50}) {
				t.Fatalf("%+v, %v", done, err)
			}
			o.Store = openStore(t, dir)
			r := importing(t, o, folder)
			wantCounts(t, r, "1 inserted, 0 updated, 39 skipped, 0 deleted")
			if now := recordsOf(t, o.Store); !reflect.DeepEqual(now, whole) {
				t.Errorf("%d documents, of %d", len(now), len(whole))
			}
		})
	}
}
