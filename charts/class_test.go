package charts

import (
	"strings"
	"testing"
)

// A mutation class has one colour in every chart, whichever other classes the chart has. Its MAF
// name and its short name have the same colour.
func TestMutationClassesHaveOneColor(t *testing.T) {
	labels := Labels{MutationClasses: true}
	for palette, want := range map[string]map[string]string{
		"":           {"Missense": "#0072b2", "Nonsense_Mutation": "#d55e00", "Frameshift Del": "#009e73"},
		"cbioportal": {"Missense": "#008000", "Nonsense_Mutation": "#000000"},
	} {
		for class, color := range want {
			for _, before := range []string{"", "Fusion"} {
				var list []Value
				var positions []Position
				if before != "" {
					list = append(list, Value{before, 3})
					positions = append(positions, Position{3, 1, "x", before})
				}
				parts := Parts{labels, append(list, Value{class, 5})}
				for kind, d := range map[string]Data{
					"bar": parts, "pie": parts, "lollipop": Positions{labels, 100, append(positions, Position{9, 2, "y", class})},
				} {
					svg, err := SVG(chartOf(t, kind, d), Options{Palette: palette})
					if err != nil {
						t.Fatal(err)
					}
					if !strings.Contains(string(svg), "fill=\""+color+"\"") {
						t.Errorf("%s of %q and %s with palette %q: no colour %s", kind, before, class, palette, color)
					}
				}
			}
		}
	}
	l := look{palette: palettes[0].colors()}
	for short, name := range map[string]string{
		"Missense": "Missense_Mutation", "Frameshift Ins": "Frame_Shift_Ins", "In-Frame Del": "In_Frame_Del",
		"Splice": "Splice_Site", "Start Site": "Translation_Start_Site", "Nonstop": "Nonstop_Mutation",
	} {
		if l.classColor(short) != l.classColor(name) || l.classColor(short) == l.muted {
			t.Errorf("%s and %s have different colours, or none", short, name)
		}
	}
}
