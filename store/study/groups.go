package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"biomcp/store/study/stats"
)

// A Grouping assigns patients to groups.
type Grouping struct {
	Names          []string
	Group          []int    // by patient: index in Names; -1 for no group, -2 if the samples belong to several groups
	Reason         string   // why patients with -1 have no group
	Conflict       string   // why patients with -2 have no group
	Others         []string // why patients with -3, -4, ... have no group
	BeforeFollowUp bool     // Join checks the group before the follow-up
}

// exclusionReason returns the reason why a patient has no group, or "" if the patient has one.
func (g Grouping) exclusionReason(patient int) string {
	switch of := g.Group[patient]; {
	case of == -1:
		return g.Reason
	case of == -2:
		return g.Conflict
	case of < 0:
		return g.Others[-3-of]
	}
	return ""
}

// GroupPatients returns the group of each patient, given the group of each sample as in
// Grouping.Group. A patient is in the group of the samples that have one. If they differ, or one is in
// several groups, the patient is -2. A patient without a sample in a group has the
// code of the samples whose reason comes first in Grouping.Others, -1 if no reason is known.
func (p *Samples) GroupPatients(group []int) []int {
	out := p.groups(group)
	for patient, of := range p.ByPatient {
		for _, i := range of {
			switch code := group[i]; {
			case code == -2:
				out[patient] = -2
			case code < -2 && (out[patient] == -1 || out[patient] < code):
				out[patient] = code
			}
		}
	}
	return out
}

// GroupByAttribute groups patients by the categories of an attribute, in the order of Categories. A patient
// whose samples have different values of a sample attribute has no group.
func (s *Study) GroupByAttribute(a Attribute) (Grouping, error) {
	v, err := s.Values(a)
	if err != nil {
		return Grouping{}, err
	}
	g := Grouping{Reason: "no value of " + a.ID, Conflict: "samples with different values of " + a.ID}
	if a.Data == PatientAttributes {
		g.Names, g.Group = Categories(v[0].Patient)
		return g, nil
	}
	var of []int
	g.Names, of = Categories(v[0].Sample)
	g.Group = v[0].samples.groups(of)
	return g, nil
}

// groups returns the group of each patient, given the group of each sample, negative if none.
// The result is -1 if no sample has a group and -2 if the samples have different ones.
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

// Diploid is the copy-number state with value 0.
const Diploid = "Diploid"

// States lists the copy-number states from -2 to 2.
var States = []string{"Deep deletion", "Shallow deletion", Diploid, "Gain", "Amplification"}

// State returns the index in States of a value of a discrete profile, or -1 if x is not a
// state. It treats -1.5 as a deep deletion, as cBioPortal's importer does (ImportTabDelimData).
func State(x float64) int {
	switch x {
	case -2, -1, 0, 1, 2:
		return int(x) + 2
	case -1.5:
		return 0
	}
	return -1
}

// GroupByCopyNumber groups patients by a gene's copy number, which is a code and has no mean. part
// returns the group of a code, -1 for none. A patient belongs to the group of its samples, or
// to no group if those differ.
func (v *GeneValues) GroupByCopyNumber(names []string, part func(code float64) int) Grouping {
	of := make([]int, len(v.Values))
	for i, x := range v.Values {
		if of[i] = -1; v.Profiled.Included[i] {
			of[i] = part(x)
		}
	}
	return Grouping{
		Names: names, Group: v.Profiled.Samples.groups(of), Reason: "not profiled for " + v.Gene,
		Conflict: "samples with different copy number of " + v.Gene, BeforeFollowUp: true,
	}
}

// GroupWithValue puts all patients with a number into one group, to be divided by cuts after Join.
func GroupWithValue(values []float64, reason string, first bool) Grouping {
	g := Grouping{Names: []string{"all"}, Group: make([]int, len(values)), Reason: reason, BeforeFollowUp: first}
	for i, v := range values {
		if math.IsNaN(v) {
			g.Group[i] = -1
		}
	}
	return g
}

// Cut divides values into those up to cut and those above it. No value may be NaN.
func Cut(values []float64, cut float64) (names []string, of []int) {
	return divide(values, []float64{cut})
}

// Quantiles divides values into n groups of similar size at the type 7 quantiles. A value equal
// to a cut belongs to the lower group, so tied values can lead to fewer groups. No value may be
// NaN.
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

// Indicators returns the indicator columns of a Cox model: one for each group except the
// reference, 1 for its members and 0 for others.
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
