// Package servicestest simulates the services of package services, except PubChem. The data are invented
// unless a comment says that they are real.
package servicestest

import (
	"fmt"
	"net/http"
	"strings"

	"biomcp/entrez/services"
	"biomcp/entrez/sourcetest"
)

const litVarBase = "/research/litvar2-api/"

// AddTo makes the server simulate the services.
func AddTo(s *sourcetest.Server) {
	s.Add(sourcetest.Service{Source: &services.OLS, Path: "/ols/", Endpoints: []sourcetest.Endpoint{
		{Name: "ols-search", Path: "search", Answer: disease}}})
	s.Add(sourcetest.Service{Source: &services.Reactome, Path: "/reactome/", Endpoints: []sourcetest.Endpoint{
		{Name: "pathways", Path: "data/mapping/UniProt/{protein}/pathways", Answer: pathways}}})
	s.Add(sourcetest.Service{Source: &services.MedlinePlus, Path: "/medlineplus/", Endpoints: []sourcetest.Endpoint{
		{Name: "topics", Path: "query", Answer: answerTopics}}})
	s.Add(sourcetest.Service{Source: &services.Ensembl, Path: "/ensembl/", Endpoints: []sourcetest.Endpoint{
		{Name: "ensembl-recoder", Path: "variant_recoder/human/{name}", Answer: recode}}})
	s.Add(sourcetest.Service{Source: &services.LitVar, Path: litVarBase, Endpoints: []sourcetest.Endpoint{
		{Name: "litvar-autocomplete", Path: "variant/autocomplete/", Answer: autocomplete},
		{Name: "litvar-publications", Path: "variant/get/{id}/publications", Answer: publications}}})
}

// disease answers in the format of a reply captured on 2026-08-11 for other words. The disease is real.
func disease(c *sourcetest.Call) sourcetest.Reply {
	docs := []any{}
	if c.Get("q") == "DOID:14323" {
		docs = append(docs, map[string]any{"obo_id": "DOID:14323", "label": "Marfan syndrome", "ontology_name": "doid"})
	}
	return sourcetest.JSON(http.StatusOK,
		map[string]any{"response": map[string]any{"docs": docs, "numFound": len(docs), "start": 0}})
}

// pathways has two invented pathways of one protein.
func pathways(c *sourcetest.Call) sourcetest.Reply {
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
}

var topics = []struct{ words, body string }{
	{"melanoma", `<content name="title">&lt;span class="qt0"&gt;Melanoma&lt;/span&gt;</content>` +
		`<content name="organizationName">National Library of Medicine</content>` +
		`<content name="altTitle">Malignant &lt;span class="qt0"&gt;melanoma&lt;/span&gt;</content>` +
		`<content name="FullSummary">&lt;p&gt;Synthetic words: a tumor of pigment cells &amp;amp; skin.` +
		`&lt;/p&gt;&lt;ul&gt;&lt;li&gt;Look at moles&lt;/li&gt;&lt;/ul&gt;</content>` +
		`<content name="mesh">Melanoma</content>`},
	{"eye", `<content name="title">Eye Diseases</content>` +
		`<content name="FullSummary">&lt;p&gt;Synthetic words about eyes.&lt;/p&gt;</content>` +
		`<content name="mesh">Eye Diseases</content>`},
}

func answerTopics(c *sourcetest.Call) sourcetest.Reply {
	list := ""
	for i, t := range topics {
		if strings.Contains(strings.ToLower(c.Get("term")), t.words) {
			list += fmt.Sprintf(`<document rank="%d" url="https://medlineplus.gov/%s.html">%s</document>`, i,
				t.words, t.body)
		}
	}
	return sourcetest.Reply{Status: http.StatusOK, Type: sourcetest.XMLType,
		Body: []byte(`<?xml version="1.0" encoding="UTF-8"?><nlmSearchResult><term>x</term>` +
			`<file>synthetic</file><server>synthetic</server><count>0</count>` +
			`<retstart>0</retstart><retmax>10</retmax><list>` + list + `</list></nlmSearchResult>`)}
}

// changes holds real changes by name, in the documented format: a list with an object by allele for each input. The protein change Leu505Phe corresponds to two changes of the transcript.
var changes = map[string][]string{
	"rs113488022":                   {"NC_000007.14:140753335:A:T"},
	"ENST00000646891.2:c.1799T>A":   {"NC_000007.14:140753335:A:T"},
	"ENST00000288602:c.1799T>A":     {"NC_000007.14:140753335:A:T"},
	"LRG_299t1:c.1799T>A":           {"NC_000007.14:140753335:A:T"},
	"ENSP00000493543.1:p.Val600Glu": {"NC_000007.14:140753335:A:T"},
	"ENSP00000493543.1:p.Leu505Phe": {"NC_000007.14:140777990:C:A", "NC_000007.14:140777990:C:G"},
}

func recode(c *sourcetest.Call) sourcetest.Reply {
	name := c.Path[strings.LastIndex(c.Path, "/")+1:]
	spdis := changes[name]
	if spdis == nil {
		return sourcetest.JSON(http.StatusBadRequest,
			map[string]any{"error": "Unable to parse HGVS notation '" + name + "'"})
	}
	by := map[string]any{}
	for _, s := range spdis {
		by[s[strings.LastIndex(s, ":")+1:]] = map[string]any{"input": name, "spdi": []string{s}}
	}
	return sourcetest.JSON(http.StatusOK, []any{by})
}

// variants have real names; their articles are the synthetic ones of the other simulators.
var variants = []struct {
	id, rsid, gene, name string
	pmids                []int
}{
	{"litvar@rs113488022##", "rs113488022", "BRAF", "p.V600E", []int{90100001, 90100002, 90100004}},
	{"litvar@#673#p.V560E", "", "BRAF", "p.V560E", []int{90100002}},
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
	id := strings.TrimSuffix(strings.TrimPrefix(c.Path, litVarBase+"variant/get/"), "/publications")
	for _, v := range variants {
		if v.id == id {
			return sourcetest.JSON(http.StatusOK, map[string]any{"pmids": v.pmids})
		}
	}
	return sourcetest.JSON(http.StatusNotFound, map[string]any{"detail": "Variant not found: " + id})
}
