package study

import (
	"encoding/json"
	"math"
	"strconv"
)

// A prob is a p-value or q-value. It may be smaller than the smallest float64, and is never
// written as 0. The zero value is undefined.
type prob struct {
	p, log float64 // log is the natural logarithm
	known  bool
}

// A log10 is the base-10 logarithm of a prob, for a JSON field beside it.
type log10 struct{ prob }

// probOf returns the values of the two JSON fields of a p-value with a natural logarithm. Both are
// undefined if p is NaN.
func probOf(p, log float64) (prob, log10) {
	v := prob{p, log, !math.IsNaN(p) && !math.IsNaN(log) && !math.IsInf(log, 0)}
	return v, log10{v}
}

// smallestP is the smallest p-value that a text shows, and that JSON has as a float64.
const smallestP = 1e-300

// under reports whether p is known and less than limit.
func (p prob) under(limit float64) bool { return p.known && p.p < limit }

// MarshalJSON writes null for an undefined p. A number below 1e-300 has ten digits, from its
// logarithm.
func (p prob) MarshalJSON() ([]byte, error) {
	switch {
	case !p.known:
		return []byte("null"), nil
	case p.p >= smallestP:
		return json.Marshal(p.p)
	}
	exponent, fraction := math.Modf(p.log / math.Ln10)
	digits := strconv.FormatFloat(math.Pow(10, fraction+1), 'f', 9, 64) // 1 to 10
	return []byte(digits + "e" + strconv.Itoa(int(exponent)-1)), nil
}

// MarshalJSON writes null for an undefined p.
func (l log10) MarshalJSON() ([]byte, error) {
	if !l.known {
		return []byte("null"), nil
	}
	return json.Marshal(l.value())
}

func (l log10) value() float64 { return l.log / math.Ln10 }

// text formats a p-value with three significant digits below 0.01.
func (p prob) text() string {
	switch {
	case !p.known:
		return "not available"
	case p.p < smallestP:
		return "< 1e-300"
	case p.p < 0.001:
		return strconv.FormatFloat(p.p, 'e', 2, 64)
	case p.p < 0.01:
		return strconv.FormatFloat(p.p, 'f', 4, 64)
	default:
		return strconv.FormatFloat(p.p, 'f', 3, 64)
	}
}
