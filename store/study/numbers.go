package study

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Numbers holds the values of an attribute as numbers, NaN if missing, infinite or not a
// number.
type Numbers struct {
	Values []float64
	// Numeric is set if all values are numbers, or if some are and Type is NUMBER.
	// Otherwise the attribute is categorical.
	Numeric bool
	Bounds  map[int]Bound // bounds such as >89, by index in Values

	NonNumeric       int    // values counted neither as number nor as bound
	LastNonNumeric   string // the last value counted in NonNumeric
	AveragedPatients int    // patients whose samples have different numbers and who therefore have the mean
}

// A Bound is a value that only gives a limit, such as >89 or <=18.
type Bound struct {
	Text         string
	Nearest      float64 // the possible number nearest to the limit
	IsLowerBound bool    // the value is Nearest or above; otherwise Nearest or below
}

func boundOf(word string) (b Bound, ok bool) {
	if strings.IndexAny(word, "<>≤≥") != 0 {
		return b, false
	}
	rest := strings.NewReplacer("≥", ">=", "≤", "<=").Replace(word)
	above := rest[0] == '>'
	rest, equal := strings.CutPrefix(rest[1:], "=")
	x, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
	switch {
	case equal:
	case above:
		x = math.Nextafter(x, math.Inf(1))
	default:
		x = math.Nextafter(x, math.Inf(-1))
	}
	return Bound{word, x, above}, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// Numbers parses the values at the attribute's own level, by patient or by sample.
func (v Values) Numbers() Numbers {
	n := Numbers{Values: make([]float64, len(v.OwnLevel())), Bounds: map[int]Bound{}}
	some := false
	for i, word := range v.OwnLevel() {
		n.Values[i] = math.NaN()
		if word == "" {
			continue
		}
		x, err := strconv.ParseFloat(word, 64)
		b, bound := boundOf(word)
		switch {
		case bound:
			n.Bounds[i] = b
		case err != nil:
			n.NonNumeric, n.LastNonNumeric = n.NonNumeric+1, word
		case !math.IsInf(x, 0):
			n.Values[i], some = x, true
		}
	}
	n.Numeric = n.NonNumeric+len(n.Bounds) == 0 || some && v.Type == "NUMBER"
	return n
}

// PatientNumbers returns the attribute as numbers by patient. For a sample attribute each
// patient has the mean of the samples' numbers, or a bound if all samples have the same one.
func (v Values) PatientNumbers() Numbers {
	n := v.Numbers()
	if v.Data == PatientAttributes {
		return n
	}
	bounds := map[int]Bound{}
	for patient, of := range v.samples.ByPatient {
		var all []Bound
		least, most := math.Inf(1), math.Inf(-1)
		for _, i := range of {
			if x := n.Values[i]; !math.IsNaN(x) {
				least, most = min(least, x), max(most, x)
			} else if b, bound := n.Bounds[i]; bound {
				all = append(all, b)
			}
		}
		if least < most {
			n.AveragedPatients++
		}
		switch all = slices.Compact(all); {
		case len(all) == 1 && least > most:
			bounds[patient] = all[0]
		case len(all) > 0:
			n.NonNumeric, n.LastNonNumeric = n.NonNumeric+len(all), all[0].Text
		}
	}
	n.Bounds, n.Values = bounds, v.samples.patientMeans(n.Values)
	return n
}

// Interval returns the least and the greatest number that a clinical value may be: twice the number,
// or the ends of a bound such as >89. It returns NaN if the value is not a number.
func Interval(value string) (low, high float64) {
	if b, ok := boundOf(value); ok {
		if b.IsLowerBound {
			return b.Nearest, math.Inf(1)
		}
		return math.Inf(-1), b.Nearest
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsInf(x, 0) {
		x = math.NaN()
	}
	return x, x
}
