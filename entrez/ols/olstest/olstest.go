// Package olstest simulates the Ontology Lookup Service with one disease, in the format of a reply
// captured on 2026-08-11 for other words.
package olstest

import (
	"net/http"

	"biomcp/entrez/ols"
	"biomcp/entrez/sourcetest"
)

// AddTo makes the server simulate the service, with the endpoint "ols-search".
func AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &ols.Source, Path: "/ols/",
		Endpoints: []sourcetest.Endpoint{{Name: "ols-search", Path: "search",
			Answer: func(c *sourcetest.Call) sourcetest.Reply {
				docs := []any{}
				if c.Get("q") == "DOID:14323" {
					docs = append(docs, map[string]any{"obo_id": "DOID:14323", "label": "Marfan syndrome",
						"ontology_name": "doid"})
				}
				return sourcetest.JSON(http.StatusOK,
					map[string]any{"response": map[string]any{"docs": docs, "numFound": len(docs), "start": 0}})
			}}}})
}
