package cli

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/entrez/entreztest"
)

// Where sections are named, JSON holds what identifies an article and these
// sections; all is the whole record.
func TestJSONOfNamedSectionsIsNotTheWholeRecord(t *testing.T) {
	srv := entreztest.New(t, entreztest.File("../cmd/biomcp/testdata/records.xml"))
	app := ncbiApp(t, srv)
	identity := []string{"corrections", "doi", "pmcid", "pmid", "retracted", "title", "url", "vernacular_title"}
	for sections, members := range map[string][]string{
		"abstract":      {"abstract", "other_abstracts"},
		"mesh grants":   {"grants", "mesh", "supplementary_mesh"},
		"citation":      {"citations"},
		"similar":       {"elink_url", "retrieved_count", "similar"},
		"fulltext mesh": {"fulltext", "mesh", "supplementary_mesh"},
		"annotations":   {"annotations"},
	} {
		for _, article := range articlesOf(t, app, "get article 90100001 90100002 "+sections+" --json") {
			want := slices.Sorted(slices.Values(slices.Concat(identity, members)))
			if got := slices.Sorted(maps.Keys(article)); !slices.Equal(got, want) {
				t.Errorf("%s: %s\nwant %s", sections, got, want)
			}
		}
	}
	if whole := articlesOf(t, app, "get article 90100002 all --json")[0]; whole["authors"] == nil || whole["abstract"] == nil || whole["citations"] == nil {
		t.Errorf("all: %s", slices.Sorted(maps.Keys(whole)))
	}
	bibtex := "get article 90100001 citation --style bibtex"
	text, _ := ask(t, app, command.Agent, bibtex)
	asJSON, _ := ask(t, app, command.Agent, bibtex+" --json")
	if len(asJSON) > 3*len(text) {
		t.Errorf("%d bytes of BibTeX are %d of JSON: %s", len(text), len(asJSON), asJSON)
	}
}

func articlesOf(t *testing.T, app *command.App, line string) []map[string]json.RawMessage {
	t.Helper()
	text, code := ask(t, app, command.Agent, line)
	var got struct {
		Articles []map[string]json.RawMessage `json:"articles"`
	}
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&got); err != nil || code != 0 || len(got.Articles) == 0 {
		t.Fatalf("%s: exit %d, %v: %s", line, code, err, text)
	}
	return got.Articles
}
