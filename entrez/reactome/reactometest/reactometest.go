// Package reactometest simulates Reactome with two invented pathways of one protein.
package reactometest

import (
	"net/http"
	"strings"

	"biomcp/entrez/reactome"
	"biomcp/entrez/sourcetest"
)

// AddTo makes the server simulate Reactome, with the endpoint "pathways".
func AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &reactome.Source, Path: "/reactome/", Endpoints: []sourcetest.Endpoint{
		{Name: "pathways", Path: "data/mapping/UniProt/{protein}/pathways",
			Answer: func(c *sourcetest.Call) sourcetest.Reply {
				if !strings.HasSuffix(c.Path, "/P15056/pathways") {
					return sourcetest.JSON(http.StatusNotFound,
						map[string]any{"code": 404, "reason": "NOT_FOUND", "messages": []string{"No pathways found"}})
				}
				return sourcetest.JSON(http.StatusOK, []map[string]any{
					{"dbId": 90000001, "displayName": "Invented cascade", "stId": "R-HSA-90000001",
						"speciesName": "Homo sapiens", "isInDisease": false},
					{"dbId": 90000002, "displayName": "Invented cascade in disease", "stId": "R-HSA-90000002",
						"speciesName": "Homo sapiens", "isInDisease": true},
				})
			}},
	}})
}
