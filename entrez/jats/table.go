package jats

import (
	"maps"
	"slices"
	"strconv"
)

// Limits on spans, as in HTML (https://html.spec.whatwg.org/multipage/tables.html), and on the
// number of cells that spans and padding may add to one document.
const (
	maxColspan = 1000
	maxRowspan = 65534
	spareCells = 1 << 20
)

// tables reads a table-wrap, or a table without one. A wrap with several tables becomes several
// blocks: the first one has the label and the caption, and the last one has the notes.
func (p *parser) tables(n *node, first Block) []Block {
	if n.name != "table-wrap" {
		first.Grid = p.grid(n)
		return []Block{first}
	}
	p.caption(n, &first)
	first.Files = pictures(n)
	out := []Block{first}
	hasGrid := false
	in := flow{p: p}
	var walk func(*node)
	walk = func(n *node) {
		for _, k := range n.kids {
			switch k.name {
			case "label", "caption", "graphic", "media", "object-id", "alt-text":
			case "alternatives":
				if best := bestAlternative(k); best != nil {
					walk(&node{kids: []*node{best}})
				}
			case "table", "array":
				if hasGrid {
					out = append(out, Block{Kind: Table, ID: k.attr("id")})
				}
				out[len(out)-1].Grid, hasGrid = p.grid(k), true
			case "table-wrap-foot":
				last := &out[len(out)-1]
				last.Notes = append(last.Notes, p.notes(k)...)
			default:
				in.add(k)
			}
		}
	}
	walk(n)
	in.flush()
	return append(out, in.blocks...)
}

func (p *parser) grid(n *node) *Grid {
	g := &Grid{Header: [][]string{}, Rows: [][]string{}}
	body := &node{}
	for _, k := range n.kids {
		switch k.name {
		case "thead":
			g.Header = append(g.Header, p.rows(k, true)...)
		case "tbody", "tfoot":
			if len(body.kids) > 0 {
				g.Rows = append(g.Rows, p.rows(body, false)...)
				body = &node{}
			}
			g.Rows = append(g.Rows, p.rows(k, false)...)
		case "tr":
			body.kids = append(body.kids, k)
		case "": // only white space is valid here; col and colgroup have no text
			if text := p.line(k); text != "" {
				g.Rows = append(g.Rows, []string{text})
			}
		}
	}
	g.Rows = append(g.Rows, p.rows(body, false)...)
	p.pad(g)
	return g
}

// A rowSpan is a cell that extends into the rows below.
type rowSpan struct {
	text string
	rows int // number of rows that it still covers
}

// rows lays out one row group. Spans end with the group.
func (p *parser) rows(group *node, header bool) [][]string {
	var out [][]string
	spans := map[int]rowSpan{} // by column
	for _, tr := range group.children("tr") {
		if p.spare <= 0 {
			clear(spans)
		}
		row := []string{}
		addSpans := func() { // adds cells from above that cover the next columns
			for {
				h, ok := spans[len(row)]
				if !ok || p.spare <= 0 {
					return
				}
				if h.rows--; h.rows == 0 {
					delete(spans, len(row))
				} else {
					spans[len(row)] = h
				}
				p.spare--
				row = append(row, h.text)
			}
		}
		isSubheading := len(spans) == 0 && !header && onlyCell(tr)
		for _, td := range tr.kids {
			if td.name != "td" && td.name != "th" {
				continue
			}
			addSpans()
			text := p.line(td)
			width, height := p.span(td)
			for i := range width {
				if height > 1 {
					spans[len(row)] = rowSpan{text, height - 1}
				}
				if i > 0 && isSubheading {
					text = ""
				}
				row = append(row, text)
			}
		}
		for _, column := range slices.Sorted(maps.Keys(spans)) { // beyond the end of a short row
			if column >= len(row) && column-len(row) <= p.spare {
				p.spare -= column - len(row)
				row = append(row, make([]string, column-len(row))...)
				addSpans()
			}
		}
		if len(row) > 0 {
			out = append(out, row)
		}
	}
	return out
}

func onlyCell(tr *node) bool { return len(tr.children("td"))+len(tr.children("th")) == 1 }

// span returns the number of columns and rows that a cell covers. If the document has no spare cells left, the
// number of columns is 1.
func (p *parser) span(td *node) (width, height int) {
	width = max(1, min(number(td.attr("colspan")), maxColspan))
	height = max(1, min(number(td.attr("rowspan")), maxRowspan))
	if td.attr("rowspan") == "0" {
		height = maxRowspan // to the end of its row group
	}
	if width-1 > p.spare {
		width = 1
	}
	p.spare -= width - 1
	return width, height
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 1
	}
	return n
}

// pad makes all rows as wide as the widest, as long as there are spare cells.
func (p *parser) pad(g *Grid) {
	width := 0
	for _, rows := range [][][]string{g.Header, g.Rows} {
		for _, row := range rows {
			width = max(width, len(row))
		}
	}
	for _, rows := range [][][]string{g.Header, g.Rows} {
		for i := range rows {
			if need := width - len(rows[i]); need <= p.spare {
				p.spare -= need
				rows[i] = append(rows[i], make([]string, need)...)
			}
		}
	}
}
