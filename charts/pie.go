package charts

import (
	"fmt"
	"math"
)

// Pie shows values as shares of their sum, named with number and per cent in a list
// at the side, where no label can overlap another.
type Pie struct {
	Labels
	Slices []Value
}

func (ch Pie) Describe() string { return "Pie chart. " + listed(ch.Slices) }

func (ch Pie) size() (width, height float64) {
	return defaultWidth, math.Max(defaultHeight, 100+20*float64(len(ch.Slices)))
}

func (ch Pie) draw(c *canvas, area rect) {
	total := 0.0
	for _, s := range ch.Slices {
		total += math.Max(0, s.Value)
	}
	list := area
	list.x0 = area.x0 + math.Min(area.height(), .5*area.width()) + 3*c.gap() + c.cellGap()
	radius := math.Min(area.height(), list.x0-area.x0-3*c.gap()-c.cellGap()) / 2
	center := point{area.x0 + radius, area.y0 + radius}
	keys := make([]key, 0, len(ch.Slices))
	angle := 0.0
	for i, s := range ch.Slices {
		if !(s.Value >= 0) {
			continue
		}
		text := fmt.Sprintf("%s: %s", s.Name, number(s.Value))
		if total > 0 {
			text += fmt.Sprintf(" (%.1f %%)", 100*s.Value/total)
			turn := s.Value / total * 2 * math.Pi
			c.mark(text)
			edge := stroke{c.background, 1, nil}
			if s.Value == total {
				edge = stroke{}
			}
			c.slice(center, radius, angle, angle+turn, c.color(i), edge)
			angle += turn
		}
		keys = append(keys, key{name: text, color: c.color(i)})
	}
	for _, k := range keys {
		list = c.legend(list, []key{k})
		list.y0 -= c.gap() / 2
	}
}
