package article_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// lost maps the words of the notice to the JSON members that the corpus lacks or has in
// another form than PubMed.
var lost = map[string][]string{
	"affiliations":                       {"authors"},
	"printed references":                 {"references"},
	"conflicts of interest":              {"coi_statement"},
	"copyright":                          {"copyright"},
	"people as subjects":                 {"personal_name_subjects"},
	"notes on ids":                       {"article_ids", "e_locations"},
	"the journal":                        {"journal"}, // with its first and last pages
	"the record's history":               {"dates", "publication_status", "citation_subsets", "indexing_method"},
	"the numbers of citing articles are": {"cited_by"},
}

// The notice names every difference between the corpus and PubMed, and there are no others,
// in any section. The real records are compared too, if available.
func TestWhatTheCorpusDoesNotHaveIsSaid(t *testing.T) {
	records := []string{commandtest.Records(t)}
	if real := filepath.Join("..", "..", "..", "..", "shared", "data", "pubmed", "efetch-163.xml.gz"); exists(real) && !testing.Short() {
		records = append(records, real)
	}
	for _, file := range records {
		t.Run(filepath.Base(file), func(t *testing.T) {
			srv := entreztest.New(t, entreztest.File(file), entreztest.NoLimit())
			app := commandtest.NCBI(t, srv)
			if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --no-vectors --from "+file); code != 0 {
				t.Fatal(text)
			}
			ids, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Person, "search article '1900:2100[dp]' --pmids")
			if code != 0 {
				t.Fatal(ids)
			}
			list := strings.Fields(ids)
			list = list[:min(len(list), 163)]
			for _, section := range []string{"", "abstract", "mesh", "retraction", "grants", "citation --style ris"} {
				line := "get article " + strings.Join(list, " ") + " " + section + " --json"
				live, _ := answered(t, commandtest.NCBI(t, srv), line)
				kept, notice := answered(t, app, line+" --offline")
				if len(live) == 0 || len(live) != len(kept) {
					t.Fatalf("%s: %d and %d articles", section, len(live), len(kept))
				}
				for i, a := range live {
					for member, value := range a {
						if reflect.DeepEqual(value, kept[i][member]) || section == "retraction" && member == "retraction" { // it names the corpus
							continue
						}
						said := false
						if member == "citations" && strings.Contains(fmt.Sprint(value), "ahead of print") {
							said = strings.Contains(notice, "so are citations, except nbib and those of articles ahead of print")
						}
						for words, members := range lost {
							said = said || slices.Contains(members, member) && strings.Contains(notice, words)
						}
						if !said {
							t.Errorf("%s of %v: %s is %v, live %v; the notice is %s", section, a["pmid"], member, kept[i][member], value, notice)
						}
					}
				}
			}
			for _, section := range []string{"similar", "annotations", "fulltext"} {
				text, _ := clitest.Ask(t, app, command.Agent, "get article "+list[0]+" "+section+" --offline")
				if !strings.Contains(text, "not asked with --offline") || !strings.Contains(text, "missing") && !strings.Contains(text, "not in PubMed Central") || strings.Contains(text, "\nNone.") {
					t.Errorf("%s: %s", section, text)
				}
			}
		})
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// answered returns the articles and the notices of a JSON answer.
func answered(t *testing.T, app *command.App, line string) ([]map[string]any, string) {
	t.Helper()
	text, code := clitest.Ask(t, app, command.Person, line)
	var got struct {
		Articles []map[string]any `json:"articles"`
		Notices  []string         `json:"notices"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
		t.Fatalf("%s: exit %d, %v: %.300s", line, code, err, text)
	}
	return got.Articles, strings.Join(got.Notices, "\n")
}

// If PubMed does not answer, citing articles come from the references in the corpus, with a
// notice. If the corpus has none, the number is unknown.
func TestCitedByIsOfTheCorpusWherePubMedDoesNotAnswer(t *testing.T) {
	srv := commandtest.PubMed(t)
	app := commandtest.NCBI(t, srv)
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)); code != 0 {
		t.Fatal(text)
	}
	for _, c := range []struct{ line, want string }{
		{"get article 90100002 citedby --offline", "| 90100001 | Ergothioneine in cultivated mushrooms"},
		{"get article 90100002 citedby --offline", "Cited by comes from the local corpus alone"},
		{"get article 90100002 citedby --offline --json", `"citedby":[{"pmid":"90100001"`},
		{"get article 90100002 90100003 citedby --offline", "Cited by of 90100003 is missing"},
		{"get article 90100003 citedby --offline", "Not known"},
	} {
		for _, may := range []command.Policy{command.Person, command.Agent} {
			if text, code := clitest.Ask(t, app, may, c.line); code != 0 || !strings.Contains(text, c.want) {
				t.Errorf("%s: exit %d: %s", c.line, code, text)
			}
		}
	}
}

// For a missing full text, the section shows only PMC's explanation.
func TestCardAndSectionAgreeOnTheFullText(t *testing.T) {
	srv := commandtest.PubMed(t)
	app := commandtest.NCBI(t, srv)
	for _, c := range []struct{ line, want, not string }{
		{"get article 90100001", "**Free full text:** in PMC", ""},
		{"get article 90100001 fulltext", "\nPMC has no article PMC99900001.\n", "open"},
		{"get article 90100003", "90100003", "in PMC"},
		{"get article 90100003 fulltext", "Not in PMC.", "Not applicable"},
	} {
		if text, code := clitest.Ask(t, app, command.Agent, c.line); code != 0 || !strings.Contains(text, c.want) || c.not != "" && strings.Contains(text, c.not) {
			t.Errorf("%s: exit %d: %s", c.line, code, text)
		}
	}
	pmcid, err := srv.AddJATS([]byte(`<article><front><article-meta><article-id pub-id-type="pmc">99900001</article-id></article-meta></front><body><p>Text.</p></body></article>`))
	if err != nil {
		t.Fatal(err)
	}
	srv.Withhold(pmcid)
	const withheld = "PMC has the article PMC99900001, but its publisher does not allow the full text to be downloaded"
	if text, code := clitest.Ask(t, app, command.Agent, "get article 90100001 fulltext --no-cache"); code != 0 || !strings.Contains(text, "no full text: "+withheld+"\n") || !strings.Contains(text, "\n"+withheld+".\n") {
		t.Errorf("exit %d: %s", code, text)
	}
	if _, err := srv.AddJATS([]byte(`<article><front><article-meta><article-id pub-id-type="pmc">99900001</article-id></article-meta></front></article>`)); err != nil {
		t.Fatal(err)
	}
	if text, _ := clitest.Ask(t, app, command.Agent, "get article 90100001 fulltext --no-cache"); !strings.Contains(text, "PubMed Central has only the front matter of PMC99900001, not the text") || strings.Contains(text, "publisher") {
		t.Error(text)
	}
	if _, err := srv.AddJATS([]byte(`<article><front><article-meta><article-id pub-id-type="pmc">99900001</article-id><funding-group><funding-statement>Nobody paid.</funding-statement></funding-group></article-meta></front><body><p>Text.</p></body></article>`)); err != nil {
		t.Fatal(err)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "get article 90100001 fulltext --part funding --no-cache"); code != 0 || !strings.Contains(text, "Nobody paid.") {
		t.Errorf("exit %d: %s", code, text)
	}
}
