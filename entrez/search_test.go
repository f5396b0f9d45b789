package entrez_test

import (
	"net/url"
	"strings"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
)

func TestSearch(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		r, err := c.Search(t.Context(), entrez.SearchParams{Term: "asthma", RetMax: 1, Sort: "pub_date"})
		if err != nil {
			t.Fatal(err)
		}
		if r.Count < 1 {
			t.Errorf("count %d, want at least 1", r.Count)
		}
		equal(t, "ids", len(r.IDs), 1)
		if !strings.Contains(r.Translation, "asthma") {
			t.Errorf("translation %q, want asthma in it", r.Translation)
		}
		equal(t, "URL", r.URL, sim.EntrezURL()+"esearch.fcgi?db=pubmed&retmax=1&retmode=xml&sort=pub_date&term=asthma")
		sent := sim.Requests("esearch")[0].Params
		equal(t, "tool", sent.Get("tool"), "biomcp_test")
		equal(t, "email", sent.Get("email"), "someone@example.org")
	})
}

func TestSearchWithNoHit(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		r, err := c.Search(t.Context(), entrez.SearchParams{Term: "zzzznothing", RetMax: 20})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "Count", r.Count, 0)
		equal(t, "IDs", r.IDs, []string{})
		equal(t, "PhrasesNotFound", r.PhrasesNotFound, []string{"zzzznothing"})
		equal(t, "Messages", r.Messages, []string{"No items found."})
	})
}

func TestSearchReportsDroppedPhrases(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		r, err := c.Search(t.Context(), entrez.SearchParams{Term: `the asthma AND zzzznothing AND "no such phrase"`, RetMax: 20})
		if err != nil {
			t.Fatal(err)
		}
		if r.Count == 0 {
			t.Error("the search was not broadened")
		}
		equal(t, "PhrasesNotFound", r.PhrasesNotFound, []string{"zzzznothing"})
		equal(t, "QuotedPhrasesNotFound", r.QuotedPhrasesNotFound, []string{`"no such phrase"`})
		equal(t, "PhrasesIgnored", r.PhrasesIgnored, []string{"the"})
		equal(t, "FieldsNotFound", r.FieldsNotFound, []string{})
	})
}

func TestSearchParameters(t *testing.T) {
	long := strings.Repeat("asthma OR ", 100) + "asthma"
	for name, c := range map[string]struct {
		params entrez.SearchParams
		want   map[string]string
		method string
	}{
		"counting": {entrez.SearchParams{Term: "x"}, map[string]string{"retmax": "0", "db": "pubmed"}, "GET"},
		"a page":   {entrez.SearchParams{Term: "x", RetStart: 40, RetMax: 20}, map[string]string{"retstart": "40", "retmax": "20"}, "GET"},
		"author":   {entrez.SearchParams{Term: "x", Sort: "author"}, map[string]string{"sort": "Author"}, "GET"},
		"journal":  {entrez.SearchParams{Term: "x", Sort: "journal_name"}, map[string]string{"sort": "JournalName"}, "GET"},
		"long":     {entrez.SearchParams{Term: long}, map[string]string{"term": long}, "POST"},
		"dirt":     {entrez.SearchParams{Term: "a\nb\x00c\xffd"}, map[string]string{"term": "a b c\uFFFDd"}, "GET"},
		"mesh":     {entrez.SearchParams{DB: "mesh", Term: "x"}, map[string]string{"db": "mesh"}, "GET"},
	} {
		t.Run(name, func(t *testing.T) {
			imaginary(t, func(t *testing.T, sim *entreztest.Server, client *entrez.Client) {
				client.Search(t.Context(), c.params) // NCBI's reply does not matter here
				sent := sim.Requests("esearch")[0]
				equal(t, "method", sent.Method, c.method)
				for name, value := range c.want {
					equal(t, name, sent.Params.Get(name), value)
				}
			})
		})
	}
}

func TestSearchRefusesBadParameters(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		for _, p := range []entrez.SearchParams{
			{}, {Term: " \t"}, {Term: "x", Sort: "date"}, {Term: "x", RetStart: -1}, {Term: "x", RetMax: -1},
		} {
			_, err := c.Search(t.Context(), p)
			wants(t, err, httpclient.Invalid)
		}
		if sim.Count() != 0 {
			t.Error("NCBI was asked")
		}
	})
}

func TestSpell(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		s, err := c.Spell(t.Context(), "asthmma trial")
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "Corrected", s, "asthma trial")
		if s, err = c.Spell(t.Context(), "asthma"); err != nil || s != "" {
			t.Errorf("%+v, %v", s, err)
		}
		_, err = c.Spell(t.Context(), " ")
		wants(t, err, httpclient.Invalid)
	})
}

func TestInfo(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		d, err := c.Info(t.Context(), "PubMed")
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "Name", d.Name, "pubmed")
		equal(t, "Count", d.Count, 5)
		date, title := 0, 0
		for _, f := range d.Fields {
			if f.IsDate {
				date++
			}
			if f.Name == "TITL" {
				title++
			}
		}
		if date == 0 || title != 1 || len(d.Links) == 0 || d.LastUpdate == "" {
			t.Errorf("%+v", d)
		}
		_, err = c.Info(t.Context(), "nosuch")
		wants(t, err, httpclient.NotFound)
		_, err = c.Info(t.Context(), "../pubmed?x")
		wants(t, err, httpclient.Invalid)
		_, err = c.Info(t.Context(), "")
		wants(t, err, httpclient.Invalid)
	})
}

func TestMeshTerms(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		if err := sim.SetHeading(entreztest.Heading{UI: "D001249", Terms: []string{"Asthma", "Bronchial Asthma"},
			ScopeNote: "A synthetic note.", TreeNumbers: []string{"C08.127.108"}, YearIntroduced: "1966"}); err != nil {
			t.Fatal(err)
		}
		m, err := c.MeshTerms(t.Context(), "bronchial asthma", 0, 5)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Items) != 1 || m.Search.Count != 1 {
			t.Fatalf("%+v", m)
		}
		equal(t, "item", m.Items[0], entrez.MeshTerm{
			UI: "D001249", Name: "Asthma", RecordType: "descriptor", ScopeNote: "A synthetic note.",
			EntryTerms: []string{"Bronchial Asthma"}, TreeNumbers: []string{"C08.127.108"},
		})
		if m, err = c.MeshTerms(t.Context(), "zzzznothing", 0, 5); err != nil {
			t.Fatal(err)
		}
		equal(t, "items of an unknown word", len(m.Items), 0)
		equal(t, "summary requests", sim.Count("esummary"), 1)
	})
}

func TestURLsHoldNoToolEmailOrKey(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, _ *entrez.Client) {
		c := client(t, sim, httpclient.Config{Keys: map[string]string{ncbi.Key.Variable: entreztest.Key}})
		s, err := c.Summaries(t.Context(), []string{"80000001", "80000002"})
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		for _, name := range []string{"tool", "email", "api_key"} {
			if q.Has(name) {
				t.Errorf("the URL %s has the parameter %s", s.URL, name)
			}
		}
		equal(t, "id", q.Get("id"), "80000001,80000002")
		if got := sim.Requests()[0].Params; got.Get("api_key") != entreztest.Key {
			t.Error("the key was not sent")
		}
	})
}
