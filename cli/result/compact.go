package result

import (
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"biomcp/entrez/pattern"
)

const (
	// shortened follows rows with truncated cells.
	shortened = "… cut to fit; --long shows whole rows"

	leastColumn = textRoomy // minimum width of a truncated column
	leastTitle  = 64        // minimum width of the widest column
	leastPart   = 6         // minimum width of a part of the second line

	between = " · " // separates the parts of the second line
)

// compact lays out a table of hits. Each hit takes one line if all columns fit or the terminal is
// wide, otherwise two. Cells that do not fit are truncated.
func (t terminal) compact(tab Table) string {
	if widths := natural(tab); sum(widths) <= t.width {
		return t.draw(tab, widths)
	}
	brief := tab
	brief.Columns = slices.Clone(tab.Columns)
	brief.Columns[0].Whole = true // the ID
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

// twoLines returns each row as two lines, the first cell and the others. If byID is true, the first
// cell is an ID, and the first line holds the second cell as well if that is text.
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
			if byID && j > opens+len(parts) || c.Right || part.text == "yes" || part.text == "no" { // unclear without its name
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

// second is a part of the second line of a row.
type second struct {
	name   string // the name of the column and a space; "" if the cell is clear without it
	text   string // the cell
	column Column
}

// fitting joins parts to a text of at most room display columns. It truncates parts, and drops named
// parts whose cell would almost disappear, the last first.
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

// filled returns a table without its empty columns.
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

// said returns the line about truncated cells if cut is true, otherwise "".
func (t terminal) said(cut bool) string {
	if !cut {
		return ""
	}
	return "\n" + t.paint.dim(shortened) + "\n"
}

// natural returns the widths of the columns of a table, including padding, without truncation.
func natural(tab Table) []int {
	widths := make([]int, len(tab.Columns))
	for j, c := range tab.Columns {
		widths[j] = max(widest(tab, j), runewidth.StringWidth(line(c.Name))) + padding
	}
	return widths
}

// shrink narrows the widest columns until the sum of widths is at most room. It does not narrow
// columns that are Whole or Right, nor any column below least. It reports whether it succeeded.
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

// number matches a number, which must not be cut, since a part of it would be another number.
var number = pattern.Lazy(`\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?`)

// beforeNumber returns n, or the start of the number that contains byte offset n of text.
func beforeNumber(text string, n int) int {
	for _, m := range number().FindAllStringIndex(text, -1) {
		if m[0] < n && n < m[1] {
			return m[0]
		}
	}
	return n
}

// shorten truncates text to at most width display columns and sets cut if it does. It never cuts
// within a number.
func shorten(text string, width int, cut *bool) string {
	if runewidth.StringWidth(text) <= width {
		return text
	}
	*cut = true
	kept := runewidth.Truncate(text, width-1, "")
	return kept[:beforeNumber(text, len(kept))] + "…"
}
