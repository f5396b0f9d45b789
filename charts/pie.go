package charts

import (
	"fmt"
	"math"
)

// A pie chart shows parts as shares of their sum. Numbers and percentages are in a list at the
// side, where labels cannot overlap.
var _ = register(kind[Parts]{
	name:     "pie",
	height:   func(d Parts) float64 { return math.Max(defaultHeight, 100+20*float64(len(d.List))) },
	describe: func(d Parts) string { return "Pie chart. " + describeValues(d.List) },
	draw:     drawPie,
})

func drawPie(c *canvas, area rect, d Parts) {
	total := 0.0
	for _, s := range d.List {
		total += math.Max(0, s.Value)
	}
	list := area
	list.x0 = area.x0 + math.Min(area.height(), .5*area.width()) + 3*c.gap() + c.cellGap()
	radius := math.Min(area.height(), list.x0-area.x0-3*c.gap()-c.cellGap()) / 2
	center := point{area.x0 + radius, area.y0 + radius}
	keys := make([]key, 0, len(d.List))
	angle := 0.0
	for i, s := range d.List {
		if !(s.Value >= 0) {
			continue
		}
		fill := c.nameColor(d.Labels, s.Name, i)
		text := fmt.Sprintf("%s: %s", s.Name, number(s.Value))
		if total > 0 {
			text += fmt.Sprintf(" (%.1f %%)", 100*s.Value/total)
		}
		if s.Value > 0 {
			turn := s.Value / total * 2 * math.Pi
			c.mark(text)
			edge := stroke{c.background, 1, nil}
			if s.Value == total {
				edge = stroke{}
			}
			c.slice(center, radius, angle, angle+turn, fill, edge)
			angle += turn
		}
		keys = append(keys, key{name: text, color: fill})
	}
	for _, k := range keys {
		list = c.legend(list, []key{k})
		list.y0 -= c.gap() / 2
	}
}
