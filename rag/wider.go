package rag

import (
	"slices"
	"strings"
)

// maxAlone is the maximum number of parts of a query that are left out, or searched for, one at a time.
const maxAlone = 12

// wider returns wider queries in groups, the narrowest group first. The queries of a group differ in the part
// that they leave out, so that the one with the fewest documents is the narrowest. If any operand has hits
// alone, one of the queries has.
func (p *parser) wider() (groups [][]string) {
	operators := slices.ContainsFunc(p.tokens, func(t token) bool { return t.kind >= tokenNot })
	if !operators && !slices.ContainsFunc(p.tokens, func(t token) bool { return t.field != nil || t.kind == tokenPhrase }) {
		return nil
	}
	q := p.tree()
	if q == nil {
		return nil
	}
	strict := operators || !slices.ContainsFunc(p.tokens, token.isLoose)
	write := (*node).looseSource
	if strict {
		write = (*node).source
	}
	seen := map[string]bool{write(q): true}
	add := func(write func(*node) string, queries ...*node) {
		var group []string
		for _, n := range queries {
			if n == nil {
				continue
			}
			if text := write(n); !seen[text] {
				seen[text], group = true, append(group, text)
			}
		}
		if len(group) > 0 {
			groups = append(groups, group)
		}
	}
	apart := q.change(func(n *node) *node { return n.apart(strict) })
	add(write, apart)
	add(write, q.included())
	fields := q.change((*node).inWiderField)
	widest := fields.change((*node).inWiderField)
	add(write, fields)
	add(write, widest)
	add(write, q.leaveOut()...)
	for _, n := range []*node{q, apart, widest} {
		add((*node).source, n.anyWord())
	}
	for _, n := range []*node{q, widest} {
		words, conditions := n.alone()
		add((*node).source, words)
		add((*node).source, conditions...)
	}
	return groups
}

// apart returns a phrase as a group of its words. Beside words, a phrase without a field is not required, so
// it is returned as it is unless strict is set.
func (n *node) apart(strict bool) *node {
	words := n.words()
	if n.kind != tokenPhrase || len(words) < 2 || !strict && n.field == nil {
		return n
	}
	return &node{parts: words}
}

// inWiderField returns an operand in the next wider field, or without a field. The name of a heading becomes
// words.
func (n *node) inWiderField() *node {
	if n.field == nil || n.field.wider == "" {
		return n
	}
	wide := *n
	if next := fieldsByTag()[n.field.wider]; next.wider != "" {
		wide.field = &fieldRef{Field: next, tag: "[" + n.field.wider + "]"}
		return &wide
	}
	if wide.field = nil; n.field.filter != nil {
		wide.text, _, _ = strings.Cut(unquoted(n.text), "/")
		if n.kind == tokenPhrase {
			wide.kind = tokenText
		}
	}
	return &wide
}

// leaveOut returns the query without each of the groups and operands with a field that it requires.
func (n *node) leaveOut() (list []*node) {
	if n.or || n.not {
		return nil
	}
	for i, part := range n.parts {
		if len(list) < maxAlone && !part.not && (part.isGroup() || part.field != nil) {
			list = append(list, (&node{parts: slices.Delete(slices.Clone(n.parts), i, i+1)}).simplify())
		}
	}
	return slices.DeleteFunc(list, func(n *node) bool { return len(n.operands()) == 0 })
}

// anyWord returns the query with OR between the words and groups that it joins by AND.
func (n *node) anyWord() *node {
	if n.not || !n.isGroup() {
		return n
	}
	or, and := &node{or: true}, &node{}
	for _, part := range n.parts {
		switch {
		case n.or || part.isGroup() && !part.not:
			or.parts = append(or.parts, part.anyWord())
		case part.not || !part.searchesWords():
			and.parts = append(and.parts, part)
		case part.kind == tokenText:
			or.parts = append(or.parts, part.words()...)
		default:
			or.parts = append(or.parts, part)
		}
	}
	and.parts = slices.Insert(and.parts, 0, or)
	return and.simplify()
}

// alone returns the words of the query as alternatives, and each of its conditions.
func (n *node) alone() (words *node, conditions []*node) {
	words = &node{or: true}
	for _, operand := range n.operands() {
		if operand.searchesWords() {
			words.parts = append(words.parts, operand.words()...)
		} else if len(conditions) < maxAlone {
			conditions = append(conditions, operand)
		}
	}
	return words.simplify(), conditions
}
