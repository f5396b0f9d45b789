package study

import (
	"math"
	"strconv"
)

// Numbers are the values of an attribute as numbers: NaN if missing, not a number or infinite.
type Numbers struct {
	Values  []float64
	Numeric bool // no value that is not missing is a word; else the attribute is one of categories, unless its Type says NUMBER
	Several int  // of patients: those whose samples have different numbers, and who have their mean
}

// Numbers are the values of those whom the attribute is of.
func (v Values) Numbers() Numbers {
	n := Numbers{Values: make([]float64, len(v.Own())), Numeric: true}
	for i, word := range v.Own() {
		n.Values[i] = math.NaN()
		if word == "" {
			continue
		}
		x, err := strconv.ParseFloat(word, 64)
		switch {
		case err != nil:
			n.Numeric = false
		case !math.IsInf(x, 0):
			n.Values[i] = x
		}
	}
	return n
}

// PatientNumbers are an attribute as numbers of patients: one of samples is the mean of those
// of a patient's samples that have a number.
func (s *Study) PatientNumbers(v Values) (Numbers, error) {
	n := v.Numbers()
	if v.Of == PatientAttributes {
		return n, nil
	}
	samples, err := s.Samples()
	if err != nil {
		return n, err
	}
	for _, of := range samples.ByPatient {
		least, most := math.Inf(1), math.Inf(-1)
		for _, i := range of {
			if x := n.Values[i]; !math.IsNaN(x) {
				least, most = min(least, x), max(most, x)
			}
		}
		if least < most {
			n.Several++
		}
	}
	n.Values, err = s.PatientMeans(n.Values)
	return n, err
}
