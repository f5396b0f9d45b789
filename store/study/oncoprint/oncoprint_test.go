package oncoprint

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"biomcp/store/study/oql"
)

// A plain cell is a list of words. The plain evaluator counts and compares the words one by one.

func words(events []oql.Event) (list []string) {
	for _, e := range events {
		switch e.Kind {
		case oql.Mutation:
			word := map[string]string{
				"NONSENSE": "trunc", "FRAMESHIFT": "trunc", "NONSTOP": "trunc", "NONSTART": "trunc", "SPLICE": "splice",
				"INFRAME": "inframe", "PROMOTER": "promoter", "MISSENSE": "missense", "OTHER": "other",
			}[e.Class]
			if e.Driver {
				word += "_rec"
			}
			list = append(list, word)
		case oql.CopyNumber:
			list = append(list, []string{"homdel", "hetloss", "diploid", "gain", "amp"}[e.Copies+2])
		case oql.Fusion:
			list = append(list, "sv")
		default:
			list = append(list, strings.ToLower(string(e.Kind))+map[bool]string{true: "high", false: "low"}[e.High])
		}
	}
	return list
}

// shown returns the word to show: the first class of alternatives in which one occurs, and there the most
// frequent, the first of equals.
func shown(list []string, classes ...string) string {
	for _, class := range classes {
		best, most := "", 0
		for _, word := range strings.Fields(class) {
			n := 0
			for _, w := range list {
				if w == word {
					n++
				}
			}
			if n > most {
				best, most = word, n
			}
		}
		if most > 0 {
			return best
		}
	}
	return ""
}

func plainCell(events []oql.Event) (copies, mutation, expression, protein string, fusion bool) {
	list := words(events)
	copies = shown(list, "amp homdel", "gain hetloss", "diploid")
	mutation = shown(list, "trunc_rec splice_rec inframe_rec", "promoter_rec", "missense_rec", "other_rec",
		"trunc splice inframe", "promoter", "missense", "other")
	return copies, mutation, shown(list, "exphigh explow"), shown(list, "prothigh protlow"), slices.Contains(list, "sv")
}

func drawEvents(r *rand.Rand) (events []oql.Event) {
	for range r.IntN(5) * r.IntN(2) {
		kinds := []oql.Kind{oql.Mutation, oql.Mutation, oql.Mutation, oql.CopyNumber, oql.CopyNumber, oql.Fusion, oql.Expression, oql.Protein}
		classes := []string{"MISSENSE", "NONSENSE", "NONSTART", "NONSTOP", "FRAMESHIFT", "INFRAME", "SPLICE", "PROMOTER", "OTHER"}
		events = append(events, oql.Event{
			Kind: kinds[r.IntN(len(kinds))], Class: classes[r.IntN(len(classes))], Copies: r.IntN(5) - 2, High: r.IntN(2) == 0,
			Driver: r.IntN(3) == 0, Germline: r.IntN(4) == 0,
		})
	}
	return events
}

// before reports whether column i stands before column j, by comparing word by word.
func before(i, j int, ids []string, group []int, clinical *Clinical, cells [][]Cell) bool {
	if group[i] != group[j] {
		return group[i] < group[j]
	}
	x, y := clinical.Numbers[i], clinical.Numbers[j]
	switch {
	case math.IsNaN(x) != math.IsNaN(y):
		return !math.IsNaN(x)
	case !math.IsNaN(x) && x != y:
		return x < y
	}
	for _, track := range cells {
		a, b := track[i], track[j]
		if a.NotProfiled != b.NotProfiled {
			return b.NotProfiled
		}
		for _, order := range []string{"sv -", "amp homdel gain hetloss diploid -", "trunc splice inframe promoter missense other -",
			"germline somatic -", "exphigh explow -", "prothigh protlow -"} {
			first, second := "", ""
			for _, word := range strings.Fields(order) {
				if first == "" && has(a, word) {
					first = word
				}
				if second == "" && has(b, word) {
					second = word
				}
				if (first == "") != (second == "") {
					return first != ""
				}
				if first != "" {
					break
				}
			}
		}
	}
	var m, n int
	fmt.Sscanf(ids[i], "S%d", &m)
	fmt.Sscanf(ids[j], "S%d", &n)
	return m < n
}

// has reports whether a cell shows a word; every cell has "-".
func has(c Cell, word string) bool {
	copies, mutation, expression, protein, fusion := plainCell(c.Events)
	mutation, _, _ = strings.Cut(mutation, "_")
	germline := slices.ContainsFunc(c.Events, func(e oql.Event) bool {
		kind, _, _ := strings.Cut(strings.Join(words([]oql.Event{e}), ""), "_")
		return kind == mutation && e.Germline
	})
	return word == "-" || word == copies || word == mutation || word == expression || word == protein ||
		word == "sv" && fusion || word == "germline" && mutation != "" && germline || word == "somatic" && mutation != "" && !germline
}

// Drawn matrices have the cells and the order of a plain evaluator.
func TestAgreesWithPlainEvaluator(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 3))
	for n := range 1000 {
		columns, tracks := 1+r.IntN(25), 1+r.IntN(4)
		ids, group, clinical := make([]string, columns), make([]int, columns), &Clinical{Numbers: make([]float64, columns)}
		for i, number := range r.Perm(columns) {
			ids[i], group[i] = fmt.Sprintf("S%d", number+95), r.IntN(2)
			if clinical.Numbers[i] = float64(r.IntN(3)); r.IntN(4) == 0 {
				clinical.Numbers[i] = math.NaN()
			}
		}
		cells := make([][]Cell, tracks)
		for k := range cells {
			for range columns {
				events := drawEvents(r)
				c := NewCell(events, r.IntN(5) > 0)
				copies, mutation, expression, protein, fusion := plainCell(events)
				mutation, driver := strings.CutSuffix(mutation, "_rec")
				levels := map[string]Level{"": None, "exphigh": High, "explow": Low, "prothigh": High, "protlow": Low}
				if c.Copies != strings.ToUpper(copies) || c.Mutation != strings.ToUpper(mutation) || c.Driver != driver || c.Fusion != fusion ||
					c.Expression != levels[expression] || c.Protein != levels[protein] {
					t.Fatalf("matrix %d: %v: want %s, %s, driver %v, fusion %v, %s, %s, got %+v",
						n, words(events), copies, mutation, driver, fusion, expression, protein, c)
				}
				cells[k] = append(cells[k], c)
			}
		}
		order := Order(ids, group, []*Clinical{clinical}, cells)
		for k := 1; k < columns; k++ {
			if before(order[k], order[k-1], ids, group, clinical, cells) {
				t.Fatalf("matrix %d: want column %s before %s", n, ids[order[k]], ids[order[k-1]])
			}
		}
	}
}

// Texts are in natural order, and missing ones last.
func TestClinicalTexts(t *testing.T) {
	c := &Clinical{Values: []string{"", "Stage 10", "Stage 2", "", "stage 1"}}
	got := Order([]string{"S1", "S2", "S3", "S0", "S5"}, nil, []*Clinical{c}, nil)
	if want := []int{4, 2, 1, 3, 0}; !slices.Equal(got, want) {
		t.Errorf("want the order %v, got %v", want, got)
	}
}

// IDs are in natural order: numbers in them by size.
func TestOrderOfIDs(t *testing.T) {
	want := []string{"P-2-T1", "P-2-T10", "P-10-T2", "P-010-T3", "TCGA-IV-1", "TCGA-V-1", "TCGA-V-1a"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, compareIDs)
	if !slices.Equal(got, want) {
		t.Errorf("want the order %v, got %v", want, got)
	}
}
