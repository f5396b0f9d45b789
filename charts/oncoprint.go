package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
)

// An Oncoprint holds the alterations of genes, one row a track and one column a sample or patient, in the
// order in which they are drawn.
type Oncoprint struct {
	Labels
	Columns  []string // IDs
	Clinical []ClinicalTrack
	Tracks   []GeneTrack
	Groups   []ColumnGroup // consecutive columns; nil means one group without a name
	Drivers  bool          // the data tell drivers from other mutations, which are paler
}

// A ColumnGroup is a number of consecutive columns.
type ColumnGroup struct {
	Name string
	N    int
}

// A GeneTrack is the row of a gene or of several genes.
type GeneTrack struct {
	Name, Share string // Share is written beside the name, such as 37 %
	Cells       []GeneCell
}

// A GeneCell shows at most one event of each kind. The zero value is a profiled sample without events.
type GeneCell struct {
	NotProfiled bool
	Copies      string // AMP, HOMDEL, GAIN, HETLOSS or DIPLOID
	Mutation    string // TRUNC, SPLICE, INFRAME, PROMOTER, MISSENSE or OTHER
	Driver      bool
	Germline    bool
	Fusion      bool
	Expression  int    // 1 for high, -1 for low
	Protein     int    // 1 for high, -1 for low
	Text        string // all events, for a tooltip
}

// A ClinicalTrack is a row of clinical values: numbers, or indexes of categories.
type ClinicalTrack struct {
	Name       string
	Numbers    []float64 // NaN if missing; nil for categories
	Categories []string
	Category   []int // index in Categories, -1 if missing
}

// An oncoprint draws the cells as cBioPortal does: copy number fills a cell, a structural variant and a
// mutation are bars within it, a germline mutation has a white stripe, and expression is an outline.
var _ = register(kind[Oncoprint]{
	name: "oncoprint",
	height: func(d Oncoprint) float64 {
		return math.Max(240, 130+34*float64(len(d.Tracks)+len(d.Clinical))+5*float64(len(d.legend())))
	},
	note:   func(d Oncoprint) string { return "A share refers to the profiled " + d.Count + "." },
	merged: func(c *canvas, area rect, d Oncoprint) string { return c.oncoColumns(d, area).note(d) },
	describe: func(d Oncoprint) string {
		parts := make([]string, len(d.Tracks))
		for i, t := range d.Tracks {
			parts[i] = t.Name + " " + t.Share
		}
		return fmt.Sprintf("Oncoprint of %s in %s: %s.", english.Plural(len(d.Tracks), "track", ""),
			english.Plural(len(d.Columns), strings.TrimSuffix(d.Count, "s"), ""), strings.Join(parts, ", "))
	},
	draw: drawOncoprint,
})

// leastRow is the least height of a row whose name is legible.
const leastRow = 9

func drawOncoprint(c *canvas, area rect, d Oncoprint) {
	if len(d.Tracks) == 0 || len(d.Columns) == 0 {
		return
	}
	l := c.oncoColumns(d, area)
	d, columns, nameWidth, x0 := d.merge(l.columns), l.columns, l.nameWidth, l.x0
	names, shares := d.trackNames()
	area = c.oncoLegend(area, d)
	if len(d.Groups) > 0 {
		area.y0 = c.nameGroups(d, columns, area.y0)
	}
	h := c.rowHeight(area.height(), len(names))
	y := area.y0
	for i, name := range names {
		row := rect{x0, y, area.x1, y + h - c.rowGap()}
		text := y + (row.height()-c.lineHeight(tickSize))/2
		c.lines(c.fit(name, nameWidth, h), area.x0+nameWidth, text, tickSize, c.look.text, right)
		if shares[i] != "" {
			c.text(shares[i], x0-c.gap()-c.cellGap(), text, tickSize, c.muted, right)
		}
		if k := i - len(d.Clinical); k < 0 {
			c.clinicalRow(d.Clinical[i], columns, row)
		} else {
			c.geneRow(d, d.Tracks[k], columns, row)
		}
		y += h
	}
}

// An oncoLayout holds the columns of a picture, which begin at x0, and the width of the names before them.
type oncoLayout struct {
	nameWidth, x0 float64
	columns       []columnPlace
}

// oncoColumns lays out the columns in an area. Its height has no effect.
func (c *canvas) oncoColumns(d Oncoprint, area rect) oncoLayout {
	names, shares := d.trackNames()
	nameWidth := math.Min(c.widestName(names), .3*area.width())
	x0 := area.x0 + nameWidth + c.gap() + c.cellGap() + c.widestName(shares) + c.gap() + c.cellGap()
	return oncoLayout{nameWidth, x0, c.columnPlaces(d, x0, area.x1)}
}

// note tells how many columns of the data share a column of the picture, and what it shows then. It returns ""
// if none is shared.
func (l oncoLayout) note(d Oncoprint) string {
	least, most := len(d.Columns), 1
	for _, p := range l.columns {
		least, most = min(least, p.last-p.first), max(most, p.last-p.first)
	}
	if most == 1 {
		return ""
	}
	number := fmt.Sprint(most)
	switch {
	case least == most-1:
		number = fmt.Sprintf("%d or %d", least, most)
	case least < most:
		number = fmt.Sprintf("%d to %d", least, most)
	}
	note := "One column stands for " + number + " " + d.Count + ". If they differ, it shows the rarest alteration of each kind"
	if len(d.Clinical) > 0 {
		note += ", and a clinical row their mean or most frequent value"
	}
	return note + "."
}

// trackNames returns the names of all rows and their shares.
func (d Oncoprint) trackNames() (names, shares []string) {
	for _, t := range d.Clinical {
		names, shares = append(names, t.Name), append(shares, "")
	}
	for _, t := range d.Tracks {
		names, shares = append(names, t.Name), append(shares, t.Share)
	}
	return names, shares
}

// rowHeight returns the height of n rows with their gaps.
func (c *canvas) rowHeight(height float64, n int) float64 {
	if c.cells {
		c.overflows = c.overflows || float64(n)*cellHeight > height
		return cellHeight
	}
	h := math.Min(34, height/float64(n))
	c.overflows = c.overflows || h < leastRow
	return h
}

func (c *canvas) rowGap() float64 {
	if c.cells {
		return 0
	}
	return 3
}

// A columnPlace is a column of the picture. It stands for the columns of the data from first to last.
type columnPlace struct {
	x0, x1      float64
	first, last int
	group       int
}

// columnPlaces returns the places of the columns from x0 to x1. If there are more columns than pixels, or
// characters, several share one.
func (c *canvas) columnPlaces(d Oncoprint, x0, x1 float64) (places []columnPlace) {
	groups := d.Groups
	if len(groups) == 0 {
		groups = []ColumnGroup{{N: len(d.Columns)}}
	}
	unit, gap := 1.0, 8.0
	if c.cells {
		unit, gap, x0 = cellWidth, cellWidth, math.Ceil(x0/cellWidth)*cellWidth
	}
	room := x1 - x0 - gap*float64(len(groups)-1)
	width := math.Min(24, room/float64(len(d.Columns)))
	if c.cells {
		width = math.Max(math.Floor(width/cellWidth), math.Min(1, width/cellWidth)) * cellWidth
	}
	first, x := 0, x0
	for k, g := range groups {
		n, all := g.N, width*float64(g.N)
		if width < unit && n > 0 {
			n = min(n, max(1, int(all/unit)))
			all = math.Max(unit, all)
			if c.cells {
				all = unit * float64(n)
			}
		}
		for i := range n {
			places = append(places, columnPlace{
				x + all*float64(i)/float64(n), x + all*float64(i+1)/float64(n), first + i*g.N/n, first + (i+1)*g.N/n, k,
			})
		}
		first, x = first+g.N, x+all+gap
	}
	return places
}

// nameGroups writes the names of the groups above their columns, and returns the y below them.
func (c *canvas) nameGroups(d Oncoprint, columns []columnPlace, y float64) float64 {
	h := c.lineHeight(tickSize)
	for k, g := range d.Groups {
		from := slices.IndexFunc(columns, func(p columnPlace) bool { return p.group == k })
		if from < 0 {
			continue
		}
		to := from
		for to < len(columns) && columns[to].group == k {
			to++
		}
		x0, x1 := columns[from].x0, columns[to-1].x1
		for _, name := range []string{withSize(clean(g.Name), g.N), clean(g.Name), markerOf(k)} { // the legend has the others
			if c.measure(name, tickSize) <= x1-x0 && (name != markerOf(k) || c.plain) {
				c.text(name, x0, y, tickSize, c.color(k), left)
				break
			}
		}
		if !c.cells {
			c.box(rect{x0, y + h + 1, x1, y + h + 4}, c.color(k), stroke{})
		}
	}
	if c.cells {
		return y + h
	}
	return y + h + 8
}

// frequencies counts the columns of a track that show each event.
func (t GeneTrack) frequencies() map[string]int {
	n := map[string]int{}
	for i := range t.Cells {
		for _, e := range t.Cells[i].events() {
			n[e]++
		}
	}
	return n
}

// events names what a cell shows, with the kind first.
func (g *GeneCell) events() (list []string) {
	if g.Copies != "" {
		list = append(list, "copies "+g.Copies)
	}
	if g.Mutation != "" {
		list = append(list, fmt.Sprintf("mutation %s %t %t", g.Mutation, g.Driver, g.Germline))
	}
	if g.Fusion {
		list = append(list, "fusion")
	}
	if g.Expression != 0 {
		list = append(list, fmt.Sprintf("expression %d", g.Expression))
	}
	if g.Protein != 0 {
		list = append(list, fmt.Sprintf("protein %d", g.Protein))
	}
	return list
}

// merge returns the data with one cell of each track for each column of the picture.
func (d Oncoprint) merge(columns []columnPlace) Oncoprint {
	tracks := slices.Clone(d.Tracks)
	for i, t := range d.Tracks {
		frequency := t.frequencies()
		tracks[i].Cells = make([]GeneCell, len(columns))
		for k, p := range columns {
			tracks[i].Cells[k] = t.merge(p.first, p.last, frequency)
		}
	}
	d.Tracks = tracks
	return d
}

// merge returns the cell that stands for several columns of a track: of each kind the event that is rarest
// in the whole track, and not profiled only if no column is profiled.
func (t GeneTrack) merge(first, last int, frequency map[string]int) GeneCell {
	if last-first == 1 {
		return t.Cells[first]
	}
	out, rarest := GeneCell{NotProfiled: true}, map[string]int{}
	for i := first; i < last; i++ {
		cell := &t.Cells[i]
		out.NotProfiled = out.NotProfiled && cell.NotProfiled
		for _, e := range cell.events() {
			kind, _, _ := strings.Cut(e, " ")
			if n, known := rarest[kind]; known && n <= frequency[e] {
				continue
			}
			rarest[kind] = frequency[e]
			switch kind {
			case "copies":
				out.Copies = cell.Copies
			case "mutation":
				out.Mutation, out.Driver, out.Germline = cell.Mutation, cell.Driver, cell.Germline
			case "fusion":
				out.Fusion = true
			case "expression":
				out.Expression = cell.Expression
			case "protein":
				out.Protein = cell.Protein
			}
		}
	}
	return out
}
