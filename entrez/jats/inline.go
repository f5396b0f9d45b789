package jats

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
)

// A flow collects running text, and the blocks in it, in document order.
type flow struct {
	p          *parser
	blocks     []Block
	text       []byte
	gap        bool // write a space before the next character
	inCitation bool // inside a citation, whose numbers get no brackets of their own
	flat       bool // join blocks into one line, as for a table cell or a heading
}

// flush ends the current paragraph.
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

// Limits on the nesting of texts that are rendered separately, and on the length of scripts. Beyond
// them, text is copied unchanged, since the cost would grow with the square of the nesting.
const (
	maxInlineDepth = 6
	maxScript      = 100
)

// renderInline renders the content of n separately, on one line.
func (f *flow) renderInline(n *node, bare bool) string {
	f.p.inlineDepth++
	defer func() { f.p.inlineDepth-- }()
	in := flow{p: f.p, flat: true, inCitation: bare}
	in.content(n)
	return in.take()
}

func (f *flow) content(n *node) {
	for _, k := range n.kids {
		f.add(k)
	}
}

// add appends one node to the flow. It keeps the text of elements that have no rule of their own.
func (f *flow) add(n *node) {
	if f.p.inlineDepth >= maxInlineDepth && n.name != "" && !n.isPicture() {
		f.content(n)
		return
	}
	switch n.name {
	case "":
		f.write(n.text)
	case "object-id", "alt-text", "index-term", "index-term-range-end", "processing-meta", "glyph-data":
	case "sup":
		f.script(n, record.Superscript, "^(")
	case "sub":
		f.script(n, record.Subscript, "_(")
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
		f.write(" [note: " + f.renderInline(n, false) + "]")
	case "ref-list": // references reads the others
		f.referenceNotes(n)
	case "ref":
	default:
		if isStructured(n.name) || endsLine(n.name) {
			f.block(n)
		} else {
			f.content(n)
		}
	}
}

func (f *flow) block(n *node) {
	if f.flat {
		f.gap = true
		if isStructured(n.name) {
			f.write(blocksText(f.p.block(n)))
		} else {
			f.content(n)
		}
		f.gap = true
		return
	}
	f.flush()
	if isStructured(n.name) {
		f.blocks = append(f.blocks, f.p.block(n)...)
	} else {
		f.content(n)
		f.flush()
	}
}

// script writes a sub- or superscript. It writes a superscript that contains citations or footnote
// marks as marks, not as a power.
func (f *flow) script(n *node, convert func(string) (string, bool), open string) {
	if mark := n.find("xref"); mark != nil && n.name == "sup" {
		if !f.inCitation {
			f.mark(mark.attr("ref-type"), f.renderInline(n, true))
			return
		}
		f.content(n)
		return
	}
	if f.inCitation {
		f.content(n)
		return
	}
	if s := f.renderInline(n, false); s != "" {
		f.write(scriptText(s, convert, open))
	}
}

// scriptText writes a script in Unicode characters if possible, and as x^(...) otherwise. It always
// adds the parentheses, so that following text is never part of the script.
func scriptText(s string, convert func(string) (string, bool), open string) string {
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

// enclosed reports whether one pair of parentheses encloses s, which contains no others.
func enclosed(s string) bool {
	return strings.HasPrefix(s, "(") && strings.Index(s, ")") == len(s)-1 && strings.Count(s, "(") == 1
}

func (f *flow) xref(n *node) {
	s := f.renderInline(n, true)
	kind := n.attr("ref-type")
	if s == "" && kind == "bibr" {
		s = f.p.numbers(n.attr("rid"))
	}
	if s == "" {
		return
	}
	if f.inCitation {
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

// mark writes a cross-reference so that it cannot be read as part of the word or number before it:
// a numeric citation as [12], a footnote mark as [note a], and the mark of a table note as [a]. It
// keeps references in words.
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
	if onlyMarks().Match(f.text[max(0, len(f.text)-100):]) { // inside the journal's own brackets
		f.write(s)
		return
	}
	last, _ := utf8.DecodeLastRune(f.text)
	if unicode.IsLetter(last) || unicode.IsNumber(last) || strings.ContainsRune(".!?:;)%”’\"'", last) {
		f.gap = true
	}
	f.write("[" + s + "]")
}

// link writes "words (address)", or only the address if it contains the words.
func (f *flow) link(n *node) {
	words, address := f.renderInline(n, f.inCitation), strings.Join(strings.Fields(n.attr("href")), "")
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
