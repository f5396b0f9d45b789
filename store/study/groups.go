package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"biomcp/store/study/stats"
)

// By divides patients by the categories of an attribute, in the order of their names.
func (s *Study) By(a Attribute) (Grouping, error) {
	v, err := s.Values(a)
	if err != nil {
		return Grouping{}, err
	}
	g := Grouping{Reason: "no value of " + a.ID}
	g.Names, g.Of = Categories(v[0].Patient)
	return g, nil
}

// WithValue is one group of all patients who have a number, for a division by cuts
// that is made after Join.
func WithValue(values []float64, reason string, first bool) Grouping {
	g := Grouping{Names: []string{"all"}, Of: make([]int, len(values)), Reason: reason, First: first}
	for i, v := range values {
		if math.IsNaN(v) {
			g.Of[i] = -1
		}
	}
	return g
}

// Cut divides values, none of them NaN, in those up to the cut and those above.
func Cut(values []float64, cut float64) (names []string, of []int) {
	return divide(values, []float64{cut})
}

// Quantiles divides values, none of them NaN, into n groups of about the same size, by
// quantiles of type 7; a value equal to a cut is in the lower group. Where values are
// tied there may be fewer groups.
func Quantiles(values []float64, n int) (names []string, of []int) {
	sorted := slices.Sorted(slices.Values(values))
	var cuts []float64
	for i := 1; i < n; i++ {
		q := stats.Quantile(sorted, float64(i)/float64(n))
		if len(sorted) > 0 && q < sorted[len(sorted)-1] && (len(cuts) == 0 || q > cuts[len(cuts)-1]) {
			cuts = append(cuts, q)
		}
	}
	return divide(values, cuts)
}

func divide(values, cuts []float64) (names []string, of []int) {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
	for i := range len(cuts) + 1 {
		switch {
		case len(cuts) == 0:
			names = append(names, "all")
		case i == 0:
			names = append(names, "≤ "+number(cuts[0]))
		case i == len(cuts):
			names = append(names, "> "+number(cuts[i-1]))
		default:
			names = append(names, fmt.Sprintf("> %s to %s", number(cuts[i-1]), number(cuts[i])))
		}
	}
	of = make([]int, len(values))
	for i, v := range values {
		of[i], _ = slices.BinarySearch(cuts, v)
	}
	return names, of
}

// Indicators are the columns of groups in a Cox model: one for each group but the
// reference, 1 for its subjects.
func Indicators(group []int, groups, reference int) [][]float64 {
	var columns [][]float64
	for g := range groups {
		if g == reference {
			continue
		}
		column := make([]float64, len(group))
		for i, of := range group {
			if of == g {
				column[i] = 1
			}
		}
		columns = append(columns, column)
	}
	return columns
}
