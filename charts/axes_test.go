package charts_test

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"biomcp/charts"
)

var axisLabels = charts.Labels{Title: "T", Group: "the groups", Value: "the values", Comparison: "the others", Count: "the counts",
	Share: "the shares", Time: "the times", Position: "the positions"}

// most holds the allowed range of the greatest tick of each labelled axis. No two ranges overlap.
var most = map[string][2]float64{axisLabels.Share: {.9, 1.1}, axisLabels.Count: {20, 99}, axisLabels.Value: {1000, 4000},
	axisLabels.Time: {1e5, 9e5}, axisLabels.Position: {1e6, 9e6}, axisLabels.Comparison: {-6e4, -3e4}}

// scaled holds data whose numbers fit the ranges of most.
var scaled = []charts.Data{
	charts.Values{Labels: axisLabels, List: []charts.Value{{Name: "g1", Value: 1700}, {Name: "g2", Value: 2000}}},
	charts.Parts{Labels: axisLabels, List: []charts.Value{{Name: "g1", Value: 1700}, {Name: "g2", Value: 2000}}},
	charts.Table{Labels: axisLabels, Groups: []string{"g1", "g2"}, Parts: []charts.Part{{Name: "p", Counts: []float64{30, 40}}}},
	charts.Rates{Labels: axisLabels, List: []charts.Rate{{Name: "g1", K: 40, N: 90, Low: .3, High: .6}}},
	charts.SampleValues{Labels: axisLabels, List: []charts.Value{{Name: "g1", Value: 1700}, {Name: "g2", Value: 2000}}},
	charts.Matrix{Labels: axisLabels, Rows: []string{"g1"}, Columns: []string{"g2"}, Ratios: [][]float64{{2000}}},
	charts.Distribution{Labels: axisLabels, Values: []float64{1500, 1600, 1700, 2000, 2100}},
	charts.Samples{Labels: axisLabels, Groups: []charts.Sample{{Name: "g1", Values: []float64{1500, 1600, 2000}}, {Name: "g2", Values: []float64{1600, 2100, 2200}}}},
	charts.Pairs{Labels: axisLabels, Groups: []charts.Points{{Name: "g1", Values: []float64{1500, 2000}, Comparisons: []float64{-50000, -40000}}}},
	charts.Curves{Labels: axisLabels, Groups: []charts.Curve{{Name: "g1", N: 1, Events: 1, Times: []float64{3e5}, Survival: []float64{0}, End: 3e5, Median: math.NaN(), FollowUp: []float64{3e5}}}},
	charts.Positions{Labels: axisLabels, Length: 5e6, List: []charts.Position{{Residue: 1e6, Count: 40, Name: "R1H", Class: "Missense"}}},
	charts.Ratios{Labels: axisLabels, Terms: []charts.Ratio{{Name: "g1", Estimate: 1000, Low: 900, High: 2500}}},
	charts.Oncoprint{Labels: axisLabels, Columns: []string{"S1"}, Tracks: []charts.GeneTrack{{Name: "g1", Cells: []charts.GeneCell{{Copies: "AMP"}}}}},
	charts.Tests{Labels: axisLabels, List: []charts.Test{{Name: "A", Effect: 2000, Log10Q: -2}}},
}

// Each label is on the axis with its ticks, so that a kind that swaps its labels fails, including
// kinds added later.
func TestLabelsAreAtTheirAxes(t *testing.T) {
	checked := map[string]bool{}
	for _, d := range scaled {
		for _, kind := range charts.Kinds(d) {
			checked[kind] = true
			t.Run(kind, func(t *testing.T) {
				ch, err := charts.New(kind, d)
				if err != nil {
					t.Fatal(err)
				}
				for _, width := range []int{800, 240} { // names lie below, and at the side
					svg, err := charts.SVG(ch, charts.Options{Width: width, Height: width})
					if err != nil {
						t.Fatal(err)
					}
					list, _, _ := texts(t, svg)
					for _, label := range ch.Axes() {
						if label != "" {
							checkAxis(t, list, label)
						}
					}
				}
			})
		}
	}
	for _, kind := range charts.AllKinds() {
		if !checked[kind] {
			t.Errorf("no data for %s: add a line to scaled", kind)
		}
	}
}

// checkAxis checks that the ticks next to a label are in the label's range.
func checkAxis(t *testing.T, list []words, label string) {
	t.Helper()
	at := slices.IndexFunc(list, func(w words) bool { return strings.HasPrefix(w.text, label) })
	if at < 0 {
		t.Errorf("no %q", label)
		return
	}
	l := list[at]
	ticks := slices.DeleteFunc(slices.Clone(list), func(w words) bool {
		if l.anchor == "middle" { // the row above it
			return w.anchor != "middle" || w.y1 >= l.y0+1 || w.y1 < l.y0-2*(l.y1-l.y0)
		}
		return w.anchor != "end" || w.y0 < l.y0
	})
	if label == axisLabels.Group {
		if !slices.ContainsFunc(ticks, func(w words) bool { return strings.HasPrefix(w.text, "g") }) && !strings.HasSuffix(l.text, "(n=2)") {
			t.Errorf("%q is at %v", label, ticks)
		}
		return
	}
	bounds, known := most[label]
	if !known {
		return // a label of the kind's own
	}
	greatest := math.Inf(-1)
	for _, w := range ticks {
		if v, err := strconv.ParseFloat(w.text, 64); err == nil {
			greatest = max(greatest, v)
		}
	}
	if cmp.Compare(greatest, bounds[0]) < 0 || greatest > bounds[1] {
		t.Errorf("%q is at an axis up to %g, want %g to %g: %v", label, greatest, bounds[0], bounds[1], ticks)
	}
}
