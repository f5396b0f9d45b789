package charts

import (
	"math"

	"github.com/wcharczuk/go-chart/v2/drawing"
)

// signs stand for groups of points if there are no colours. Every font has them, a cell wide.
const signs = "ox+*#%@&=$abcdefghijklmnpqrstuvwyz"

func signOf(i int) string { return signs[i%len(signs):][:1] }

// spot draws a point of a group: a circle, or the group's sign if there are no colours.
func (c *canvas) spot(p point, radius float64, group int, fill drawing.Color, s stroke) {
	if !c.plain {
		c.circle(p, radius, fill, s)
		return
	}
	x, y := math.Floor(p.x/cellWidth)*cellWidth, c.snap(p.y)
	c.text(signOf(group), x, y, tickSize, fill, left)
}
