package entreztest

import (
	"strings"
)

// espell answers espell.fcgi (DTD eSpell, capture espell). It replaces each unknown word with the
// closest known word within two edits, and the most frequent one of these.
func (s *Server) espell(c *call) reply {
	term := c.get("term")
	if term == "" {
		return espellReply(c.db(), "", "", "", "Empty query")
	}
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	var corrected, spelled strings.Builder
	changed := false
	rest := term
	for rest != "" {
		// Split off the next word and the characters before it.
		start := strings.IndexFunc(rest, func(r rune) bool { return r != ' ' && r != '(' && r != '"' })
		if start < 0 {
			start = len(rest)
		}
		before, tail := rest[:start], rest[start:]
		end := strings.IndexAny(tail, " ()\"[")
		if end < 0 {
			end = len(tail)
		}
		word := tail[:end]
		if word == "" && end < len(tail) { // punctuation alone
			word, end = tail[:1], 1
		}
		rest = tail[end:]
		better, ok := s.corpus.better(word)
		corrected.WriteString(before)
		if !ok {
			corrected.WriteString(word)
			spelled.WriteString(tag("Original", before+word))
			continue
		}
		changed = true
		corrected.WriteString(better)
		spelled.WriteString(tag("Original", before) + tag("Replaced", better))
	}
	if !changed {
		return espellReply(c.db(), term, "", "", "")
	}
	return espellReply(c.db(), term, corrected.String(), spelled.String(), "")
}

func espellReply(db, query, corrected, spelled, problem string) reply {
	empty := func(name, text string) string {
		if text == "" {
			return "<" + name + "/>"
		}
		return tag(name, text)
	}
	body := "<SpelledQuery/>"
	if spelled != "" {
		body = "<SpelledQuery>" + spelled + "</SpelledQuery>"
	}
	return xmlReply("<?xml version=\"1.0\"?>\n" +
		"<!DOCTYPE eSpellResult PUBLIC \"-//NLM//DTD eSpellResult, 23 November 2004//EN\" " +
		"\"https://www.ncbi.nlm.nih.gov/entrez/query/DTD/eSpell.dtd\">\n" +
		"<eSpellResult>\n\t" + tag("Database", db) + "\n\t" + tag("Query", query) + "\n\t" + empty("CorrectedQuery", corrected) +
		"\n\t" + body + "\n\t" + empty("ERROR", problem) + "\n</eSpellResult>\n")
}

// better returns a known word close to an unknown one. It returns false if the word is known, an
// operator or too short, or if no known word is close.
func (c *corpus) better(word string) (string, bool) {
	words := wordsOf(word)
	if len(words) != 1 || len(words[0]) < 4 || word == "AND" || word == "NOT" || strings.HasSuffix(word, "*") {
		return "", false
	}
	w := words[0]
	id, ok := c.words[w]
	isKnown := ok && len(c.alive(c.posting[id])) > 0
	if isKnown || strings.Trim(w, "0123456789") == "" {
		return "", false
	}
	best, bestDistance, bestFrequency := "", 3, 0
	for i, candidate := range c.spelling[numMarks:] {
		if d := len(candidate) - len(w); d > 2 || d < -2 || len(candidate) < 4 {
			continue
		}
		distance := editDistance(w, candidate, min(bestDistance, 2))
		frequency := len(c.posting[i+numMarks])
		isPreferred := frequency > bestFrequency || frequency == bestFrequency && candidate < best
		if distance < bestDistance || distance == bestDistance && distance <= 2 && isPreferred {
			best, bestDistance, bestFrequency = candidate, distance, frequency
		}
	}
	return best, best != ""
}

// editDistance returns the number of insertions, deletions and replacements of bytes between a and b, or limit+1 if
// there are more than limit.
func editDistance(a, b string, limit int) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			next := min(row[j+1]+1, row[j]+1)
			if a[i] == b[j] {
				next = min(next, diagonal)
			} else {
				next = min(next, diagonal+1)
			}
			diagonal, row[j+1] = row[j+1], next
			least = min(least, next)
		}
		if least > limit {
			return limit + 1
		}
	}
	return row[len(b)]
}
