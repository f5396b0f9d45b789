package study

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Numbers are the values of an attribute as numbers: NaN if missing, not a number or infinite.
type Numbers struct {
	Values  []float64
	Bounds  map[int]Bound // by place, of those who have no number but a bound
	Numeric bool          // all values are numbers, or its Type says NUMBER and some are; else it is one of categories
	Words   int           // values that are neither, and of patients bounds that do not go with the others
	Word    string        // the last of them
	Several int           // of patients: those whose samples have different numbers, and who have their mean
}

// Bound is a value that says on which side of a number it is: >89, <=18.
type Bound struct {
	Text  string
	Next  float64 // the nearest number that the value may be
	Above bool    // it may be any above Next, else any below
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

// Numbers are the values of those whom the attribute is of.
func (v Values) Numbers() Numbers {
	n := Numbers{Values: make([]float64, len(v.Own())), Bounds: map[int]Bound{}}
	some := false
	for i, word := range v.Own() {
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
			n.Words, n.Word = n.Words+1, word
		case !math.IsInf(x, 0):
			n.Values[i], some = x, true
		}
	}
	n.Numeric = n.Words+len(n.Bounds) == 0 || some && v.Type == "NUMBER"
	return n
}

// PatientNumbers returns an attribute as numbers of patients. Of an attribute of samples a patient
// has the mean of the numbers of its samples, or the bound that all of them have.
func (v Values) PatientNumbers() Numbers {
	n := v.Numbers()
	if v.Of == PatientAttributes {
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
			n.Several++
		}
		switch all = slices.Compact(all); {
		case len(all) == 1 && least > most:
			bounds[patient] = all[0]
		case len(all) > 0:
			n.Words, n.Word = n.Words+len(all), all[0].Text
		}
	}
	n.Bounds, n.Values = bounds, v.samples.means(n.Values)
	return n
}
