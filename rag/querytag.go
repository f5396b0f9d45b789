package rag

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/store"
)

// maxTag is the maximum length of a tag in bytes.
const maxTag = 48

// fieldRef is a field of a token with the tag as typed. modifier is the part of the tag after a colon.
type fieldRef struct {
	*Field
	tag, modifier string
	note          string // how the words before the tag were divided
}

// tagAt returns the field of the tag in brackets at i, and the end of the tag. It returns nil if there is
// no tag, as in benzo[a]pyrene and gold [Au] nanoparticles.
func tagAt(text string, i int) (f *fieldRef, end int) {
	if text[i] != '[' {
		return nil, 0
	}
	n := strings.IndexByte(text[i:min(len(text), i+maxTag)], ']')
	if n < 0 {
		return nil, 0
	}
	end = i + n + 1
	if next, _ := utf8.DecodeRuneInString(text[end:]); unicode.IsLetter(next) || unicode.IsDigit(next) {
		return nil, 0
	}
	name, modifier, _ := strings.Cut(strings.ToLower(strings.Join(strings.Fields(text[i+1:end-1]), " ")), ":")
	field := fieldsByTag()[strings.TrimSpace(name)]
	if field == nil && looksLikeTag(text, i, end) {
		field = unknownField()
	}
	if field == nil || isElement(text, i, end) {
		return nil, 0
	}
	return &fieldRef{Field: field, tag: text[i:end], modifier: strings.TrimSpace(modifier)}, end
}

// nameAt returns the field whose name and a colon are at i, and the end of the colon. A blank after the
// colon makes it text.
func nameAt(text string, i int) (f *fieldRef, end int) {
	n := strings.IndexByte(text[i:min(len(text), i+maxTag)], ':')
	if n < 0 {
		return nil, 0
	}
	end = i + n + 1
	next, _ := utf8.DecodeRuneInString(text[end:])
	field := fieldNamed(text[i : i+n])
	if field == nil || !unicode.IsLetter(next) && !unicode.IsDigit(next) && !isQuote(next) && next != '(' {
		return nil, 0
	}
	return &fieldRef{Field: field, tag: text[i:end]}, end
}

// attachFields gives the operands of tags and of names before a colon their field, and removes the tags
// and names.
func (p *parser) attachFields(tokens []token) []token {
	var out []token
	for i := 0; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.kind == tokenTag:
			out = p.attachTag(out, t)
		case t.kind == tokenName && i+1 < len(tokens):
			next := &tokens[i+1]
			next.minus = next.minus || t.minus
			if next.kind == tokenOpen {
				setGroup(tokens[i+1:], t.field)
			} else if next.kind <= tokenPrefix {
				next.field = t.field
			}
		case t.kind == tokenName:
		default:
			out = append(out, t)
		}
	}
	return out
}

// setGroup sets the field of the operands of the group that tokens begin with, except those that have
// one.
func setGroup(tokens []token, f *fieldRef) {
	depth := 0
	for i := range tokens {
		switch t := &tokens[i]; {
		case t.kind == tokenOpen:
			depth++
		case t.kind == tokenClose:
			depth--
		case t.kind <= tokenPrefix && t.field == nil && (i+1 == len(tokens) || tokens[i+1].kind != tokenTag):
			t.field = f
		}
		if depth == 0 {
			return
		}
	}
}

// attachTag gives the operand at the end of tokens the field of a tag: a phrase, a group, or all words
// since the last operator, phrase or tag. A tag without an operand is dropped.
func (p *parser) attachTag(tokens []token, tag token) []token {
	end := len(tokens) - 1
	if end >= 0 && tokens[end].kind == tokenClose && tag.field.missing != unknown {
		depth := 0
		for i := end; i >= 0; i-- {
			switch tokens[i].kind {
			case tokenClose:
				depth++
			case tokenOpen:
				depth--
			}
			if depth == 0 {
				setGroup(tokens[i:], tag.field)
				break
			}
		}
		return tokens
	}
	if end < 0 || !tokens[end].kind.ends() || tokens[end].field != nil {
		return tokens
	}
	if tag.field.missing == unknown {
		tokens[end].closed = true
		p.tags = append(p.tags, TaggedPart{
			Words: p.textOf(tokens[end]), Tag: tag.field.tag, Missing: true, Note: "searched for as words",
		})
		return tokens
	}
	isWord := func(t token) bool { return (t.kind == tokenText || t.kind == tokenPrefix) && t.field == nil }
	start := end
	for isWord(tokens[end]) && start > 0 && isWord(tokens[start-1]) {
		start--
	}
	if tag.field.isDate() {
		for start > 0 && tokens[start-1].kind <= tokenPrefix && p.joinsDates(tokens[start-1], tokens[start]) {
			start--
		}
	}
	return p.setField(tokens, start, tag.field)
}

// setField gives tokens[start:], which are adjacent words, or the part of them that the field takes, the
// field.
func (p *parser) setField(tokens []token, start int, f *fieldRef) []token {
	operand := slices.Clone(tokens[start:])
	first, last := operand[0], operand[len(operand)-1]
	t := first
	t.to, t.field = last.to, f
	if len(operand) > 1 {
		if t.kind = tokenText; last.kind == tokenPrefix {
			t.to++ // the star
		}
	}
	if t.kind != tokenText || f.tail == nil {
		return append(tokens[:start], t)
	}
	text := p.textOf(t)
	n, note := f.tail(&p.reader, text)
	f.note = note
	before := t.from + len(strings.TrimRightFunc(text[:n], unicode.IsSpace))
	t.from += n
	tokens = tokens[:start]
	for _, word := range operand {
		if word.from >= t.from {
			t.minus = word.from == t.from && word.minus
			break
		}
		word.to = min(word.to, before)
		tokens, t.minus = append(tokens, word), false
	}
	if t.from < t.to {
		return append(tokens, t)
	}
	tokens[len(tokens)-1].closed = true
	p.tags = append(p.tags, TaggedPart{
		Words: text, Tag: f.tag, Field: f.Name, Missing: f.Missing(), Note: "searched for as words",
	})
	return tokens
}

func (f *fieldRef) isDate() bool { return f != nil && f.Prefix == "year" }

// joinsDates reports whether two adjacent tokens are parts of a range of dates.
func (p *parser) joinsDates(a, b token) bool {
	return (a.field == nil || a.field.isDate()) &&
		(strings.HasPrefix(p.textOf(b), ":") || strings.HasSuffix(p.textOf(a), ":"))
}

// A TaggedPart is a part of a query with a tag, and how it was read.
type TaggedPart struct {
	Words string `json:"words"`
	Tag   string `json:"tag"`
	Field string `json:"field"`
	// Missing is set if the corpus has no such field. Note says what differs from PubMed's reading.
	Missing bool   `json:"missing"`
	Note    string `json:"note"`
}

// tagged returns the query for a token with a field, or nil if it is left out.
func (p *parser) tagged(t token) store.Query {
	f, value := t.field, p.textOf(t)
	part := TaggedPart{Words: value, Tag: f.tag, Field: f.Name, Missing: f.Missing(), Note: f.note}
	defer func() { p.tags = append(p.tags, part) }()
	if f.filter != nil {
		if t.kind == tokenPhrase {
			value = `"` + value + `"`
		} else if t.kind == tokenPrefix {
			value += "*"
		}
		filter, note, ok := f.filter(&p.reader, value, f.modifier)
		if part.Note = joinNotes(f.note, note); !ok {
			part.Note = joinNotes("left out", cmp.Or(note, "without a value"))
			return nil
		}
		return store.Where{Filter: filter}
	}
	switch f.missing {
	case asWords:
		part.Note = "searched for as words in all fields"
	case discarded:
		part.Note = "left out"
		return nil
	}
	if strings.HasPrefix(f.modifier, "~") {
		part.Note = "searched for without the limit on the distance of the words"
		t.kind = tokenText
	}
	return scoped(p.words(t), f.scope)
}

// words returns the query for the words, prefixes or phrase of a token with a field.
func (p *parser) words(t token) store.Query {
	t.field = nil
	if t.kind != tokenText {
		return p.operand(t)
	}
	var and store.And
	for _, part := range lex(p.textOf(t), false) {
		part.from, part.to = part.from+t.from, part.to+t.from
		if part.kind > tokenPrefix {
			part.kind = tokenText
		}
		if q := p.operand(part); q != nil {
			and = append(and, q)
		}
	}
	return simplify(and)
}

// scoped restricts the words of q to a part of a passage.
func scoped(q store.Query, scope store.Scope) store.Query {
	all := func(parts []store.Query) []store.Query {
		list := slices.Clone(parts)
		for i := range list {
			list[i] = scoped(list[i], scope)
		}
		return list
	}
	switch q := q.(type) {
	case store.Term:
		q.Scope = scope
		return q
	case store.Phrase:
		q.Scope = scope
		return q
	case store.Prefix:
		q.Scope = scope
		return q
	case store.And:
		return store.And(all(q))
	case store.Or:
		return store.Or(all(q))
	}
	return q
}

// conditions returns the filter that is equal to a query without words. ok is false if q has words.
func conditions(q store.Query) (f store.Filter, ok bool) {
	parts := func(list []store.Query) (filters []store.Filter, ok bool) {
		filters = []store.Filter{}
		for _, part := range list {
			f, ok := conditions(part)
			if !ok {
				return nil, false
			}
			filters = append(filters, f)
		}
		return filters, true
	}
	switch q := q.(type) {
	case store.All:
		return store.Filter{}, true
	case store.Where:
		return q.Filter, true
	case store.Not:
		f.None, ok = parts([]store.Query{q.Query})
	case store.And:
		f.All, ok = parts(q)
	case store.Or:
		f.Any, ok = parts(q)
	}
	return f, ok
}

// setConditions sets the conditions of the query that can be tested by filters. whole is the query
// on documents.
func (q *Query) setConditions(whole store.Query) {
	required, ok := whole.(store.And)
	if !ok {
		required = store.And{whole}
	}
	words := false
	for _, part := range required {
		if _, all := part.(store.All); all {
			continue
		}
		if f, ok := conditions(part); ok {
			q.Conditions = append(q.Conditions, f)
		} else {
			words = true
		}
	}
	q.OnlyConditions = !words && len(q.Conditions) > 0
}

// ReadsFields reports whether the query has conditions that only the index in the corpus file can test.
func (q Query) ReadsFields() bool {
	return HasPart(q.Lexical, func(part store.Query) bool {
		_, where := part.(store.Where)
		return where || scopeOf(part) != store.Anywhere
	})
}

// NeedsFields reports whether the query has conditions that fail for documents which an earlier program
// indexed. required is set for conditions that a document must meet, excluded for those under NOT.
func (q Query) NeedsFields() (required, excluded bool) { return needsFields(q.Lexical) }

func needsFields(q store.Query) (required, excluded bool) {
	var parts []store.Query
	switch q := q.(type) {
	case store.Not:
		excluded, required = needsFields(q.Query)
		return required, excluded
	case store.Documents:
		return needsFields(q.Query)
	case store.And:
		parts = q
	case store.Or:
		parts = q
	default:
		where, _ := q.(store.Where)
		return where.Filter.NeedsFields() || scopeOf(q) != store.Anywhere, false
	}
	for _, part := range parts {
		r, e := needsFields(part)
		required, excluded = required || r, excluded || e
	}
	return required, excluded
}

func scopeOf(q store.Query) store.Scope {
	switch q := q.(type) {
	case store.Term:
		return q.Scope
	case store.Phrase:
		return q.Scope
	case store.Prefix:
		return q.Scope
	}
	return store.Anywhere
}

// reads returns the query as it was read. In a query with operators, AND stands between adjacent parts.
func (p *parser) reads() string {
	boolean := slices.ContainsFunc(p.tokens, func(t token) bool { return t.kind >= tokenNot })
	var b strings.Builder
	for i, t := range p.tokens {
		text := p.marked(t)
		if t.field != nil {
			text += "[" + t.field.Name + "]"
		}
		if before := i - 1; before >= 0 && p.tokens[before].kind != tokenOpen && t.kind != tokenClose {
			if boolean && p.tokens[before].kind.ends() && (t.kind.begins() || t.kind == tokenNot) {
				b.WriteString(" AND")
			}
			b.WriteByte(' ')
		}
		b.WriteString(text)
	}
	return b.String()
}

// isAuthorInitials reports whether a word after author:Smith is its initials.
func isAuthorInitials(word string) bool {
	return len(word) > 0 && len(word) <= 3 && word != "AND" && word != "OR" && word != "NOT" &&
		!strings.ContainsFunc(word, func(r rune) bool { return r < 'A' || r > 'Z' })
}
