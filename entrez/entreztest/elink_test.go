package entreztest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestELink(t *testing.T) {
	s := imaginary(t)
	type linkset struct {
		DBFrom string   `json:"dbfrom"`
		IDs    []string `json:"ids"`
		Groups []struct {
			LinkName string            `json:"linkname"`
			DBTo     string            `json:"dbto"`
			Links    []json.RawMessage `json:"links"`
		} `json:"linksetdbs"`
		Histories []linkHistory `json:"linksetdbhistories"`
		WebEnv    string        `json:"webenv"`
	}
	get := func(query string) []linkset {
		return decode[struct{ LinkSets []linkset }](t, ask(t, s, "elink.fcgi?retmode=json&"+query)).LinkSets
	}
	text := func(l linkset) string {
		var out []string
		for _, g := range l.Groups {
			for _, x := range g.Links {
				out = append(out, strings.TrimPrefix(strings.Trim(string(x), `"`), "8000000"))
			}
		}
		return strings.Join(out, " ")
	}
	merged := get("id=80000001,80000002&linkname=pubmed_pubmed_refs")
	if len(merged) != 1 || len(merged[0].IDs) != 2 {
		t.Fatalf("id=1,2: %+v, want one set of two ids", merged)
	}
	if got := text(merged[0]); got != "3 1" {
		t.Errorf("id=1,2: links %s, want 3 1", got)
	}
	apart := get("id=80000001&id=80000002&linkname=pubmed_pubmed_refs")
	if len(apart) != 2 {
		t.Fatalf("id=1&id=2: %d sets, want 2", len(apart))
	}
	if got := text(apart[0]); got != "3" {
		t.Errorf("id=1&id=2: first set %s, want 3", got)
	}
	if got := text(apart[1]); got != "3 1" {
		t.Errorf("id=1&id=2: second set %s, want 3 1", got)
	}
	if got := get("id=80000003&linkname=pubmed_pubmed_citedin"); text(got[0]) != "2 1" {
		t.Errorf("cited in: %s", text(got[0]))
	}
	near := get("id=80000001&linkname=pubmed_pubmed&cmd=neighbor_score")
	var scores []scoredLink
	for _, raw := range near[0].Groups[0].Links {
		scores = append(scores, decode[scoredLink](t, string(raw)))
	}
	if len(scores) < 2 {
		t.Errorf("similar: %d articles, want at least 2", len(scores))
	}
	if scores[0].ID != "80000001" {
		t.Errorf("similar: first article %s, want 80000001 itself", scores[0].ID)
	}
	if !slices.IsSortedFunc(scores, func(a, b scoredLink) int { return b.Score - a.Score }) {
		t.Errorf("similar: %+v, want descending scores", scores)
	}
	for _, id := range []string{"999", "x", "99999999999999999999"} {
		t.Run(id, func(t *testing.T) { // all give the same reply
			got := get("id=" + id + "&linkname=pubmed_pubmed")
			if len(got) != 1 || len(got[0].Groups) != 0 {
				t.Fatalf("id %s: %+v, want one set without links", id, got)
			}
			if got[0].IDs[0] != id {
				t.Errorf("id of the set %s, want %s", got[0].IDs[0], id)
			}
		})
	}
	pmc := get("id=80000001&db=pmc&linkname=pubmed_pmc")
	if got := text(pmc[0]); got != "8000001" {
		t.Errorf("pmc: links %s, want 8000001", got)
	}
	if got := pmc[0].Groups[0].DBTo; got != "pmc" {
		t.Errorf("pmc: links to %s, want pmc", got)
	}
	if got := get("id=80000001"); len(got[0].Groups) != 5 {
		t.Errorf("all link names: %d groups", len(got[0].Groups))
	}
	kept := get("id=80000002&linkname=pubmed_pubmed_refs&cmd=neighbor_history")[0]
	if len(kept.Histories) != 1 || kept.Histories[0].QueryKey != "1" {
		t.Fatalf("%+v", kept)
	}
	if got := fetched(ask(t, s, "efetch.fcgi?query_key=1&WebEnv="+kept.WebEnv)); got != "3 1" {
		t.Errorf("from the history: %s", got)
	}
	if got := ask(t, s, "elink.fcgi?cmd=ncheck&id=999"); !strings.Contains(got, `<Id HasNeighbor="N">999</Id>`) {
		t.Error(got)
	}
}

func TestEInfo(t *testing.T) {
	s := imaginary(t)
	s.SetNow(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	r := decode[struct {
		Result struct{ DBInfo []databaseInfo } `json:"einforesult"`
	}](t, ask(t, s, "einfo.fcgi?db=pubmed&retmode=json")).Result.DBInfo
	if len(r) != 1 {
		t.Fatalf("%d databases, want 1", len(r))
	}
	if r[0].Count != 5 {
		t.Errorf("count %d, want 5", r[0].Count)
	}
	if want := "2026/01/02 03:04"; r[0].LastUpdate != want {
		t.Errorf("last update %s, want %s", r[0].LastUpdate, want)
	}
	if n := len(r[0].FieldList); n < 40 {
		t.Errorf("%d fields, want at least 40", n)
	}
	if n := len(r[0].LinkList); n < 5 {
		t.Errorf("%d links, want at least 5", n)
	}
	if got := ask(t, s, "einfo.fcgi?db=fleegle&retmode=json"); !strings.Contains(got, `"ERROR":"Can not retrieve DbInfo for db=fleegle"`) {
		t.Error(got)
	}
	if got := ask(t, s, "einfo.fcgi?db=pubmed&version=2.0"); !strings.Contains(got, "<IsRangable>Y</IsRangable>") {
		t.Error("version 2.0 says nothing of ranges")
	}
}
