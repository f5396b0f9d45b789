package rag

import (
	"slices"
	"strings"
)

// A node is an operand of a query, or a group of them.
type node struct {
	token         // only an operand has one
	text  string  // "" for a group
	parts []*node // only a group has parts, two or more after simplify
	or    bool    // whether the parts are alternatives
	not   bool    // whether the operand or group is excluded
}

// tree returns the query as a group, or nil if it is empty.
func (p *parser) tree() *node {
	at := 0
	var group func() *node
	group = func() *node {
		or, and, negated := &node{or: true}, &node{}, false
		for ; at < len(p.tokens) && p.tokens[at].kind != tokenClose; at++ {
			switch t := p.tokens[at]; t.kind {
			case tokenOr:
				or.parts, and = append(or.parts, and), &node{}
			case tokenAnd:
			case tokenNot:
				negated = !negated
			default:
				part := &node{token: t, text: p.textOf(t)}
				if t.kind == tokenOpen {
					at++
					part = group()
				}
				part.not, negated = negated, false
				and.parts = append(and.parts, part)
			}
		}
		or.parts = append(or.parts, and)
		return or
	}
	return group().simplify()
}

func (n *node) isGroup() bool { return n.text == "" }

// simplify returns a node without groups of fewer than two parts, and without groups in a group of the same
// kind. It returns nil if nothing remains.
func (n *node) simplify() *node {
	if n == nil || !n.isGroup() {
		return n
	}
	var parts []*node
	for _, part := range n.parts {
		switch part = part.simplify(); {
		case part == nil:
		case part.isGroup() && part.or == n.or && !part.not:
			parts = append(parts, part.parts...)
		default:
			parts = append(parts, part)
		}
	}
	switch len(parts) {
	case 0:
		return nil
	case 1:
		only := *parts[0]
		only.not = only.not != n.not
		return &only
	}
	return &node{parts: parts, or: n.or, not: n.not}
}

// change returns the tree with each operand that is not excluded replaced by the result of with.
func (n *node) change(with func(*node) *node) *node {
	if n.not {
		return n
	}
	if !n.isGroup() {
		return with(n)
	}
	changed := &node{or: n.or}
	for _, part := range n.parts {
		changed.parts = append(changed.parts, part.change(with))
	}
	return changed.simplify()
}

// operands returns the operands that are not excluded.
func (n *node) operands() (list []*node) {
	n.change(func(operand *node) *node {
		list = append(list, operand)
		return operand
	})
	return list
}

// included returns the tree without its excluded parts, or nil if nothing remains.
func (n *node) included() *node {
	if n.not || !n.isGroup() {
		return map[bool]*node{false: n}[n.not]
	}
	rest := &node{or: n.or}
	for _, part := range n.parts {
		rest.parts = append(rest.parts, part.included())
	}
	return rest.simplify()
}

// words returns the words of an operand that is text or a phrase, each with its field, and otherwise the
// operand.
func (n *node) words() (list []*node) {
	if n.kind > tokenPhrase || !n.searchesWords() {
		return []*node{n}
	}
	for _, w := range strings.Fields(n.text) {
		list = append(list, &node{token: token{field: n.field}, text: w})
	}
	return list
}

// source returns the tree as it can be typed.
func (n *node) source() string {
	text := n.group()
	if n.not && n.isGroup() {
		text = "(" + text + ")"
	}
	if n.not {
		text = "NOT " + text
	}
	return text
}

// group returns an operand, or a group without its parentheses, as it can be typed.
func (n *node) group() string {
	if !n.isGroup() {
		return n.inField(n.token.mark(n.text))
	}
	var b strings.Builder
	for i, part := range n.parts {
		text := part.source()
		if part.isGroup() && !part.not {
			text = "(" + text + ")"
		}
		switch {
		case i > 0 && n.or:
			b.WriteString(" OR ")
		case i > 0 && part.not:
			b.WriteString(" ")
		case i > 0:
			b.WriteString(" AND ")
		}
		b.WriteString(text)
	}
	return b.String()
}

// looseSource returns a group as a query without operators: first the operands with a tag, which would
// include words before them, and last those with the name of a field, which could include words after them.
func (n *node) looseSource() string {
	if !n.isGroup() {
		return n.source()
	}
	var tagged, plain, named []string
	for _, part := range n.parts {
		switch text := part.source(); {
		case part.field == nil:
			plain = append(plain, text)
		case strings.HasSuffix(part.field.tag, ":"):
			named = append(named, text)
		default:
			tagged = append(tagged, text)
		}
	}
	return strings.Join(slices.Concat(tagged, plain, named), " ")
}

// searchesWords reports whether an operand is searched for as words.
func (t token) searchesWords() bool {
	return t.field == nil || t.field.filter == nil && t.field.missing != discarded
}

// mark returns text with the quotes or the star of a token.
func (t token) mark(text string) string {
	switch t.kind {
	case tokenPhrase:
		text = `"` + text + `"`
	case tokenPrefix:
		text += "*"
	}
	return text
}

// inField returns text with the tag or name of the token's field.
func (t token) inField(text string) string {
	switch {
	case t.field == nil:
		return text
	case strings.HasSuffix(t.field.tag, ":"):
		return t.field.tag + text
	}
	return text + t.field.tag
}

// source returns a token as it can be typed.
func (p *parser) source(t token) string { return t.inField(p.marked(t)) }

// marked returns a token as it can be typed, but without its field.
func (p *parser) marked(t token) string {
	switch t.kind {
	case tokenClose:
		return ")"
	case tokenNot:
		return "NOT"
	}
	return t.mark(p.textOf(t))
}
