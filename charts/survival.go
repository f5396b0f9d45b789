package charts

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"
)

// Curves holds the survival functions of groups.
type Curves struct {
	Labels
	Unit   string // unit of the times, such as months
	Groups []Curve
}

// A Curve is an estimated survival function. It is 1 until the first time, and Survival[i] from Times[i]
// on, up to End, the last follow-up.
type Curve struct {
	Name      string
	N, Events int
	Times     []float64 // event times, ascending
	Survival  []float64 // survival from each event time on
	Low, High []float64 // confidence interval of Survival, NaN if undefined; may be nil
	// Censored holds the censoring times.
	Censored []float64
	End      float64
	Median   float64   // NaN if not reached
	Ratio    string    // formatted hazard ratio; may be ""
	FollowUp []float64 // event or censoring time of every member, ascending, for the numbers at risk
}

// at returns the index of the last event up to time t, or -1 before the first event.
func (g Curve) at(t float64) int {
	return sort.SearchFloat64s(g.Times, math.Nextafter(t, math.Inf(1))) - 1
}

// survival returns the survival function at time t.
func (g Curve) survival(t float64) float64 {
	if i := g.at(t); i >= 0 {
		return g.Survival[i]
	}
	return 1
}

// atRisk returns the number of members that were followed at least up to time t.
func (g Curve) atRisk(t float64) int { return len(g.FollowUp) - sort.SearchFloat64s(g.FollowUp, t) }

// summary returns the name with the number of members and events and the median.
func (g Curve) summary(unit string) string {
	median := "not reached"
	if !math.IsNaN(g.Median) {
		median = strings.TrimSpace(strconv.FormatFloat(g.Median, 'f', 1, 64) + " " + unit)
	}
	ratio := ""
	if g.Ratio != "" {
		ratio = "; " + g.Ratio
	}
	return fmt.Sprintf("%s (n=%d, %s, median %s%s)", g.Name, g.N, english.Plural(g.Events, "event", ""), median, ratio)
}

// maxCensoredTicks is the maximum number of ticks for censored times.
const maxCensoredTicks = 200

// censoredStep returns n if one of n censored times has a tick.
func (d Curves) censoredStep() int {
	n := 0
	for _, g := range d.Groups {
		n += len(g.Censored)
	}
	return max(1, (n+maxCensoredTicks-1)/maxCensoredTicks)
}

// maxConfidenceBands is the maximum number of overlapping translucent areas that remain readable.
const maxConfidenceBands = 3

// Kaplan-Meier curves show survival functions as steps, with confidence bands, a tick for each
// censored time, medians, and the numbers at risk below the axis.
var _ = register(kind[Curves]{
	name: "survival", xLabel: timeLabel, yLabel: shareLabel,
	height: func(d Curves) float64 {
		height := defaultHeight + 40*float64(max(0, len(d.Groups)-2))
		for _, g := range d.Groups {
			height += 16 * float64(cellsOf(g.Name)/24) // lines of a fourth of the width
		}
		return height
	},
	note: func(d Curves) string {
		var parts []string
		if slices.ContainsFunc(d.Groups, func(g Curve) bool { return len(g.Censored) > 0 }) {
			ticks := "Small ticks are censored times."
			if every := d.censoredStep(); every > 1 {
				ticks = fmt.Sprintf("Small ticks are censored times, one of every %d.", every)
			}
			parts = append(parts, ticks)
		}
		if len(d.Groups) > maxConfidenceBands {
			parts = append(parts, fmt.Sprintf("Confidence bands and medians are drawn for at most %d groups.", maxConfidenceBands))
		} else if slices.ContainsFunc(d.Groups, func(g Curve) bool { return g.Low != nil }) {
			parts = append(parts, "Bands are 95 % confidence intervals.")
		}
		return strings.Join(parts, " ")
	},
	describe: func(d Curves) string {
		parts := make([]string, len(d.Groups))
		for i, g := range d.Groups {
			parts[i] = g.summary(d.Unit)
		}
		return "Kaplan-Meier curves. " + strings.Join(parts, "; ") + ". " + d.Subtitle
	},
	draw: drawSurvival,
})

// dashes distinguishes lines without colour.
var dashes = [][]float64{nil, {8, 4}, {2, 3}, {8, 3, 2, 3}}

func dashOf(i int) []float64 { return dashes[i%len(dashes)] }

func drawSurvival(c *canvas, area rect, d Curves) {
	keys, last, maxMembers := make([]key, len(d.Groups)), 0.0, 0
	for i, g := range d.Groups {
		keys[i] = key{name: g.summary(d.Unit), color: c.color(i), dash: dashOf(i), line: true, marker: markerOf(i)}
		last, maxMembers = math.Max(last, g.End), max(maxMembers, len(g.FollowUp))
	}
	area = c.legend(area, keys)
	line := c.lineHeight(tickSize)
	below := line + c.gap()
	all, names := []string{"At risk"}, make([][]string, len(d.Groups)) // row labels of the table of numbers at risk
	for i, g := range d.Groups {
		names[i] = c.wrap(g.Name, area.width()/4, tickSize)
		below += line * float64(len(names[i]))
		all = append(all, names[i]...)
	}
	room, half := c.widestName(all), c.measure(fmt.Sprint(maxMembers), tickSize)/2
	axisRoom := c.measure("0.0", tickSize) + c.gap() + c.cellGap()
	if c.omit >= table {
		below = 0
	} else {
		area.x0 += math.Max(0, room+half+c.gap()+c.cellGap()-axisRoom)
	}
	x := span(true, last)
	x.integers, x.months = false, d.Unit == "months"
	p := c.plot(area, x, axis{max: 1}, below)
	for i, g := range d.Groups {
		d.drawCurve(c, p, g, i)
	}
	d.drawMarkers(c, p)
	if c.omit >= table {
		return
	}
	y := p.y1 + c.gap()/2 + line + float64(len(c.wrap(c.xLabel, area.width(), labelSize)))*c.lineHeight(labelSize) + c.gap()
	at := p.x0 - half - c.gap() - c.cellGap()
	c.text("At risk", at, y, tickSize, c.muted, right)
	ticks := x.dropOverlapping(c.fittingTicks(x, p.width()), p.width(), func(tick) float64 { return half + 3 })
	y += line
	for i, g := range d.Groups {
		c.lines(names[i], at, y, tickSize, c.look.text, right)
		for _, t := range ticks {
			c.text(fmt.Sprint(g.atRisk(t.at)), p.at(t.at, 0).x, y, tickSize, c.look.text, middle)
		}
		y += line * float64(len(names[i]))
	}
}

// drawMarkers writes the marker of each group on its curve several times, if there are no colours.
// Markers of different groups are at different times.
func (d Curves) drawMarkers(c *canvas, p plot) {
	const times = 4
	for i, g := range d.Groups {
		for k := range times * boolToInt(c.plain) {
			t := p.x.max * (float64(k) + float64(i+1)/float64(len(d.Groups)+1)) / times
			if at := p.at(t, g.survival(t)); t <= g.End {
				c.drawMarker(at, 1, i, c.look.text, stroke{})
			}
		}
	}
}

func (d Curves) drawCurve(c *canvas, p plot, g Curve, i int) {
	if len(g.FollowUp) == 0 {
		return
	}
	steps := func(values []float64) []point {
		points := []point{p.at(0, 1)}
		before := 1.0
		for j, t := range g.Times {
			points = append(points, p.at(t, before), p.at(t, values[j]))
			before = values[j]
		}
		return append(points, p.at(g.End, before))
	}
	if g.Low != nil && g.High != nil && len(d.Groups) <= maxConfidenceBands {
		band, high := steps(replaceNaN(g.Low, g.Survival)), steps(replaceNaN(g.High, g.Survival))
		slices.Reverse(high)
		band = append(band, high...)
		c.mark(g.Name + ": confidence interval")
		c.polygon(translucent(c.color(i), .16), stroke{}, band...)
	}
	c.mark(g.summary(d.Unit))
	c.line(stroke{c.color(i), 2, dashOf(i)}, steps(g.Survival)...)
	for j, t := range g.Censored {
		if j%d.censoredStep() > 0 {
			continue
		}
		at := p.at(t, g.survival(t))
		c.line(stroke{color: c.color(i), width: 1.2}, point{at.x, at.y - 4}, point{at.x, at.y + 4})
	}
	if !math.IsNaN(g.Median) && len(d.Groups) <= maxConfidenceBands {
		c.line(stroke{c.muted, 1, []float64{3, 3}}, p.at(0, .5), p.at(g.Median, .5), p.at(g.Median, 0))
	}
}

// replaceNaN returns values with NaN replaced by the corresponding replacement.
func replaceNaN(values, replacements []float64) []float64 {
	list := make([]float64, len(values))
	for i, v := range values {
		if list[i] = v; math.IsNaN(v) {
			list[i] = replacements[i]
		}
	}
	return list
}
