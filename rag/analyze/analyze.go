package analyze

import (
	"bytes"
	"strings"
	"sync"

	"biomcp/store"
	"biomcp/store/postings"
)

// Version is the version of the rules of this package. An index stores the version that wrote
// it. Terms of different versions do not match.
const Version = 3

// A Unit is one word, number or compound of a text.
type Unit struct {
	Term  string   // stem, symbol, or compound written as one word: il6, betablocker; "" for a stop word
	Alts  []string // other terms at this position: kras besides kra, cd8+, the word of a fused number
	Parts []Unit   // parts of a compound, each at its position
	Pos   uint32   // position, counted from 0
	Fused bool     // whether this is a word with its number (IL-6, type 2), or a number with its unit (5 mg)

	// Name and Number are the parts of a short name with a number from 1 to 20, in Arabic or Roman
	// digits: igf and 1 for IGF-1 and IGF-I. They are "" for other units and for words such as type.
	Name   string
	Number int
}

// An Analyzer splits text into terms. It keeps buffers and a cache of stems, so it must not be
// used by several goroutines at the same time. The slices it returns are valid until the next
// call; the strings in them stay valid.
type Analyzer struct {
	folded []byte
	low    []byte
	join   []byte
	atoms  []atom
	units  []unit
	parts  []unit
	alts   []*term
	words  wordCache // words that were looked up recently
	older  wordCache // previous generation of words
	stem   stemmer
	query  bool // whether to treat single letters as capitals, and question words as stop words
}

// New returns an Analyzer.
func New() *Analyzer { return new(Analyzer) }

// Tokens appends the terms of text to dst, with the first word at position at, and returns the
// position after the last one. Positions never decrease.
func (a *Analyzer) Tokens(dst []store.Token, text string, at uint32) ([]store.Token, uint32) {
	a.query = false
	end := at
	for _, u := range a.analyze(text) {
		dst = appendUnit(dst, u, at)
		end = at + u.pos + u.width
	}
	return dst, end
}

func appendUnit(dst []store.Token, u unit, at uint32) []store.Token {
	if u.term != nil && u.term.text != "" {
		dst = append(dst, u.term.token(at+u.pos))
	}
	for _, t := range u.alts {
		dst = append(dst, t.token(at+u.pos))
	}
	for _, p := range u.parts {
		dst = appendUnit(dst, p, at)
	}
	return dst
}

// Query returns the units of the text of a query.
func (a *Analyzer) Query(text string) []Unit {
	a.query = true
	return exportUnits(a.analyze(text))
}

func exportUnits(units []unit) []Unit {
	var list []Unit
	for _, u := range units {
		x := Unit{Parts: exportUnits(u.parts), Pos: u.pos, Fused: u.fused, Number: u.number}
		if u.number > 0 {
			x.Name = u.name.text
		}
		if u.term != nil {
			x.Term = u.term.text
		}
		for _, t := range u.alts {
			x.Alts = append(x.Alts, t.text)
		}
		list = append(list, x)
	}
	return list
}

// A unit is a Unit with terms that a Batch can number quickly. term is nil for a stop word.
type unit struct {
	term       *term
	alts       []*term
	parts      []unit
	pos, width uint32
	fused      bool
	number     int   // Unit.Number; 0 in a text
	name       *term // Unit.Name; nil if number is 0
}

// A term is a term of the index.
type term struct {
	text  string
	entry postings.Entry
}

func (t *term) token(at uint32) store.Token {
	return store.Token{Term: t.text, Pos: at, Entry: &t.entry}
}

// spelled reports whether all parts are single letters, as in U.S. or i.v.
func spelled(parts []unit) bool {
	for _, p := range parts {
		if p.term != nil && len(p.term.text) > 1 || len(p.alts) > 0 {
			return false
		}
	}
	return len(parts) > 1
}

// maxElements is the maximum number of parts of a compound. A longer chain, such as a peptide
// or an address, is split into several compounds.
const maxElements = 8

func (a *Analyzer) analyze(text string) []unit {
	a.folded = fold(a.folded[:0], text)
	a.scan(a.folded)
	a.units, a.parts, a.alts = a.units[:0], a.parts[:0], a.alts[:0]
	pos := uint32(0)
	var starts [maxElements + 1]int
	for i := 0; i < len(a.atoms); {
		u, next := a.element(i)
		if next == len(a.atoms) || a.atoms[next].glue < glueHyph { // not a compound, the usual case
			u.pos = pos
			a.units = append(a.units, u)
			pos += u.width
			i = next
			continue
		}
		first, from := i, len(a.parts)
		for {
			starts[len(a.parts)-from] = i
			u.pos = pos + uint32(len(a.parts)-from)
			a.parts = append(a.parts, u)
			last := i
			i = next
			if i == len(a.atoms) || a.atoms[i].glue < glueHyph || len(a.parts)-from == maxElements ||
				a.atoms[i-1].number() && a.atoms[i].number() && last == i-1 {
				break
			}
			u, next = a.element(i)
		}
		parts := a.parts[from:len(a.parts):len(a.parts)]
		u = parts[0]
		if spelled(parts) {
			u = unit{term: a.whole(first, i), pos: pos, width: 1}
		} else if len(parts) > 1 {
			starts[len(parts)] = i
			a.addSubstitutions(parts, starts[:len(parts)+1])
			u = unit{term: a.whole(first, i), parts: parts, pos: pos, width: uint32(len(parts))}
			if a.query && len(parts) == 2 && i-first == 2 {
				a.setName(&u, first)
			}
		}
		a.units = append(a.units, u)
		pos += u.width
	}
	return a.units
}

// addSubstitutions adds, within a longer compound, the term of each pair of parts that a
// scriptMark joins: brafv600e in BRAFV600E-mutant. starts holds the index of the first atom of
// each part, and the index after the last part.
func (a *Analyzer) addSubstitutions(parts []unit, starts []int) {
	for k := 1; len(parts) > 2 && k < len(parts); k++ {
		if a.atoms[starts[k]].glue == glueScript {
			parts[k-1].alts = append(parts[k-1].alts, a.whole(starts[k-1], starts[k+1]))
		}
	}
}

// element returns the unit of the atom at i, with the number or unit of measure that belongs to
// it, and the index of the next atom.
func (a *Analyzer) element(i int) (unit, int) {
	t := &a.atoms[i]
	w := a.lookup(t)
	u := unit{width: 1}
	alts := len(a.alts)
	next := i + 1
	name, member := a.name(i)
	switch {
	case member:
		u.term = w.raw
		a.alts = append(a.alts, a.word(append(append(a.join[:0], name...), t.text...)).stem)
	case a.takesNumber(i):
		for next++; next < len(a.atoms) && a.atoms[next].glue == glueTight && a.atoms[next].number(); next++ {
		}
		u.term, u.fused = a.whole(i, next), true
		if a.query && next == i+2 {
			a.setName(&u, i)
		}
		if len(w.stem.text) > 1 && !w.stop {
			a.alts = append(a.alts, w.stem)
		}
	case t.number() && next < len(a.atoms) && a.takesWord(i):
		n := a.lookup(&a.atoms[next])
		next++
		u.term, u.fused = a.word(append(append(a.join[:0], t.text...), n.stem.text...)).raw, true
		if len(n.stem.text) > 2 && !n.stop {
			a.alts = append(a.alts, n.stem)
		}
	case stops(t, w), a.query && w.asks && !t.caps && !t.plus:
	case len(name) > 0: // COVID19 gives the terms of COVID-19
		u.term, u.fused = w.stem, true
		a.alts = append(a.alts, a.word(name).stem)
	default:
		u.term = w.stem
		if t.caps && w.raw != w.stem && len(w.raw.text) <= maxSymbol {
			a.alts = append(a.alts, w.raw)
		}
		if a.letterNext(i) {
			a.alts = append(a.alts, a.whole(i, i+2))
		}
	}
	if t := &a.atoms[next-1]; t.plus {
		a.alts = append(a.alts, a.word(append(append(a.join[:0], u.term.text...), '+')).raw)
		if t.ion && !a.query { // the query Ca matches Ca2+; the query Ca2+ matches no other Ca
			a.alts = append(a.alts, a.word(t.text[:2]).raw)
		}
	}
	u.alts = a.alts[alts:len(a.alts):len(a.alts)]
	return u, next
}

// name returns the letters of a word that ends with a number: covid for COVID19. Shorter words
// are symbols. For a member of a series, it returns the name before the series: brca for the 2
// in BRCA1/2, mmp for the 9 in MMP-2/9.
func (a *Analyzer) name(i int) (name []byte, member bool) {
	t := &a.atoms[i]
	if !t.digit {
		return nil, false
	}
	j := i
	for j > 0 && i-j < maxElements && a.atoms[j].number() && a.atoms[j].glue == glueHyph && a.atoms[j-1].next == '/' {
		j--
	}
	first, least := &a.atoms[j], 5
	if j < i {
		least = 2
	}
	name = bytes.TrimRight(first.text, "0123456789")
	if j > 0 && j < i && len(name) == 0 && first.glue >= glueHyph {
		name = a.atoms[j-1].text
	}
	digits := len(first.text) - len(name)
	if len(name) < least || digits == 0 || digits > 3 || bytes.ContainsAny(name, "0123456789") {
		return nil, false
	}
	return name, j < i
}

// takesNumber reports whether the atom at i is a word and the next number is part of the same
// name, as in IL-6, p 53, type 2, COVID 19, HLA-A*02. After a space the number must be short,
// must not be a range or a percentage, and must have no unit. A decimal number is part of few
// names, such as PM 2.5.
func (a *Analyzer) takesNumber(i int) bool {
	if i+1 >= len(a.atoms) {
		return false
	}
	t, n := &a.atoms[i], &a.atoms[i+1]
	if !t.word() || !n.number() || n.point && !decimals()[string(t.text)] || n.glue == glueBreak {
		return false
	}
	if n.glue != glueSpace {
		return true
	}
	if stops(t, a.lookup(t)) || len(n.text) > 2 && (len(t.text) > 5 || len(n.text) > 4) {
		return false
	}
	if n.next == '%' || isDigit(n.after) && (n.next == '-' || n.next == '/' || n.next == '.') {
		return false
	}
	return i+2 >= len(a.atoms) || !a.takesWord(i+1)
}

// takesWord reports whether the number at i belongs to the next word: a unit (5 mg, 12-month),
// or the rest of a name (5-HT, 2-deoxyglucose).
func (a *Analyzer) takesWord(i int) bool {
	n := &a.atoms[i+1]
	switch {
	case !n.word():
		return false
	case n.glue == glueSpace:
		return a.lookup(n).unit
	}
	return n.glue >= glueHyph
}

// letterNext reports whether the atoms at i and i+1 are a word and a letter, or a letter and a
// word, that are also indexed as one term: vitamin A, T cell.
func (a *Analyzer) letterNext(i int) bool {
	if i+1 >= len(a.atoms) || a.atoms[i+1].glue != glueSpace {
		return false
	}
	t, n := &a.atoms[i], &a.atoms[i+1]
	if !t.word() || !n.word() || a.takesNumber(i+1) {
		return false
	}
	if a.letter(n) {
		// The a of "exerts a" in a query is an article, not part of a name.
		w := a.lookup(n)
		return len(t.text) > 1 && (n.upper || !w.stop && !w.asks || lettered()[string(t.text)])
	}
	if a.query && i > 0 && t.glue == glueSpace && lettered()[string(a.atoms[i-1].text)] {
		return false // the D of "vitamin D deficiency" belongs to vitamin
	}
	return a.letter(t) && !stops(n, a.lookup(n))
}

func (a *Analyzer) letter(t *atom) bool { return t.upper || a.query && len(t.text) == 1 && t.word() }

// stops reports whether an atom is a stop word. A word in capitals is a symbol (WHO, NO, OR),
// and so is the A in vitamin A and in A+.
func stops(t *atom, w *word) bool {
	return w.stop && !t.caps && !t.plus && (!t.upper || t.glue == glueBreak)
}

// whole returns the term of the atoms from i to j-1 written as one word.
func (a *Analyzer) whole(i, j int) *term {
	a.join = a.join[:0]
	for _, t := range a.atoms[i:j] {
		a.join = append(a.join, t.text...)
	}
	return a.word(a.join).stem
}

// lookup returns the cached properties of an atom's word.
func (a *Analyzer) lookup(t *atom) *word {
	if t.props == nil {
		t.props = a.word(t.text)
	}
	return t.props
}

// Words returns a function that returns the set of the words in a string, separated by blanks.
// The set is made in the first call.
func Words(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			m[w] = true
		}
		return m
	})
}

// stopWords are not indexed, but count as positions. They are function words in lower case,
// because no, or and who have other meanings in capitals. "not" is not a stop word, because a
// sentence means the opposite without it.
var stopWords = Words(`a an and are as at be been but by for from had has have if in into is it its of on or
	our than that the their then there these they this those to was we were which will with`)

// questionWords are left out of a query, in addition to stopWords.
var questionWords = Words(`about any can could did do does how i me may might my should some
	what when where who whom whose why would you your`)

// lettered holds words whose names continue with a letter, even in lower case in a query:
// vitamin a.
var lettered = Words(`vitamin hepatitis influenza group type class grade factor protein apolipoprotein
	haemophilia hemophilia immunoglobulin cyclosporin cyclosporine ciclosporin toxin subunit`)

// units holds the stems of units of measure. A number belongs to the unit after it.
var units = Words(`mg g kg ug ng pg mcg ml l dl ul mm cm m nm um km mmol mol umol nmol pmol iu u h hr hour min
	minut s sec second ms day week wk month mo year yr hz khz mhz gy cgy kda kb bp kcal kj mmhg fold percent degre`)

// decimals holds names that include a decimal number: particles by size (PM 2.5), ion channels
// (Nav 1.5).
var decimals = Words("pm nav cav kv kir")

// Prefix converts the beginning of a word to the beginning of its index terms: folded, written
// as one word, in American spelling.
func Prefix(text string) string {
	a := New()
	a.scan(fold(nil, text))
	var b strings.Builder
	for _, t := range a.atoms {
		b.Write(t.text)
	}
	return american(b.String())
}
