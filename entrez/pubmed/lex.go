package pubmed

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"
)

// maxDepth limits the nesting in one record, and thereby every recursion of this package. Real
// records stay below 30.
const maxDepth = 200

type event uint8

const (
	failed event = iota // lexer.err has the cause; every later event is failed too
	startTag
	endTag
	charData
)

// A lexer splits one record in memory into tags and text without copying. It is as strict as
// encoding/xml: names must match, attributes must be quoted, and entities must be XML's own.
type lexer struct {
	b    []byte
	i    int
	open []span // raw names of the open elements

	name  []byte // name of the last start tag, without its prefix
	attrs []attr
	empty bool   // the last start tag was <x/>; next returns its end
	chars []byte // the last text, not decoded
	cdata bool   // chars is literal
	err   error
}

type span struct{ from, to int }

type attr struct{ name, value []byte }

func (l *lexer) reset(b []byte) {
	*l = lexer{b: b, open: l.open[:0], attrs: l.attrs[:0]}
	if at := invalidChar(b); at >= 0 {
		if r, size := utf8.DecodeRune(b[at:]); r == utf8.RuneError && size <= 1 {
			l.fail("invalid UTF-8 (byte 0x%02X)", b[at])
		} else {
			l.fail("character U+%04X is not allowed in XML", r)
		}
	}
}

func (l *lexer) fail(format string, args ...any) event {
	if l.err == nil {
		l.err = fmt.Errorf(format, args...)
	}
	return failed
}

// next reads one tag or one stretch of text. It skips comments and processing instructions, so that
// a text may come in several pieces.
func (l *lexer) next() event {
	if l.err != nil {
		return failed
	}
	if l.empty {
		l.empty = false
		l.open = l.open[:len(l.open)-1]
		return endTag
	}
	for l.i < len(l.b) {
		b := l.b[l.i:]
		if b[0] != '<' {
			n := bytes.IndexByte(b, '<')
			if n < 0 {
				n = len(b)
			}
			l.i += n
			l.chars, l.cdata = b[:n], false
			return charData
		}
		if len(b) < 2 {
			break
		}
		switch b[1] {
		case '/':
			return l.end(b)
		case '?':
			n := bytes.Index(b, []byte("?>"))
			if n < 0 || nameLen(b[2:]) == 0 {
				return l.fail("malformed processing instruction")
			}
			l.i += n + 2
		case '!':
			if bytes.HasPrefix(b, []byte("<![CDATA[")) {
				n := bytes.Index(b[9:], []byte("]]>"))
				if n < 0 {
					return l.fail("CDATA section without an end")
				}
				l.i += 9 + n + 3
				l.chars, l.cdata = b[9:9+n], true
				return charData
			}
			n := -1
			if bytes.HasPrefix(b, []byte("<!--")) {
				n = bytes.Index(b[4:], []byte("--"))
			}
			if n < 0 || len(b) < 4+n+3 || b[4+n+2] != '>' {
				return l.fail("malformed comment or declaration")
			}
			l.i += 4 + n + 3
		default:
			return l.start(b)
		}
	}
	return l.fail("record without an end")
}

func (l *lexer) end(b []byte) event {
	if len(l.open) == 0 {
		return l.fail("end tag without a start")
	}
	top := l.open[len(l.open)-1]
	name := l.b[top.from:top.to]
	n := 2 + len(name)
	if len(b) <= n || string(b[2:n]) != string(name) || isName[b[n]] {
		return l.fail("<%s> is closed by </%s>", name, b[2:2+nameLen(b[2:])])
	}
	n = skipSpace(b, n)
	if n == len(b) || b[n] != '>' {
		return l.fail("malformed end tag </%s", name)
	}
	l.i += n + 1
	l.open = l.open[:len(l.open)-1]
	return endTag
}

func (l *lexer) start(b []byte) event {
	n := 1 + nameLen(b[1:])
	name := b[1:n]
	var ok bool
	if l.name, ok = localName(name); !ok {
		return l.fail("malformed tag name %.40q", name)
	}
	if len(l.open) == maxDepth {
		return l.fail("elements nested deeper than %d", maxDepth)
	}
	l.open = append(l.open, span{l.i + 1, l.i + n})
	l.attrs = l.attrs[:0]
	if n < len(b) && b[n] == '>' {
		l.i += n + 1
		return startTag
	}
	for {
		n = skipSpace(b, n)
		if n == len(b) {
			return l.fail("tag <%s without an end", name)
		}
		switch b[n] {
		case '>':
			l.i += n + 1
			return startTag
		case '/':
			if n+1 == len(b) || b[n+1] != '>' {
				return l.fail("malformed tag <%s", name)
			}
			l.i += n + 2
			l.empty = true
			return startTag
		}
		if n = l.attr(b, n); n < 0 {
			return l.fail("malformed attribute in <%s", name)
		}
	}
}

// attr reads the attribute of the tag b at b[n], and returns its end, or -1 if it is malformed.
func (l *lexer) attr(b []byte, n int) int {
	to := n + nameLen(b[n:])
	name, ok := localName(b[n:to])
	n = skipSpace(b, to)
	if !ok || n == len(b) || b[n] != '=' {
		return -1
	}
	n = skipSpace(b, n+1)
	if n == len(b) || b[n] != '"' && b[n] != '\'' {
		return -1
	}
	size := bytes.IndexByte(b[n+1:], b[n])
	if size < 0 {
		return -1
	}
	value := b[n+1 : n+1+size]
	if bytes.IndexByte(value, '<') >= 0 || !validReferences(value) {
		return -1
	}
	if bytes.IndexByte(value, '&') >= 0 {
		value = []byte(decodeReferences(string(value)))
	}
	l.attrs = append(l.attrs, attr{name, value})
	return n + 1 + size + 1
}

// value returns an attribute of the last start tag, including its white space.
func (l *lexer) value(name string) []byte {
	for _, a := range slices.Backward(l.attrs) {
		if string(a.name) == name {
			return a.value
		}
	}
	return nil
}

// child moves to the next child of the current element, and reports whether there was one. If there
// was none, it has closed the element. Otherwise the caller must read the child to its end, by
// reading its children, or with text or skip.
func (l *lexer) child() bool {
	for {
		switch l.next() {
		case startTag:
			return true
		case charData:
			if !l.cdata && !validText(l.chars) {
				l.failText(l.chars)
			}
		default:
			return false
		}
	}
}

// childNamed is like child, but skips children with other names.
func (l *lexer) childNamed(name string) bool {
	for l.child() {
		if string(l.name) == name {
			return true
		}
		l.skip()
	}
	return false
}

// skip reads the current element to its end.
func (l *lexer) skip() {
	for depth := len(l.open); len(l.open) >= depth; {
		switch l.next() {
		case failed:
			return
		case charData:
			if !l.cdata && !validText(l.chars) {
				l.failText(l.chars)
			}
		}
	}
}

// failText reports the fault in a text that is not valid by validText.
func (l *lexer) failText(text []byte) {
	for i := 0; i < len(text); i++ {
		if text[i] != '&' {
			continue
		}
		if _, n := reference(text[i:]); n == 0 {
			to := bytes.IndexByte(text[i:], ';') + 1
			if to == 0 || to > 40 {
				to = min(20, len(text)-i)
			}
			l.fail("unknown or malformed reference %.40q", text[i:i+to])
		}
	}
	l.fail("]]> outside a CDATA section")
}

var isName = func() (is [256]bool) {
	for c := range 256 {
		is[c] = c >= utf8.RuneSelf || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' ||
			c >= '0' && c <= '9' || c == '_' || c == ':' || c == '.' || c == '-'
	}
	return is
}()

func nameLen(b []byte) int {
	for i, c := range b {
		if !isName[c] {
			return i
		}
	}
	return len(b)
}

// localName removes the namespace prefix of a name, and reports whether the name is valid.
func localName(b []byte) ([]byte, bool) {
	if len(b) == 0 || b[0] >= '0' && b[0] <= '9' || b[0] == '-' || b[0] == '.' {
		return nil, false
	}
	colon := bytes.IndexByte(b, ':')
	if colon <= 0 || colon == len(b)-1 {
		return b, true
	}
	return b[colon+1:], bytes.IndexByte(b[colon+1:], ':') < 0
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
