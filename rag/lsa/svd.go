package lsa

import (
	"context"
	"hash/fnv"
	"math"

	"github.com/sourcegraph/conc/iter"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"
)

// A matrix is a sparse matrix in compressed row storage. Each row is sorted by column.
type matrix struct {
	cols  int
	start []int // start of each row in col and val, and their length
	col   []uint32
	val   []float32
}

func (a *matrix) numRows() int { return len(a.start) - 1 }

// transpose returns the transpose.
func (a *matrix) transpose() *matrix {
	t := &matrix{
		cols: a.numRows(), start: make([]int, a.cols+1),
		col: make([]uint32, len(a.col)), val: make([]float32, len(a.val)),
	}
	for _, c := range a.col {
		t.start[c+1]++
	}
	for c := range a.cols {
		t.start[c+1] += t.start[c]
	}
	next := append([]int(nil), t.start[:a.cols]...)
	for r := range a.numRows() {
		for i := a.start[r]; i < a.start[r+1]; i++ {
			at := next[a.col[i]]
			next[a.col[i]]++
			t.col[at], t.val[at] = uint32(r), a.val[i]
		}
	}
	return t
}

// times sets out (numRows × l) to a × x, where x is a.cols × l. One goroutine sums each row in
// the order of its entries. A goroutine takes a block of rows, and multiplies a block of
// columns for all of them before the next block: these parts of out and x fit in the cache of a
// processor. Otherwise most of the time would be spent waiting for memory.
func (a *matrix) times(out, x []float32, l int) {
	const rows, cols = 256, 1024
	clear(out[:a.numRows()*l])
	parallel(a.numRows(), rows, func(from, to int) {
		next := append([]int(nil), a.start[from:to]...)
		for end := cols; end < a.cols+cols; end += cols {
			for r := from; r < to; r++ {
				y, i := out[r*l:(r+1)*l], next[r-from]
				for ; i < a.start[r+1] && int(a.col[i]) < end; i++ {
					c := int(a.col[i])
					axpy(a.val[i], x[c*l:(c+1)*l], y)
				}
				next[r-from] = i
			}
		}
	})
}

var blas gonum.Implementation

func axpy(a float32, x, y []float32) { blas.Saxpy(len(x), a, x, 1, y, 1) }

// parallel calls f on all processors, for ranges of at most part that cover 0 to n.
func parallel(n, part int, f func(from, to int)) {
	iter.ForEachIdx(make([]struct{}, (n+part-1)/part), func(p int, _ *struct{}) { f(p*part, min((p+1)*part, n)) })
}

const (
	oversample = 32 // additional directions beside k (Halko et al., 4.2, recommend 5 to 10)
	rounds     = 8  // number of iterations; with 4, the start changes the ranking figures of the tests by 0.01
)

// singularVectors returns the leading right singular vectors of a, a.cols × dim row by row, and
// the singular values, largest first. Their number is k, or the rank of a if that is less.
// names holds the names of the columns. The start depends on the names but not on their order,
// so that an additional column changes the others little.
func singularVectors(ctx context.Context, a *matrix, k int, names []string) (v []float32, sigma []float64, err error) {
	n, m := a.cols, a.numRows()
	l := min(k+oversample, n, m)
	// The iteration keeps the basis of the documents' side: a corpus has fewer documents
	// than terms.
	at := a.transpose()
	v, w := randomSigns(names, l), make([]float32, m*l)
	for range rounds {
		if l == 0 { // there are no terms, or the random signs of a few cancel out
			return nil, nil, nil
		}
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		a.times(w, v, l)
		// An orthonormal basis of w is w · E · Λ^-½, for the eigenvalues Λ and
		// vectors E of wᵀw.
		values, vectors := eigen(gram(w, l), l)
		rank := significant(values, l)
		w = rotate(w, l, vectors, values[:rank])
		l = rank
		v = v[:n*l]
		at.times(v, w, l)
	}
	// Rayleigh–Ritz: vᵀ is wᵀ·a, so its right singular vectors are the ones sought.
	values, vectors := eigen(gram(v, l), l)
	dim := significant(values, min(k, l))
	for _, x := range values[:dim] {
		sigma = append(sigma, math.Sqrt(x))
	}
	return rotate(v, l, vectors, values[:dim]), sigma, nil
}

// tiny is the fraction of the largest eigenvalue below which an eigenvalue counts as zero: in
// single precision it is noise.
const tiny = 1e-9

// significant returns the number of leading values, at most k, that do not count as zero.
func significant(values []float64, k int) int {
	n := 0
	for n < k && values[n] > values[0]*tiny {
		n++
	}
	return n
}

// randomSigns returns a matrix of 1 and -1 with l columns. Each row is determined by its name.
func randomSigns(names []string, l int) []float32 {
	v := make([]float32, len(names)*l)
	for r, name := range names {
		h := fnv.New64a()
		h.Write([]byte(name))
		seed := mix(h.Sum64())
		for i := range l {
			if v[r*l+i] = 1; mix(seed+uint64(i))>>63 == 0 {
				v[r*l+i] = -1
			}
		}
	}
	return v
}

// gram returns the upper triangle of vᵀv (l × l), summed in double precision over fixed parts
// of the rows.
func gram(v []float32, l int) []float64 {
	const parts, block = 16, 128
	n := len(v) / l
	sums := make([][]float64, parts)
	iter.ForEachIdx(sums, func(p int, sum *[]float64) {
		*sum = make([]float64, l*l)
		partial := make([]float32, l*l)
		end := n * (p + 1) / parts
		for from := n * p / parts; from < end; from += block {
			clear(partial)
			for r := from; r < min(from+block, end); r++ {
				row := v[r*l : (r+1)*l]
				for i, x := range row {
					axpy(x, row[i:], partial[i*l+i:(i+1)*l])
				}
			}
			for i, x := range partial {
				(*sum)[i] += float64(x)
			}
		}
	})
	total := sums[0]
	for _, s := range sums[1:] {
		for i, x := range s {
			total[i] += x
		}
	}
	return total
}

// eigen returns the eigenvalues of a symmetric l × l matrix, largest first, and the
// eigenvectors as columns in that order. The matrix is given by its upper triangle.
func eigen(g []float64, l int) (values, vectors []float64) {
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(l, g), true) {
		panic("lsa: the eigenvalues of a symmetric matrix did not converge") // LAPACK dsyev converges for finite input
	}
	var u mat.Dense
	e.VectorsTo(&u)
	up := e.Values(nil)
	values, vectors = make([]float64, l), make([]float64, l*l)
	for j := range l {
		values[j] = max(up[l-1-j], 0)
		for i := range l {
			vectors[i*l+j] = u.At(i, l-1-j)
		}
	}
	return values, vectors
}

// rotate returns v × the first columns of e, each divided by the root of its value. v has l
// columns, and e is l × l. It overwrites v, because a second matrix would take too much memory.
func rotate(v []float32, l int, e, values []float64) []float32 {
	k := len(values)
	e32 := make([]float32, l*k)
	for j, x := range values {
		for i := range l {
			e32[i*k+j] = float32(e[i*l+j] / math.Sqrt(x))
		}
	}
	n := len(v) / l
	parallel(n, 1024, func(from, to int) {
		y := make([]float32, k)
		for r := from; r < to; r++ {
			row := v[r*l : (r+1)*l]
			clear(y)
			for i, x := range row {
				axpy(x, e32[i*k:(i+1)*k], y)
			}
			copy(row, y)
		}
	})
	if k < l {
		for r := range n {
			copy(v[r*k:(r+1)*k], v[r*l:])
		}
	}
	return v[:n*k]
}
