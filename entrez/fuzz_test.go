package entrez_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/record"
)

// Each parser of replies is fuzzed with synthetic replies in the known formats and some invalid
// ones.

func seeds(f *testing.F, some ...string) {
	for _, s := range append(some, "", "<", "{", "<a/>", "{}", "[]", "null", "\xff\xfe", "<a>&nbsp;&#0;</a>", strings.Repeat("<a>", 500)) {
		f.Add([]byte(s))
	}
}

const (
	searchAnswer = `<?xml version="1.0" encoding="UTF-8" ?><!DOCTYPE eSearchResult PUBLIC "a" "b"><eSearchResult><Count>2</Count><RetMax>2</RetMax><RetStart>0</RetStart><QueryKey>1</QueryKey><WebEnv>MCID_1</WebEnv><IdList><Id>1</Id><Id>2</Id></IdList><TranslationSet><Translation><From>a</From><To>b</To></Translation></TranslationSet><QueryTranslation>c</QueryTranslation><ErrorList><PhraseNotFound>d</PhraseNotFound><FieldNotFound>e</FieldNotFound></ErrorList><WarningList><PhraseIgnored>f</PhraseIgnored><QuotedPhraseNotFound>g</QuotedPhraseNotFound><OutputMessage>h</OutputMessage></WarningList></eSearchResult>`
	sumAnswer    = `{"header":{"type":"esummary","version":"0.3"},"result":{"uids":["1","2"],"1":{"uid":"1","title":"t","authors":[{"name":"A B","authtype":"Author"}],"lang":["eng"],"articleids":[{"idtype":"doi","value":"10.1/x"}],"references":[{"reftype":"Retraction in","pmid":5}],"pmcrefcount":3,"ds_idxlinks":[{"treenum":"C01"}]},"2":{"uid":"2","error":"cannot get document summary"}}}`
	linkAnswer   = `<eLinkResult><LinkSet><DbFrom>pubmed</DbFrom><IdList><Id>1</Id></IdList><LinkSetDb><DbTo>pubmed</DbTo><LinkName>pubmed_pubmed</LinkName><Link><Id>2</Id><Score>42</Score></Link></LinkSetDb></LinkSet></eLinkResult>`
	infoAnswer   = `<eInfoResult><DbInfo><DbName>pubmed</DbName><Count>7</Count><FieldList><Field><Name>ALL</Name><TermCount/><IsDate>N</IsDate><IsRangable>Y</IsRangable></Field></FieldList><LinkList><Link><Name>a</Name><DbTo>b</DbTo></Link></LinkList></DbInfo></eInfoResult>`
)

// notNil fails the test if a list is nil.
func notNil(t *testing.T, name string, list []string) {
	t.Helper()
	if list == nil {
		t.Errorf("%s is nil", name)
	}
}

// says fails the test unless err is nil or an *Error with a message.
func says(t *testing.T, err error) {
	t.Helper()
	if e := new(httpclient.Error); err != nil && (!errors.As(err, &e) || strings.TrimSpace(e.Message) == "") {
		t.Errorf("an error without a word: %v", err)
	}
}

func FuzzSearchAnswer(f *testing.F) {
	seeds(f, searchAnswer, `<eSearchResult><ERROR>no</ERROR></eSearchResult>`, `<eSearchResult><Count>-1</Count></eSearchResult>`)
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := answer(t, 200, body).Search(t.Context(), entrez.SearchParams{Term: "x", RetMax: 20})
		says(t, err)
		if err != nil {
			return
		}
		if r.Count < 0 {
			t.Errorf("count %d", r.Count)
		}
		notNil(t, "IDs", r.IDs)
		notNil(t, "PhrasesNotFound", r.PhrasesNotFound)
		notNil(t, "Messages", r.Messages)
	})
}

func FuzzSummaryAnswer(f *testing.F) {
	seeds(f, sumAnswer, `{"esummaryresult":["Empty id list"]}`, "{\"esummaryresult\":{\"ERROR\":\"a\nb\"}}")
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := answer(t, 200, body).Summaries(t.Context(), []string{"1", "2"})
		says(t, err)
		if err != nil {
			return
		}
		if len(got.Items)+len(got.Missing) != 2 {
			t.Errorf("neither summaries nor a problem: %+v", got)
		}
		for _, s := range got.Items {
			if s.UID == "" {
				t.Errorf("a summary without UID: %+v", s)
			}
			notNil(t, "Authors", s.Authors)
			notNil(t, "PubTypes", s.PubTypes)
			notNil(t, "Languages", s.Languages)
		}
	})
}

func FuzzLinkAnswer(f *testing.F) {
	seeds(f, linkAnswer)
	f.Fuzz(func(t *testing.T, body []byte) {
		links, err := answer(t, 200, body).Links(t.Context(), "1", entrez.Similar)
		says(t, err)
		if err != nil {
			return
		}
		for _, l := range links.Items {
			if l.PMID == "" || strings.ContainsAny(l.PMID, " \n<") {
				t.Errorf("%+v", l)
			}
		}
	})
}

func FuzzOtherXMLAnswers(f *testing.F) {
	seeds(f, infoAnswer, `<eSpellResult><CorrectedQuery>a</CorrectedQuery><ERROR/></eSpellResult>`,
		`<pmc-articleset><article a="b"><front/><body/></article></pmc-articleset>`,
		`<pmc-articleset><Reply Id="1" error="not available"/></pmc-articleset>`)
	f.Fuzz(func(t *testing.T, body []byte) {
		d, err := answer(t, 200, body).Info(t.Context(), "pubmed")
		says(t, err)
		if err == nil && (d.Fields == nil || d.Links == nil) {
			t.Errorf("%+v", d)
		}
		_, err = answer(t, 200, body).Spell(t.Context(), "x")
		says(t, err)
		text, err := answer(t, 200, body).FullText(t.Context(), "PMC1")
		says(t, err)
		if err == nil && (!strings.HasPrefix(string(text), "<article") || !strings.HasSuffix(string(text), "</article>")) {
			t.Errorf("%q", text)
		}
	})
}

func FuzzMatches(f *testing.F) {
	seeds(f, "a|1|2|3|b|line0|12\r", "a|1|2|3|b|line0|AMBIGUOUS 1,2\n", "|||||k|NOT_FOUND;INVALID_JOURNAL")
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := answer(t, 200, body).MatchCitations(t.Context(), []entrez.Citation{{Journal: "a"}})
		says(t, err)
		for _, m := range got {
			if m.PMID != "" && len(m.Candidates) > 0 {
				t.Errorf("both a match and candidates: %+v", m)
			}
			if strings.Trim(m.PMID, "0123456789") != "" || strings.HasPrefix(m.PMID, "0") {
				t.Errorf("%q is not a PMID", m.PMID)
			}
		}
	})
}

func BenchmarkSearch_9999(b *testing.B) {
	var body strings.Builder
	body.WriteString("<eSearchResult><Count>123456</Count><IdList>")
	for i := range record.ResultWindow {
		fmt.Fprintf(&body, "\n<Id>%d</Id>", 30_000_000+i)
	}
	body.WriteString("</IdList></eSearchResult>")
	b.SetBytes(int64(body.Len()))
	b.ReportAllocs()
	for b.Loop() {
		r, err := answer(b, 200, []byte(body.String())).Search(b.Context(), entrez.SearchParams{Term: "x", RetMax: record.ResultWindow})
		if err != nil || len(r.IDs) != record.ResultWindow {
			b.Fatal(err)
		}
	}
}

func BenchmarkSummaries_200(b *testing.B) {
	doc := sumAnswer[strings.Index(sumAnswer, `{"uid":"1"`):strings.Index(sumAnswer, `,"2":{`)]
	var body strings.Builder
	var ids []string
	body.WriteString(`{"result":{"uids":[]`)
	for i := range 200 {
		ids = append(ids, fmt.Sprint(i+1))
		fmt.Fprintf(&body, `,"%d":%s`, i+1, doc)
	}
	body.WriteString("}}")
	b.SetBytes(int64(body.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if got, err := answer(b, 200, []byte(body.String())).Summaries(b.Context(), ids); err != nil || len(got.Items) != 200 {
			b.Fatal(err)
		}
	}
}

// Every ID is returned once, and needs no more memory than the bits of PubMed's numbers.
func TestAnyIDIsHandedOnOnce(t *testing.T) {
	ids := []string{"1", "64", "65", "40000000", "268435455", "268435456", "1000000000", "9999999999", "99999999999999999999", "01", "PMC1"}
	twice := "<Id>" + strings.Join(append(ids, ids...), "</Id><Id>") + "</Id>"
	c := answer(t, 200, fmt.Appendf(nil, "<eSearchResult><Count>%d</Count><IdList>%s</IdList></eSearchResult>", len(ids), twice))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var got []string
	tally, err := c.SearchAll(t.Context(), entrez.SearchParams{Term: "x"}, func(ids []string) error {
		got = append(got, ids...)
		return nil
	})
	runtime.ReadMemStats(&after)
	if err != nil || !tally.Complete() {
		t.Errorf("%+v %v", tally, err)
	}
	equal(t, "ids", got, ids)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 3*(1<<28)/8 {
		t.Errorf("%d bytes", grown)
	}
}

// oneEach returns one call of each utility.
func oneEach() (some []call) {
	for _, c := range calls {
		if c.endpoint != "idconv" && c.endpoint != "pubtator" && (len(some) == 0 || some[len(some)-1].endpoint != c.endpoint) {
			some = append(some, c)
		}
	}
	return some
}

// endless is a transport whose replies never end.
type endless struct{}

func (endless) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(endless{})}, nil
}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// Every reply has a maximum length, and only ECitMatch's may be plain text.
func TestEveryEndpointIsBounded(t *testing.T) {
	bound := func(t *testing.T, err error) (n int) {
		t.Helper()
		e := wants(t, err, httpclient.Upstream)
		if _, scanErr := fmt.Sscanf(e.Message, "NCBI E-utilities sent more than the %d bytes", &n); scanErr != nil {
			t.Errorf("message %q: %v", e.Message, scanErr)
		}
		if !errors.Is(err, httpclient.ErrTooLong) {
			t.Errorf("%v, want ErrTooLong", err)
		}
		if e.Op == "" {
			t.Errorf("%v names no endpoint", err)
		}
		return n
	}
	ids := make([]string, 200)
	for i := range ids {
		ids[i] = fmt.Sprint(i + 1)
	}
	const mb = 1 << 20
	if _, err := entrez.New(over(t, endless{})).FetchText(t.Context(), ids, entrez.XML); bound(t, err) != 82*mb {
		t.Errorf("200 records: %v", err)
	}
	for _, one := range oneEach() {
		t.Run(one.endpoint, func(t *testing.T) {
			if n := bound(t, one.make(t.Context(), over(t, endless{}))); n <= 0 || n > 64*mb {
				t.Errorf("%d bytes", n)
			}
			kind := httpclient.Upstream
			if one.endpoint == "ecitmatch" {
				kind = httpclient.Refused // an error sentence instead of lines
			}
			wants(t, one.make(t.Context(), over(t, answering{200, []byte("words")})), kind)
		})
	}
}
