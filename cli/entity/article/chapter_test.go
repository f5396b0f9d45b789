package article_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// chapterAndUntranslated holds two synthetic records: a chapter like those of
// GeneReviews, and a paper without an English title.
const chapterAndUntranslated = `<PubmedArticleSet><PubmedBookArticle><BookDocument><PMID Version="1">91000001</PMID>
<ArticleIdList><ArticleId IdType="bookaccession">NBK9900</ArticleId></ArticleIdList>
<Book><Publisher><PublisherName>University of Nowhere</PublisherName><PublisherLocation>Nowhere</PublisherLocation></Publisher>
<BookTitle book="syn">SyntheticReviews</BookTitle><PubDate><Year>1993</Year></PubDate><BeginningDate><Year>1993</Year></BeginningDate><EndingDate><Year>2024</Year></EndingDate><AuthorList Type="editors"><Author><LastName>Beispiel</LastName><ForeName>Lee</ForeName><Initials>L</Initials></Author></AuthorList></Book>
<ArticleTitle book="syn" part="heat">Heat Intolerance</ArticleTitle><Language>eng</Language>
<AuthorList Type="authors"><Author><LastName>Muster</LastName><ForeName>Ann</ForeName><Initials>A</Initials></Author></AuthorList>
<Abstract><AbstractText>Synthetic heat.</AbstractText></Abstract>
<ContributionDate><Year>2001</Year><Month>03</Month><Day>26</Day></ContributionDate><DateRevised><Year>2024</Year><Month>08</Month><Day>08</Day></DateRevised>
</BookDocument><PubmedBookData><PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">91000001</ArticleId></ArticleIdList></PubmedBookData></PubmedBookArticle>
<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">91000002</PMID><Article PubModel="Print"><Journal><JournalIssue><PubDate><Year>1999</Year></PubDate></JournalIssue><Title>Synthetische Zeitschrift</Title></Journal>
<ArticleTitle>[Not Available].</ArticleTitle><AuthorList><Author><LastName>Börner</LastName><ForeName>Ute</ForeName><Initials>U</Initials></Author></AuthorList><Language>ger</Language><VernacularTitle>Synthetische Hitze.</VernacularTitle></Article>
<MedlineJournalInfo><MedlineTA>Synth Z</MedlineTA></MedlineJournalInfo></MedlineCitation><PubmedData><PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">91000002</ArticleId></ArticleIdList></PubmedData></PubmedArticle>
</PubmedArticleSet>`

func TestChapterHasItsOwnDateAndAddress(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, entreztest.New(t, entreztest.XML(strings.NewReader(chapterAndUntranslated))))
	for line, parts := range map[string][]string{
		"get article 91000001":                       {"2001-03-26, revised 2024-08-08", "1993–2024", "https://www.ncbi.nlm.nih.gov/books/NBK9900/"},
		"get article 91000001 --json":                {`"publication_date":{"year":2001,"month":3,"day":26,`, `"book_url":"https://www.ncbi.nlm.nih.gov/books/NBK9900/"`},
		"search article 91000001[uid]":               {"Heat Intolerance", "2001-03-26"},
		"search article 91000002[uid]":               {"Synthetische Hitze."},
		"get article 91000002":                       {"# Synthetische Hitze."},
		"get article 91000002 citation --style nbib": {"TI  - [Not Available].\n", "TT  - Synthetische Hitze.\n"},
	} {
		t.Run(line, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Agent, line)
			if strings.HasSuffix(line, "--json") {
				text = strings.Join(strings.Fields(text), "")
			}
			for _, part := range parts {
				if code != 0 || !strings.Contains(text, part) {
					t.Errorf("%s: exit %d, no %q in\n%s", line, code, part, text)
				}
			}
		})
	}
}
