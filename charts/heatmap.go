package charts

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Matrix holds a ratio, from 0 to infinity, for each pair of a row and a column. NaN means no
// value.
type Matrix struct {
	Labels
	Rows, Columns []string
	Ratios        [][]float64 // by row and column
	Stars         [][]bool    // ratios with an asterisk; nil: none
}

// text formats a ratio with its asterisk.
func (d Matrix) text(i, j int) string {
	v, star := d.Ratios[i][j], ""
	if d.Stars != nil && d.Stars[i][j] {
		star = "*"
	}
	switch {
	case math.IsInf(v, 0):
		return "∞" + star
	case v < 10:
		return strconv.FormatFloat(v, 'f', 2, 64) + star
	}
	return number(math.Round(v*10)/10) + star
}

// scale returns the colour scale. It is logarithmic with 1 in the middle, and ends at most at 64
// and 1/64. A ratio past an end has the colour of that end.
func (d Matrix) scale() axis {
	maxRatio := 4.0
	for _, v := range slices.Concat(d.Ratios...) {
		if v > 0 && !math.IsInf(v, 0) {
			maxRatio = math.Max(maxRatio, math.Max(v, 1/v))
		}
	}
	maxRatio = math.Min(64, math.Pow(2, math.Ceil(math.Log2(maxRatio)-1e-9)))
	return axis{min: 1 / maxRatio, max: maxRatio, log: true}
}

// A heatmap shows ratios by colour, blue below 1 and red above, and writes the numbers if they
// fit. The label Value names the ratios.
var _ = register(kind[Matrix]{
	name:   "heatmap",
	height: func(d Matrix) float64 { return math.Max(defaultHeight, 180+24*float64(len(d.Rows))) },
	describe: func(d Matrix) string {
		var parts []string
		for i, row := range d.Rows {
			for j, column := range d.Columns {
				if !math.IsNaN(d.Ratios[i][j]) && len(parts) < 100 {
					parts = append(parts, row+" and "+column+": "+d.text(i, j))
				}
			}
		}
		return "Heatmap of " + d.Value + ". " + strings.Join(parts, "; ") + "."
	},
	draw: drawHeatmap,
})

func drawHeatmap(c *canvas, area rect, d Matrix) {
	scale := d.scale()
	area = c.colorScale(area, d.Value, scale)
	rows, columns := d.Rows, d.Columns
	if slices.Equal(rows, columns) && !c.wordsFit(columns, .65*area.width()/float64(max(1, len(columns)))-2) {
		rows, columns = numberNames(rows)
	}
	room := math.Min(c.widestName(rows)+2, .35*area.width())
	x0, line := area.x0+room+c.gap()+c.cellGap(), c.lineHeight(tickSize)
	w := (area.x1 - x0) / float64(max(1, len(d.Columns)))
	heads, maxLines := make([][]string, len(d.Columns)), 1
	for j, name := range columns {
		heads[j] = c.fit(name, w-2, 6*line)
		maxLines = max(maxLines, len(heads[j]))
	}
	y1 := c.snap(area.y1 - float64(maxLines)*line - c.gap()/2)
	h := (y1 - area.y0) / float64(max(1, len(d.Rows)))
	for i, row := range d.Rows {
		y := area.y0 + float64(i)*h
		name := c.fit(rows[i], room, h)
		c.lines(name, x0-c.gap()-c.cellGap(), y+math.Max(0, h-line*float64(len(name)))/2, tickSize, c.look.text, right)
		for j, column := range d.Columns {
			x, v := x0+float64(j)*w, d.Ratios[i][j]
			text := d.text(i, j)
			if math.IsNaN(v) {
				if row != column {
					c.text(text, x+w/2, y+(h-line)/2, tickSize, c.muted, middle)
				}
				continue
			}
			c.mark(row + " and " + column + ": " + text)
			c.shade(rect{x, y, x + w, y + h}, scale.share(v), stroke{color: c.background, width: 1})
			if c.measure(text, tickSize) < w-2 && line <= h {
				c.text(text, x+w/2, y+(h-line)/2, tickSize, readable(diverging(scale.share(v))), middle)
			}
		}
	}
	for j, lines := range heads {
		c.lines(lines, x0+(float64(j)+.5)*w, y1+c.gap()/2, tickSize, c.look.text, middle)
	}
}

// numberNames returns the row names with numbers before them, and the numbers as column names.
func numberNames(names []string) (rows, columns []string) {
	for i, name := range names {
		columns = append(columns, fmt.Sprint(i+1))
		rows = append(rows, columns[i]+". "+name)
	}
	return rows, columns
}

// shade fills an area with the colour of a share from 0 to 1. Without colours it uses characters
// that are denser the further the share is from the middle.
func (c *canvas) shade(r rect, share float64, edge stroke) {
	if !c.plain {
		c.box(r, diverging(share), edge)
		return
	}
	glyph := string([]rune("·░▒▓")[min(3, int(4*math.Abs(2*share-1)))])
	for y := c.snap(r.y0); y+cellHeight/2 < r.y1; y += cellHeight {
		for x := math.Ceil(r.x0/cellWidth) * cellWidth; x < r.x1; x += cellWidth {
			c.text(glyph, x, y, tickSize, c.muted, left)
		}
	}
}

// colorScale draws the colour legend at the top of an area and returns the remaining area.
func (c *canvas) colorScale(area rect, legend string, scale axis) rect {
	area.y0 = c.lines(c.wrap(legend, area.width(), labelSize), area.x0, area.y0, labelSize, c.muted, left)
	const steps = 40
	width, line := math.Min(240, area.width()/2), c.lineHeight(tickSize)
	low, high := "≤ 1/"+number(scale.max), "≥ "+number(scale.max)
	x := area.x0 + c.measure(low, tickSize) + 6
	c.text(low, area.x0, area.y0, tickSize, c.muted, left)
	for i := range steps {
		from := x + width*float64(i)/steps
		c.shade(rect{from, area.y0 + 2, from + width/steps + .5, area.y0 + line - 2}, float64(i)/(steps-1), stroke{})
	}
	c.text(high, x+width+6, area.y0, tickSize, c.muted, left)
	area.y0 += line + c.gap()
	return area
}
