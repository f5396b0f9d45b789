package phenotype

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// A Query lists features of a patient, as indexes in Model.Terms.
type Query struct{ Present, Absent []int }

// Kind says how a disease has a feature of the query.
type Kind string

// The kinds of matches.
const (
	Exact    Kind = "exact"    // annotated with the term
	Specific Kind = "specific" // annotated with a more specific term
	General  Kind = "general"  // annotated with a more general term
	Related  Kind = "related"  // annotated with another term below a common ancestor
	Missing  Kind = "missing"  // not annotated, nor with a related term
	Excluded Kind = "excluded" // annotated as absent in the disease
	Unstated Kind = "unstated" // no annotation in the branch of the term, such as the mode of inheritance
)

// A Match compares a feature of the query with a disease.
type Match struct {
	Kind      Kind
	Term      int     // term of the annotation, or common ancestor if Related; -1 if there is none
	Frequency float64 // of Term in the disease
	Score     float64 // decimal logarithm of the likelihood ratio
}

// Ranked is a disease with its score. Present and Absent have a match for each feature of the query.
type Ranked struct {
	Disease         int // index in Model.Diseases
	Score           float64
	Present, Absent []Match
}

// Constants of LIRICAL.
const (
	falsePositive    = 0.01
	falseNegative    = 0.01
	excludedButFound = 0.001
	minBackground    = 0.0001
)

// Rank returns the diseases that have a present feature of q, exactly or by a more specific or more
// general term, the highest score first. Of equal ones, those
// with more exact matches and then with fewer annotations come first, then in the order of the model.
func (m *Model) Rank(q Query) []Ranked {
	s := newScorer(m, q)
	var out []Ranked
	for i := range m.Diseases {
		d := s.read(i)
		r := Ranked{Disease: i, Present: make([]Match, 0, len(q.Present)), Absent: make([]Match, 0, len(q.Absent))}
		found := false
		for _, term := range q.Present {
			match := s.present(d, term)
			found = found || slices.Contains([]Kind{Exact, Specific, General}, match.Kind)
			r.Present, r.Score = append(r.Present, match), r.Score+match.Score
		}
		if !found {
			continue
		}
		for _, term := range q.Absent {
			match := s.absent(d, term)
			r.Absent, r.Score = append(r.Absent, match), r.Score+match.Score
		}
		out = append(out, r)
	}
	for i := range out {
		out[i].Score = math.Round(out[i].Score*1e6) / 1e6 // sums of equal terms in another order are equal
	}
	slices.SortFunc(out, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.exact(), a.exact()),
			cmp.Compare(m.annotations(a.Disease), m.annotations(b.Disease)), cmp.Compare(a.Disease, b.Disease))
	})
	return out
}

// exact returns the number of present features that the disease is annotated with.
func (r *Ranked) exact() (n int) {
	for _, match := range r.Present {
		if match.Kind == Exact {
			n++
		}
	}
	return n
}

// A scorer compares diseases with the terms of a query and their ancestors, the watched terms.
type scorer struct {
	m          *Model
	watched    []int      // indexes of terms
	place      []int      // by term: its index in watched, or -1
	above      [][]uint64 // by term: the set of watched terms that it implies, itself included
	broad      []bool     // by watched term: the root or a main branch
	background []float64  // by watched term
	profile    profile
}

// A profile holds the watched terms of one disease.
type profile struct {
	frequency []float64 // by watched term, of the most frequent annotation that implies it; 0 if there is none
	source    []int     // term of that annotation
	direct    []bool    // annotated with the watched term itself
	lacks     []bool    // annotated as absent
}

func newScorer(m *Model, q Query) *scorer {
	s := &scorer{m: m, place: make([]int, len(m.Terms)), above: make([][]uint64, len(m.Terms))}
	for i := range s.place {
		s.place[i] = -1
	}
	for _, term := range slices.Concat(q.Present, q.Absent) {
		s.watch(term)
	}
	n := len(s.watched)
	s.broad, s.background = make([]bool, n), make([]float64, n)
	s.profile = profile{make([]float64, n), make([]int, n), make([]bool, n), make([]bool, n)}
	for i, term := range s.watched {
		isRoot := func(t int) bool { return len(m.Parents[t]) == 0 }
		s.broad[i] = isRoot(term) || slices.ContainsFunc(m.Parents[term], isRoot)
	}
	for i := range m.Diseases {
		for w, f := range s.read(i).frequency {
			s.background[w] += f
		}
	}
	for w := range s.background {
		s.background[w] = max(s.background[w]/float64(len(m.Diseases)), minBackground)
	}
	return s
}

// watch adds a term and its ancestors to the watched terms.
func (s *scorer) watch(term int) {
	if s.place[term] >= 0 {
		return
	}
	s.place[term] = len(s.watched)
	s.watched = append(s.watched, term)
	for _, p := range s.m.Parents[term] {
		s.watch(p)
	}
}

// implied returns the set of watched terms that a term implies. A term that is its own ancestor, in a damaged
// ontology, implies itself only.
func (s *scorer) implied(term int) []uint64 {
	if s.above[term] != nil {
		return s.above[term]
	}
	set := make([]uint64, len(s.watched)/64+1)
	s.above[term] = set
	if w := s.place[term]; w >= 0 {
		set[w/64] |= 1 << (w % 64)
	}
	for _, p := range s.m.Parents[term] {
		for i, word := range s.implied(p) {
			set[i] |= word
		}
	}
	return set
}

// each calls f with every watched term that a term implies.
func (s *scorer) each(term int, f func(watched int)) {
	for i, word := range s.implied(term) {
		for ; word != 0; word &= word - 1 {
			f(64*i + bits.TrailingZeros64(word))
		}
	}
}

// read sets the profile to the features of a disease.
func (s *scorer) read(disease int) *profile {
	p := &s.profile
	clear(p.frequency)
	clear(p.direct)
	clear(p.lacks)
	end := s.m.Ends[disease]
	for i := end - s.m.annotations(disease); i < end; i++ {
		term, frequency := int(s.m.Annotated[i]), float64(s.m.Frequencies[i])/steps
		w := s.place[term]
		switch {
		case frequency == 0 && w >= 0:
			p.lacks[w] = true
			continue
		case frequency == 0:
			continue
		case w >= 0:
			p.direct[w] = true
		}
		s.each(term, func(w int) {
			if frequency > p.frequency[w] {
				p.frequency[w], p.source[w] = frequency, term
			}
		})
	}
	return p
}

// present compares a feature that the patient has with a disease.
func (s *scorer) present(p *profile, term int) Match {
	own := s.place[term]
	lacks, branch, general := -1, false, -1
	best, bestRatio := -1, falsePositive
	s.each(term, func(w int) {
		switch {
		case p.lacks[w]:
			lacks = s.watched[w]
		case p.frequency[w] == 0:
			return
		case s.broad[w] && w != own:
			branch = branch || len(s.m.Parents[s.watched[w]]) > 0
			return
		}
		if p.direct[w] && (general < 0 || s.background[w] < s.background[general]) {
			general = w
		}
		if ratio := p.frequency[w] / s.background[w]; ratio > bestRatio {
			best, bestRatio = w, ratio
		}
	})
	switch {
	case p.direct[own]:
		return s.match(p, Exact, own, term, bestRatio)
	case p.frequency[own] > 0:
		return s.match(p, Specific, own, p.source[own], bestRatio)
	case lacks >= 0:
		return Match{Kind: Excluded, Term: lacks, Score: math.Log10(excludedButFound)}
	case general >= 0:
		return s.match(p, General, general, s.watched[general], bestRatio)
	case best >= 0:
		return s.match(p, Related, best, s.watched[best], bestRatio)
	case !branch:
		return Match{Kind: Unstated, Term: -1}
	}
	return Match{Kind: Missing, Term: -1, Score: math.Log10(falsePositive)}
}

// match returns the match by a term, with the frequency of a watched term.
func (s *scorer) match(p *profile, kind Kind, watched, term int, ratio float64) Match {
	return Match{Kind: kind, Term: term, Frequency: p.frequency[watched], Score: math.Log10(ratio)}
}

// absent compares a feature that the patient does not have with a disease.
func (s *scorer) absent(p *profile, term int) Match {
	own := s.place[term]
	background := min(s.background[own], 1-falseNegative)
	ratio := max(1-p.frequency[own], falseNegative) / (1 - background)
	switch {
	case p.direct[own]:
		return s.match(p, Exact, own, term, ratio)
	case p.frequency[own] > 0:
		return s.match(p, Specific, own, p.source[own], ratio)
	}
	match := Match{Kind: Missing, Term: -1, Score: math.Log10(ratio)}
	s.each(term, func(w int) {
		if p.lacks[w] {
			match.Kind, match.Term = Excluded, s.watched[w]
		}
	})
	return match
}
