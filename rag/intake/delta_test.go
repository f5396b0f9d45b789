package intake

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/record"
	"biomcp/store"
)

// rig is a corpus and a simulated NCBI. It lives in a synctest bubble, where the
// client's pace costs no time.
type rig struct {
	t   *testing.T
	srv *entreztest.Server
	o   Options
	cl  NCBI
	now time.Time
	q   Query
}

// bubble runs f with a rig in its own bubble.
func bubble(t *testing.T, f func(*rig), records ...pubmedRecord) {
	t.Helper()
	t.Context().Done() // f may use it, and what is made in a bubble cannot be closed outside
	synctest.Test(t, func(t *testing.T) {
		r := &rig{t: t, now: clock, q: Query{Key: "k", Term: "synthetic[tiab]", OverlapDays: DefaultOverlapDays}}
		var err error
		r.srv, err = entreztest.Start(entreztest.WithoutNetwork(), entreztest.NoLimit(), entreztest.Clock(func() time.Time { return r.now }))
		if err != nil {
			t.Fatal(err)
		}
		defer r.srv.Close()
		r.add(records...)
		r.o = Options{Store: openStore(t, t.TempDir()), Now: func() time.Time { return r.now }}
		cfg := r.srv.Config()
		cfg.MaxRetries = 1
		network, err := httpclient.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		r.cl = entrez.New(network)
		f(r)
	})
}

func (r *rig) add(records ...pubmedRecord) {
	r.t.Helper()
	if len(records) > 0 {
		if err := r.srv.Add(strings.NewReader(set(records))); err != nil {
			r.t.Fatal(err)
		}
	}
}

// sync runs a delta that must succeed.
func (r *rig) sync() Report {
	r.t.Helper()
	report, err := Delta(r.t.Context(), r.o, r.cl, r.q)
	if err != nil {
		r.t.Fatalf("%v (%q)", err, report.Warnings)
	}
	r.adds(report)
	return report
}

// fails runs a delta that must be incomplete and leave the watermark.
func (r *rig) fails() (Report, *Incomplete) {
	r.t.Helper()
	before := r.watermark()
	report, err := Delta(r.t.Context(), r.o, r.cl, r.q)
	var incomplete *Incomplete
	if !errors.As(err, &incomplete) {
		r.t.Fatalf("error %v; want Incomplete", err)
	}
	r.adds(report)
	if after := r.watermark(); after != before {
		r.t.Errorf("the watermark went from %q to %q", before, after)
	}
	return report, incomplete
}

func (r *rig) adds(report Report) {
	r.t.Helper()
	if report.Processed != report.Inserted+report.Updated+report.Skipped {
		r.t.Errorf("the parts of %+v do not add up", report)
	}
}

func (r *rig) watermark() string {
	r.t.Helper()
	edat, _, err := r.o.Store.Checkpoint(r.t.Context(), r.q.Key)
	if err != nil {
		r.t.Fatal(err)
	}
	return edat
}

func (r *rig) wantWatermark(want string) {
	r.t.Helper()
	if got := r.watermark(); got != want {
		r.t.Errorf("watermark %q, want %q", got, want)
	}
}

func (r *rig) document(pmid record.PMID) *store.Document {
	r.t.Helper()
	d, err := r.o.Store.Document(r.t.Context(), pmid)
	if err != nil {
		r.t.Fatal(err)
	}
	return d
}

// later moves the clock of both sides.
func (r *rig) later(days int) { r.now = r.now.AddDate(0, 0, days) }

func (r *rig) today() string { return r.now.Format("2006-01-02") }

func TestDelta(t *testing.T) {
	old := many(1, 250)
	for i := range old {
		old[i].edat, old[i].lr = fmt.Sprintf("2024-01-%02d", i%28+1), "2024-01-01"
	}
	bubble(t, func(r *rig) {
		first := r.sync()
		wantCounts(t, first, "250 inserted, 0 updated, 0 skipped, 0 deleted")
		r.wantWatermark("2024-01-28T06:00:00Z")
		if *first.MaxEDAT != "2024-01-28T06:00:00Z" || first.JobID != "sync_2026-01-20T13:00:00Z" || first.Watermark != r.watermark() {
			t.Errorf("report %+v", first)
		}
		if doc := r.document(9); doc.Title != "Synthetic title 9" || len(doc.Chunks) == 0 {
			t.Errorf("%+v", doc)
		}
		came, err := r.o.Store.QueryDocuments(t.Context(), "k", 0)
		if err != nil || !slices.ContainsFunc(came, func(k store.QueryDocument) bool { return k.PMID == 9 }) {
			t.Errorf("what k brought: %v, %v", came, err)
		}

		// One new record, one that is entered as if it were of 1999, one revised;
		// one that is not ours.
		r.later(10)
		r.add(pubmedRecord{pmid: 1001, edat: r.today()},
			pubmedRecord{pmid: 1002, edat: "1999-06-01", crdt: r.today()},
			pubmedRecord{pmid: 1003, edat: r.today(), title: "Natural", abstract: "Natural"})
		if err := r.srv.Revise("5", entreztest.Revision{Title: "Synthetic revision"}); err != nil {
			t.Fatal(err)
		}
		second := r.sync()
		if second.Inserted != 2 || second.Updated != 1 || second.Deleted != 0 {
			t.Errorf("%s %q", counts(second), second.Warnings)
		}
		if doc := r.document(5); doc.Title != "Synthetic revision" || doc.Version != 2 {
			t.Errorf("%+v", doc)
		}
		r.document(1002)
		if _, err := r.o.Store.Document(t.Context(), 1003); !store.IsKind(err, store.NotFound) {
			t.Errorf("1003: %v", err)
		}
		// The six days of the overlap are asked for again, and nothing older.
		if want := 250 / 28 * 6; second.Skipped < want || second.Skipped > want+10 {
			t.Errorf("%d skipped, want about %d", second.Skipped, want)
		}
		r.wantWatermark(r.today() + "T06:00:00Z")

		// Once more changes nothing.
		third := r.sync()
		wantCounts(t, third, "0 inserted, 0 updated, 3 skipped, 0 deleted")
	}, old...)
}

// The records of the real data that were entered with a date of years ago are
// found by a delta whose window holds the day they were made.
func TestBackDatedRealRecords(t *testing.T) {
	file := shared(t, "data/pubmed/efetch-163.xml.gz")
	bubble(t, func(r *rig) {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := r.srv.Add(f); err != nil {
			t.Fatal(err)
		}
		for _, pmid := range backDated {
			id := fmt.Sprint(pmid)
			crdt, err := time.Parse("2006-01-02", r.srv.Article(id).Dates.Entrez[:10])
			if err != nil {
				t.Fatal(err)
			}
			// A corpus that was current the day before the record was made.
			r.q = Query{Key: "key of " + id, Term: "all[sb] OR " + id + "[uid]"}
			if err := r.o.Store.SetCheckpoint(t.Context(), r.q.Key, rfc3339(crdt.AddDate(0, 0, -1))); err != nil {
				t.Fatal(err)
			}
			r.now = crdt.AddDate(0, 0, 1)
			r.sync()
			if doc := r.document(pmid); doc.EDAT >= rfc3339(crdt.AddDate(-1, 0, 0)) {
				t.Errorf("%d has EDAT %s, CRDT %s", pmid, doc.EDAT, doc.CRDT)
			}
		}
	})
}

func TestWatermarkMovesForward(t *testing.T) {
	bubble(t, func(r *rig) {
		// No further than the time the sync began.
		r.add(pubmedRecord{pmid: 1, edat: "2026-01-21", crdt: "2026-01-20"})
		if report := r.sync(); *report.MaxEDAT != "2026-01-21T06:00:00Z" {
			t.Errorf("greatest EDAT %s", *report.MaxEDAT)
		}
		r.wantWatermark("2026-01-20T13:00:00Z")
		r.later(1)
		r.sync()
		r.wantWatermark("2026-01-21T06:00:00Z")
		// Not back, where only an old EDAT was seen.
		r.later(30)
		if err := r.o.Store.SetCheckpoint(t.Context(), "k", "2026-02-10T00:00:00Z"); err != nil {
			t.Fatal(err)
		}
		r.add(pubmedRecord{pmid: 2, edat: "1999-01-01", crdt: r.today()})
		wantCounts(t, r.sync(), "1 inserted, 0 updated, 0 skipped, 0 deleted")
		r.wantWatermark("2026-02-10T00:00:00Z")
		// Back by hand, and from there on again.
		if err := r.o.Store.SetCheckpoint(t.Context(), "k", "1998-12-01T00:00:00Z"); err != nil {
			t.Fatal(err)
		}
		wantCounts(t, r.sync(), "0 inserted, 0 updated, 2 skipped, 0 deleted")
		r.wantWatermark("2026-01-21T06:00:00Z")
	})
}

func TestDeltaThatFindsNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		report := r.sync()
		if report.Processed != 0 || report.MaxEDAT != nil || report.Watermark != "" {
			t.Errorf("%+v", report)
		}
		if _, ok, err := r.o.Store.Checkpoint(t.Context(), "k"); ok || err != nil {
			t.Errorf("a watermark out of nothing, %v", err)
		}
	})
}

// The window holds for the whole of the user's term, and the term is never
// widened without a word.
func TestDeltaKeepsToItsTerm(t *testing.T) {
	bubble(t, func(r *rig) {
		r.add(pubmedRecord{pmid: 1, title: "Apple", abstract: "x", edat: "2025-01-01"}, pubmedRecord{pmid: 2, title: "Pear", abstract: "x", edat: "2025-12-01"},
			pubmedRecord{pmid: 3, title: "Apple", abstract: "x", edat: "2025-12-01"})
		if err := r.o.Store.SetCheckpoint(t.Context(), "k", "2025-11-01T00:00:00Z"); err != nil {
			t.Fatal(err)
		}
		r.q.Term = "apple[ti] OR pear[ti]"
		wantCounts(t, r.sync(), "2 inserted, 0 updated, 0 skipped, 0 deleted")

		r.q.Term = "apple[ti] AND zzyzx[ti]"
		report := r.sync()
		all := strings.Join(report.Warnings, "\n")
		if !strings.Contains(all, "zzyzx") || !strings.Contains(all, "broader than the term") || !strings.Contains(all, "synced with the term apple[ti] OR pear[ti] before") {
			t.Errorf("warnings %q", report.Warnings)
		}
		for _, bad := range []Query{{Key: " ", Term: "x"}, {Key: "k"}, {Key: "k", Term: "x", OverlapDays: -1}, {Key: "k", Term: "x) OR (y"}, {Key: "k", Term: "(x"}} {
			var input *InputError
			if _, err := Delta(t.Context(), r.o, r.cl, bad); !errors.As(err, &input) {
				t.Errorf("%+v: %v", bad, err)
			}
		}
	})
}

// fetchedIDs are the records asked for since the last call.
func (r *rig) fetchedIDs() []string {
	ids := []string{}
	for _, q := range r.srv.Requests("efetch") {
		ids = append(ids, strings.Split(q.Params.Get("id"), ",")...)
	}
	slices.Sort(ids)
	r.srv.ClearRequests()
	return ids
}

// A delta continues an unfinished one of its window, and fetches changed records again.
func TestDeltaResumes(t *testing.T) {
	records := many(1000, 1000)
	records[0].edat = "2025-05-05" // the greatest EDAT is in the part that is not fetched again
	bubble(t, func(r *rig) {
		if err := r.srv.Fail(entreztest.Fault{Endpoint: "efetch", Kind: entreztest.HTML200, From: 4, Times: -1}); err != nil {
			t.Fatal(err)
		}
		first, _ := r.fails()
		wantCounts(t, first, "600 inserted, 0 updated, 0 skipped, 0 deleted")
		r.srv.ClearFaults()
		r.fetchedIDs()

		r.later(40)
		if err := r.srv.Revise("1001", entreztest.Revision{Title: "Synthetic revision"}); err != nil {
			t.Fatal(err)
		}
		r.add(pubmedRecord{pmid: 1, edat: r.today()}, pubmedRecord{pmid: 5000, edat: "1990-01-01", crdt: r.today()})
		second := r.sync()
		wantCounts(t, second, "402 inserted, 1 updated, 0 skipped, 0 deleted")
		if got := r.fetchedIDs(); len(got) != 403 || !slices.Contains(got, "1001") {
			t.Errorf("fetched %d", len(got))
		}
		if !strings.Contains(strings.Join(second.Warnings, "\n"), "599 records had been stored by the sync begun at 2026-01-20T13:00:00Z") {
			t.Errorf("warnings %q", second.Warnings)
		}
		if len(pmids(t, r.o.Store)) != 1002 || r.document(1001).Title != "Synthetic revision" {
			t.Error("not whole")
		}
		r.wantWatermark(r.today() + "T06:00:00Z")
		if _, ok, err := r.o.Store.UnfinishedJob(t.Context(), "k"); ok || err != nil {
			t.Errorf("a job is left over, %v", err)
		}
	}, records...)
}

// Records stored for another window or another term do not count as done.
func TestDeltaResumesOnlyTheSameWindowAndTerm(t *testing.T) {
	for name, change := range map[string]func(*rig){
		"another term":   func(r *rig) { r.q.Term = "synthetic[tiab] OR title[ti]" },
		"another window": func(r *rig) { _ = r.o.Store.SetCheckpoint(r.t.Context(), "k", "2020-01-01T00:00:00Z") },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				if err := r.srv.Fail(entreztest.Fault{Endpoint: "efetch", Kind: entreztest.HTML200, From: 2, Times: -1}); err != nil {
					t.Fatal(err)
				}
				r.fails()
				r.srv.ClearFaults()
				change(r)
				wantCounts(t, r.sync(), "200 inserted, 0 updated, 200 skipped, 0 deleted")
			}, many(1, 400)...)
		})
	}
}

func TestTwoSyncsOfOneKey(t *testing.T) {
	bubble(t, func(r *rig) {
		// While the first asks NCBI, the second comes.
		var second error
		r.cl = meanwhile{r.cl, func() { _, second = Delta(t.Context(), r.o, r.cl, r.q) }}
		r.sync()
		var held *store.HeldError
		if !errors.As(second, &held) || held.PID != os.Getpid() || held.Key != "k" {
			t.Errorf("the second: %v", second)
		}
	}, many(1, 10)...)
}

// meanwhile does something before each fetch.
type meanwhile struct {
	NCBI
	do func()
}

func (m meanwhile) Fetch(ctx context.Context, ids []string) (*entrez.FetchResult, error) {
	m.do()
	return m.NCBI.Fetch(ctx, ids)
}

// A sync that is stopped keeps the records it has received, and does not move the watermark.
func TestDeltaStopped(t *testing.T) {
	t.Parallel()
	bubble(t, func(r *rig) {
		ctx, cancel := context.WithCancelCause(t.Context())
		reason := errors.New("Ctrl-C")
		r.o.Progress = func(p Progress) {
			if p.Records >= 400 {
				cancel(reason)
			}
		}
		report, err := Delta(ctx, r.o, r.cl, r.q)
		if !errors.Is(err, reason) || report.Inserted < 400 || report.Inserted == 2000 || len(pmids(t, r.o.Store)) != report.Inserted {
			t.Errorf("%s, %v", counts(report), err)
		}
		r.wantWatermark("")
		r.o.Progress = nil
		r.fetchedIDs()
		second := r.sync()
		if second.Inserted+report.Inserted != 2000 || second.Skipped != 0 || len(r.fetchedIDs()) != second.Inserted {
			t.Errorf("then %s", counts(second))
		}
	}, many(1, 2000)...)
}

// More records than PubMed gives out in one answer.
func TestDeltaBeyondTheResultWindow(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("10,500 records")
	}
	bubble(t, func(r *rig) {
		r.o.NoVectors = true
		report := r.sync()
		wantCounts(t, report, "10500 inserted, 0 updated, 0 skipped, 0 deleted")
		if r.srv.Count("esearch") < 3 || r.srv.Count("efetch") != (10500+entrez.FetchBatch-1)/entrez.FetchBatch {
			t.Errorf("%d searches, %d fetches", r.srv.Count("esearch"), r.srv.Count("efetch"))
		}
	}, many(1, 10500)...)
}
