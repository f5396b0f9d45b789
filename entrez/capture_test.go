package entrez_test

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez"
	"biomcp/entrez/httpclient"
)

// answering is a transport that always gives the same reply.
type answering struct {
	status int
	body   []byte
}

func (a answering) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(a.body))}, nil
}

// over returns a client over a transport, with a rate limit of its own.
func over(t testing.TB, transport http.RoundTripper) *httpclient.Client {
	t.Helper()
	c, err := httpclient.New(httpclient.Config{Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func answer(t testing.TB, status int, body []byte) *entrez.Client {
	t.Helper()
	return entrez.New(over(t, answering{status, body}))
}

// captured runs test with a client whose service answers with a captured reply.
func captured(t *testing.T, name string, test func(t *testing.T, c *entrez.Client)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		body := realData(t, name)
		synctest.Test(t, func(t *testing.T) { test(t, answer(t, 200, body)) })
	})
}

func TestCapturedSearches(t *testing.T) {
	for name, want := range map[string]struct {
		count, ids  int
		translation string
		notFound    []string
	}{
		"eutils/esearch1.xml": {63, 20, `"biopython"[All Fields]`, []string{}},
		"eutils/esearch2.xml": {42249, 100, "", []string{}},
		"eutils/esearch3.xml": {2651, 6, `"proc natl acad sci u s a"[Journal] AND "97"[Volume]`, []string{}},
		"eutils/esearch5.xml": {5, 5, "", []string{}},
		"eutils/esearch8.xml": {0, 0, "(abcXYZ[All Fields])", []string{"abcXYZ"}},
	} {
		t.Run(name, func(t *testing.T) {
			captured(t, name, func(t *testing.T, c *entrez.Client) {
				r, err := c.Search(t.Context(), entrez.SearchParams{Term: "x", RetMax: 20})
				if err != nil {
					t.Fatal(err)
				}
				equal(t, "count", r.Count, want.count)
				equal(t, "ids", len(r.IDs), want.ids)
				if want.translation != "" {
					equal(t, "translation", r.Translation, want.translation)
				}
				equal(t, "not found", r.PhrasesNotFound, want.notFound)
			})
		})
	}
	captured(t, "eutils/esearch_json_25d287820236.json", func(t *testing.T, c *entrez.Client) {
		_, err := c.Search(t.Context(), entrez.SearchParams{Term: "x"})
		wants(t, err, httpclient.RateLimited)
	})
}

func TestCapturedLinks(t *testing.T) {
	for name, id := range map[string]string{"eutils/elink1.xml": "9298984", "eutils/elink4.xml": "12242737"} {
		t.Run(name, func(t *testing.T) {
			captured(t, name, func(t *testing.T, c *entrez.Client) {
				links, err := c.Links(t.Context(), id, entrez.Similar)
				if err != nil {
					t.Fatal(err)
				}
				seen := map[string]bool{}
				for _, l := range links.Items {
					if l.PMID == id {
						t.Error("the article is its own neighbour")
					}
					if seen[l.PMID] {
						t.Errorf("%s is listed twice", l.PMID)
					}
					if l.HasScore {
						t.Errorf("%s has a score, want none", l.PMID)
					}
					seen[l.PMID] = true
				}
				// An independent count: every Id except the article's own and its echo.
				all := regexp.MustCompile(`<Link>\s*<Id>(\d+)</Id>`).FindAllSubmatch(realData(t, name), -1)
				want := map[string]bool{}
				section, _, _ := bytes.Cut(realData(t, name), []byte("</LinkSetDb>"))
				for _, m := range all {
					if bytes.Contains(section, m[0]) && string(m[1]) != id {
						want[string(m[1])] = true
					}
				}
				if len(want) == 0 || len(want) != len(seen) {
					t.Errorf("%d links, want %d", len(seen), len(want))
				}
			})
		})
	}
}

func TestCapturedInfoSpellingHistoryAndRecords(t *testing.T) {
	captured(t, "eutils/einfo2.xml", func(t *testing.T, c *entrez.Client) {
		d, err := c.Info(t.Context(), "pubmed")
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "count", d.Count, 39730388)
		equal(t, "last update", d.LastUpdate, "2025/11/27 06:33")
		equal(t, "fields", len(d.Fields), bytes.Count(realData(t, "eutils/einfo2.xml"), []byte("<Field>")))
		equal(t, "links", len(d.Links), bytes.Count(realData(t, "eutils/einfo2.xml"), []byte("<Link>")))
		equal(t, "first field", d.Fields[0].Name+"|"+d.Fields[0].FullName, "ALL|All Fields")
		equal(t, "UID is numerical", d.Fields[1].IsNumerical, true)
		equal(t, "UID is a date", d.Fields[1].IsDate, false)
	})
	captured(t, "eutils/einfo1.xml", func(t *testing.T, c *entrez.Client) {
		_, err := c.Info(t.Context(), "pubmed") // a list of databases instead of one
		wants(t, err, httpclient.Upstream)
	})
	captured(t, "eutils/espell.xml", func(t *testing.T, c *entrez.Client) {
		s, err := c.Spell(t.Context(), "biopythooon")
		if err != nil || s != "biopython" {
			t.Errorf("%+v, %v", s, err)
		}
	})
	captured(t, "eutils/esummary8.xml", func(t *testing.T, c *entrez.Client) {
		_, err := c.Summaries(t.Context(), []string{"1"})
		if e := wants(t, err, httpclient.Refused); !strings.Contains(e.Message, "Neither query_key nor id specified") {
			t.Error(e.Message)
		}
	})
	captured(t, "eutils/pubmed2.xml", func(t *testing.T, c *entrez.Client) {
		f, err := c.Fetch(t.Context(), []string{"11748933", "11700088", "7"})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "articles", pmids(f), []string{"11748933", "11700088"})
		equal(t, "missing", f.Missing, []string{"7"})
	})
	captured(t, "eutils/pubmed3.html", func(t *testing.T, c *entrez.Client) {
		_, err := c.Fetch(t.Context(), []string{"19304878"})
		wants(t, err, httpclient.Upstream)
	})
	captured(t, "eutils/medline_pubmed_result1.txt", func(t *testing.T, c *entrez.Client) {
		text, err := c.FetchText(t.Context(), []string{"12230038"}, entrez.Medline)
		if err != nil {
			t.Fatal(err)
		}
		if want := "PMID- 12230038"; !strings.Contains(text.Text, want) {
			t.Errorf("%q is missing in the text", want)
		}
		equal(t, "missing", len(text.Missing), 0)
	})
	captured(t, "eutils/efetch_pmc.xml", func(t *testing.T, c *entrez.Client) {
		text, err := c.FullText(t.Context(), "PMC8435807")
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(text, []byte("<article xmlns:mml=")) {
			t.Errorf("the text begins with %.40s, want the article", text)
		}
		if !bytes.HasSuffix(text, []byte("</article>")) {
			t.Error("the text does not end with the article")
		}
	})
}

// Replies in formats that NCBI sends, written by hand (synthetic).
func TestRepliesInOtherKnownShapes(t *testing.T) {
	ids := []string{"1", "2", "3", "4", "5"}
	summaries := func(c *entrez.Client, ctx *testing.T) (*entrez.Summaries, error) {
		return c.Summaries(ctx.Context(), ids)
	}
	synctest.Test(t, func(t *testing.T) {
		s, err := summaries(answer(t, 200, []byte(`{"header":{"type":"esummary","version":"0.3"},"error":"Invalid uid x at position= 0","result":{"uids":["1","2"],
			"1":{"uid":"1","title":"A &lt;i&gt;b&lt;/i&gt; &amp; <sup>c</sup> p < 0.05","authors":"","pubtype":"Letter","lang":null,"pmcrefcount":"12","references":"","articleids":[
				{"idtype":"pmcid","idtypen":5,"value":"pmc-id: PMC5122160;manuscript-id: NIHMS1;"}],"elocationid":"doi: 10.1/x [doi]","history":[]},
			"2":{"uid":"2","title":7,"pmcrefcount":"","attributes":"Has Abstract","references":[{"reftype":"Retracted And republished in","pmid":3}]},
			"3":{"uid":"3","references":[{"reftype":"Comment in","pmid":4},{"reftype":"Retraction in","pmid":5}]},
			"4":{"uid":"4","pubtype":["Journal Article","Retracted Publication"]},
			"5":{"uid":"5","pubtype":["Retraction of Publication"],"references":[{"reftype":"Retraction of","pmid":6}]}}}`)), t)
		if err != nil {
			t.Fatal(err)
		}
		one, two := s.Items[0], s.Items[1]
		equal(t, "title", one.Title, "A b & c p < 0.05")
		equal(t, "pmcid", one.PMCID, "PMC5122160")
		equal(t, "doi", one.DOI, "10.1/x")
		equal(t, "cited", *one.CitedInPMC, 12)
		equal(t, "types", one.PubTypes, []string{"Letter"})
		for i, retracted := range []bool{false, true, true, true, false} {
			if s.Items[i].Retracted != retracted {
				t.Errorf("item %d: retracted %v", i, s.Items[i].Retracted)
			}
		}
		if two.CitedInPMC != nil {
			t.Errorf("cited %d times, want unknown", *two.CitedInPMC)
		}
		equal(t, "retracted", two.Retracted, true)
		equal(t, "title", two.Title, "7")
		if two.Authors == nil {
			t.Error("the authors are nil")
		}
	})
	for body, kind := range map[string]httpclient.Kind{
		`{"header":{},"esummaryresult":["Invalid uid 1","Empty id list - nothing todo"]}`: httpclient.Refused,
		`{"header":{"type":"esummary"},"error":"Too many UIDs in request."}`:              httpclient.Refused,
		"{\"header\":{},\"esummaryresult\":{\"ERROR\":\"Search Backend failed:\n no\"}}":  httpclient.Refused,
		`{"header":{},"result":{"uids":["1"],"1":[]}}`:                                    httpclient.Upstream,
		`{"header":{}}`: httpclient.Upstream,
		`[]`:            httpclient.Upstream,
		`<a><ERROR>UID=1: cannot get document summary</ERROR></a>`: httpclient.Refused,
	} {
		synctest.Test(t, func(t *testing.T) {
			_, err := summaries(answer(t, 200, []byte(body)), t)
			wants(t, err, kind)
		})
	}
	for body, want := range map[string]int{ // number of matches
		"j|1|2|3|a|line1|12\r\nj|1|2|3|b|line0|AMBIGUOUS 4,5\n": 1,
		"j|1|2|3|b|line0|AMBIGUOUS (4, 5)\n":                    0,
		"j|1|2|3|b|line0|AMBIGUOUS 9 citations\n":               0,
		"j|1|2|3|b|someone else's key|7\n":                      0,
	} {
		t.Run(body, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, err := answer(t, 200, []byte(body)).MatchCitations(t.Context(), []entrez.Citation{{Author: "b"}, {Author: "a"}})
				if err != nil {
					t.Fatal(err)
				}
				found := 0
				for _, m := range got {
					if m.PMID != "" {
						found++
					} else if m.Reason == "" || m.Candidates == nil {
						t.Errorf("%+v", m)
					}
				}
				equal(t, "matches", found, want)
				if strings.Contains(body, "4,") {
					equal(t, "candidates", len(got[0].Candidates), 2)
				}
				if strings.Contains(body, "9 citations") {
					equal(t, "candidates", len(got[0].Candidates), 0)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		const quoting = `<pmc-articleset><article><body><p>Some publisher does not allow downloading of the full text.</p></body></article></pmc-articleset>`
		text, err := answer(t, 200, []byte(quoting)).FullText(t.Context(), "PMC1")
		if err != nil || !strings.Contains(string(text), "Some publisher") {
			t.Error(err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		f, err := answer(t, 200, []byte(`<PubmedArticleSet><PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">1</PMID><Article PubModel="Print"><ArticleTitle>old</ArticleTitle></Article></MedlineCitation></PubmedArticle>`+
			`<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="3">1</PMID><Article PubModel="Print"><ArticleTitle>new</ArticleTitle></Article></MedlineCitation></PubmedArticle>`+
			`<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="2">1</PMID><Article PubModel="Print"><ArticleTitle>middle</ArticleTitle></Article></MedlineCitation></PubmedArticle>`+
			`<PubmedArticle><MedlineCitation><PMID Version="1">4</PMID><Article><ArticleTitle>&nosuchentity;</ArticleTitle></Article></MedlineCitation></PubmedArticle>`+
			`<DeleteCitation><PMID Version="1">2</PMID></DeleteCitation></PubmedArticleSet>`)).Fetch(t.Context(), []string{"1", "2", "3", "4"})
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Articles) != 1 || f.Articles[0].Title != "new" {
			t.Errorf("%+v", f.Articles)
		}
		equal(t, "deleted", f.Deleted, []string{"2"})
		equal(t, "missing", f.Missing, []string{"3"})
		if len(f.Broken) != 1 || f.Broken[0].PMID != "4" {
			t.Errorf("broken: %v", f.Broken)
		}
	})
}
