package intake

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/record"
)

var (
	histories   = flag.Int("histories", 100, "how many histories TestImportInAnyOrder draws")
	historySeed = flag.Uint64("history-seed", 1, "the seed of the first history")
)

// eachHistory runs the histories in groups that share a corpus, two groups at a time.
func eachHistory(t *testing.T, inGroup int, group func(t *testing.T, seeds []uint64)) {
	n := *histories
	if testing.Short() {
		n = min(n, 15)
	}
	var seeds []uint64
	for i := range n {
		seeds = append(seeds, *historySeed+uint64(i))
	}
	for part := range slices.Chunk(seeds, inGroup) {
		t.Run(fmt.Sprintf("seed %d", part[0]), func(t *testing.T) {
			t.Parallel()
			group(t, part)
		})
	}
}

// pubmedFile is a synthetic file of PubMed: its number, records and deletions.
type pubmedFile struct {
	number  int
	records []pubmedRecord
	deleted []int
}

func (f pubmedFile) name() string { return fmt.Sprintf("pubmed26n%04d.xml", f.number) }

// PubMed's files, with revisions, versions and deletions, lead to the same corpus
// in whatever order they are imported, even if some are imported again.
func TestImportInAnyOrder(t *testing.T) {
	t.Parallel()
	eachHistory(t, 50, func(t *testing.T, seeds []uint64) {
		o := options(t)
		o.NoVectors = true
		dir := t.TempDir()
		for i, seed := range seeds {
			rnd := rand.New(rand.NewPCG(seed, 1))
			files := drawFiles(rnd, 100*i)
			folder := filepath.Join(dir, fmt.Sprint(seed))
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			order := rnd.Perm(len(files))
			for range rnd.IntN(3) {
				order = append(order, rnd.IntN(len(files)))
			}
			var paths []string
			for _, f := range files {
				if err := os.WriteFile(filepath.Join(folder, f.name()), []byte(set(f.records, f.deleted...)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, n := range order {
				paths = append(paths, filepath.Join(folder, files[n].name()))
			}
			o.Now = func() time.Time { return clock.Add(time.Duration(i) * time.Minute) } // no two jobs begin at once
			o.batch = 1 + rnd.IntN(8)
			for part := range slices.Chunk(paths, 1+rnd.IntN(len(paths))) {
				importing(t, o, part...)
			}
			pmids := []record.PMID{}
			for n := range drawnPMIDs {
				pmids = append(pmids, record.PMID(100*i+n+1))
			}
			docs, err := o.Store.DocumentsByPMID(t.Context(), pmids)
			if err != nil {
				t.Fatal(err)
			}
			got := map[int]string{}
			for pmid, doc := range docs {
				got[int(pmid)] = doc.Title
			}
			if want := heldAfter(files); !maps.Equal(got, want) {
				t.Fatalf("seed %d: files\n%v\nin the order %v leave\n%v, want\n%v", seed, describe(files), order, got, want)
			}
			if err := os.RemoveAll(folder); err != nil {
				t.Fatal(err)
			}
		}
	})
}

const drawnPMIDs = 5

// drawFiles makes up to five files over a few PMIDs after base.
func drawFiles(rnd *rand.Rand, base int) []pubmedFile {
	files := make([]pubmedFile, 2+rnd.IntN(4))
	for i := range files {
		f := &files[i]
		f.number = i + 1
		onlyDeletes := rnd.IntN(5) == 0
		for n := range drawnPMIDs {
			pmid := base + n + 1
			switch k := rnd.IntN(10); {
			case k < 5 && !onlyDeletes:
				r := pubmedRecord{pmid: pmid, version: 1 + rnd.IntN(8)/7, lr: fmt.Sprintf("2026-03-%02d", 1+rnd.IntN(2*len(files)))}
				if rnd.IntN(2) == 0 { // as it should be: later files are newer
					r.lr = fmt.Sprintf("2026-03-%02d", 2*i+1+rnd.IntN(2))
				}
				r.title = fmt.Sprintf("Synthetic title %d from file %d", pmid, f.number)
				if rnd.IntN(3) == 0 { // a file that repeats what another one said
					r.title = fmt.Sprintf("Synthetic title %d of %s", pmid, r.lr)
				}
				f.records = append(f.records, r)
				if rnd.IntN(12) == 0 {
					f.deleted = append(f.deleted, pmid)
				}
			case k < 7:
				f.deleted = append(f.deleted, pmid)
			}
		}
		rnd.Shuffle(len(f.records), func(a, b int) { f.records[a], f.records[b] = f.records[b], f.records[a] })
	}
	return files
}

// heldAfter computes the corpus that the files should leave, from all of them at once: of each
// PMID the newest record, unless some deletion covers it.
func heldAfter(files []pubmedFile) map[int]string {
	type placed struct {
		pubmedRecord
		file int
	}
	newest := map[int]placed{}
	for _, f := range files {
		for _, r := range f.records {
			p, had := newest[r.pmid]
			if !had || cmp.Or(cmp.Compare(r.version, p.version), cmp.Compare(r.lr, p.lr), cmp.Compare(f.number, p.file)) > 0 {
				newest[r.pmid] = placed{r, f.number}
			}
		}
	}
	for _, f := range files {
		asOf := ""
		for _, r := range f.records {
			asOf = max(asOf, r.lr)
		}
		for _, pmid := range f.deleted {
			r, had := newest[pmid]
			if !had {
				continue
			}
			if asOf != "" && r.lr < asOf || (asOf == "" || r.lr == asOf) && r.file <= f.number {
				delete(newest, pmid)
			}
		}
	}
	titles := map[int]string{}
	for pmid, p := range newest {
		titles[pmid] = p.title
	}
	return titles
}

func describe(files []pubmedFile) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s:", f.name())
		for _, r := range f.records {
			fmt.Fprintf(&b, " %d (version %d, %s)", r.pmid, r.version, r.lr)
		}
		fmt.Fprintf(&b, " deletes %v\n", f.deleted)
	}
	return b.String()
}
