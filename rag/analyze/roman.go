package analyze

import (
	"strconv"
	"sync"
)

// numbered holds words that are followed by a Roman or an Arabic number: type II is type 2.
var numbered = Words(`angiotensin class classes collagen complement factor factors grade grades group groups
	phase phases stage stages type types`)

// numerals maps the Roman numerals from I to XX, in lower case, to Arabic digits.
var numerals = sync.OnceValue(func() map[string][]byte {
	m := map[string][]byte{}
	for tens, ten := range []string{"", "x"} {
		for n, one := range []string{"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"} {
			m[ten+one] = []byte(strconv.Itoa(10*tens + n))
		}
	}
	m["xx"] = []byte("20")
	delete(m, "")
	return m
})

// readNumerals replaces Roman numerals after the words of numbered by Arabic digits, so that both
// have the same terms. It also replaces those of a series, as in grade I-III. A numeral of one
// letter must be a capital, except in a query.
func (a *Analyzer) readNumerals() {
	for i := 1; i < len(a.atoms); i++ {
		t, previous := &a.atoms[i], &a.atoms[i-1]
		if len(t.text) > len("xviii") || t.text[0] != 'i' && t.text[0] != 'v' && t.text[0] != 'x' || !t.word() {
			continue
		}
		inSeries := previous.roman && t.glue == glueHyph
		afterWord := (t.glue == glueSpace || t.glue == glueHyph) && numbered()[string(previous.text)]
		digits := numerals()[string(t.text)]
		if digits == nil || !inSeries && !afterWord || len(t.text) == 1 && !t.upper && !a.query {
			continue
		}
		t.text, t.digit, t.letter, t.caps, t.upper, t.roman = digits, true, false, false, false, true
		if inSeries {
			previous.after = digits[0] // a range, as in grade 1-3
		}
	}
}

// maxName is the maximum length of Unit.Name.
const maxName = 4

// setName sets the name and the number of a unit whose two atoms are at i, if they are a short name
// and a number. A Roman numeral must be a capital and joined to the name: IGF-I, but not Factor I.
func (a *Analyzer) setName(u *unit, i int) {
	name, n := &a.atoms[i], &a.atoms[i+1]
	w := a.lookup(name)
	if !name.word() || len(name.text) < 2 || len(name.text) > maxName || w.stop || numbered()[string(name.text)] {
		return
	}
	digits := n.text
	if n.word() && (n.upper || n.caps) && (name.caps || name.upper) {
		digits = numerals()[string(n.text)]
	}
	if number, err := strconv.Atoi(string(digits)); err == nil && number > 0 && number <= 20 {
		u.name, u.number = w.stem, number
	}
}

// Roman returns a number from 1 to 20 as a Roman numeral in lower case.
func Roman(n int) string {
	for text, digits := range numerals() {
		if string(digits) == strconv.Itoa(n) {
			return text
		}
	}
	return ""
}
