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
	"biomcp/cli/words"
	"biomcp/entrez/entreztest"
)

// signRecords are records with units, Greek letters and signs. Each query must find the record, in
// the corpus and in PubMed.
var signRecords = []struct {
	text    string
	queries []string
}{
	{"Vancomycin at 5 μg/mL inhibited growth", []string{"5 μg/mL", "5 µg/mL", "μg/mL", "µg/mL"}},
	{"Psilocybin binds the 5-HT₂A receptor", []string{"5-HT₂A", "5-HT2A", "(5-HT₂A)"}},
	{"IFN-γ secretion of T cells", []string{"IFN-γ", "IFN-gamma"}},
	{"Wnt and β-catenin signalling", []string{"β-catenin", "beta-catenin"}},
	{"Sensitivity to H₂O₂ stress", []string{"H₂O₂", "H2O2"}},
	{"A frequency of 10⁻³ mutants per cell", []string{"10⁻³"}},
	{"Ca²⁺ influx in neurons", []string{"Ca²⁺", "Ca2+"}},
	{"A difference (p < 0.05) between groups", []string{"p < 0.05", "p<0.05", "(p < 0.05)"}},
	{"A reduction of 50% in mortality", []string{"50%", "> 50%", "mortality 50%"}},
	{"Mean age 63 ± 8 years", []string{"± 8 years", "age 63 ± 8 years"}},
}

// A query with units, Greek letters or signs finds its record in the corpus and in PubMed, for a
// person and for an agent, in text and in JSON. No notice says that the document lacks a
// word that it holds.
func TestQueriesWithSigns(t *testing.T) {
	var b strings.Builder
	b.WriteString("<PubmedArticleSet>\n")
	for i, r := range signRecords {
		text := strings.ReplaceAll(r.text, "<", "&lt;")
		fmt.Fprintf(&b, `<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">%d</PMID>`+
			`<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Internet"><PubDate><Year>2024</Year></PubDate>`+
			`</JournalIssue><Title>Synthetic journal</Title></Journal><ArticleTitle>%s.</ArticleTitle><Abstract><AbstractText>%s.`+
			`</AbstractText></Abstract><PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType>`+
			`</PublicationTypeList></Article><MedlineJournalInfo><MedlineTA>Synth J</MedlineTA></MedlineJournalInfo>`+
			`</MedlineCitation></PubmedArticle>`+"\n", 91000001+i, text, text)
	}
	b.WriteString("</PubmedArticleSet>\n")
	file := filepath.Join(t.TempDir(), "signs.xml")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	app := commandtest.NCBI(t, entreztest.New(t, entreztest.File(file), entreztest.NoLimit()))
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --no-vectors --from "+file); code != 0 {
		t.Fatal(text)
	}
	for i, r := range signRecords {
		pmid := fmt.Sprint(91000001 + i)
		for _, query := range r.queries {
			for _, search := range []string{"corpus", "article"} {
				for _, flags := range []string{"", " --json"} {
					for _, may := range []command.Policy{command.Person, command.Agent} {
						line := "search " + search + " " + words.Quote([]string{query}) + flags
						text, code := clitest.Ask(t, app, may, line)
						clitest.WantExit(t, code, 0, line+": "+text)
						clitest.WantText(t, text, pmid)
						clitest.WantNoText(t, text, "no document of this answer holds", "perhaps nothing in the corpus fits",
							"excludes documents")
					}
				}
			}
		}
	}
	for line, want := range map[string]string{
		"search corpus ±":        "the query has no letter and no digit",
		"search corpus '<> ±' ":  "the query has no letter and no digit",
		"search corpus '63 ± 8'": "a number is indexed together with the word beside it",
		"search corpus 63":       "a number is indexed together with the word beside it",
		"search corpus x̄":       "Nothing in the local corpus matches",
	} {
		text, code := clitest.Ask(t, app, command.Agent, line)
		clitest.WantExit(t, code, 0, line+": "+text)
		clitest.WantText(t, text, want)
	}
}
