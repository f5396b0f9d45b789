package entrez_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
)

func TestMatchCitations(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		a := sim.Article("80000001")
		whole := entrez.Citation{Journal: a.Journal.Abbreviation, Year: fmt.Sprint(a.PublicationDate.Year),
			Volume: a.Journal.Volume, FirstPage: a.Journal.StartPage, Author: a.Authors[0].Name()}
		wrong := whole
		wrong.Journal = "no such journal"
		dirty := whole
		dirty.Author = "a|b\r\nline0|c"
		got, err := c.MatchCitations(t.Context(), []entrez.Citation{wrong, whole, dirty, {Journal: whole.Journal}})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "wrong", got[0].Reason, "NOT_FOUND;INVALID_JOURNAL")
		equal(t, "right", got[1].PMID, "80000001")
		equal(t, "citation", got[1].Citation, whole)
		equal(t, "sent", sim.Requests("ecitmatch")[0].Params.Get("bdata"), strings.Join([]string{
			line(wrong, 0), line(whole, 1), line(entrez.Citation{whole.Journal, whole.Year, whole.Volume, whole.FirstPage, "a b line0 c"}, 2),
			line(entrez.Citation{Journal: whole.Journal}, 3)}, "\r"))
		_, err = c.MatchCitations(t.Context(), []entrez.Citation{{}})
		wants(t, err, entrez.Invalid)
		sim.Fail(entreztest.Fault{Endpoint: "ecitmatch", Kind: entreztest.Error200, Text: "the service is closed"})
		_, err = c.MatchCitations(t.Context(), []entrez.Citation{whole})
		if e := wants(t, err, entrez.Refused); !strings.Contains(e.Message, "the service is closed") {
			t.Error(e.Message)
		}
	})
}

func line(c entrez.Citation, i int) string {
	return fmt.Sprintf("%s|%s|%s|%s|%s|line%d|", c.Journal, c.Year, c.Volume, c.FirstPage, c.Author, i)
}

func TestManyCitations(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		var asked []entrez.Citation
		for i := range 230 {
			asked = append(asked, entrez.Citation{Author: fmt.Sprint("nobody ", i)})
		}
		got, err := c.MatchCitations(t.Context(), asked)
		if err != nil || len(got) != 230 {
			t.Fatalf("%d, %v", len(got), err)
		}
		for i, m := range got {
			if m.Citation != asked[i] || m.Reason != "NOT_FOUND" {
				t.Errorf("%d: %+v", i, m)
			}
		}
		equal(t, "requests", sim.Count("ecitmatch"), 3)
	})
}

func TestConvertIDs(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		doi := sim.Article("80000001").DOI
		got, err := c.ConvertIDs(t.Context(), []string{"80000003", "pmc8000001", "80000001", "https://doi.org/" + doi, "rubbish", "10.1/a,b", "PMC8000001"})
		if err != nil {
			t.Fatal(err)
		}
		whole := entrez.IDRecord{PMID: "80000001", PMCID: "PMC8000001", DOI: doi}
		for i, want := range map[int]string{1: "pmc8000001", 2: "80000001", 3: "https://doi.org/" + doi, 6: "PMC8000001"} {
			whole.Requested = want
			equal(t, fmt.Sprint("record ", i), got[i], whole)
		}
		equal(t, "not in PMC", got[0], entrez.IDRecord{Requested: "80000003", PMID: "80000003", Problem: "Identifier not found in PMC"})
		for i := range 2 {
			if got[4+i].Problem == "" || got[4+i].PMID != "" {
				t.Errorf("%+v", got[4+i])
			}
		}
		for _, r := range sim.Requests() { // one type each, and no key
			if r.Params.Get("idtype") == "" || r.Params.Has("api_key") || r.Params.Get("tool") == "" || r.Params.Get("email") == "" {
				t.Errorf("%v", r.Params)
			}
		}
		equal(t, "requests", sim.Count("idconv"), 3)
	})
}

func TestConvertManyIDs(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		got, err := c.ConvertIDs(t.Context(), many(401))
		if err != nil || len(got) != 401 || sim.Count("idconv") != 3 {
			t.Errorf("%d records, %d requests, %v", len(got), sim.Count("idconv"), err)
		}
		_, err = c.ConvertIDs(t.Context(), nil)
		wants(t, err, entrez.Invalid)
		sim.Fail(entreztest.Fault{Endpoint: "idconv", Kind: entreztest.Error200, Text: "closed"})
		_, err = c.ConvertIDs(t.Context(), []string{"7"})
		if e := wants(t, err, entrez.Refused); e.Service != "PMC ID converter" {
			t.Errorf("%+v", e)
		}
	})
}

func TestFullText(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		text, err := c.FullText(t.Context(), "PMC8000001")
		if err != nil || !strings.HasPrefix(string(text), "<article ") || !strings.HasSuffix(string(text), "</article>") ||
			!strings.Contains(string(text), "Nothing was inhaled") {
			t.Errorf("%v\n%s", err, text)
		}
		_, err = c.FullText(t.Context(), "PMC99")
		if e := wants(t, err, entrez.NotFound); !strings.Contains(e.Message, "no article PMC99") {
			t.Error(e.Message)
		}
		sim.Withhold("PMC8000001")
		_, err = c.FullText(t.Context(), "8000001")
		if e := wants(t, err, entrez.NotFound); !strings.Contains(e.Message, "publisher") {
			t.Error(e.Message)
		}
		for _, id := range []string{"", "PMC", "PMC0", "10.1/x", "PMC1,PMC2"} {
			_, err = c.FullText(t.Context(), id)
			wants(t, err, entrez.Invalid)
		}
	})
}

func TestAnnotations(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		var ids []string
		for i := range 130 {
			ids = append(ids, fmt.Sprint(entreztest.FirstSynthetic+i))
		}
		raw, err := c.Annotations(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		var export struct {
			Documents []struct {
				ID string `json:"id"`
			} `json:"PubTator3"`
		}
		if err := json.Unmarshal(raw, &export); err != nil {
			t.Fatal(err)
		}
		if len(export.Documents) != 120 || export.Documents[119].ID != ids[119] || sim.Count("pubtator") != 2 {
			t.Errorf("%d documents in %d requests", len(export.Documents), sim.Count("pubtator"))
		}
		raw, err = c.Annotations(t.Context(), []string{"7"})
		if err != nil || string(raw) != `{"PubTator3":[]}` {
			t.Errorf("%s, %v", raw, err)
		}
		for _, r := range sim.Requests("pubtator") {
			if r.Params.Has("api_key") || r.Params.Has("email") {
				t.Error("PubTator3 was told more than it needs")
			}
		}
	}, entreztest.XML(entreztest.Generate(120, 1)))
}

func TestPing(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, _ *entrez.Client) {
		store := &memory{}
		c := client(t, sim, entrez.Config{MaxRetries: 4, Cache: store})
		for endpoint, s := range map[string]entrez.Service{"einfo": entrez.Entrez, "idconv": entrez.IDConverter, "pubtator": entrez.PubTator} {
			if err := c.Ping(t.Context(), s); err != nil {
				t.Errorf("%s: %v", s, err)
			}
			sim.Fail(entreztest.Fault{Endpoint: endpoint, Kind: entreztest.Down503, Times: -1})
			e := wants(t, c.Ping(t.Context(), s), entrez.Upstream)
			if e.Service != string(s) || sim.Count(endpoint) != 2 {
				t.Errorf("%+v, %d requests", e, sim.Count(endpoint))
			}
		}
		equal(t, "kept", len(store.kept), 0)
		wants(t, c.Ping(t.Context(), "elsewhere"), entrez.Invalid)
	})
}
