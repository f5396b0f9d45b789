package stats

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
)

// maxSteps limits the work of FisherTable to one or two seconds.
const maxSteps = 3_000_000

// FisherTable returns the two-sided p-value of Fisher's exact test of a table of any size, and its
// natural logarithm
// (Freeman and Halton, Biometrika 1951; 38:141): the probability, given the margins, of the
// tables that are at most as probable as the observed one, with R's tolerance of 1e-7.
//
// It uses the network algorithm of Mehta and Patel (J Am Stat Assoc 1983; 78:427), which fills
// columns one by one. Partial tables that leave the same remaining row totals, in any order,
// share a node. A node is not expanded if all of its completions count or if none does.
//
// Errors: ErrEmpty, ErrShape, ErrOneGroup, ErrConstant; ErrTooLarge if it would take more than
// one or two seconds. The chi-square test is adequate for such tables.
func FisherTable(table [][]int) (p, logP float64, err error) {
	if table, err = dense(table); err != nil {
		return math.NaN(), math.NaN(), err
	}
	rows, columns, n := margins(table)
	if len(rows) > len(columns) {
		rows, columns = columns, rows
	}
	slices.Sort(rows)
	slices.Sort(columns)
	// The probability of a table is ∏ row! ∏ column! / n! / ∏ cell!. The value of a table,
	// or of a part of it, is −Σ log cell!.
	w := &network{factorials: logFactorials(n), columns: columns, bounds: map[string]bounds{}}
	constant := -w.factorials[n]
	for _, v := range slices.Concat(rows, columns) {
		constant += w.factorials[v]
	}
	seen := 0.0
	for _, r := range table {
		seen += w.value(r)
	}
	logP = w.sum(rows, constant, seen+math.Log1p(1e-7))
	if w.steps > maxSteps {
		return math.NaN(), math.NaN(), ErrTooLarge
	}
	logP = min(logP, 0)
	return math.Exp(logP), logP, nil
}

func logFactorials(n int) []float64 {
	f := make([]float64, n+1)
	for i := 2; i <= n; i++ {
		f[i] = f[i-1] + math.Log(float64(i))
	}
	return f
}

type network struct {
	factorials []float64
	columns    []int
	bounds     map[string]bounds
	steps      int
}

// bounds holds the smallest and the greatest value of the completions of a partial table.
type bounds struct{ low, high float64 }

// A node holds the remaining row totals and the partial tables that have them, keyed by value
// rounded to 1e-10. Partial tables of the same value are equally probable.
type node struct {
	rows     []int
	prefixes map[int64]ways
}

type ways struct{ value, count float64 }

// sum returns the logarithm of the probability of the tables whose value is at most limit.
func (w *network) sum(rows []int, constant, limit float64) float64 {
	var p logSum
	level := map[string]node{keyOf(rows): {rows, map[int64]ways{0: {0, 1}}}}
	for stage := range w.columns {
		next := map[string]node{}
		for _, key := range slices.Sorted(maps.Keys(level)) { // sorted, because sums of floats depend on the order
			n := level[key]
			b := w.reach(key, n.rows, stage)
			rest := constant + w.completions(n.rows, stage)
			open := make([]ways, 0, len(n.prefixes))
			for _, at := range slices.Sorted(maps.Keys(n.prefixes)) {
				before := n.prefixes[at]
				switch {
				case before.value+b.high <= limit:
					p.add(before.value+rest, before.count)
				case before.value+b.low <= limit:
					open = append(open, before)
				}
			}
			if len(open) == 0 || stage == len(w.columns)-1 {
				continue
			}
			w.fill(n.rows, w.columns[stage], func(rowTotals []int, value float64) {
				w.steps += len(open)
				key := keyOf(rowTotals)
				child, ok := next[key]
				if !ok {
					child = node{slices.Clone(rowTotals), map[int64]ways{}}
					next[key] = child
				}
				for _, before := range open {
					v := before.value + value
					at := int64(math.Round(v * 1e10))
					child.prefixes[at] = ways{v, child.prefixes[at].count + before.count}
				}
			})
			if w.steps > maxSteps {
				return math.NaN()
			}
		}
		level = next
	}
	return p.log()
}

// completions returns log Σ ∏ 1/cell! over all completions of a table from a stage on.
func (w *network) completions(rows []int, stage int) float64 {
	n, sum := 0, 0.0
	for _, r := range rows {
		n += r
		sum -= w.factorials[r]
	}
	for _, c := range w.columns[stage:] {
		sum -= w.factorials[c]
	}
	return sum + w.factorials[n]
}

// reach returns the bounds of a node. key identifies the remaining row totals and thereby the
// stage.
func (w *network) reach(key string, rows []int, stage int) bounds {
	if stage == len(w.columns)-1 {
		v := w.value(rows)
		return bounds{v, v}
	}
	if b, ok := w.bounds[key]; ok {
		return b
	}
	b := bounds{math.Inf(1), math.Inf(-1)}
	w.fill(rows, w.columns[stage], func(rowTotals []int, value float64) {
		w.steps++
		if w.steps > maxSteps {
			return
		}
		rest := w.reach(keyOf(rowTotals), slices.Clone(rowTotals), stage+1)
		b = bounds{min(b.low, value+rest.low), max(b.high, value+rest.high)}
	})
	w.bounds[key] = b
	return b
}

func (w *network) value(cells []int) float64 {
	v := 0.0
	for _, c := range cells {
		v -= w.factorials[c]
	}
	return v
}

// fill calls fn for each way to distribute total over the rows. It passes the remaining row
// totals, sorted and valid during the call, and the value of the column.
func (w *network) fill(rows []int, total int, fn func(rowTotals []int, value float64)) {
	left := make([]int, len(rows))
	sorted := make([]int, len(rows))
	room := 0
	for _, r := range rows {
		room += r
	}
	var row func(i, total, room int, value float64)
	row = func(i, total, room int, value float64) {
		if w.steps > maxSteps {
			return
		}
		if i == len(rows) {
			copy(sorted, left)
			slices.Sort(sorted)
			fn(sorted, value)
			return
		}
		room -= rows[i]
		for x := max(0, total-room); x <= min(rows[i], total); x++ {
			left[i] = rows[i] - x
			row(i+1, total-x, room, value-w.factorials[x])
		}
	}
	row(0, total, room, 0)
}

func keyOf(rows []int) string {
	var b []byte
	for _, r := range rows {
		b = binary.AppendUvarint(b, uint64(r))
	}
	return string(b)
}
