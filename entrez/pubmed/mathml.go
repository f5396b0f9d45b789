package pubmed

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"biomcp/entrez/record"
)

// MathText renders a MathML element on one line, as in the texts of an Article: a/b, √(x+1), x²,
// ∑ᵢ₌₁ⁿ. The element includes its tags, and is XML in UTF-8 with only XML's five entities. Name
// prefixes are ignored. It returns an error if the element is not well-formed.
func MathText(element []byte) (string, error) {
	var d decoder
	d.reset(element)
	if d.next() != startTag {
		d.fail("no element")
	}
	text := d.math()
	if d.i < len(d.b) {
		d.fail("text after the end of the element")
	}
	if d.err != nil {
		return "", fmt.Errorf("MathML: %w", d.err)
	}
	return d.aside(func() { d.write([]byte(text), true) }), nil
}

// math reads the current MathML element (MathML 3, https://www.w3.org/TR/MathML3/chapter3.html) and
// renders it on one line: a/b, √(x+1), x², ∑ᵢ₌₁ⁿ. It renders elements other than layout elements as
// the text of their parts.
func (d *decoder) math() string {
	switch name := string(d.name); name {
	case "mi", "mn", "mo", "mtext", "ms":
		return d.mathToken()
	case "mspace":
		d.skip()
		return " "
	case "annotation", "annotation-xml", "mphantom", "none", "mprescripts", "maligngroup", "malignmark":
		d.skip()
		return ""
	case "mfenced":
		return d.mathFenced()
	case "mmultiscripts":
		return d.mathMultiscripts()
	case "mtable":
		return strings.Join(d.mathParts(), "; ")
	case "mtr", "mlabeledtr":
		return strings.Join(d.mathParts(), ", ")
	case "msqrt":
		return "√" + parenthesize(strings.Join(d.mathParts(), ""))
	case "mfrac", "msup", "msub", "mroot", "mover", "munder":
		return mathLayout(name, 2, d.mathParts())
	case "msubsup", "munderover":
		return mathLayout(name, 3, d.mathParts())
	default:
		return strings.Join(d.mathParts(), "")
	}
}

// mathLayout joins the parts of an element that takes n parts. It appends any further parts.
func mathLayout(name string, n int, parts []string) string {
	for len(parts) < n {
		parts = append(parts, "")
	}
	base, first, rest := parts[0], parts[1], strings.Join(parts[n:], "")
	switch name {
	case "mfrac":
		return parenthesize(base) + "/" + parenthesize(first) + rest
	case "mroot":
		return record.SuperscriptText(first) + "√" + parenthesize(base) + rest
	case "msub", "munder":
		return parenthesize(base) + record.SubscriptText(first) + rest
	case "msubsup", "munderover":
		return parenthesize(base) + record.SubscriptText(first) + record.SuperscriptText(parts[2]) + rest
	}
	if mark, ok := accents[first]; ok && name == "mover" && utf8.RuneCountInString(base) == 1 {
		return base + mark + rest
	}
	return parenthesize(base) + record.SuperscriptText(first) + rest
}

// accents maps marks over a letter to Unicode's combining characters.
var accents = map[string]string{
	"¯": "\u0304", "‾": "\u0304", "_": "\u0304", "―": "\u0304", "-": "\u0304",
	"^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "∼": "\u0303",
	"˙": "\u0307", ".": "\u0307", "¨": "\u0308", "→": "\u20D7", "⃗": "\u20D7",
}

// mathParts returns the text of each child of the current element.
func (d *decoder) mathParts() []string {
	var parts []string
	for {
		switch d.next() {
		case startTag:
			parts = append(parts, d.math())
		case charData: // between elements, only white space is allowed
			if text := d.aside(func() { d.write(d.chars, d.cdata) }); text != "" {
				parts = append(parts, text)
			}
		default:
			return parts
		}
	}
}

// mathToken returns the text of a token element without invisible operators (function application,
// times, separator, plus).
func (d *decoder) mathToken() string {
	return strings.Map(func(r rune) rune {
		if r >= 0x2061 && r <= 0x2064 {
			return -1
		}
		return r
	}, d.aside(d.inline))
}

func (d *decoder) mathFenced() string {
	opening, closing, separators := "(", ")", []rune(",")
	for _, a := range d.attrs {
		value := d.attrAside(a)
		switch string(a.name) {
		case "open":
			opening = value
		case "close":
			closing = value
		case "separators":
			separators = []rune(strings.ReplaceAll(value, " ", ""))
		}
	}
	out := opening
	for i, part := range d.mathParts() {
		if i > 0 && len(separators) > 0 {
			out += string(separators[min(i, len(separators))-1])
		}
		out += part
	}
	return out + closing
}

// mathMultiscripts renders a base with pairs of sub- and superscript after it and, past
// <mprescripts/>, before it: ¹³¹I.
func (d *decoder) mathMultiscripts() string {
	var base, before, after string
	out, n := &after, -1
	for d.child() {
		if string(d.name) == "mprescripts" {
			d.skip()
			out, n = &before, 0
			continue
		}
		part := d.math()
		switch {
		case n < 0:
			base = parenthesize(part)
		case part == "":
		case n%2 == 0:
			*out += record.SubscriptText(part)
		default:
			*out += record.SuperscriptText(part)
		}
		n++
	}
	return before + base + after
}

// aside returns the text that render writes, instead of appending it to the current text.
func (d *decoder) aside(render func()) string {
	plain, gap := d.plain, d.gap
	d.plain, d.gap = nil, false
	render()
	out := string(d.plain)
	d.plain, d.gap = plain, gap
	return out
}

func (d *decoder) attrAside(a attr) string {
	return d.aside(func() { d.write(a.value, true) })
}
