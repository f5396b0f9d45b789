package entrez

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"biomcp/entrez/ncbi"
)

// Answers nested very deep, in every place where a parser goes down into one:
// each comes back. A stack that overflows ends the process; the bound on the
// stack makes 100,000 levels as good as millions.
func TestDeepAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("parses hundreds of megabytes, in one goroutine")
	}
	defer debug.SetMaxStack(debug.SetMaxStack(32 << 20))
	const depth = 100_000
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
			for _, outer := range []string{
				"%", "<eSearchResult>%</eSearchResult>", "<eSearchResult><ERROR>%</ERROR></eSearchResult>",
				"<eLinkResult><LinkSet>%</LinkSet></eLinkResult>", "<pmc-articleset><article>%</article></pmc-articleset>",
				`{"result":%}`, `{"esummaryresult":%}`, `{"result":{"uids":["1"],"1":{"uid":%,"authors":%,"title":%}}}`,
				`{"records":[{"pmid":%}]}`, `{"PubTator3":[{"id":%}]}`, `{"a":{"ERROR":%}}`,
			} {
				if strings.HasPrefix(outer, "{") != strings.HasPrefix(name, "json") && outer != "%" {
					continue
				}
				body := []byte(strings.ReplaceAll(outer, "%", deep))
				parseSearch(body)
				parseSummaries(body)
				parseLinks(body, Similar)
				parseInfo(body)
				parseSpelling(body)
				parseFullText(body)
				for _, e := range ncbi.Errors(body) {
					if strings.Contains(e, "<a>") {
						t.Errorf("%s: an error with markup", name)
					}
				}
			}
		})
	}
}
