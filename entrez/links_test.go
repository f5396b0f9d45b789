package entrez_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
)

func TestLinks(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		id := fmt.Sprint(entreztest.FirstSynthetic + 7)
		similar, err := c.Links(t.Context(), id, entrez.Similar)
		if err != nil {
			t.Fatal(err)
		}
		if len(similar.Items) == 0 || !strings.Contains(similar.URL, "linkname=pubmed_pubmed") {
			t.Fatalf("%+v", similar)
		}
		for i, l := range similar.Items {
			if l.PMID == id {
				t.Error("the article is its own neighbour")
			}
			if !l.HasScore {
				t.Errorf("item %d has no score", i)
			}
			if i > 0 && l.Score > similar.Items[i-1].Score {
				t.Errorf("item %d has score %d, more than the one before", i, l.Score)
			}
		}
		cited := 0
		for n := range 30 {
			refs, err := c.Links(t.Context(), fmt.Sprint(entreztest.FirstSynthetic+n), entrez.References)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range refs.Items {
				cited++
				if l.HasScore {
					t.Error("a reference has a score")
				}
			}
		}
		if cited == 0 {
			t.Error("no references at all")
		}
		none, err := c.Links(t.Context(), "99", entrez.Similar)
		if err != nil {
			t.Fatal(err)
		}
		if none.Items == nil || len(none.Items) != 0 {
			t.Errorf("links of an unknown article: %#v, want an empty list", none.Items)
		}
		for _, name := range []string{"", "pubmed", "pubmed_pubmed&x", "a b_c"} {
			_, err = c.Links(t.Context(), id, name)
			wants(t, err, httpclient.Invalid)
		}
		_, err = c.Links(t.Context(), "x", entrez.Similar)
		wants(t, err, httpclient.Invalid)
	}, entreztest.XML(entreztest.Generate(60, 1)))
}

// Twenty articles need one ELink, and each has the links that it has in a request of its own.
func TestLinksOfMany(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		ids := append(generatedIDs(20), "99")
		for _, name := range []string{entrez.Similar, entrez.CitedBy, entrez.References} {
			sim.ClearRequests()
			sets, err := c.LinkSets(t.Context(), ids, name)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "failed", len(sets.Failed), 0)
			equal(t, "sets", len(sets.ByID), 21)
			equal(t, "requests", sim.Count(), 1)
			for _, id := range ids {
				alone, err := c.Links(t.Context(), id, name)
				if err != nil {
					t.Fatal(err)
				}
				equal(t, name+" of "+id, *sets.ByID[id], *alone)
			}
		}
		sim.ClearRequests()
		if _, err := c.LinkSets(t.Context(), many(401), entrez.CitedBy); err != nil {
			t.Fatal(err)
		}
		equal(t, "requests for 401", sim.Count(), 3)
	}, entreztest.XML(entreztest.Generate(60, 1)))
}

// An error about some articles does not affect the others, and a failed request keeps the sets
// received before it.
func TestLinksThatFailInPart(t *testing.T) {
	c := answer(t, http.StatusOK, []byte(`<?xml version="1.0"?><eLinkResult>
<LinkSet><DbFrom>pubmed</DbFrom><IdList><Id>1</Id></IdList><LinkSetDb><DbTo>pubmed</DbTo><LinkName>pubmed_pubmed_refs</LinkName><Link><Id>7</Id></Link></LinkSetDb></LinkSet>
<LinkSet><DbFrom>pubmed</DbFrom><IdList><Id>2</Id></IdList><ERROR>this one is too hard</ERROR></LinkSet></eLinkResult>`))
	sets, err := c.LinkSets(t.Context(), []string{"1", "2", "3"}, entrez.References)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "sets", len(sets.ByID), 1)
	equal(t, "links of 1", len(sets.ByID["1"].Items), 1)
	equal(t, "failed", sets.Failed, []string{"2", "3"})
	if want := "too hard"; !strings.Contains(sets.Problem.Error(), want) {
		t.Fatalf("problem %v, want %q in it", sets.Problem, want)
	}
	_, err = c.LinkSets(t.Context(), []string{"2"}, entrez.References)
	wants(t, err, httpclient.Refused)
	_, err = c.LinkSets(t.Context(), []string{"3"}, entrez.References)
	wants(t, err, httpclient.Refused)
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		sim.Fail(entreztest.Fault{Endpoint: "elink", Kind: entreztest.HTML502, From: 2})
		sets, err := c.LinkSets(t.Context(), many(401), entrez.References)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "sets", len(sets.ByID), 201)
		equal(t, "failed", len(sets.Failed), 200)
		wants(t, sets.Problem, httpclient.Upstream)
	})
}
