package entrez

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/polite"
	"biomcp/entrez/record"
)

// The parsers of answers, each fuzzed with answers in the shapes they know
// (synthetic) and some they should not.

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

func FuzzSearchAnswer(f *testing.F) {
	seeds(f, searchAnswer, `<eSearchResult><ERROR>no</ERROR></eSearchResult>`, `<eSearchResult><Count>-1</Count></eSearchResult>`)
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := parseSearch(body)
		if err == nil && (r.Count < 0 || r.IDs == nil || r.PhrasesNotFound == nil || r.Messages == nil) {
			t.Errorf("%+v", r)
		}
		for _, e := range ncbi.Errors(body) {
			if strings.TrimSpace(e) == "" {
				t.Error("an error without a word")
			}
		}
	})
}

func FuzzSummaryAnswer(f *testing.F) {
	seeds(f, sumAnswer, `{"esummaryresult":["Empty id list"]}`, "{\"esummaryresult\":{\"ERROR\":\"a\nb\"}}")
	f.Fuzz(func(t *testing.T, body []byte) {
		docs, problems, err := parseSummaries(body)
		if err == nil && docs == nil && len(problems) == 0 {
			t.Error("neither summaries nor a problem")
		}
		for _, doc := range docs {
			var d docSum
			if doc.Decode(&d) != nil {
				continue
			}
			if s := d.summary(); s.UID == "" || s.Authors == nil || s.PubTypes == nil || s.Languages == nil {
				t.Errorf("%+v", s)
			}
		}
		ncbi.Errors(body)
	})
}

func FuzzLinkAnswer(f *testing.F) {
	seeds(f, linkAnswer)
	f.Fuzz(func(t *testing.T, body []byte) {
		sets, _ := parseLinks(body, Similar)
		for _, links := range sets {
			for _, l := range links {
				if l.PMID == "" || strings.ContainsAny(l.PMID, " \n<") {
					t.Errorf("%+v", l)
				}
			}
		}
	})
}

func FuzzOtherXMLAnswers(f *testing.F) {
	seeds(f, infoAnswer, `<eSpellResult><CorrectedQuery>a</CorrectedQuery><ERROR/></eSpellResult>`,
		`<pmc-articleset><article a="b"><front/><body/></article></pmc-articleset>`,
		`<pmc-articleset><Reply Id="1" error="not available"/></pmc-articleset>`)
	f.Fuzz(func(t *testing.T, body []byte) {
		if d, err := parseInfo(body); err == nil && (d.Fields == nil || d.Links == nil) {
			t.Errorf("%+v", d)
		}
		parseSpelling(body)
		if text, err := parseFullText(body); err == nil && (!strings.HasPrefix(string(text), "<article") || !strings.HasSuffix(string(text), "</article>")) {
			t.Errorf("%q", text)
		}
	})
}

func FuzzMatches(f *testing.F) {
	seeds(f, "a|1|2|3|b|line0|12\r", "a|1|2|3|b|line1|AMBIGUOUS 1,2\n", "|||||k|NOT_FOUND;INVALID_JOURNAL")
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, m := range parseMatches(body) {
			if m.PMID != "" && len(m.Candidates) > 0 || m.PMID != "" && !pmidOnly().MatchString(m.PMID) {
				t.Errorf("%+v", m)
			}
		}
	})
}

func BenchmarkParseSearch_9999(b *testing.B) {
	var body strings.Builder
	body.WriteString("<eSearchResult><Count>123456</Count><IdList>")
	for i := range record.ResultWindow {
		fmt.Fprintf(&body, "\n<Id>%d</Id>", 30_000_000+i)
	}
	body.WriteString("</IdList></eSearchResult>")
	data := []byte(body.String())
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if r, err := parseSearch(data); err != nil || len(r.IDs) != record.ResultWindow {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseSummaries_200(b *testing.B) {
	doc := sumAnswer[strings.Index(sumAnswer, `{"uid":"1"`):strings.Index(sumAnswer, `,"2":{`)]
	var body strings.Builder
	body.WriteString(`{"result":{"uids":[]`)
	for i := range 200 {
		fmt.Fprintf(&body, `,"%d":%s`, i+1, doc)
	}
	body.WriteString("}}")
	data := []byte(body.String())
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if docs, _, err := parseSummaries(data); err != nil || len(docs) != 200 {
			b.Fatal(err)
		}
	}
}

func TestIDSet(t *testing.T) {
	var s idSet
	for _, id := range []string{"1", "64", "65", "40000000", "268435455", "268435456", "99999999999999999999", "01", "PMC1", ""} {
		t.Run(id, func(t *testing.T) {
			if !s.add(id) || s.add(id) {
				t.Errorf("%q", id)
			}
		})
	}
	if len(s.bits)*8 > mostBits/8 {
		t.Errorf("%d bytes of bits", len(s.bits)*8)
	}
}

func TestEveryEndpointIsBounded(t *testing.T) {
	r := polite.NewCall(efetch)
	setIDs(r, slices.Repeat([]string{"1"}, 200))
	if r.MaxBytes != 82*mb {
		t.Errorf("200 records may take %d bytes", r.MaxBytes)
	}
	for _, e := range []polite.Endpoint{esearch, esummary, efetch, elink, einfo, espell, ecitmatch} {
		t.Run(fmt.Sprint(e), func(t *testing.T) {
			if e.MaxBytes <= 0 || e.MaxBytes > 64*mb || e.Op == "" || e.Form == polite.Text && e.Op != "ECitMatch" {
				t.Errorf("%+v", e)
			}
		})
	}
}
