package corpus_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A document shows all that the corpus has of it, even without an abstract. A chapter shows
// the date of the live record.
func TestDocumentShowsWhatIsStored(t *testing.T) {
	app := commandtest.Empty(t)
	file := filepath.Join(t.TempDir(), "records.xml")
	// Synthetic records.
	if err := os.WriteFile(file, []byte(`<PubmedArticleSet>
<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">90900001</PMID><DateRevised><Year>2015</Year><Month>03</Month></DateRevised>
<Article><Journal><JournalIssue><Volume>10</Volume><Issue>2</Issue><PubDate><Year>2014</Year></PubDate></JournalIssue><Title>Journal of tests</Title></Journal><ArticleTitle>No abstract</ArticleTitle><Pagination><MedlinePgn>100-10</MedlinePgn></Pagination></Article>
<MeshHeadingList><MeshHeading><DescriptorName UI="D006801">Humans</DescriptorName></MeshHeading></MeshHeadingList>
<KeywordList Owner="NOTNLM"><Keyword>yeast</Keyword></KeywordList></MedlineCitation></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID Version="1">90900002</PMID><Article><ArticleTitle>Keywords alone</ArticleTitle><Abstract><AbstractText>Text.</AbstractText></Abstract></Article>
<KeywordList Owner="NOTNLM"><Keyword>moulds</Keyword></KeywordList></MedlineCitation></PubmedArticle>
<PubmedBookArticle><BookDocument><PMID Version="1">90900003</PMID><Book><BookTitle>Reviews</BookTitle><PubDate><Year>1993</Year></PubDate></Book>
<ArticleTitle>A chapter</ArticleTitle><ContributionDate><Year>2001</Year><Month>3</Month><Day>26</Day></ContributionDate><DateRevised><Year>2024</Year><Month>8</Month><Day>8</Day></DateRevised></BookDocument></PubmedBookArticle>
</PubmedArticleSet>`), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+file); code != 0 {
		t.Fatal(text)
	}
	for pmid, want := range map[string][]string{
		"90900001": {"None in PubMed.", "**MeSH:** Humans", "**Keywords:** yeast", "**Journal:** Journal of tests. 2014;10(2):100-10", "**Revised:** 2015-03\n"},
		"90900002": {"**Keywords:** moulds"},
		"90900003": {"**Book:** Reviews", "**Chapter:** 2001-03-26, revised 2024-08-08"},
	} {
		t.Run(pmid, func(t *testing.T) {
			for door, may := range map[string]command.Policy{"terminal": command.Person, "MCP": command.Agent} {
				text := clitest.Answer(t, app, may, "get document pmid:"+pmid)
				for _, w := range want {
					if !strings.Contains(text, w) {
						t.Errorf("%s: no %q:\n%s", door, w, text)
					}
				}
			}
		})
	}
	if text := clitest.Answer(t, app, command.Agent, "get document pmid:90900003 --json"); !strings.Contains(text, `"pdat":"2001-03-26"`) {
		t.Error(text)
	}
}

// A hit takes about 300 bytes of an agent's context: its place and the matching sentence.
// --long shows the whole chunk, and data formats show more of it.
func TestAHitOfTheCorpusIsShort(t *testing.T) {
	app := importedApp(t)
	sizes := map[string]int{}
	for _, flags := range []string{"", " --long", " --csv"} {
		text := clitest.Answer(t, app, command.Agent, "search corpus ergothioneine mushrooms"+flags)
		if sizes[flags] = len(text); !strings.Contains(text, "pmid:") {
			t.Fatal(text)
		}
	}
	const hits = 20
	if most := 300 * hits; sizes[""] > most {
		t.Errorf("%d bytes, over %d", sizes[""], most)
	}
	if sizes[" --long"] <= sizes[""] {
		t.Errorf("%v bytes", sizes)
	}
	whole := clitest.Answer(t, app, command.Agent, "get document pmid:90100002")
	_, abstract, _ := strings.Cut(whole, "## Abstract\n\n")
	abstract, _, _ = strings.Cut(abstract, "\n")
	if long := clitest.Answer(t, app, command.Agent, "search corpus ergothioneine mushrooms --long"); abstract == "" || !strings.Contains(long, abstract) {
		t.Errorf("the whole chunk %q is not in\n%s", abstract, long)
	}
}
