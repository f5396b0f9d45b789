package charts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Tests holds the effects of many tests with their q-values. The label Value names the effect.
type Tests struct {
	Labels
	EffectIsRatio bool // effects are ratios: 1 means no effect, and the axis is logarithmic
	List          []Test
}

// significanceLevel is the significance level.
const significanceLevel = .05

// A Test is the result of one test, with the base-10 logarithm of its q-value, which may be below
// the smallest float64. It is not drawn if Effect or Log10Q is NaN. A ratio of 0 or infinity is
// drawn at the edge.
type Test struct {
	Name           string
	Effect, Log10Q float64
	Log10P         float64 // the height of the point if Labels.Significance is set
}

// isSignificant reports whether q is below the significance level.
func (t Test) isSignificant() bool { return t.Log10Q < math.Log10(significanceLevel) }

// q formats the q-value.
func (t Test) q() string {
	if t.Log10Q < -300 {
		return "< 1e-300"
	}
	return number(math.Pow(10, t.Log10Q))
}

// A volcano plot shows the effect of each test and -log10 of its q-value. Significant tests have
// the colour of the effect's direction, and are named as far as there is room, most significant
// first.
var _ = register(kind[Tests]{
	name: "volcano", xLabel: valueLabel, yLabel: func(l Labels) string { return cmp.Or(l.Significance, "-log10 q") },
	describe: func(d Tests) string {
		top := d.top()
		parts := []string{fmt.Sprintf("Volcano plot of %d tests, %d with q under %s.", len(d.List), len(top), number(significanceLevel))}
		if d.Value != "" {
			parts = append(parts, "The effect is the "+d.Value+".")
		}
		for _, t := range top[:min(20, len(top))] {
			parts = append(parts, fmt.Sprintf("%s: effect %s, q %s.", t.Name, number(t.Effect), t.q()))
		}
		return strings.Join(parts, " ")
	},
	note: func(d Tests) (note string) {
		places, edge := map[[2]float64]bool{}, 0
		for _, t := range d.List {
			places[[2]float64{t.Effect, d.height(t)}] = true
			edge += boolToInt(d.EffectIsRatio && t.Effect == 0 || math.IsInf(t.Effect, 0))
		}
		if edge > 0 {
			note = fmt.Sprintf("Ratios of 0 or ∞ are at the edge: %d.", edge)
		}
		if n := len(d.List) - len(places); n > 0 {
			note = joinNotes(note, fmt.Sprintf("%d of %d points lie on another, of the same effect and %s.",
				n, len(d.List), d.axisName()))
		}
		return note
	},
	draw: drawVolcano,
})

// top returns the significant tests, most significant first.
func (d Tests) top() []Test {
	top := slices.DeleteFunc(slices.Clone(d.List), func(t Test) bool { return !t.isSignificant() || math.IsNaN(t.Effect) })
	slices.SortStableFunc(top, func(a, b Test) int {
		return cmp.Or(cmp.Compare(a.Log10Q, b.Log10Q), strings.Compare(a.Name, b.Name))
	})
	return top
}

// height returns the distance of a test from the horizontal axis.
func (d Tests) height(t Test) float64 {
	if d.Significance != "" {
		return -t.Log10P
	}
	return -t.Log10Q
}

// axisName returns the letter of the quantity on the vertical axis.
func (d Tests) axisName() string {
	if d.Significance != "" {
		return "p"
	}
	return "q"
}

// noEffect returns the effect of a test without a difference.
func (d Tests) noEffect() float64 {
	if d.EffectIsRatio {
		return 1
	}
	return 0
}

// groupOf returns the group whose colour and marker a test has: 0 for a significantly lower effect, 1 for a
// higher one, 2 if it is not significant.
func (d Tests) groupOf(t Test) int {
	switch {
	case !t.isSignificant():
		return 2
	case t.Effect > d.noEffect():
		return 1
	}
	return 0
}

// volcanoKeys returns the legend of the groups that occur.
func (c *canvas) volcanoKeys(d Tests) (keys []key) {
	significant := "q < " + number(significanceLevel)
	for group, k := range []key{
		{name: "lower, " + significant, color: c.color(0), marker: markerOf(0)},
		{name: "higher, " + significant, color: c.color(1), marker: markerOf(1)},
		{name: "not significant", color: c.muted, marker: markerOf(2)},
	} {
		occurs := func(t Test) bool {
			return d.groupOf(t) == group && !math.IsNaN(t.Log10Q) && !math.IsNaN(t.Effect)
		}
		if slices.ContainsFunc(d.List, occurs) {
			keys = append(keys, k)
		}
	}
	return keys
}

func drawVolcano(c *canvas, area rect, d Tests) {
	opposite := func(effect float64) float64 { return -effect }
	if d.EffectIsRatio {
		opposite = func(effect float64) float64 { return 1 / effect }
	}
	effects, significance := []float64{d.noEffect()}, []float64{-math.Log10(significanceLevel)}
	infinite := false
	for _, t := range d.List {
		if !math.IsInf(t.Log10Q, 0) && !math.IsNaN(t.Log10Q) && !math.IsNaN(t.Effect) {
			significance = append(significance, d.height(t))
			infinite = infinite || math.IsInf(t.Effect, 0)
			if far := opposite(t.Effect); !math.IsInf(t.Effect+far, 0) {
				effects = append(effects, t.Effect, far)
			}
		}
	}
	x := span(false, effects...).extendToTicks(8)
	if d.EffectIsRatio {
		x = span(false, effects...).logarithmic(effects).pad(.06)
	} else if infinite {
		x = x.pad(.06)
	}
	area = c.legend(area, c.volcanoKeys(d))
	area.y0 += c.lineHeight(tickSize)
	p := c.plot(area, x, span(true, significance...).extendToTicks(5), 0)
	if height := -math.Log10(significanceLevel); d.Significance == "" {
		c.line(stroke{c.muted, 1, []float64{4, 3}}, p.at(p.x.min, height), p.at(p.x.max, height))
	}
	var taken []rect
	drawn := map[point]bool{} // thousands of insignificant genes overlap
	for _, t := range d.List {
		if math.IsNaN(t.Log10Q) || math.IsNaN(t.Effect) {
			continue
		}
		group, fill, radius := d.groupOf(t), translucent(c.muted, .5), 2.0
		if t.isSignificant() {
			fill, radius = c.color(group), 3.5
		}
		at := p.at(t.Effect, d.height(t))
		cell := at
		if len(d.List) > 1000 {
			cell = point{math.Round(at.x / 2), math.Round(at.y / 2)}
		}
		if !t.isSignificant() && drawn[cell] {
			continue
		}
		drawn[cell] = true
		if t.isSignificant() {
			c.mark(fmt.Sprintf("%s: effect %s, q %s", t.Name, number(t.Effect), t.q()))
			taken = append(taken, rect{at.x - 3, at.y - 3, at.x + 3, at.y + 3})
		}
		c.marks++
		c.drawMarker(at, radius, group, fill, stroke{})
	}
	for i, t := range d.top() {
		if i == 100 {
			break
		}
		c.nameNextTo(p.at(t.Effect, d.height(t)), clean(t.Name), p.x0, &taken)
	}
}

// nameNextTo writes a name next to a point and right of x0, unless it would overlap an occupied
// rectangle. It adds the name's rectangle to occupied.
func (c *canvas) nameNextTo(at point, name string, x0 float64, occupied *[]rect) {
	width, line := c.measure(name, tickSize), c.lineHeight(tickSize)
	for _, r := range []rect{
		{at.x + 6, at.y - line/2, at.x + 6 + width, at.y + line/2},
		{at.x - 6 - width, at.y - line/2, at.x - 6, at.y + line/2},
		{at.x - width/2, at.y - 5 - line, at.x + width/2, at.y - 5},
	} {
		if c.cells {
			r.y0 = c.snap(r.y0)
			r.y1 = r.y0 + line
		}
		if r.x0 < x0 || r.x1 > c.width-c.margin() || slices.ContainsFunc(*occupied, r.overlaps) {
			continue
		}
		*occupied = append(*occupied, r)
		c.text(name, r.x0, r.y0, tickSize, c.look.text, left)
		return
	}
}
