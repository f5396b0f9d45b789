package entrez_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
)

func pmids(f *entrez.FetchResult) []string {
	var out []string
	for _, a := range f.Articles {
		out = append(out, a.PMID)
	}
	return out
}

func TestFetch(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		f, err := c.Fetch(t.Context(), []string{"80000003", "99", " 80000001", "0080000003", "80000004", "80000001"})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "articles", pmids(f), []string{"80000003", "80000001", "80000004"})
		equal(t, "missing", f.Missing, []string{"99"})
		equal(t, "method", f.Method, "GET")
		equal(t, "urls", f.URLs, []string{sim.EntrezURL() + "efetch.fcgi?db=pubmed&id=80000003,99,80000001,80000004&retmode=xml"})
		if len(f.Articles[1].Title) == 0 {
			t.Error("the second article has no title")
		}
		if f.Articles[2].Book == nil {
			t.Error("the third article has no book")
		}
	})
}

func TestFetchOfNothingThatExists(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		for _, fault := range []entreztest.Fault{
			{}, // answered by the simulator
			{Endpoint: "efetch", Kind: entreztest.Error200, Text: "ID list is empty! Possibly it has no correct IDs."},
		} {
			if fault.Kind != "" {
				sim.Fail(fault)
			}
			f, err := c.Fetch(httpclient.WithoutCache(t.Context()), []string{"98", "99"})
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "missing", f.Missing, []string{"98", "99"})
			equal(t, "articles", len(f.Articles), 0)
		}
	})
}

// If a batch fails, the records of the others are returned, and no further batch begins.
func TestFetchKeepsBatchesThatWereRead(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		var ids []string
		for i := range 2000 {
			ids = append(ids, fmt.Sprint(entreztest.FirstSynthetic+i))
		}
		sim.Fail(entreztest.Fault{Endpoint: "efetch", Kind: entreztest.HTML500, From: 2, Times: -1})
		steps := 0
		var mu sync.Mutex
		f, err := c.FetchSteps(httpclient.WithoutCache(t.Context()), ids, func() { mu.Lock(); defer mu.Unlock(); steps++ })
		if err != nil {
			t.Fatalf("got error %v, want the records of one batch", err)
		}
		wants(t, f.Problem, httpclient.Upstream)
		equal(t, "steps", steps, len(ids))
		equal(t, "unread ids", len(f.Unread), 1800)
		equal(t, "accounted ids", len(f.Articles)+len(f.Missing), 200)
		for _, id := range slices.Concat(pmids(f), f.Missing) {
			if slices.Contains(f.Unread, id) {
				t.Errorf("%s is unread, want only read", id)
			}
		}
		if _, err := c.Fetch(httpclient.WithoutCache(t.Context()), ids); err == nil {
			t.Error("no batch was read: got no error, want one")
		}
	})
}

func TestFetchInBatches(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		var ids []string
		for i := range 450 {
			ids = append(ids, fmt.Sprint(entreztest.FirstSynthetic+449-i))
		}
		f, err := c.Fetch(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(pmids(f), ids) {
			t.Error("the order asked was lost")
		}
		equal(t, "requests", sim.Count("efetch"), 3)
		equal(t, "method", f.Method, "POST")
		equal(t, "urls", len(f.URLs), 3)
		if f, err = c.Fetch(t.Context(), ids[:200]); err != nil || len(f.Articles) != 200 {
			t.Fatalf("%d articles, %v", len(f.Articles), err)
		}
		equal(t, "method of 200", f.Method, "GET")
		equal(t, "requests after 200", sim.Count("efetch"), 4)
		equal(t, "answered 429", sim.Limited(), 0)
	}, entreztest.XML(entreztest.Generate(450, 1)))
}

// The Watch reports the progress of a fetch of many records, even if an ID has no record.
func TestProgressOfAFetch(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		var ids []string
		for i := range 1800 {
			ids = append(ids, fmt.Sprint(7_000_001+i)) // unknown IDs
		}
		watch := &httpclient.Progress{}
		var fetched sync.WaitGroup
		fetched.Go(func() {
			ctx := httpclient.WithProgress(t.Context(), watch)
			if _, err := c.FetchSteps(ctx, ids, httpclient.BeginTask(ctx, "records", len(ids))); err != nil {
				t.Error(err)
			}
		})
		seen := map[int]bool{}
		for range 100 {
			time.Sleep(100 * time.Millisecond)
			if work, ok := watch.CurrentTask(); ok {
				equal(t, "of how many", work.Total, 1800)
				seen[work.Done] = true
			}
		}
		fetched.Wait()
		if !seen[200] && !seen[400] && !seen[600] {
			t.Errorf("nothing was done before all was: %v", seen)
		}
		if work, ok := watch.CurrentTask(); ok {
			t.Errorf("%+v is left", work)
		}
	})
}

// A part is not handed out as the whole: the IDs of the batch that failed are unread.
func TestFetchNamesTheUnreadPart(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		var ids []string
		for i := range 600 {
			ids = append(ids, fmt.Sprint(entreztest.FirstSynthetic+i))
		}
		sim.Fail(entreztest.Fault{Endpoint: "efetch", Kind: entreztest.Error200, From: 2, Text: "no"})
		f, err := c.Fetch(t.Context(), ids)
		if err != nil {
			t.Fatalf("got error %v, want the records of the other batches", err)
		}
		wants(t, f.Problem, httpclient.Refused)
		if len(f.Unread) < 200 || len(f.Unread)+len(f.Articles) != len(ids) || len(f.Missing) > 0 {
			t.Errorf("%d unread, %d articles, missing %v; want at least 200 unread, 600 in all and none missing",
				len(f.Unread), len(f.Articles), f.Missing)
		}
	}, entreztest.XML(entreztest.Generate(600, 1)))
}

func TestFetchIgnoresRecordsNotAskedFor(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		sim.Fail(entreztest.Fault{Endpoint: "efetch", Kind: entreztest.ExtraUID, IDs: []string{"80000003"}},
			entreztest.Fault{Endpoint: "efetch", Kind: entreztest.MissingUID, From: 2, IDs: []string{"80000002"}})
		f, err := c.Fetch(t.Context(), []string{"80000001", "80000002"})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "articles", pmids(f), []string{"80000001", "80000002"})
		if f, err = c.Fetch(t.Context(), []string{"80000001", "80000002"}); err != nil {
			t.Fatal(err)
		}
		equal(t, "articles", pmids(f), []string{"80000001"})
		equal(t, "missing", f.Missing, []string{"80000002"})
	})
}

func TestBadIDsAreRefusedWithoutARequest(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		for _, ids := range [][]string{
			nil, {"0"}, {"-1"}, {"1.5"}, {"PMC1"}, {"99999999999999999999"}, {""}, {"1,2"}, {"1", "x"}, {"$(whoami)"}, {"1\n2"}, {"１"},
		} {
			_, err := c.Fetch(t.Context(), ids)
			wants(t, err, httpclient.Invalid)
			_, err = c.Summaries(t.Context(), ids)
			wants(t, err, httpclient.Invalid)
			_, err = c.FetchText(t.Context(), ids, entrez.Medline)
			wants(t, err, httpclient.Invalid)
		}
		equal(t, "requests", sim.Count(), 0)
	})
}

func TestFetchText(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		for format, want := range map[entrez.TextFormat]string{
			entrez.Medline: "PMID- 80000001", entrez.Abstract: "1. ", entrez.XML: "<PubmedArticleSet>",
		} {
			text, err := c.FetchText(t.Context(), []string{"80000001"}, format)
			if err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			if !strings.Contains(text.Text, want) {
				t.Fatalf("%s: want %q in %s", format, want, text.Text)
			}
			equal(t, "missing", len(text.Missing), 0)
			text, err = c.FetchText(t.Context(), []string{"99", "80000001", "80000003", "98"}, format)
			if err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			equal(t, "missing", text.Missing, []string{"99", "98"})
			_, err = c.FetchText(t.Context(), []string{"99"}, format)
			wants(t, err, httpclient.NotFound)
		}
		_, err := c.FetchText(t.Context(), []string{"1"}, "html")
		wants(t, err, httpclient.Invalid)
		_, err = c.FetchText(t.Context(), many(201), entrez.Medline)
		wants(t, err, httpclient.Invalid)
	})
}

func many(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprint(i+1))
	}
	return out
}

func TestSummaries(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		s, err := c.Summaries(t.Context(), []string{"80000002", "334847", "80000001", "80000004", "80000002"})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "missing", s.Missing, []string{"334847"})
		if len(s.Items) != 3 {
			t.Fatalf("%d items", len(s.Items))
		}
		retracted, trial, book := s.Items[0], s.Items[1], s.Items[2]
		equal(t, "retracted", []bool{retracted.Retracted, trial.Retracted, book.Retracted}, []bool{true, false, false})
		equal(t, "PMCID", trial.PMCID, "PMC8000001")
		equal(t, "UID", trial.UID, "80000001")
		for name, value := range map[string]string{
			"title": trial.Title, "source": trial.Source, "date": trial.PubDate, "DOI": trial.DOI,
			"title of the book": book.BookTitle, "title of the chapter": book.Title,
		} {
			if value == "" {
				t.Errorf("the %s is missing", name)
			}
		}
		if len(trial.Authors) == 0 {
			t.Error("the authors are missing")
		}
		if !slices.Contains(trial.PubTypes, "Randomized Controlled Trial") {
			t.Errorf("publication types %q, want Randomized Controlled Trial among them", trial.PubTypes)
		}
	})
}

func TestSummariesInBatches(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		var ids []string
		for i := range 620 {
			ids = append(ids, fmt.Sprint(entreztest.FirstSynthetic+i))
		}
		s, err := c.Summaries(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "items", len(s.Items), 600)
		equal(t, "missing", len(s.Missing), 20)
		for i, item := range s.Items {
			if item.UID != ids[i] {
				t.Fatalf("item %d is %s", i, item.UID)
			}
		}
		sent := sim.Requests("esummary")
		if len(sent) != 2 {
			t.Fatalf("%d requests, want 2", len(sent))
		}
		equal(t, "first method", sent[0].Method, "POST")
		equal(t, "second method", sent[1].Method, "GET")
		sim.ClearRequests()
		if s, err = c.Summaries(t.Context(), ids[:201]); err != nil || len(s.Items) != 201 {
			t.Error(err)
		}
		equal(t, "method of 201", sim.Requests()[0].Method, "POST")
		equal(t, "URL of a POST", s.URL, sim.EntrezURL()+"esummary.fcgi")
	}, entreztest.XML(entreztest.Generate(600, 1)))
}

func TestFindDOIs(t *testing.T) {
	twins := func(i int, m *entreztest.SyntheticRecord) {
		m.PMCID, m.DOI = "", fmt.Sprintf("10.5555/A.%d", i)
		if i == 3 {
			m.DOI = "10.5555/a.2"
		}
	}
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		var dois []string
		for i := range 130 {
			dois = append(dois, fmt.Sprintf("10.5555/a.%d", i))
		}
		got, err := c.FindDOIs(t.Context(), dois)
		if err != nil {
			t.Fatal(err)
		}
		first := entreztest.FirstSynthetic
		equal(t, "DOIs found", len(got), 119)
		equal(t, "one", got["10.5555/a.119"], []string{fmt.Sprint(first + 119)})
		equal(t, "two", got["10.5555/a.2"], []string{fmt.Sprint(first + 2), fmt.Sprint(first + 3)})
		equal(t, "requests", sim.Count(), 4)
		equal(t, "method", sim.Requests("esearch")[0].Method, "POST")
		for _, bad := range []string{"", `10.1/a"`} {
			_, err = c.FindDOIs(t.Context(), []string{bad})
			wants(t, err, httpclient.Invalid)
		}
	}, entreztest.XML(entreztest.Generate(120, 1, twins)))
}

// PubMed may find nothing for a DOI with brackets, or refuse the query.
func TestFindDOIsWithBrackets(t *testing.T) {
	const first, second = "10.5555/0891-6640(2006)20[1389:roccel]2.0.co;2", "10.5555/0891-6640(2006)20[1400:other]2.0.co;2"
	for _, fault := range []entreztest.Kind{"", entreztest.Error200} {
		t.Run(fmt.Sprint(fault), func(t *testing.T) {
			imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
				if fault != "" {
					sim.Fail(entreztest.Fault{Endpoint: "esearch", Kind: fault, From: 2, Times: 1, Text: "bad query"})
				}
				got, err := c.FindDOIs(t.Context(), []string{first, "10.5555/a.1", "10.5555/A.9[1]x"})
				if err != nil {
					t.Fatal(err)
				}
				equal(t, "with brackets", got[first], []string{fmt.Sprint(entreztest.FirstSynthetic)})
				equal(t, "found", len(got), 2)
			}, entreztest.XML(entreztest.Generate(5, 1, func(i int, m *entreztest.SyntheticRecord) {
				m.PMCID, m.DOI = "", []string{first, "10.5555/a.1", second, "10.5555/a.3", "10.5555/a.4"}[i]
			})))
		})
	}
}

// A search that finds too many records must not miss a DOI.
func TestFindDOIsAmongManyHits(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		sim.Fail(entreztest.Fault{Endpoint: "esearch", Kind: entreztest.LyingCount, Extra: 5000, Times: 2})
		got, err := c.FindDOIs(t.Context(), []string{"10.5555/a.1", "10.5555/none", "10.5555/a.2", "10.5555/a.3"})
		if err != nil || len(got) != 3 {
			t.Errorf("%v %v", err, got)
		}
	}, entreztest.XML(entreztest.Generate(5, 1, func(i int, m *entreztest.SyntheticRecord) { m.DOI = fmt.Sprintf("10.5555/a.%d", i) })))
}

func generatedIDs(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint(entreztest.FirstSynthetic + i)
	}
	return ids
}

// A batch whose reply is too long is requested in halves, and every record arrives in the requested
// order.
func TestFetchOfVeryLongRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("parses 54 megabytes, which shorter records have the requests of")
	}
	const records = 60
	long := strings.Repeat("a very long abstract ", 45000) // 0.9 MB
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		ids := generatedIDs(records)
		slices.Reverse(ids)
		got, err := c.Fetch(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "order", pmids(got), ids)
		equal(t, "missing", len(got.Missing), 0)
		equal(t, "URLs", len(got.URLs), 1)
		equal(t, "requests", sim.Count("efetch"), 3)
	}, entreztest.XML(entreztest.Generate(records, 1, func(_ int, m *entreztest.SyntheticRecord) { m.Abstract = []string{long} })))
}
