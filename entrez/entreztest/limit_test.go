package entreztest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	_ "biomcp/build/testgc"
)

// manyOnOneDay adds more records of one day than ESearch can return.
func manyOnOneDay(t *testing.T, n int) *Server {
	t.Helper()
	day := time.Date(2024, 5, 6, 7, 0, 0, 0, time.UTC)
	light := func(_ int, m *SyntheticRecord) {
		m.Abstract, m.Authors, m.References, m.Keywords = nil, m.Authors[:1], nil, nil
	}
	return New(t, XML(Generate(n, 5, OnDay(day), light)), NoLimit(), WithoutNetwork())
}

func TestResultWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("10,050 records, one request after another")
	}
	s := manyOnOneDay(t, 10050)
	const q = "2024/05/06[crdt]"
	restricted := func(start, n int) []string {
		return []string{fmt.Sprintf("Restrictions achieved. start and count adjusted to %d, %d", start, n)}
	}
	for _, c := range []struct {
		start, max, ids int
		messages        []string
	}{
		{0, 20, 20, nil},
		{0, 9999, 9999, nil},
		{0, 10000, 9999, restricted(0, 9999)},
		{0, 1000000, 9999, restricted(0, 9999)},
		{9500, 500, 499, restricted(9500, 499)},
		{9998, 10, 1, restricted(9998, 1)},
		{9998, 1, 1, nil},
	} {
		t.Run(fmt.Sprint(c.start), func(t *testing.T) {
			got := look(t, s, q, "retstart", fmt.Sprint(c.start), "retmax", fmt.Sprint(c.max))
			if got.Count != "10050" {
				t.Errorf("from %d: count %s, want 10050", c.start, got.Count)
			}
			if len(got.IDs) != c.ids {
				t.Errorf("from %d, at most %d: %d ids, want %d", c.start, c.max, len(got.IDs), c.ids)
			}
			if messages := got.Warnings.OutputMessages; !slices.Equal(messages, c.messages) {
				t.Errorf("from %d, at most %d: messages %q, want %q", c.start, c.max, messages, c.messages)
			}
		})
	}
	for _, start := range []string{"9999", "10000", "123456"} {
		t.Run(start, func(t *testing.T) {
			got := look(t, s, q, "retstart", start)
			if !strings.HasPrefix(got.Error, "Search Backend failed: Exception:\n'retstart' cannot be larger than 9998. For PubMed, ESearch can only retrieve the first 9,999 records matching the query.") {
				t.Errorf("retstart %s: %+v", start, got)
			}
			body := ask(t, s, "esearch.fcgi?retmode=json&term="+url.QueryEscape(q)+"&retstart="+start)
			if json.Valid([]byte(body)) {
				t.Errorf("retstart %s: the JSON is valid, want an unescaped line break: %s", start, body)
			}
			if !strings.Contains(body, "\n") {
				t.Errorf("retstart %s: the JSON has no line break: %s", start, body)
			}
			body = ask(t, s, "esearch.fcgi?term="+url.QueryEscape(q)+"&retstart="+start)
			if !strings.Contains(body, "<ERROR>Search Backend failed: Exception:\n'retstart' cannot be larger") {
				t.Errorf("retstart %s: %s", start, body)
			}
		})
	}
	// By UID, each record can be reached once.
	seen := map[string]int{}
	for _, part := range []string{"1:70005000[uid]", "70005001:3000000000[uid]"} {
		for _, id := range look(t, s, "("+q+") AND "+part, "retmax", "9999").IDs {
			seen[id]++
		}
	}
	if len(seen) != 10050 {
		t.Errorf("two halves by UID hold %d", len(seen))
	}
	// EFetch from the history has the same limit, with status 400.
	h := look(t, s, q, "usehistory", "y", "retmax", "0")
	history := "query_key=" + h.QueryKey + "&WebEnv=" + h.WebEnv
	status, body := fetch(t, s, s.EntrezURL()+"efetch.fcgi?rettype=uilist&retmode=text&retstart=9990&retmax=500&"+history)
	if status != 200 {
		t.Errorf("efetch across the limit: status %d, want 200", status)
	}
	if n := strings.Count(body, "\n"); n != 9 {
		t.Errorf("efetch across the limit: %d lines, want 9", n)
	}
	status, body = fetch(t, s, s.EntrezURL()+"efetch.fcgi?retstart=9999&"+history)
	if status != 400 {
		t.Errorf("efetch past the limit: status %d, want 400", status)
	}
	want := "<ERROR>Search backend cannot retrieve history data. Reason: " +
		"Exception: 'retstart' cannot be larger than 9998"
	if !strings.Contains(body, want) {
		t.Errorf("efetch past the limit: %s, want %s", body, want)
	}
	// db=mesh does not have this limit.
	if got := look(t, s, "neoplasms", "db", "mesh", "retstart", "20000"); got.Error != "" {
		t.Errorf("mesh: %s", got.Error)
	}
}

func TestShuffledTies(t *testing.T) {
	s := manyOnOneDay(t, 50)
	order := func() []string { return look(t, s, "all[sb]", "sort", "pub_date", "retmax", "50").IDs }
	first := order()
	if !slices.Equal(first, order()) {
		t.Error("the order changes by itself")
	}
	if err := s.Fail(Fault{Endpoint: "esearch", Kind: ShuffledTies, Times: 2}); err != nil {
		t.Fatal(err)
	}
	a, b := order(), order()
	if slices.Equal(a, first) {
		t.Error("ties keep their order from before the fault")
	}
	if slices.Equal(a, b) {
		t.Error("ties have the same order in two replies")
	}
	slices.Sort(a)
	slices.Sort(first)
	if !slices.Equal(a, first) {
		t.Error("shuffling lost records")
	}
}

func TestRequestsOverASlidingSecond(t *testing.T) {
	for _, c := range []struct {
		name, query string
		limit       int
	}{{"without a key", "", 3}, {"with a key", "&api_key=" + Key, 10}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, err := Start(File("testdata/synthetic.xml"), WithoutNetwork())
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				get := func() int {
					status, body := fetch(t, s, s.EntrezURL()+"esearch.fcgi?term=asthma"+c.query)
					if status == http.StatusTooManyRequests {
						who := "127.0.0.1"
						if c.query != "" {
							who = Key
						}
						want := fmt.Sprintf(`{"error":"API rate limit exceeded","api-key":"%s","count":"%d","limit":"%d"}`, who, c.limit+1, c.limit)
						if body != want {
							t.Errorf("body %s, want %s", body, want)
						}
					}
					return status
				}
				for i := range c.limit {
					if got := get(); got != 200 {
						t.Fatalf("request %d: %d", i, got)
					}
				}
				if got := get(); got != 429 {
					t.Errorf("one too many: %d", got)
				}
				time.Sleep(999 * time.Millisecond)
				if got := get(); got != 429 {
					t.Errorf("after 999 ms: %d", got)
				}
				time.Sleep(time.Millisecond)
				for i := range c.limit { // rejected requests do not count
					if got := get(); got != 200 {
						t.Errorf("a second later, request %d: %d", i, got)
					}
				}
				if got := get(); got != 429 {
					t.Errorf("one too many again: %d", got)
				}
				// Requests that are evenly spaced at the limit are never rejected.
				time.Sleep(time.Second)
				for range 5 * c.limit {
					time.Sleep(time.Second/time.Duration(c.limit) + 1)
					if got := get(); got != 200 {
						t.Fatal("paced requests are refused")
					}
				}
				if s.Limited() != 3 {
					t.Errorf("%d limited requests, want 3", s.Limited())
				}
				if got, want := s.Count("esearch"), 7*c.limit+3; got != want {
					t.Errorf("%d requests, want %d", got, want)
				}
			})
		})
	}
}

func TestServicesAndKeysHaveTheirOwnLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := Start(File("testdata/synthetic.xml"), WithoutNetwork(), Keys("a", "b"))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for _, url := range []string{
			s.EntrezURL() + "einfo.fcgi", s.EntrezURL() + "einfo.fcgi?api_key=a", s.EntrezURL() + "einfo.fcgi?api_key=b",
			s.IDConvURL() + "?ids=80000001", s.PubTatorURL() + "publications/export/biocjson?pmids=80000001",
		} {
			for range 3 {
				if status, body := fetch(t, s, url); status != 200 {
					t.Errorf("%s: %d %s", url, status, body)
				}
			}
		}
	})
}

func TestWrongKeyIsEchoed(t *testing.T) {
	s := imaginary(t)
	status, body := fetch(t, s, s.EntrezURL()+"esearch.fcgi?term=asthma&api_key=secret0")
	if status != 400 {
		t.Errorf("status %d, want 400", status)
	}
	if want := `{"error":"API key invalid","api-key":"secret0","type":"invalid","status":"unknown"}`; body != want {
		t.Errorf("%s, want %s", body, want)
	}
}

func TestLongAddressIs414(t *testing.T) {
	s := imaginary(t)
	ids := strings.Repeat("80000001,", 1000)
	status, body := fetch(t, s, s.EntrezURL()+"efetch.fcgi?id="+ids)
	if status != 414 {
		t.Errorf("status %d, want 414", status)
	}
	if !strings.Contains(body, "Submitted URI too large!") || !strings.Contains(body, "<html") {
		t.Errorf("%s, want NCBI's page", body)
	}
	r, err := s.Client().PostForm(s.EntrezURL()+"efetch.fcgi?db=pubmed", url.Values{"id": {ids}, "rettype": {"uilist"}})
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != 200 {
		t.Errorf("POST: %d", r.StatusCode)
	}
	last := s.Requests("efetch")[1]
	if last.Method != "POST" {
		t.Errorf("recorded method %s, want POST", last.Method)
	}
	if db := last.Params.Get("db"); db != "pubmed" {
		t.Errorf("recorded db %s, want pubmed", db)
	}
	if last.Params.Get("id") != ids {
		t.Error("the ids of the body are not recorded")
	}
}

func TestRequestsAreRecorded(t *testing.T) {
	s := imaginary(t)
	ask(t, s, "esearch.fcgi?term=x&tool=biomcp&email=a@b.c&api_key="+Key)
	ask(t, s, "efetch.fcgi?id=1")
	fetch(t, s, s.IDConvURL()+"?ids=80000001")
	all := s.Requests()
	if len(all) != 3 {
		t.Fatalf("%d requests, want 3", len(all))
	}
	if n := s.Count("efetch", "idconv"); n != 2 {
		t.Fatalf("%d requests to efetch and idconv, want 2", n)
	}
	r := all[0]
	if r.Endpoint != "esearch" {
		t.Errorf("endpoint %s, want esearch", r.Endpoint)
	}
	for name, want := range map[string]string{"tool": "biomcp", "email": "a@b.c", "api_key": Key} {
		if got := r.Params.Get(name); got != want {
			t.Errorf("%s %q, want %q", name, got, want)
		}
	}
	if r.Status != 200 {
		t.Errorf("status %d, want 200", r.Status)
	}
	s.ClearRequests()
	ask(t, s, "efetch.fcgi?id=1")
	if s.Count() != 1 || s.Requests()[0].Status != 200 {
		t.Errorf("after Forget: %+v", s.Requests())
	}
}
