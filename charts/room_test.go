package charts

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// curvesOf returns n survival curves.
func curvesOf(n int) Curves {
	d := Curves{Unit: "months", Labels: Labels{Title: "T", Time: "Time (months)", Share: "Survival probability",
		Subtitle: "log-rank p 0.01 (chi-square 9.21, 1 df)", Note: "12 patients excluded."}}
	for i := range n {
		d.Groups = append(d.Groups, Curve{Name: fmt.Sprintf("Group %d", i), N: 40, Events: 2, Times: []float64{5, 20}, Survival: []float64{.8, .4},
			Low: []float64{.6, .2}, High: []float64{.9, .6}, Censored: []float64{30}, End: 60, Median: 20, FollowUp: []float64{5, 20, 30, 60}})
	}
	return d
}

// A small image omits the numbers of its legend, then the table, and says so. A smaller one is refused
// with a size that is large enough.
func TestSmallImagesOmitPartsAndAreRefused(t *testing.T) {
	km := chartOf(t, "survival", curvesOf(2))
	for _, c := range []struct {
		width, height       int
		hasNumbers, hasRisk bool
	}{{800, 520, true, true}, {640, 420, true, true}, {480, 360, false, true}, {480, 320, false, false}} {
		o := Options{Width: c.width, Height: c.height}
		omitted, err := km.CheckRoom(o)
		if err != nil {
			t.Fatalf("%d × %d: %v", c.width, c.height, err)
		}
		svg, err := SVG(km, o)
		if err != nil {
			t.Fatal(err)
		}
		text := string(svg)
		if got := regexp.MustCompile(`<text [^>]*>Group 1 \(n=40`).MatchString(text); got != c.hasNumbers {
			t.Errorf("%d × %d: numbers in the legend: want %t, got %t", c.width, c.height, c.hasNumbers, got)
		}
		if got := strings.Contains(text, ">At risk"); got != c.hasRisk {
			t.Errorf("%d × %d: numbers at risk: want %t, got %t", c.width, c.height, c.hasRisk, got)
		}
		if got := omitted == ""; got != (c.hasNumbers && c.hasRisk) {
			t.Errorf("%d × %d: want a sentence about what is omitted, got %q", c.width, c.height, omitted)
		}
	}
	for _, c := range []Chart{chartOf(t, "survival", curvesOf(9)), chartOf(t, "forest", termsOf(30))} {
		_, err := c.CheckRoom(Options{Width: 400, Height: 170})
		var room *RoomError
		if !errors.As(err, &room) {
			t.Errorf("%s: want a RoomError, got %v", c.kind, err)
			continue
		}
		if _, err := c.CheckRoom(Options{Width: room.Width, Height: room.Height}); err != nil {
			t.Errorf("%s: want %d × %d to be large enough, got %v", c.kind, room.Width, room.Height, err)
		}
	}
	if omitted, err := km.CheckRoom(Options{}); err != nil || omitted != "" {
		t.Errorf("the default size: want everything, got %q, %v", omitted, err)
	}
}

// termsOf returns n hazard ratios of the categories of one attribute.
func termsOf(n int) Ratios {
	d := Ratios{Labels: Labels{Title: "T", Value: "Hazard ratio (95 % CI)"}}
	for i := range n {
		d.Terms = append(d.Terms, Ratio{Name: fmt.Sprintf("CLAUDIN_SUBTYPE: category %d vs LumA", i), N: "10 vs 20", Events: "5 vs 9",
			Estimate: 1.2, Low: .5, High: 2.5, P: "0.400"})
	}
	return d
}

// A forest plot names every term, however many, under a heading for a common beginning.
func TestForestNamesEveryTerm(t *testing.T) {
	for _, n := range []int{2, 6, 13, 40} {
		for _, o := range []Options{{}, {Width: 640, Height: 420}, {Width: 1200, Height: 800}} {
			ch := chartOf(t, "forest", termsOf(n))
			if _, err := ch.CheckRoom(o); err != nil {
				continue
			}
			svg, err := SVG(ch, o)
			if err != nil {
				t.Fatal(err)
			}
			text := string(svg)
			if got := strings.Count(text, ">CLAUDIN_SUBTYPE<"); got != 1 {
				t.Errorf("%d terms, %v: want one heading, got %d", n, o, got)
			}
			for i := range n {
				if !strings.Contains(text, fmt.Sprintf(">category %d ", i)) {
					t.Errorf("%d terms, %v: want a name of term %d, got none", n, o, i)
				}
			}
			if strings.Contains(text, "…") {
				t.Errorf("%d terms, %v: want whole names, got a cut one", n, o)
			}
		}
	}
}

// An axis has at least two ticks at every size.
func TestAxesHaveTwoTicks(t *testing.T) {
	for _, values := range [][]float64{{-3, 3}, {0, 6}, {0, 1}, {-.2, .9}, {0, 40}} {
		d := Pairs{Labels: Labels{Title: "T", Value: "V", Comparison: "W"}, Groups: []Points{{Name: "a", Values: values, Comparisons: values}}}
		for _, height := range []int{320, 360, 420, 800} {
			svg, err := SVG(chartOf(t, "scatter", d), Options{Width: 480, Height: height})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(string(svg), `text-anchor="end"`); got < 2 {
				t.Errorf("%v at %d: want at least 2 labels of the vertical axis, got %d", values, height, got)
			}
		}
	}
}
