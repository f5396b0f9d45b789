package corpus_test

import (
	"os"
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

// --explain says at every door what the hits were compared with: by vectors the query or the seeds and the first
// documents, and by headings the seeds, joined by the first documents if there is one seed.
func TestExplainNamesWhatHitsAreComparedWith(t *testing.T) {
	path := manyRecords(t)
	records, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const headings = "</Article><MeshHeadingList><MeshHeading><DescriptorName>Humans</DescriptorName></MeshHeading></MeshHeadingList>"
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(records), "</Article>", headings)), 0o600); err != nil {
		t.Fatal(err)
	}
	app := commandtest.Empty(t)
	clitest.Answer(t, app, command.Person, "sync pubmed --from "+path)
	const first = " and, as much, the documents that come first: "
	for line, wants := range map[string][]string{
		"search corpus cataract --explain":            {"by vectors the query" + first},
		"search corpus --like 101 --explain":          {"by vectors the documents of --like" + first, "MeSH headings, compared with those of 101 "},
		"search corpus --like 101,102 --explain":      {"by vectors the documents of --like" + first, "MeSH headings, compared with those of 101 102, count 0.50 of the similarity"},
		"search corpus lens --like 101,102 --explain": {"by vectors the query and the documents of --like" + first, "MeSH headings, compared with those of 101 102, count"},
		"search corpus 'cataract lens opacity insulin glucose diabetes asthma bronchus airway' --explain": {"by vectors the query" + first,
			"count 0.33 of the similarity"},
	} {
		for _, want := range wants {
			for _, policy := range []command.Policy{command.Person, command.Agent} {
				if out := clitest.Answer(t, app, policy, line); !strings.Contains(out, want) {
					t.Errorf("%s: want %q:\n%.900s", line, want, out)
				}
			}
		}
		if got, want := strings.Contains(clitest.Answer(t, app, command.Agent, line+" --json"), `"heading_documents":[1`), len(wants) > 1; got != want {
			t.Errorf("%s --json: heading_documents %t, want %t", line, got, want)
		}
	}
}
