package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// pathsOf returns the pages that the row of each document depends on: its own page, its overflow
// pages, and the inner pages that lead to it.
func pathsOf(t *testing.T, dir string) map[record.PMID][]int {
	t.Helper()
	s := openTest(t, dir, Options{ReadOnly: true})
	defer s.Close()
	r, err := s.db.Borrow(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.db.GiveBack(r, nil)
	var pmids []record.PMID
	err = r.Each("SELECT pmid FROM document ORDER BY pmid", nil, func(scan func(...any) error) error {
		var pmid record.PMID
		err := scan(&pmid)
		pmids = append(pmids, pmid)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	pages, paths := map[string]int{}, []string{} // in dbstat "/000/1c2/" is a leaf, and "/000/1c2/003+000000" an overflow page of its cell 3
	cells := map[string]int{}
	err = r.Each("SELECT path, pageno, pagetype, ncell FROM dbstat WHERE name='document' ORDER BY path", nil, func(scan func(...any) error) error {
		var path, kind string
		var page, n int
		err := scan(&path, &page, &kind, &n)
		if pages[path] = page; kind == "leaf" {
			paths, cells[path] = append(paths, path), n
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	of := map[record.PMID][]int{}
	for _, leaf := range paths {
		for cell := range cells[leaf] {
			pmid := pmids[0]
			pmids = pmids[1:]
			for path, page := range pages {
				if strings.HasPrefix(leaf, path) || strings.HasPrefix(path, fmt.Sprintf("%s%03x+", leaf, cell)) {
					of[pmid] = append(of[pmid], page)
				}
			}
		}
	}
	if len(pmids) > 0 || len(of) < 100 {
		t.Fatalf("%d documents are on pages, %d are not", len(of), len(pmids))
	}
	return of
}

// Whichever pages are damaged, the repaired corpus is intact, contains only what was stored, and
// has every document whose pages are intact.
func TestRepairKeepsEveryDocumentOnWholePages(t *testing.T) {
	t.Parallel()
	seeds := *drawn
	if testing.Short() {
		seeds = 2
	}
	whole := corpusToDamage(t, 5, false)
	paths := pathsOf(t, whole.dir)
	codes, copies := pagesOf(t, whole.dir, "code"), pagesOf(t, whole.dir, "page") // all documents need the codes
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 8))
			c, bad := whole, map[int]bool{}
			c.dir = t.TempDir()
			if err := os.CopyFS(c.dir, os.DirFS(whole.dir)); err != nil {
				t.Fatal(err)
			}
			edit(t, filepath.Join(c.dir, FileName), func(b []byte) []byte {
				for range 1 + rng.IntN(8) {
					n := 1 + rng.IntN(len(b)/rows.PageSize)
					bad[n] = true
					page := b[(n-1)*rows.PageSize : n*rows.PageSize]
					switch rng.IntN(3) {
					case 0:
						clear(page)
					case 1:
						for i := range page {
							page[i] = byte(rng.Uint32())
						}
					default:
						for range 1 + rng.IntN(30) {
							page[rng.IntN(len(page))] ^= byte(1 + rng.IntN(255))
						}
					}
				}
				return b
			})
			done, err := repairOf(c.dir).Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if done.DamagedFile == "" && done.FixedFaults == 0 { // the changed pages are not in use
				return
			}
			c.check(t, done)
			isBad := func(n int) bool { return bad[n] }
			if slices.ContainsFunc(codes, isBad) && slices.ContainsFunc(copies, isBad) {
				return
			}
			s := openTest(t, c.dir, Options{ReadOnly: true})
			defer s.Close()
			docs, err := s.DocumentsByPMID(t.Context(), keysOfMap(c.docs))
			if err != nil {
				t.Fatal(err)
			}
			for pmid := range c.docs {
				if !slices.ContainsFunc(paths[pmid], func(n int) bool { return n > 1 && bad[n] }) && docs[pmid] == nil {
					t.Errorf("pmid:%d is lost, on pages %v; damaged %v, %+v", pmid, paths[pmid], bad, done)
				}
			}
		})
	}
}
