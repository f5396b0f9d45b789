package article

import (
	"strings"

	"biomcp/cli/result"
	"biomcp/entrez/pubtator"
)

// mostLeads is how many commands of each kind the annotations of an article lead to.
const mostLeads = 2

// leadsTo are the kinds of annotations that are entities here.
var leadsTo = []struct{ kind, entity string }{{"Gene", "gene"}, {"Variant", "variant"}, {"Disease", "disease"}, {"Chemical", "drug"}}

// leads are the commands for what an article mentions most. Those of entities that
// there are not are left out where an answer is finished.
func leads(groups []pubtator.Group) (lines []result.Argv) {
	for _, to := range leadsTo {
		n := 0
		for _, g := range groups {
			if !strings.EqualFold(g.Type, to.kind) {
				continue
			}
			for _, e := range g.Entities {
				if word := asked(to.entity, e); word != "" && n < mostLeads {
					lines = append(lines, result.Argv{"get", to.entity, word})
					n++
				}
			}
		}
	}
	return lines
}

// asked returns how get takes an annotated entity, "" if it does not. Of several
// identifiers the first belongs to the first organism.
func asked(entity string, e pubtator.Entity) string {
	id, _, _ := strings.Cut(e.Identifier, ";")
	switch {
	case id == "":
		return ""
	case entity == "disease", entity == "gene":
		return id
	case entity != "variant":
		return e.Name
	case strings.HasPrefix(id, "rs"):
		return id
	}
	if parts := strings.Split(e.Accession, "_"); len(parts) >= 4 { // @VARIANT_p.V600E_BRAF_human
		return parts[len(parts)-2] + " " + e.Name
	}
	return "" // a change of no gene
}
