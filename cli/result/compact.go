package result

import (
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"biomcp/entrez/pattern"
)

const (
	// truncatedNote follows rows with truncated cells.
	truncatedNote = "… cut to fit; --long shows whole rows"

	minColumn = minTextWide // minimum width of a truncated column
	minTitle  = 64          // minimum width of the widest column
	minPart   = 20          // minimum width of a truncated cell of the second line

	separator = " · " // separates the parts of the second line
)

// compact lays out a table of hits. Each hit takes one line if all columns fit or the terminal is
// wide, otherwise two. Cells that do not fit are truncated.
func (t terminal) compact(tab Table) string {
	if widths := naturalWidths(tab); sum(widths) <= t.width {
		return t.draw(tab, widths)
	}
	brief := tab
	brief.Columns = slices.Clone(tab.Columns)
	brief.Columns[0].Whole = true // the ID
	if tab.Brief != nil {
		brief = dropEmptyColumns(*tab.Brief)
	}
	widths := naturalWidths(brief)
	title := slices.Index(widths, slices.Max(widths))
	minimum := min(widths[title], minTitle)
	if t.width < wideTerminal || !shrink(widths, t.width, minColumn, brief.Columns) || widths[title] < minimum {
		return t.twoLines(brief, tab.Brief == nil)
	}
	cut := false
	rows := make([][]string, len(brief.Rows))
	for i, row := range brief.Rows {
		rows[i] = make([]string, len(widths))
		for j, w := range widths {
			rows[i][j] = truncate(line(cellOrDash(row, j)), w-padding, &cut)
		}
	}
	return t.draw(Table{Columns: brief.Columns, Rows: rows}, widths) + t.truncationNote(cut)
}

// twoLines returns each row as two lines, the first cell and the others. If byID is true, the first
// cell is an ID, and the first line holds the second cell as well if that is text. Cells that do not
// fit in the second line, even truncated, take further lines.
func (t terminal) twoLines(tab Table, byID bool) string {
	const words, indent = 20, "  "
	leading := 1
	if byID && len(tab.Columns) > 1 && widest(tab, 1) >= words {
		leading = 2
	}
	var s strings.Builder
	cut := false
	for _, row := range tab.Rows {
		first := line(cellOrDash(row, 0))
		if leading == 2 {
			first += indent + line(cellOrDash(row, 1))
		}
		s.WriteString(t.paint.bold(truncate(first, t.width, &cut)) + "\n")
		for _, text := range partLines(rowParts(tab, row, leading, byID), t.width-len(indent), &cut) {
			s.WriteString(t.indentLines(text, len(indent)))
		}
	}
	return s.String() + t.truncationNote(cut)
}

// rowParts returns the parts of the second line of a row, without empty cells.
func rowParts(tab Table, row []string, leading int, byID bool) (parts []linePart) {
	for j := leading; j < len(tab.Columns); j++ {
		part, c := linePart{text: line(cellOrEmpty(row, j))}, tab.Columns[j]
		if part.text == "" {
			continue
		}
		isAnswer := part.text == "yes" || part.text == "no"
		if byID && j > leading+len(parts) || c.Right || isAnswer { // unclear without its name
			c.Whole = c.Whole || !c.Right && len(part.text) <= len("yes")
			part.name = line(c.Name) + " "
		}
		part.column = c
		parts = append(parts, part)
	}
	return parts
}

// linePart is a part of the second line of a row.
type linePart struct {
	name   string // the name of the column and a space; "" if the cell is clear without it
	text   string // the cell
	column Column
}

// partLines joins parts to lines of at most room display columns: one line if its cells fit, the long ones
// truncated to minPart, otherwise as few lines as hold whole parts. It truncates a part that takes more
// than two lines.
func partLines(parts []linePart, room int, cut *bool) (lines []string) {
	widths, columns := make([]int, len(parts)), make([]Column, len(parts))
	free := room + runewidth.StringWidth(separator)
	for j, p := range parts {
		widths[j], columns[j] = runewidth.StringWidth(p.text), p.column
		free -= runewidth.StringWidth(p.name + separator)
	}
	fit := shrink(widths, free, minPart, columns)
	for j, p := range parts {
		if !fit {
			widths[j] = 2*room - runewidth.StringWidth(p.name)
		}
		text, last := p.name+truncate(p.text, widths[j], cut), len(lines)-1
		if last >= 0 && runewidth.StringWidth(lines[last]+separator+text) <= room {
			lines[last] += separator + text
		} else {
			lines = append(lines, text)
		}
	}
	return lines
}

// dropEmptyColumns returns a table without its empty columns.
func dropEmptyColumns(tab Table) Table {
	out := Table{Rows: make([][]string, len(tab.Rows))}
	for j, c := range tab.Columns {
		if !slices.ContainsFunc(tab.Rows, func(row []string) bool { return !isMissing(row, j) }) {
			continue
		}
		out.Columns = append(out.Columns, c)
		for i, row := range tab.Rows {
			out.Rows[i] = append(out.Rows[i], cellOrEmpty(row, j))
		}
	}
	return out
}

// truncationNote returns the line about truncated cells if cut is true, otherwise "".
func (t terminal) truncationNote(cut bool) string {
	if !cut {
		return ""
	}
	return "\n" + t.paint.dim(truncatedNote) + "\n"
}

// naturalWidths returns the widths of the columns of a table, including padding, without truncation.
func naturalWidths(tab Table) []int {
	widths := make([]int, len(tab.Columns))
	for j, c := range tab.Columns {
		widths[j] = max(widest(tab, j), runewidth.StringWidth(line(c.Name))) + padding
	}
	return widths
}

// shrink narrows the widest columns until the sum of widths is at most room. It does not narrow
// columns that are Whole or Right, nor any column below minimum. It reports whether it succeeded.
func shrink(widths []int, room, minimum int, columns []Column) bool {
	for sum(widths) > room {
		at := -1
		for j, w := range widths {
			if !columns[j].Whole && !columns[j].Right && w > minimum && (at < 0 || w > widths[at]) {
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

// numberPattern matches a number, which must not be cut, since a part of it would be another number.
var numberPattern = pattern.Lazy(`\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?`)

// cutBeforeNumber returns n, or the start of the number that contains byte offset n of text.
func cutBeforeNumber(text string, n int) int {
	for _, m := range numberPattern().FindAllStringIndex(text, -1) {
		if m[0] < n && n < m[1] {
			return m[0]
		}
	}
	return n
}

// truncate truncates text to at most width display columns and sets cut if it does. It never cuts
// within a number.
func truncate(text string, width int, cut *bool) string {
	if runewidth.StringWidth(text) <= width {
		return text
	}
	*cut = true
	kept := runewidth.Truncate(text, width-1, "")
	return kept[:cutBeforeNumber(text, len(kept))] + "…"
}
