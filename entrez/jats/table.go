package jats

import (
	"maps"
	"slices"
	"strconv"
)

// Spans as HTML bounds them (https://html.spec.whatwg.org/multipage/tables.html),
// and cells that spans and padding may add to one document.
const (
	maxColspan = 1000
	maxRowspan = 65534
	spareCells = 1 << 20
)

// tables reads a table-wrap, or a bare table. A wrap with several tables gives
// as many blocks: the first has label and caption, the last the notes.
func (p *parser) tables(n *node, first Block) []Block {
	if n.name != "table-wrap" {
		first.Grid = p.grid(n)
		return []Block{first}
	}
	p.caption(n, &first)
	first.Files = pictures(n)
	out := []Block{first}
	filled := false
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
				if filled {
					out = append(out, Block{Kind: Table, ID: k.attr("id")})
				}
				out[len(out)-1].Grid, filled = p.grid(k), true
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
		case "": // only white space may be here; col and colgroup say nothing
			if text := p.line(k); text != "" {
				g.Rows = append(g.Rows, []string{text})
			}
		}
	}
	g.Rows = append(g.Rows, p.rows(body, false)...)
	p.pad(g)
	return g
}

// held is a cell that reaches down into the rows below.
type held struct {
	text string
	rows int
}

// rows lays out one row group: spans do not reach beyond it.
func (p *parser) rows(group *node, header bool) [][]string {
	var out [][]string
	down := map[int]held{}
	for _, tr := range group.children("tr") {
		if p.spare <= 0 {
			clear(down)
		}
		row := []string{}
		hang := func() { // cells from above that cover the next columns
			for {
				h, ok := down[len(row)]
				if !ok || p.spare <= 0 {
					return
				}
				if h.rows--; h.rows == 0 {
					delete(down, len(row))
				} else {
					down[len(row)] = h
				}
				p.spare--
				row = append(row, h.text)
			}
		}
		across := len(down) == 0 && !header && onlyCell(tr)
		for _, td := range tr.kids {
			if td.name != "td" && td.name != "th" {
				continue
			}
			hang()
			text := p.line(td)
			wide, high := p.span(td)
			for i := range wide {
				if high > 1 {
					down[len(row)] = held{text, high - 1}
				}
				if i > 0 && across {
					text = ""
				}
				row = append(row, text)
			}
		}
		for _, column := range slices.Sorted(maps.Keys(down)) { // beyond the end of a short row
			if column >= len(row) && column-len(row) <= p.spare {
				p.spare -= column - len(row)
				row = append(row, make([]string, column-len(row))...)
				hang()
			}
		}
		if len(row) > 0 {
			out = append(out, row)
		}
	}
	return out
}

func onlyCell(tr *node) bool { return len(tr.children("td"))+len(tr.children("th")) == 1 }

// span is how many columns and rows a cell covers, one column once a document
// has used up its spare cells.
func (p *parser) span(td *node) (wide, high int) {
	wide = max(1, min(number(td.attr("colspan")), maxColspan))
	high = max(1, min(number(td.attr("rowspan")), maxRowspan))
	if td.attr("rowspan") == "0" {
		high = maxRowspan // down to the end of its row group
	}
	if wide-1 > p.spare {
		wide = 1
	}
	p.spare -= wide - 1
	return wide, high
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 1
	}
	return n
}

// pad makes every row as wide as the widest, as far as spare cells go.
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
