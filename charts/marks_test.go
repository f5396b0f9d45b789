package charts

import (
	"bytes"
	"fmt"
	"image/png"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func svgOf(t *testing.T, kind string, d Data, o Options) string {
	t.Helper()
	svg, err := SVG(chartOf(t, kind, d), o)
	if err != nil {
		t.Fatal(err)
	}
	return string(svg)
}

// The edge of a pie is an arc in SVG and a circle in PNG. The pixels of the edge are equally far
// from the centre, within the tolerance of a pixel.
func TestPieIsRound(t *testing.T) {
	d := Parts{List: []Value{{"all", 7}, {"rest", 2}}}
	if svg := svgOf(t, "pie", d, Options{}); strings.Count(svg, "A") < 4 {
		t.Error(svg)
	}
	b, err := PNG(chartOf(t, "pie", d), Options{Width: 600, Height: 400})
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	dark := func(x, y int) bool {
		r, _, _, _ := picture.At(x, y).RGBA()
		return r < 0x8000
	}
	left, right, top := 1200, 0, 800
	for y := range 800 {
		for x := range 620 { // without the legend
			if dark(x, y) {
				left, right, top = min(left, x), max(right, x), min(top, y)
			}
		}
	}
	center, radius := float64(left+right)/2, float64(right-left)/2
	middle := float64(top) + radius
	least, most := math.Inf(1), math.Inf(-1)
	for y := int(middle - .9*radius); y < int(middle+.9*radius); y++ {
		x := int(center) + 3 // beyond the line between the parts
		for dark(x, y) {
			x++
		}
		off := math.Hypot(float64(x)-center, float64(y)-middle) - radius
		least, most = min(least, off), max(most, off)
	}
	if most-least > 1.3 {
		t.Errorf("the edge is %.2f to %.2f pixels off a circle", least, most)
	}
}

// followUp returns a group of n members, every second of them censored.
func followUp(name string, n int) Curve {
	g := Curve{Name: name, N: n, Events: n / 2, End: float64(n), Median: math.NaN()}
	for i := range n {
		g.FollowUp = append(g.FollowUp, float64(i+1))
		if i%2 == 0 {
			g.Censored = append(g.Censored, float64(i+1))
		} else {
			g.Times, g.Survival = append(g.Times, float64(i+1)), append(g.Survival, 1-float64(i)/float64(2*n))
		}
	}
	return g
}

// If there are more than 200 censored times, only some have a tick, and the note says which.
func TestCensorTicksThinOut(t *testing.T) {
	tick := regexp.MustCompile(`stroke-width="1\.2"/>`)
	for n, want := range map[int]struct {
		ticks int
		note  string
	}{400: {200, "Small ticks are censored times."}, 402: {101, "Small ticks are censored times, one of every 2."}, 3000: {188, "one of every 8."}} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			svg := svgOf(t, "survival", Curves{Groups: []Curve{followUp("all", n)}}, Options{})
			if got := len(tick.FindAllString(svg, -1)); got != want.ticks || !strings.Contains(svg, want.note) {
				t.Errorf("%d ticks, want %d with %q", got, want.ticks, want.note)
			}
		})
	}
}

// Names in the table of numbers at risk are not shortened.
func TestRiskTableNamesAreWhole(t *testing.T) {
	name := "Metastatic castration-resistant adenocarcinoma of the prostate, neuroendocrine, after two lines"
	for _, o := range []Options{{}, {Width: 480}, {Width: 1600}} {
		svg := svgOf(t, "survival", Curves{Groups: []Curve{followUp(name, 10), followUp("B", 10)}}, o)
		_, table, _ := strings.Cut(svg, ">At risk<")
		for word := range strings.FieldsSeq(name) {
			if !strings.Contains(table, word) {
				t.Errorf("width %d: no %q below the chart", o.Width, word)
			}
		}
		if strings.Contains(svg, "…") {
			t.Errorf("width %d: a name is cut", o.Width)
		}
	}
}

// Without colours, curves differ by their strokes and by the markers in the legend.
func TestCurvesDifferWithoutColour(t *testing.T) {
	d := Curves{}
	for i := range 6 {
		g := followUp(fmt.Sprintf("group %d", i), 40)
		for j := range g.Survival {
			g.Survival[j] *= 1 - float64(i)/8
		}
		d.Groups = append(d.Groups, g)
	}
	text, err := Terminal(chartOf(t, "survival", d), Options{Cols: 110, Rows: 48})
	if err != nil {
		t.Fatal(err)
	}
	strokes := map[string]bool{}
	for i := range d.Groups {
		for line := range strings.Lines(text) {
			if before, _, found := strings.Cut(line, fmt.Sprintf("group %d (", i)); found {
				runes := []rune(before)
				strokes[string(runes[max(0, len(runes)-7):])] = true
			}
		}
		if n := strings.Count(text, markerOf(i)); n < 3 {
			t.Errorf("%q is %d times in\n%s", markerOf(i), n, text)
		}
	}
	if len(strokes) != len(d.Groups) {
		t.Errorf("%d strokes of %d curves in\n%s", len(strokes), len(d.Groups), text)
	}
	if colour, err := Terminal(chartOf(t, "survival", d), Options{Color: true}); err != nil || strings.Contains(colour, "%") {
		t.Error("signs in a chart with colours", err)
	}
}

// Boxes and violins show up to 2,000 values as points, at reproducible positions. Of more values they
// show 2,000, from the least to the greatest, and the note says so. An image is under 200 kB.
func TestSamplesShowTheirValues(t *testing.T) {
	of := func(n int) Samples {
		s := Sample{Name: "all"}
		for i := range n {
			s.Values = append(s.Values, math.Exp(math.Sin(float64(i))*3))
		}
		return Samples{Groups: []Sample{s}}
	}
	arc := regexp.MustCompile(`M[^MZ]*a[^MZ]*Z`)
	for _, kind := range []string{"box", "violin"} {
		t.Run(kind, func(t *testing.T) {
			few, many := svgOf(t, kind, of(2000), Options{}), svgOf(t, kind, of(5001), Options{})
			if n := len(arc.FindAllString(few, -1)); n < 2000 || len(few) > 200_000 || few != svgOf(t, kind, of(2000), Options{}) {
				t.Errorf("%d points, %d bytes", n, len(few))
			}
			if n := len(arc.FindAllString(many, -1)); n < 2000 || len(many) > 250_000 {
				t.Errorf("5,001 values: want 2,000 points in 250 kB, got %d in %d bytes", n, len(many))
			}
			if want := "The points are 2,000 of the 5,001 values, evenly by rank."; !strings.Contains(many, want) {
				t.Errorf("5,001 values: want %q", want)
			}
		})
	}
}

// The axis of values that cannot be negative has no negative part, and may be logarithmic. Zeros
// lie at its end, and quartiles include them.
func TestPositiveAxis(t *testing.T) {
	d := Samples{Groups: []Sample{{"a", []float64{0, 0, 1, 2, 3, 400, 5000}}, {"b", []float64{10, 20, 30}}}}
	minus := regexp.MustCompile(`>-\d`)
	for _, kind := range []string{"box", "violin", "ridgeline"} {
		t.Run(kind, func(t *testing.T) {
			if svg := svgOf(t, kind, d, Options{}); minus.MatchString(svg) {
				t.Error("the axis goes below zero")
			}
			svg := svgOf(t, kind, d, Options{Log: true})
			for _, want := range []string{">1<", ">10<", ">100<", ">1000<", "2 values of 0 are at the end of the logarithmic axis.", "median 2"} {
				if !strings.Contains(svg, want) {
					t.Errorf("no %q", want)
				}
			}
		})
	}
	if _, err := SVG(chartOf(t, "box", Samples{Groups: []Sample{{"a", []float64{-1, 2}}}}), Options{Log: true}); err == nil || err.Error() != "a logarithmic axis cannot show negative values; the smallest is -1" {
		t.Error(err)
	}
	if _, err := Terminal(chartOf(t, "pie", Parts{}), Options{Log: true}); err == nil || !strings.HasPrefix(err.Error(), "pie has no logarithmic axis; available for: box,") {
		t.Error(err)
	}
}

// A positive rate is not written as zero.
func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{0: "0.0 %", .0004: "<0.1 %", .00971: "1.0 %", .716667: "71.7 %", 1: "100.0 %"} {
		if got := Percent(share); got != want {
			t.Errorf("%g: %s, want %s", share, got, want)
		}
	}
}

// The name of a position is nearer to its head than to any other, or has a line to its head
// alone: in clusters, at the edges and among equal heights.
func TestLollipopNamesAreNotAmbiguous(t *testing.T) {
	for name, counts := range map[string]map[int]int{
		"cluster": {315: 1, 317: 1, 468: 1, 477: 1, 485: 1, 497: 1, 504: 1, 515: 1, 615: 2, 646: 1, 718: 1, 724: 1, 729: 2, 736: 2, 741: 1, 882: 27, 909: 1},
		"equal":   {40: 2, 125: 2, 141: 2, 173: 2, 176: 2, 179: 2, 193: 2, 195: 2, 215: 2, 223: 2, 248: 2, 273: 2, 280: 2, 286: 2, 317: 2, 337: 2, 342: 2},
		"dense":   {573: 1, 583: 1, 594: 1, 595: 3, 597: 3, 599: 10, 601: 4, 602: 3, 611: 1, 835: 14, 839: 1},
	} {
		var d Positions
		for _, at := range slices.Sorted(maps.Keys(counts)) {
			d.List = append(d.List, Position{Residue: at, Count: counts[at], Name: fmt.Sprintf("%d_%dins%s", at, at+1, strings.Repeat("A", at%29))})
		}
		order, last := d.ascending(), float64(d.List[len(d.List)-1].Residue)
		for _, width := range []float64{400, 800, 1600} {
			c := newCanvas(newSVG(width, 500, 1, "", ""), themes[0], 1, width, 500)
			p := c.plot(rect{16, 60, width - 16, 490}, axis{max: last}, span(true, float64(order[len(order)-1].Count)).extendToTicks(5), 0)
			names := c.namePositions(p, order, 20)
			if len(names) < 2 {
				t.Errorf("%s, %g: %d names", name, width, len(names))
			}
			for i, n := range names {
				own := p.at(float64(order[n.index].Residue), float64(order[n.index].Count))
				if !strings.HasPrefix(order[n.index].Name, strings.TrimSuffix(n.name, "…")) || n.text.width() > maxNameWidth+10 || n.text.x0 < 0 || n.text.x1 > width || n.text.y0 < 20 {
					t.Errorf("%s, %g: %+v of %+v", name, width, n, order[n.index])
				}
				for k, q := range order {
					h := p.at(float64(q.Residue), float64(q.Count))
					isLed := n.leader.height() > 0 && math.Abs(n.leader.x0+n.leader.x1-2*own.x) < 1e-9 && n.leader.y0 == n.text.y1 && own.y-n.leader.y1 < 6 && (h.x <= n.leader.x0 || h.x >= n.leader.x1)
					if k != n.index && !isLed && off(n.text, h) <= off(n.text, own) {
						t.Errorf("%s, %g: %s at %v is as near to %s at %v: %+v", name, width, order[n.index].Name, own, q.Name, h, n)
					}
				}
				for _, o := range names[:i] {
					if n.text.overlaps(o.text) || n.text.overlaps(o.leader) || n.leader.overlaps(o.text) {
						t.Errorf("%s, %g: %s lies on %s", name, width, n.name, o.name)
					}
				}
			}
		}
	}
}

// off returns the distance of a point from a rectangle.
func off(r rect, p point) float64 {
	return math.Hypot(math.Max(0, math.Max(r.x0-p.x, p.x-r.x1)), math.Max(0, math.Max(r.y0-p.y, p.y-r.y1)))
}

// A volcano plot has a marker for each test, and its note counts markers that coincide.
func TestVolcanoSaysWhatLiesOnAnother(t *testing.T) {
	d := Tests{List: []Test{{Name: "A", Effect: 2, Log10Q: math.Log10(.5)}, {Name: "B", Effect: 2, Log10Q: math.Log10(.5)}, {Name: "C", Effect: 2, Log10Q: math.Log10(.5)}, {Name: "D", Effect: 2.001, Log10Q: math.Log10(.5)}, {Name: "E", Effect: -1, Log10Q: math.Log10(.01)}}}
	without := Tests{List: []Test{{Name: "A", Effect: 2, Log10Q: math.Log10(.5)}, {Name: "E", Effect: -1, Log10Q: math.Log10(.01)}}}
	const said = "2 of 5 points lie on another"
	if svg := svgOf(t, "volcano", d, Options{}); strings.Count(svg, " 0 1 0 ") != 2*3 || !strings.Contains(svg, said) {
		t.Error(svg)
	}
	if svg := svgOf(t, "volcano", without, Options{}); strings.Count(svg, " 0 1 0 ") != 2*2 || strings.Contains(svg, "lie on another") {
		t.Error(svg)
	}
}

// A volcano plot of ratios is symmetric around 1 on a logarithmic axis. A ratio of 0 or infinity
// is at its edge, and the note says so.
func TestVolcanoOfRatios(t *testing.T) {
	d := Tests{EffectIsRatio: true, List: []Test{{Name: "A", Effect: .1, Log10Q: math.Log10(.01)}, {Name: "B", Effect: 1, Log10Q: math.Log10(.9)}, {Name: "C", Effect: 10, Log10Q: math.Log10(.02)}, {Name: "D", Effect: 0, Log10Q: math.Log10(.03)}, {Name: "E", Effect: math.Inf(1), Log10Q: math.Log10(.04)}}}
	svg := svgOf(t, "volcano", d, Options{})
	var at []float64
	for _, m := range regexp.MustCompile(`M([0-9.]+) [0-9.]+a[^Z]+Z`).FindAllStringSubmatch(svg, -1) {
		x, _ := strconv.ParseFloat(m[1], 64)
		at = append(at, x)
	}
	if len(at) != 5 {
		t.Fatal(at, svg)
	}
	a, b, c, left, right := at[0], at[1], at[2], at[3], at[4]
	if !(left < a && a < b && b < c && c < right) || math.Abs(a+c-left-right) > 1 || math.Abs(a+c-2*b) > 4 {
		t.Error(at)
	}
	for _, want := range []string{">Ratios of 0 or ∞ are at the edge: 2.<", ">0.1<", ">10<", "A: effect 0.1, q 0.01", "E: effect ∞, q 0.04"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in %s", want, svg)
		}
	}
}

// A word longer than a line is broken after a hyphen, if it has one.
func TestLongWordsAreBrokenAfterAHyphen(t *testing.T) {
	for word, want := range map[string]string{"TP53-mutant": "TP53-|mutant", "TP53-wildtype": "TP53-|wildtype", "adenocarcinoma": "adenocarci|noma", "-carcinomatosis": "-carcinoma|tosis"} {
		if got := strings.Join(wrap(word, 10, func(s string) float64 { return float64(len(s)) }), "|"); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
}

// With a label of significance the height of a test is its p-value, and an infinite effect that is no ratio is
// at the edge.
func TestVolcanoOfPValues(t *testing.T) {
	d := Tests{List: []Test{
		{Name: "A", Effect: 1, Log10Q: -2, Log10P: -4}, {Name: "B", Effect: -1, Log10Q: -2, Log10P: -3},
		{Name: "C", Effect: math.Inf(-1), Log10Q: -2, Log10P: -3}, {Name: "D", Effect: math.Inf(1), Log10Q: -1, Log10P: -2},
	}}
	d.Significance = "-log10 p"
	svg := svgOf(t, "volcano", d, Options{})
	for _, want := range []string{"-log10 p", "Ratios of 0 or ∞ are at the edge: 2."} {
		if !strings.Contains(svg, want) {
			t.Errorf("got %s, want %q", svg, want)
		}
	}
	if strings.Contains(svg, "lie on another") {
		t.Errorf("got %s, want each point apart", svg)
	}
	d.Significance = ""
	if svg := svgOf(t, "volcano", d, Options{}); !strings.Contains(svg, "-log10 q") {
		t.Errorf("got %s, want the axis of q", svg)
	}
}
