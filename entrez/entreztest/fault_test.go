package entreztest

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/pubmed"
	"biomcp/entrez/sourcetest"
)

// An outcome is the reply that a client sees.
type outcome struct {
	status int
	header http.Header
	body   string
	err    error // from the request, or from reading the body
}

func try(client *http.Client, url string) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return outcome{err: err}
	}
	r, err := client.Do(req)
	if err != nil {
		return outcome{err: err}
	}
	defer r.Body.Close()
	body, err := io.ReadAll(io.LimitReader(r.Body, 4<<20))
	return outcome{r.StatusCode, r.Header, string(body), err}
}

// readable returns the PMIDs of an EFetch reply, and the errors of records that cannot be read.
func readable(body string) []string {
	var out []string
	for item, err := range pubmed.Scan(strings.NewReader(body)) {
		var bad *pubmed.RecordError
		switch {
		case errors.As(err, &bad):
			out = append(out, bad.PMID+" broken,")
		case err != nil:
			return append(out, err.Error())
		default:
			out = append(out, item.Article.PMID)
		}
	}
	return out
}

// Every fault must look the same over TCP and without a network.
func TestFaults(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "elsewhere")
	}))
	defer elsewhere.Close()
	const search = "esearch.fcgi?term=asthma&retmode=json&usehistory=y"
	const record = "efetch.fcgi?id=80000001,80000002"
	cut := func(o outcome) bool { return errors.Is(o.err, io.ErrUnexpectedEOF) }
	for _, c := range []struct {
		fault Fault
		path  string
		ok    func(outcome) bool
	}{
		{Fault{Kind: Limit429}, record, func(o outcome) bool {
			return o.status == 429 && strings.HasPrefix(o.body, `{"error":"API rate limit exceeded","api-key":"127.0.0.1","count":"4","limit":"3"}`)
		}},
		{Fault{Kind: Limit429, RetryAfter: "2"}, record, func(o outcome) bool { return o.status == 429 && o.header.Get("Retry-After") == "2" }},
		{Fault{Kind: Limit200}, record, func(o outcome) bool {
			return o.status == 200 && strings.Contains(o.body, "API rate limit exceeded") && o.header.Get("Content-Type") == sourcetest.JSONType
		}},
		{Fault{Kind: BadKey}, record + "&api_key=" + Key, func(o outcome) bool {
			return o.status == 400 && strings.Contains(o.body, `"api-key":"`+Key+`"`)
		}},
		{Fault{Kind: URITooLarge}, record, func(o outcome) bool { return o.status == 414 && strings.Contains(o.body, "XHTML") }},
		{Fault{Kind: HTML500}, record, func(o outcome) bool {
			return o.status == 500 && strings.Contains(o.body, "<title>NCBI/eutils202 - WWW Error 500 Diagnostic")
		}},
		{Fault{Kind: HTML502}, record, func(o outcome) bool { return o.status == 502 && strings.Contains(o.body, "<html>") }},
		{Fault{Kind: Down503, RetryAfter: "1"}, record, func(o outcome) bool { return o.status == 503 && o.header.Get("Retry-After") == "1" }},
		{Fault{Kind: Empty}, record, func(o outcome) bool { return o.status == 200 && o.body == "" }},
		{Fault{Kind: OtherForm}, record, func(o outcome) bool { return o.status == 200 && json.Valid([]byte(o.body)) }},
		{Fault{Kind: HTML200}, record, func(o outcome) bool { return o.status == 200 && strings.Contains(o.body, "<html>") }},
		{Fault{Kind: HTML403}, record, func(o outcome) bool { return o.status == 403 && strings.Contains(o.body, "<html>") }},
		{Fault{Kind: HTML404}, record, func(o outcome) bool { return o.status == 404 && strings.Contains(o.body, "<html>") }},
		{Fault{Kind: EmptyXML}, record, func(o outcome) bool {
			return o.status == 200 && strings.TrimSpace(o.body[strings.Index(o.body, "?>")+2:]) == ""
		}},
		{Fault{Kind: CppException}, record, func(o outcome) bool { return o.status == 200 && strings.HasPrefix(o.body, "NCBI C++ Exception:") }},
		{Fault{Kind: Error200}, record, func(o outcome) bool {
			return o.status == 200 && strings.Contains(o.body, "<eFetchResult>\n\t<ERROR>Search Backend failed: Database is not supported: pubmed</ERROR>")
		}},
		{Fault{Kind: Error200, Text: "so"}, search, func(o outcome) bool { return strings.Contains(o.body, `"esearchresult":{"ERROR":"so"}`) }},
		{Fault{Kind: Error200, Text: "so"}, "esearch.fcgi?term=x", func(o outcome) bool {
			return strings.Contains(o.body, "<eSearchResult><ERROR>so</ERROR></eSearchResult>")
		}},
		{Fault{Kind: Error200, Text: "so"}, "esummary.fcgi?retmode=json&id=1", func(o outcome) bool { return strings.Contains(o.body, `"esummaryresult":["so"]`) }},
		{Fault{Kind: Error200, Text: "so"}, "elink.fcgi?id=1", func(o outcome) bool { return strings.Contains(o.body, "<ERROR>so</ERROR>") }},
		{Fault{Kind: Error200, Text: "so"}, "elink.fcgi?id=1&retmode=json", func(o outcome) bool { return strings.Contains(o.body, `"ERROR":"so"`) }},
		{Fault{Kind: Error200, Text: "so"}, "einfo.fcgi", func(o outcome) bool { return strings.Contains(o.body, "<ERROR>so</ERROR>") }},
		{Fault{Kind: Error200, Text: "so"}, "espell.fcgi?term=x", func(o outcome) bool { return strings.Contains(o.body, "<ERROR>so</ERROR>") }},
		{Fault{Kind: Error200, Text: "so"}, "epost.fcgi?id=1", func(o outcome) bool { return strings.Contains(o.body, "<ERROR>so</ERROR>") }},
		{Fault{Kind: Error200, Text: "so"}, "ecitmatch.cgi", func(o outcome) bool { return o.body == "so\n" }},
		{Fault{Kind: RawNewline}, search, func(o outcome) bool {
			return o.status == 200 && !json.Valid([]byte(o.body)) && json.Valid([]byte(strings.ReplaceAll(o.body, "\n", " ")))
		}},
		{Fault{Kind: DeadWebEnv}, search, func(o outcome) bool {
			return o.status == 200 && strings.Contains(o.body, `{"ERROR":"Unable to obtain query #1"}`)
		}},
		{Fault{Kind: DeadWebEnv}, "efetch.fcgi?query_key=2&WebEnv=MCID_x", func(o outcome) bool {
			return o.status == 400 && strings.Contains(o.body, "Cannot retrieve history data. query_key: 2, WebEnv: MCID_x, retstart: 0") && strings.Contains(o.body, "NCBI C++ Exception")
		}},
		{Fault{Kind: Truncated}, record, func(o outcome) bool { return o.status == 200 && cut(o) && len(o.body) > 1000 }},
		{Fault{Kind: Cut}, record, func(o outcome) bool { return o.status == 200 && cut(o) && len(o.body) > 1000 }},
		{Fault{Kind: CutXML}, record, func(o outcome) bool {
			return o.err == nil && len(o.body) > 1000 && !strings.Contains(o.body, "</PubmedArticleSet>")
		}},
		{Fault{Kind: Hangup}, record, func(o outcome) bool { return o.status == 0 && o.err != nil }},
		{Fault{Kind: Endless}, record, func(o outcome) bool { return o.err == nil && len(o.body) == 4<<20 }},
		{Fault{Kind: Redirect, Target: elsewhere.URL}, record, func(o outcome) bool { return o.status == 302 && o.header.Get("Location") == elsewhere.URL }},
		{Fault{Kind: WrongType}, record, func(o outcome) bool {
			return o.header.Get("Content-Type") == "application/octet-stream" && strings.HasSuffix(o.body, "</PubmedArticleSet>")
		}},
		{Fault{Kind: GzipBomb}, record, func(o outcome) bool {
			if o.header.Get("Content-Encoding") == "gzip" { // not decompressed by the transport
				z, err := gzip.NewReader(strings.NewReader(o.body))
				if err != nil {
					return false
				}
				unpacked, err := io.ReadAll(io.LimitReader(z, 4<<20))
				o.body, o.err = string(unpacked), err
			}
			return o.err == nil && len(o.body) == 4<<20 && strings.TrimSpace(o.body) == ""
		}},
		{Fault{Kind: LyingCount}, search, func(o outcome) bool { return strings.Contains(o.body, `"count":"9","retmax":"2"`) }},
		{Fault{Kind: LyingCount, Extra: 100}, search, func(o outcome) bool { return strings.Contains(o.body, `"count":"102"`) }},
		{Fault{Kind: MissingUID}, search, func(o outcome) bool {
			return strings.Contains(o.body, `"count":"2"`) && strings.Contains(o.body, `"retmax":"1"`)
		}},
		{Fault{Kind: MissingUID}, record, func(o outcome) bool { return strings.Count(o.body, "<PubmedArticle>") == 1 }},
		{Fault{Kind: MissingUID, IDs: []string{"80000001"}}, record, func(o outcome) bool {
			return !strings.Contains(o.body, `<PMID Version="1">80000001</PMID><DateCompleted>`) && strings.Count(o.body, "<PubmedArticle>") == 1
		}},
		{Fault{Kind: ExtraUID, IDs: []string{"80000005"}}, record, func(o outcome) bool { return strings.Count(o.body, "<PubmedArticle>") == 3 }},
		{Fault{Kind: ExtraUID, IDs: []string{"7"}}, "esummary.fcgi?retmode=json&id=80000001", func(o outcome) bool {
			return strings.Contains(o.body, `"7":{"uid":"7","error":"cannot get document summary"}`)
		}},
		{Fault{Kind: BadRecord}, record, func(o outcome) bool { return strings.Join(readable(o.body), " ") == "80000001 broken, 80000002" }},
		{Fault{Kind: BadRecord, IDs: []string{"80000002"}}, record, func(o outcome) bool {
			return strings.Join(readable(o.body), " ") == "80000001 80000002 broken,"
		}},
		{Fault{Kind: MissingUID}, "elink.fcgi?id=80000002&linkname=pubmed_pubmed_refs&retmode=json", func(o outcome) bool {
			return strings.Contains(o.body, `"links":["80000003"]`) || strings.Contains(o.body, `"links":["80000001"]`)
		}},
	} {
		t.Run(string(c.fault.Kind), func(t *testing.T) {
			over := New(t, File("testdata/synthetic.xml"), NoLimit())
			without := imaginary(t)
			tcp := &http.Client{Transport: &http.Transport{}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			defer tcp.CloseIdleConnections()
			piped := without.Client()
			piped.CheckRedirect = tcp.CheckRedirect
			for _, one := range []struct {
				way    string
				s      *Server
				client *http.Client
			}{{"over TCP", over, tcp}, {"without a network", without, piped}} {
				if err := one.s.Fail(c.fault); err != nil {
					t.Fatal(err)
				}
				o := try(one.client, one.s.EntrezURL()+c.path)
				if !c.ok(o) {
					t.Errorf("%s: %d %v %v %.600s", one.way, o.status, o.header, o.err, o.body)
				}
				// The fault was planned only once.
				if o := try(one.client, one.s.EntrezURL()+record); o.err != nil || o.status != 200 || strings.Count(o.body, "<PubmedArticle>") != 2 {
					t.Errorf("%s, afterwards: %d %v %.200s", one.way, o.status, o.err, o.body)
				}
			}
		})
	}
}

func TestEveryKindIsTested(t *testing.T) {
	// Other tests cover Stall, StallBody and ShuffledTies; the others are in
	// the table of TestFaults.
	source := read(t, "fault_test.go")
	for _, k := range Kinds {
		name := map[Kind]string{
			Limit429: "Limit429", Limit200: "Limit200", BadKey: "BadKey", URITooLarge: "URITooLarge", HTML500: "HTML500", HTML502: "HTML502",
			Down503: "Down503", HTML200: "HTML200", HTML403: "HTML403", HTML404: "HTML404", EmptyXML: "EmptyXML", Empty: "Empty", OtherForm: "OtherForm", CppException: "CppException", Error200: "Error200",
			RawNewline: "RawNewline", DeadWebEnv: "DeadWebEnv", Truncated: "Truncated", Cut: "Cut", CutXML: "CutXML", Hangup: "Hangup",
			Endless: "Endless", Stall: "Stall", StallBody: "StallBody", Redirect: "Redirect", WrongType: "WrongType", GzipBomb: "GzipBomb",
			BadRecord: "BadRecord", LyingCount: "LyingCount", MissingUID: "MissingUID", ExtraUID: "ExtraUID", ShuffledTies: "ShuffledTies",
			sourcetest.OtherJSON: "sourcetest.OtherJSON",
		}[k]
		if name == "" || strings.Count(source, "Kind: "+name) == 0 && name != "ShuffledTies" {
			t.Errorf("fault %s has no test", k)
		}
	}
}

func TestFaultsByNumber(t *testing.T) {
	s := imaginary(t)
	if err := s.Fail(
		Fault{Endpoint: "efetch", Kind: HTML502, From: 2, Times: 2},
		Fault{Endpoint: "esearch", Kind: HTML500, Times: -1},
		Fault{Kind: Down503, From: 6},
	); err != nil {
		t.Fatal(err)
	}
	get := func(file string) int { status, _ := fetch(t, s, s.EntrezURL()+file); return status }
	want := []int{200, 502, 502, 200, 500, 503, 500, 200}
	for i, file := range []string{"efetch", "efetch", "efetch", "efetch", "esearch", "einfo", "esearch", "einfo"} {
		t.Run(file, func(t *testing.T) {
			if got := get(file + ".fcgi?id=80000001&term=asthma"); got != want[i] {
				t.Errorf("request %d to %s: %d, want %d", i+1, file, got, want[i])
			}
		})
	}
	s.ClearFaults()
	if got := get("esearch.fcgi?term=asthma"); got != 200 {
		t.Errorf("after Behave: %d", got)
	}
	for _, bad := range []Fault{{Kind: "nosuch"}, {Kind: Redirect}} {
		if s.Fail(bad) == nil {
			t.Errorf("%+v was planned", bad)
		}
	}
}

func TestStalledRequestWaitsForReleaseOrTheClient(t *testing.T) {
	for _, fault := range []Fault{{Kind: Stall, Times: 2}, {Kind: StallBody, Times: 2}} {
		t.Run(string(fault.Kind), func(t *testing.T) {
			s := New(t, File("testdata/synthetic.xml"), NoLimit())
			client := &http.Client{Transport: &http.Transport{}}
			defer client.CloseIdleConnections()
			arrived := func(n int) {
				if err := s.Await(t.Context(), n, "einfo"); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Fail(fault); err != nil {
				t.Fatal(err)
			}
			done := make(chan outcome)
			go func() { done <- try(client, s.EntrezURL()+"einfo.fcgi") }()
			arrived(1)
			s.Release()
			if o := <-done; o.err != nil || !strings.Contains(o.body, "</eInfoResult>") {
				t.Errorf("released: %v %s", o.err, o.body)
			}
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				req, _ := http.NewRequestWithContext(ctx, http.MethodGet, s.EntrezURL()+"einfo.fcgi", nil)
				r, err := client.Do(req)
				if err == nil {
					_, err = io.ReadAll(r.Body)
					r.Body.Close()
				}
				done <- outcome{err: err}
			}()
			arrived(2)
			cancel()
			if o := <-done; !errors.Is(o.err, context.Canceled) {
				t.Errorf("left: %v", o.err)
			}
		})
	}
}

func TestURITooLargeIsWellFormedXML(t *testing.T) {
	if err := xml.Unmarshal(uriTooLarge().Body[strings.Index(string(uriTooLarge().Body), "<html"):], new(struct{})); err != nil {
		t.Error(err)
	}
}

func TestJSONThatATestNames(t *testing.T) {
	s := imaginary(t)
	if err := s.Fail(Fault{Endpoint: "einfo", Kind: sourcetest.OtherJSON, Text: `{"invented":true}`}); err != nil {
		t.Fatal(err)
	}
	if status, body := fetch(t, s, s.EntrezURL()+"einfo.fcgi"); status != 200 || string(body) != `{"invented":true}` {
		t.Errorf("%d, %s", status, body)
	}
}
