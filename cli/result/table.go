package result

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// narrowNote follows a table that lacks columns.
const narrowNote = "more columns: --long, or a wider terminal"

// Narrow returns a table with some of the columns of tab, by their indices.
func Narrow(tab Table, columns ...int) *Table {
	narrow := &Table{Columns: make([]Column, len(columns)), Rows: make([][]string, len(tab.Rows))}
	for i, j := range columns {
		narrow.Columns[i] = tab.Columns[j]
	}
	for r, row := range tab.Rows {
		narrow.Rows[r] = Map(columns, func(j int) string { return row[j] })
	}
	return narrow
}

// tableHead returns the whole table, since the column widths depend on every row.
func (t terminal) tableHead(tab Table) string {
	if len(tab.Columns) == 0 {
		return ""
	}
	switch {
	case tab.Terms:
		return t.terms(tab)
	case tab.Hits && !t.long:
		return t.compact(tab)
	}
	if t.narrows(tab) {
		return t.tableHead(*tab.Narrow) + "\n" + t.paint.dim(narrowNote) + "\n"
	}
	widths, ok := columnWidths(tab, t.width)
	if turned := tab.transposed(); !ok && turned != nil {
		tab = *turned
		widths, ok = naturalWidths(tab), sum(naturalWidths(tab)) <= t.width
	}
	if !ok {
		return t.list(tab)
	}
	return t.draw(tab, widths)
}

// narrows reports whether only the columns of tab.Narrow are shown.
func (t terminal) narrows(tab Table) bool {
	if tab.Narrow == nil || tab.Terms || t.long {
		return false
	}
	_, ok := columnWidths(tab, t.width)
	return !ok
}

// shownColumns returns the columns that are shown. A table of hits shows the notes of all columns.
func (t terminal) shownColumns(tab Table) []Column {
	if t.narrows(tab) {
		return tab.Narrow.Columns
	}
	return tab.Columns
}

// transposed returns a table of numbers with a row for each column and a column for each row, so that the
// numbers of the rows stay side by side where the columns do not fit. It returns nil for any other table.
func (tab Table) transposed() *Table {
	isText := func(c Column) bool { return !c.Right }
	if len(tab.Rows) < 2 || tab.Pairs || len(tab.Columns) < 2 || slices.ContainsFunc(tab.Columns[1:], isText) {
		return nil
	}
	turned := Table{Columns: tab.Columns[:1:1]}
	for _, row := range tab.Rows {
		turned.Columns = append(turned.Columns, Column{Name: cellOrDash(row, 0), Right: true})
	}
	for j, c := range tab.Columns[1:] {
		cells := Map(tab.Rows, func(row []string) string { return cellOrDash(row, j+1) })
		turned.Rows = append(turned.Rows, append([]string{c.Name}, cells...))
	}
	return &turned
}

// draw returns a table as a grid with the given column widths.
func (t terminal) draw(tab Table, widths []int) string {
	var out bytes.Buffer
	align := make([]tw.Align, len(tab.Columns))
	names := make([]string, len(tab.Columns))
	headerLines := 1 // height of the header in lines
	for j, c := range tab.Columns {
		align[j] = tw.AlignLeft
		if c.Right {
			align[j] = tw.AlignRight
		}
		parts := wrap(line(c.Name), widths[j]-padding)
		names[j] = strings.Join(parts, "\n")
		headerLines = max(headerLines, len(parts))
	}
	// Wrap cells here, since tablewriter truncates words that exceed their column.
	table := tablewriter.NewTable(&out,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.BorderNone,
			Symbols:  tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off}},
		})),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignment(tw.AlignLeft),
		tablewriter.WithAlignment(align),
	)
	table.Header(names)
	for i := range tab.Rows {
		row := make([]string, len(tab.Columns))
		for j := range tab.Columns {
			row[j] = strings.Join(wrap(line(cellOrDash(tab.Rows[i], j)), widths[j]-padding), "\n")
		}
		if err := table.Append(row); err != nil {
			return markdown{}.tableHead(tab) // impossible, since all cells are strings
		}
	}
	if err := table.Render(); err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	for i := range min(headerLines, len(lines)) {
		lines[i] = t.paint.bold(lines[i])
	}
	return strings.Join(lines, "\n") + "\n"
}

// list returns a table as a list with an entry for each row. An entry begins with the first cell,
// and the second if it is text or part of the row's name. The other cells follow as named
// fields.
func (t terminal) list(tab Table) string {
	const indent, words = 2, 20
	text := len(tab.Columns) > 1 && widest(tab, 1) >= words
	rows := make([]string, len(tab.Rows))
	lines := 0
	for i, row := range tab.Rows {
		first, rest := line(cellOrDash(row, 0)), ""
		switch {
		case tab.Pairs:
			first += " / " + line(cellOrDash(row, 1))
		case text && !isMissing(row, 1):
			rest = line(row[1])
		}
		var others Fields
		for j := range tab.Columns {
			if j > 1 || j == 1 && !text && !tab.Pairs {
				others = append(others, Field{tab.Columns[j].Name, cellOrEmpty(row, j)})
			}
		}
		rows[i] = t.openEntry(first, rest, indent) + t.formatFields(others, indent)
		lines += strings.Count(rows[i], "\n")
	}
	if lines >= 3*len(rows) {
		return strings.Join(rows, "\n")
	}
	return strings.Join(rows, "")
}

// openEntry returns an opening in bold and text after it. The opening stays on one line if it
// fits, and the later lines are indented.
func (t terminal) openEntry(opening, text string, indent int) string {
	text = strings.Join(strings.Fields(text), " ")
	w := runewidth.StringWidth(opening) + 2
	if text == "" || w > t.width-indent {
		return t.paint.bold(strings.TrimSuffix(t.hangingIndent(opening, indent), "\n")) + "\n" + t.indentLines(text, indent)
	}
	// The first line is shorter than the others by the opening.
	_, first, _ := strings.Cut(wrap(strings.Repeat("x", w-1)+" "+text, t.width)[0], " ")
	out := strings.TrimRight(t.paint.bold(opening)+"  "+first, " ") + "\n"
	return out + t.indentLines(strings.TrimSpace(strings.TrimPrefix(text, first)), indent)
}

// indentLines wraps text and indents all lines.
func (t terminal) indentLines(text string, indent int) string {
	if text == "" {
		return ""
	}
	return strings.Repeat(" ", indent) + t.hangingIndent(text, indent)
}

// widest returns the width of the widest cell of a column, not counting the column name.
func widest(tab Table, j int) int { return cellWidth(tab, j, 10) }

// cellWidth returns the smallest width that tenths of every ten cells of a column do not exceed.
func cellWidth(tab Table, j, tenths int) int {
	if len(tab.Rows) == 0 {
		return 0
	}
	widths := Map(tab.Rows, func(row []string) int { return runewidth.StringWidth(line(cellOrDash(row, j))) })
	slices.Sort(widths)
	return widths[(tenths*len(widths)+9)/10-1]
}

func (t terminal) tableRow(Table, int) string { return "" }

// padding is the number of spaces on both sides of a column of a grid.
const padding = 2

// Widths in display columns. Those of columns and words include padding.
const (
	narrowColumn = 14 // columns up to this width are not narrowed
	longWord     = 26 // words up to this width are not broken

	wideTerminal = 110 // minimum width of a wide terminal
	minTextWide  = 32  // minimum width of a column of text on a wide terminal
	minText      = 50  // minimum width of a column of text on other terminals
)

// columnWidths divides the width of the terminal among columns. Each column gets the width
// of its widest cell. If the sum is too large, wide columns are narrowed, except the first.
// ok is false if the table does not fit and should become a list.
func columnWidths(tab Table, width int) (w []int, ok bool) {
	w = make([]int, len(tab.Columns))
	minimum := make([]int, len(tab.Columns))
	text := minText
	if width >= wideTerminal {
		text = minTextWide
	}
	for j, c := range tab.Columns {
		name, longest := line(c.Name), 0
		for _, part := range strings.Fields(name) {
			longest = max(longest, runewidth.StringWidth(part)+padding)
		}
		cells := widest(tab, j) + padding
		typical := cellWidth(tab, j, 9) + padding // one long cell among many is wrapped
		w[j] = max(cells, runewidth.StringWidth(name)+padding)
		for i := range tab.Rows {
			for _, part := range unbroken(line(cellOrDash(tab.Rows[i], j)), width) {
				longest = max(longest, runewidth.StringWidth(part)+padding)
			}
		}
		switch {
		case j == 0:
			minimum[j] = w[j]
		case cells <= narrowColumn:
			minimum[j] = max(cells, longest)
		case typical > text:
			minimum[j] = max(text, min(longWord, longest))
		default:
			minimum[j] = max(narrowColumn, min(longWord, longest))
		}
	}
	if sum(w) <= width {
		return w, true
	}
	rest, need := width-sum(minimum), sum(w)-sum(minimum)
	if rest < 0 {
		return nil, false
	}
	for j := range w {
		w[j] = minimum[j] + (w[j]-minimum[j])*rest/need
	}
	return w, true
}

func sum(w []int) (total int) {
	for _, n := range w {
		total += n
	}
	return total
}
