package jats

import (
	"cmp"
	"slices"
	"strings"
)

// endsLine reports an element without a structure of its own that ends a line of text.
func endsLine(name string) bool {
	switch name {
	case "p", "sec", "title", "subtitle", "caption", "body", "app",
		"app-group", "ack", "notes", "bio", "glossary",
		"fig-group", "table-wrap-group", "floats-group", "disp-formula-group",
		"verse-line", "attrib", "permissions", "table-wrap-foot", "def",
		"td", "th", "tr", "license-p", "address", "sig-block":
		return true
	}
	return false
}

// kinds are the elements with a structure of their own.
var kinds = map[string]Kind{
	"list": List, "def-list": List,
	"table-wrap": Table, "table": Table, "array": Table,
	"fig": Figure, "graphic": Figure, "chem-struct-wrap": Figure,
	"disp-formula": Formula,
	"boxed-text":   Box, "statement": Box,
	"disp-quote": Quote, "verse-group": Quote, "speech": Quote,
	"preformat": Code, "code": Code,
	"supplementary-material": Supplement, "media": Supplement,
	"fn-group": Footnote,
}

func structured(name string) bool { return kinds[name] != "" }

// sections reads the content of a body, an abstract or a section into a flat
// list; text before a heading, or after the last subsection, is a section
// without title.
func (p *parser) sections(n *node, level int) []Section {
	out := []Section{}
	loose := flow{p: p}
	collect := func() {
		if loose.flush(); len(loose.blocks) > 0 {
			out = append(out, Section{Level: level, Blocks: loose.blocks})
			loose.blocks = nil
		}
	}
	for _, k := range n.kids {
		switch k.name {
		case "sec", "ack", "app", "notes", "bio", "glossary":
			collect()
			out = append(out, p.section(k, level)...)
		case "app-group":
			collect()
			out = append(out, p.sections(k, level)...)
		case "fn-group":
			if level == 1 && n.name == "back" {
				p.article.Footnotes = append(p.article.Footnotes, p.notes(k)...)
				continue
			}
			loose.add(k)
		case "title", "label", "sec-meta", "object-id":
			if n.name == "sec" || backTitles[n.name] != "" {
				continue // read with the section itself
			}
			loose.add(k)
		default:
			loose.add(k)
		}
	}
	collect()
	return out
}

var backTitles = map[string]string{
	"ack": "Acknowledgements", "app": "Appendix", "notes": "Notes", "bio": "About the author", "glossary": "Glossary",
}

// section is a heading with its own text, then its subsections.
func (p *parser) section(n *node, level int) []Section {
	head := Section{
		Level: level, ID: n.attr("id"), Blocks: []Block{},
		Label: p.line(n.child("label")), Title: cmp.Or(p.line(n.child("title")), backTitles[n.name]),
	}
	below := p.sections(n, level+1)
	if len(below) > 0 && below[0].ID == "" && below[0].Title == "" && below[0].Label == "" && below[0].Level == level+1 {
		head.Blocks, below = below[0].Blocks, below[1:]
	}
	return append([]Section{head}, below...)
}

// line returns the content of an element on one line, "" if it has none.
func (p *parser) line(n *node) string {
	if n == nil {
		return ""
	}
	in := flow{p: p}
	return in.inside(n, false)
}

// inner is the content of an element as blocks, without the named children.
func (p *parser) inner(n *node, without ...string) []Block {
	in := flow{p: p}
	for _, k := range n.kids {
		if !slices.Contains(without, k.name) {
			in.add(k)
		}
	}
	in.flush()
	return in.blocks
}

// block makes a structured element one block, or several where it holds several
// tables or footnotes.
func (p *parser) block(n *node) []Block {
	b := Block{Kind: kinds[n.name], ID: n.attr("id")}
	switch b.Kind {
	case List:
		p.list(n, &b)
	case Table:
		return p.tables(n, b)
	case Formula:
		b.Text, b.TeX, b.Files = p.formula(n)
		b.Label = p.line(n.child("label"))
	case Code:
		b.Text = strings.Trim(n.raw(), "\n")
	case Footnote:
		var out []Block
		for _, note := range p.notes(n) {
			out = append(out, Block{Kind: Footnote, ID: note.ID, Label: note.Label, Text: note.Text})
		}
		return out
	case Quote:
		b.Blocks = p.inner(n)
	case Box:
		p.caption(n, &b)
		b.Blocks = p.inner(n, "label", "title", "caption")
		b.Title = cmp.Or(b.Title, p.line(n.child("title")))
	case Figure, Supplement:
		p.caption(n, &b)
		if n.isPicture() || n.attr("href") != "" {
			b.Files = append(b.Files, n.attr("href"))
		}
		b.Files = append(b.Files, pictures(n)...)
		// What else is there: credits, a licence of the picture's own, the
		// caption of the file itself.
		rest := plain(p.inner(n, "label", "caption", "graphic", "alternatives"))
		b.Text = strings.TrimSpace(b.Text + "\n" + rest)
	}
	return []Block{b}
}

// caption reads label, and caption into Title and Text.
func (p *parser) caption(n *node, b *Block) {
	b.Label = p.line(n.child("label"))
	if c := n.child("caption"); c != nil {
		b.Title = p.line(c.child("title"))
		b.Text = plain(p.inner(c, "title"))
	}
}

// list reads lists of items and of definitions. JATS's list-type is free text;
// its tag library lists the values that mean order.
func (p *parser) list(n *node, b *Block) {
	switch n.attr("list-type") {
	case "order", "ordered", "number", "arabic", "alpha-lower", "alpha-upper", "roman-lower", "roman-upper":
		b.Ordered = true
	}
	b.Title = p.line(n.child("title"))
	for _, k := range n.kids {
		switch k.name {
		case "list-item":
			b.Items = append(b.Items, Item{Label: p.line(k.child("label")), Blocks: p.inner(k, "label")})
		case "def-item":
			b.Items = append(b.Items, Item{Label: p.line(k.child("term")), Blocks: p.inner(k, "term")})
		case "title":
		default: // a nested def-list, a label, column headings
			if blocks := p.inner(&node{kids: []*node{k}}); len(blocks) > 0 {
				b.Items = append(b.Items, Item{Blocks: blocks})
			}
		}
	}
}

// notes are the footnotes under a node.
func (p *parser) notes(n *node) []Note {
	out := []Note{}
	for _, k := range n.kids {
		note := Note{ID: k.attr("id"), Type: k.attr("fn-type")}
		switch k.name {
		case "fn":
			note.Label = p.line(k.child("label"))
			note.Text = plain(p.inner(k, "label"))
		case "title", "label":
			continue
		case "fn-group":
			out = append(out, p.notes(k)...)
			continue
		default:
			note.Text = plain(p.inner(&node{kids: []*node{k}}))
		}
		if note.Text != "" {
			out = append(out, note)
		}
	}
	return out
}

// raw is character data with its line breaks.
func (n *node) raw() string {
	text := n.text
	for _, k := range n.kids {
		if k.name == "break" {
			text += "\n"
		}
		text += k.raw()
	}
	return text
}
