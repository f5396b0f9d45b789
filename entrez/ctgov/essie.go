package ctgov

import (
	"slices"
	"strings"
	"unicode"
)

// operators lists the words in capitals that Essie reads as operators
// (https://clinicaltrials.gov/find-studies/constructing-complex-search-queries). ALL, which finds
// every study, is also a leukaemia.
var operators = []string{
	"ALL", "AND", "AREA", "CONTEXT", "COVERAGE", "EXPANSION", "MAX", "MIN", "MISSING",
	"NOT", "OR", "RANGE", "SEARCH", "TILT",
}

// structure lists the characters that Essie reads as the structure of an expression.
const structure = `()[]{}"\,`

// Words returns an expression that searches for the words of text, as the registry's search form
// does, and for each quoted part as a phrase. It escapes operators with a backslash, and quotes
// words that contain brackets or commas. AND joins phrases to words, as an AND between words does.
// It returns "" if text has no words.
func Words(text string) string {
	e, _ := ParseWords(text)
	return e
}

// Changes lists the parts of a text that [Words] rewrites: those it drops (Left), the operators that it
// searches for as words (Literal), and the words that it searches for as phrases.
type Changes struct{ Dropped, Literal, Phrases []string }

// ParseWords is like [Words], and also returns what it changed.
func ParseWords(text string) (expression string, changed Changes) {
	parts := strings.Split(text, `"`)
	if len(parts)%2 == 0 { // an unpaired quote has no effect
		parts = []string{strings.Join(parts, " ")}
		changed.Dropped = append(changed.Dropped, `"`)
	}
	var terms, words []string
	endTerm := func() {
		if len(words) > 0 {
			terms, words = append(terms, strings.Join(words, " ")), nil
		}
	}
	termsBeforeAND := -1 // number of terms before the last AND
	for i, part := range parts {
		if i%2 == 1 {
			if p := phrase(part); p != "" {
				endTerm()
				terms = append(terms, p)
			}
			continue
		}
		for _, w := range strings.FieldsFunc(part, notText) {
			whole := strings.Trim(w, ",")
			switch typed, word := w, strings.Trim(w, structure); {
			case typed == "AND":
				if endTerm(); len(terms) == 0 || termsBeforeAND == len(terms) {
					changed.Dropped = append(changed.Dropped, typed)
				}
				termsBeforeAND = len(terms)
			case !strings.ContainsFunc(word, IsWord):
				if whole != "" {
					changed.Dropped = append(changed.Dropped, typed)
				}
			case strings.ContainsAny(word, structure):
				endTerm()
				terms = append(terms, phrase(whole))
				changed.Phrases = append(changed.Phrases, whole)
			case slices.Contains(operators, word):
				words = append(words, `\`+word)
				if word == "OR" || word == "NOT" || word == "AND" {
					changed.Literal = append(changed.Literal, word)
				}
			default:
				words = append(words, word)
			}
		}
	}
	if endTerm(); len(terms) > 0 && termsBeforeAND == len(terms) {
		changed.Dropped = append(changed.Dropped, "AND")
	}
	return strings.Join(terms, " AND "), changed
}

// All returns an expression that requires each word of text exactly as written, or "" if there are
// none.
func All(text string) string {
	var terms []string
	for _, w := range strings.FieldsFunc(text, notText) {
		if p := phrase(w); p != "" {
			terms = append(terms, p)
		}
	}
	return strings.Join(terms, " AND ")
}

// InAreas restricts an expression to any of the given search areas.
func InAreas(expression string, areas ...string) string {
	var terms []string
	for _, a := range areas {
		terms = append(terms, "AREA["+a+"]("+expression+")")
	}
	return "(" + strings.Join(terms, " OR ") + ")"
}

// And joins expressions with AND. It ignores empty ones.
func And(expressions ...string) string {
	nonEmpty := slices.DeleteFunc(slices.Clone(expressions), func(e string) bool { return e == "" })
	if len(nonEmpty) < 2 {
		return strings.Join(nonEmpty, "")
	}
	return "(" + strings.Join(nonEmpty, ") AND (") + ")"
}

// Molecular returns an expression that finds a gene or mutation, exactly as written, in the
// criteria, titles, summaries and keywords of studies. It returns "" if text has no words.
func Molecular(text string) string {
	e := All(text)
	if e == "" {
		return ""
	}
	return InAreas(e, "EligibilityCriteria", "BriefTitle", "OfficialTitle", "BriefSummary", "Keyword")
}

// phrase returns text in double quotes, without the quotes and backslashes in it, or "" if it has
// no words.
func phrase(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return notText(r) || r == '"' || r == '\\' }), " ")
	if !strings.ContainsFunc(text, IsWord) {
		return ""
	}
	return `"` + text + `"`
}

// IsWord reports whether r is a letter or a digit.
func IsWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func notText(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == unicode.ReplacementChar
}
