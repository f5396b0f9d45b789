package charts

import (
	"strings"
	"testing"
)

// A letter keeps its combining marks in a cell, and takes no more room.
func TestCellsKeepCombiningMarks(t *testing.T) {
	for _, text := range []string{"x\u0304 = 5", "p\u0302\u0323", "nai\u0308ve", "V\u0307O2"} {
		c := &cells{cols: 20, rows: 1, grid: make([]cell, 20)}
		c.Text(text, 0, cellHeight)
		c.Text("|", cellWidth*cellsOf(text), cellHeight)
		var b strings.Builder
		if err := c.Save(&b); err != nil || strings.TrimSpace(b.String()) != text+"|" {
			t.Errorf("%q is written as %q, %v", text, b.String(), err)
		}
	}
}
