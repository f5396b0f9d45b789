package rag

import (
	"context"
	"maps"
	"math"

	"biomcp/entrez/record"
	"biomcp/store"
)

// byHeadings gives hits by meaning a third similarity next to the two of compareAgain, as
// much as each: how far the MeSH headings of a document are those of the first documents, and
// of the seeds where there are any. What indexers have said of an article tells its kind
// (Humans, Double-Blind Method) from others on its subject, which vectors of its words do not.
// Only the documents that come first are read.
func (r *run) byHeadings(ctx context.Context, hits Hits) error {
	first := firstOf(hits, r.answer.Shares, readDocuments)
	docs := map[record.PMID]*store.Document{}
	read := func(some []store.Hit) error {
		var pmids []record.PMID
		for _, h := range some {
			pmids = append(pmids, h.PMID)
		}
		found, err := r.Corpus.DocumentsOf(ctx, pmids)
		maps.Copy(docs, found)
		return err
	}
	n := min(firstDocuments, len(first))
	if err := read(first[:n]); err != nil {
		return err
	}
	profile := headings{}
	for _, d := range r.like {
		profile.add(d, 1)
	}
	for _, h := range first[:n] {
		profile.add(docs[h.PMID], h.Score)
	}
	if len(profile) == 0 {
		r.answer.Documents = docs
		return nil
	}
	if err := read(first[n:]); err != nil {
		return err
	}
	r.answer.Documents, r.answer.ByHeadings = docs, true
	profile.compare(hits.Near, docs)
	profile.compare(hits.Local, docs)
	return nil
}

// headings are MeSH descriptors, each with a weight.
type headings map[string]float64

func (h headings) add(d *store.Document, weight float64) {
	if d == nil {
		return
	}
	for i, m := range d.Mesh {
		if i == 0 || m.Descriptor != d.Mesh[i-1].Descriptor {
			h[m.Descriptor] += weight
		}
	}
}

// cosine is the similarity of the headings of a document; ok is false if it has none.
func (h headings) cosine(d *store.Document) (similar float64, ok bool) {
	own := headings{}
	if own.add(d, 1); len(own) == 0 {
		return 0, false
	}
	var dot, square float64
	for name := range own {
		dot += h[name]
	}
	for _, w := range h {
		square += w * w
	}
	return dot / math.Sqrt(square*float64(len(own))), true
}

// compare gives each hit a third of the similarity of its headings. One whose headings are
// not known, since it has none yet or was not read, has what those with its score have, by a
// straight line (least squares): it neither gains nor loses by that.
func (h headings) compare(hits []store.Hit, docs map[record.PMID]*store.Document) {
	known := map[int]float64{}
	var n, x, y, xx, xy float64
	for i, hit := range hits {
		if similar, ok := h.cosine(docs[hit.PMID]); ok {
			known[i] = similar
			n, x, y, xx, xy = n+1, x+hit.Score, y+similar, xx+hit.Score*hit.Score, xy+hit.Score*similar
		}
	}
	if n == 0 {
		return
	}
	slope := 0.0
	if spread := n*xx - x*x; spread > 1e-9 {
		slope = max(0, (n*xy-x*y)/spread)
	}
	for i, hit := range hits {
		similar, ok := known[i]
		if !ok {
			similar = y/n + slope*(hit.Score-x/n)
		}
		hits[i].Score = (2*hit.Score + similar) / 3
	}
	sortHits(hits)
}
