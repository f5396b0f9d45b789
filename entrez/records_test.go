package entrez_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
)

func pmids(f *entrez.Fetched) []string {
	var out []string
	for _, a := range f.Articles {
		out = append(out, a.PMID)
	}
	return out
}

func TestFetch(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		f, err := c.Fetch(t.Context(), []string{"80000003", "99", " 80000001", "0080000003", "80000004", "80000001"})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "articles", pmids(f), []string{"80000003", "80000001", "80000004"})
		equal(t, "missing", f.Missing, []string{"99"})
		equal(t, "method", f.Method, "GET")
		equal(t, "urls", f.URLs, []string{sim.EntrezURL() + "efetch.fcgi?db=pubmed&id=80000003,99,80000001,80000004&retmode=xml"})
		if len(f.Articles[1].Title) == 0 || f.Articles[2].Book == nil {
			t.Error("records were not read")
		}
	})
}

func TestFetchOfNothingThatExists(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		for _, fault := range []entreztest.Fault{
			{}, // the simulator's own answer
			{Endpoint: "efetch", Kind: entreztest.Error200, Text: "ID list is empty! Possibly it has no correct IDs."},
		} {
			if fault.Kind != "" {
				sim.Fail(fault)
			}
			f, err := c.Fetch(entrez.WithoutCache(t.Context()), []string{"98", "99"})
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "missing", f.Missing, []string{"98", "99"})
			equal(t, "articles", len(f.Articles), 0)
		}
	})
}

func TestFetchInBatches(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		var ids []string
		for i := range 450 {
			ids = append(ids, fmt.Sprint(entreztest.FirstSynthetic+449-i))
		}
		f, err := c.Fetch(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(pmids(f), ids) {
			t.Error("the order asked was lost")
		}
		equal(t, "requests", sim.Count("efetch"), 3)
		equal(t, "method", f.Method, "POST")
		equal(t, "urls", len(f.URLs), 3)
		if f, err = c.Fetch(t.Context(), ids[:200]); err != nil || len(f.Articles) != 200 {
			t.Fatalf("%d articles, %v", len(f.Articles), err)
		}
		equal(t, "method of 200", f.Method, "GET")
		equal(t, "requests after 200", sim.Count("efetch"), 4)
		equal(t, "answered 429", sim.Limited(), 0)
	}, entreztest.XML(entreztest.Generate(450, 1)))
}

func TestFetchFailsWholeOrNotAtAll(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		var ids []string
		for i := range 600 {
			ids = append(ids, fmt.Sprint(entreztest.FirstSynthetic+i))
		}
		sim.Fail(entreztest.Fault{Endpoint: "efetch", Kind: entreztest.Error200, From: 2, Text: "no"})
		f, err := c.Fetch(t.Context(), ids)
		wants(t, err, entrez.Refused)
		if f != nil {
			t.Error("a part was handed out as the whole")
		}
	}, entreztest.XML(entreztest.Generate(600, 1)))
}

func TestFetchOfAnAnswerThatIsNotWhatWasAsked(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		sim.Fail(entreztest.Fault{Endpoint: "efetch", Kind: entreztest.ExtraUID, IDs: []string{"80000003"}},
			entreztest.Fault{Endpoint: "efetch", Kind: entreztest.MissingUID, From: 2, IDs: []string{"80000002"}})
		f, err := c.Fetch(t.Context(), []string{"80000001", "80000002"})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "articles", pmids(f), []string{"80000001", "80000002"})
		if f, err = c.Fetch(t.Context(), []string{"80000001", "80000002"}); err != nil {
			t.Fatal(err)
		}
		equal(t, "articles", pmids(f), []string{"80000001"})
		equal(t, "missing", f.Missing, []string{"80000002"})
	})
}

func TestIDsAreCheckedBeforeNCBIIsAsked(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		for _, ids := range [][]string{
			nil, {"0"}, {"-1"}, {"1.5"}, {"PMC1"}, {"99999999999999999999"}, {""}, {"1,2"}, {"1", "x"}, {"$(whoami)"}, {"1\n2"}, {"１"},
		} {
			_, err := c.Fetch(t.Context(), ids)
			wants(t, err, entrez.Invalid)
			_, err = c.Summaries(t.Context(), "", ids)
			wants(t, err, entrez.Invalid)
			_, err = c.FetchText(t.Context(), ids, entrez.Medline)
			wants(t, err, entrez.Invalid)
			_, err = c.Annotations(t.Context(), ids)
			wants(t, err, entrez.Invalid)
			_, err = c.Post(t.Context(), "", ids)
			wants(t, err, entrez.Invalid)
		}
		equal(t, "requests", sim.Count(), 0)
	})
}

func TestFetchText(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		for format, want := range map[entrez.TextFormat]string{
			entrez.Medline: "PMID- 80000001", entrez.Abstract: "1. ", entrez.XML: "<PubmedArticleSet>",
		} {
			text, err := c.FetchText(t.Context(), []string{"80000001"}, format)
			if err != nil || !strings.Contains(text, want) {
				t.Errorf("%s: %v\n%.300s", format, err, text)
			}
			_, err = c.FetchText(t.Context(), []string{"99"}, format)
			wants(t, err, entrez.NotFound)
		}
		_, err := c.FetchText(t.Context(), []string{"1"}, "html")
		wants(t, err, entrez.Invalid)
		_, err = c.FetchText(t.Context(), many(201), entrez.Medline)
		wants(t, err, entrez.Invalid)
	})
}

func many(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprint(i+1))
	}
	return out
}

func TestSummaries(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		s, err := c.Summaries(t.Context(), "pubmed", []string{"80000002", "334847", "80000001", "80000004", "80000002"})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "missing", s.Missing, []string{"334847"})
		if len(s.Items) != 3 {
			t.Fatalf("%d items", len(s.Items))
		}
		retracted, trial, book := s.Items[0], s.Items[1], s.Items[2]
		if !retracted.Retracted || trial.Retracted || book.Retracted {
			t.Error("retraction was not seen as it is")
		}
		equal(t, "PMCID", trial.PMCID, "PMC8000001")
		if trial.UID != "80000001" || trial.Title == "" || trial.Source == "" || trial.PubDate == "" || trial.DOI == "" ||
			len(trial.Authors) == 0 || !slices.Contains(trial.PubTypes, "Randomized Controlled Trial") || !trial.HasAbstract {
			t.Errorf("%+v", trial)
		}
		if book.BookTitle == "" || book.Title == "" || book.DocType == "citation" {
			t.Errorf("%+v", book)
		}
	})
}

func TestManySummaries(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		var ids []string
		for i := range 620 {
			ids = append(ids, fmt.Sprint(entreztest.FirstSynthetic+i))
		}
		s, err := c.Summaries(t.Context(), "", ids)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Items) != 600 || len(s.Missing) != 20 {
			t.Errorf("%d items, %d missing", len(s.Items), len(s.Missing))
		}
		for i, item := range s.Items {
			if item.UID != ids[i] {
				t.Fatalf("item %d is %s", i, item.UID)
			}
		}
		sent := sim.Requests("esummary")
		if len(sent) != 2 || sent[0].Method != "POST" || sent[1].Method != "GET" {
			t.Errorf("%d requests", len(sent))
		}
		sim.Forget()
		if s, err = c.Summaries(t.Context(), "", ids[:201]); err != nil || len(s.Items) != 201 {
			t.Error(err)
		}
		equal(t, "method of 201", sim.Requests()[0].Method, "POST")
		equal(t, "URL of a POST", s.URL, sim.EntrezURL()+"esummary.fcgi")
	}, entreztest.XML(entreztest.Generate(600, 1)))
}

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
			if !l.HasScore || i > 0 && l.Score > similar.Items[i-1].Score {
				t.Errorf("score %d of item %d", l.Score, i)
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
		if err != nil || none.Items == nil || len(none.Items) != 0 {
			t.Errorf("%+v, %v", none, err)
		}
		for _, name := range []string{"", "pubmed", "pubmed_pubmed&x", "a b_c"} {
			_, err = c.Links(t.Context(), id, name)
			wants(t, err, entrez.Invalid)
		}
		_, err = c.Links(t.Context(), "x", entrez.Similar)
		wants(t, err, entrez.Invalid)
	}, entreztest.XML(entreztest.Generate(60, 1)))
}
