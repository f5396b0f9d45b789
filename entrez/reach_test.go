package entrez_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
)

// TestSearchPastTheResultWindow reads beyond 9,999 results from a server that performs real
// searches. Loading its records takes a second, so all tests that need them are here.
func TestSearchPastTheResultWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("asks for one page after another")
	}
	const n = 10_400
	var sorted []dated
	records := entreztest.Generate(n, 3, func(i int, m *entreztest.SyntheticRecord) {
		m.PMCID = fmt.Sprintf("PMC%d", i+1)
		sorted = append(sorted, dated{uid: m.PMID, print: m.Published.Year()*100 + int(m.Published.Month())})
	})
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		slices.SortFunc(sorted, order)
		everySearch(t, c, n)
		everyPage(t, c, sorted)
		equal(t, "answered 429", sim.Limited(), 0)
	}, entreztest.XML(records))
}

func everySearch(t *testing.T, c *entrez.Client, n int) {
	ids, tally := gather(t, c, entrez.SearchParams{Term: "synthetic[aid] OR 1:99999999[uid]"})
	whole(t, ids, n)
	equal(t, "tally", tally, entrez.Tally{Promised: n, Fetched: n})

	ids, _ = gather(t, c, entrez.SearchParams{Term: "(1:99999999[uid]) AND 2010:2012[crdt]"})
	if len(ids) < n/10 || len(ids) > n/5 {
		t.Errorf("%d ids in three of twenty years", len(ids))
	}
}

func everyPage(t *testing.T, c *entrez.Client, sorted []dated) {
	p := entrez.SearchParams{Term: "1:99999999[uid]", Sort: "pub_date"}
	for _, offset := range []int{100, 9_800, 10_100} {
		r, err := c.SearchPage(t.Context(), p, offset, 250)
		if err != nil || r.Count != len(sorted) || len(r.IDs) != 250 {
			t.Fatalf("%v", err)
		}
		for i, id := range r.IDs {
			if id != strconv.Itoa(sorted[offset+i].uid) {
				t.Fatalf("result %d is %s, want %d", offset+i, id, sorted[offset+i].uid)
			}
		}
	}
	for _, sort := range []string{"", "relevance", "author", "journal_name"} {
		p.Sort = sort
		_, err := c.SearchPage(t.Context(), p, 9990, 20)
		wants(t, err, httpclient.Invalid)
		r, err := c.SearchPage(t.Context(), p, 9979, 20)
		if err != nil || len(r.IDs) != 20 {
			t.Errorf("%v", err)
		}
	}
	// A search with fewer results has no later pages to refuse.
	small := entrez.SearchParams{Term: fmt.Sprintf("1:%d[uid]", entreztest.FirstSynthetic+99), RetMax: 1}
	for offset, want := range map[int]int{9990: 0, 90: 10, 0: 100} {
		r, err := c.SearchPage(t.Context(), small, offset, 9_950)
		if err != nil || len(r.IDs) != want || r.Count != 100 {
			t.Errorf("at %d: %d ids, %v", offset, len(r.IDs), err)
		}
	}
	_, err := c.SearchPage(t.Context(), small, -1, 20)
	wants(t, err, httpclient.Invalid)
}
