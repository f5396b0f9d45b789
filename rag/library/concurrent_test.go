package library

import (
	"fmt"
	"testing"

	"github.com/sourcegraph/conc"
)

// Searches at the same time, while files change, answer from one state each.
func TestSearchesAtTheSameTime(t *testing.T) {
	s, dir := notes(t)
	var all conc.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for j := range 15 {
				if i == 0 {
					write(t, dir, "glp1/new.md", fmt.Sprintf("# Weight %d\nweight weight semaglutide\n", j))
				}
				a, err := s.Search(t.Context(), Query{Text: "semaglut* weight"})
				if err != nil || len(a.Hits) < 5 {
					t.Errorf("%d hits, %v", len(a.Hits), err)
				}
			}
		})
	}
	all.Wait()
}
