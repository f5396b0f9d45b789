package cite

import (
	"cmp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/pubmed"
)

// A person is an author or editor. If group is set, it is a group, and the other fields are empty.
type person struct {
	family, givenNames, initials, suffix string
	group                                string
}

func people(authors []pubmed.Author) []person {
	var out []person
	for _, a := range authors {
		p := person{
			family: oneLine(a.LastName), givenNames: oneLine(a.ForeName), initials: oneLine(a.Initials),
			suffix: plainOrdinal().Replace(oneLine(a.Suffix)), group: trimTitle(a.CollectiveName),
		}
		if p.family == "" { // a single name
			p.family, p.givenNames = p.givenNames, ""
		}
		if p.family != "" || p.group != "" {
			out = append(out, p)
		}
	}
	return out
}

// plainOrdinal replaces superscript letters: "3ʳᵈ" becomes "3rd".
var plainOrdinal = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("ˢᵗ", "st", "ⁿᵈ", "nd", "ʳᵈ", "rd", "ᵗʰ", "th")
})

// givenNamesOrInitials returns the given names, or the initials if there are none.
func (p person) givenNamesOrInitials() string { return cmp.Or(p.givenNames, p.initials) }

// generation returns the suffix in its usual form. NLM's suffixes omit periods and use "3rd" instead
// of "III".
func (p person) generation() string {
	switch p.suffix {
	case "Jr", "Sr":
		return p.suffix + "."
	case "2nd":
		return "II"
	case "3rd":
		return "III"
	case "4th":
		return "IV"
	case "5th":
		return "V"
	case "6th":
		return "VI"
	}
	return p.suffix
}

// apaInitials returns the initials in APA's form (section 9.8): "Jean-Luc A" becomes "J.-L. A.".
func (p person) apaInitials() string {
	given := p.givenNames
	if given == "" { // "JLA"
		given = strings.Join(strings.Split(strings.ReplaceAll(p.initials, " ", ""), ""), " ")
		given = strings.ReplaceAll(given, " - ", "-")
	}
	var words []string
	for _, word := range strings.Fields(given) {
		var parts []string
		for _, part := range strings.FieldsFunc(word, func(r rune) bool { return r == '-' || r == '‐' || r == '.' }) {
			if first := firstLetter(part); first != "" {
				parts = append(parts, first+".")
			}
		}
		sep := "-"
		if !strings.ContainsAny(word, "-‐") { // "J.L."
			sep = " "
		}
		if len(parts) > 0 {
			words = append(words, strings.Join(parts, sep))
		}
	}
	return strings.Join(words, " ")
}

// firstLetter returns the first letter of a name, in upper case, with its accents and with a sign
// that a transcription writes before it, as in ʿAlī. It returns "" for a nickname in parentheses.
func firstLetter(s string) string {
	sign := ""
	for i, r := range s {
		switch {
		case unicode.Is(unicode.Lm, r) && sign == "":
			sign = string(r)
		case unicode.IsLetter(r):
			rest := s[i+utf8.RuneLen(r):]
			marks := len(rest) - len(strings.TrimLeftFunc(rest, func(r rune) bool { return unicode.Is(unicode.Mn, r) }))
			return sign + string(unicode.ToUpper(r)) + rest[:marks]
		case r == '(':
			return ""
		}
	}
	return ""
}

// mlaGivenNames returns the given names, with periods after single letters.
func (p person) mlaGivenNames() string {
	if p.givenNames == "" {
		return p.apaInitials()
	}
	words := strings.Fields(p.givenNames)
	for i, w := range words {
		if r := []rune(w); len(r) == 1 && unicode.IsUpper(r[0]) {
			words[i] = w + "."
		}
	}
	return strings.Join(words, " ")
}

// apa returns a name such as "Rossi, M. A., Jr.".
func (p person) apa() string {
	return cmp.Or(p.group, joinNonEmpty(", ", p.family, p.apaInitials(), p.generation()))
}

// apaAfterIn returns an editor's name after "In", such as "M. A. Rossi Jr.".
func (p person) apaAfterIn() string {
	return cmp.Or(p.group, joinNonEmpty(" ", p.apaInitials(), p.family, p.generation()))
}

// mlaFirst returns the name of the first author, such as "Rossi, Mario A., Jr.".
func (p person) mlaFirst() string {
	return cmp.Or(p.group, joinNonEmpty(", ", p.family, p.mlaGivenNames(), p.generation()))
}

// mlaNext returns the name of a later author, such as "Mario A. Rossi, Jr." or "Mario A. Rossi
// III".
func (p person) mlaNext() string {
	if p.group != "" {
		return p.group
	}
	name := joinNonEmpty(" ", p.mlaGivenNames(), p.family)
	if g := p.generation(); strings.HasSuffix(g, ".") {
		return name + ", " + g
	}
	return joinNonEmpty(" ", name, p.generation())
}

// nlm returns a name in NLM's form, such as "Rossi MA Jr".
func (p person) nlm() string {
	initials := cmp.Or(p.initials, strings.NewReplacer(".", "", " ", "", "-", "").Replace(p.apaInitials()))
	return cmp.Or(p.group, joinNonEmpty(" ", p.family, initials, p.suffix))
}

// invertedName returns a name for data formats, such as "Rossi, Mario A, Jr.".
func (p person) invertedName() string {
	if p.group != "" {
		return p.group
	}
	if g := p.generation(); g != "" {
		return p.family + ", " + p.givenNamesOrInitials() + ", " + g
	}
	return joinNonEmpty(", ", p.family, p.givenNamesOrInitials())
}
