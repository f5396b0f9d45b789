package entreztest

import (
	"encoding/json"
	"encoding/xml"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"biomcp/entrez/sourcetest"
)

// The server answers any request with a valid reply.
func FuzzSearch(f *testing.F) {
	for _, seed := range []string{
		"asthma", `"stem cells"[tiab] AND (mice NOT review[pt])`, "a:b[edat]", `"2020"[dp] : "3000"[dp]`, "1:5[uid]", "#1 AND x",
		"((", `"`, "[", "]", "asthm*", "* *[ti]", `"a b"[ti:~3]`, "NOT NOT x", "()", "\x00", "\xff", "β", "10.1/x", ":[dp]", "x:y:z[uid]", "#99999999999",
	} {
		f.Add(seed)
	}
	s, err := Start(File("testdata/synthetic.xml"), NoLimit(), WithoutNetwork())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, term string) {
		for _, db := range []string{"pubmed", "mesh", "pmc"} {
			c := &call{&sourcetest.Call{Form: url.Values{"db": {db}, "term": {term}, "usehistory": {"y"}}}}
			doc := string(s.esearch(c).Body)
			var x struct {
				Count, QueryTranslation, ERROR string
				IDs                            []string `xml:"IdList>Id"`
			}
			if err := xml.Unmarshal([]byte(doc), &x); err != nil {
				t.Fatalf("%v in %s", err, doc)
			}
			if (x.Count == "") == (x.ERROR == "") {
				t.Fatalf("neither or both: %s", doc)
			}
			c.Form.Set("retmode", "json")
			doc = string(s.esearch(c).Body)
			var j struct {
				Result searchAnswer `json:"esearchresult"`
			}
			clean := strings.Map(func(r rune) rune {
				if r < ' ' {
					return ' '
				}
				return r
			}, doc)
			if err := json.Unmarshal([]byte(clean), &j); err != nil {
				t.Fatalf("%v in %q", err, doc)
			}
			if j.Result.Count != x.Count || !slices.Equal(j.Result.IDs, x.IDs) && len(x.IDs)+len(j.Result.IDs) > 0 {
				t.Fatalf("%s as JSON: %s", j.Result.Count, doc)
			}
			// A search for the translation has the same result.
			if db == "pubmed" && x.Count != "" && x.Count != "0" && utf8.ValidString(term) && !strings.Contains(x.QueryTranslation, "#") {
				c.Form.Set("term", x.QueryTranslation)
				var again struct {
					Result searchAnswer `json:"esearchresult"`
				}
				if err := json.Unmarshal(s.esearch(c).Body, &again); err != nil || again.Result.Count != x.Count {
					t.Fatalf("%q finds %s; its translation %q finds %s (%v)", term, x.Count, x.QueryTranslation, again.Result.Count, err)
				}
			}
		}
	})
}

func BenchmarkSearch_20k(b *testing.B) {
	s, err := Start(XML(Generate(20000, 1)), NoLimit(), WithoutNetwork())
	if err != nil {
		b.Fatal(err)
	}
	for name, term := range map[string]string{
		"word":    "asthma[tiab]",
		"mapped":  "breast neoplasms insulin",
		"dates":   "2015/01/01:2020[crdt] OR 2015/01/01:2020[mdat]",
		"boolean": "(cells[ti] OR patients[tiab]) AND review[pt] NOT mice",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.esearch(&call{&sourcetest.Call{Form: url.Values{"term": {term}, "retmax": {"9999"}}}})
			}
		})
	}
}

func BenchmarkLoad_20k(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Start(XML(Generate(20000, 1)), NoLimit(), WithoutNetwork()); err != nil {
			b.Fatal(err)
		}
	}
}
