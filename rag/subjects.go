package rag

import (
	"context"
	"maps"
	"math"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store"
)

// byHeadings gives hits by meaning a third similarity next to the two of compareAgain, as
// much as each: how far a document has the MeSH headings of the first documents, and
// of the seeds where there are any. What indexers have said of an article tells its kind
// (Double-Blind Method) from others on its subject. Only documents that come first are read.
func (r *run) byHeadings(ctx context.Context, hits Hits) error {
	first := r.first(hits, readDocuments)
	var pmids []record.PMID
	for _, h := range first {
		pmids = append(pmids, h.PMID)
	}
	docs, err := r.Corpus.DocumentsOf(ctx, pmids)
	if err != nil { // one that cannot be read costs the comparison, not the search
		return ctx.Err()
	}
	profile := headings{}
	for _, d := range r.like {
		profile.add(d, 1)
	}
	for _, h := range first[:min(firstDocuments, len(first))] {
		if d := docs[h.PMID]; d != nil { // not deleted since
			profile.add(d, h.Fused)
		}
	}
	r.answer.Documents, r.answer.ByHeadings = docs, len(profile) > 0
	profile.compare(hits.Near, docs)
	profile.compare(hits.Local, docs)
	return nil
}

// fewest is the least number of documents that a line is drawn through.
const fewest = 5

// headings are MeSH descriptors, each with a weight.
type headings map[string]float64

func (h headings) add(d *store.Document, weight float64) {
	for _, m := range d.Mesh {
		h[m.Descriptor] += weight
	}
}

// length is the length of the weights as a vector.
func (h headings) length() float64 {
	var square float64
	for _, name := range slices.Sorted(maps.Keys(h)) { // in one order, so that the sum is the same
		square += h[name] * h[name]
	}
	return math.Sqrt(square)
}

// compare replaces a third of each hit's score by the cosine of its headings and h. A hit
// without known headings, because it has none yet or was not read, gets the cosine that
// others with its score have, by least squares: it neither gains nor loses.
func (h headings) compare(hits []store.Hit, docs map[record.PMID]*store.Document) {
	known, length := map[int]float64{}, h.length()
	var n, x, y, xx, xy float64
	for i, hit := range hits {
		if d := docs[hit.PMID]; d != nil && len(d.Mesh) > 0 && length > 0 {
			similar := 0.0
			for _, m := range d.Mesh {
				similar += h[m.Descriptor]
			}
			similar /= length * math.Sqrt(float64(len(d.Mesh)))
			known[i] = similar
			n, x, y, xx, xy = n+1, x+hit.Score, y+similar, xx+hit.Score*hit.Score, xy+hit.Score*similar
		}
	}
	if n == 0 {
		return
	}
	slope := 0.0
	if spread := n*xx - x*x; n >= fewest && spread > 1e-9 {
		slope = max(0, (n*xy-x*y)/spread)
	}
	for i, hit := range hits {
		similar, ok := known[i]
		if !ok {
			similar = min(max(0, y/n+slope*(hit.Score-x/n)), 1) // a cosine of counts, however steep the line
		}
		hits[i].Score = (2*hit.Score + similar) / 3
	}
	sortHits(hits)
}
