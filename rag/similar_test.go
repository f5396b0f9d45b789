package rag

import (
	"testing"

	"biomcp/entrez/record"
	"biomcp/store"
)

// A hit without known headings gets its similarity from the regression line of the others.
// However steep the line is, the result is a cosine.
func TestSimilarityOfHeadingsIsACosine(t *testing.T) {
	profile := headings{"Humans": 1, "Trial": 1}
	for _, n := range []int{2, 5, 8} {
		docs := map[record.PMID]*store.Document{}
		hits := []store.Hit{{PMID: 100, Score: 0.9}, {PMID: 101, Score: 0.1}}
		for i := range n {
			d := &store.Document{PMID: record.PMID(i + 1), Mesh: []store.Heading{{Descriptor: "Humans"}, {Descriptor: "Mice"}}}
			if i%2 == 0 {
				d.Mesh[1].Descriptor = "Trial"
			}
			docs[d.PMID] = d
			hits = append(hits, store.Hit{PMID: d.PMID, Score: 0.5 + float64((i+1)%2)/10_000})
		}
		profile.compare(hits, docs, headingsShare)
		for _, h := range hits {
			if h.Score < 0 || h.Score > 1 {
				t.Errorf("of %d documents: %d has %v", n, h.PMID, h.Score)
			}
		}
	}
}
