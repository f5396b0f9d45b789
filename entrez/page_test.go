package entrez_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"

	"biomcp/entrez"
	"biomcp/entrez/httpclient"
)

func TestSearchPagePast9999(t *testing.T) {
	if testing.Short() {
		t.Skip("asks for one page after another")
	}
	const n = 22_000
	for name, records := range worlds(n) {
		t.Run(name, func(t *testing.T) {
			sorted := slices.Clone(records)
			slices.SortFunc(sorted, order)
			want := make([]string, n)
			for i, r := range sorted {
				want[i] = strconv.Itoa(r.uid)
			}
			synctest.Test(t, func(t *testing.T) {
				p := &pretend{records: records}
				c := offline(t, p)
				params := entrez.SearchParams{Term: "everything", Sort: "pub_date"}
				for _, offset := range []int{0, 8999, 9000, 9500, 9990, 9998, 9999, 10000, 12345, 19998, 21_500, 21_999} {
					r, err := c.SearchPage(t.Context(), params, offset, 1000)
					if err != nil {
						t.Fatal(err)
					}
					equal(t, "count", r.Count, n)
					if w := want[offset:min(offset+1000, n)]; !slices.Equal(r.IDs, w) {
						t.Errorf("page at %d has %d ids, want %d; first %.1s, want %s", offset, len(r.IDs), len(w), r.IDs, w[0])
					}
				}
				r, err := c.SearchPage(t.Context(), params, n, 10)
				if err != nil || len(r.IDs) != 0 || r.IDs == nil || r.Count != n {
					t.Errorf("past the end: %v", err)
				}
				before := p.asked
				if _, err := c.SearchPage(t.Context(), params, 15000, 20); err != nil {
					t.Fatal(err)
				}
				if more := p.asked - before; more > 8 {
					t.Errorf("one more page took %d requests with a warm cache", more)
				}
				equal(t, "not understood", p.wrong, []string(nil))
			})
		})
	}
}

// Every record is on exactly one page, whatever its dates.
func TestPagesAreDisjointAndWhole(t *testing.T) {
	const n = 25_000
	synctest.Test(t, func(t *testing.T) {
		p := &pretend{}
		for i := range n { // electronic dates before, after or instead of print dates
			print, web := 20200101+i%12*100, 20190615+i%4*10000
			if i%5 == 0 {
				print = 0
			}
			p.records = append(p.records, dated{i + 1, 20200101, print, web})
		}
		c := offline(t, p)
		var all []string
		for offset := 9_999; offset < n; offset += 1000 {
			r, err := c.SearchPage(t.Context(), entrez.SearchParams{Term: "everything", Sort: "pub_date"}, offset, 1000)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, r.IDs...)
		}
		whole(t, all, n-9_999)
	})
}

// A server that counts too many records gives a short page and does not loop.
func TestSearchPageOfAServerWithWrongCounts(t *testing.T) {
	for _, lie := range []int{1, 5_000, 1_000_000} {
		t.Run(fmt.Sprint(lie), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pretend{records: worlds(12_000)["spread over years"], lie: lie}
				_, err := offline(t, p).SearchPage(t.Context(), entrez.SearchParams{Term: "everything", Sort: "pub_date"}, 11_999+lie, 20)
				if err != nil {
					wants(t, err, httpclient.Upstream)
				}
				if p.asked > 1000 {
					t.Errorf("lie of %d: %d requests", lie, p.asked)
				}
			})
		})
	}
}
