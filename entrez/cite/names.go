package cite

import (
	"cmp"
	"strings"
	"unicode"

	"biomcp/entrez/pubmed"
)

// person is an author or editor, or, with group alone, a body of them.
type person struct {
	family, given, initials, suffix string
	group                           string
}

func people(authors []pubmed.Author) []person {
	var out []person
	for _, a := range authors {
		p := person{
			family: line(a.LastName), given: line(a.ForeName), initials: line(a.Initials),
			suffix: plainOrdinal(line(a.Suffix)), group: bareTitle(a.CollectiveName),
		}
		if p.family == "" { // one name only
			p.family, p.given = p.given, ""
		}
		if p.family != "" || p.group != "" {
			out = append(out, p)
		}
	}
	return out
}

// plainOrdinal is "3rd" where a record prints its letters raised.
var plainOrdinal = strings.NewReplacer("ˢᵗ", "st", "ⁿᵈ", "nd", "ʳᵈ", "rd", "ᵗʰ", "th").Replace

// fore is the given names, or the initials where those are all there is.
func (p person) fore() string { return cmp.Or(p.given, p.initials) }

// generations are suffixes as people write them; NLM has "3rd" for "III" and no stops.
var generations = map[string]string{"Jr": "Jr.", "Sr": "Sr.", "2nd": "II", "3rd": "III", "4th": "IV", "5th": "V", "6th": "VI"}

// generation is the suffix as people write it.
func (p person) generation() string { return cmp.Or(generations[p.suffix], p.suffix) }

// dotted is the initials in APA's way (section 9.8): "Jean-Luc A" is "J.-L. A.".
func (p person) dotted() string {
	given := p.given
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

func firstLetter(s string) string {
	for _, r := range s {
		if unicode.IsLetter(r) {
			return string(unicode.ToUpper(r))
		}
		if r == '(' { // a nickname
			return ""
		}
	}
	return ""
}

// spelled is the given names with stops after single letters.
func (p person) spelled() string {
	if p.given == "" {
		return p.dotted()
	}
	words := strings.Fields(p.given)
	for i, w := range words {
		if r := []rune(w); len(r) == 1 && unicode.IsUpper(r[0]) {
			words[i] = w + "."
		}
	}
	return strings.Join(words, " ")
}

// apa is "Rossi, M. A., Jr.".
func (p person) apa() string {
	return cmp.Or(p.group, joined(", ", p.family, p.dotted(), p.generation()))
}

// apaAfterIn is the name of an editor after "In": "M. A. Rossi Jr.".
func (p person) apaAfterIn() string {
	return cmp.Or(p.group, joined(" ", p.dotted(), p.family, p.generation()))
}

// mlaFirst is "Rossi, Mario A., Jr.", for the first author.
func (p person) mlaFirst() string {
	return cmp.Or(p.group, joined(", ", p.family, p.spelled(), p.generation()))
}

// mlaNext is "Mario A. Rossi, Jr.", or "Mario A. Rossi III".
func (p person) mlaNext() string {
	if p.group != "" {
		return p.group
	}
	name := joined(" ", p.spelled(), p.family)
	if g := p.generation(); strings.HasSuffix(g, ".") {
		return name + ", " + g
	}
	return joined(" ", name, p.generation())
}

// nlm is "Rossi MA Jr".
func (p person) nlm() string {
	initials := cmp.Or(p.initials, strings.NewReplacer(".", "", " ", "", "-", "").Replace(p.dotted()))
	return cmp.Or(p.group, joined(" ", p.family, initials, p.suffix))
}

// reversed is "Rossi, Mario A, Jr.", for machines.
func (p person) reversed() string {
	if p.group != "" {
		return p.group
	}
	if g := p.generation(); g != "" {
		return p.family + ", " + p.fore() + ", " + g
	}
	return joined(", ", p.family, p.fore())
}
