package rag

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"biomcp/entrez/record"
	"biomcp/rag/analyze"
	"biomcp/store"
)

// Misspelt is a word of a query that is absent or rare in the corpus, with the most frequent
// word at edit distance one, and the number of chunks with that word.
type Misspelt struct {
	Word, Suggestion string
	Chunks           int64
}

const (
	// maxTypoChunks is the maximum number of chunks with a word that is checked. minRatio is
	// the minimum ratio of the chunks with the corrected word to them.
	maxTypoChunks, minRatio = 5, 100
	// maxSpelled is the maximum number of words of a query that are checked. minLetters is the
	// minimum length of a checked word: a short word has too many neighbours.
	maxSpelled, minLetters = 8, 5
)

// spell finds words of the query that may be misspelt, by the words of the corpus (distance one
// of F. Damerau, A technique for computer detection and correction of spelling errors, CACM 7,
// 1964). It also clears r.title if the corpus has no such title. It only checks words of the
// letters a to z, and works only in the first call.
func (r *run) spell(ctx context.Context) error {
	a := r.analyzer
	if r.analyzer = nil; a == nil || r.Corpus == nil {
		return nil
	}
	words := strings.FieldsFunc(r.answer.Query.Text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' || r >= '0' && r <= '9' || r > 127)
	})
	words = words[:min(len(words), maxSpelled)]
	owns := make([]string, len(words)) // looked up in one call, since every search does this
	for i, w := range words {
		if len(w) >= minLetters {
			owns[i] = plainTerm(a, w)
		}
	}
	have, err := r.Corpus.DocFreq(ctx, append(owns, r.title)...)
	if err != nil {
		return err
	}
	if have[len(owns)] == 0 {
		r.title = ""
	}
	for i, w := range words {
		own := owns[i]
		if own == "" || have[i] > maxTypoChunks {
			continue
		}
		terms, spelt := []string{own}, map[string]string{}
		for _, near := range oneLetterAway(strings.ToLower(w)) {
			term := plainTerm(a, near)
			if term == "" || term == own {
				continue
			}
			if spelt[term] == "" {
				terms = append(terms, term)
			}
			if len(near) > len(spelt[term]) { // prefer diabetes to diabets
				spelt[term] = near
			}
		}
		df, err := r.Corpus.DocFreq(ctx, terms...)
		if err != nil {
			return err
		}
		best := 1 + slices.Index(df[1:], slices.Max(df[1:]))
		if df[best] >= max(1, minRatio*df[0]) && r.isWord(ctx, a, spelt[terms[best]]) {
			r.answer.Misspelt = append(r.answer.Misspelt, Misspelt{w, spelt[terms[best]], df[best]})
		}
	}
	return nil
}

// isWord reports whether documents that contain the term of a word contain the word itself, as
// singular or plural. The term may come from other words only: "stati" has the term of status.
func (s *Searcher) isWord(ctx context.Context, a *analyze.Analyzer, word string) bool {
	hits, err := s.Index.Words(ctx, ParseQuery(a, word).Lexical, store.Filter{}, 20)
	if err != nil {
		return false
	}
	var pmids []record.PMID
	for _, h := range hits {
		pmids = append(pmids, h.PMID)
	}
	docs, _ := s.Corpus.DocumentsByPMID(ctx, pmids)
	for _, d := range docs {
		text := strings.ToLower(d.Title + " " + d.Abstract)
		for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if strings.TrimSuffix(w, "s") == strings.TrimSuffix(word, "s") {
				return true
			}
		}
	}
	return false
}

// plainTerm returns the term of a word that gives one term of the letters a to z, and ""
// otherwise.
func plainTerm(a *analyze.Analyzer, word string) string {
	units := a.Query(word)
	if len(units) != 1 || len(units[0].Parts) > 0 {
		return ""
	}
	if strings.ContainsFunc(units[0].Term, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return ""
	}
	return units[0].Term
}

// oneLetterAway returns the strings at edit distance one from word: a letter removed, added or
// replaced, or two adjacent ones exchanged.
func oneLetterAway(word string) (all []string) {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	for i := range len(word) + 1 {
		head, rest := word[:i], word[i:]
		for _, c := range letters {
			all = append(all, head+string(c)+rest)
			if rest != "" {
				all = append(all, head+string(c)+rest[1:])
			}
		}
		if rest != "" {
			all = append(all, head+rest[1:])
		}
		if len(rest) > 1 {
			all = append(all, head+rest[1:2]+rest[:1]+rest[2:])
		}
	}
	return all
}

// correctText replaces the misspelt words of a text.
func correctText(text string, misspelt []Misspelt) string {
	for _, m := range misspelt {
		word := regexp.MustCompile(`\b` + regexp.QuoteMeta(m.Word) + `\b`)
		text = word.ReplaceAllLiteralString(text, m.Suggestion)
	}
	return text
}
