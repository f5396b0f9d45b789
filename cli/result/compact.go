package result

import (
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"biomcp/entrez/pattern"
)

const (
	// shortened is below rows of which cells were cut.
	shortened = "… cut to fit; --long shows whole rows"

	// A column on one line with others is cut to no less than leastColumn, the widest to no
	// less than leastTitle, and a part of the second line to no less than leastPart.
	leastColumn, leastTitle, leastPart = textRoomy, 64, 6

	between = " · " // the parts of the second line
)

// compact lays out a table of hits, which are read one after the other: a line for each
// where all fit or the terminal is wide, two where it is not. What does not fit is cut.
func (t terminal) compact(tab Table) string {
	if widths := natural(tab); sum(widths) <= t.width {
		return t.draw(tab, widths)
	}
	brief := tab
	brief.Columns = slices.Clone(tab.Columns)
	brief.Columns[0].Whole = true // the id
	if tab.Brief != nil {
		brief = filled(*tab.Brief)
	}
	widths := natural(brief)
	title := slices.Index(widths, slices.Max(widths))
	least := min(widths[title], leastTitle)
	if t.width < roomy || !shrink(widths, t.width, leastColumn, brief.Columns) || widths[title] < least {
		return t.twoLines(brief, tab.Brief == nil)
	}
	cut := false
	rows := make([][]string, len(brief.Rows))
	for i, row := range brief.Rows {
		rows[i] = make([]string, len(widths))
		for j, w := range widths {
			rows[i][j] = shorten(line(at(row, j)), w-padding, &cut)
		}
	}
	return t.draw(Table{Columns: brief.Columns, Rows: rows}, widths) + t.said(cut)
}

// twoLines is each row on two lines: its first cell, then the others. Where that is an id,
// and the next cell is text, both are on the first.
func (t terminal) twoLines(tab Table, byID bool) string {
	const words, indent = 20, "  "
	opens := 1
	if byID && len(tab.Columns) > 1 && widest(tab, 1) >= words {
		opens = 2
	}
	var s strings.Builder
	cut := false
	for _, row := range tab.Rows {
		first := line(at(row, 0))
		if opens == 2 {
			first += indent + line(at(row, 1))
		}
		s.WriteString(t.paint.bold(shorten(first, t.width, &cut)) + "\n")
		var parts []second
		for j := opens; j < len(tab.Columns); j++ {
			part, c := second{text: line(present(row, j))}, tab.Columns[j]
			if part.text == "" {
				continue
			}
			if byID && j > opens+len(parts) || c.Right || part.text == "yes" || part.text == "no" { // its place does not say what it is
				c.Whole = c.Whole || !c.Right && len(part.text) <= len("yes")
				part.name = line(c.Name) + " "
			}
			part.column = c
			parts = append(parts, part)
		}
		if text := fitting(parts, t.width-len(indent), &cut); text != "" {
			s.WriteString(indent + text + "\n")
		}
	}
	return s.String() + t.said(cut)
}

// second is a part of the second line: a cell, and what it is, "" where its place says that.
type second struct {
	name, text string
	column     Column
}

// fitting joins parts in so much room. A name of which hardly any of the cell is left goes, the
// last first, and leaves its room to the others.
func fitting(parts []second, room int, cut *bool) string {
	widths, columns, texts := make([]int, len(parts)), make([]Column, len(parts)), make([]string, len(parts))
	for j, p := range parts {
		widths[j], columns[j] = runewidth.StringWidth(p.name+p.text), p.column
	}
	shrink(widths, room-runewidth.StringWidth(between)*(len(parts)-1), leastPart, columns)
	for j, p := range slices.Backward(parts) {
		if shown := widths[j] - runewidth.StringWidth(p.name); p.name != "" && shown < min(leastPart, runewidth.StringWidth(p.text)) {
			*cut = true
			return fitting(slices.Delete(slices.Clone(parts), j, j+1), room, cut)
		}
		texts[j] = shorten(p.name+p.text, widths[j], cut)
	}
	return shorten(strings.Join(texts, between), room, cut)
}

// filled is a table without the columns that no row fills.
func filled(tab Table) Table {
	out := Table{Rows: make([][]string, len(tab.Rows))}
	for j, c := range tab.Columns {
		if !slices.ContainsFunc(tab.Rows, func(row []string) bool { return !missing(row, j) }) {
			continue
		}
		out.Columns = append(out.Columns, c)
		for i, row := range tab.Rows {
			out.Rows[i] = append(out.Rows[i], present(row, j))
		}
	}
	return out
}

// said is a line on cells that were cut, where some were.
func (t terminal) said(cut bool) string {
	if !cut {
		return ""
	}
	return "\n" + t.paint.dim(shortened) + "\n"
}

// natural is how wide the columns of a table are, padding included.
func natural(tab Table) []int {
	widths := make([]int, len(tab.Columns))
	for j, c := range tab.Columns {
		widths[j] = max(widest(tab, j), runewidth.StringWidth(line(c.Name))) + padding
	}
	return widths
}

// shrink narrows the widest of some columns, none that is Whole or of numbers, until their sum
// is room, and reports whether none becomes narrower than least by that.
func shrink(widths []int, room, least int, columns []Column) bool {
	for sum(widths) > room {
		at := -1
		for j, w := range widths {
			if !columns[j].Whole && !columns[j].Right && w > least && (at < 0 || w > widths[at]) {
				at = j
			}
		}
		if at < 0 {
			return false
		}
		widths[at]--
	}
	return true
}

// number is a number as it is written, of which a part reads as another one.
var number = pattern.Lazy(`\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?`)

// beforeNumber is where a text is cut that has room for n bytes: not within a number.
func beforeNumber(text string, n int) int {
	for _, m := range number().FindAllStringIndex(text, -1) {
		if m[0] < n && n < m[1] {
			return m[0]
		}
	}
	return n
}

// shorten is text in at most width columns of the terminal. A number is there whole or not.
func shorten(text string, width int, cut *bool) string {
	if runewidth.StringWidth(text) <= width {
		return text
	}
	*cut = true
	kept := runewidth.Truncate(text, width-1, "")
	return kept[:beforeNumber(text, len(kept))] + "…"
}
