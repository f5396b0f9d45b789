package intake

import (
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

// Whatever of the file is damaged: after a repair, and fetching again what that has lost,
// the corpus is what it was, and no check finds a fault.
func TestRefetchMakesTheCorpusEqual(t *testing.T) {
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
		if err := r.o.Store.Close(); err != nil {
			t.Fatal(err)
		}
		original, err := os.ReadFile(filepath.Join(dir, store.FileName))
		if err != nil {
			t.Fatal(err)
		}
		pages, harmed, again := len(original)/pageSize, 0, 0
		for seed := range *damages {
			rng := rand.New(rand.NewPCG(seed, 31))
			b := slices.Clone(original)
			at := rng.IntN(pages)
			page := b[at*pageSize : (at+1)*pageSize]
			kind := rng.IntN(4)
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
			}
			what := fmt.Sprintf("damage %d of kind %d at page %d of %d", seed, kind, at+1, pages)
			folder := filepath.Join(dir, fmt.Sprint(seed))
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, store.FileName), b, 0o600); err != nil {
				t.Fatal(err)
			}
			done, err := Repair(t.Context(), folder, func() time.Time { return r.now }, false, nil)
			if err != nil {
				t.Errorf("%s: repair: %v", what, err)
				continue
			}
			if done.Kept != "" {
				harmed++
			}
			s, err := store.Open(t.Context(), store.Options{Dir: folder})
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			o := r.o
			o.Store = s
			fetched, err := Refetch(t.Context(), o, r.cl)
			if err != nil || len(fetched.Lost) > 0 {
				t.Errorf("%s: fetching again: %+v, %v", what, fetched, err)
			}
			again += fetched.Stored
			if now := recordsOf(t, s); !reflect.DeepEqual(now, whole) {
				t.Errorf("%s: %d documents, of %d; %+v", what, len(now), len(whole), done.Lost)
			}
			if _, err := s.Check(t.Context(), store.Checking{Deep: true}); err != nil {
				t.Errorf("%s: afterwards: %v", what, err)
			}
			hits, err := s.Search(t.Context(), store.All{}, store.Filter{}, 1000)
			if edat, _, marked := s.Checkpoint(t.Context(), r.q.Key); err != nil || marked != nil || len(hits) < len(whole) || edat == "" {
				t.Errorf("%s: %d hits, watermark %q, %v, %v", what, len(hits), edat, err, marked)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		t.Logf("%d of %d damages were noticed, the others changed nothing; %d records were fetched again", harmed, *damages, again)
	}, many(1, 300)...)
}
