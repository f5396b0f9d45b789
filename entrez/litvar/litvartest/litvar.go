// Package litvartest simulates LitVar2 with two variants. Their names are real; their articles are
// the synthetic ones of the other simulators.
package litvartest

import (
	"net/http"
	"strings"

	"biomcp/entrez/litvar"
	"biomcp/entrez/sourcetest"
)

const base = "/research/litvar2-api/"

var variants = []struct {
	id, rsid, gene, name string
	pmids                []int
}{
	{"litvar@rs113488022##", "rs113488022", "BRAF", "p.V600E", []int{90100001, 90100002, 90100004}},
	{"litvar@#673#p.V560E", "", "BRAF", "p.V560E", []int{90100002}},
}

// AddTo makes the server simulate the service, with the endpoints
// "litvar-autocomplete" and "litvar-publications".
func AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &litvar.Source, Path: base, Endpoints: []sourcetest.Endpoint{
		{Name: "litvar-autocomplete", Path: "variant/autocomplete/", Answer: autocomplete},
		{Name: "litvar-publications", Path: "variant/get/{id}/publications", Answer: publications},
	}})
}

func autocomplete(c *sourcetest.Call) sourcetest.Reply {
	found := []map[string]any{}
	for _, v := range variants {
		all := strings.ToLower(strings.Join([]string{v.rsid, v.gene, v.name}, " "))
		has := true
		for _, w := range strings.Fields(strings.ToLower(c.Get("query"))) {
			has = has && strings.Contains(all, w)
		}
		if has {
			found = append(found, map[string]any{"_id": v.id, "rsid": v.rsid, "gene": []string{v.gene},
				"name": v.name, "hgvs": v.name, "pmids_count": len(v.pmids)})
		}
	}
	return sourcetest.JSON(http.StatusOK, found)
}

func publications(c *sourcetest.Call) sourcetest.Reply {
	id := strings.TrimSuffix(strings.TrimPrefix(c.Path, base+"variant/get/"), "/publications")
	for _, v := range variants {
		if v.id == id {
			return sourcetest.JSON(http.StatusOK, map[string]any{"pmids": v.pmids})
		}
	}
	return sourcetest.JSON(http.StatusNotFound, map[string]any{"detail": "Variant not found: " + id})
}
