package entreztest

import (
	"fmt"
	"slices"
	"strings"
)

// This file implements a simple form of automatic term mapping (PubMed User Guide, "Automatic Term
// Mapping"). The longest run of untagged words that is a MeSH heading, a journal or an author is
// translated. The remaining words are searched in all fields, one by one. There is no MeSH tree,
// and no entry terms except those set by a test, so that headings do not explode.

const maxMappedWords = 8 // maximum number of words of a heading or journal title

// mapTerms evaluates a run of untagged words.
func (s *search) mapTerms(words []string) match {
	if m, ok := s.identifiers(words); ok {
		return m
	}
	var parts []match
	for i := 0; i < len(words); {
		m, used := s.longest(words[i:])
		if used == 0 {
			m, used = s.single(words[i]), 1
		}
		i += used
		if !m.dropped {
			parts = append(parts, m)
		}
	}
	if len(parts) == 0 {
		return match{dropped: true}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	var out match
	var texts []string
	for i, p := range parts {
		if i == 0 {
			out.ords = p.ords
		} else {
			out.ords = intersect(out.ords, p.ords)
		}
		if !p.atom {
			p.text = "(" + p.text + ")"
		}
		texts = append(texts, p.text)
	}
	out.text = strings.Join(texts, " AND ")
	return out
}

// longest evaluates the longest prefix of words that is a heading, a journal or an author. used is
// the number of its words, or 0 if there is none.
func (s *search) longest(words []string) (m match, used int) {
	for n := min(len(words), maxMappedWords); n > 0; n-- {
		run := strings.Join(words[:n], " ")
		if strings.HasSuffix(run, "*") || n == 1 && stopWords[strings.ToLower(run)] {
			continue
		}
		key := fold(run)
		if key == "" {
			continue
		}
		var to, text []string
		var ords []ord
		if ui, ok := s.corpus.headUIs[key]; ok {
			if name := fold(s.corpus.headings[ui].Terms[0]); s.corpus.headings[ui].isDescriptor() {
				ords = s.corpus.alive(s.corpus.terms["MESH"][name])
				to = append(to, `"`+name+`"[MeSH Terms]`)
			} else {
				ords = s.corpus.alive(s.corpus.terms["SUBS"][name])
				to = append(to, `"`+name+`"[Supplementary Concept]`)
			}
			text = to
		} else if j, ok := s.corpus.journals[key]; ok {
			ords = s.corpus.alive(s.corpus.terms["JOUR"][key])
			to = append(to, fmt.Sprintf(`"%s"[Journal:__jid%s]`, j.abbreviation, j.nlmID))
			text = append(text, `"`+fold(j.abbreviation)+`"[Journal]`)
		}
		if len(ords) == 0 {
			if n > 1 && isAuthor(words[:n]) {
				if found := s.person(fieldByCode["FULL"], termNode{}, key, false); len(found) > 0 {
					author := key + "[Author]"
					s.translations = append(s.translations, Translation{run, author})
					return match{ords: found, text: author, atom: true}, n
				}
			}
			continue
		}
		words := wordsOf(run)
		s.wants(words)
		if len(words) > 1 {
			if found, translation, ok := s.split(fieldByCode["ALL"], words); ok {
				ords = union(ords, found)
				to, text = append(to, "("+translation+")"), append(text, "("+translation+")")
			}
		}
		for _, form := range s.forms(key, words) {
			ords = union(ords, s.corpus.phrase(wordsOf(form), false, segAny, -1))
			to, text = append(to, `"`+form+`"[All Fields]`), append(text, `"`+form+`"[All Fields]`)
		}
		s.translations = append(s.translations, Translation{run, strings.Join(to, " OR ")})
		return match{ords: ords, text: strings.Join(text, " OR "), atom: len(text) == 1}, n
	}
	return match{}, 0
}

// forms returns the term and, for a single word, its singular or plural, without those that no
// record has.
func (s *search) forms(key string, words []string) []string {
	var out []string
	if len(words) == 1 {
		out = append(out, s.number(key))
	}
	out = append(out, key)
	return slices.DeleteFunc(out, func(form string) bool {
		return form == "" || len(s.corpus.phrase(wordsOf(form), false, segAny, -1)) == 0
	})
}

// number returns the singular of a plural word, or the plural of a singular one, or "" if the
// vocabulary lacks it.
func (s *search) number(w string) string {
	other := w + "s"
	if strings.HasSuffix(w, "s") {
		other = strings.TrimSuffix(w, "s")
	}
	if len(w) < 4 {
		return ""
	}
	if _, ok := s.corpus.words[other]; ok {
		return other
	}
	return ""
}

// single evaluates one untagged word in all fields.
func (s *search) single(w string) match {
	lower := strings.ToLower(w)
	switch {
	case stopWords[lower]:
		s.ignored = append(s.ignored, lower)
		return match{dropped: true}
	case lower == "hasabstract":
		return s.term(termNode{text: lower, tag: "Filter", field: fieldByCode["FILT"]})
	}
	n := termNode{text: w, field: fieldByCode["ALL"]}
	words := wordsOf(w)
	if len(words) == 1 && !strings.HasSuffix(w, "*") {
		if forms := s.forms(words[0], words); len(forms) > 1 {
			s.wants(words)
			var ords []ord
			var text []string
			for _, form := range forms {
				ords = union(ords, s.corpus.phrase([]string{form}, false, segAny, -1))
				text = append(text, `"`+form+`"[All Fields]`)
			}
			to := strings.Join(text, " OR ")
			s.translations = append(s.translations, Translation{w, to})
			return match{ords: ords, text: to}
		}
	}
	// A word with punctuation is a phrase here, and is not split.
	ords, translation, ok := s.lookUp(n.field, termNode{text: w, field: n.field, quoted: true})
	if !ok {
		s.notFound = append(s.notFound, w)
		return match{dropped: true}
	}
	return match{ords: ords, text: translation, atom: true}
}

// identifiers evaluates a list of PMIDs, DOIs and PMCIDs. It returns false if a word is not one of
// these, or is unknown.
func (s *search) identifiers(words []string) (match, bool) {
	var ords []ord
	var text []string
	for _, w := range words {
		w = strings.Trim(w, ",")
		switch {
		case strings.Trim(w, "0123456789") == "" && len(w) >= 4:
			o, ok := s.corpus.byPMID[atoi32(w)]
			if !ok {
				return match{}, false
			}
			ords = union(ords, []ord{o})
			text = append(text, w+"[UID]")
		case strings.HasPrefix(w, "10.") && strings.Contains(w, "/"), strings.HasPrefix(strings.ToUpper(w), "PMC"):
			found := s.corpus.alive(s.corpus.terms["PID"][fold(w)])
			if len(found) == 0 {
				return match{}, false
			}
			ords = union(ords, found)
			text = append(text, `"`+strings.ToLower(w)+`"[All Fields]`)
		default:
			return match{}, false
		}
	}
	return match{ords: ords, text: strings.Join(text, " OR "), atom: len(text) == 1}, len(text) > 0
}

func atoi32(s string) uint32 {
	var n uint64
	for i := range len(s) {
		if n = n*10 + uint64(s[i]-'0'); n > 1<<32-1 {
			return 0
		}
	}
	return uint32(n)
}

// isAuthor reports whether words are a name with initials in capitals, such as "Smith JA" or "de la
// Cruz M".
func isAuthor(words []string) bool {
	last := words[len(words)-1]
	return len(last) <= 3 && strings.ToUpper(last) == last && strings.ToLower(last) != last
}
