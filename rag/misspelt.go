package rag

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"biomcp/entrez/record"
	"biomcp/rag/analyze"
	"biomcp/store"
	"biomcp/store/table/entryterms"
)

// Misspelt is a word of a query that is absent or rare in the corpus, with the most frequent
// word at edit distance one, and the number of chunks with that word.
type Misspelt struct {
	Word, Suggestion string
	Chunks           int64
	// Replaced is set if the search was for Suggestion, because no chunk has Word. Query is the query
	// with Suggestion, and AsTyped the query that searches for Word.
	Replaced       bool
	Query, AsTyped string

	at extent // place of Word in the query
}

const (
	// maxTypoChunks is the maximum number of chunks with a word that is checked. minRatio is
	// the minimum ratio of the chunks with the corrected word to them.
	maxTypoChunks, minRatio = 5, 100
	// maxSymbol is the maximum length of a word in capitals that is taken for a symbol, which is not
	// checked.
	maxSymbol = 8
	// maxSpelled is the maximum number of words of a query that are checked. minLetters is the
	// minimum length of a checked word: a short word has too many neighbours.
	maxSpelled, minLetters = 8, 5
)

// spell finds words of the query that may be misspelt, by the words of the corpus (distance one
// of F. Damerau, A technique for computer detection and correction of spelling errors, CACM 7,
// 1964). It also clears r.title if the corpus has no such title. It only checks words of the
// letters a to z that are searched for, not those of a phrase or under NOT.
func (r *run) spell(ctx context.Context, text string) error {
	a := r.analyzer
	if r.Corpus == nil {
		return nil
	}
	var words []extent
	for _, part := range r.answer.Query.plain {
		words = append(words, spelledWords(text, part)...)
	}
	words = words[:min(len(words), maxSpelled)]
	owns := make([]string, len(words)) // looked up in one call, since every search does this
	for i, at := range words {
		w := text[at.start:at.end]
		if len(w) >= minLetters && !(len(w) <= maxSymbol && w == strings.ToUpper(w)) {
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
	for i, at := range words {
		if owns[i] == "" || have[i] > maxTypoChunks {
			continue
		}
		if err := r.spellWord(ctx, text, at, owns[i]); err != nil {
			return err
		}
	}
	return nil
}

// spelledWords returns the words of a part of a text.
func spelledWords(text string, part extent) (words []extent) {
	isPart := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' || r >= '0' && r <= '9' || r > 127
	}
	at := part.start
	for word := range strings.FieldsFuncSeq(text[part.start:part.end], func(r rune) bool { return !isPart(r) }) {
		at += strings.Index(text[at:part.end], word)
		words = append(words, extent{at, at + len(word)})
		at += len(word)
	}
	return words
}

// spellWord adds a word to the misspelt ones if the corpus has a near word much more often, and it is not a
// word of MeSH, such as smell. own is the term of the word.
func (r *run) spellWord(ctx context.Context, text string, at extent, own string) error {
	w := text[at.start:at.end]
	terms, spelt := []string{own}, map[string]string{}
	for _, near := range oneLetterAway(strings.ToLower(w)) {
		term := plainTerm(r.analyzer, near)
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
	if err != nil || len(terms) == 1 {
		return err
	}
	best := 1 + slices.Index(df[1:], slices.Max(df[1:]))
	suggestion := spelt[terms[best]]
	if df[best] < max(1, minRatio*df[0]) || entryterms.HasWord(w) || r.hasNames(ctx, w) ||
		!r.isWord(ctx, r.analyzer, suggestion) {
		return nil
	}
	r.answer.Misspelt = append(r.answer.Misspelt, Misspelt{
		Word: w, Suggestion: suggestion, Chunks: df[best], Replaced: df[0] == 0, at: at,
		Query:   text[:at.start] + suggestion + text[at.end:],
		AsTyped: text[:at.start] + `"` + w + `"` + text[at.end:],
	})
	return nil
}

// hasNames reports whether a word has other names, and so is no misspelling.
func (s *Searcher) hasNames(ctx context.Context, word string) bool {
	if s.Thesaurus == nil {
		return false
	}
	names, _ := s.Thesaurus(ctx, []string{word}) // widen reports the error
	return len(names[word].All) > 0
}

// searchInstead searches for a query whose misspelt words are replaced.
func (s *Searcher) searchInstead(ctx context.Context, text string, o Options, misspelt []Misspelt) (*Answer, error) {
	again, err := s.Search(ctx, text, o)
	if err == nil {
		again.Misspelt = append(misspelt, again.Misspelt...)
		again.Corrected = cmp.Or(again.Corrected, text)
	}
	return again, err
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

// correctText replaces misspelt words of a text, which are in its order.
func correctText(text string, misspelt []Misspelt) string {
	for _, m := range slices.Backward(misspelt) {
		text = text[:m.at.start] + m.Suggestion + text[m.at.end:]
	}
	return text
}
