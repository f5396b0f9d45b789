package charts

import (
	"fmt"
	"math"
	"strings"

	"github.com/wcharczuk/go-chart/v2/drawing"
)

// oncoColor returns the colour of what a cell shows: the first of the pair in the palette safe for
// colour-blind readers, the second that of cBioPortal (AlterationColors.ts and geneticrules.ts). The name of a
// mutation without driver status ends with a sign.
func (c *canvas) oncoColor(name string) drawing.Color {
	safe, portal, _ := strings.Cut(map[string]string{
		"base": "d9d9d9 bebebe", "AMP": "d55e00 ff0000", "GAIN": "f4c7a1 ffb6c1", "DIPLOID": "d9d9d9 bebebe",
		"HETLOSS": "a6d0ec 8fd8d8", "HOMDEL": "0072b2 0000ff", "high": "b2182b ff9999", "low": "2166ac 6699cc",
		"protein high": "e7298a ff3df8", "protein low": "00a3a3 00e1ff", "fusion": "9a3f97 8b00c9",
		"MISSENSE": "009e73 008000", "MISSENSE?": "7fd3b9 53d400", "TRUNC": "000000 000000", "TRUNC?": "6b7680 708090",
		"INFRAME": "7a4a12 993404", "INFRAME?": "b08a58 a68028", "SPLICE": "f0a30a e5802b", "SPLICE?": "f7d084 f0b87b",
		"PROMOTER": "56b4e9 00b7ce", "PROMOTER?": "a9d8f3 8cedf9", "OTHER": "cc79a7 cf58bc", "OTHER?": "e3b5cf f96ae3",
	}[name], " ")
	if c.classes != nil { // the palette has colours of its own for alterations
		return hex(portal)
	}
	return hex(safe)
}

// mutationColor returns the colour of a mutation, paler if the data tell drivers from others and it is not a driver.
func (c *canvas) mutationColor(g GeneCell, drivers bool) drawing.Color {
	if drivers && !g.Driver {
		return c.oncoColor(g.Mutation + "?")
	}
	return c.oncoColor(g.Mutation)
}

// geneRow draws a track with one cell for each column: first the ground of profiled columns and the lines
// of the others, in runs, then the events. This keeps an SVG small.
func (c *canvas) geneRow(d Oncoprint, t GeneTrack, columns []columnPlace, row rect) {
	cells := t.Cells
	if c.cells {
		c.terminalCells(d, cells, columns, row)
		return
	}
	sameGround := func(i, k int) bool { return cells[i].NotProfiled == cells[k].NotProfiled }
	runs(columns, sameGround, func(i int, x0, x1 float64) {
		c.ground(cells[i].NotProfiled, rect{x0, row.y0, x1, row.y1})
	})
	width := columns[0].x1 - columns[0].x0
	edge := 2.0
	if width < 6 { // an outline would fill the cell
		edge = 0
	}
	same := func(i, k int) bool { // wider columns have titles of their own
		a, b := cells[i], cells[k]
		a.Text, b.Text = "", ""
		return width < 3 && a == b
	}
	runs(columns, same, func(i int, x0, x1 float64) {
		title := ""
		if width >= 3 {
			title = t.Name + ", " + d.Columns[columns[i].first] + ": " + cells[i].Text
		}
		c.events(d, cells[i], rect{x0, row.y0, x1, row.y1}, title, edge)
	})
	c.separate(columns, row)
}

// runs calls draw for each run of columns of a group that are the same, with its first column and its ends.
func runs(columns []columnPlace, same func(i, k int) bool, draw func(i int, x0, x1 float64)) {
	for i, end := 0, 0; i < len(columns); i = end {
		for end = i + 1; end < len(columns) && columns[end].group == columns[i].group && same(i, end); end++ {
		}
		draw(i, columns[i].x0, columns[end-1].x1)
	}
}

// ground draws the ground of columns: an area, or a line if they were not profiled.
func (c *canvas) ground(notProfiled bool, r rect) {
	c.marks++
	if !notProfiled {
		c.box(r, c.oncoColor("base"), stroke{})
		return
	}
	c.box(rect{r.x0, r.y0 + .44*r.height(), r.x1, r.y0 + .56*r.height()}, mix(c.background, c.muted, .45), stroke{})
}

// separate draws gaps between the columns of a row if they are wide enough.
func (c *canvas) separate(columns []columnPlace, row rect) {
	for i, p := range columns {
		w := p.x1 - p.x0
		if c.cells || w < 5 || i+1 == len(columns) || columns[i+1].group != p.group {
			continue
		}
		c.box(rect{p.x1 - 1, row.y0, p.x1, row.y1}, c.background, stroke{})
	}
}

func (g GeneCell) empty() bool { return len(g.events()) == 0 }

// events draws the events of a cell above its ground. An outline has sides of the width edge; without sides it
// is wider.
func (c *canvas) events(d Oncoprint, g GeneCell, r rect, title string, edge float64) {
	if g.empty() {
		return
	}
	part := func(from, to float64, color drawing.Color) {
		c.box(rect{r.x0, r.y0 + from*r.height(), r.x1, r.y0 + to*r.height()}, color, stroke{})
	}
	name := func() {
		if title != "" {
			c.mark(title)
			title = ""
		}
	}
	if g.Copies != "" && g.Copies != "DIPLOID" {
		name()
		part(0, 1, c.oncoColor(g.Copies))
	}
	if g.Expression != 0 {
		color, height := c.oncoColor([]string{"low", "", "high"}[g.Expression+1]), 2.0
		sides := []rect{{r.x0, r.y0, r.x0 + edge, r.y1}, {r.x1 - edge, r.y0, r.x1, r.y1}}
		if edge == 0 {
			height, sides = .18*r.height(), nil
		}
		for _, side := range append(sides, rect{r.x0, r.y0, r.x1, r.y0 + height}, rect{r.x0, r.y1 - height, r.x1, r.y1}) {
			name()
			c.box(side, color, stroke{})
		}
	}
	switch g.Protein {
	case 1:
		part(0, .2, c.oncoColor("protein high"))
	case -1:
		part(.8, 1, c.oncoColor("protein low"))
	}
	if g.Fusion {
		name()
		part(.2, .8, c.oncoColor("fusion"))
	}
	if g.Mutation != "" {
		name()
		part(.3333, .6667, c.mutationColor(g, d.Drivers))
	}
	if g.Germline {
		part(.46, .54, hex("ffffff"))
	}
}

// terminalCells draws cells as characters: the background is the copy number, and the sign in it the
// mutation, the structural variant or the expression. Without colour every state has a letter.
func (c *canvas) terminalCells(d Oncoprint, cells []GeneCell, columns []columnPlace, row rect) {
	for i, g := range cells {
		c.marks++
		r := rect{columns[i].x0, row.y0, columns[i].x1, row.y0 + cellHeight}
		sign, color := g.sign(c.plain), c.muted
		if !c.plain && !g.NotProfiled {
			fill := "base"
			if g.Copies != "" {
				fill = g.Copies
			}
			c.box(r, c.oncoColor(fill), stroke{})
			switch {
			case g.Mutation != "":
				color = c.mutationColor(g, d.Drivers)
			case g.Fusion:
				color = c.oncoColor("fusion")
			case g.Expression != 0:
				color = c.oncoColor([]string{"low", "", "high"}[g.Expression+1])
			case g.Protein != 0:
				color = c.oncoColor("protein " + []string{"low", "", "high"}[g.Protein+1])
			}
		}
		if sign != "" {
			n := max(1, int(math.Round(r.width()/cellWidth)))
			c.text(strings.Repeat(sign, n), r.x0, r.y0, tickSize, color, left)
		}
	}
}

// sign returns the character of a cell at a terminal.
func (g GeneCell) sign(plain bool) string {
	level, protein := []string{"▼", "", "▲"}[g.Expression+1], []string{"▽", "", "△"}[g.Protein+1]
	switch {
	case g.NotProfiled:
		return "-"
	case !plain && g.Mutation != "" && g.Germline:
		return "□"
	case !plain && g.Mutation != "":
		return "■"
	case !plain && g.Fusion:
		return "▬"
	case !plain && g.Expression != 0:
		return level
	case !plain:
		return protein
	case len(g.events()) > 1:
		return "+"
	case g.Mutation != "" && g.Germline:
		return strings.ToLower(g.Mutation[:1])
	case g.Mutation != "":
		return g.Mutation[:1]
	case g.Fusion:
		return "F"
	case g.Copies != "":
		return map[string]string{"AMP": "A", "HOMDEL": "D", "GAIN": "g", "HETLOSS": "h", "DIPLOID": "2"}[g.Copies]
	case g.Expression != 0:
		return level
	case g.Protein != 0:
		return protein
	}
	return "·"
}

// clinicalRow draws a row of clinical values. A missing value is drawn as one that was not profiled.
func (c *canvas) clinicalRow(t ClinicalTrack, columns []columnPlace, row rect) {
	scale := t.scale()
	values := make([]clinicalValue, len(columns))
	for i, p := range columns {
		values[i] = c.clinicalValue(t, scale, p)
	}
	runs(columns, func(i, k int) bool { return values[i] == values[k] }, func(i int, x0, x1 float64) {
		switch v := values[i]; {
		case c.plain:
			c.text(strings.Repeat(v.sign, max(1, int(math.Round((x1-x0)/cellWidth)))), x0, row.y0, tickSize, c.muted, left)
		case v.known:
			c.marks++
			c.box(rect{x0, row.y0, x1, row.y1}, v.color, stroke{})
		case c.cells:
		default:
			c.ground(true, rect{x0, row.y0, x1, row.y1})
		}
	})
	c.separate(columns, row)
}

// A clinicalValue is the appearance of a value in a column.
type clinicalValue struct {
	color drawing.Color
	sign  string // at a terminal without colours
	known bool
}

// scale returns the least and the greatest number of a track.
func (t ClinicalTrack) scale() axis { return span(false, t.Numbers...) }

// clinicalValue returns what a column of the picture shows. Several columns of the data have the mean, or
// the most frequent category.
func (c *canvas) clinicalValue(t ClinicalTrack, scale axis, p columnPlace) clinicalValue {
	if t.Numbers != nil {
		sum, n := 0.0, 0
		for _, v := range t.Numbers[p.first:p.last] {
			if !math.IsNaN(v) {
				sum, n = sum+v, n+1
			}
		}
		if n == 0 {
			return clinicalValue{c.background, "-", false}
		}
		share := scale.share(sum / float64(n))
		return clinicalValue{numberColor(share), fmt.Sprint(min(9, int(10*share))), true}
	}
	counts, best := map[int]int{}, -1
	for _, k := range t.Category[p.first:p.last] {
		if counts[k]++; k >= 0 && (best < 0 || counts[k] > counts[best]) {
			best = k
		}
	}
	if best < 0 {
		return clinicalValue{c.background, "-", false}
	}
	return clinicalValue{c.categoryColor(best), markerOf(best), true}
}

// numberColor returns the colour of a number on a scale from 0 to 1, from pale to dark.
func numberColor(share float64) drawing.Color { return mix(hex("dbe9f6"), hex("08306b"), share) }

// categoryColor returns the colour of a category, which does not repeat the strong colours of alterations.
func (c *canvas) categoryColor(i int) drawing.Color { return mix(c.color(i), c.background, .25) }
