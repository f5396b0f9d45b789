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

// tableHead is the whole table: its column widths depend on every row.
func (t terminal) tableHead(tab Table) string {
	if len(tab.Columns) == 0 {
		return ""
	}
	if tab.Hits && !t.long {
		return t.compact(tab)
	}
	widths, ok := columnWidths(tab, t.width)
	if !ok {
		return t.list(tab)
	}
	return t.draw(tab, widths)
}

func (t terminal) draw(tab Table, widths []int) string {
	var out bytes.Buffer
	align := make([]tw.Align, len(tab.Columns))
	names := make([]string, len(tab.Columns))
	tall := 1 // lines of the header
	for j, c := range tab.Columns {
		align[j] = tw.AlignLeft
		if c.Right {
			align[j] = tw.AlignRight
		}
		parts := wrap(line(c.Name), widths[j]-padding)
		names[j] = strings.Join(parts, "\n")
		tall = max(tall, len(parts))
	}
	// Cells are wrapped here: tablewriter never breaks a word, and cuts what is
	// longer than its column.
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
			row[j] = strings.Join(wrap(line(at(tab.Rows[i], j)), widths[j]-padding), "\n")
		}
		if err := table.Append(row); err != nil {
			return markdown{}.tableHead(tab) // cannot happen with strings; still an answer
		}
	}
	if err := table.Render(); err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	for i := range min(tall, len(lines)) {
		lines[i] = t.paint.bold(lines[i])
	}
	return strings.Join(lines, "\n") + "\n"
}

// list is a table as a list: each row begins with its first cell, and where the
// second column is of text, or names the row too, with that, and has the other cells
// below, under their names.
func (t terminal) list(tab Table) string {
	const indent, words = 2, 20
	text := len(tab.Columns) > 1 && widest(tab, 1) >= words
	rows := make([]string, len(tab.Rows))
	lines := 0
	for i, row := range tab.Rows {
		first, rest := line(at(row, 0)), ""
		switch {
		case tab.Pairs:
			first += " / " + line(at(row, 1))
		case text && !missing(row, 1):
			rest = line(row[1])
		}
		var others Fields
		for j := range tab.Columns {
			if j > 1 || j == 1 && !text && !tab.Pairs {
				others = append(others, Field{tab.Columns[j].Name, present(row, j)})
			}
		}
		rows[i] = t.opened(first, rest, indent) + t.indented(others, indent)
		lines += strings.Count(rows[i], "\n")
	}
	if lines >= 3*len(rows) {
		return strings.Join(rows, "\n")
	}
	return strings.Join(rows, "")
}

// opened is text behind an opening, which is whole on the first line where it fits.
func (t terminal) opened(opening, text string, indent int) string {
	text = strings.Join(strings.Fields(text), " ")
	w := runewidth.StringWidth(opening) + 2
	if text == "" || w > t.width-indent {
		return t.paint.bold(strings.TrimSuffix(t.hang(opening, indent), "\n")) + "\n" + t.under(text, indent)
	}
	// The first line is shorter than the others by the opening.
	_, first, _ := strings.Cut(wrap(strings.Repeat("x", w-1)+" "+text, t.width)[0], " ")
	out := strings.TrimRight(t.paint.bold(opening)+"  "+first, " ") + "\n"
	return out + t.under(strings.TrimSpace(strings.TrimPrefix(text, first)), indent)
}

// under is text whose lines are all indented.
func (t terminal) under(text string, indent int) string {
	if text == "" {
		return ""
	}
	return strings.Repeat(" ", indent) + t.hang(text, indent)
}

// widest is the width of the widest cell of a column, its name apart.
func widest(tab Table, j int) int { return cellWidth(tab, j, 10) }

// cellWidth is the width that at least ofTen in ten cells of a column do not exceed.
func cellWidth(tab Table, j, ofTen int) int {
	if len(tab.Rows) == 0 {
		return 0
	}
	widths := Map(tab.Rows, func(row []string) int { return runewidth.StringWidth(line(at(row, j))) })
	slices.Sort(widths)
	return widths[(ofTen*len(widths)+9)/10-1]
}

func (t terminal) tableRow(Table, int) string { return "" }

// padding is what a drawn table adds to a column: a space on either side.
const padding = 2

const (
	narrow = 14 // a column, padding included, that is worth keeping whole
	long   = 26 // a word, padding included, that is worth keeping whole

	// A column of text in a table that is drawn is at least as wide as this, on a
	// terminal as wide as roomy and on others.
	roomy     = 110
	textRoomy = 32
	textLeast = 50
)

// columnWidths shares the terminal's width: a column gets what its widest cell
// needs, and where that is too much the wide columns are narrowed, the first never.
// Not ok says that the table is better read as a list.
func columnWidths(tab Table, width int) (w []int, ok bool) {
	w = make([]int, len(tab.Columns))
	least := make([]int, len(tab.Columns))
	text := textLeast
	if width >= roomy {
		text = textRoomy
	}
	for j, c := range tab.Columns {
		name, longest := line(c.Name), 0
		for _, part := range strings.Fields(name) {
			longest = max(longest, runewidth.StringWidth(part)+padding)
		}
		cells := widest(tab, j) + padding
		usual := cellWidth(tab, j, 9) + padding // one long cell among many is wrapped
		w[j] = max(cells, runewidth.StringWidth(name)+padding)
		for i := range tab.Rows {
			for _, part := range strings.Fields(line(at(tab.Rows[i], j))) {
				longest = max(longest, runewidth.StringWidth(part)+padding)
			}
		}
		switch {
		case j == 0:
			least[j] = w[j]
		case cells <= narrow:
			least[j] = max(cells, longest)
		case usual > text:
			least[j] = max(text, min(long, longest))
		default:
			least[j] = max(narrow, min(long, longest))
		}
	}
	if sum(w) <= width {
		return w, true
	}
	rest, need := width-sum(least), sum(w)-sum(least)
	if rest < 0 {
		return nil, false
	}
	for j := range w {
		w[j] = least[j] + (w[j]-least[j])*rest/need
	}
	return w, true
}

func sum(w []int) (total int) {
	for _, n := range w {
		total += n
	}
	return total
}
