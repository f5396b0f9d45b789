package lsa

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store"
	"biomcp/store/postings"
)

// Bounds of a model. For a corpus of more than MaxDocs documents, the model is fitted on a
// sample of about MaxDocs, selected by a hash of the PMID. The model keeps the terms that occur
// in the most documents of the sample.
const (
	MaxDim   = 256
	MaxDocs  = 1 << 16
	MaxTerms = 1 << 16
)

// ErrTooSmall is returned if a corpus is too small or too uniform to fit a model.
var ErrTooSmall = errors.New("the corpus is too small to fit a local embedding model")

// Dim returns the number of dimensions for a corpus of n documents: 4√n, but at most MaxDim,
// which is reached at 4,096 documents.
func Dim(n int) int { return min(int(4*math.Sqrt(float64(n))), MaxDim) }

// NeedsRefit reports whether the model should be fitted again, because a corpus that had fitted
// documents has grown by at least half to n.
func NeedsRefit(fitted, n int) bool { return 2*n >= 3*fitted }

// A Fitter collects the documents to fit a model on.
type Fitter struct {
	corpus int
	limit  uint64 // greatest hash of a PMID in the sample
	ids    map[string]uint32
	names  []string
	df     []uint32
	docs   [][]postings.TermCount
	bag    []uint32             // term IDs of the document being added
	doc    []postings.TermCount // term counts of the document being added
}

// NewFitter returns a Fitter for a corpus of n documents.
func NewFitter(n int) *Fitter {
	f := &Fitter{corpus: n, limit: math.MaxUint64, ids: make(map[string]uint32)}
	if n > MaxDocs {
		f.limit = math.MaxUint64 / uint64(n) * MaxDocs
	}
	return f
}

// InSample reports whether the document is in the sample.
func (f *Fitter) InSample(pmid record.PMID) bool { return mix(uint64(pmid)) <= f.limit }

// mix returns a fixed hash of x: the finaliser of splitmix64 (S. Vigna, public domain).
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// Add adds the tokens of a document.
func (f *Fitter) Add(tokens []store.Token) {
	f.bag = f.bag[:0]
	for _, t := range tokens {
		id, ok := f.ids[t.Term]
		if !ok && len(f.names) <= postings.MaxTerm { // terms first seen later are in few documents
			id, ok = uint32(len(f.names)), true
			f.ids[t.Term] = id
			f.names, f.df = append(f.names, t.Term), append(f.df, 0)
		}
		if ok {
			f.bag = append(f.bag, id)
		}
	}
	slices.Sort(f.bag)
	f.doc = f.doc[:0]
	for i, j := 0, 0; i < len(f.bag); i = j {
		for j = i + 1; j < len(f.bag) && f.bag[j] == f.bag[i]; j++ {
		}
		f.df[f.bag[i]]++
		f.doc = append(f.doc, postings.NewTermCount(f.bag[i], uint32(j-i)))
	}
	f.docs = append(f.docs, slices.Clone(f.doc))
}

// Fit computes the model. The Fitter cannot be used again. Fit returns ErrTooSmall if the
// matrix has fewer than two significant singular values.
func (f *Fitter) Fit(ctx context.Context) (*Model, error) {
	names, idf, column := f.vocabulary()
	entropy := f.entropy(column, len(names))
	a := f.matrix(idf, column)
	*f = Fitter{corpus: f.corpus} // free the memory that the matrix replaces
	v, sigma, err := singularVectors(ctx, a, Dim(f.corpus), names)
	if err != nil {
		return nil, err
	}
	dim := len(sigma)
	if dim < 2 {
		return nil, ErrTooSmall
	}
	roots := make([]float32, dim)
	for i, x := range sigma {
		roots[i] = float32(math.Sqrt(x))
	}
	m := &Model{Dim: dim, Docs: f.corpus, roots: roots, terms: names, rows: v, scales: make([]float32, len(names))}
	for t := range names {
		row := v[t*dim : (t+1)*dim]
		norm := 0.0
		for i := range row {
			row[i] *= roots[i] * entropy[t]
			x := float64(row[i] * roots[i])
			norm += x * x
		}
		if norm > 0 {
			m.scales[t] = idf[t] / float32(math.Sqrt(norm))
		}
	}
	return m, nil
}

// entropy returns, for each column, the entropy weight of its term: 1 for a term in one
// document, 0 for a term that is equally frequent in all.
func (f *Fitter) entropy(column []int32, terms int) []float32 {
	total, sum := make([]float64, terms), make([]float64, terms)
	for _, doc := range f.docs {
		for _, e := range doc {
			if c := column[e.Term()]; c >= 0 {
				tf := float64(e.Count())
				total[c] += tf
				sum[c] += tf * math.Log(tf)
			}
		}
	}
	// Σ p ln p for p = tf/total is (Σ tf ln tf)/total − ln total.
	weights := make([]float32, terms)
	for c := range weights {
		weights[c] = float32(1 + (sum[c]/total[c]-math.Log(total[c]))/math.Log(float64(len(f.docs))))
	}
	return weights
}

func tfWeight(tf float64) float64 { return 1 + math.Log(tf) }

// matrix returns the document-term matrix. Each row is weighted and has length 1.
func (f *Fitter) matrix(idf []float32, column []int32) *matrix {
	size := 0
	for _, doc := range f.docs {
		size += len(doc)
	}
	a := &matrix{
		cols: len(idf), start: make([]int, 1, len(f.docs)+1),
		col: make([]uint32, 0, size), val: make([]float32, 0, size),
	}
	var sorted []postings.TermCount // terms of a document, sorted by column
	for _, doc := range f.docs {
		norm := 0.0
		from := len(a.val)
		sorted = sorted[:0]
		for _, e := range doc {
			if c := column[e.Term()]; c >= 0 {
				sorted = append(sorted, postings.NewTermCount(uint32(c), e.Count()))
			}
		}
		slices.Sort(sorted)
		for _, e := range sorted {
			w := tfWeight(float64(e.Count())) * float64(idf[e.Term()])
			norm += w * w
			a.col, a.val = append(a.col, e.Term()), append(a.val, float32(w))
		}
		for i := from; i < len(a.val); i++ {
			a.val[i] /= float32(math.Sqrt(norm))
		}
		a.start = append(a.start, len(a.col))
	}
	return a
}

// vocabulary selects the most frequent terms. It leaves out terms that are in every document,
// whose weight is zero. It returns the selected terms, most frequent first, their ln(N/df), and
// the column of each term ID, or -1 if the term is not selected.
func (f *Fitter) vocabulary() (names []string, idf []float32, column []int32) {
	docs := uint32(len(f.docs))
	var kept []uint32
	for id, n := range f.df {
		if n < docs {
			kept = append(kept, uint32(id))
		}
	}
	slices.SortFunc(kept, func(x, y uint32) int {
		return cmp.Or(cmp.Compare(f.df[y], f.df[x]), cmp.Compare(f.names[x], f.names[y]))
	})
	kept = kept[:min(len(kept), MaxTerms)]
	column = make([]int32, len(f.names))
	for i := range column {
		column[i] = -1
	}
	for c, id := range kept {
		column[id] = int32(c)
		names = append(names, f.names[id])
		idf = append(idf, float32(math.Log(float64(docs)/float64(f.df[id]))))
	}
	return names, idf, column
}
