package charts

import (
	"strings"
	"testing"
)

// Without colour the groups of points have signs, which the legend gives.
func TestPointsOfGroupsDifferWithoutColour(t *testing.T) {
	for name, ch := range map[string]Chart{
		"scatter":  Scatter{Labels{X: "b", Y: "b"}, []Points{{"first", []float64{1, 2}, []float64{1, 2}}, {"second", []float64{1.5}, []float64{1.2}}}},
		"lollipop": Lollipop{Labels: Labels{X: "b", Y: "b"}, Positions: []Position{{At: 10, Count: 1, Class: "first"}, {At: 20, Count: 2, Class: "first"}, {At: 30, Count: 1, Class: "second"}}},
	} {
		plain, err := Terminal(ch, Options{Cols: 60, Rows: 20})
		if err != nil {
			t.Fatal(err)
		}
		legend, points := "", ""
		for line := range strings.Lines(plain) {
			if strings.Contains(line, "first") {
				legend = line
			} else {
				points += line
			}
		}
		if strings.Count(points, "o") != 2 || strings.Count(points, "x") != 1 || !strings.Contains(legend, "o   first") || !strings.Contains(legend, "x   second") {
			t.Errorf("%s: %s", name, plain)
		}
		colour, err := Terminal(ch, Options{Cols: 60, Rows: 20, Color: true})
		if err != nil || strings.Contains(colour, "x   ") {
			t.Errorf("%s: %v, %s", name, err, colour)
		}
	}
}
