package rag

import (
	"slices"
	"strings"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// MaxQueryTerms is how many words of a query count; of a longer one the first.
const MaxQueryTerms = 512

// Query is a user's query as the two searches need it.
type Query struct {
	// Lexical is what chunks are matched and scored against.
	Lexical store.Query
	// Terms are the terms a text should hold, as often as the query names them;
	// Text is the query without its operators and excluded parts. They are what
	// is embedded.
	Terms []string
	Text  string
	// Prefixes are what a word may begin with instead, or its stem.
	Prefixes []string
	// Strict says that the query asks for more than any of its words: what does
	// not match Lexical is no hit, also where its meaning is near.
	Strict bool
	// Cut says that the query had more than MaxQueryTerms words.
	Cut bool
}

// ParseQuery reads a query. It knows "a phrase", prefix*, NOT, AND, OR (in
// capitals; binding in this order) and parentheses. Words side by side are
// alternatives in a query without operators, and are all required in one with
// them, as in PubMed. A quoted phrase is required too, unless it stands among
// other words of a query without operators: there it is worth more than its
// words. Whatever does not fit this grammar, a lone quote, operator, star or
// parenthesis, is taken literally or passed over: no text is an error.
func ParseQuery(a *analyze.Analyzer, text string) Query {
	p := &parser{a: a, in: text, tokens: fixOperators(fixParens(lex(text)))}
	has := func(is func(tokenKind) bool) bool {
		return slices.ContainsFunc(p.tokens, func(t token) bool { return is(t.kind) })
	}
	boolean := has(func(k tokenKind) bool { return k >= tokenNot })
	var q store.Query
	if boolean {
		q = p.or()
	} else {
		q = p.loose()
	}
	if q == nil {
		q = store.Or{}
	}
	strict := boolean || !has(func(k tokenKind) bool { return k != tokenPhrase })
	return Query{Lexical: q, Terms: p.terms, Prefixes: p.prefixes, Text: strings.Join(p.text, " "), Strict: strict, Cut: p.used > MaxQueryTerms}
}

type parser struct {
	a      *analyze.Analyzer
	in     string
	tokens []token
	at     int
	used   int  // words, to MaxQueryTerms
	not    bool // within an excluded part
	terms  []string
	text   []string

	prefixes []string
}

func (p *parser) textOf(t token) string { return p.in[t.from:t.to] }

// loose is a query without operators: any of its words, phrases and prefixes; of
// phrases alone, all.
func (p *parser) loose() store.Query {
	var any bag
	var phrases store.And
	alone := true
	for _, t := range p.tokens {
		switch t.kind {
		case tokenText:
			alone = false
			p.text = append(p.text, p.textOf(t))
			for _, u := range p.units(p.textOf(t)) {
				p.addUnit(&any, u)
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
	if alone && phrases != nil {
		return only(phrases)
	}
	for _, q := range phrases {
		if phrase, ok := q.(store.Phrase); ok {
			for _, slot := range phrase.Slots {
				any.add(slot.Terms[0])
			}
			any.rest = append(any.rest, q)
		} else {
			any.add(q.(store.Term).Text)
		}
	}
	if or := any.query(); len(or) > 1 || len(any.terms) == 1 {
		return or
	} else if len(or) == 1 {
		return or[0]
	}
	return nil
}

// units are those of a text that hold something, as many as are left.
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

// addUnit adds every term of a unit: of a short name with its number (IL-6) the
// whole alone, since il would bring every interleukin.
func (p *parser) addUnit(b *bag, u analyze.Unit) {
	if u.Term != "" {
		p.addTerm(b, u.Term)
	}
	for _, t := range u.Alts {
		if !u.Fused || len(t) > 4 {
			p.addTerm(b, t)
		}
	}
	for _, part := range u.Parts {
		p.addUnit(b, part)
	}
}

func (p *parser) addTerm(b *bag, term string) {
	b.add(term)
	if !p.not {
		p.terms = append(p.terms, term)
	}
}

// bag counts terms in the order they come.
type bag struct {
	terms []store.Term
	at    map[string]int
	rest  store.Or
}

func (b *bag) add(term string) {
	if b.at == nil {
		b.at = make(map[string]int)
	}
	if i, ok := b.at[term]; ok {
		b.terms[i].Weight++
		return
	}
	b.at[term] = len(b.terms)
	b.terms = append(b.terms, store.Term{Text: term, Weight: 1})
}

func (b *bag) query() (or store.Or) {
	for _, t := range b.terms {
		or = append(or, t)
	}
	return append(or, b.rest...)
}

// maxDepth bounds nested parentheses, and with them the recursion of or and of
// what works on its query; fixParens drops deeper ones.
const maxDepth = 50

// or reads alternatives of conjunctions of operands.
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
	if len(or) == 1 {
		return or[0]
	}
	if or == nil {
		return nil
	}
	return or
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
		for t.kind == tokenNot { // NOT NOT is no NOT
			negated = !negated
			t = p.tokens[p.at] // an operand follows
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
			p.at++ // its closing one
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
	switch {
	case and == nil:
		return nil
	case !positive:
		and = append(store.And{store.All{}}, and...)
	}
	return only(and)
}

func only(and store.And) store.Query {
	if len(and) == 1 {
		return and[0]
	}
	return and
}

// operand is the query of one text, phrase or prefix; nil where nothing of it is
// indexed.
func (p *parser) operand(t token) store.Query {
	if t.kind == tokenPrefix {
		return p.prefix(p.textOf(t))
	}
	if !p.not {
		p.text = append(p.text, p.textOf(t))
	}
	units := p.units(p.textOf(t))
	if t.kind == tokenPhrase {
		return p.phrase(units)
	}
	var and store.And
	for _, u := range units {
		if q := p.required(u); q != nil {
			and = append(and, q)
		}
	}
	if and == nil {
		return nil
	}
	return only(and)
}

// required matches what holds a unit: its whole, or its parts side by side.
func (p *parser) required(u analyze.Unit) store.Query {
	if u.Term == "" {
		return nil
	}
	var b bag
	p.addTerm(&b, u.Term)
	if !u.Fused {
		for _, t := range u.Alts {
			p.addTerm(&b, t)
		}
	}
	or := b.query()
	if len(u.Parts) > 0 {
		if q := p.phrase(u.Parts); q != nil {
			or = append(or, q)
		}
	}
	if len(or) == 1 {
		return or[0]
	}
	return or
}

// phrase matches units at their places; of a compound, its parts.
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

// endings are what words are continued with: inflammat* must find inflammation,
// whose stem is shorter than the prefix.
var endings = strings.Fields("s e es ed er ing ion ions ation ise ize ised ized ic al y ity ive ly or ory ous ment ness sis")

// prefix matches terms that begin with text, and the stems of words that do.
func (p *parser) prefix(text string) store.Query {
	bare := analyze.Prefix(text)
	if len(bare) < 2 || p.used >= MaxQueryTerms {
		return nil
	}
	p.used++
	or := store.Or{store.Prefix{Text: bare, Weight: 1}}
	begins := []string{bare}
	for _, end := range append([]string{""}, endings...) {
		for _, u := range p.a.Query(bare + end) {
			if !strings.HasPrefix(u.Term, bare) && len(u.Term) > 1 && !slices.Contains(begins, u.Term) && len(u.Parts) == 0 {
				begins = append(begins, u.Term)
				or = append(or, store.Term{Text: u.Term, Weight: 1})
			}
		}
	}
	if !p.not {
		p.prefixes = append(p.prefixes, begins...)
	}
	if len(or) == 1 {
		return or[0]
	}
	return or
}
