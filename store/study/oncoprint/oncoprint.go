// Package oncoprint arranges alterations as cBioPortal's oncoprint does: what a cell shows if a sample
// has several events, and the order of the columns. It follows the rules in geneticrules.ts, DataUtils.ts
// and SortUtils.ts of github.com/cBioPortal/cbioportal-frontend. Drawing is up to the caller.
package oncoprint

import (
	"cmp"
	"slices"
	"strings"

	"biomcp/store/study"
	"biomcp/store/study/oql"
)

// A Cell is what one column of a track shows.
type Cell struct {
	NotProfiled bool
	Copies      string // AMP, HOMDEL, GAIN, HETLOSS or DIPLOID; "" for none
	Mutation    string // one of MutationOrder; "" for none
	Driver      bool   // the mutation is a driver
	Germline    bool   // a mutation of that type is a germline one
	Fusion      bool
	Expression  Level
	Protein     Level
	Events      []oql.Event // in the order of the track
}

// A Level is a high or low level, or none.
type Level int8

// The levels.
const (
	None Level = iota
	High
	Low
)

// IsAltered reports whether the cell has an event.
func (c *Cell) IsAltered() bool { return len(c.Events) > 0 }

// MutationOrder lists the types of mutations in the order of columns.
func MutationOrder() []string {
	return []string{"TRUNC", "SPLICE", "INFRAME", "PROMOTER", "MISSENSE", "OTHER"}
}

// CopiesOrder lists the states of copy number in the order of columns.
func CopiesOrder() []string { return []string{"AMP", "HOMDEL", "GAIN", "HETLOSS", "DIPLOID"} }

// MutationType returns the type of a mutation class, of which an oncoprint shows fewer.
func MutationType(class string) string {
	switch {
	case slices.Contains([]string{"MISSENSE", "INFRAME", "SPLICE", "PROMOTER"}, class):
		return class
	case oql.Truncating(class):
		return "TRUNC"
	}
	return "OTHER"
}

// A choice is a value that several events of a cell may have.
type choice struct {
	value string
	rank  int // the smaller wins
	n     int // of equal rank, the more frequent wins
}

// pick returns the value to show: of the least rank, then the most frequent, then the first in order.
func pick(choices []choice, order []string) string {
	if len(choices) == 0 {
		return ""
	}
	return slices.MinFunc(choices, func(a, b choice) int {
		return cmp.Or(a.rank-b.rank, b.n-a.n, slices.Index(order, a.value)-slices.Index(order, b.value))
	}).value
}

func count(choices []choice, value string, rank int) []choice {
	for i := range choices {
		if choices[i].value == value && choices[i].rank == rank {
			choices[i].n++
			return choices
		}
	}
	return append(choices, choice{value, rank, 1})
}

// NewCell returns the cell that shows some events of one sample or patient.
func NewCell(events []oql.Event, profiled bool) Cell {
	c := Cell{Events: events, NotProfiled: !profiled && len(events) == 0}
	if len(events) == 0 {
		return c
	}
	var mutations, copies, expression, protein []choice
	for _, e := range events {
		switch e.Kind {
		case oql.Mutation:
			mutations = count(mutations, MutationType(e.Class), mutationRank(e))
		case oql.CopyNumber:
			state := oql.CopyState(e.Copies)
			copies = count(copies, state, slices.Index(CopiesOrder(), state)/2)
		case oql.Fusion:
			c.Fusion = true
		case oql.Expression:
			expression = count(expression, levelName(e.High), 0)
		case oql.Protein:
			protein = count(protein, levelName(e.High), 0)
		}
	}
	c.Copies, c.Mutation = pick(copies, CopiesOrder()), pick(mutations, MutationOrder())
	c.Expression, c.Protein = level(expression), level(protein)
	for _, e := range events {
		if e.Kind == oql.Mutation && MutationType(e.Class) == c.Mutation {
			c.Driver, c.Germline = c.Driver || e.Driver, c.Germline || e.Germline
		}
	}
	return c
}

// mutationRank ranks drivers first, then truncating and in-frame mutations before the others.
func mutationRank(e oql.Event) int {
	rank := 0
	switch MutationType(e.Class) {
	case "PROMOTER":
		rank = 1
	case "MISSENSE":
		rank = 2
	case "OTHER":
		rank = 3
	}
	if !e.Driver {
		rank += 4
	}
	return rank
}

func levelName(high bool) string {
	if high {
		return "high"
	}
	return "low"
}

func level(choices []choice) Level {
	return Level(1 + slices.Index([]string{"high", "low"}, pick(choices, []string{"high", "low"})))
}

// key returns the numbers by which columns are sorted within a track.
func (c *Cell) key() [7]int8 {
	place := func(order []string, value string) int8 {
		if i := slices.Index(order, value); i >= 0 {
			return int8(i)
		}
		return int8(len(order))
	}
	b := func(is bool) int8 {
		if is {
			return 0
		}
		return 1
	}
	germline := b(c.Germline)
	if c.Mutation == "" {
		germline = 2
	}
	after := func(l Level) int8 { return (int8(l) + 2) % 3 } // high, low, none
	return [7]int8{
		1 - b(c.NotProfiled), b(c.Fusion), place(CopiesOrder(), c.Copies), place(MutationOrder(), c.Mutation), germline,
		after(c.Expression), after(c.Protein),
	}
}

// A Clinical is a track of clinical values by column, "" if missing. If Numbers is set, the values are
// numbers, NaN if missing.
type Clinical struct {
	Values  []string
	Numbers []float64
}

// Compare compares two columns: numbers ascending, texts in natural order, missing last.
func (t *Clinical) Compare(i, j int) int {
	if t.Numbers != nil {
		x, y := t.Numbers[i], t.Numbers[j]
		isX, isY := x == x, y == y // NaN differs from itself
		if isX && isY {
			return cmp.Compare(x, y)
		}
		return boolOrder(isX, isY)
	}
	x, y := t.Values[i], t.Values[j]
	if x != "" && y != "" {
		return study.CompareNatural(x, y)
	}
	return boolOrder(x != "", y != "")
}

// boolOrder orders true before false.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Order sorts columns: by group, then by the clinical tracks first, then by each gene track from the top,
// then by id in natural order. group holds the group of each column; nil means one group.
func Order(ids []string, group []int, first []*Clinical, tracks [][]Cell) []int {
	order := make([]int, len(ids))
	keys := make([][7]int8, len(ids)*len(tracks))
	for i := range ids {
		order[i] = i
		for k := range tracks {
			keys[i*len(tracks)+k] = tracks[k][i].key()
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		if group != nil && group[i] != group[j] {
			return group[i] - group[j]
		}
		for _, t := range first {
			if c := t.Compare(i, j); c != 0 {
				return c
			}
		}
		a, b := keys[i*len(tracks):(i+1)*len(tracks)], keys[j*len(tracks):(j+1)*len(tracks)]
		for k := range a {
			if c := slices.Compare(a[k][:], b[k][:]); c != 0 {
				return c
			}
		}
		return cmp.Or(compareIDs(ids[i], ids[j]), i-j)
	})
	return order
}

// compareIDs compares IDs so that numbers in them sort by size.
func compareIDs(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		m, n := digits(x), digits(y)
		if m == 0 || n == 0 {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		p, q := strings.TrimLeft(x[:m], "0"), strings.TrimLeft(y[:n], "0")
		if c := cmp.Or(len(p)-len(q), strings.Compare(p, q)); c != 0 {
			return c
		}
		x, y = x[m:], y[n:]
	}
	return cmp.Or(len(x)-len(y), strings.Compare(a, b))
}

// digits returns the number of digits at the beginning of a text.
func digits(s string) (n int) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
