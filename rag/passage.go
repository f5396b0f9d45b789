package rag

import (
	"slices"
	"strings"
	"unicode/utf8"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// Passage returns the part of a text that fits the query best: the sequence of whole
// sentences, at most limit bytes long, with the most distinct terms of the query, and the first
// such sequence. A sentence that is longer than limit is cut at spaces around its first term.
// An ellipsis marks omitted text. If no sentence has a term, Passage returns the beginning.
func (q Query) Passage(a *analyze.Analyzer, text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	wanted := q.termMatcher()
	spans := sentences(text)
	terms := make([][]string, len(spans))
	for i, s := range spans {
		tokens, _ := a.Tokens(nil, text[s.start:s.end], 0)
		for _, t := range tokens {
			if w := wanted(t); w != "" && !slices.Contains(terms[i], w) {
				terms[i] = append(terms[i], w)
			}
		}
	}
	best, most := extent{spans[0].start, spans[0].end}, -1
	for i := range spans {
		found := map[string]bool{}
		for j := i; j < len(spans) && (j == i || spans[j].end-spans[i].start <= limit); j++ {
			for _, t := range terms[j] {
				found[t] = true
			}
			if len(found) > most {
				best, most = extent{spans[i].start, spans[j].end}, len(found)
			}
		}
	}
	// Add the following sentences up to limit.
	for _, s := range spans {
		if s.start >= best.end && s.end-best.start <= limit {
			best.end = s.end
		}
	}
	if best.end-best.start > limit {
		best = cutSentence(text, best, limit, a, wanted)
	}
	return showExtents(text, best)
}

// termMatcher returns a function that returns the term or prefix of the query that a token
// matches, or "".
func (q Query) termMatcher() func(store.Token) string {
	terms := map[string]bool{}
	for _, t := range slices.Concat(q.Terms, q.Added) {
		terms[t] = true
	}
	return func(t store.Token) string {
		if terms[t.Term] {
			return t.Term
		}
		for _, p := range q.Prefixes {
			if strings.HasPrefix(t.Term, p) {
				return p
			}
		}
		return ""
	}
}

type extent struct{ start, end int }

// sentences splits a text into sentences without gaps.
func sentences(text string) []extent {
	pieces := split(nil, text)
	var out []extent
	start := 0
	for i := 1; i < len(pieces); i++ {
		if endsSentence(text, pieces, i) {
			out = append(out, extent{start, pieces[i].start})
			start = pieces[i].start
		}
	}
	return append(out, extent{start, len(text)})
}

// Sentences returns the sentences of a text, without the white space between them.
func Sentences(text string) (all []string) {
	for _, s := range sentences(text) {
		if one := strings.TrimSpace(text[s.start:s.end]); one != "" {
			all = append(all, one)
		}
	}
	return all
}

// cutSentence cuts a long sentence at spaces, so that its first term of the query is in the
// first third.
func cutSentence(text string, s extent, limit int, a *analyze.Analyzer, wanted func(store.Token) string) extent {
	first, at := s.start, s.start
	var tokens []store.Token
	for word := range strings.SplitAfterSeq(text[s.start:s.end], " ") {
		tokens, _ = a.Tokens(tokens[:0], word, 0)
		if slices.ContainsFunc(tokens, func(t store.Token) bool { return wanted(t) != "" }) {
			first = at
			break
		}
		at += len(word)
	}
	start := max(s.start, first-limit/3)
	for start > s.start && text[start-1] != ' ' {
		start--
	}
	end := min(s.end, start+limit)
	for end < s.end && end > start+limit/2 && text[end] != ' ' {
		end--
	}
	for end < s.end && !utf8.RuneStart(text[end]) {
		end--
	}
	return extent{start, end}
}
