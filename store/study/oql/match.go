package oql

import (
	"math"
	"slices"
	"strings"
)

func (m Modifiers) allow(driver, germline bool) bool {
	return (!m.Driver || driver) && (!m.Germline || germline) && (!m.Somatic || !germline)
}

func (a Alteration) matchesMutation(m MutationEvent) bool {
	if !a.allow(m.Driver, m.Germline) || a.Range != nil && !a.Range.covers(m.From, m.To) {
		return false
	}
	is := false
	switch {
	case a.Op == "":
		return true
	case a.Class == "TRUNC":
		is = slices.Contains(truncating, m.Class)
	case a.Class != "":
		is = a.Class == m.Class
	case a.Position > 0:
		if m.From == 0 {
			return false
		}
		is = m.From <= a.Position && a.Position <= m.To
	default:
		if m.Change == "" {
			return false
		}
		is = strings.EqualFold(a.Change, m.Change)
	}
	return is == (a.Op == "=")
}

// truncating lists the classes of TRUNC.
var truncating = []string{"NONSENSE", "NONSTART", "NONSTOP", "FRAMESHIFT", "SPLICE"}

// Truncating reports whether a class of mutations is one of TRUNC.
func Truncating(class string) bool { return slices.Contains(truncating, class) }

// covers reports whether a mutation from one position to another is in the range.
func (r *Range) covers(from, to int) bool {
	last := r.To
	if last == 0 {
		last = math.MaxInt
	}
	switch {
	case from == 0:
		return false
	case r.Inside:
		return from >= r.From && to <= last
	}
	return from <= last && to >= r.From
}

func (a Alteration) matchesFusion(f FusionEvent) bool {
	if !a.allow(f.Driver, f.Germline) {
		return false
	}
	is := func(site, wanted string) bool {
		switch wanted {
		case "*":
			return site != ""
		case "-":
			return site == ""
		}
		return site == wanted
	}
	switch {
	case a.Downstream != "":
		return f.Gene1 && is(f.Downstream, a.Downstream)
	case a.Upstream != "":
		return f.Gene2 && is(f.Upstream, a.Upstream)
	}
	return true
}

// limit returns the number that a value is compared with.
func (a Alteration) limit() float64 {
	if a.Kind == CopyNumber {
		return float64(a.Copies)
	}
	return a.Value
}

// compare reports whether every number from low to high meets a comparison. Any number meets "".
func compare(low, high float64, op string, limit float64) bool {
	switch op {
	case "=":
		return low == limit && high == limit
	case "!=":
		return high < limit || low > limit
	case ">":
		return low > limit
	case ">=":
		return low >= limit
	case "<":
		return high < limit
	case "<=":
		return high <= limit
	}
	return true
}

// opposite returns the negation of a comparison.
func opposite(op string) string {
	all := []string{"=", "!=", ">", "<=", ">=", "<"}
	return all[slices.Index(all, op)^1]
}
