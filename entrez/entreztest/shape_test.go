package entreztest

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// imaginary returns a server without a network, with the synthetic records.
func imaginary(t *testing.T, opts ...Option) *Server {
	t.Helper()
	return New(t, append([]Option{File("testdata/synthetic.xml"), PMC("testdata/synthetic.nxml"), NoLimit(), WithoutNetwork()}, opts...)...)
}

// ask fetches a path of the E-utilities, such as "esearch.fcgi?term=x".
func ask(t *testing.T, s *Server, path string) string {
	t.Helper()
	_, body := fetch(t, s, s.EntrezURL()+path)
	return body
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestXMLFollowsTheDTDs(t *testing.T) {
	s := imaginary(t)
	for _, c := range []struct{ dtd, path string }{
		{"eSearch_020511.dtd", "esearch.fcgi?term=asthma"},
		{"eSearch_020511.dtd", "esearch.fcgi?term=asthma&usehistory=y"},
		{"eSearch_020511.dtd", "esearch.fcgi?term=zzzznothing"},
		{"eSearch_020511.dtd", "esearch.fcgi?term=the+asthma+zzzznothing+%22no+such+phrase%22"},
		{"eSearch_020511.dtd", "esearch.fcgi?term=asthma&rettype=count"},
		{"eSearch_020511.dtd", "esearch.fcgi?term="},
		{"eSearch_020511.dtd", "esearch.fcgi?term=((("},
		{"eSearch_020511.dtd", "esearch.fcgi?term=asthma&retstart=9999"},
		{"eSearch_020511.dtd", "esearch.fcgi?db=mesh&term=asthma[nosuchfield]"},
		{"eSearch_020511.dtd", "esearch.fcgi?db=nosuch&term=asthma"},
		{"eSummary_041029.dtd", "esummary.fcgi?id=80000001,80000002"},
		{"eSummary_041029.dtd", "esummary.fcgi?id=80000001,1"},
		{"eSummary_041029.dtd", "esummary.fcgi"},
		{"eLink_020511.dtd", "elink.fcgi?id=80000001&linkname=pubmed_pubmed&cmd=neighbor_score"},
		{"eLink_020511.dtd", "elink.fcgi?id=80000001&id=80000002"},
		{"eLink_020511.dtd", "elink.fcgi?id=80000001,80000002&linkname=pubmed_pubmed"},
		{"eLink_020511.dtd", "elink.fcgi?id=1&cmd=ncheck"},
		{"eLink_020511.dtd", "elink.fcgi?id=1"},
		{"eLink_020511.dtd", "elink.fcgi?id=80000001&cmd=nosuch"},
		{"eInfo_020511.dtd", "einfo.fcgi"},
		{"eInfo_020511.dtd", "einfo.fcgi?db=pubmed"},
		{"eInfo_020511.dtd", "einfo.fcgi?db=mesh&version=2.0"},
		{"eInfo_020511.dtd", "einfo.fcgi?db=nosuch"},
		{"ePost_020511.dtd", "epost.fcgi?id=80000001,5"},
		{"ePost_020511.dtd", "epost.fcgi?db=nosuch&id=1"},
		{"ePost_020511.dtd", "epost.fcgi?id="},
		{"eSpell.dtd", "espell.fcgi?term=asthmma+mice"},
		{"eSpell.dtd", "espell.fcgi?term=asthma"},
		{"pubmed_250101.dtd", "efetch.fcgi?id=80000001,80000002,80000003,80000004,80000005&retmode=xml"},
	} {
		t.Run(c.path, func(t *testing.T) {
			if err := readDTD(t, shared(t, "dtd/"+c.dtd)).check(ask(t, s, c.path)); err != nil {
				t.Error(err)
			}
		})
	}
}

// outline returns the set of element paths of a document, with attributes as @name.
func outline(t *testing.T, doc string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	dec := xml.NewDecoder(strings.NewReader(doc))
	var path []string
	for {
		tok, err := dec.Token()
		if tok == nil {
			return out
		}
		if err != nil {
			t.Fatalf("%v in %.300s", err, doc)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			path = append(path, tok.Name.Local)
			out[strings.Join(path, "/")] = true
			for _, a := range tok.Attr {
				out[strings.Join(path, "/")+"@"+a.Name.Local] = true
			}
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
}

var doctype = regexp.MustCompile(`<!DOCTYPE[^>]*>`)

func TestXMLHasTheElementsOfTheCaptures(t *testing.T) {
	s := imaginary(t)
	ask(t, s, "esearch.fcgi?term=asthma&usehistory=y")
	for _, c := range []struct {
		capture, path string
		apart         string // element paths that may be missing in one of the two
	}{
		{"esearch1.xml", "esearch.fcgi?term=breathlessness", ""},
		{"esearch2.xml", "esearch.fcgi?term=asthma&usehistory=y", ""},
		{"esearch3.xml", `esearch.fcgi?term=9999-0001[ta]`, ""},
		{"esearch8.xml", "esearch.fcgi?term=abcXYZ", ""},
		{"esummary1.xml", "esummary.fcgi?id=80000001", ""},
		{"esummary8.xml", "esummary.fcgi", ""},
		{"elink1.xml", "elink.fcgi?id=80000001&linkname=pubmed_pubmed", ""},
		{"elink8.xml", "elink.fcgi?id=80000001&cmd=ncheck", ""},
		{"einfo1.xml", "einfo.fcgi", ""},
		{"einfo2.xml", "einfo.fcgi?db=pubmed", ""},
		{"epost1.xml", "epost.fcgi?id=80000001", ""},
		{"epost2.xml", "epost.fcgi?db=nothing&id=1", ""},
		{"epost3.xml", "epost.fcgi?id=x", ""},
		{"espell.xml", "espell.fcgi?term=asthhma", ""},
	} {
		t.Run(c.capture, func(t *testing.T) {
			want := read(t, shared(t, "eutils/"+c.capture))
			got := ask(t, s, c.path)
			if w, g := doctype.FindString(want), doctype.FindString(got); w != g {
				t.Errorf("document type\n got %s\nwant %s", g, w)
			}
			wantPaths, gotPaths := outline(t, want), outline(t, got)
			for p := range wantPaths {
				if !gotPaths[p] {
					t.Errorf("%s is missing in %.400s", p, got)
				}
			}
			for p := range gotPaths {
				if !wantPaths[p] {
					t.Errorf("%s is not in the capture", p)
				}
			}
		})
	}
}

func TestErrorTextsAreThoseOfTheCaptures(t *testing.T) {
	s := imaginary(t)
	for _, c := range []struct{ capture, path string }{
		{"epost2.xml", "epost.fcgi?db=nothing&id=1"},
		{"epost3.xml", "epost.fcgi?id=x"},
		{"esummary8.xml", "esummary.fcgi"},
	} {
		t.Run(c.capture, func(t *testing.T) {
			want := strings.Join(strings.Fields(read(t, shared(t, "eutils/"+c.capture))), " ")
			if got := strings.Join(strings.Fields(ask(t, s, c.path)), " "); got != want {
				t.Errorf("%s\n got %s\nwant %s", c.path, got, want)
			}
		})
	}
}

func TestZeroHitsLookLikeTheCapture(t *testing.T) {
	want := strings.TrimSpace(read(t, shared(t, "eutils/esearch8.xml")))
	if got := strings.TrimSpace(ask(t, imaginary(t), "esearch.fcgi?term=abcXYZ")); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestFieldsAreThoseOfEInfo(t *testing.T) {
	type eInfo struct {
		Fields []struct {
			Name, FullName, IsDate, IsNumerical, SingleToken, Hierarchy, IsHidden string
		} `xml:"DbInfo>FieldList>Field"`
	}
	var real, ours eInfo
	if err := xml.Unmarshal([]byte(read(t, shared(t, "eutils/einfo2.xml"))), &real); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal([]byte(ask(t, imaginary(t), "einfo.fcgi?db=pubmed")), &ours); err != nil {
		t.Fatal(err)
	}
	byName := map[string]string{}
	for _, f := range real.Fields {
		byName[f.Name] = fmt.Sprint(f)
	}
	for _, f := range ours.Fields {
		if byName[f.Name] != fmt.Sprint(f) {
			t.Errorf("field %v, NCBI has %s", f, byName[f.Name])
		}
	}
	if len(ours.Fields) < 40 {
		t.Errorf("only %d fields", len(ours.Fields))
	}
}

// typed returns the form of a JSON value: its keys with the kinds of their values. A list has the
// form of its elements.
func typed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			out[k] = typed(x)
		}
		return out
	case []any:
		if len(v) == 0 {
			return "list"
		}
		return []any{typed(v[0])}
	case nil:
		return "null"
	}
	return fmt.Sprintf("%T", v)
}

func shapeOf(t *testing.T, doc string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(doc), &v); err != nil {
		t.Fatalf("%v in %.300s", err, doc)
	}
	return typed(v)
}

// same compares two forms. The elements of an empty list match any form.
func same(path string, got, want any, complain func(string)) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			complain(fmt.Sprintf("%s is %v, not an object", path, got))
			return
		}
		for k := range w {
			if _, ok := g[k]; !ok {
				complain(path + "." + k + " is missing")
				continue
			}
			same(path+"."+k, g[k], w[k], complain)
		}
		for k := range g {
			if _, ok := w[k]; !ok {
				complain(path + "." + k + " is not in the capture")
			}
		}
	case []any:
		if g, ok := got.([]any); ok {
			same(path+"[]", g[0], w[0], complain)
		} else if got != "list" {
			complain(fmt.Sprintf("%s is %v, not a list", path, got))
		}
	case string:
		_, isList := got.([]any)
		if w != got && !(w == "list" && isList) {
			complain(fmt.Sprintf("%s is %v, want %v", path, got, want))
		}
	}
}

func TestJSONHasTheKeysAndTypesOfTheCaptures(t *testing.T) {
	s := imaginary(t)
	for _, c := range []struct{ capture, path string }{
		{"esearch_json_2ebc125ce85e.json", "esearch.fcgi?retmode=json&term=asthma[tiab]+AND+children[tiab]"},
		{"esearch_json_4c7a563ff509.json", "esearch.fcgi?retmode=json&term=APC+p.E1317Q"},
		{"esearch_json_a7c2c7880e6d.json", "esearch.fcgi?retmode=json&term=mice[tiab]"},
	} {
		t.Run(c.capture, func(t *testing.T) {
			got := shapeOf(t, ask(t, s, c.path))
			same("", got, shapeOf(t, read(t, shared(t, "eutils/"+c.capture))), func(m string) { t.Error(m) })
		})
	}
	t.Run("limit", func(t *testing.T) {
		if err := s.Fail(Fault{Kind: Limit429}); err != nil {
			t.Fatal(err)
		}
		got := ask(t, s, "esearch.fcgi?term=x")
		same("", shapeOf(t, got), shapeOf(t, read(t, shared(t, "eutils/esearch_json_25d287820236.json"))), func(m string) { t.Error(m) })
	})
}

func TestSilentBroadeningIsThatOfTheCapture(t *testing.T) {
	// As in the capture, APC is read as a journal, and the unknown phrase is dropped and reported.
	var r struct {
		Result esearchResult `json:"esearchresult"`
	}
	term := url.QueryEscape(`APC p.E1317Q NOT "retracted publication"[pt]`)
	if err := json.Unmarshal([]byte(ask(t, imaginary(t), "esearch.fcgi?retmode=json&term="+term)), &r); err != nil {
		t.Fatal(err)
	}
	want := `("apc"[Journal] OR "apc"[All Fields]) NOT "retracted publication"[Publication Type]`
	if r.Result.QueryTranslation != want {
		t.Errorf("translation %s, want %s", r.Result.QueryTranslation, want)
	}
	if r.Result.Errors == nil || !slices.Equal(r.Result.Errors.PhrasesNotFound, []string{"p.E1317Q"}) {
		t.Errorf("errorlist %v", r.Result.Errors)
	}
	if !slices.Equal(r.Result.Translations, []Translation{{"APC", `"APC"[Journal:__jid9990003S] OR "apc"[All Fields]`}}) {
		t.Errorf("translations %v", r.Result.Translations)
	}
	if !slices.Equal(r.Result.IDs, []string{"80000005"}) {
		t.Errorf("ids %v", r.Result.IDs)
	}
}

// summaryKinds maps the keys of PubMed's DocSum, version 2.0, to the kinds of their values
// (ncbi-facts, section 3).
var summaryKinds = map[string]string{
	"uid": "string", "pubdate": "string", "epubdate": "string", "source": "string", "authors": "list", "lastauthor": "string",
	"title": "string", "sorttitle": "string", "volume": "string", "issue": "string", "pages": "string", "lang": "list",
	"nlmuniqueid": "string", "issn": "string", "essn": "string", "pubtype": "list", "recordstatus": "string",
	"pubstatus": "string", "articleids": "list", "history": "list", "references": "list", "attributes": "list",
	"pmcrefcount": "string or number", "fulljournalname": "string", "elocationid": "string", "doctype": "string",
	"srccontriblist": "list", "booktitle": "string", "medium": "string", "edition": "string", "publisherlocation": "string",
	"publishername": "string", "srcdate": "string", "reportnumber": "string", "availablefromurl": "string",
	"locationlabel": "string", "doccontriblist": "list", "docdate": "string", "bookname": "string", "chapter": "string",
	"sortpubdate": "string", "sortfirstauthor": "string", "vernaculartitle": "string",
}

func TestSummaryKeysAndTypes(t *testing.T) {
	var r struct {
		Result map[string]json.RawMessage `json:"result"`
	}
	body := ask(t, imaginary(t), "esummary.fcgi?retmode=json&id=80000001,80000002,80000003,80000004,80000005")
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		t.Fatal(err)
	}
	delete(r.Result, "uids")
	if len(r.Result) != 5 {
		t.Fatalf("%d summaries", len(r.Result))
	}
	counts := map[string]bool{}
	for uid, raw := range r.Result {
		var doc map[string]any
		if err := json.Unmarshal(raw, &doc); err != nil {
			t.Fatal(err)
		}
		if got, want := slices.Sorted(maps.Keys(doc)), slices.Sorted(maps.Keys(summaryKinds)); !slices.Equal(got, want) {
			t.Errorf("%s has the keys %v", uid, got)
		}
		for key, v := range doc {
			kind := map[string]string{"string": "string", "float64": "number", "[]interface {}": "list"}[fmt.Sprintf("%T", v)]
			if !strings.Contains(summaryKinds[key], kind) || kind == "" {
				t.Errorf("%s.%s is %T", uid, key, v)
			}
			if key == "pmcrefcount" {
				counts[kind] = true
			}
		}
	}
	if !counts["string"] || !counts["number"] {
		t.Errorf("pmcrefcount came only as %v", counts)
	}
}

func TestPubTatorHasTheKeysAndTypesOfTheCaptures(t *testing.T) {
	for _, file := range []string{"export_20516115.json", "export_22663011.json"} {
		t.Run(file, func(t *testing.T) {
			want := shapeOf(t, read(t, shared(t, "pubtator/"+file)))
			s := imaginary(t)
			_, body := fetch(t, s, s.PubTatorURL()+"publications/export/biocjson?pmids=80000001")
			same("", shapeOf(t, body), want, func(m string) {
				switch { // values that only PubTator's own tools know
				case strings.Contains(m, ".relations"), strings.Contains(m, "ncbi_homologene"), strings.Contains(m, "article-id_pmc"):
				case strings.Contains(m, ".normalized"): // a number for genes, text for MeSH
				case m == ".PubTator3[].pmcid is null, want null":
				default:
					t.Error(m)
				}
			})
		})
	}
}
