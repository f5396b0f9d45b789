package intake

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/entreztest"
	"biomcp/entrez/record"
)

// A record that one answer of the search leaves out is stored by the next run, and
// the watermark waits for it.
func TestAnIDThatTheSearchDropsIsFetchedByTheNextRun(t *testing.T) {
	bubble(t, func(r *rig) {
		if err := r.srv.Fail(entreztest.Fault{Endpoint: "esearch", Kind: entreztest.MissingUID, IDs: []string{"150"}}); err != nil {
			t.Fatal(err)
		}
		report, incomplete := r.fails()
		wantCounts(t, report, "299 inserted, 0 updated, 0 skipped, 0 deleted")
		var records *RecordsError
		if !errors.As(incomplete, &records) || records.Promised != 300 || records.Named != 299 {
			t.Errorf("causes %v", incomplete.Causes)
		}
		if !slices.Contains(report.Warnings, "NCBI promised 300 records, its search listed 299, 299 were fetched and 299 are in the corpus") {
			t.Errorf("warnings %q", report.Warnings)
		}
		r.fetchedIDs()
		wantCounts(t, r.sync(), "1 inserted, 0 updated, 0 skipped, 0 deleted")
		if got := r.fetchedIDs(); !slices.Equal(got, []string{"150"}) {
			t.Errorf("fetched %v", got)
		}
		r.wantWatermark("2024-05-11T06:00:00Z")
	}, many(1, 300)...)
}

// A record that NCBI indexes between two runs with a date of days ago is stored,
// although its PMID lies among those of the first run.
func TestABackDatedRecordBetweenTwoRuns(t *testing.T) {
	records := many(1, 400)
	bubble(t, func(r *rig) {
		whole := r.cl
		r.cl = choosy{whole, "300"}
		first, _ := r.fails()
		r.cl = whole
		r.later(1)
		r.add(pubmedRecord{pmid: 77, edat: "2024-05-11", crdt: "2024-05-11", lr: "2024-05-12"})
		if second := r.sync(); first.Inserted == 0 || first.Inserted+second.Inserted != 400 {
			t.Errorf("%s, then %s", counts(first), counts(second))
		}
		r.document(77)
	}, slices.DeleteFunc(records, func(r pubmedRecord) bool { return r.pmid == 77 })...)
}

// A slice of a large window that fails once is fetched by the next run.
func TestASliceThatFailsIsFetchedByTheNextRun(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("10,600 records")
	}
	records := many(1, 10_600)
	for i := 0; i < len(records); i += 18 {
		records[i].edat = "1900-03-01" // in a slice of their own, among the others by PMID
	}
	bubble(t, func(r *rig) {
		r.o.NoVectors = true
		if err := r.srv.Fail(entreztest.Fault{Endpoint: "esearch", Kind: entreztest.Error200, From: 3, Times: 1}); err != nil {
			t.Fatal(err)
		}
		first, _ := r.fails()
		if first.Inserted < 9000 || first.Inserted == 10_600 {
			t.Fatalf("the first run: %s", counts(first))
		}
		second := r.sync()
		if second.Inserted != 10_600-first.Inserted || len(pmids(t, r.o.Store)) != 10_600 {
			t.Errorf("%s, then %s", counts(first), counts(second))
		}
	}, records...)
}

// A watermark that is set by hand during a sync stays.
func TestAWatermarkSetByHandDuringASyncStays(t *testing.T) {
	const before, byHand = "2024-01-01T00:00:00Z", "2020-01-01T00:00:00Z"
	bubble(t, func(r *rig) {
		if err := r.o.Store.SetCheckpoint(t.Context(), "k", before); err != nil {
			t.Fatal(err)
		}
		r.cl = meanwhile{r.cl, func() {
			if err := r.o.Store.SetCheckpoint(t.Context(), "k", byHand); err != nil {
				t.Error(err)
			}
		}}
		report := r.sync()
		r.wantWatermark(byHand)
		if report.Watermark != byHand || !strings.Contains(strings.Join(report.Warnings, "\n"), "set to "+byHand+" by hand during the sync") {
			t.Errorf("watermark %s, warnings %q", report.Watermark, report.Warnings)
		}
	}, many(1, 10)...)
}

// A deletion that an older file lifts no more.
func TestAnOlderFileDoesNotBringADeletedCitationBack(t *testing.T) {
	o := options(t)
	files := map[string]string{
		"pubmed26n0001.xml": set([]pubmedRecord{{pmid: 5, lr: "2026-01-01"}}),
		"pubmed26n0002.xml": set([]pubmedRecord{{pmid: 5, lr: "2026-01-02"}}),
		"pubmed26n0003.xml": set([]pubmedRecord{{pmid: 6, lr: "2026-01-03"}}, 5),
	}
	dir := write(t, files)
	for _, name := range []string{"pubmed26n0001.xml", "pubmed26n0003.xml", "pubmed26n0002.xml"} {
		importing(t, o, dir+"/"+name)
	}
	if got := pmids(t, o.Store); !slices.Equal(got, []record.PMID{6}) {
		t.Errorf("left: %v", got)
	}
}
