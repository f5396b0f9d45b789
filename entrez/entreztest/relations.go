package entreztest

import (
	"net/http"
	"strings"
)

// related are the relations of the simulated PubTator3: synthetic, no such chemicals
// exist.
var related = []relatedPair{
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

// relations answers with what is related to e1, of a type and to a kind of concept
// where these are given.
func (s *Server) relations(c *call) reply {
	if c.get("e1") == "" {
		return jsonReply(http.StatusBadRequest, struct {
			Detail string `json:"detail"`
		}{"e1: give one"})
	}
	rows := []relatedPair{}
	for _, r := range related {
		other := r.Target
		if other == c.get("e1") {
			other = r.Source
		} else if r.Source != c.get("e1") {
			continue
		}
		if (c.get("type") == "" || c.get("type") == r.Type) && strings.HasPrefix(other, "@"+strings.ToUpper(c.get("e2"))) {
			rows = append(rows, r)
		}
	}
	return jsonReply(http.StatusOK, rows)
}
