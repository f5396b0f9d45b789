package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"biomcp/store/study/stats"
)

// Grouping divides patients.
type Grouping struct {
	Names    []string
	Of       []int  // by patient; -1 for those in no group, -2 for those whose samples are in several
	Reason   string // why those with -1 are in none
	Conflict string // and those with -2
	First    bool   // these reasons come before those of the follow-up
}

// why is the reason for which a patient is in no group, "" for one who is in one.
func (g Grouping) why(patient int) string {
	switch g.Of[patient] {
	case -1:
		return g.Reason
	case -2:
		return g.Conflict
	}
	return ""
}

// By divides patients by the categories of an attribute, in the order of Categories. One
// whose samples have different values of an attribute of samples is in no group.
func (s *Study) By(a Attribute) (Grouping, error) {
	v, err := s.Values(a)
	if err != nil {
		return Grouping{}, err
	}
	g := Grouping{Reason: "no value of " + a.ID, Conflict: "samples with different values of " + a.ID}
	if a.Of == PatientAttributes {
		g.Names, g.Of = Categories(v[0].Patient)
		return g, nil
	}
	var of []int
	g.Names, of = Categories(v[0].Sample)
	g.Of = v[0].samples.groups(of)
	return g, nil
}

// groups returns the group of each patient by the groups of its samples, of which -1 is none:
// -1 if no sample is in a group, -2 if samples are in several.
func (p *Samples) groups(group []int) []int {
	out := make([]int, len(p.Patients))
	for patient, of := range p.ByPatient {
		out[patient] = -1
		for _, i := range of {
			switch {
			case group[i] < 0 || group[i] == out[patient]:
			case out[patient] == -1:
				out[patient] = group[i]
			default:
				out[patient] = -2
			}
		}
	}
	return out
}

// Diploid is the state of 0.
const Diploid = "Diploid"

// States are the states of copy number, from -2 to 2.
var States = []string{"Deep deletion", "Shallow deletion", Diploid, "Gain", "Amplification"}

// State is the place in States of a value of a discrete profile, -1 if it is none.
// -1.5 is a deep deletion, as cBioPortal's importer makes it -2 (ImportTabDelimData).
func State(x float64) int {
	switch x {
	case -2, -1, 0, 1, 2:
		return int(x) + 2
	case -1.5:
		return 0
	}
	return -1
}

// ByCopies divides patients by the copy number of a gene, a code that has no mean: part
// says the group of a code, -1 for none. A patient is in the group that a sample is in; one
// whose samples are in several is in none.
func (v *GeneValues) ByCopies(names []string, part func(code float64) int) Grouping {
	of := make([]int, len(v.Values))
	for i, x := range v.Values {
		if of[i] = -1; v.On.In[i] {
			of[i] = part(x)
		}
	}
	return Grouping{Names: names, Of: v.On.Samples.groups(of), Reason: "not profiled for " + v.Gene, Conflict: "samples with different copy number of " + v.Gene, First: true}
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
