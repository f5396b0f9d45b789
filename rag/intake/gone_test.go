package intake

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/entreztest"
	"biomcp/entrez/record"
)

// wantWarning checks that exactly one warning of a report has a text, or none if want is false.
func wantWarning(t *testing.T, report Report, text string, want bool) {
	t.Helper()
	n := 0
	for _, w := range report.Warnings {
		if strings.Contains(w, text) {
			n++
		}
	}
	if want && n != 1 || !want && n > 0 {
		t.Errorf("%d warnings have %q, want one: %t: %q", n, text, want, report.Warnings)
	}
}

// A complete delta names the documents that its query no longer finds: those that PubMed deleted
// and those that a revision took out of the query. It removes none of them.
func TestDeltaNamesDocumentsThatAreGone(t *testing.T) {
	const deleted, revised = "PubMed no longer has ", "this query no longer finds "
	bubble(t, func(r *rig) {
		r.o.NoVectors = true
		first := r.sync()
		wantWarning(t, first, deleted, false)
		wantWarning(t, first, revised, false)
		r.later(30) // the window holds none of the records
		noError(t, r.o.Store.SetCheckpoint(t.Context(), "k", rfc3339(r.now)))
		r.srv.Delete("3", "7")
		r.srv.Delete("5")
		r.add(pubmedRecord{pmid: 5, title: "Natural", abstract: "Natural"})
		// A new record makes up for one that is gone.
		r.add(pubmedRecord{pmid: 100, edat: r.today()})
		for range 2 { // as long as they are in the corpus
			report := r.sync()
			wantWarning(t, report, deleted+"2 documents of this query: 3, 7. ", true)
			wantWarning(t, report, revised+"1 document ", true)
			wantWarning(t, report, "biomcp get article 5", true)
			wantEqual(t, "deleted", report.Deleted, 0)
		}
		if got := pmids(t, r.o.Store); len(got) != 11 {
			t.Errorf("documents %v, want all 11", got)
		}
		got, err := Deleted(t.Context(), r.o.Store)
		if err != nil || !slices.Equal(got, []record.PMID{3, 7}) {
			t.Errorf("deleted: %v, %v, want 3 and 7", got, err)
		}

		// One comes back.
		r.add(pubmedRecord{pmid: 3, edat: r.today()})
		wantWarning(t, r.sync(), deleted+"1 document of this query: 7. ", true)
		// An update file deletes the other.
		importing(t, r.o, write(t, map[string]string{"u.xml": set(many(200, 1), 7)}))
		wantWarning(t, r.sync(), deleted, false)
	}, many(1, 10)...)
}

// A search that fails or lists other records than it counts proves no deletion.
func TestDeltaWithoutKnowledgeNamesNoDeletion(t *testing.T) {
	for name, fault := range map[string]entreztest.Fault{
		"the last search fails":  {Endpoint: "esearch", Kind: entreztest.Error200, From: 3, Times: -1},
		"it lists fewer records": {Endpoint: "esearch", Kind: entreztest.LyingCount, Extra: 3, From: 3, Times: -1},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.o.NoVectors = true
				r.sync()
				r.later(30)
				noError(t, r.o.Store.SetCheckpoint(t.Context(), "k", rfc3339(r.now)))
				r.srv.Delete("3")
				noError(t, r.srv.Fail(fault))
				report := r.sync()
				wantWarning(t, report, "it is unknown whether PubMed deleted 1 document that the query no longer finds: ", true)
				wantWarning(t, report, "no longer has", false)
			}, many(1, 10)...)
		})
	}
}

// Of a query that finds more records than one reply lists, the numbers tell that some are gone. A
// delta of the whole query names them.
func TestDeltaCountsDocumentsThatAreGone(t *testing.T) {
	if testing.Short() {
		t.Skip("10,500 records")
	}
	bubble(t, func(r *rig) {
		r.o.NoVectors = true
		r.sync()
		r.later(30)
		noError(t, r.o.Store.SetCheckpoint(t.Context(), "k", rfc3339(r.now)))
		r.srv.Delete("3", "7")
		report := r.sync()
		wantWarning(t, report, "the corpus holds 10500 documents of this query and PubMed finds 10498: at least 2 were ", true)
		wantEqual(t, "unlisted", report.Unlisted, 2)
		noError(t, r.o.Store.SetCheckpoint(t.Context(), "k", "1900-01-01T00:00:00Z"))
		wantWarning(t, r.sync(), "PubMed no longer has 2 documents of this query: 3, 7. ", true)
	}, many(1, 10500)...)
}

// A delta of another term names a few of the documents that only the former term finds.
func TestDeltaOfAnotherTerm(t *testing.T) {
	bubble(t, func(r *rig) {
		r.o.NoVectors = true
		r.sync()
		r.later(30)
		r.q.Term = "record1[tiab]"
		wantWarning(t, r.sync(), fmt.Sprintf("this query no longer finds %d documents ", 299), true)
	}, many(1, 300)...)
}
