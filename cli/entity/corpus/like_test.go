package corpus_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// --like finds documents other than its seeds in every format, names missing seeds, and
// rejects words that are not PMIDs and a query without seeds.
func TestLike(t *testing.T) {
	app := commandtest.Empty(t)
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)); code != 0 {
		t.Fatal(text)
	}
	for door, text := range clitest.AnswersByFormat(t, app, "search corpus --like 90100001,7 --like 90100002") {
		said := strings.Contains(text, "the corpus does not have 7: the search used the others alone")
		if !said && door != "JSON" || strings.Contains(text, `"doc_id":"pmid:90100001"`) || !strings.Contains(text, "pmid:9010000") {
			t.Errorf("%s: %s", door, text)
		}
	}
	for line, want := range map[string]string{
		"search corpus --like asthma":                    "--like asthma: not a PMID",
		"search corpus --like 7":                         "the corpus has no document of --like or --not",
		"search corpus asthma --not 90100001":            "--not requires --like",
		"search corpus":                                  "needs a query or a filter",
		"search corpus --added-since last --query-key x": `no query key "x"`,
		"search corpus --mesh Humans":                    "# Corpus: mesh Humans",
		`search corpus "" --mesh Humans`:                 "the query is empty",
		"search corpus --like 90100001 --not 90100002":   "Corpus: like 90100001",
		"search corpus mushrooms --recall --explain":     "**Terms:** mushroom",
		"search corpus effects --like 90100001 --top-k":  "--top-k",
		"search corpus 'mushrooms and \"wild ones'":      `the query has an unbalanced quote (")`,
		"search corpus --like 90100001 --top-k 1":        "There are more documents: raise --top-k.\n\n## Next\n\n```\nbiomcp get document pmid:90100002\nbiomcp search corpus --like=90100001 --top-k 2\n",
	} {
		if text, _ := clitest.Ask(t, app, command.Person, line); !strings.Contains(text, want) {
			t.Errorf("%s: %q is not in %s", line, want, text)
		}
	}
}
