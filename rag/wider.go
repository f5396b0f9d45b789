package rag

import (
	"slices"
	"strings"
)

// wider returns the query made wider, the narrowest first: with the words of its phrases anywhere, and with
// any of the words that it joins by AND. Conditions, exclusions and fields stay.
func (p *parser) wider() (list []string) {
	if !slices.ContainsFunc(p.tokens, func(t token) bool { return t.kind >= tokenNot || t.kind == tokenPhrase }) {
		return nil
	}
	var apart []string
	split := false
	for i, t := range p.tokens {
		words := strings.Fields(p.textOf(t))
		negated := i > 0 && p.tokens[i-1].kind == tokenNot
		if t.kind == tokenPhrase && t.searchesWords() && len(words) > 1 && !negated {
			apart, split = append(apart, t.inField("("+strings.Join(words, " AND ")+")")), true
		} else {
			apart = append(apart, p.source(t))
		}
	}
	if split {
		list = append(list, strings.Join(apart, " "))
	}
	if any := p.anyWord(); any != "" {
		list = append(list, any)
	}
	return list
}

// anyWord returns the query with OR between the words that it joins by AND, or "" if it has groups, an
// OR, or fewer than two words.
func (p *parser) anyWord() string {
	var words, rest []string
	for i, t := range p.tokens {
		negated := i > 0 && p.tokens[i-1].kind == tokenNot
		switch {
		case t.kind == tokenOr || t.kind == tokenOpen:
			return ""
		case t.kind > tokenPrefix:
		case negated:
			rest = append(rest, "NOT "+p.source(t))
		case !t.searchesWords():
			rest = append(rest, "AND "+p.source(t))
		case t.kind == tokenText:
			for _, w := range strings.Fields(p.textOf(t)) {
				words = append(words, t.inField(w))
			}
		default:
			words = append(words, p.source(t))
		}
	}
	if len(words) < 2 {
		return ""
	}
	return strings.Join(append([]string{"(" + strings.Join(words, " OR ") + ")"}, rest...), " ")
}

// searchesWords reports whether an operand is searched for as words.
func (t token) searchesWords() bool {
	return t.field == nil || t.field.filter == nil && t.field.missing != discarded
}

// source returns a token as it can be typed.
func (p *parser) source(t token) string { return t.inField(p.marked(t)) }

// marked returns a token with its quotes or its star, but without its field.
func (p *parser) marked(t token) string {
	text := p.textOf(t)
	switch t.kind {
	case tokenPhrase:
		text = `"` + text + `"`
	case tokenPrefix:
		text += "*"
	case tokenClose:
		text = ")"
	case tokenNot:
		text = "NOT"
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
