package ctgov

import (
	"slices"
	"strings"
	"unicode"
)

// operators are the words that Essie takes for operators, written in capitals
// (https://clinicaltrials.gov/find-studies/constructing-complex-search-queries).
// ALL, every study, is a leukaemia as well.
var operators = []string{
	"ALL", "AND", "AREA", "CONTEXT", "COVERAGE", "EXPANSION", "MAX", "MIN", "MISSING", "NOT", "OR", "RANGE", "SEARCH", "TILT",
}

// structure are the characters that are part of an expression's structure.
const structure = `()[]{}"\,`

// Words is text as an expression that searches for its words, as a user of the
// registry's search form means them, and for what is in double quotes as a phrase.
// Operators and brackets in it are words like others: an operator is escaped by a
// backslash, a word with a bracket or a comma in it is a phrase, and both are joined
// to the other words by AND, which is what an AND between words says. "" where there is
// no word in it.
func Words(text string) string {
	e, _ := Read(text)
	return e
}

// Changed is what of a text [Words] does not search for as it was typed: what is left
// out, the operators that are words, and the words that are phrases.
type Changed struct{ Left, Literal, Phrases []string }

// Read is [Words], with what it changed.
func Read(text string) (expression string, changed Changed) {
	parts := strings.Split(text, `"`)
	if len(parts)%2 == 0 { // an odd quote quotes nothing
		parts = []string{strings.Join(parts, " ")}
		changed.Left = append(changed.Left, `"`)
	}
	var terms, plain []string
	end := func() {
		if len(plain) > 0 {
			terms, plain = append(terms, strings.Join(plain, " ")), nil
		}
	}
	after := -1 // how many terms there were before an AND
	for i, part := range parts {
		if i%2 == 1 {
			if p := phrase(part); p != "" {
				end()
				terms = append(terms, p)
			}
			continue
		}
		for _, w := range strings.FieldsFunc(part, notText) {
			whole := strings.Trim(w, ",")
			switch typed, word := w, strings.Trim(w, structure); {
			case typed == "AND":
				if end(); len(terms) == 0 || after == len(terms) {
					changed.Left = append(changed.Left, typed)
				}
				after = len(terms)
			case !strings.ContainsFunc(word, IsWord):
				if whole != "" {
					changed.Left = append(changed.Left, typed)
				}
			case strings.ContainsAny(word, structure):
				end()
				terms = append(terms, phrase(whole))
				changed.Phrases = append(changed.Phrases, whole)
			case slices.Contains(operators, word):
				plain = append(plain, `\`+word)
				if word == "OR" || word == "NOT" || word == "AND" {
					changed.Literal = append(changed.Literal, word)
				}
			default:
				plain = append(plain, word)
			}
		}
	}
	if end(); len(terms) > 0 && after == len(terms) {
		changed.Left = append(changed.Left, "AND")
	}
	return strings.Join(terms, " AND "), changed
}

// All is an expression that asks for each of the words in a text exactly as it is
// written, "" if there is none.
func All(text string) string {
	var terms []string
	for _, w := range strings.FieldsFunc(text, notText) {
		if p := phrase(w); p != "" {
			terms = append(terms, p)
		}
	}
	return strings.Join(terms, " AND ")
}

// In asks for an expression in any of some areas.
func In(expression string, areas ...string) string {
	var terms []string
	for _, a := range areas {
		terms = append(terms, "AREA["+a+"]("+expression+")")
	}
	return "(" + strings.Join(terms, " OR ") + ")"
}

// Both is what all of some expressions ask for, which may be empty.
func Both(expressions ...string) string {
	given := slices.DeleteFunc(slices.Clone(expressions), func(e string) bool { return e == "" })
	if len(given) < 2 {
		return strings.Join(given, "")
	}
	return "(" + strings.Join(given, ") AND (") + ")"
}

// Molecular asks for the words of a gene or a mutation, exactly as they are written,
// where a study names such: in its criteria, titles, summary and keywords. "" where
// there is no word.
func Molecular(text string) string {
	e := All(text)
	if e == "" {
		return ""
	}
	return In(e, "EligibilityCriteria", "BriefTitle", "OfficialTitle", "BriefSummary", "Keyword")
}

// phrase is text in double quotes, without such quotes and backslashes in it.
func phrase(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return notText(r) || r == '"' || r == '\\' }), " ")
	if !strings.ContainsFunc(text, IsWord) {
		return ""
	}
	return `"` + text + `"`
}

// IsWord reports whether a sign is part of a word.
func IsWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func notText(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == unicode.ReplacementChar
}
