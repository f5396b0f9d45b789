package intake

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/entreztest"
	"biomcp/entrez/record"
	"biomcp/store"
)

// A past is a drawn sequence of changes of PubMed, of which each day becomes an update file and
// a state of the simulated NCBI.
type past struct {
	*rig
	draw    *rand.Rand
	truth   map[int]pubmedRecord // records that PubMed has and that a sync has brought
	deleted []int
}

// day changes some records, on NCBI's side and as an update file, and returns its path.
func (h *past) day(n int) string {
	var changed []pubmedRecord
	var deleted []int
	next := len(h.truth) + len(h.deleted) + 1
	for range 1 + h.draw.IntN(3) { // new records
		changed = append(changed, pubmedRecord{pmid: next, edat: h.today(), lr: h.today()})
		next++
	}
	pmids := slices.Sorted(maps.Keys(h.truth))
	h.draw.Shuffle(len(pmids), func(i, j int) { pmids[i], pmids[j] = pmids[j], pmids[i] })
	for i, pmid := range pmids[:min(len(pmids), 5)] {
		one := h.truth[pmid]
		one.lr = h.today()
		switch (i + n) % 5 {
		case 0:
			deleted = append(deleted, pmid)
			delete(h.truth, pmid)
			continue
		case 1:
			one.title = fmt.Sprintf("Synthetic revision %d", n)
		case 2: // no longer in the query
			one.title, one.abstract = fmt.Sprintf("Natural revision %d", n), "Natural."
		case 3: // the queries of people exclude it from now on
			one.pubTypes = "Retracted Publication"
		case 4:
			one.edat = cmp.Or(one.edat, "2024-05-11")
		}
		changed = append(changed, one)
	}
	for _, one := range changed {
		h.truth[one.pmid] = one
	}
	h.deleted = append(h.deleted, deleted...)
	h.add(changed...)
	for _, pmid := range deleted {
		h.srv.Delete(fmt.Sprint(pmid))
	}
	name := fmt.Sprintf("pubmed26n%04d.xml", n)
	return filepath.Join(write(h.t, map[string]string{name: set(changed, deleted...)}), name)
}

// compare compares the corpus with PubMed's records.
func (h *past) compare(kind string, s *store.Store) {
	h.t.Helper()
	if got, want := len(pmids(h.t, s)), len(h.truth); got != want {
		h.t.Errorf("%s: the corpus holds %d documents; PubMed has %d of them", kind, got, want)
	}
	for _, pmid := range slices.Sorted(maps.Keys(h.truth)) {
		one := h.truth[pmid]
		doc, err := s.Document(h.t.Context(), record.PMID(pmid))
		if err != nil {
			h.t.Errorf("%s: %d: %v", kind, pmid, err)
			continue
		}
		if want := cmp.Or(one.title, fmt.Sprintf("Synthetic title %d", pmid)); doc.Title != want {
			h.t.Errorf("%s: title of %d: got %q, want %q", kind, pmid, doc.Title, want)
		}
		if want := one.pubTypes != ""; doc.Retracted != want {
			h.t.Errorf("%s: retracted of %d: got %t, want %t", kind, pmid, doc.Retracted, want)
		}
	}
	for _, pmid := range h.deleted {
		if _, err := s.Document(h.t.Context(), record.PMID(pmid)); !store.IsKind(err, store.NotFound) {
			h.t.Errorf("%s: deleted record %d: %v, want not found", kind, pmid, err)
		}
	}
}

// After records were added, revised, retracted and deleted over several syncs, a corpus holds what
// PubMed has, by whatever kind of sync it is kept.
func TestHistory(t *testing.T) {
	kinds := []struct {
		name, term     string
		deltas, files  bool // which syncs keep the corpus
		everySecondDay bool
	}{
		{name: "delta", term: "synthetic[tiab]", deltas: true},
		{name: "delta of a term that excludes retracted records", deltas: true,
			term: `synthetic[tiab] NOT "retracted publication"[pt]`},
		{name: "delta every second day", term: "synthetic[tiab]", deltas: true, everySecondDay: true},
		{name: "update files", files: true},
		{name: "delta and update files", term: "synthetic[tiab]", deltas: true, files: true},
	}
	for _, kind := range kinds {
		for seed := range uint64(3) {
			bubble(t, func(r *rig) {
				r.o.NoVectors = true
				r.q.Term = kind.term
				h := &past{rig: r, draw: rand.New(rand.NewPCG(seed, 7)), truth: map[int]pubmedRecord{}}
				for n := 1; n <= 8; n++ {
					file := h.day(n)
					if kind.files {
						importing(t, r.o, file)
					}
					if kind.deltas && (!kind.everySecondDay || n < 2 || n%2 == 0) {
						r.sync()
					}
					r.later(1)
				}
				h.compare(kind.name, r.o.Store)
			})
		}
	}
}

// A delta names the records that it removes because PubMed has them no more, and a failure of this
// check neither removes one nor holds the watermark.
func TestDeltaNamesDeletedRecords(t *testing.T) {
	faults := []struct {
		name  string
		fault entreztest.Fault
		stays bool
		warns string
	}{
		{name: "no fault", warns: "PubMed no longer has 1 record of this query: 3; removed from the corpus"},
		{name: "EFetch fails", stays: true, warns: "it is unknown whether PubMed deleted documents of this query: ",
			fault: entreztest.Fault{Endpoint: "efetch", Kind: entreztest.Error200, Times: -1}},
		{name: "the search for the PMID fails", stays: true,
			warns: "it is unknown whether PubMed deleted documents of this query: ",
			fault: entreztest.Fault{Endpoint: "esearch", Kind: entreztest.Error200, From: 4, Times: -1}},
	}
	for _, test := range faults {
		bubble(t, func(r *rig) {
			r.sync()
			r.later(30)
			if err := r.o.Store.SetCheckpoint(t.Context(), "k", rfc3339(r.now)); err != nil { // the window is empty
				t.Fatal(err)
			}
			r.srv.Delete("3")
			if test.stays {
				if err := r.srv.Fail(test.fault); err != nil {
					t.Fatal(err)
				}
			}
			report := r.sync()
			if all := strings.Join(report.Warnings, "\n"); !strings.Contains(all, test.warns) {
				t.Errorf("%s: warnings %q, want one with %q", test.name, all, test.warns)
			}
			if got := slices.Contains(pmids(t, r.o.Store), 3); got != test.stays {
				t.Errorf("%s: the document is in the corpus: %t, want %t", test.name, got, test.stays)
			}
			if test.stays {
				r.srv.ClearFaults()
				if got := r.sync(); got.Deleted != 1 {
					t.Errorf("%s: the next sync deleted %d documents, want 1", test.name, got.Deleted)
				}
			}
		}, many(1, 10)...)
	}
}

// A delta does not fetch thousands of documents again that a former term brought, and says so.
func TestDeltaOfAnotherTermFetchesNoCrowd(t *testing.T) {
	bubble(t, func(r *rig) {
		r.o.NoVectors = true
		r.sync()
		r.later(30)
		r.q.Term = "record1[tiab]"
		report := r.sync()
		want := fmt.Sprintf("the query no longer finds %d documents", maxStrays+1)
		if all := strings.Join(report.Warnings, "\n"); !strings.Contains(all, want) {
			t.Errorf("warnings %q, want one with %q", all, want)
		}
		if got := len(pmids(t, r.o.Store)); got != maxStrays+2 {
			t.Errorf("%d documents, want %d", got, maxStrays+2)
		}
	}, many(1, maxStrays+2)...)
}
