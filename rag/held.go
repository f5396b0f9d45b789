package rag

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
	"biomcp/rag/analyze"
	"biomcp/store"
)

// MaxCounted is the maximum result of CountDocuments.
const MaxCounted = 100

// CountDocuments returns the number of documents of a corpus that a word search for a query finds.
func CountDocuments(ctx context.Context, corpus *store.Store, q Query, f store.Filter) (int, error) {
	const chunks = 10 * MaxCounted // few documents have more than ten chunks
	hits, err := corpus.Search(ctx, q.Lexical, q.Filtered(f), chunks)
	found := map[record.PMID]bool{}
	for _, h := range hits {
		found[h.PMID] = true
	}
	return min(len(found), MaxCounted), err
}

// comma matches a comma that is not inside a number such as 1,234.
var comma = pattern.Lazy(`(\D|^),|,(\D|$)`)

// MatchedWords returns the words of a query that a document contains, and all words of the query. words
// are as typed, without duplicates, stop words, excluded parts and prefixes. A document
// contains a word in any spelling that a word search finds, as it is typed, or as another name by
// which the query was widened. A word and its number (type 2) count if the document has them as one name.
func (q Query) MatchedWords(d *store.Document) (matched, words []string) {
	c := NewCutter()
	bag := NewBag(c.Tokens(d.Title, d.Abstract, Subjects(d)))
	typed := strings.FieldsFunc(comma().ReplaceAllString(q.Text, "$1 $2"), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`;:?!()"“”`, r)
	})
	text := "" // made for the first word that the analysis does not find
	for i, w := range typed {
		if slices.ContainsFunc(words, func(o string) bool { return strings.EqualFold(o, w) }) || !c.indexed(w) {
			continue
		}
		words = append(words, w)
		asWord := c.holds(bag, w) || q.otherName(w, func(name string) bool { return c.holds(bag, name) })
		withPrevious := i > 0 && c.holdsName(bag, typed[i-1]+" "+w)
		withNext := i+1 < len(typed) && c.holdsName(bag, w+" "+typed[i+1])
		found := asWord || withPrevious || withNext
		if !found {
			text = cmp.Or(text, plainText(d.Title+"\n"+d.Abstract))
			found = containsWord(text, plainText(w))
		}
		if found {
			matched = append(matched, w)
		}
	}
	return matched, words
}

// plainText returns text in lower case, with Unicode's compatibility forms replaced: µ (micro) by
// μ (mu), ₂ by 2.
func plainText(text string) string { return strings.ToLower(norm.NFKC.String(text)) }

// containsWord reports whether word occurs in text without a letter or digit directly beside it. The
// analysis joins a number to the word beside it (age 63, 5 μg), so the number or unit alone is
// not a term of such a text.
func containsWord(text, word string) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
	for at := 0; word != ""; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at+i])
		after, _ := utf8.DecodeRuneInString(text[at+i+len(word):])
		if !inWord(before) && !inWord(after) {
			return true
		}
		at += i + len(word)
	}
	return false
}

// otherName reports whether a term with this word was widened by a name for which is returns
// true.
func (q Query) otherName(word string, is func(name string) bool) bool {
	return slices.ContainsFunc(q.Widened, func(w Widening) bool {
		inTerm := slices.ContainsFunc(strings.Fields(w.Term), func(t string) bool { return strings.EqualFold(t, word) })
		return inTerm && slices.ContainsFunc(w.All, is)
	})
}

// indexed reports whether the analysis of a word gives any term.
func (c *Cutter) indexed(word string) bool {
	return slices.ContainsFunc(c.a.Query(word), func(u analyze.Unit) bool { return u.Term != "" })
}

// holds reports whether a text contains every part of a word.
func (c *Cutter) holds(bag Bag, word string) bool {
	return !slices.ContainsFunc(c.a.Query(word), func(u analyze.Unit) bool { return u.Term != "" && !bag.hasUnit(u) })
}

// holdsName reports whether two words form one name and a text contains it.
func (c *Cutter) holdsName(bag Bag, words string) bool {
	units := c.a.Query(words)
	return len(units) == 1 && units[0].Term != "" && bag.hasUnit(units[0])
}

// hasUnit reports whether a text contains a unit in one of its spellings.
func (b Bag) hasUnit(u analyze.Unit) bool {
	if len(b[u.Term]) > 0 || slices.ContainsFunc(u.Alts, func(t string) bool { return len(b[t]) > 0 && !u.Fused }) {
		return true
	}
	absent := func(p analyze.Unit) bool { return p.Term != "" && !b.hasUnit(p) }
	return len(u.Parts) > 0 && !slices.ContainsFunc(u.Parts, absent)
}
