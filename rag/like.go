package rag

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store"
	"biomcp/store/vectors"
)

// Seeds selects documents to find more of (Like), and documents to find less of (Not).
type Seeds struct{ Positive, Negative []record.PMID }

// Constants of Rocchio's formula: the mean of the Positive documents, minus a quarter of the mean
// of the Negative documents, for terms and for vectors (J. J. Rocchio, Relevance feedback in
// information retrieval, in The SMART Retrieval System, 1971; weights as in C. D. Manning, P.
// Raghavan, H. Schütze, Introduction to Information Retrieval, 2008, 9.1.1). The query has the
// terms with the greatest weights; results improve up to about 256 of them. For studies drawn from
// Cohen's reviews (rag/evaluate) one seed gives an nDCG@10 of .282, three give .362 and five .423.
// With Options.Recall the terms of the best hits are added to the query, as in RM3 (N. Abdul-Jaleel
// et al., UMass at TREC 2004).
const (
	notWeight   = 0.25
	seedTerms   = 256
	recallHits  = 10
	recallTerms = 20
	recallShare = 0.5 // share of the terms of the hits, relative to the query's own
)

// documents loads the seeds. missing lists those that the corpus lacks.
func (s Seeds) documents(
	ctx context.Context, c Corpus,
) (positive, negative []*store.Document, missing []record.PMID, err error) {
	docs, err := c.DocumentsByPMID(ctx, slices.Concat(s.Positive, s.Negative))
	of := func(pmids []record.PMID) (list []*store.Document) {
		for _, pmid := range pmids {
			if d := docs[pmid]; d != nil {
				list = append(list, d)
			} else {
				missing = append(missing, pmid)
			}
		}
		return list
	}
	positive, negative = of(s.Positive), of(s.Negative)
	return positive, negative, missing, err
}

// addWeights adds the mean term weights of documents to sum, times share. A term that occurs n
// times in a document has weight 1 + ln n, divided by the length of the document's vector with
// idf.
func addWeights(docs []*store.Document, sum map[string]float64, share float64, idf map[string]float64) {
	for _, bag := range bagsOf(docs) {
		var square float64
		for t, n := range bag {
			w := (1 + math.Log(n)) * idf[t]
			square += w * w
		}
		for t, n := range bag {
			sum[t] += share * (1 + math.Log(n)) / math.Sqrt(square) / float64(len(docs))
		}
	}
}

// bagsOf returns the number of occurrences of each term, for each document.
func bagsOf(docs []*store.Document) (bags []map[string]float64) {
	c := NewCutter()
	for _, d := range docs {
		bag := map[string]float64{}
		for i, chunk := range d.Chunks {
			title := d.Title
			if i > 0 {
				title = ""
			}
			for _, t := range c.Tokens(title, chunk.Text, Subjects(d)) {
				if t.Term[0] >= 'a' || t.Term[0] >= '0' && t.Term[0] <= '9' {
					bag[t.Term]++
				}
			}
		}
		bags = append(bags, bag)
	}
	return bags
}

// idfOf returns the inverse document frequency of each term of documents in the corpus.
func idfOf(ctx context.Context, c Corpus, docs ...*store.Document) (map[string]float64, error) {
	all := map[string]bool{}
	for _, bag := range bagsOf(docs) {
		for t := range bag {
			all[t] = true
		}
	}
	terms := slices.Sorted(maps.Keys(all))
	freq, err := c.DocFreq(ctx, terms...)
	if err != nil {
		return nil, err
	}
	most := int64(1)
	for _, n := range freq {
		most = max(most, n)
	}
	idf := map[string]float64{}
	for i, t := range terms {
		idf[t] = math.Log(1 + float64(most)/float64(max(1, freq[i])))
	}
	return idf, nil
}

// topTerms returns the n terms with the greatest weight times idf, as a query.
func topTerms(of, idf map[string]float64, n int) (terms []store.Term) {
	for t, w := range of {
		if w > 0 {
			terms = append(terms, store.Term{Text: t, Weight: w})
		}
	}
	slices.SortFunc(terms, func(a, b store.Term) int {
		return cmp.Or(cmp.Compare(b.Weight*idf[b.Text], a.Weight*idf[a.Text]), cmp.Compare(a.Text, b.Text))
	})
	return terms[:min(n, len(terms))]
}

// likeQuery changes q to the query for documents similar to the seeds. Terms that were typed
// are added as alternatives.
func (s *Searcher) likeQuery(ctx context.Context, q *Query, positive, negative []*store.Document) error {
	idf, err := idfOf(ctx, s.Corpus, slices.Concat(positive, negative)...)
	if err != nil {
		return err
	}
	of := map[string]float64{}
	addWeights(positive, of, 1, idf)
	addWeights(negative, of, -notWeight, idf)
	or := store.Or{}
	for _, t := range topTerms(of, idf, seedTerms) {
		or = append(or, t)
	}
	if len(q.Terms) > 0 {
		or = append(or, q.Lexical)
	}
	if q.Lexical = or; q.Condition != nil {
		q.Lexical = store.And{or, store.Documents{Query: q.Condition}}
	}
	return nil
}

// recallQuery adds the terms of the best hits to a query.
func (s *Searcher) recallQuery(ctx context.Context, q *Query, hits []Result) error {
	var pmids []record.PMID
	for _, h := range hits[:min(recallHits, len(hits))] {
		pmids = append(pmids, h.PMID)
	}
	docs, _, _, err := Seeds{Positive: pmids}.documents(ctx, s.Corpus)
	if err != nil || len(docs) == 0 {
		return err
	}
	idf, err := idfOf(ctx, s.Corpus, docs...)
	if err != nil {
		return err
	}
	of := map[string]float64{}
	addWeights(docs, of, 1, idf)
	terms, sum := topTerms(of, idf, recallTerms), 0.0
	for _, t := range terms {
		sum += t.Weight
	}
	or := store.Or{q.Lexical}
	for _, t := range terms {
		t.Weight *= recallShare / (1 - recallShare) * float64(max(1, len(q.Terms))) / sum
		or = append(or, t)
		q.Added = append(q.Added, t.Text)
	}
	if q.Lexical = or; q.Condition != nil {
		q.Lexical = store.And{or, store.Documents{Query: q.Condition}}
	}
	return nil
}

// likeVector joins the vectors of the seeds and, unless it is nil, that of the query.
func likeVector(of map[record.PMID]map[int][]float32, positive, negative []*store.Document, query []float32) []float32 {
	var sum []float32
	add := func(v []float32, share float64) {
		if sum == nil {
			sum = make([]float32, len(v))
		}
		for i, x := range v {
			sum[i] += float32(share) * x
		}
	}
	each := func(docs []*store.Document, share float64) {
		for _, d := range docs {
			for _, v := range of[d.PMID] {
				add(v, share/float64(len(docs)*len(of[d.PMID])))
			}
		}
	}
	each(positive, 1)
	each(negative, -notWeight)
	if query != nil {
		add(query, 1)
	}
	return vectors.Unit(sum)
}

// A vectorSource is an index that can return the vectors of documents, by the ordinals of their
// chunks.
type vectorSource interface {
	Vectors(ctx context.Context, pmids []record.PMID) (map[record.PMID]map[int][]float32, error)
}

// Vectors returns the stored vectors of documents.
func (e *CorpusIndex) Vectors(ctx context.Context, pmids []record.PMID) (map[record.PMID]map[int][]float32, error) {
	if e.model == 0 {
		return nil, nil
	}
	return e.corpus.Vectors(ctx, e.model, pmids)
}

// likeOf returns a function that computes the vector of the seeds from the first of the indexes
// that is a vectorSource. If none is, it computes the vector of the query.
func likeOf(
	ctx context.Context, positive, negative []*store.Document, query func() ([]float32, error), indexes ...VectorSearcher,
) func() ([]float32, error) {
	return func() ([]float32, error) {
		var pmids []record.PMID
		for _, d := range slices.Concat(positive, negative) {
			pmids = append(pmids, d.PMID)
		}
		for _, index := range indexes {
			stored, ok := index.(vectorSource)
			if !ok {
				continue
			}
			of, err := stored.Vectors(ctx, pmids)
			if err != nil {
				return nil, err
			}
			own, err := query()
			return likeVector(of, positive, negative, own), err
		}
		return query()
	}
}
