package article_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// Where sections are named, JSON holds what identifies an article and these
// sections; all is the whole record.
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

// A long full text begins with its outline and a command for each part, of which
// every one gives that part; a short one, or one part, has none.
func TestALongFullTextBeginsWithTheCommandsForItsParts(t *testing.T) {
	srv, ids, marks := commandtest.Texts(t, 1, 8)
	app := commandtest.NCBI(t, srv)
	text, _ := clitest.Ask(t, app, command.Agent, "get article "+ids[0]+" fulltext")
	lines := regexp.MustCompile(`(?m)^biomcp (get article \S+ fulltext --part \d+)$`).FindAllStringSubmatchIndex(text, -1)
	if len(lines) != len(marks) {
		t.Fatalf("%d commands for %d parts:\n%.3000s", len(lines), len(marks), text)
	}
	if outline := strings.Index(text, "### Outline"); outline < 0 || outline > lines[0][0] || lines[len(lines)-1][1] > strings.Index(text, marks[0]) {
		t.Errorf("the outline, the commands, the text are not in this order:\n%.3000s", text)
	}
	for i, at := range lines {
		part, code := clitest.Ask(t, app, command.Agent, text[at[2]:at[3]])
		if code != 0 || !strings.Contains(part, marks[i]) || strings.Contains(part, "One part of it at a time") {
			t.Errorf("%s: exit %d:\n%.1000s", text[at[2]:at[3]], code, part)
		}
	}
	parts := strings.Count(string(articlesOf(t, app, "get article "+ids[0]+" fulltext --json")[0]["fulltext"]), "--part")
	if parts != len(marks) {
		t.Errorf("JSON has %d commands for parts", parts)
	}
	short, ids, _ := commandtest.Texts(t, 1, 2)
	if text, _ = clitest.Ask(t, commandtest.NCBI(t, short), command.Agent, "get article "+ids[0]+" fulltext"); strings.Contains(text, "--part") {
		t.Errorf("a short text:\n%.2000s", text)
	}
}
