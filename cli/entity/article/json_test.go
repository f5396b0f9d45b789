package article_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// If sections are named, JSON contains the identifiers of an article and these sections; all
// adds the whole record.
func TestJSONOfNamedSectionsIsNotTheWholeRecord(t *testing.T) {
	t.Parallel()
	srv := entreztest.New(t, entreztest.File(commandtest.Records(t)))
	app := commandtest.NCBI(t, srv)
	identity := []string{"corrections", "doi", "pmcid", "pmid", "retracted", "title", "url", "vernacular_title"}
	for sections, members := range map[string][]string{
		"abstract":      {"abstract", "other_abstracts"},
		"mesh grants":   {"grants", "mesh", "supplementary_mesh"},
		"citation":      {"citations"},
		"similar":       {"elink_url", "retrieved_count", "similar"},
		"fulltext mesh": {"fulltext", "mesh", "supplementary_mesh"},
		"annotations":   {"annotations"},
	} {
		t.Run(sections, func(t *testing.T) {
			for _, article := range articlesOf(t, app, "get article 90100001 90100002 "+sections+" --json") {
				want := slices.Sorted(slices.Values(slices.Concat(identity, members)))
				if got := slices.Sorted(maps.Keys(article)); !slices.Equal(got, want) {
					t.Errorf("%s: %s\nwant %s", sections, got, want)
				}
			}
		})
	}
	if whole := articlesOf(t, app, "get article 90100002 all --json")[0]; whole["authors"] == nil || whole["abstract"] == nil || whole["citations"] == nil {
		t.Errorf("all: %s", slices.Sorted(maps.Keys(whole)))
	}
	bibtex := "get article 90100001 citation --style bibtex"
	text, _ := clitest.Ask(t, app, command.Agent, bibtex)
	asJSON, _ := clitest.Ask(t, app, command.Agent, bibtex+" --json")
	if len(asJSON) > 3*len(text) {
		t.Errorf("%d bytes of BibTeX are %d of JSON: %s", len(text), len(asJSON), asJSON)
	}
}

func articlesOf(t *testing.T, app *command.App, line string) []map[string]json.RawMessage {
	t.Helper()
	text, code := clitest.Ask(t, app, command.Agent, line)
	var got struct {
		Articles []map[string]json.RawMessage `json:"articles"`
	}
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&got); err != nil || code != 0 || len(got.Articles) == 0 {
		t.Fatalf("%s: exit %d, %v: %s", line, code, err, text)
	}
	return got.Articles
}

// A full text consists of its outline and its abstracts, in all languages, until parts or all of it are
// requested, in every format.
func TestAFullTextIsItsOutlineAndAbstracts(t *testing.T) {
	srv := commandtest.GeneratedNCBI(t, 1, func(_ int, m *entreztest.SyntheticRecord) { m.PMCID = "PMC71" })
	if _, err := srv.AddJATS([]byte(`<article><front><article-meta><article-id pub-id-type="pmc">71</article-id>` +
		`<abstract><sec><title>Background</title><p>mark-abstract</p></sec></abstract>` +
		`<abstract abstract-type="summary"><title>Author Summary</title><p>mark-summary</p></abstract>` +
		`<abstract abstract-type="executive-summary"><p>mark-digest</p></abstract>` +
		`<trans-abstract xml:lang="fr"><p>mark-fr</p></trans-abstract></article-meta></front>` +
		`<body><sec><title>Methods</title><p>mark-methods</p></sec><sec><title>Results</title><p>mark-results</p></sec></body></article>`)); err != nil {
		t.Fatal(err)
	}
	app, id := commandtest.NCBI(t, srv), commandtest.GeneratedPMIDs(1)[0]
	abstracts := []string{"mark-abstract", "mark-summary", "mark-digest", "mark-fr"}
	whole := append(slices.Clone(abstracts), "mark-methods", "mark-results")
	for flags, want := range map[string][]string{
		"": abstracts, "--part all": whole, "--part 1-": whole, "--part 'author summary'": {"mark-summary"}, "--part 3": {"mark-digest"}, "--part french": {"mark-fr"}, "--part methods": {"mark-methods"},
	} {
		t.Run(flags, func(t *testing.T) {
			line := strings.TrimSpace("get article " + id + " fulltext " + flags)
			for _, line := range []string{line, line + " --json"} {
				text, code := clitest.Ask(t, app, command.Agent, line)
				for _, mark := range whole {
					if code != 0 || strings.Contains(text, mark) != slices.Contains(want, mark) {
						t.Errorf("%s: exit %d, %s: %v", line, code, mark, strings.Contains(text, mark))
					}
				}
				if !strings.Contains(text, "Results") || !strings.Contains(text, "Author Summary") || strings.Count(text, "--part") > 2 {
					t.Errorf("the outline is not there once:\n%s", text)
				}
			}
		})
	}
	if text, code := clitest.Ask(t, app, command.Agent, "get article "+id+" all"); code != 0 || !strings.Contains(text, "mark-results") {
		t.Errorf("all: exit %d, %s", code, text)
	}
	long, ids, _ := commandtest.FullTexts(t, 1, 20)
	text, _ := clitest.Ask(t, commandtest.NCBI(t, long), command.Agent, "get article "+ids[0]+" fulltext")
	if most := 4 * 1000; len(text) > most {
		t.Errorf("%d bytes, over %d", len(text), most)
	}
}
