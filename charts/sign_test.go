package charts

import (
	"strings"
	"testing"
)

// Without colours, the points of groups have the markers in the legend.
func TestPointsOfGroupsDifferWithoutColour(t *testing.T) {
	for kind, d := range map[string]Data{
		"scatter":  Pairs{Groups: []Points{{Name: "first", Values: []float64{1, 2}, Comparisons: []float64{1, 2}}, {Name: "second", Values: []float64{1.2}, Comparisons: []float64{1.5}}}},
		"lollipop": Positions{Length: 30, List: []Position{{Residue: 10, Count: 1, Class: "first"}, {Residue: 20, Count: 2, Class: "first"}, {Residue: 30, Count: 1, Class: "second"}}},
	} {
		t.Run(kind, func(t *testing.T) {
			ch := chartOf(t, kind, d)
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
				t.Errorf("%s: %s", kind, plain)
			}
			colour, err := Terminal(ch, Options{Cols: 60, Rows: 20, Color: true})
			if err != nil || strings.Contains(colour, "x   ") {
				t.Errorf("%s: %v, %s", kind, err, colour)
			}
		})
	}
}
