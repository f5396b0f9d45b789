package entreztest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

const maxLinks = 100

// links returns the links of one name from a set of IDs, with the sum of their scores.
func (s *Server) links(name string, ids []string) []scoredLink {
	totals := map[string]int{}
	for _, id := range ids {
		r := s.corpus.getID(id)
		if r == nil {
			continue
		}
		for _, l := range s.linksOf(name, r) {
			totals[l.ID] += l.Score
		}
	}
	out := make([]scoredLink, 0, len(totals))
	for id, score := range totals {
		out = append(out, scoredLink{id, score})
	}
	slices.SortFunc(out, func(a, b scoredLink) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(atoi32(b.ID), atoi32(a.ID)))
	})
	return out
}

func (s *Server) linksOf(name string, r *record) []scoredLink {
	c := s.corpus
	switch name {
	case "pubmed_pubmed":
		return s.similar(r, func(*record) bool { return true })
	case "pubmed_pubmed_five":
		links := s.similar(r, func(*record) bool { return true })
		return links[:min(len(links), 6)]
	case "pubmed_pubmed_reviews":
		return s.similar(r, func(other *record) bool { return other.review })
	case "pubmed_pubmed_citedin":
		var out []scoredLink
		for _, o := range c.alive(c.citedBy[r.pmid]) {
			out = append(out, scoredLink{ID: c.records[o].id()})
		}
		return out
	case "pubmed_pubmed_refs":
		var out []scoredLink
		for _, pmid := range r.references {
			out = append(out, scoredLink{ID: fmt.Sprint(pmid)})
		}
		return out
	case "pubmed_pmc":
		if r.pmcid != "" {
			return []scoredLink{{ID: strings.TrimPrefix(r.pmcid, "PMC")}}
		}
	case "pubmed_pmc_refs":
		var out []scoredLink
		for _, o := range c.alive(c.citedBy[r.pmid]) {
			if pmcid := c.records[o].pmcid; pmcid != "" {
				out = append(out, scoredLink{ID: strings.TrimPrefix(pmcid, "PMC")})
			}
		}
		return out
	}
	return nil
}

// similar ranks the records that share words and headings with r, with more weight for rare ones.
// Like NCBI's list it begins with r itself. If r shares nothing rare with another record, it
// returns nil.
func (s *Server) similar(r *record, keep func(*record) bool) []scoredLink {
	c := s.corpus
	total := float64(c.live)
	scores := map[ord]float64{}
	seen := map[wordID]bool{}
	weigh := func(p []ord, times float64) {
		if len(p) < 2 || float64(len(p)) > max(total/4, 2) {
			return
		}
		w := times * math.Log(total/float64(len(p)))
		for _, o := range p {
			scores[o] += w
		}
	}
	for _, w := range r.text {
		if w >= numMarks && !seen[w] {
			seen[w] = true
			weigh(c.alive(c.posting[w]), 1)
		}
	}
	for _, h := range r.headings {
		weigh(c.alive(c.terms["MESH"][h]), 3)
	}
	self := c.byPMID[r.pmid]
	out := []scoredLink{}
	for o, score := range scores {
		if o != self && keep(c.records[o]) {
			out = append(out, scoredLink{c.records[o].id(), int(score * 100000)})
		}
	}
	if len(out) == 0 {
		return nil
	}
	slices.SortFunc(out, func(a, b scoredLink) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(atoi32(b.ID), atoi32(a.ID)))
	})
	out = out[:min(len(out), maxLinks-1)]
	return slices.Insert(out, 0, scoredLink{r.id(), int(scores[self]*100000) + 1})
}
