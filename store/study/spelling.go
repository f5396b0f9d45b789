package study

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/pattern"
)

// mergeSpellings replaces values that differ in case and blanks alone by the most common
// spelling, the first one on a tie. It returns a sentence for each merged value.
func mergeSpellings(id string, values []string) (notices []string) {
	counts := map[string]int{}
	var distinct []string // in order of appearance
	for _, v := range values {
		if counts[v]++; counts[v] == 1 && v != "" {
			distinct = append(distinct, v)
		}
	}
	spellings := map[string][]string{} // by value without case and blanks
	for _, v := range distinct {
		key := foldValue(v)
		spellings[key] = append(spellings[key], v)
	}
	if len(spellings) == len(distinct) {
		return nil
	}
	instead := map[string]string{}
	for _, list := range spellings {
		if len(list) < 2 {
			continue
		}
		slices.SortStableFunc(list, func(a, b string) int { return counts[b] - counts[a] })
		notices = append(notices, fmt.Sprintf("%s: %s is one value, written %s", id, list[0], strings.Join(list, ", ")))
		for _, v := range list[1:] {
			instead[v] = list[0]
		}
	}
	for i, v := range values {
		values[i] = cmp.Or(instead[v], v)
	}
	slices.Sort(notices)
	return notices
}

func foldValue(v string) string { return strings.ToLower(strings.Join(strings.Fields(v), " ")) }

// ordinal matches a number, or a Roman numeral up to XX as a word of its own or before a letter
// as in IIIA.
var ordinal = pattern.Lazy(`[0-9]+|\b(?:XX|X?(?:IX|IV|V?I{0,3}))(?:[A-D]?[0-9]?)\b`)

var romanValue = pattern.Lazy(`^(XX|X?(?:IX|IV|V?I{0,3}))`)

// CompareNatural compares two values so that numbers and Roman numerals within them sort by
// size: grade 4 before grade 10, stage IIIA before stage IV. Case does not matter.
func CompareNatural(a, b string) int {
	x, y := splitOrdinals(a), splitOrdinals(b)
	for i := range min(len(x), len(y)) {
		if c := cmp.Or(strings.Compare(x[i].text, y[i].text), cmp.Compare(x[i].value, y[i].value),
			strings.Compare(x[i].rest, y[i].rest)); c != 0 {
			return c
		}
	}
	return cmp.Or(len(x)-len(y), strings.Compare(a, b))
}

// An ordinalPart is a text before an ordinal, the ordinal's value and its letter, such as the A
// of IIIA.
type ordinalPart struct {
	text  string
	value int
	rest  string
}

// splitOrdinals divides a value, in upper case, at its ordinals. The last part has no ordinal.
func splitOrdinals(v string) (parts []ordinalPart) {
	v = strings.ToUpper(v)
	from := 0
	for _, at := range ordinal().FindAllStringIndex(v, -1) {
		word := v[at[0]:at[1]]
		value, rest := ordinalValue(word, romanValue())
		if value == 0 && word != "0" {
			continue
		}
		parts = append(parts, ordinalPart{v[from:at[0]], value, rest})
		from = at[1]
	}
	return append(parts, ordinalPart{text: v[from:]})
}

func ordinalValue(word string, roman *regexp.Regexp) (value int, rest string) {
	if n, err := strconv.Atoi(word); err == nil {
		return n, ""
	}
	numeral := roman.FindString(word)
	digits := map[byte]int{'I': 1, 'V': 5, 'X': 10}
	for i := range len(numeral) {
		if d := digits[numeral[i]]; i+1 < len(numeral) && d < digits[numeral[i+1]] {
			value -= d
		} else {
			value += d
		}
	}
	return value, word[len(numeral):]
}

// Ordered reports whether categories have an order: each consists of the same words around one
// number or Roman numeral, such as Stage I, Stage II and Stage IV.
func Ordered(names []string) bool {
	var around string
	for i, name := range names {
		parts := splitOrdinals(name)
		if len(parts) != 2 {
			return false
		}
		if key := parts[0].text + "#" + parts[1].text; i == 0 {
			around = key
		} else if key != around {
			return false
		}
	}
	return len(names) > 1
}
