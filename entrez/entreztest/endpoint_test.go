package entreztest

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var pmidOf = regexp.MustCompile(`<(?:MedlineCitation [^>]*|BookDocument)><PMID Version="\d+">(\d+)</PMID>`)

func fetched(body string) string {
	var out []string
	for _, m := range pmidOf.FindAllStringSubmatch(body, -1) {
		out = append(out, m[1])
	}
	return strings.ReplaceAll(strings.Join(out, " "), "8000000", "")
}

func decode[T any](t *testing.T, body string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatalf("%v in %.400s", err, body)
	}
	return v
}

func TestEFetchGivesTheRecordsOwnBytesInTheOrderAsked(t *testing.T) {
	s := imaginary(t)
	for ids, want := range map[string]string{
		"80000003,80000001":                   "3 1",
		"80000001,999,80000002":               "1 2", // unknown records are skipped
		"80000004":                            "4",   // a book
		"80000001,80000001":                   "1",
		"999":                                 "",
		"80000001,x,80000002":                 "1 2",
		" 80000001 , 80000002 ":               "1 2",
		"99999999999999999999,0,80000001":     "1",
		"80000001&id=80000002&id=80000003,80": "1 2 3",
	} {
		t.Run(ids, func(t *testing.T) {
			if got := fetched(ask(t, s, "efetch.fcgi?retmode=xml&id="+strings.ReplaceAll(ids, " ", "%20"))); got != want {
				t.Errorf("%s: %s, want %s", ids, got, want)
			}
		})
	}
	body := ask(t, s, "efetch.fcgi?id=80000001")
	if !strings.Contains(body, string(s.Raw("80000001"))) {
		t.Error("the reply does not contain the record's bytes")
	}
	if strings.Contains(body, "DeleteCitation") {
		t.Error("the reply contains a DeleteCitation")
	}
	if want := pubmedProlog + "<PubmedArticle>"; !strings.HasPrefix(body, want) {
		t.Errorf("begins with %.300s, want %s", body, want)
	}
	if want := "</PubmedArticle></PubmedArticleSet>"; !strings.HasSuffix(body, want) {
		t.Errorf("ends with %s, want %s", body[len(body)-60:], want)
	}
	for _, ids := range []string{"", "x", ",,"} {
		t.Run(ids, func(t *testing.T) {
			status, body := fetch(t, s, s.EntrezURL()+"efetch.fcgi?id="+ids)
			if status != 400 {
				t.Errorf("ids %q: status %d, want 400", ids, status)
			}
			want := "<eFetchResult>\n\t<ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR>"
			if !strings.Contains(body, want) {
				t.Errorf("ids %q: %s, want %s", ids, body, want)
			}
		})
	}
	if got := ask(t, s, "efetch.fcgi?id=80000003,80000001&rettype=uilist&retmode=text"); got != "80000003\n80000001\n" {
		t.Errorf("uilist %q", got)
	}
}

func TestEFetchFrameIsThatOfTheCapture(t *testing.T) {
	want := read(t, shared(t, "eutils/pubmed1.xml"))
	got := ask(t, imaginary(t), "efetch.fcgi?id=80000001,80000002")
	w, _, _ := strings.Cut(want, "<PubmedArticle>")
	g, _, _ := strings.Cut(got, "<PubmedArticle>")
	if w != g {
		t.Errorf("prolog %q, want %q", g, w)
	}
	if w, g := want[len(want)-40:], got[len(got)-40:]; w != g {
		t.Errorf("end %q, want %q", g, w)
	}
}

func TestHistory(t *testing.T) {
	s := imaginary(t)
	first := look(t, s, "asthma", "usehistory", "y")
	if first.QueryKey != "1" {
		t.Fatalf("first query key %q, want 1", first.QueryKey)
	}
	if form := regexp.MustCompile(`^MCID_[0-9a-f]{24}$`); !form.MatchString(first.WebEnv) {
		t.Fatalf("WebEnv %q, want %s", first.WebEnv, form)
	}
	h := "&query_key=1&WebEnv=" + first.WebEnv
	if got := fetched(ask(t, s, "efetch.fcgi?retmode=xml"+h)); got != "1 2" && got != "2 1" {
		t.Errorf("efetch from history: %s", got)
	}
	all := strings.Fields(fetched(ask(t, s, "efetch.fcgi?retmode=xml"+h)))
	if got := fetched(ask(t, s, "efetch.fcgi?retmax=1&retstart=1"+h)); got != all[1] {
		t.Errorf("second of the history: %s", got)
	}
	sum := decode[struct{ Result struct{ UIDs []string } }](t, ask(t, s, "esummary.fcgi?retmode=json&retstart=1"+h))
	if len(sum.Result.UIDs) != 1 {
		t.Errorf("esummary from history: %v", sum)
	}
	second := look(t, s, "#1 AND mice", "usehistory", "y", "WebEnv", first.WebEnv)
	if second.WebEnv != first.WebEnv {
		t.Errorf("#1 AND mice: WebEnv %q, want %q", second.WebEnv, first.WebEnv)
	}
	if second.QueryKey != "2" {
		t.Errorf("#1 AND mice: query key %q, want 2", second.QueryKey)
	}
	if second.Count != "1" {
		t.Errorf("#1 AND mice: count %q, want 1", second.Count)
	}
	third := look(t, s, "mice", "usehistory", "y", "WebEnv", first.WebEnv, "query_key", "1")
	if third.QueryKey != "3" {
		t.Errorf("query_key with a term: query key %q, want 3", third.QueryKey)
	}
	if third.Count != "1" {
		t.Errorf("query_key with a term: count %q, want 1", third.Count)
	}
	if got := look(t, s, "#1 AND mice", "WebEnv", first.WebEnv); got.Error != "Unable to obtain query #1" {
		t.Errorf("without usehistory: %+v", got)
	}
	if got := look(t, s, "#9", "usehistory", "y", "WebEnv", first.WebEnv); got.Error != "Unable to obtain query #9" {
		t.Errorf("#9: %+v", got)
	}
	s.KillHistory()
	if got := look(t, s, "#1 AND mice", "usehistory", "y", "WebEnv", first.WebEnv); got.Error != "Unable to obtain query #1" {
		t.Errorf("dead WebEnv: %+v", got)
	}
	if got := ask(t, s, "esummary.fcgi?retmode=json"+h); !strings.Contains(got, `"esummaryresult":["Unable to obtain query #1"]`) {
		t.Errorf("dead WebEnv, esummary: %s", got)
	}
	status, body := fetch(t, s, s.EntrezURL()+"efetch.fcgi?retmode=xml"+h)
	if status != 400 {
		t.Errorf("dead WebEnv, efetch: status %d, want 400", status)
	}
	want := "<ERROR>Cannot retrieve history data. query_key: 1, WebEnv: " + first.WebEnv
	if !strings.Contains(body, want) {
		t.Errorf("dead WebEnv, efetch: %s, want %s", body, want)
	}
}

func TestEPost(t *testing.T) {
	s := imaginary(t)
	var r struct{ QueryKey, WebEnv string }
	if err := xml.Unmarshal([]byte(ask(t, s, "epost.fcgi?id=80000003,80000001,999")), &r); err != nil {
		t.Fatal(err)
	}
	if got := fetched(ask(t, s, "efetch.fcgi?query_key="+r.QueryKey+"&WebEnv="+r.WebEnv)); got != "3 1" {
		t.Errorf("posted ids: %s", got)
	}
	if got := look(t, s, "#1 AND asthma", "usehistory", "y", "WebEnv", r.WebEnv); !slices.Equal(got.IDs, []string{"80000001"}) {
		t.Errorf("#1 AND asthma: %+v", got)
	}
	if got := ask(t, s, "epost.fcgi?id="); !strings.Contains(got, "<ERROR>Empty ID list; Nothing to store</ERROR>") {
		t.Error(got)
	}
}

type docSums struct {
	Result map[string]json.RawMessage `json:"result"`
	Whole  []string                   `json:"esummaryresult"`
	Error  string                     `json:"error"`
}

func TestESummary(t *testing.T) {
	s := imaginary(t)
	got := decode[docSums](t, ask(t, s, "esummary.fcgi?retmode=json&id=80000002,334847,80000001"))
	if string(got.Result["uids"]) != `["80000002","334847","80000001"]` {
		t.Errorf("uids %s", got.Result["uids"])
	}
	if string(got.Result["334847"]) != `{"uid":"334847","error":"cannot get document summary"}` {
		t.Errorf("a missing uid: %s", got.Result["334847"])
	}
	var retracted, trial summary
	if err := json.Unmarshal(got.Result["80000002"], &retracted); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got.Result["80000001"], &trial); err != nil {
		t.Fatal(err)
	}
	wantNotice := summaryReference{"Ann Imag Mice. 2023;8:1", "Retraction in", 80000009, ""}
	if got := retracted.References[0]; got != wantNotice {
		t.Errorf("first reference of the retracted article %+v, want %+v", got, wantNotice)
	}
	if got := retracted.References[1].RefType; got != "Comment in" {
		t.Errorf("type of the second reference %q, want Comment in", got)
	}
	if !slices.Contains(retracted.PubType, "Retracted Publication") {
		t.Errorf("publication types %v, want Retracted Publication among them", retracted.PubType)
	}
	for _, field := range []struct{ name, got, want string }{
		{"pubdate", trial.PubDate, "2021 Mar 4"},
		{"epubdate", trial.EPubDate, "2020 Dec 30"},
		{"pubstatus", trial.PubStatus, "256"},
		{"elocationid", trial.ELocationID, "doi: 10.99999/imag.2021.101"},
		{"sortpubdate", trial.SortPubDate, "2021/03/04 00:00"},
		{"sortfirstauthor", trial.SortFirstAuthor, "Müller JA"},
		{"lastauthor", trial.LastAuthor, "Imaginary Asthma Group"},
		{"authtype of the third author", trial.Authors[2].AuthType, "CollectiveName"},
		{"recordstatus", trial.RecordStatus, "PubMed - indexed for MEDLINE"},
	} {
		if field.got != field.want {
			t.Errorf("%s %q, want %q", field.name, field.got, field.want)
		}
	}
	if trial.PMCRefCount == nil {
		t.Error("pmcrefcount is null")
	}
	for _, id := range []summaryID{{"pmcid", 5, "pmc-id: PMC8000001;"}, {"pii", 4, "imag-101"}} {
		if !slices.Contains(trial.ArticleIDs, id) {
			t.Errorf("articleids %v, want %v among them", trial.ArticleIDs, id)
		}
	}
	for _, date := range []summaryDate{{"entrez", "2021/01/01 20:15"}, {"received", "2020/10/01 00:00"}} {
		if !slices.Contains(trial.History, date) {
			t.Errorf("history %v, want %v among them", trial.History, date)
		}
	}
	got = decode[docSums](t, ask(t, s, "esummary.fcgi?retmode=json&id="))
	if want := []string{"Empty id list - nothing todo"}; !slices.Equal(got.Whole, want) {
		t.Errorf("no ids: %q, want %q", got.Whole, want)
	}
	got = decode[docSums](t, ask(t, s, "esummary.fcgi?retmode=json&id=x,80000001"))
	if want := "Invalid uid x at position= 0"; got.Error != want {
		t.Errorf("an invalid id among valid ones: error %q, want %q", got.Error, want)
	}
	if got.Result["80000001"] == nil {
		t.Error("an invalid id among valid ones: no summary of the valid one")
	}
	many := strings.TrimSuffix(strings.Repeat("80000001,", 501), ",")
	got = decode[docSums](t, ask(t, s, "esummary.fcgi?retmode=json&id="+many))
	if want := "Too many UIDs in request. Maximum number of UIDs is 500"; !strings.HasPrefix(got.Error, want) {
		t.Errorf("501 ids: error %q, want %q", got.Error, want)
	}
	for refType, want := range map[string]string{
		"CommentIn": "Comment in", "ErratumFor": "Erratum for", "ExpressionOfConcernIn": "Expression of concern in",
		"RetractedandRepublishedIn": "Retracted and republished in", "UpdateOf": "Update of", "AssociatedDataset": "Associated dataset",
	} {
		t.Run(refType, func(t *testing.T) {
			if got := relation(refType); got != want {
				t.Errorf("%s is %q, want %q", refType, got, want)
			}
		})
	}
}

func TestMeSH(t *testing.T) {
	s := imaginary(t)
	asthma := Heading{
		UI: "D001249", Terms: []string{"Asthma", "Bronchial Asthma"}, ScopeNote: "Short of breath.",
		TreeNumbers: []string{"C08.127"},
	}
	if err := s.SetHeading(asthma); err != nil {
		t.Fatal(err)
	}
	for term, want := range map[string][]string{
		"asthma": {"68001249"}, "bronchial asthma": {"68001249"}, `"Asthma"[mh]`: {"68001249"}, "D001249": {"68001249"},
		"cells": {"68013234"}, `"Cells"[mh]`: {}, "asthma OR mice": {"68001249", "68051379"}, "sodium": {"68012965"}, "68001249[uid]": {"68001249"},
	} {
		t.Run(term, func(t *testing.T) {
			got := look(t, s, term, "db", "mesh")
			slices.Sort(got.IDs)
			if !slices.Equal(got.IDs, want) {
				t.Errorf("%s: %v, want %v", term, got.IDs, want)
			}
		})
	}
	unknown := look(t, s, "no such heading", "db", "mesh")
	if unknown.Count != "0" {
		t.Errorf("unknown words: count %s, want 0", unknown.Count)
	}
	if want := []string{"no such heading"}; !slices.Equal(unknown.Errors.PhrasesNotFound, want) {
		t.Errorf("unknown words: not found %q, want %q", unknown.Errors.PhrasesNotFound, want)
	}
	quoted := look(t, s, `"No Such"[mh]`, "db", "mesh")
	if want := []string{`"No Such"[mh]`}; !slices.Equal(quoted.Warnings.QuotedPhrasesNotFound, want) {
		t.Errorf("an unknown quoted term: not found %q, want %q", quoted.Warnings.QuotedPhrasesNotFound, want)
	}
	if want := `("No Such"[mh])`; quoted.Translation != want {
		t.Errorf("an unknown quoted term: translation %s, want %s", quoted.Translation, want)
	}
	doc := decode[struct {
		Result struct {
			Asthma  meshSummary `json:"68001249"`
			Missing any         `json:"68999999"`
		}
	}](t, ask(t, s, "esummary.fcgi?db=mesh&retmode=json&id=68001249,68999999")).Result
	h := doc.Asthma
	if h.MeshUI != asthma.UI {
		t.Errorf("UI %q, want %q", h.MeshUI, asthma.UI)
	}
	if !slices.Equal(h.MeshTerms, asthma.Terms) {
		t.Errorf("terms %q, want %q", h.MeshTerms, asthma.Terms)
	}
	if h.ScopeNote != asthma.ScopeNote {
		t.Errorf("scope note %q, want %q", h.ScopeNote, asthma.ScopeNote)
	}
	if len(h.IdxLinks) != 1 || h.IdxLinks[0].TreeNum != "C08.127" {
		t.Errorf("links %+v, want one with the tree number C08.127", h.IdxLinks)
	}
	if want := []string{"drug therapy"}; !slices.Equal(h.Subheading, want) {
		t.Errorf("subheadings %q, want %q", h.Subheading, want)
	}
	if h.RecordType != "descriptor" {
		t.Errorf("record type %q, want descriptor", h.RecordType)
	}
	if fmt.Sprint(doc.Missing) != "map[error:cannot get document summary uid:68999999]" {
		t.Errorf("%v", doc.Missing)
	}
	// Entry terms are also mapped in PubMed.
	if got := look(t, s, "bronchial asthma"); !strings.HasPrefix(got.Translation, `"asthma"[MeSH Terms]`) {
		t.Errorf("translation %s", got.Translation)
	}
	if s.SetHeading(Heading{UI: "X1", Terms: []string{"x"}}) == nil {
		t.Error("a heading with an invalid UI is accepted")
	}
	if s.SetHeading(Heading{UI: "D001249"}) == nil {
		t.Error("a heading without terms is accepted")
	}
}
