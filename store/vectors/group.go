package vectors

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/sourcegraph/conc/iter"
	"gonum.org/v1/gonum/blas/blas32"
)

// Means holds the means of groups of vectors, rotated as codes are. It is safe for concurrent use.
type Means struct {
	space  *Space
	rows   [][]float32
	half   []float32 // half of the squared length of each mean
	encode sync.Once // guards signs and scales, which searches do not need
	signs  []byte    // signs of the codes of the means
	scales []float32
}

// Means returns the means in rows, which it retains.
func (s *Space) Means(rows [][]float32) *Means {
	m := &Means{space: s, rows: rows}
	for _, row := range rows {
		m.half = append(m.half, dotProduct(row, row)/2)
	}
	return m
}

func (m *Means) encodeRows() {
	for _, row := range m.rows {
		code := m.space.encode(row)
		m.signs = append(m.signs, code.Signs...)
		m.scales = append(m.scales, code.Coarse)
	}
}

// Len returns the number of groups.
func (m *Means) Len() int { return len(m.rows) }

// Mean returns the rotated mean of a group.
func (m *Means) Mean(group int) []float32 { return m.rows[group] }

// Nearest returns the group of each code: the one whose mean has the least Euclidean distance from
// the vector as the code approximates it. The codes are relative to origin (EncodeBytes). Of many
// groups, it compares only those that seem nearest by the codes of their means.
func (m *Means) Nearest(codes []Code, origin []float32) []int {
	const few, portion = 24, 256
	m.encode.Do(m.encodeRows)
	groups := make([]int, len(codes))
	iter.ForEachIdx(slices.Collect(slices.Chunk(groups, portion)), func(n int, part *[]int) {
		x, guess := make([]float32, m.space.Dim), make([]float32, len(m.rows))
		near := make([]int, 0, few+1)
		for i := range *part {
			m.space.decode(x, codes[n*portion+i], origin)
			m.space.query(x).Estimate(guess, m.signs, m.scales)
			for g := range guess {
				guess[g] -= m.half[g]
			}
			near = greatest(near[:0], guess, few)
			(*part)[i] = m.nearest(x, near)
		}
	})
	return groups
}

// nearest returns the group among the given ones whose mean is nearest to x.
func (m *Means) nearest(x []float32, candidates []int) int {
	best, score := 0, float32(math.Inf(-1))
	for _, g := range candidates {
		if s := dotProduct(x, m.rows[g]) - m.half[g]; s > score {
			best, score = g, s
		}
	}
	return best
}

// greatest appends the indexes of the few greatest values, the greatest first.
func greatest(places []int, values []float32, n int) []int {
	for i, v := range values {
		if len(places) == n && v <= values[places[n-1]] {
			continue
		}
		at := len(places)
		for at > 0 && values[places[at-1]] < v {
			at--
		}
		if places = slices.Insert(places, at, i); len(places) > n {
			places = places[:n]
		}
	}
	return places
}

// Order returns the groups ordered by the Euclidean distance between their means and q, the nearest
// first.
func (m *Means) Order(q *Query) []int {
	keys, order := make([]uint64, len(m.rows)), make([]int, len(m.rows)) // sorting integers takes a quarter of the time
	for g, row := range m.rows {
		keys[g] = uint64(Sortable(m.half[g]-dotProduct(q.rotated, row)))<<32 | uint64(g)
	}
	slices.Sort(keys)
	for i, key := range keys {
		order[i] = int(uint32(key))
	}
	return order
}

// Sortable returns the bits of x transformed so that they sort like the numbers. Both zeros give
// the same bits.
func Sortable(x float32) uint32 {
	bits := math.Float32bits(x + 0) // converts -0 to 0
	return bits ^ (1<<31 | -(bits >> 31))
}

// Group returns the means of about k groups of n codes, or fewer if many are alike. It runs k-means
// (S. Lloyd, Least squares quantization in PCM, IEEE Trans. Inform. Theory 28, 1982) on 64 codes
// per group, spread evenly over them, and is deterministic. The codes are relative to origin. It
// finds more than 32 groups hierarchically, 32 at a time.
func (s *Space) Group(k, n int, code func(int) Code, origin []float32) [][]float32 {
	sample := min(n, 64*k)
	rows := make([][]float32, sample)
	for i := range rows {
		rows[i] = make([]float32, s.Dim)
		s.decode(rows[i], code(i*n/sample), origin)
	}
	return s.group(rand.New(rand.NewPCG(uint64(k), uint64(n))), rows, k)
}

func (s *Space) group(rng *rand.Rand, rows [][]float32, k int) [][]float32 {
	const width, rounds = 32, 8
	if k = min(k, len(rows)); k == 0 {
		return nil
	}
	means := make([][]float32, min(k, width))
	for i, at := range rng.Perm(len(rows))[:len(means)] {
		means[i] = rows[at]
	}
	var groups [][][]float32
	for range rounds {
		means, groups = s.means(rows, means)
	}
	if k <= width || len(groups) == 1 { // all rows may be alike
		return means
	}
	var list [][]float32
	left, wanted := len(rows), k
	for _, group := range groups {
		share := max(1, int(math.Round(float64(wanted)*float64(len(group))/float64(left))))
		left -= len(group)
		wanted -= share
		list = append(list, s.group(rng, group, share)...)
	}
	return list
}

// means assigns rows to the groups of the nearest given means. It returns the new means and the
// members of the groups that are not empty.
func (s *Space) means(rows, means [][]float32) ([][]float32, [][][]float32) {
	m, all := s.Means(means), make([]int, len(means))
	for i := range all {
		all[i] = i
	}
	at := iter.Map(rows, func(row *[]float32) int { return m.nearest(*row, all) })
	groups := make([][][]float32, len(means))
	for i, g := range at {
		groups[g] = append(groups[g], rows[i])
	}
	groups = slices.DeleteFunc(groups, func(g [][]float32) bool { return len(g) == 0 })
	now := make([][]float32, len(groups))
	for i, g := range groups {
		now[i] = make([]float32, s.Dim)
		for _, row := range g {
			add(now[i], row, 1/float32(len(g)))
		}
	}
	return now, groups
}

// decode writes into x the rotated vector that a code approximates.
func (s *Space) decode(x []float32, c Code, origin []float32) {
	for i := range x {
		bit := uint(i) & 7
		v := 1 + 2*float32(c.Large[i>>3]>>bit&1)
		x[i] = v * (2*float32(c.Signs[i>>3]>>bit&1) - 1) * c.Fine * closeness
	}
	add(x[:len(origin)], origin, 1)
}

// closeness is the cosine between a vector of normally distributed components and its signs and
// sizes.
const closeness = 0.94

func dotProduct(a, b []float32) float32 {
	return blas32.Dot(blas32.Vector{N: len(a), Data: a, Inc: 1}, blas32.Vector{N: len(b), Data: b, Inc: 1})
}

func add(to, x []float32, factor float32) {
	blas32.Axpy(factor, blas32.Vector{N: len(x), Data: x, Inc: 1}, blas32.Vector{N: len(to), Data: to, Inc: 1})
}
