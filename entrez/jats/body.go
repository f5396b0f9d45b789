package jats

import (
	"cmp"
	"slices"
	"strings"
)

// endsLine reports whether an element without a structure of its own ends a line of text.
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

// kinds maps the elements with a structure of their own to the kinds of their blocks.
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

func isStructured(name string) bool { return kinds[name] != "" }

// sections reads the content of a body, an abstract or a section into a flat list. Text before a
// heading, or after the last subsection, becomes a section without a title.
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
				continue // read by section
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

// section reads a section, and returns it followed by its subsections.
func (p *parser) section(n *node, level int) []Section {
	head := Section{
		Level: level, ID: n.attr("id"), Blocks: []Block{},
		Label: p.line(n.child("label")), Title: cmp.Or(p.line(n.child("title")), backTitles[n.name]),
	}
	subsections := p.sections(n, level+1)
	if len(subsections) > 0 {
		first := subsections[0]
		hasHeading := first.ID != "" || first.Title != "" || first.Label != ""
		if !hasHeading && first.Level == level+1 {
			head.Blocks, subsections = first.Blocks, subsections[1:]
		}
	}
	return append([]Section{head}, subsections...)
}

// line returns the content of an element on one line, or "" if n is nil.
func (p *parser) line(n *node) string {
	if n == nil {
		return ""
	}
	in := flow{p: p}
	return in.renderInline(n, false)
}

// lines returns the contents of elements on one line, separated by commas.
func (p *parser) lines(elements []*node) string {
	var out []string
	for _, n := range elements {
		if text := p.line(n); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, ", ")
}

// inner returns the content of an element as blocks, without the children with excluded names.
func (p *parser) inner(n *node, excluded ...string) []Block {
	in := flow{p: p}
	for _, k := range n.kids {
		if !slices.Contains(excluded, k.name) {
			in.add(k)
		}
	}
	in.flush()
	return in.blocks
}

// block reads a structured element as one block, or as several if it contains several tables or
// footnotes.
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
		// Add the other content: credits, the picture's own licence, the caption of the file.
		rest := blocksText(p.inner(n, "label", "caption", "graphic", "alternatives"))
		b.Text = strings.TrimSpace(b.Text + "\n" + rest)
	}
	return []Block{b}
}

// caption reads the label into b.Label, and the caption into b.Title and b.Text.
func (p *parser) caption(n *node, b *Block) {
	b.Label = p.line(n.child("label"))
	if c := n.child("caption"); c != nil {
		b.Title = p.line(c.child("title"))
		b.Text = blocksText(p.inner(c, "title"))
	}
}

// list reads a list of items or of definitions. JATS's list-type is free text; its tag library
// lists the values for ordered lists.
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
			b.Terms = true
			b.Items = append(b.Items, Item{Label: p.lines(k.children("term")), Blocks: p.inner(k, "term")})
		case "term-head":
			if head := n.child("def-head"); head != nil {
				b.Items = append(b.Items, Item{Label: p.line(k), Blocks: p.inner(head)})
			}
		case "title", "def-head":
		default: // a nested def-list, a label, column headings
			if blocks := p.inner(&node{kids: []*node{k}}); len(blocks) > 0 {
				b.Items = append(b.Items, Item{Blocks: blocks})
			}
		}
	}
}

// notes reads the footnotes under a node.
func (p *parser) notes(n *node) []Note {
	out := []Note{}
	for _, k := range n.kids {
		note := Note{ID: k.attr("id"), Type: k.attr("fn-type")}
		switch k.name {
		case "fn":
			note.Label = p.line(k.child("label"))
			note.Text = blocksText(p.inner(k, "label"))
		case "title", "label":
			continue
		case "fn-group":
			out = append(out, p.notes(k)...)
			continue
		default:
			note.Text = blocksText(p.inner(&node{kids: []*node{k}}))
		}
		if note.Text != "" {
			out = append(out, note)
		}
	}
	return out
}

// raw returns the character data of a node with its line breaks.
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
