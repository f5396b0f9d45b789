package entrez_test

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"biomcp/entrez/ncbi"
)

// Every recursive parser survives very deep nesting. A stack overflow would end the process; with
// the limited stack, 100,000 levels test as much as millions.
func TestDeepAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("parses hundreds of megabytes, in one goroutine")
	}
	defer debug.SetMaxStack(debug.SetMaxStack(32 << 20))
	const depth, xml, json = 100_000, "esearch espell einfo elink efetch", "esummary idconv pubtator"
	inner := map[string]string{
		"xml open":    strings.Repeat("<a>", depth),
		"xml":         strings.Repeat("<a>", depth) + strings.Repeat("</a>", depth),
		"json array":  strings.Repeat("[", depth) + strings.Repeat("]", depth),
		"json object": strings.Repeat(`{"ERROR":`, depth) + "1" + strings.Repeat("}", depth),
		"json open":   strings.Repeat(`{"a":[`, depth),
		"json legal":  strings.Repeat(`{"a":[`, 4000) + strings.Repeat(`]}`, 4000),
	}
	for name, deep := range inner {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			for _, outer := range []struct{ of, text string }{ // of: the endpoint that parses it
				{xml, "%"}, {"esearch", "<eSearchResult><Count>1</Count>%</eSearchResult>"}, {"esearch", "<eSearchResult><ERROR>%</ERROR></eSearchResult>"},
				{"espell", "<eSpellResult><CorrectedQuery>%</CorrectedQuery></eSpellResult>"}, {"einfo", "<eInfoResult><DbInfo>%</DbInfo></eInfoResult>"},
				{"elink", "<eLinkResult><LinkSet>%</LinkSet></eLinkResult>"}, {"efetch", "<pmc-articleset><article>%</article></pmc-articleset>"},
				{json, "%"}, {"esummary", `{"result":%}`}, {"esummary", `{"esummaryresult":%}`}, {"esummary", `{"result":{"uids":["1"],"1":{"uid":%,"authors":%,"title":%}}}`},
				{"idconv", `{"records":[{"pmid":%}]}`}, {"pubtator", `{"PubTator3":[{"id":%}]}`}, {json, `{"a":{"ERROR":%}}`},
			} {
				if strings.Contains(json, outer.of) != strings.HasPrefix(name, "json") {
					continue
				}
				body := []byte(strings.ReplaceAll(outer.text, "%", deep))
				for _, c := range calls {
					if strings.Contains(outer.of, c.endpoint) {
						_ = c.make(t.Context(), over(t, answering{200, body})) // it must return
					}
				}
				for _, e := range ncbi.Errors(body) {
					if strings.Contains(e, "<a>") {
						t.Errorf("%s: an error with markup", name)
					}
				}
			}
		})
	}
}
