package intake

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
	"biomcp/store"
)

// articleOf reads one record.
func articleOf(t *testing.T, xml string) *pubmed.Article {
	t.Helper()
	for item, err := range pubmed.Scan(strings.NewReader(xml)) {
		if err != nil {
			t.Fatal(err)
		}
		return item.Article
	}
	t.Fatal("no record")
	return nil
}

func TestDocument(t *testing.T) {
	a := articleOf(t, `<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="2">31</PMID>
<DateRevised><Year>2024</Year><Month>06</Month><Day>15</Day></DateRevised>
<Article PubModel="Print-Electronic"><Journal><ISSN IssnType="Print">1234-5678</ISSN><JournalIssue CitedMedium="Print"><Volume>3</Volume><Issue>2</Issue><PubDate><Year>2024</Year><Month>May</Month></PubDate></JournalIssue><Title>Journal of synthesis</Title><ISOAbbreviation>J. Synth.</ISOAbbreviation></Journal>
<ArticleTitle>A <i>synthetic</i> trial.</ArticleTitle><Pagination><MedlinePgn>12-9</MedlinePgn></Pagination>
<Abstract><AbstractText Label="AIM" NlmCategory="OBJECTIVE">To test.</AbstractText><AbstractText Label="RESULT" NlmCategory="RESULTS">Tested.</AbstractText></Abstract>
<AuthorList CompleteYN="Y"><Author ValidYN="Y"><LastName>Doe</LastName><ForeName>Jane</ForeName><Initials>J</Initials><Suffix>Jr</Suffix></Author><Author><CollectiveName>The group</CollectiveName></Author></AuthorList>
<Language>eng</Language><PublicationTypeList><PublicationType UI="D016449">Randomized Controlled Trial</PublicationType></PublicationTypeList>
<VernacularTitle>Ein Versuch</VernacularTitle><ArticleDate DateType="Electronic"><Year>2024</Year><Month>04</Month><Day>30</Day></ArticleDate></Article>
<MedlineJournalInfo><MedlineTA>J Synth</MedlineTA><NlmUniqueID>0001</NlmUniqueID></MedlineJournalInfo>
<CommentsCorrectionsList><CommentsCorrections RefType="RetractionIn"><RefSource>J Synth. 2025</RefSource><PMID Version="1">99</PMID></CommentsCorrections></CommentsCorrectionsList>
<MeshHeadingList><MeshHeading><DescriptorName UI="D006801" MajorTopicYN="N">Humans</DescriptorName></MeshHeading><MeshHeading><DescriptorName UI="D009369" MajorTopicYN="Y">Neoplasms</DescriptorName><QualifierName UI="Q000628" MajorTopicYN="N">therapy</QualifierName></MeshHeading></MeshHeadingList>
<KeywordList Owner="NOTNLM"><Keyword MajorTopicYN="N">synthesis</Keyword></KeywordList></MedlineCitation>
<PubmedData><History><PubMedPubDate PubStatus="pubmed"><Year>2024</Year><Month>5</Month><Day>4</Day><Hour>6</Hour><Minute>5</Minute></PubMedPubDate><PubMedPubDate PubStatus="entrez"><Year>2024</Year><Month>5</Month><Day>3</Day></PubMedPubDate></History>
<ArticleIdList><ArticleId IdType="doi">10.1000/synthetic</ArticleId><ArticleId IdType="pmc">PMC31</ArticleId></ArticleIdList></PubmedData></PubmedArticle>`)
	got, err := Document(a)
	if err != nil {
		t.Fatal(err)
	}
	want := &store.Document{
		PMID: 31, PMIDVersion: 2, Title: "A synthetic trial.", VernacularTitle: "Ein Versuch", Abstract: "AIM: To test.\n\nRESULT: Tested.",
		Sections: []store.Section{{Label: "AIM", Category: "OBJECTIVE", Text: "To test."}, {Label: "RESULT", Category: "RESULTS", Text: "Tested."}},
		Authors:  []store.Author{{LastName: "Doe", ForeName: "Jane", Initials: "J", Suffix: "Jr"}, {Collective: "The group"}},
		Journal:  store.Journal{Title: "Journal of synthesis", ISOAbbreviation: "J. Synth.", MedlineTA: "J Synth", NLMID: "0001", ISSN: "1234-5678", Volume: "3", Issue: "2", Pages: "12-9"},
		PubTypes: []string{"Randomized Controlled Trial"}, Keywords: []string{"synthesis"}, Languages: []string{"eng"},
		Mesh: []store.Heading{{Descriptor: "Humans", UI: "D006801"}, {Descriptor: "Neoplasms", UI: "D009369", Major: true, Qualifiers: []store.Qualifier{{Name: "therapy", UI: "Q000628"}}}},
		DOI:  "10.1000/synthetic", PMCID: "PMC31", PDat: "2024-05", Epub: "2024-04-30",
		EDAT: "2024-05-04T06:05:00Z", CRDT: "2024-05-03T00:00:00Z", LR: "2024-06-15T00:00:00Z", Status: "MEDLINE", PubModel: "Print-Electronic",
		Corrections: []store.Correction{{Type: "RetractionIn", PMID: "99", Source: "J Synth. 2025"}},
		Retracted:   true, Indexed: true, Human: true,
		Facts: 2<<8 | 1<<7 | 1<<6 | 2<<4 | 1<<2 | 2, // the bits are rag.Facts'
	}
	if g, w := asJSON(t, got), asJSON(t, want); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(b), "null", "[]")
}

func TestDocumentDates(t *testing.T) {
	article := func(pubDate, more string) string {
		return `<PubmedArticle><MedlineCitation Status="Publisher"><PMID>5</PMID><Article><Journal><JournalIssue>` + pubDate + `</JournalIssue></Journal><ArticleTitle>T</ArticleTitle>` + more + `</Article></MedlineCitation></PubmedArticle>`
	}
	for name, c := range map[string]struct{ xml, pdat, medline string }{
		"year":   {article("<PubDate><Year>2024</Year></PubDate>", ""), "2024", ""},
		"day":    {article("<PubDate><Year>2024</Year><Month>May</Month><Day>11</Day></PubDate>", ""), "2024-05-11", ""},
		"range":  {article("<PubDate><MedlineDate>1998 Dec-1999 Jan</MedlineDate></PubDate>", ""), "1998", "1998 Dec-1999 Jan"},
		"season": {article("<PubDate><Year>2000</Year><Season>Spring</Season></PubDate>", ""), "2000", ""},
		"electronic alone": {article("", `<ArticleDate DateType="Electronic"><Year>2023</Year><Month>02</Month><Day>01</Day></ArticleDate>`),
			"2023-02-01", ""},
		"none": {article("", ""), "", ""},
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			d, err := Document(articleOf(t, c.xml))
			if err != nil || d.PDat != c.pdat || d.MedlineDate != c.medline || d.Indexed || d.EDAT+d.CRDT+d.LR != "" {
				t.Errorf("%s: %+v, %v", name, d, err)
			}
		})
	}
}

// A record without an abstract has another one, as that of POPLINE, for its text.
func TestDocumentWithAnotherAbstractAlone(t *testing.T) {
	const record = `<PubmedArticle><MedlineCitation><PMID Version="1">90000042</PMID><Article><ArticleTitle>T</ArticleTitle>%s</Article>
<OtherAbstract Type="plain-language-summary" Language="eng"><AbstractText>For all.</AbstractText></OtherAbstract>
<OtherAbstract Type="Publisher" Language="spa"><AbstractText>Otro.</AbstractText></OtherAbstract>
<OtherAbstract Type="PIP" Language="eng"><AbstractText>Family planning.</AbstractText></OtherAbstract></MedlineCitation></PubmedArticle>`
	for own, want := range map[string]string{"": "Family planning.", "<Abstract><AbstractText>Own.</AbstractText></Abstract>": "Own."} {
		t.Run(want, func(t *testing.T) {
			d, err := Document(articleOf(t, fmt.Sprintf(record, own)))
			if err != nil || d.Abstract != want || len(d.Sections) != 1 || d.Sections[0].Text != want {
				t.Errorf("%+v, %v", d, err)
			}
		})
	}
}

func TestDocumentOfABook(t *testing.T) {
	d, err := Document(articleOf(t, `<PubmedBookArticle><BookDocument><PMID Version="1">20301425</PMID><ArticleIdList><ArticleId IdType="bookaccession">NBK1</ArticleId></ArticleIdList>
<Book><Publisher><PublisherName>Synthetic University</PublisherName></Publisher><BookTitle book="s">The book of tests</BookTitle><PubDate><Year>1993</Year></PubDate></Book>
<ArticleTitle>One chapter</ArticleTitle><Language>eng</Language><PublicationType UI="D016454">Review</PublicationType><Abstract><AbstractText>Text.</AbstractText></Abstract></BookDocument>
<PubmedBookData><History><PubMedPubDate PubStatus="pubmed"><Year>2010</Year><Month>3</Month><Day>20</Day><Hour>6</Hour><Minute>0</Minute></PubMedPubDate></History></PubmedBookData></PubmedBookArticle>`))
	if err != nil {
		t.Fatal(err)
	}
	if d.Title != "One chapter" || d.BookTitle != "The book of tests" || d.Publisher != "Synthetic University" || d.PDat != "1993" || d.EDAT != "2010-03-20T06:00:00Z" {
		t.Errorf("%+v", d)
	}
}

// A field that an article and a document both have is copied without another edit.
func TestFieldsOfOneNameAreCopied(t *testing.T) {
	type person struct{ Name, Elsewhere string }
	type author struct {
		Name, Here string
	}
	from := struct {
		Added  string
		Flag   bool
		List   []string
		People []person
		Kind   string
		Only   int
	}{"a", true, []string{"b"}, []person{{"c", "x"}, {"d", "y"}}, "e", 1}
	to := struct {
		Other  string
		People []author
		List   []string
		Flag   bool
		Added  string
		Kind   int
	}{}
	copyFields(reflect.ValueOf(&to).Elem(), reflect.ValueOf(&from).Elem())
	if got := fmt.Sprintf("%+v", to); got != "{Other: People:[{Name:c Here:} {Name:d Here:}] List:[b] Flag:true Added:a Kind:0}" {
		t.Error(got)
	}
}

// shared is a path under the folder of real data, which is not always there.
func shared(t testing.TB, path string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above this folder")
		}
		dir = filepath.Dir(dir)
	}
	path = filepath.Join(dir, "..", "shared", path)
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		t.Skipf("%s is not here: the real data is not part of the project", filepath.Base(path))
	}
	return path
}

// All 163 real records are stored, and seven of them have the dates that PubMed shows.
func TestImportOfRealRecords(t *testing.T) {
	file := shared(t, "data/pubmed/efetch-163.xml.gz")
	o := options(t)
	wantCounts(t, importing(t, o, file), "163 inserted, 0 updated, 0 skipped, 0 deleted")
	for _, pmid := range backDated {
		d, err := o.Store.Document(t.Context(), pmid)
		if err != nil {
			t.Fatal(err)
		}
		if d.EDAT[:4] >= d.CRDT[:4] {
			t.Errorf("%d: EDAT %s, CRDT %s", pmid, d.EDAT, d.CRDT)
		}
	}
	d, err := o.Store.Document(t.Context(), 30849835)
	if err != nil || d.EDAT[:10] != "1999-06-01" || d.CRDT[:10] != "2019-03-10" {
		t.Errorf("%+v, %v", d, err)
	}
	wantCounts(t, importing(t, o, file), "0 inserted, 0 updated, 163 skipped, 0 deleted")
}

// Every field of the real records is read from the corpus as the record has it.
func TestRealRecordsAreReadBackWhole(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"data/pubmed/efetch-163.xml.gz", "data/retrieval/pubmedqa/corpus.xml.gz"} {
		file := shared(t, path)
		if testing.Short() && strings.Contains(path, "retrieval") {
			continue // a thousand
		}
		o := options(t)
		importing(t, o, file)
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		for item, err := range pubmed.Scan(z) {
			if err != nil {
				t.Fatal(err)
			}
			want, err := Document(item.Article)
			if err != nil {
				t.Fatal(err)
			}
			got, err := o.Store.Document(t.Context(), want.PMID)
			if err != nil {
				t.Fatalf("%d: %v", want.PMID, err)
			}
			a, b := reflect.ValueOf(got).Elem(), reflect.ValueOf(want).Elem()
			for i := range a.NumField() {
				switch name := a.Type().Field(i).Name; name {
				case "Version", "Chunks", "Facts": // not the record's
				default:
					if fmt.Sprintf("%+v", a.Field(i)) != fmt.Sprintf("%+v", b.Field(i)) {
						t.Errorf("%d: %s is %+v, in the record %+v", want.PMID, name, a.Field(i), b.Field(i))
					}
				}
			}
			for _, c := range got.Chunks {
				if !strings.Contains(want.Title+"\n"+want.Abstract, c.Text) {
					t.Errorf("%d: chunk %s is no part of the record: %q", want.PMID, c.ID, c.Text)
				}
			}
		}
	}
}

// backDated are the records of the real data whose EDAT lies years before their
// creation.
var backDated = []record.PMID{30849835, 34337106, 36644330, 37008990, 38661995, 38884108, 39479534}

// A chapter is not as old as its book, and a paper that was never translated has
// the title of its own language.
func TestDocumentOfChapterAndOfUntranslatedPaper(t *testing.T) {
	chapter := func(dates string) string {
		return `<PubmedBookArticle><BookDocument><PMID>6</PMID><Book><BookTitle>Reviews</BookTitle><PubDate><Year>1993</Year></PubDate></Book>` +
			`<ArticleTitle>A chapter</ArticleTitle>` + dates + `</BookDocument></PubmedBookArticle>`
	}
	const contributed = `<ContributionDate><Year>2001</Year><Month>3</Month><Day>26</Day></ContributionDate>`
	for name, c := range map[string]struct{ xml, pdat, epub, lr, title string }{
		"revised":      {chapter(contributed + `<DateRevised><Year>2024</Year><Month>8</Month><Day>8</Day></DateRevised>`), "2024-08-08", "2001-03-26", "2024-08-08T00:00:00Z", "A chapter"},
		"in a month":   {chapter(contributed + `<DateRevised><Year>2024</Year><Month>8</Month></DateRevised>`), "2001-03-26", "", "2024-08", "A chapter"},
		"not revised":  {chapter(contributed), "2001-03-26", "", "", "A chapter"},
		"untranslated": {`<PubmedArticle><MedlineCitation><PMID>7</PMID><Article><ArticleTitle>[Not Available].</ArticleTitle><VernacularTitle>Über Hefe.</VernacularTitle></Article></MedlineCitation></PubmedArticle>`, "", "", "", "Über Hefe."},
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			d, err := Document(articleOf(t, c.xml))
			if err != nil {
				t.Fatal(err)
			}
			if d.PDat != c.pdat || d.Epub != c.epub || d.LR != c.lr || d.Title != c.title {
				t.Errorf("%q, %q, %q, %q", d.PDat, d.Epub, d.LR, d.Title)
			}
		})
	}
}
