package rag

import (
	"maps"
	"math"
	"slices"
	"strings"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// Constants of Evidence, measured in rag/evaluate/RESULTS.md.
const (
	roleShare    = 0.5  // value of a conclusion without a term of the query; all terms together have 1
	repeatShare  = 0.5  // value of a term that a chosen sentence has, relative to its first occurrence
	minEvidence  = 0.25 // minimum value of further sentences
	resultsRole  = 0.7  // role of a sentence in a section of results; one of conclusions has 1
	ellipsis     = "…"
	ellipsisRoom = len(" " + ellipsis + " ")
)

// Evidence returns the sentences of an abstract that answer the query best, at most limit bytes
// in all, in the order of the text. The value of a sentence is the sum of the weights of the
// query's terms in it, plus its role: sentences of conclusions and results come before those
// that describe the question, which often repeat the query without an answer. In an abstract
// without labels and headings, the role of a sentence grows with its place. A sentence that is
// longer than limit is cut at spaces around its first term. An ellipsis marks omitted text.
func (q Query) Evidence(a *analyze.Analyzer, d *store.Document, limit int) string {
	text := d.Abstract
	if len(text) <= limit {
		return text
	}
	wanted := q.termMatcher()
	e := newEvidence(a, d, wanted)
	chosen := e.choose(limit)
	if only := e.sentences[chosen[0]]; only.end-only.start > limit {
		return showExtents(text, cutSentence(text, only.extent, limit, a, wanted))
	}
	slices.Sort(chosen)
	var shown []extent
	for _, i := range chosen {
		s := e.sentences[i].extent
		if last := len(shown) - 1; last >= 0 && shown[last].end == s.start {
			shown[last].end = s.end
		} else {
			shown = append(shown, s)
		}
	}
	return showExtents(text, shown...)
}

// showExtents joins parts of a text with ellipses.
func showExtents(text string, shown ...extent) string {
	var parts []string
	end := 0
	for _, s := range shown {
		if s.start > end {
			parts = append(parts, ellipsis)
		}
		parts = append(parts, strings.TrimSpace(text[s.start:s.end]))
		end = s.end
	}
	if end < len(text) {
		parts = append(parts, ellipsis)
	}
	return strings.Join(parts, " ")
}

// evidence holds the sentences of an abstract, and the weights of the query's terms. A term
// weighs more if it is in few sentences. All weights together are 1.
type evidence struct {
	sentences []sentence
	weights   map[string]float64
}

type sentence struct {
	extent
	terms []string // distinct terms of the query
	role  float64  // 1 for a conclusion, 0 for background
}

func newEvidence(a *analyze.Analyzer, d *store.Document, wanted func(store.Token) string) *evidence {
	e := &evidence{sentencesOf(d), map[string]float64{}}
	var tokens []store.Token
	for i := range e.sentences {
		s := &e.sentences[i]
		tokens, _ = a.Tokens(tokens[:0], d.Abstract[s.start:s.end], 0)
		for _, t := range tokens {
			if w := wanted(t); w != "" && !slices.Contains(s.terms, w) {
				s.terms = append(s.terms, w)
				e.weights[w]++
			}
		}
	}
	sum := 0.0
	for term, n := range e.weights {
		e.weights[term] = math.Log(1 + float64(len(e.sentences))/n)
	}
	for _, term := range slices.Sorted(maps.Keys(e.weights)) { // a fixed order makes the sum reproducible
		sum += e.weights[term]
	}
	for term := range e.weights {
		e.weights[term] /= sum
	}
	return e
}

// choose returns the indexes of the best sentences that fit into limit bytes, at least one.
func (e *evidence) choose(limit int) (chosen []int) {
	room, covered := limit+ellipsisRoom, map[string]bool{}
	for {
		best, most := -1, 0.0
		for i, s := range e.sentences {
			if len(chosen) > 0 && s.end-s.start+ellipsisRoom > room || slices.Contains(chosen, i) {
				continue
			}
			value := s.role * roleShare
			for _, t := range s.terms {
				if covered[t] {
					value += e.weights[t] * repeatShare
				} else {
					value += e.weights[t]
				}
			}
			if best < 0 && len(chosen) == 0 || value > most && (len(chosen) == 0 || value >= minEvidence) {
				best, most = i, value
			}
		}
		if best < 0 {
			return chosen
		}
		chosen = append(chosen, best)
		room -= e.sentences[best].end - e.sentences[best].start + ellipsisRoom
		for _, t := range e.sentences[best].terms {
			covered[t] = true
		}
	}
}

// sentencesOf returns the sentences of an abstract with their roles. A heading that is a sentence
// by itself, such as "Results.", belongs to the next sentence.
func sentencesOf(d *store.Document) (all []sentence) {
	c := chunker{text: d.Abstract, pieces: split(nil, d.Abstract)}
	sections := c.labelledSections(d.Sections)
	if sections == nil {
		sections = c.headingSections()
	}
	extents := sentences(d.Abstract)
	label, at := "", 0
	for i := 0; i < len(extents); i++ {
		s := extents[i]
		for at < len(sections) && c.pieces[sections[at].from].start <= s.start {
			label = sections[at].label
			at++
		}
		if i+1 < len(extents) && label != "" && strings.TrimRight(d.Abstract[s.start:s.end], " .\n") == label {
			i++
			s.end = extents[i].end
		}
		role := roleOf(label)
		if label == "" {
			role = float64(i) / float64(max(1, len(extents)-1))
		}
		all = append(all, sentence{extent: s, role: role})
	}
	return all
}

// roleOf returns the role of the sentences of a section.
func roleOf(label string) (role float64) {
	for word := range strings.FieldsSeq(strings.ToLower(label)) {
		switch word = strings.Trim(word, ",:;&/"); {
		case concluding()[word]:
			return 1
		case reporting()[word]:
			role = resultsRole
		}
	}
	return role
}

// Words in the labels of sections that draw conclusions and that report results (sectionNames).
var (
	concluding = analyze.Words(`conclusion conclusions comment comments discussion implications interpretation
		recommendation recommendations relevance significance summary`)
	reporting = analyze.Words(`evidence finding findings observations result results`)
)
