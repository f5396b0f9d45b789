package entreztest

import (
	"net/http"
	"strings"
)

// concepts lists the concepts that the simulated PubTator3 finds by name. Only names and IDs are
// real. BRAF has the ID of another organism's gene.
var concepts = []suggestion{
	{"@GENE_BRAF", "gene", "ncbi_gene", "403065", "BRAF", "All Species", ""},
	{"@GENE_TP53", "gene", "ncbi_gene", "7157", "TP53", "All Species", "p53"},
	{"@DISEASE_Marfan_Syndrome", "disease", "ncbi_mesh", "D008382", "Marfan Syndrome", "", "MFS"},
	{"@DISEASE_Melanoma", "disease", "ncbi_mesh", "D008545", "Melanoma", "", "malignant melanoma"},
	{"@CHEMICAL_Ergothioneine", "chemical", "ncbi_mesh", "D004880", "Ergothioneine", "", "thioneine"},
	{"@CHEMICAL_imatinib", "chemical", "ncbi_mesh", "D000068877", "Imatinib Mesylate", "", "Gleevec"},
	{"@VARIANT_p.V600E_BRAF_human", "variant", "litvar", "rs113488022", "BRAF p.V600E", "", "V600E"},
}

// suggestion is one row of PubTator3's entity/autocomplete (capture
// breadth/pubtator/autocomplete_BRAF.json, which lacks db and db_id).
type suggestion struct {
	ID          string `json:"_id"`
	Biotype     string `json:"biotype"`
	DB          string `json:"db"`
	DBID        string `json:"db_id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Match       string `json:"match"`
}

// autocomplete returns the concepts whose name or synonym begins with the query.
func (s *Server) autocomplete(c *call) reply {
	query := strings.ToLower(c.get("query"))
	if query == "" {
		return jsonReply(http.StatusBadRequest, struct {
			Detail string `json:"detail"`
		}{"query: give one"})
	}
	rows := []suggestion{}
	for _, concept := range concepts {
		for i, name := range []string{concept.Name, concept.Match} {
			if strings.HasPrefix(strings.ToLower(name), query) && len(rows) < c.number("limit", 10) {
				concept.Match = "Matched on " + []string{"name", "synonym"}[i] + " <m>" + name + "</m>"
				rows = append(rows, concept)
				break
			}
		}
	}
	return jsonReply(http.StatusOK, rows)
}
