package charts

import (
	"math"
	"strings"
	"testing"
)

// The legend names only what the picture shows: in a volcano plot the groups of tests, in a bar chart the
// parts with a count.
func TestLegendNamesOnlyWhatOccurs(t *testing.T) {
	lower, higher, none := "lower, q &lt; 0.05", "higher, q &lt; 0.05", "not significant"
	down := Test{Name: "A", Effect: -1, Log10Q: math.Log10(.01)}
	up := Test{Name: "B", Effect: 1, Log10Q: math.Log10(.01)}
	flat := Test{Name: "C", Effect: .5, Log10Q: math.Log10(.5)}
	untested := Test{Name: "D", Effect: math.NaN(), Log10Q: math.Log10(.01)}
	ratio := Test{Name: "E", Effect: .5, Log10Q: math.Log10(.01)}
	parts := Table{Groups: []string{"a", "b"}, Parts: []Part{{"yes", []float64{1, 0}}, {"absent", []float64{0, 0}}, {"no", []float64{2, 3}}}}
	for name, c := range map[string]struct {
		kind        string
		data        Data
		want, other []string
	}{
		"all":             {"volcano", Tests{List: []Test{down, up, flat}}, []string{lower, higher, none}, nil},
		"insignificant":   {"volcano", Tests{List: []Test{flat}}, []string{none}, []string{lower, higher}},
		"higher":          {"volcano", Tests{List: []Test{up, untested}}, []string{higher}, []string{lower, none}},
		"a ratio under 1": {"volcano", Tests{List: []Test{ratio, flat}, EffectIsRatio: true}, []string{lower, none}, []string{higher}},
		"bars":            {"bar", parts, []string{">yes<", ">no<"}, []string{">absent<"}},
		"shares":          {"stacked-bar", parts, []string{">yes<", ">no<"}, []string{">absent<"}},
	} {
		svg := svgOf(t, c.kind, c.data, Options{})
		for _, want := range c.want {
			if !strings.Contains(svg, want) {
				t.Errorf("%s: the legend lacks %q", name, want)
			}
		}
		for _, other := range c.other {
			if strings.Contains(svg, other) {
				t.Errorf("%s: the legend names %q, which does not occur", name, other)
			}
		}
	}
}

// A picture for the terminal has no successive blank rows, so that a short one takes few lines.
func TestTerminalHasNoSuccessiveBlankRows(t *testing.T) {
	for _, rows := range []int{0, 30, 50} {
		d := oncoprintOf(GeneCell{Mutation: "MISSENSE"}, GeneCell{})
		d.Note = "a note"
		text, err := Terminal(chartOf(t, "oncoprint", d), Options{Cols: 60, Rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text, "\n\n\n") || strings.HasPrefix(text, "\n") {
			t.Errorf("%d rows: got %q, want no successive blank rows", rows, text)
		}
	}
}
