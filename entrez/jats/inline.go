package jats

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/pattern"
	"biomcp/entrez/pubmed"
)

// flow collects running text and, where a block is in or between it, the
// blocks in their order.
type flow struct {
	p      *parser
	blocks []Block
	text   []byte
	gap    bool // white space waits before the next character
	bare   bool // inside a citation: numbers get no brackets of their own
	flat   bool // blocks are run into the text: a table cell, a heading
}

// flush ends the paragraph.
func (f *flow) flush() {
	if text := f.take(); text != "" {
		f.blocks = append(f.blocks, Block{Kind: Paragraph, Text: text})
	}
}

func (f *flow) take() string {
	text := string(f.text)
	f.text, f.gap = nil, false
	return text
}

func (f *flow) write(s string) {
	for _, r := range s {
		if unicode.IsSpace(r) {
			f.gap = true
			continue
		}
		if f.gap && len(f.text) > 0 {
			f.text = append(f.text, ' ')
		}
		f.gap = false
		f.text = utf8.AppendRune(f.text, r)
	}
}

// Text is rendered by itself only so deep, and scripts are only so long: beyond
// that it is copied unchanged, or nesting would cost the square of its size.
const (
	maxInside = 6
	maxScript = 100
)

// inside renders the content of n by itself, on one line.
func (f *flow) inside(n *node, bare bool) string {
	f.p.inside++
	defer func() { f.p.inside-- }()
	in := flow{p: f.p, flat: true, bare: bare}
	in.content(n)
	return in.take()
}

func (f *flow) content(n *node) {
	for _, k := range n.kids {
		f.add(k)
	}
}

// add takes one node into the flow. Elements without a rule of their own are
// transparent: their text is kept.
func (f *flow) add(n *node) {
	if f.p.inside >= maxInside && n.name != "" && !n.isPicture() {
		f.content(n)
		return
	}
	switch n.name {
	case "":
		f.write(n.text)
	case "object-id", "alt-text", "index-term", "index-term-range-end", "processing-meta", "glyph-data":
	case "sup":
		f.script(n, pubmed.Superscript, "^(")
	case "sub":
		f.script(n, pubmed.Subscript, "_(")
	case "xref":
		f.xref(n)
	case "ext-link", "uri", "email", "self-uri":
		f.link(n)
	case "inline-formula", "math", "tex-math", "chem-struct":
		text, tex, files := f.p.formula(n)
		f.write(inlineFormula(text, tex, files))
	case "inline-graphic", "inline-media":
		f.write("[image: " + n.attr("href") + "]")
	case "alternatives":
		if best := bestAlternative(n); best != nil {
			f.add(best)
		}
	case "break", "hr":
		f.gap = true
	case "fn":
		f.write(" [note: " + f.inside(n, false) + "]")
	case "ref-list": // read by itself
	default:
		if structured(n.name) || endsLine(n.name) {
			f.block(n)
		} else {
			f.content(n)
		}
	}
}

func (f *flow) block(n *node) {
	if f.flat {
		f.gap = true
		if structured(n.name) {
			f.write(plain(f.p.block(n)))
		} else {
			f.content(n)
		}
		f.gap = true
		return
	}
	f.flush()
	if structured(n.name) {
		f.blocks = append(f.blocks, f.p.block(n)...)
	} else {
		f.content(n)
		f.flush()
	}
}

// script writes a sub- or superscript. A superscript that holds citations or
// marks of footnotes is those marks, not a power.
func (f *flow) script(n *node, convert func(string) (string, bool), open string) {
	if mark := n.find("xref"); mark != nil && n.name == "sup" {
		if !f.bare {
			f.mark(mark.attr("ref-type"), f.inside(n, true))
			return
		}
		f.content(n)
		return
	}
	if f.bare {
		f.content(n)
		return
	}
	if s := f.inside(n, false); s != "" {
		f.write(scripted(s, convert, open))
	}
}

// scripted writes a script in Unicode's characters, else as x^(...), always with
// the parentheses, so that what follows is never drawn in.
func scripted(s string, convert func(string) (string, bool), open string) string {
	if len(s) <= maxScript {
		if out, ok := convert(s); ok {
			return out
		}
	}
	if enclosed(s) {
		s = s[1 : len(s)-1]
	}
	return open + s + ")"
}

// enclosed reports whether s is one pair of parentheses with no other in it.
func enclosed(s string) bool {
	return strings.HasPrefix(s, "(") && strings.Index(s, ")") == len(s)-1 && strings.Count(s, "(") == 1
}

func (f *flow) xref(n *node) {
	s := f.inside(n, true)
	kind := n.attr("ref-type")
	if s == "" && kind == "bibr" {
		s = f.p.numbers(n.attr("rid"))
	}
	if s == "" {
		return
	}
	if f.bare {
		f.write(s)
		return
	}
	f.mark(kind, s)
}

var (
	citationMark = pattern.Lazy(`^[0-9]+[a-z]?([\s,;–—‐-]+[0-9]+[a-z]?)*$`)
	footnoteMark = pattern.Lazy(`^[\pL\pN]{1,3}([\s,;–—‐-]+[\pL\pN]{1,3})*$`)
	onlyMarks    = pattern.Lazy(`[\[(][0-9a-z\s,;–—‐-]*$`)
)

// mark writes a cross-reference so that it cannot be taken for part of the word
// or number before it: a citation by number is [12], the mark of a footnote
// [note a], of a note under a table [a]. A reference in words is kept.
func (f *flow) mark(kind, s string) {
	switch {
	case kind == "bibr" && citationMark().MatchString(s):
	case kind == "table-fn" && footnoteMark().MatchString(s):
	case kind == "fn" && footnoteMark().MatchString(s):
		s = "note " + s
	default:
		f.write(s)
		return
	}
	if onlyMarks().Match(f.text[max(0, len(f.text)-100):]) { // the journal's own brackets are open
		f.write(s)
		return
	}
	last, _ := utf8.DecodeLastRune(f.text)
	if unicode.IsLetter(last) || unicode.IsNumber(last) || strings.ContainsRune(".!?:;)%”’\"'", last) {
		f.gap = true
	}
	f.write("[" + s + "]")
}

// link writes "words (address)", or the address alone where the words are part
// of it.
func (f *flow) link(n *node) {
	words, address := f.inside(n, f.bare), strings.Join(strings.Fields(n.attr("href")), "")
	address = strings.TrimPrefix(address, "mailto:")
	switch {
	case address == "" || strings.Contains(words, address):
		f.write(words)
	case words == "" || len(words) > 6 && strings.Contains(address, words):
		f.write(address)
	default:
		f.write(words + " (" + address + ")")
	}
}

func inlineFormula(text string, tex bool, files []string) string {
	switch {
	case text != "" && tex:
		return "$" + text + "$"
	case text != "":
		return text
	case len(files) > 0:
		return "[image: " + files[0] + "]"
	}
	return ""
}
