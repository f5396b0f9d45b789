package store

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/entrez/record"
)

// PMIDs returns exactly the PMIDs whose decimal form has the prefix.
func TestPMIDsThatBeginWithDigits(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	var docs []*Document
	for _, n := range []record.PMID{1, 12, 13, 120, 129, 130, 1200, 12999, 4294967295, 42949672, 5} {
		docs = append(docs, &Document{PMID: n})
	}
	commitTest(t, s, "q", docs...)
	for _, begins := range []string{"", "1", "12", "129", "13", "2", "4294967295", "42949672951", "99999999999999999999", "0", "012", "x", "-1", "1x", " 1"} {
		t.Run(begins, func(t *testing.T) {
			var want []string
			for _, n := range []record.PMID{1, 5, 12, 13, 120, 129, 130, 1200, 12999, 42949672, 4294967295} {
				if strings.HasPrefix(n.String(), begins) {
					want = append(want, n.String())
				}
			}
			for _, limit := range []int{100, 2} {
				got, err := s.PMIDs(t.Context(), begins, limit)
				if err != nil {
					t.Fatal(err)
				}
				if fmt.Sprint(got) != fmt.Sprint(want[:min(limit, len(want))]) {
					t.Errorf("%q, at most %d: %v, want %v", begins, limit, got, want)
				}
			}
		})
	}
}
