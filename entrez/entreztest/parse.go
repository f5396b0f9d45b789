package entreztest

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"unicode"
)

// A node is a part of a parsed query. PubMed's operators have no precedence: they apply from left
// to right, and only parentheses group (PubMed User Guide, "Combining search terms with Boolean
// operators").
type node interface{}

type (
	// wordsNode is a run of words without quotes or a tag, which is mapped by automatic term
	// mapping.
	wordsNode struct{ words []string }

	// termNode is one quoted or tagged term.
	termNode struct {
		text     string
		quoted   bool
		tag      string // as typed, or ""
		field    *field // nil without a tag, or if the tag is unknown
		modifier string
	}

	// rangeNode is lo:hi[field].
	rangeNode struct {
		lo, hi string
		tag    string
		field  *field
	}

	// historyNode is #n.
	historyNode struct{ key int }

	// chainNode is a chain of operands, joined from left to right; ops[i] precedes operands[i+1].
	chainNode struct {
		operands []node
		ops      []string // AND OR NOT
	}

	groupNode struct{ inner node }
)

type tokenKind int

const (
	wordToken tokenKind = iota
	quoteToken
	tagToken
	opToken
	openToken
	closeToken
	colonToken
)

type token struct {
	kind tokenKind
	text string
}

var (
	errParentheses = errors.New("unbalanced parentheses")
	errQuotes      = errors.New("unbalanced quotation marks")
	errBrackets    = errors.New("unbalanced brackets")
	errDepth       = errors.New("query is nested too deeply")
	errEmpty       = errors.New("empty group")
)

const maxDepth = 500

func lex(s string) ([]token, error) {
	var out []token
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c <= ' ' || c == 0x7f:
			i++
		case c == '(':
			out = append(out, token{openToken, "("})
			i++
		case c == ')':
			out = append(out, token{closeToken, ")"})
			i++
		case c == '"':
			end := strings.IndexByte(s[i+1:], '"')
			if end < 0 {
				return nil, errQuotes
			}
			out = append(out, token{quoteToken, s[i+1 : i+1+end]})
			i += end + 2
		case c == '[':
			end := strings.IndexByte(s[i:], ']')
			if end < 0 {
				return nil, errBrackets
			}
			out = append(out, token{tagToken, s[i+1 : i+end]})
			i += end + 1
		case c == ']':
			return nil, errBrackets
		case c == ':' && i > 0 && (s[i-1] == '"' || s[i-1] == ']' || s[i-1] == ' '):
			out = append(out, token{colonToken, ":"})
			i++
		default:
			end := i
			for end < len(s) && s[end] > ' ' && !strings.ContainsRune(`()[]"`, rune(s[end])) {
				end++
			}
			word := s[i:end]
			i = end
			if lo, hi, ok := strings.Cut(word, ":"); ok && isBound(lo) && (hi == "" || isBound(hi)) {
				out = append(out, token{wordToken, lo}, token{colonToken, ":"})
				if hi != "" {
					out = append(out, token{wordToken, hi})
				}
				continue
			}
			switch word {
			case "AND", "OR", "NOT":
				out = append(out, token{opToken, word})
			default:
				out = append(out, token{wordToken, word})
			}
		}
	}
	return out, nil
}

// isBound reports whether s is a number or a date, which can be a bound of a range.
func isBound(s string) bool {
	return s != "" && strings.Trim(s, "0123456789/-") == ""
}

type parser struct {
	tokens []token
	pos    int
	depth  int
}

// parse parses a query. It returns nil for an empty query.
func parse(query string) (node, error) {
	tokens, err := lex(query)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	n, err := p.expression()
	if err != nil {
		return nil, err
	}
	if p.pos < len(p.tokens) {
		return nil, errParentheses
	}
	return n, nil
}

func (p *parser) peek() (token, bool) {
	if p.pos < len(p.tokens) {
		return p.tokens[p.pos], true
	}
	return token{}, false
}

func (p *parser) at(k tokenKind) bool {
	t, ok := p.peek()
	return ok && t.kind == k
}

// expression parses operands with operators between them. Adjacent operands are joined with AND,
// and an operator without an operand on both sides is ignored.
func (p *parser) expression() (node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, errDepth
	}
	defer func() { p.depth-- }()
	var chain chainNode
	for {
		op := ""
		for p.at(opToken) {
			next := p.tokens[p.pos].text
			if op == "" || next == "NOT" {
				op = next
			}
			p.pos++
		}
		t, ok := p.peek()
		if !ok || t.kind == closeToken {
			switch len(chain.operands) {
			case 0:
				return nil, nil
			case 1:
				return chain.operands[0], nil
			}
			return chain, nil
		}
		right, err := p.operand()
		if err != nil {
			return nil, err
		}
		if right == nil {
			continue
		}
		if len(chain.operands) > 0 {
			chain.ops = append(chain.ops, cmp.Or(op, "AND"))
		}
		chain.operands = append(chain.operands, right)
	}
}

func (p *parser) operand() (node, error) {
	t := p.tokens[p.pos]
	switch t.kind {
	case openToken:
		p.pos++
		inner, err := p.expression()
		if err != nil {
			return nil, err
		}
		if !p.at(closeToken) {
			return nil, errParentheses
		}
		p.pos++
		if p.at(tagToken) { // a tag on a group has no effect
			p.pos++
		}
		if inner == nil {
			return nil, errEmpty
		}
		return groupNode{inner}, nil
	case tagToken, colonToken: // a tag or a colon by itself is ignored
		p.pos++
		return nil, nil
	case quoteToken:
		p.pos++
		return p.tagOrRange(t.text, true), nil
	}
	var words []string
	for p.at(wordToken) {
		words = append(words, p.tokens[p.pos].text)
		p.pos++
		if p.at(colonToken) { // only the last word is the lower bound
			if len(words) > 1 {
				p.pos--
				words = words[:len(words)-1]
			}
			break
		}
	}
	if p.at(tagToken) || p.at(colonToken) {
		return p.tagOrRange(strings.Join(words, " "), false), nil
	}
	if len(words) == 1 && words[0][0] == '#' {
		if n, err := strconv.Atoi(words[0][1:]); err == nil {
			return historyNode{n}, nil
		}
	}
	return wordsNode{words}, nil
}

// tagOrRange parses the tag after a term, and the upper bound of a range: a:b[f], "a":"b"[f] and
// "a"[f] : "b"[f] are equivalent.
func (p *parser) tagOrRange(text string, quoted bool) node {
	tag := p.tag()
	if p.at(colonToken) && p.pos+1 < len(p.tokens) {
		if next := p.tokens[p.pos+1]; next.kind == wordToken || next.kind == quoteToken {
			p.pos += 2
			if second := p.tag(); second != "" {
				tag = second
			}
			f, _ := fieldFor(tag)
			return rangeNode{lo: text, hi: next.text, tag: tag, field: f}
		}
	}
	f, modifier := fieldFor(tag)
	return termNode{text: text, quoted: quoted, tag: tag, field: f, modifier: modifier}
}

func (p *parser) tag() string {
	if !p.at(tagToken) {
		return ""
	}
	p.pos++
	return strings.TrimFunc(p.tokens[p.pos-1].text, unicode.IsSpace)
}

// echo formats a query as NCBI does if it matched nothing: untagged words get [All Fields].
func echo(n node) string {
	switch n := n.(type) {
	case wordsNode:
		parts := make([]string, len(n.words))
		for i, w := range n.words {
			parts[i] = w + "[All Fields]"
		}
		return strings.Join(parts, " AND ")
	case termNode:
		tag := n.tag
		if tag == "" {
			tag = "All Fields"
		}
		if n.quoted {
			return `"` + n.text + `"[` + tag + "]"
		}
		return n.text + "[" + tag + "]"
	case rangeNode:
		return n.lo + ":" + n.hi + "[" + n.tag + "]"
	case historyNode:
		return "#" + strconv.Itoa(n.key)
	case groupNode:
		return "(" + echo(n.inner) + ")"
	case chainNode:
		var b strings.Builder
		b.WriteString(echo(n.operands[0]))
		for i, op := range n.ops {
			b.WriteString(" " + op + " " + echo(n.operands[i+1]))
		}
		return b.String()
	}
	return ""
}
