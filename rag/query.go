package rag

import (
	"slices"
	"strconv"
	"strings"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// MaxQueryTerms is the maximum number of words of a query. Further words are ignored.
const MaxQueryTerms = 512

// A Query is a parsed query.
type Query struct {
	// Lexical is the query of the word search.
	Lexical store.Query
	// Terms and Text are embedded for the vector search. Terms holds the terms of the query; a
	// term that occurs twice is there twice. Text is the query without operators and excluded parts.
	Terms []string
	Text  string
	// Prefixes holds the prefixes of the query, and the stems of words that start with them.
	Prefixes []string
	// Strict is set if the query has operators or only phrases. Then hits of the vector search
	// must match Lexical. Condition is what the query requires of a document, which Lexical
	// includes; it is nil if every hit of a word or phrase meets it.
	Strict    bool
	Condition store.Query
	// Widened holds the terms whose other names were added to Lexical. Symbols of genes and
	// spellings of variants are also in Terms. Words of headings are also in Added, which is not embedded.
	Added   []string
	Widened []Widening
	// Cut is set if the query had more than MaxQueryTerms words.
	Cut bool
	// Minus holds the words and phrases that a minus excludes, as typed, with their fields.
	Minus []string

	// Tags holds the parts with a field, and how they were read. Reads is the query as read, with the
	// names of the fields in brackets.
	Tags  []TaggedPart
	Reads string
	// LeftOut is set if every part of the query was left out.
	LeftOut bool
	// Conditions holds filters that every document must pass; Lexical includes them. OnlyConditions is
	// set if the query consists of them, so that there is nothing to rank by.
	Conditions     []store.Filter
	OnlyConditions bool

	Wider    [][]string // wider queries to offer if there are no hits, in groups, the narrowest group first
	headings []string   // names in fields of MeSH headings, as typed
	authors  []string   // names that authors may have, as typed
	plain    []extent   // words that are searched for, outside phrases
}

// ParseQuery parses a query. The grammar has "a phrase", prefix*, NOT, AND, OR (in capitals,
// binding in this order) and parentheses. Adjacent words are alternatives in a query without
// operators, and all required in a query with operators, as in PubMed. A quoted phrase is
// required, unless the query has no operators and has other words: then it scores more than its
// words. A minus before a word, phrase or parenthesis is NOT. A lone quote, operator, star or
// parenthesis is taken literally or ignored, so no text is an error.
//
// As in PubMed, operators combine documents. Words joined by AND may be in different passages, and
// NOT excludes a document with the word in any passage. A phrase is within one passage. Hits are
// passages with a word that the query asks for.
func ParseQuery(a *analyze.Analyzer, text string) Query {
	return (&parser{a: a, in: text}).parse(lex(text, false))
}

// ReadQuery parses a query as ParseQuery does, and reads PubMed's tags of fields after words, phrases and
// parentheses, and the names title:, author: and year: before them (Fields). A part with a field is
// required. A tag applies to all words since the last operator, phrase or tag.
func ReadQuery(a *analyze.Analyzer, text string, o ReadOptions) Query {
	p := &parser{a: a, in: text, reader: reader{options: o}}
	return p.parse(p.attachFields(lex(text, true)))
}

func (p *parser) parse(tokens []token) Query {
	p.tokens = fixOperators(fixParens(tokens))
	boolean := slices.ContainsFunc(p.tokens, func(t token) bool { return t.kind >= tokenNot })
	var q store.Query
	if boolean {
		q = p.or()
	} else {
		q = p.loose()
	}
	empty := q == nil
	if empty {
		q = store.Or{}
	}
	strict := boolean || !slices.ContainsFunc(p.tokens, token.isLoose)
	query := Query{Terms: p.terms, Prefixes: p.prefixes, Text: strings.Join(p.text, " "), Strict: strict,
		Cut: p.used > MaxQueryTerms, Minus: p.minus(), Tags: p.tags, Reads: p.reads(), Wider: p.wider(),
		LeftOut: empty && len(p.tags) > 0, headings: p.headings, authors: p.authors, plain: p.plain}
	switch {
	case strict:
		query.Lexical, query.Condition = onDocuments(q, true)
		if len(p.tags) > 0 && !empty {
			query.setConditions(q)
		}
	case p.required != nil:
		query.Lexical, query.Condition = withRequired(q, p.required)
		query.setConditions(p.required)
		query.OnlyConditions = false
	default:
		query.Lexical = q
	}
	return query
}

// isLoose reports whether a token is words or a prefix that need not match in a query without operators.
func (t token) isLoose() bool {
	return (t.kind == tokenText || t.kind == tokenPrefix) && t.field == nil
}

// minus returns the words, phrases and prefixes that a minus excludes.
func (p *parser) minus() (list []string) {
	for i, t := range p.tokens {
		if i > 0 && p.tokens[i-1].kind == tokenNot && p.tokens[i-1].minus && t.kind <= tokenPrefix {
			list = append(list, p.source(t))
		}
	}
	return list
}

type parser struct {
	a      *analyze.Analyzer
	in     string
	tokens []token
	at     int
	used   int  // number of words, limited by MaxQueryTerms
	not    bool // whether the parser is within an excluded part
	terms  []string
	text   []string

	prefixes []string
	required store.And // parts with a field, in a query without operators

	reader
	tags  []TaggedPart
	plain []extent
}

func (p *parser) textOf(t token) string { return p.in[t.from:t.to] }

// loose parses a query without operators. Any of its words, phrases and prefixes may match. If
// it has only phrases, all must match. Parts with a field are returned if there are no others, and
// otherwise are in p.required.
func (p *parser) loose() store.Query {
	var any bag
	var phrases store.And
	alone := true
	for _, t := range p.tokens {
		if t.field != nil {
			if q := p.tagged(t); q != nil {
				p.required = append(p.required, q)
			}
			continue
		}
		switch t.kind {
		case tokenText:
			alone = false
			p.text = append(p.text, p.textOf(t))
			p.plain = append(p.plain, extent{t.from, t.to})
			for _, u := range p.units(p.textOf(t)) {
				p.addUnit(&any, u, 1)
			}
		case tokenPhrase:
			if q := p.operand(t); q != nil {
				phrases = append(phrases, q)
			}
		case tokenPrefix:
			alone = false
			switch q := p.operand(t).(type) {
			case nil:
			case store.Or:
				any.rest = append(any.rest, q...)
			default:
				any.rest = append(any.rest, q)
			}
		}
	}
	if alone {
		return simplify(append(phrases, p.required...))
	}
	for _, q := range phrases {
		if phrase, ok := q.(store.Phrase); ok {
			for _, slot := range phrase.Slots {
				any.add(slot.Terms[0], 1)
			}
			any.rest = append(any.rest, q)
		} else {
			any.add(q.(store.Term).Text, 1)
		}
	}
	or := any.query()
	if len(any.terms) == 1 {
		return or
	}
	return simplify(or)
}

// units returns the units of a text, up to MaxQueryTerms in the whole query.
func (p *parser) units(text string) []analyze.Unit {
	units := p.a.Query(text)
	for i, u := range units {
		if u.Term == "" {
			continue
		}
		if p.used++; p.used > MaxQueryTerms {
			return units[:i]
		}
	}
	return units
}

// partWeight is the weight of the parts of a compound in the word search: the compound
// beta-blocker says more than beta and blocker do.
const partWeight = 0.5

// Weights of the other spellings of a short name with a number (IGF-I for IGF-1), and of the name
// and the number apart, as in (IGF)-1. Apart they are little evidence: il of IL-6 matches every
// interleukin.
const (
	spellingWeight = 0.5
	apartWeight    = 0.05
)

// addUnit adds every term of a unit. The short name of a name with a number has a low weight.
func (p *parser) addUnit(b *bag, u analyze.Unit, weight float64) {
	if u.Term != "" {
		p.addTerm(b, u.Term, weight)
	}
	for _, t := range u.Alts {
		if !u.Fused || len(t) > 4 {
			p.addTerm(b, t, weight)
		}
	}
	for _, part := range u.Parts {
		p.addUnit(b, part, weight*partWeight)
	}
	if u.Number == 0 {
		return
	}
	for _, term := range oneWordSpellings(u) {
		b.add(term, weight*spellingWeight)
	}
	if u.Fused {
		b.add(u.Name, weight*apartWeight)
		b.add(strconv.Itoa(u.Number), weight*apartWeight)
	}
}

// oneWordSpellings returns the other spellings of a short name with a number as one word: igfi for
// IGF-1.
func oneWordSpellings(u analyze.Unit) []string {
	terms := []string{u.Name + strconv.Itoa(u.Number), u.Name + analyze.Roman(u.Number)}
	return slices.DeleteFunc(terms, func(term string) bool { return term == u.Term })
}

// spellings returns queries for the other spellings of a short name with a number: as one word, and
// apart, with Arabic and Roman digits.
func spellings(u analyze.Unit) (list []store.Query) {
	if u.Number == 0 {
		return nil
	}
	for _, term := range oneWordSpellings(u) {
		list = append(list, store.Term{Text: term, Weight: 1})
	}
	for _, digits := range []string{strconv.Itoa(u.Number), analyze.Roman(u.Number)} {
		apart := []store.Slot{{Terms: []string{u.Name}}, {Terms: []string{digits}, At: 1}}
		list = append(list, store.Phrase{Slots: apart, Weight: 1})
	}
	return list
}

func (p *parser) addTerm(b *bag, term string, weight float64) {
	b.add(term, weight)
	if !p.not {
		p.terms = append(p.terms, term)
	}
}

// maxDepth is the maximum nesting of parentheses, which bounds the recursion over queries.
// fixParens drops deeper ones.
const maxDepth = 50

// or parses alternatives of conjunctions of operands.
func (p *parser) or() store.Query {
	var or store.Or
	for {
		if q := p.and(); q != nil {
			or = append(or, q)
		}
		if p.at == len(p.tokens) || p.tokens[p.at].kind != tokenOr {
			break
		}
		p.at++
	}
	return simplify(or)
}

func (p *parser) and() store.Query {
	var and store.And
	positive := false
	for p.at < len(p.tokens) {
		t := p.tokens[p.at]
		if t.kind == tokenOr || t.kind == tokenClose {
			break
		}
		p.at++
		negated := false
		for t.kind == tokenNot { // a double NOT cancels out
			negated = !negated
			t = p.tokens[p.at] // fixOperators ensures that an operand follows
			p.at++
		}
		if t.kind == tokenAnd {
			continue
		}
		was := p.not
		p.not = p.not != negated
		var q store.Query
		if t.kind == tokenOpen {
			q = p.or()
			p.at++ // the closing parenthesis
		} else {
			q = p.operand(t)
		}
		p.not = was
		switch {
		case q == nil:
		case negated:
			and = append(and, store.Not{Query: q})
		default:
			and, positive = append(and, q), true
		}
	}
	if and != nil && !positive {
		and = append(store.And{store.All{}}, and...)
	}
	return simplify(and)
}

// simplify returns nil for an empty list, the part itself for a single one, and otherwise the
// list.
func simplify[List interface {
	~[]store.Query
	store.Query
}](parts List) store.Query {
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return parts
}

// operand returns the query for a text, phrase or prefix, or nil if none of its words is
// indexed.
func (p *parser) operand(t token) store.Query {
	if t.field != nil {
		return p.tagged(t)
	}
	if t.kind == tokenPrefix {
		return p.prefix(p.textOf(t))
	}
	if !p.not {
		p.text = append(p.text, p.textOf(t))
		if t.kind == tokenText {
			p.plain = append(p.plain, extent{t.from, t.to})
		}
	}
	units := p.units(p.textOf(t))
	if t.kind == tokenPhrase {
		return p.phrase(units)
	}
	var and store.And
	for _, u := range units {
		if q := p.requireUnit(u); q != nil {
			and = append(and, q)
		}
	}
	return simplify(and)
}

// requireUnit returns a query for a unit: its term, or its parts as a phrase.
func (p *parser) requireUnit(u analyze.Unit) store.Query {
	if u.Term == "" {
		return nil
	}
	var b bag
	p.addTerm(&b, u.Term, 1)
	if !u.Fused {
		for _, t := range u.Alts {
			p.addTerm(&b, t, 1)
		}
	}
	or := append(b.query(), spellings(u)...)
	if len(u.Parts) > 0 {
		if q := p.phrase(u.Parts); q != nil {
			or = append(or, q)
		}
	}
	return simplify(or)
}

// phrase returns a query for units in order. A compound is replaced by its parts.
func (p *parser) phrase(units []analyze.Unit) store.Query {
	var slots []store.Slot
	var add func(u analyze.Unit)
	add = func(u analyze.Unit) {
		for _, part := range u.Parts {
			add(part)
		}
		if len(u.Parts) == 0 && u.Term != "" {
			slots = append(slots, store.Slot{Terms: []string{u.Term}, At: u.Pos})
			if !p.not {
				p.terms = append(p.terms, u.Term)
			}
		}
	}
	for _, u := range units {
		add(u)
	}
	switch len(slots) {
	case 0:
		return nil
	case 1:
		return store.Term{Text: slots[0].Terms[0], Weight: 1}
	}
	first := slots[0].At
	for i := range slots {
		slots[i].At -= first
	}
	return store.Phrase{Slots: slots, Weight: 1}
}
