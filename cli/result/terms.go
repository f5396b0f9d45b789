package result

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

const (
	termIndent = 2  // indent of a term
	minAligned = 60 // minimum width of a terminal that shows explanations beside their terms
)

// terms returns a table of two columns as terms with their explanations, all of which begin in one
// column. The explanation of a long term, and of every term on a narrow terminal, begins on the
// next line.
func (t terminal) terms(tab Table) string {
	if tab.Brief != nil {
		tab = *tab.Brief
	}
	wide, most := 2, t.width/3
	if t.width < minAligned {
		most = 0
	}
	for _, row := range tab.Rows {
		if w := runewidth.StringWidth(line(cellOrDash(row, 0))); w <= most {
			wide = max(wide, w)
		}
	}
	indent := strings.Repeat(" ", termIndent)
	var s strings.Builder
	for _, row := range tab.Rows {
		term := line(cellOrDash(row, 0))
		if w := runewidth.StringWidth(term); w > wide {
			s.WriteString(indent + t.paint.cyan(strings.TrimSuffix(t.hangingIndent(term, 2*termIndent), "\n")) + "\n" +
				strings.Repeat(" ", termIndent+wide))
		} else {
			s.WriteString(indent + t.paint.cyan(term) + strings.Repeat(" ", wide-w))
		}
		s.WriteString("  " + t.hangingIndent(line(cellOrEmpty(row, 1)), wide+2*termIndent))
	}
	return s.String()
}
