package rag

import (
	"context"
	"maps"
	"math"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store"
)

// headingsShare and seedsShare are the shares of headings in the similarity of a vector hit: for
// a query as much as each of the two of compareAgain, for seeds as much as both.
const (
	headingsShare = 1.0 / 3
	seedsShare    = 0.5
)

// byHeadings adds a third similarity to the two of compareAgain for vector hits: the similarity
// of a document's MeSH headings to those of the first documents and of the seeds, if any.
// Headings that describe the kind of an article (Double-Blind Method) distinguish it from others
// on its subject. For a query, only the best documents are read. Seeds are known to be relevant,
// so all hits are compared with them; several seeds take the place of the first documents.
func (r *run) byHeadings(ctx context.Context, hits Hits) error {
	read, share := min(max(readDocuments, len(r.answer.Query.Terms)), PartHits), headingsShare
	if len(r.seeds) > 0 {
		read, share = PartHits, seedsShare
	}
	first := r.first(hits, read)
	var pmids []record.PMID
	for _, h := range first {
		pmids = append(pmids, h.PMID)
	}
	docs, err := r.Corpus.DocumentsByPMID(ctx, pmids)
	if err != nil { // skip the comparison, but continue the search
		return ctx.Err()
	}
	profile := headings{}
	var compared []record.PMID
	for _, d := range r.seeds {
		profile.add(d, 1)
		compared = append(compared, d.PMID)
	}
	if len(r.seeds) < 2 {
		for _, h := range first[:min(firstDocuments, len(first))] {
			if d := docs[h.PMID]; d != nil { // may have been deleted meanwhile
				profile.add(d, h.Fused)
				compared = append(compared, h.PMID)
			}
		}
	}
	if r.answer.Documents = docs; len(profile) > 0 {
		r.answer.HeadingFeedback, r.answer.HeadingDocs, r.answer.HeadingShare = true, compared, share
	}
	profile.compare(hits.Vectors, docs, share)
	profile.compare(hits.Local, docs, share)
	return nil
}

// minPoints is the minimum number of documents for a linear regression.
const minPoints = 5

// headings holds MeSH descriptors with weights.
type headings map[string]float64

func (h headings) add(d *store.Document, weight float64) {
	for _, m := range d.Mesh {
		h[m.Descriptor] += weight
	}
}

// length returns the Euclidean length of the weights.
func (h headings) length() float64 {
	var square float64
	for _, name := range slices.Sorted(maps.Keys(h)) { // a fixed order makes the sum reproducible
		square += h[name] * h[name]
	}
	return math.Sqrt(square)
}

// compare replaces a share of each hit's score by the cosine of its headings and h. A hit
// without known headings gets the cosine that the regression line of the others gives for its
// score, so that it neither gains nor loses.
func (h headings) compare(hits []store.Hit, docs map[record.PMID]*store.Document, share float64) {
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
	if spread := n*xx - x*x; n >= minPoints && spread > 1e-9 {
		slope = max(0, (n*xy-x*y)/spread)
	}
	for i, hit := range hits {
		similar, ok := known[i]
		if !ok {
			similar = min(max(0, y/n+slope*(hit.Score-x/n)), 1) // a cosine of counts is from 0 to 1
		}
		hits[i].Score = (1-share)*hit.Score + share*similar
	}
	sortHits(hits)
}
