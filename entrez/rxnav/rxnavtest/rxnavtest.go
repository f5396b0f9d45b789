// Package rxnavtest simulates RxNav, DailyMed and PubChem with invented drugs.
//
//	s := sourcetest.New(t)
//	rxnavtest.AddTo(s)
package rxnavtest

import (
	_ "embed"
	"net/http"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"biomcp/entrez/dailymed"
	"biomcp/entrez/rxnav"
	"biomcp/entrez/services"
	"biomcp/entrez/sourcetest"
)

// noClass is RxClass's reply if there is no class; public clients expect an empty object.
const noClass = `{}`

// drugs contains a file for each reply, named "rxcui fictinib", "allrelated 9001", and so on.
//
//go:embed drugs.txtar
var drugs []byte

// AddTo makes the server simulate the three services, with the endpoints "rxcui", "related",
// "codes", "classes", "class-name", "class-id", "members", "near", "labels", "label" and
// "compound".
func AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &rxnav.Source, Path: "/rxnav/", Endpoints: []sourcetest.Endpoint{
		{Name: "rxnav-version", Path: "version.json", Answer: fixed(`{"version":"02-Nov-2026","apiVersion":"3.1"}`)},
		{Name: "rxcui", Path: "rxcui.json", Answer: answerFrom("rxcui", "name", `{"idGroup":{}}`)},
		{Name: "related", Path: "rxcui/{id}/allrelated.json",
			Answer: answerFrom("allrelated", "", `{"allRelatedGroup":{"conceptGroup":[]}}`)},
		{Name: "codes", Path: "rxcui/{id}/allProperties.json",
			Answer: answerFrom("codes", "", `{"propConceptGroup":null}`)},
		{Name: "classes", Path: "rxclass/class/byDrugName.json", Answer: answerFrom("classes", "drugName", noClass)},
		{Name: "class-name", Path: "rxclass/class/byName.json", Answer: answerFrom("class", "className", noClass)},
		{Name: "class-id", Path: "rxclass/class/byId.json", Answer: answerFrom("class", "classId", noClass)},
		{Name: "members", Path: "rxclass/classMembers.json", Answer: answerFrom("members", "classId", noClass)},
		{Name: "near", Path: "approximateTerm.json",
			Answer: answerFrom("near", "term", `{"approximateGroup":{"candidate":[]}}`)},
	}})
	s.Add(sourcetest.Service{Source: &dailymed.Source, Path: "/dailymed/", Endpoints: []sourcetest.Endpoint{
		{Name: "labels", Path: "spls.json", Answer: labels},
		{Name: "label", Path: "spls/{file}", Answer: answerFrom("label", "", "")},
	}})
	s.Add(sourcetest.Service{Source: &services.PubChem, Path: "/pubchem/", Endpoints: []sourcetest.Endpoint{
		{Name: "compound", Path: "compound/name/{name}/property/",
			Answer: answerFrom("compound", "", `{"Fault":{"Code":"PUGREST.NotFound","Message":"No CID found"}}`)},
	}})
}

// labels returns the labels of a kind, which is a LOINC code.
func labels(c *sourcetest.Call) sourcetest.Reply {
	kind := strings.TrimSpace("labels " + c.Get("doctype"))
	return answerFrom(kind, "drug_name", `{"data":[],"metadata":{"total_elements":0}}`)(c)
}

func fixed(body string) func(*sourcetest.Call) sourcetest.Reply {
	return func(*sourcetest.Call) sourcetest.Reply {
		return sourcetest.Reply{Status: http.StatusOK, Type: sourcetest.JSONType, Body: []byte(body)}
	}
}

// answerFrom returns an Answer with the file for kind and the value of param or, if param is "",
// the ID in the path. If there is no such file, it answers with fallback.
func answerFrom(kind, param, fallback string) func(*sourcetest.Call) sourcetest.Reply {
	return func(c *sourcetest.Call) sourcetest.Reply {
		key := strings.ToLower(c.Get(param))
		if param == "" {
			parts := strings.Split(c.Path, "/")
			key = parts[slices.IndexFunc(parts,
				func(p string) bool { return p == "rxcui" || p == "spls" || p == "name" })+1]
			key = strings.ToLower(strings.TrimSuffix(key, path.Ext(key)))
		}
		for _, f := range txtar.Parse(drugs).Files {
			if f.Name == kind+" "+key {
				form := sourcetest.JSONType
				if kind == "label" {
					form = sourcetest.XMLType
				}
				return sourcetest.Reply{Status: http.StatusOK, Type: form, Body: f.Data}
			}
		}
		if strings.Contains(fallback, "Fault") || fallback == "" {
			return sourcetest.Reply{Status: http.StatusNotFound, Type: sourcetest.JSONType, Body: []byte(fallback)}
		}
		return fixed(fallback)(c)
	}
}
