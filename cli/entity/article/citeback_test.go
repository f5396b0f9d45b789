package article_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// oddToCite holds synthetic records whose citations have an unusual form: a retracted article, a preprint, an
// article without a title, one without authors, and one of a journal with a place in its title.
const oddToCite = `<PubmedArticleSet>` +
	`<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">91000011</PMID><Article PubModel="Print"><Journal><JournalIssue><Volume>12</Volume><Issue>3</Issue><PubDate><Year>2020</Year><Month>Mar</Month><Day>5</Day></PubDate></JournalIssue><Title>Synthetic letters</Title><ISOAbbreviation>Synth Lett</ISOAbbreviation></Journal><ArticleTitle>A withdrawn synthesis.</ArticleTitle><Pagination><MedlinePgn>11-9</MedlinePgn></Pagination><AuthorList><Author><LastName>Muster</LastName><ForeName>Al</ForeName><Initials>A</Initials></Author></AuthorList><Language>eng</Language><PublicationTypeList><PublicationType UI="D016441">Retracted Publication</PublicationType></PublicationTypeList></Article><MedlineJournalInfo><MedlineTA>Synth Lett</MedlineTA></MedlineJournalInfo></MedlineCitation><PubmedData><PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">91000011</ArticleId></ArticleIdList></PubmedData></PubmedArticle>` +
	`<PubmedArticle><MedlineCitation Status="PubMed-not-MEDLINE"><PMID Version="1">91000012</PMID><Article PubModel="Electronic"><Journal><JournalIssue><PubDate><Year>2021</Year><Month>Jan</Month><Day>3</Day></PubDate></JournalIssue><Title>bioRxiv : the preprint server for biology</Title><ISOAbbreviation>bioRxiv</ISOAbbreviation></Journal><ArticleTitle>An early synthesis of wood.</ArticleTitle><ELocationID EIdType="pii" ValidYN="Y">2021.01.03.000001</ELocationID><AuthorList><Author><LastName>Früh</LastName><ForeName>Eve</ForeName><Initials>E</Initials></Author></AuthorList><Language>eng</Language><PublicationTypeList><PublicationType UI="D000076942">Preprint</PublicationType></PublicationTypeList></Article><MedlineJournalInfo><MedlineTA>bioRxiv</MedlineTA></MedlineJournalInfo></MedlineCitation><PubmedData><PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">91000012</ArticleId></ArticleIdList></PubmedData></PubmedArticle>` +
	`<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">91000013</PMID><Article PubModel="Print"><Journal><JournalIssue><Volume>7</Volume><PubDate><Year>2011</Year></PubDate></JournalIssue><Title>Synthetic letters</Title><ISOAbbreviation>Synth Lett</ISOAbbreviation></Journal><ArticleTitle></ArticleTitle><Pagination><MedlinePgn>21</MedlinePgn></Pagination><AuthorList><Author><LastName>Nameless</LastName><ForeName>Ann</ForeName><Initials>A</Initials></Author></AuthorList><Language>eng</Language></Article><MedlineJournalInfo><MedlineTA>Synth Lett</MedlineTA></MedlineJournalInfo></MedlineCitation><PubmedData><PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">91000013</ArticleId></ArticleIdList></PubmedData></PubmedArticle>` +
	`<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">91000014</PMID><Article PubModel="Print"><Journal><JournalIssue><Volume>12</Volume><Issue>3 Suppl 1</Issue><PubDate><Year>2012</Year></PubDate></JournalIssue><Title>Synthetic proceedings (Nowhere, N.W. : 1983)</Title><ISOAbbreviation>Synth Proc</ISOAbbreviation></Journal><ArticleTitle>No author signed this text.</ArticleTitle><Pagination><MedlinePgn>101-5, 110, 115-20</MedlinePgn></Pagination><Language>eng</Language></Article><MedlineJournalInfo><MedlineTA>Synth Proc</MedlineTA></MedlineJournalInfo></MedlineCitation><PubmedData><PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">91000014</ArticleId></ArticleIdList></PubmedData></PubmedArticle>`

// A reference that this program wrote, in any style, is found as the article it was written from, without a
// difference.
func TestOwnCitationsAreFoundAgain(t *testing.T) {
	t.Parallel()
	records := oddToCite + strings.TrimPrefix(chapterAndUntranslated, "<PubmedArticleSet>")
	app := commandtest.NCBI(t, entreztest.New(t, entreztest.XML(strings.NewReader(records))))
	ids := []string{"91000001", "91000002", "91000011", "91000012", "91000013", "91000014"}
	for style, ending := range map[string]string{
		"ris": "ris", "nbib": "nbib", "bibtex": "bib", "csl-json": "json", "apa": "txt", "mla": "txt", "vancouver": "txt",
	} {
		t.Run(style, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Person, "get article "+strings.Join(ids, " ")+" citation --style "+style)
			if code != 0 {
				t.Fatalf("exit %d: %s", code, text)
			}
			file := filepath.Join(t.TempDir(), "x."+ending)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			answer, _ := clitest.Ask(t, app, command.Person, "search citation --json --from "+file)
			got := references(t, answer)
			if len(got) != len(ids) {
				t.Fatalf("%d references, want %d: %s", len(got), len(ids), answer)
			}
			for i, r := range got {
				if r.Match == nil || r.Match.PMID != ids[i] || r.Outcome != "found" {
					t.Errorf("outcome %q, match %+v, want %q, PMID %s, from %+v", r.Outcome, r.Match, "found", ids[i], r.Asked)
				}
			}
		})
	}
}

// An article without a title has a heading that says so, also in the corpus and in the library.
func TestAnArticleWithoutATitleSaysSo(t *testing.T) {
	t.Parallel()
	records := oddToCite + "</PubmedArticleSet>"
	app := commandtest.NCBI(t, entreztest.New(t, entreztest.XML(strings.NewReader(records))))
	app.Env.LibraryDir = t.TempDir()
	file := filepath.Join(t.TempDir(), "x.xml")
	if err := os.WriteFile(file, []byte(records), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"sync pubmed --from " + file, "library init odd", "library add odd --from-articles 91000013"} {
		if text, code := clitest.Ask(t, app, command.Person, line); code != 0 {
			t.Fatalf("%s: exit %d: %s", line, code, text)
		}
	}
	for _, line := range []string{"get article 91000013", "get document pmid:91000013", "get library odd/pmid-91000013.md"} {
		if text, code := clitest.Ask(t, app, command.Person, line); code != 0 || !strings.Contains(text, "# (no title)") {
			t.Errorf("%s: exit %d, want the heading (no title) in\n%s", line, code, text)
		}
	}
}

// A title that differs from the record's by a number alone is another article's, such as another part of a series.
func TestAnotherPartOfASeriesDisagrees(t *testing.T) {
	t.Parallel()
	records := `<PubmedArticleSet><PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">91000021</PMID><Article PubModel="Print"><Journal><JournalIssue><Volume>7</Volume><PubDate><Year>2011</Year></PubDate></JournalIssue><Title>Synthetic letters</Title></Journal><ArticleTitle>Synthetic outcomes of 12 invented patients with wooden legs: part I.</ArticleTitle><Language>eng</Language></Article><MedlineJournalInfo><MedlineTA>Synth Lett</MedlineTA></MedlineJournalInfo></MedlineCitation><PubmedData><PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">91000021</ArticleId></ArticleIdList></PubmedData></PubmedArticle></PubmedArticleSet>`
	app := commandtest.NCBI(t, entreztest.New(t, entreztest.XML(strings.NewReader(records))))
	for title, want := range map[string]string{
		"Synthetic outcomes of 12 invented patients with wooden legs: part I":     "found",
		"Synthetic outcomes of 12 invented patients with wooden legs":             "found", // without its end
		"Synthetic outcomes of twelve invented patients with wooden legs, part I": "found",
		"Synthetic outcomes of 12 invented patients with wooden legs: part II":    "disagrees",
		"Synthetic outcomes of 48 invented patients with wooden legs: part I":     "disagrees",
	} {
		text, _ := clitest.Ask(t, app, command.Agent, "search citation '"+title+"' --json")
		if got := references(t, text); len(got) != 1 || got[0].Outcome != want {
			t.Errorf("%s: %s, want %s", title, text, want)
		}
	}
}
