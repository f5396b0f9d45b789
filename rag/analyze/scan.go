package analyze

import (
	"bytes"
	"unicode/utf8"
)

// glue is the kind of separator between an atom and the preceding one.
type glue uint8

const (
	glueBreak  glue = iota // punctuation, a new line, or the start
	glueSpace              // blanks
	glueHyph               // a hyphen, a slash or an underscore
	glueTight              // nothing, or a mark that is optional in names
	glueScript             // nothing, and one of the two is raised, lowered or a substitution
)

// An atom is a sequence of letters and digits.
type atom struct {
	text   []byte // in lower case, within Analyzer.low
	glue   glue
	next   byte // the byte after it, 0 at the end
	after  byte // the byte after next
	letter bool // has a letter
	digit  bool // has a digit
	point  bool // is a number with a decimal point
	caps   bool // is written like a symbol: KRAS, mRNA
	upper  bool // is one capital letter
	plus   bool // CD8+, Ca2+
	ion    bool // Ca2+
	roman  bool // is a number that was written as a Roman numeral
	props  *word
}

func (t *atom) number() bool { return t.digit && !t.letter }
func (t *atom) word() bool   { return t.letter && !t.digit }

const (
	maxAtom   = 64 // bytes; the rest of a longer atom is dropped, in texts and in queries
	maxSymbol = 6  // bytes; longer words in capitals are emphasis, not symbols
	caseless  = 24 // bytes; in a longer text without lower case, capitals mean nothing
)

// scan cuts folded text into atoms.
func (a *Analyzer) scan(s []byte) {
	a.atoms = a.atoms[:0]
	if cap(a.low) < 2*len(s)+2 { // room for every "0." before a bare point
		a.low = make([]byte, 0, 2*len(s)+2)
	}
	a.low = a.low[:0]
	cased := len(s) <= caseless || bytes.ContainsFunc(s, func(r rune) bool { return r >= 'a' && r <= 'z' })
	end := 0 // end of the preceding atom
	for i := 0; i < len(s); {
		if !isLetterOrDigit(s[i]) {
			i++
			continue
		}
		t := atom{glue: a.glueOf(s[end:i], s[i])}
		end = a.read(s, i, &t)
		t.caps = t.caps && cased
		t.plus = end < len(s) && s[end] == '+' && t.letter && len(t.text) <= maxSymbol
		t.ion = t.plus && end-i == 3 && isUpper(s[i]) && s[i+1] >= 'a' && s[i+1] <= 'z' && isDigit(s[i+2])
		if end < len(s) {
			t.next = s[end]
			if end+1 < len(s) {
				t.after = s[end+1]
			}
		}
		i = end
		a.split(t)
	}
	a.readNumerals()
}

func isLetterOrDigit(c byte) bool { return c != greekMark && c != scriptMark && isWordByte(c) }
func isUpper(c byte) bool         { return c >= 'A' && c <= 'Z' }

// glueOf returns the glue for the gap before an atom whose first byte is c.
func (a *Analyzer) glueOf(gap []byte, c byte) glue {
	if len(a.atoms) == 0 {
		return glueBreak
	}
	if len(gap) == 1 && gap[0] == ' ' { // the usual case
		return glueSpace
	}
	prev := &a.atoms[len(a.atoms)-1]
	script := bytes.IndexByte(gap, scriptMark) >= 0
	if gap = bytes.Trim(gap, string(greekMark)+string(scriptMark)); len(gap) == 0 {
		if script {
			return glueScript
		}
		return glueTight
	}
	if prev.plus {
		if gap = gap[1:]; len(gap) == 0 { // CD4+CD25+
			return glueHyph
		}
	}
	switch {
	case len(bytes.Trim(gap, " \t")) == 0:
		return glueSpace
	case len(gap) > 1:
		return glueBreak
	}
	switch gap[0] {
	case '-', '/', '_':
		return glueHyph
	case '.': // U.S., i.v., p.V600E, c.68
		if len(prev.text) == 1 && prev.letter {
			return glueTight
		}
	case '>': // c.3949G>T
		if len(prev.text) > 1 && prev.digit && isBase(prev.text[len(prev.text)-1]) && isBase(c|0x20) {
			return glueTight
		}
	case '*': // HLA-A*02:01
		if prev.letter && isDigit(c) {
			return glueTight
		}
	case ':':
		if prev.number() && prev.glue == glueTight && isDigit(c) {
			return glueTight
		}
	}
	return glueBreak
}

// read reads the atom that begins at s[i] and returns its end.
func (a *Analyzer) read(s []byte, i int, t *atom) int {
	from := len(a.low)
	if isDigit(s[i]) && i > 0 && s[i-1] == '.' && (i < 2 || !isWordByte(s[i-2])) {
		a.low = append(a.low, "0."...) // p<.05
		t.point = true
	}
	upper, lower := 0, 0
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case isDigit(c):
			t.digit = true
		case isUpper(c):
			t.letter = true
			upper++
			if upper > 1 || lower > 0 {
				t.caps = true
			}
			c |= 0x20
		case isLetterOrDigit(c):
			t.letter = true
			lower++
		case c == '\'':
			if i+1 < len(s) && s[i+1]|0x20 == 's' && (i+2 == len(s) || !isWordByte(s[i+2])) {
				i += 2 // Alzheimer's
			} else if i+1 < len(s) && isLetterOrDigit(s[i+1]) {
				continue // O'Brien
			} else {
				i++ // patients', 5'-end
			}
			return a.finish(from, upper, i, t)
		case c == '.' && t.digit && (!t.letter || isDigit(s[i-1])) && i+1 < len(s) && isDigit(s[i+1]):
			t.point = !t.letter // a point after letters is part of a name, as in Nav1.5
		case c == ',' && t.number() && thousands(s[i+1:]):
			continue
		default:
			return a.finish(from, upper, i, t)
		}
		if len(a.low)-from < maxAtom {
			a.low = append(a.low, c)
		}
	}
	return a.finish(from, upper, i, t)
}

func (a *Analyzer) finish(from, upper, end int, t *atom) int {
	for len(a.low)-from >= maxAtom-utf8.UTFMax && !utf8.Valid(a.low[from:]) { // cut within a rune
		a.low = a.low[:len(a.low)-1]
	}
	t.text = a.low[from:len(a.low):len(a.low)]
	t.upper = upper == 1 && len(t.text) == 1
	return end
}

// thousands reports whether s begins with exactly three digits, as in 1,200.
func thousands(s []byte) bool {
	return len(s) >= 3 && isDigit(s[0]) && isDigit(s[1]) && isDigit(s[2]) && (len(s) == 3 || !isDigit(s[3]))
}

var greekAffixes = [][]byte{
	[]byte("alpha"), []byte("beta"), []byte("gamma"), []byte("delta"), []byte("kappa"), []byte("omega"),
}

func isBase(c byte) bool { return c == 'a' || c == 'c' || c == 'g' || c == 't' || c == 'u' }

// split appends an atom, as two if it begins or ends with the name of a Greek
// letter, so that TNFalpha, TNF-alpha and TNF alpha have the same parts. Five
// letters must remain after the name (betaine and deltas are not split) or two
// before it; the b of NFkappaB is the exception. A gene with a substitution
// (BRAFV600E) is also split in two.
func (a *Analyzer) split(t atom) {
	at, glue := 0, glueTight
	if w := t.text; t.letter && len(w) > 4 {
		for _, g := range greekAffixes {
			if w[0] == g[0] && bytes.HasPrefix(w, g) && (len(w)-len(g) >= 5 || string(w[len(g):]) == "b") {
				at = len(g)
				break
			}
			if n := len(w) - len(g); w[len(w)-1] == 'a' && n > 0 && (n > 1 || isDigit(w[0])) && bytes.HasSuffix(w, g) {
				at = n
				break
			}
		}
	}
	if at == 0 && t.letter && t.digit {
		at, glue = substitution(t.text), glueScript
	}
	if at == 0 {
		a.atoms = append(a.atoms, t)
		return
	}
	head, tail := t, t
	head.text, head.next, head.after, head.plus = t.text[:at:at], t.text[at], 0, false
	tail.text, tail.glue = t.text[at:], glue
	for _, h := range []*atom{&head, &tail} {
		h.digit = bytes.ContainsAny(h.text, "0123456789")
		h.letter = bytes.ContainsFunc(h.text, func(r rune) bool { return r > '9' })
		h.caps = false
	}
	a.atoms = append(a.atoms, head, tail)
}
