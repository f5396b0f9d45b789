package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// TableTest holds the result of Pearson's chi-square test of a table of counts.
type TableTest struct {
	Test
	CramersV      float64 // effect size, 0 to 1 (Cramér, Mathematical Methods of Statistics, 1946)
	LeastExpected float64 // smallest expected count; if below 5, the p-value is inaccurate
}

// ChiSquare tests whether the rows of a table differ, without a continuity correction. It
// ignores rows and columns that sum to zero. Errors: ErrShape; ErrOneGroup if fewer than two
// rows remain; ErrConstant if fewer than two columns remain.
func ChiSquare(table [][]int) (TableTest, error) {
	table, err := dense(table)
	if err != nil {
		return TableTest{}, err
	}
	rows, columns, n := margins(table)
	var seen, expected []float64
	for i, r := range table {
		for j, v := range r {
			seen = append(seen, float64(v))
			expected = append(expected, float64(rows[i])*float64(columns[j])/float64(n))
		}
	}
	chi2 := stat.ChiSquare(seen, expected)
	side := min(len(rows), len(columns)) - 1
	return TableTest{
		Test:          chiSquareTest(chi2, (len(rows)-1)*(len(columns)-1)),
		CramersV:      math.Sqrt(chi2 / float64(n) / float64(side)),
		LeastExpected: slices.Min(expected),
	}, nil
}

// dense returns the table without rows and columns that sum to zero.
func dense(table [][]int) ([][]int, error) {
	if len(table) == 0 {
		return nil, ErrEmpty
	}
	for _, r := range table {
		if len(r) != len(table[0]) {
			return nil, ErrShape
		}
		for _, v := range r {
			if v < 0 {
				return nil, ErrShape
			}
		}
	}
	rows, columns, _ := margins(table)
	var kept [][]int
	for i, r := range table {
		if rows[i] == 0 {
			continue
		}
		var row []int
		for j, v := range r {
			if columns[j] > 0 {
				row = append(row, v)
			}
		}
		kept = append(kept, row)
	}
	if len(kept) < 2 {
		return nil, ErrOneGroup
	}
	if len(kept[0]) < 2 {
		return nil, ErrConstant
	}
	return kept, nil
}

func margins(table [][]int) (rows, columns []int, n int) {
	rows, columns = make([]int, len(table)), make([]int, len(table[0]))
	for i, r := range table {
		for j, v := range r {
			rows[i] += v
			columns[j] += v
			n += v
		}
	}
	return rows, columns, n
}
