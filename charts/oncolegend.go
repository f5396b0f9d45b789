package charts

import (
	"fmt"
	"math"
	"slices"
)

// An oncoKey is an entry of the legend: a cell, or the colour of a category or of the ends of a scale.
type oncoKey struct {
	name     string
	cell     *GeneCell
	track    int // of clinical values; -1 for a cell
	category int
	share    float64 // place on the scale of numbers; NaN for a category
}

// mostCategories is the maximum number of categories of a track in the legend.
const mostCategories = 9

// legend lists what occurs in the tracks.
func (d Oncoprint) legend() (keys []oncoKey) {
	occurs := map[string]bool{}
	notProfiled, altered := false, false
	for _, t := range d.Tracks {
		for e := range t.frequencies() {
			occurs[e], altered = true, true
		}
		notProfiled = notProfiled || slices.ContainsFunc(t.Cells, func(g GeneCell) bool { return g.NotProfiled })
	}
	add := func(name string, cell GeneCell) {
		if len(cell.events()) == 0 || occurs[cell.events()[0]] {
			keys = append(keys, oncoKey{name, &cell, -1, 0, 0})
		}
	}
	for _, state := range [][2]string{
		{"AMP", "Amplification"}, {"HOMDEL", "Deep deletion"}, {"GAIN", "Gain"}, {"HETLOSS", "Shallow deletion"},
		{"DIPLOID", "Diploid"},
	} {
		add(state[1], GeneCell{Copies: state[0]})
	}
	for _, class := range [][2]string{
		{"MISSENSE", "Missense"}, {"TRUNC", "Truncating"}, {"SPLICE", "Splice"}, {"INFRAME", "In-frame"},
		{"PROMOTER", "Promoter"}, {"OTHER", "Other mutation"},
	} {
		for _, germline := range []bool{false, true} {
			name := class[1]
			if germline {
				name += ", germline"
			}
			if !d.Drivers {
				add(name, GeneCell{Mutation: class[0], Germline: germline})
				continue
			}
			add(name+" (driver)", GeneCell{Mutation: class[0], Germline: germline, Driver: true})
			add(name+" (no known driver)", GeneCell{Mutation: class[0], Germline: germline})
		}
	}
	add("Structural variant", GeneCell{Fusion: true})
	add("High expression", GeneCell{Expression: 1})
	add("Low expression", GeneCell{Expression: -1})
	add("High protein level", GeneCell{Protein: 1})
	add("Low protein level", GeneCell{Protein: -1})
	if altered || !notProfiled {
		add("No alteration", GeneCell{})
	}
	if notProfiled {
		add("Not profiled", GeneCell{NotProfiled: true})
	}
	return append(keys, d.clinicalKeys()...)
}

// severalKey returns the entry of a cell with several kinds of alteration, which have one sign without colour.
func (d Oncoprint) severalKey() (keys []oncoKey) {
	for _, t := range d.Tracks {
		for _, g := range t.Cells {
			if !g.NotProfiled && len(g.events()) > 1 {
				return []oncoKey{{"Several kinds", &g, -1, 0, 0}}
			}
		}
	}
	return nil
}

func (d Oncoprint) clinicalKeys() (keys []oncoKey) {
	for i, t := range d.Clinical {
		if t.Numbers != nil {
			if scale := t.scale(); slices.ContainsFunc(t.Numbers, func(v float64) bool { return !math.IsNaN(v) }) {
				low, high := t.Name+": "+number(scale.min), number(scale.max)
				keys = append(keys, oncoKey{low, nil, i, 0, 0}, oncoKey{high, nil, i, 0, 1})
			}
			continue
		}
		for k, name := range t.Categories {
			if k == 0 {
				name = t.Name + ": " + name
			}
			if k == mostCategories && len(t.Categories) > mostCategories+1 {
				keys = append(keys, oncoKey{fmt.Sprintf("%d more", len(t.Categories)-k), nil, i, k, math.NaN()})
				break
			}
			keys = append(keys, oncoKey{name, nil, i, k, math.NaN()})
		}
	}
	return keys
}

// groupTrack marks the entries of the groups.
const groupTrack = -2

func (d Oncoprint) groupKeys() (keys []oncoKey) {
	for k, name := range groupNames(d) {
		keys = append(keys, oncoKey{name, nil, groupTrack, k, math.NaN()})
	}
	return keys
}

// groupNames returns the names of the groups with their sizes.
func groupNames(d Oncoprint) (names []string) {
	for _, g := range d.Groups {
		names = append(names, withSize(g.Name, g.N))
	}
	return names
}

// oncoLegend writes the legend at the top of an area, in lines, and returns the remaining area.
func (c *canvas) oncoLegend(area rect, d Oncoprint) rect {
	h, w, space := c.lineHeight(tickSize), 9.0, 14.0
	if c.cells {
		w, space = 2*cellWidth, 2*cellWidth
	}
	keys := d.legend()
	if c.plain {
		keys = append(d.severalKey(), keys...)
	}
	if n := len(d.Groups); n > 0 && c.widestName(groupNames(d)) > .8*area.width()/float64(n)-8 {
		keys = append(keys, d.groupKeys()...)
	}
	x, track := area.x0, -1
	for _, k := range keys {
		name := clean(k.name)
		for c.measure(name, tickSize) > area.width()-w-space && len(name) > 8 {
			name = name[:len(name)*3/4]
		}
		width := w + 5 + c.cellGap() + c.measure(name, tickSize)
		if x > area.x0 && (x+width > area.x1 || k.track != track) { // each clinical track begins a line
			x, area.y0 = area.x0, area.y0+h
		}
		track = k.track
		at := rect{x, area.y0 + 1, x + w, area.y0 + h - 1}
		if c.cells {
			at = rect{x, area.y0, x + w, area.y0 + cellHeight}
		}
		c.legendSign(d, k, at)
		c.text(name, x+w+5+c.cellGap()/2, area.y0, tickSize, c.look.text, left)
		x += width + space
	}
	area.y0 += h + c.gap()
	return area
}

// legendSign draws the sign of an entry.
func (c *canvas) legendSign(d Oncoprint, k oncoKey, at rect) {
	switch {
	case k.cell != nil && c.cells:
		c.terminalCells(d, []GeneCell{*k.cell}, []columnPlace{{x0: at.x0, x1: at.x1, last: 1}}, at)
	case k.cell != nil:
		c.ground(k.cell.NotProfiled, at)
		c.events(d, *k.cell, at, "", 2)
	case c.plain && math.IsNaN(k.share):
		c.text(markerOf(k.category), at.x0, at.y0, tickSize, c.muted, left)
	case c.plain:
		c.text(fmt.Sprint(min(9, int(10*k.share))), at.x0, at.y0, tickSize, c.muted, left)
	case k.track == groupTrack:
		c.box(at, c.color(k.category), stroke{})
	case math.IsNaN(k.share):
		c.box(at, c.categoryColor(k.category), stroke{})
	default:
		c.box(at, numberColor(k.share), stroke{})
	}
}
