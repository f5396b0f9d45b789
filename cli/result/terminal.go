package result

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// terminal lays out blocks for reading: wrapped to the width, tables drawn so
// that they fit, colour where it is wanted. Widths are display columns, so CJK
// and combining characters stay aligned.
type terminal struct {
	width int
	paint paint
}

func newTerminal(f Format) terminal {
	w := f.Width
	if w <= 0 {
		w = 80
	}
	return terminal{width: max(w, 20), paint: paint{on: f.Color}}
}

func (t terminal) block(b Block) string {
	switch b := b.(type) {
	case Heading:
		text := strings.Join(wrap(line(b.Text), t.width), "\n")
		if b.Level <= 1 {
			return t.paint.title(text) + "\n\n"
		}
		return t.paint.bold(text) + "\n"
	case Para:
		var s strings.Builder
		for _, p := range strings.Split(clean(b.Text), "\n") {
			if p = strings.TrimSpace(p); p != "" {
				s.WriteString(strings.Join(wrap(p, t.width), "\n") + "\n\n")
			}
		}
		return s.String()
	case Alert:
		mark := t.paint.yellow("! ")
		if alertWord(b.Text) == "Warning:" {
			mark = t.paint.red("! ")
		}
		return mark + t.hang(line(b.Text), 2) + "\n"
	case Fields:
		return t.fields(b)
	case List:
		var s strings.Builder
		for i, item := range b.Items {
			mark := "• "
			if b.Ordered {
				mark = fmt.Sprintf("%*d. ", len(fmt.Sprint(len(b.Items))), i+1)
			}
			s.WriteString(mark + t.hang(line(item), runewidth.StringWidth(mark)))
		}
		return s.String() + "\n"
	case Quote:
		var s strings.Builder
		for _, l := range wrap(line(b.Text), t.width-4) {
			s.WriteString(t.paint.dim("  │ ") + l + "\n")
		}
		return s.String() + "\n"
	case Figure:
		return t.paint.dim(t.hang(line(b.Title+": "+b.Alt), 0)) + "\n"
	case Fence:
		var s strings.Builder
		for _, l := range strings.Split(strings.TrimRight(clean(b.Text), "\n"), "\n") {
			s.WriteString("  " + t.paint.cyan(l) + "\n")
		}
		return s.String() + "\n"
	}
	return ""
}

// hang is text whose second and later lines are indented below the first.
func (t terminal) hang(text string, indent int) string {
	return strings.Join(wrap(text, t.width-indent), "\n"+strings.Repeat(" ", indent)) + "\n"
}

func (t terminal) fields(fields Fields) string {
	wide := 0
	for _, f := range fields {
		if f.Value != "" {
			wide = max(wide, runewidth.StringWidth(f.Name))
		}
	}
	wide = min(wide, t.width/3)
	var s strings.Builder
	for _, f := range fields {
		if f.Value == "" {
			continue
		}
		name := runewidth.FillRight(line(f.Name), wide)
		s.WriteString(t.paint.dim(name) + "  " + t.hang(line(f.Value), wide+2))
	}
	if s.Len() == 0 {
		return ""
	}
	return s.String() + "\n"
}

// tableHead draws the whole table: its column widths depend on every row.
func (t terminal) tableHead(tab Table) string {
	var out bytes.Buffer
	align := make([]tw.Align, len(tab.Columns))
	names := make([]string, len(tab.Columns))
	widths := columnWidths(tab, t.width)
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

func (t terminal) tableRow(Table, int) string { return "" }

func (t terminal) tableEnd(Table) string { return "\n" }

// padding is what a drawn table adds to a column: a space on either side.
const padding = 2

// columnWidths shares the terminal's width: a column gets what its widest cell
// needs, and where that is too much the wide columns are narrowed in proportion.
func columnWidths(tab Table, width int) []int {
	w := make([]int, len(tab.Columns))
	total := 0
	for j, c := range tab.Columns {
		w[j] = runewidth.StringWidth(line(c.Name))
		for i := range tab.Rows {
			w[j] = max(w[j], runewidth.StringWidth(line(at(tab.Rows[i], j))))
		}
		w[j] += padding
		total += w[j]
	}
	if total <= width {
		return w
	}
	// Narrow columns keep what they need; the others share the rest by need.
	rest, need := width, 0
	for _, n := range w {
		if n <= narrow {
			rest -= n
		} else {
			need += n
		}
	}
	for j, n := range w {
		if n > narrow {
			w[j] = max(narrow, n*rest/need)
		}
	}
	for total = sum(w); total > width; total-- {
		widest := 0
		for j := range w {
			if w[j] > w[widest] {
				widest = j
			}
		}
		if w[widest] <= 6 {
			break // nothing left to give: the terminal is too narrow for this table
		}
		w[widest]--
	}
	return w
}

// narrow is a column, padding included, that is worth keeping whole.
const narrow = 14

func sum(w []int) (total int) {
	for _, n := range w {
		total += n
	}
	return total
}

// wrap breaks text at spaces into lines of at most width display columns; a
// word that is longer is broken.
func wrap(text string, width int) []string {
	var lines []string
	var cur strings.Builder
	used := 0
	flush := func() {
		lines = append(lines, cur.String())
		cur.Reset()
		used = 0
	}
	for _, word := range strings.Fields(text) {
		w := runewidth.StringWidth(word)
		if used > 0 && used+1+w > width {
			flush()
		}
		for w > width {
			part := runewidth.Truncate(word, width, "")
			if part == "" {
				break
			}
			cur.WriteString(part)
			flush()
			word = word[len(part):]
			w = runewidth.StringWidth(word)
		}
		if used > 0 {
			cur.WriteByte(' ')
			used++
		}
		cur.WriteString(word)
		used += w
	}
	if cur.Len() > 0 || len(lines) == 0 {
		flush()
	}
	return lines
}

// paint colours text where colour is wanted.
type paint struct{ on bool }

func (p paint) wrap(code, s string) string {
	if !p.on || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p paint) title(s string) string  { return p.wrap("1;36", s) }
func (p paint) bold(s string) string   { return p.wrap("1", s) }
func (p paint) dim(s string) string    { return p.wrap("2", s) }
func (p paint) red(s string) string    { return p.wrap("1;31", s) }
func (p paint) yellow(s string) string { return p.wrap("33", s) }
func (p paint) cyan(s string) string   { return p.wrap("36", s) }
