package pubmed

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"biomcp/entrez/record"
)

// plainText marks the bytes that can be copied unchanged in running text.
var plainText = func() (is [256]bool) {
	for c := range 256 {
		is[c] = c > ' ' && c != '<' && c != '&' && c != ']'
	}
	return is
}()

// raw reads the current element to its end and returns its plain text, which is valid until the
// next read. Most elements hold one stretch of clean text, which it returns without copying.
func (d *decoder) raw() []byte {
	d.plain, d.gap = d.plain[:0], false
	if !d.empty && d.err == nil {
		b, from := d.b, d.i
		i := from
		for i < len(b) && (plainText[b[i]] || b[i] == ' ' && i > from && i+1 < len(b) && plainText[b[i+1]]) {
			i++
		}
		d.i = i
		if i+1 < len(b) && b[i] == '<' && b[i+1] == '/' {
			d.end(b[i:])
			return b[from:i]
		}
		d.plain = append(d.plain, b[from:i]...)
	}
	d.inline()
	return d.plain
}

func (d *decoder) text() string { return string(d.raw()) }

// attrText returns the plain text of an attribute of the last start tag.
func (d *decoder) attrText(name string) string {
	d.plain, d.gap = d.plain[:0], false
	d.write(d.value(name), true)
	return string(d.plain)
}

// inline appends the plain text of the current element to d.plain and reads the element to its end.
// d.gap reports white space before the next text.
func (d *decoder) inline() {
	for {
		switch d.next() {
		case charData:
			d.write(d.chars, d.cdata)
		case startTag:
			from := len(d.plain)
			switch string(d.name) {
			case "sup":
				d.inline()
				d.script(from, record.SuperscriptText)
			case "sub":
				d.inline()
				d.script(from, record.SubscriptText)
			case "math":
				d.write([]byte(d.math()), true)
			case "DispFormula": // a separate line
				d.gap = true
				d.inline()
				d.gap = true
			default:
				d.inline()
			}
		default:
			return
		}
	}
}

// script rewrites d.plain, from a position on, as a sub- or superscript.
func (d *decoder) script(from int, rewrite func(string) string) {
	if from < len(d.plain) && from > 0 && d.plain[from] == ' ' {
		from++ // keep the space before the first character
	}
	if from < len(d.plain) {
		d.plain = append(d.plain[:from], rewrite(string(d.plain[from:]))...)
	}
}

// write appends text with white space collapsed. It decodes references unless the text is literal.
func (d *decoder) write(b []byte, literal bool) {
	for i := 0; i < len(b); {
		c := b[i]
		if isSpace(c) {
			d.gap = true
			i++
			continue
		}
		from, r := i, rune(0)
		if c == '&' && !literal {
			var n int
			if r, n = reference(b[i:]); n == 0 {
				d.failText(b)
				return
			}
			i += n
			if r < utf8.RuneSelf && isSpace(byte(r)) {
				d.gap = true
				continue
			}
		} else {
			if c == ']' && !literal && bytes.HasPrefix(b[i:], []byte("]]>")) {
				d.failText(b)
				return
			}
			for i++; i < len(b) && plainText[b[i]]; i++ {
			}
		}
		if d.gap && len(d.plain) > 0 {
			d.plain = append(d.plain, ' ')
		}
		d.gap = false
		if r != 0 {
			d.plain = utf8.AppendRune(d.plain, r)
		} else {
			d.plain = append(d.plain, b[from:i]...)
		}
	}
}

// reference decodes the reference at the start of b, which is one of XML's five entities or a
// character reference. It returns its length, or 0 if it is neither. It does not know entities that
// a document declares, so that no input can expand.
func reference(b []byte) (rune, int) {
	end := bytes.IndexByte(b[:min(len(b), 40)], ';')
	if end < 0 {
		return 0, 0
	}
	switch name := b[1:end]; string(name) {
	case "amp":
		return '&', end + 1
	case "lt":
		return '<', end + 1
	case "gt":
		return '>', end + 1
	case "quot":
		return '"', end + 1
	case "apos":
		return '\'', end + 1
	default:
		if len(name) < 2 || name[0] != '#' {
			return 0, 0
		}
		base, digits := rune(10), name[1:]
		if name[1] == 'x' {
			base, digits = 16, name[2:]
		}
		r := rune(0)
		for _, c := range digits {
			v := rune(99)
			switch {
			case c >= '0' && c <= '9':
				v = rune(c - '0')
			case c >= 'a' && c <= 'f':
				v = rune(c-'a') + 10
			case c >= 'A' && c <= 'F':
				v = rune(c-'A') + 10
			}
			if r = r*base + v; v >= base || r > utf8.MaxRune {
				return 0, 0
			}
		}
		if len(digits) == 0 || !isChar(r) {
			return 0, 0
		}
		return r, end + 1
	}
}

// decodeReferences decodes the references in s, and keeps all other text.
func decodeReferences(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	b, out := []byte(s), []byte(nil)
	for i := 0; i < len(b); {
		if b[i] == '&' {
			if r, n := reference(b[i:]); n > 0 {
				out = utf8.AppendRune(out, r)
				i += n
				continue
			}
		}
		out = append(out, b[i])
		i++
	}
	return string(out)
}

// validText reports whether every reference in a text is known and the text does not contain "]]>".
func validText(b []byte) bool {
	return skipSpace(b, 0) == len(b) || validReferences(b) && !bytes.Contains(b, []byte("]]>"))
}

func validReferences(b []byte) bool {
	for {
		i := bytes.IndexByte(b, '&')
		if i < 0 {
			return true
		}
		_, n := reference(b[i:])
		if n == 0 {
			return false
		}
		b = b[i+n:]
	}
}

// isChar reports whether r is a Char of XML 1.0, section 2.2.
func isChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= ' ' && r <= 0xD7FF ||
		r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= utf8.MaxRune
}

// invalidChar returns the position of the first byte that is not UTF-8 or belongs to a character
// that XML forbids, or -1.
func invalidChar(b []byte) int {
	const high, low = 0x8080808080808080, 0x0101010101010101
	for i := 0; i < len(b); {
		if i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i:])
			// No byte of w is above 0x7F, nor (by borrowing) below a space.
			if (w|(w-low*' '))&high == 0 {
				i += 8
				continue
			}
		}
		if c := b[i]; c < utf8.RuneSelf {
			if c < ' ' && !isSpace(c) {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 || !isChar(r) {
			return i
		}
		i += size
	}
	return -1
}
