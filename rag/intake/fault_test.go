package intake

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
)

// After any fault of NCBI, the sync reports it, stores the records it has received and does not
// move the watermark. The next sync completes the window.
func TestDeltaSurvivesEveryFault(t *testing.T) {
	t.Parallel()
	const always = -1
	for name, c := range map[string]struct {
		faults []entreztest.Fault
		kind   httpclient.Kind // kind of the cause; "" means RecordsError
		stored int             // at least
	}{
		"no connection":          {[]entreztest.Fault{{Kind: entreztest.Hangup, Times: always}}, httpclient.Unreachable, 0},
		"limit":                  {[]entreztest.Fault{{Endpoint: "efetch", Kind: entreztest.Limit429, From: 2, Times: always}}, httpclient.RateLimited, 200},
		"bad key":                {[]entreztest.Fault{{Kind: entreztest.BadKey, Times: always}}, httpclient.BadKey, 0},
		"search fails":           {[]entreztest.Fault{{Endpoint: "esearch", Kind: entreztest.Error200, Times: always}}, httpclient.Refused, 0},
		"each second one is cut": {[]entreztest.Fault{{Endpoint: "efetch", Kind: entreztest.Truncated, From: 2, Times: always}}, httpclient.Upstream, 200},
		"a page":                 {[]entreztest.Fault{{Endpoint: "efetch", Kind: entreztest.HTML502, Times: always}}, httpclient.Upstream, 0},
		"an error":               {[]entreztest.Fault{{Endpoint: "efetch", Kind: entreztest.Error200, Times: 2}}, httpclient.Refused, 300},
		"the count lies":         {[]entreztest.Fault{{Endpoint: "esearch", Kind: entreztest.LyingCount, Times: 1}}, "", 700},
		"a record is missing":    {[]entreztest.Fault{{Endpoint: "efetch", Kind: entreztest.MissingUID, IDs: []string{"7"}, Times: always}}, "", 699},
	} {
		if testing.Short() && c.stored < 300 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				if err := r.o.Store.SetCheckpoint(t.Context(), "k", "2024-01-01T00:00:00Z"); err != nil {
					t.Fatal(err)
				}
				if err := r.srv.Fail(c.faults...); err != nil {
					t.Fatal(err)
				}
				report, incomplete := r.fails()
				var e *httpclient.Error
				var records *RecordsError
				switch {
				case c.kind == "" && !errors.As(incomplete, &records), c.kind != "" && (!errors.As(incomplete, &e) || e.Kind != c.kind):
					t.Errorf("causes %v", incomplete.Causes)
				}
				if report.Inserted < c.stored || report.Inserted == 700 && c.stored < 700 || len(pmids(t, r.o.Store)) != report.Inserted {
					t.Errorf("%s, %d stored; want %d", counts(report), len(pmids(t, r.o.Store)), c.stored)
				}
				r.srv.ClearFaults()
				again := r.sync()
				if again.Inserted+report.Inserted != 700 || again.Updated != 0 || len(pmids(t, r.o.Store)) != 700 {
					t.Errorf("then %s", counts(again))
				}
				r.wantWatermark("2024-05-11T06:00:00Z")
			}, many(1, 700)...)
		})
	}
}

// One fetch that fails costs its own records alone.
func TestAFailedFetchCostsOnlyItsRecords(t *testing.T) {
	bubble(t, func(r *rig) {
		whole := r.cl
		r.cl = choosy{whole, "300"}
		report, incomplete := r.fails()
		wantCounts(t, report, "500 inserted, 0 updated, 0 skipped, 0 deleted")
		if !errors.Is(incomplete, errChoosy) || !strings.Contains(strings.Join(report.Warnings, "\n"), "1 EFetch failed; 200 records not fetched") {
			t.Errorf("%v, %q", incomplete, report.Warnings)
		}
		r.cl = whole
		wantCounts(t, r.sync(), "200 inserted, 0 updated, 0 skipped, 0 deleted")
	}, many(1, 700)...)
}

// choosy is an NCBI that fails every request for one record.
type choosy struct {
	NCBI
	pmid string
}

var errChoosy = errors.New("not today")

func (c choosy) Fetch(ctx context.Context, ids []string) (*entrez.FetchResult, error) {
	if slices.Contains(ids, c.pmid) {
		return nil, errChoosy
	}
	return c.NCBI.Fetch(ctx, ids)
}

// A fetch that reads a part of its records stores these, and the window is not whole.
func TestAFetchInPartCostsOnlyTheUnreadRecords(t *testing.T) {
	bubble(t, func(r *rig) {
		whole := r.cl
		r.cl = halting{whole, "300"}
		report, incomplete := r.fails()
		wantCounts(t, report, "699 inserted, 0 updated, 0 skipped, 0 deleted")
		if !errors.Is(incomplete, errChoosy) || !strings.Contains(strings.Join(report.Warnings, "\n"), "1 EFetch failed; 1 record not fetched") {
			t.Errorf("got %v, %q, want the failure of one record", incomplete, report.Warnings)
		}
		r.cl = whole
		wantCounts(t, r.sync(), "1 inserted, 0 updated, 0 skipped, 0 deleted")
	}, many(1, 700)...)
}

// halting is an NCBI that cannot read one record.
type halting struct {
	NCBI
	pmid string
}

func (p halting) Fetch(ctx context.Context, ids []string) (*entrez.FetchResult, error) {
	rest := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == p.pmid })
	got, err := p.NCBI.Fetch(ctx, rest)
	if err == nil && len(rest) < len(ids) {
		got.Unread, got.Problem = []string{p.pmid}, errChoosy
	}
	return got, err
}

// A record that cannot be read is named, the others are stored.
func TestAnUnreadableRecordIsNamed(t *testing.T) {
	bubble(t, func(r *rig) {
		r.cl = spoiled{r.cl, "5"}
		report, incomplete := r.fails()
		wantCounts(t, report, "9 inserted, 0 updated, 0 skipped, 0 deleted")
		var records *RecordsError
		if !errors.As(incomplete, &records) || records.Broken != 1 || report.Broken != 1 || !strings.Contains(strings.Join(report.Warnings, "\n"), "record 5") {
			t.Errorf("%v, %q", incomplete, report.Warnings)
		}
		// All else is stored: the error names the record, and the watermark with
		// which the next sync goes on.
		if !slices.Equal(records.Names, []string{"5"}) || records.Key != "k" || records.Skip != "2026-01-20T13:00:00Z" ||
			!strings.Contains(incomplete.Error(), `(PMID 5); everything else of the window is stored: run the sync again, and if that does not help, set the watermark of "k" to 2026-01-20T13:00:00Z`) {
			t.Errorf("%v: %+v", incomplete, records)
		}
		if err := r.o.Store.SetCheckpoint(t.Context(), records.Key, records.Skip); err != nil {
			t.Fatal(err)
		}
		if report := r.sync(); report.Processed != 0 {
			t.Errorf("without it: %s", counts(report))
		}
	}, many(1, 10)...)
}

// Where more is missing than records that did not come, the watermark must wait.
func TestAWindowWithAFailureOffersNoSkip(t *testing.T) {
	records := many(1, 700)
	bubble(t, func(r *rig) {
		r.cl = spoiled{choosy{r.cl, "300"}, "5"}
		_, incomplete := r.fails()
		var lost *RecordsError
		if !errors.As(incomplete, &lost) || lost.Skip != "" || strings.Contains(lost.Error(), "watermark") {
			t.Errorf("%v: %+v", incomplete.Causes, lost)
		}
	}, records...)
}

// spoiled is an NCBI one of whose records cannot be read.
type spoiled struct {
	NCBI
	pmid string
}

func (s spoiled) Fetch(ctx context.Context, ids []string) (*entrez.FetchResult, error) {
	got, err := s.NCBI.Fetch(ctx, slices.DeleteFunc(ids, func(id string) bool { return id == s.pmid }))
	if err == nil {
		got.Broken = append(got.Broken, brokenRecord(s.pmid))
	}
	return got, err
}

// A record that vanishes between search and fetch stays in the corpus.
func TestMissingIsNoDeletion(t *testing.T) {
	bubble(t, func(r *rig) {
		r.sync()
		if err := r.srv.Fail(entreztest.Fault{Endpoint: "efetch", Kind: entreztest.MissingUID, IDs: []string{"3"}, Times: -1}); err != nil {
			t.Fatal(err)
		}
		r.later(1)
		report, _ := r.fails()
		if all := strings.Join(report.Warnings, "\n"); !strings.Contains(all, "EFetch does not return: 3; their documents") {
			t.Errorf("warnings %q", report.Warnings)
		}
		r.document(3)
		// Gone from the search too, it is no matter of the window any more.
		r.srv.ClearFaults()
		r.srv.Delete("3")
		r.sync()
		r.document(3)
	}, many(1, 10)...)
}
