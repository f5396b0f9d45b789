package entreztest

import (
	"net/http"
	"strings"
)

// relatedPairs lists the relations of the simulated PubTator3. The chemicals are fictitious.
var relatedPairs = []relatedPair{
	{"negative_correlate", "@GENE_BRAF", "@CHEMICAL_Other_Inventib", 3},
	{"negative_correlate", "@CHEMICAL_Syntheticinib", "@GENE_BRAF", 12},
	{"associate", "@GENE_BRAF", "@CHEMICAL_Inventane", 40},
	{"treat", "@CHEMICAL_Syntheticinib", "@DISEASE_Melanoma", 7},
}

// relatedPair is one row of PubTator3's relations.
type relatedPair struct {
	Type         string `json:"type"`
	Source       string `json:"source"`
	Target       string `json:"target"`
	Publications int    `json:"publications"`
}

// relations returns the relations of the concept e1. The parameter type selects a type of relation,
// and e2 a kind of concept.
func (s *Server) relations(c *call) reply {
	if c.get("e1") == "" {
		return jsonReply(http.StatusBadRequest, struct {
			Detail string `json:"detail"`
		}{"e1: give one"})
	}
	rows := []relatedPair{}
	for _, r := range relatedPairs {
		other := r.Target
		if other == c.get("e1") {
			other = r.Source
		} else if r.Source != c.get("e1") {
			continue
		}
		hasType := c.get("type") == "" || c.get("type") == r.Type
		if hasType && strings.HasPrefix(other, "@"+strings.ToUpper(c.get("e2"))) {
			rows = append(rows, r)
		}
	}
	return jsonReply(http.StatusOK, rows)
}
