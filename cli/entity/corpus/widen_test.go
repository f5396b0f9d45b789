package corpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/store/table"
)

// With a local MeSH table a query also searches for the heading of an entry term, as
// --explain shows. Without it, or if it cannot be read, the search still runs.
func TestCorpusSearchIsWidenedByHeadings(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		s.Sync(t, "sync pubmed --from "+commandtest.Records(t))
		const line, shows = "search corpus ergothioneine and invented attack --explain", "invented attack is an entry term of the MeSH heading Synthetic Infarction, whose words count half"
		if text, code := clitest.Ask(t, s.App, command.Agent, line); code != 0 || strings.Contains(text, "Widened") {
			t.Errorf("without the table: exit %d, %s", code, text)
		}
		s.Sync(t, "sync mesh")
		if text, code := clitest.Ask(t, s.App, command.Agent, line); code != 0 || !strings.Contains(text, shows) || !strings.Contains(text, "infarct") {
			t.Errorf("with the table: exit %d, %s", code, text)
		}
		if text, _ := clitest.Ask(t, s.App, command.Agent, line+" --json"); !strings.Contains(text, `"widened":[{"term":"invented attack","kind":"MeSH heading","names":["Synthetic Infarction"]}]`) {
			t.Errorf("as JSON: %s", text)
		}
		dir, err := s.App.CorpusDir()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, table.FileName), []byte(strings.Repeat("no table ", 2000)), 0o600); err != nil {
			t.Fatal(err)
		}
		everyDoor(t, s.App, "search corpus ergothioneine", "the query was not widened by other names: ")
	})
}

// Without local tables, common names are found by the tables in the program, at every door. A
// word that is also a symbol does not widen a query.
func TestCorpusSearchIsWidenedWithoutSync(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	var text strings.Builder
	for pmid, title := range []string{
		"Stents after myocardial infarction", "Acetaminophen and fever", "ERBB2 in tissue", "Catalase in liver",
		"Angiotensin-converting enzyme inhibitors", "Melanoma with p.Val600Glu",
	} {
		fmt.Fprintf(&text, "<PubmedArticle><MedlineCitation><PMID Version=\"1\">%d</PMID><Article><ArticleTitle>%s"+
			"</ArticleTitle></Article></MedlineCitation></PubmedArticle>", pmid+1, title)
	}
	path := filepath.Join(t.TempDir(), "records.xml")
	if err := os.WriteFile(path, []byte("<PubmedArticleSet>"+text.String()+"</PubmedArticleSet>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+path); code != 0 {
		t.Fatal(out)
	}
	for query, want := range map[string]struct{ title, says, json string }{
		"heart attack": {"Stents after", "heart attack is an entry term of the MeSH heading Myocardial Infarction, whose words count half",
			`{"term":"heart attack","kind":"MeSH heading","names":["Myocardial Infarction"]}`},
		"paracetamol":    {"Acetaminophen and", "paracetamol is an entry term of the MeSH heading Acetaminophen", `"names":["Acetaminophen"]`},
		"ACE inhibitors": {"converting enzyme", "ACE inhibitors is an entry term of the MeSH heading Angiotensin-Converting", `"kind":"MeSH heading"`},
		"HER2":           {"ERBB2 in", "HER2 is a symbol of the gene ERBB2; its symbols count the same: ERBB2, ", `{"term":"HER2","kind":"gene","names":["ERBB2",`},
		"V600E":          {"Melanoma with", "V600E is a variant; its spellings count the same: V600E, Val600Glu", `{"term":"V600E","kind":"variant","names":["V600E","Val600Glu"]}`},
		"CAT":            {"", "", ""},
	} {
		t.Run(query, func(t *testing.T) {
			line := "search corpus " + query + " --explain"
			out, _, _ := clitest.RunForPerson(t, app, line)
			for door, out := range map[string]string{"at a terminal": out, "over MCP": clitest.AskAgent(t, app, line, false).Text} {
				out = strings.Join(strings.Fields(out), " ")
				if !strings.Contains(out, want.title) || !strings.Contains(out, want.says) || strings.Contains(out, "Widened") != (want.says != "") {
					t.Errorf("%s: want %q and %q in\n%s", door, want.title, want.says, out)
				}
			}
			if out := clitest.AskAgent(t, app, line, true).Text; !strings.Contains(out, want.json) || strings.Contains(out, `"widened":[]`) != (want.json == "") {
				t.Errorf("as JSON: want %q in\n%s", want.json, out)
			}
		})
	}
}

// With a local HGNC table each symbol of a gene finds the same documents. A symbol of two
// genes, and a word that only looks like a symbol, are not changed.
func TestCorpusSearchIsWidenedBySymbols(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	for _, line := range []string{"sync pubmed --from " + commandtest.Records(t), "sync hgnc"} {
		if text, code := clitest.Ask(t, app, command.Person, line); code != 0 {
			t.Fatal(text)
		}
	}
	for typed, want := range map[string]string{
		"HER-2": "HER-2 is a symbol of the gene ERBB2; its symbols count the same: ERBB2, ", "erbb2": "erbb2 is a symbol of the gene ERBB2; ", "MLL2": "", "gba": "", "GBA": "GBA is a symbol of the gene GBA1; ",
	} {
		t.Run(typed, func(t *testing.T) {
			out := clitest.Answer(t, app, command.Agent, "search corpus ergothioneine "+typed+" --explain")
			if strings.Contains(out, "Widened") != (want != "") || !strings.Contains(out, want) {
				t.Error(out)
			}
		})
	}
}
