package pubmed

import (
	"bytes"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzScan scans arbitrary input. Scan must end without a panic, give the same result when it reads
// byte by byte, and hold at most a small multiple of the input.
func FuzzScan(f *testing.F) {
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, seed := range []string{
		laughs + set(rec(1, "&lol2;")), set(rec(1, "<!-- "), rec(2, "<![CDATA["), rec(3, "<?")), "<html>", "{}", "\xFF\xFE<\x00",
		set(rec(1, "<Article><ArticleTitle><sup>a</sup><mml:math><mfrac><mi>a</mi></mfrac></mml:math></ArticleTitle></Article>")),
		"<eFetchResult><ERROR>x</ERROR></eFetchResult>", "<BookDocumentSet><BookDocument><PMID>1</PMID></BookDocument></BookDocumentSet>",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		items, broken, final := scanned(bytes.NewReader(data))
		if n := len(items) + len(broken); n > len(data)/10+1 {
			t.Fatalf("%d items of %d bytes", n, len(data))
		}
		text := 0
		for _, item := range items {
			text += textSize(reflect.ValueOf(item))
		}
		if text > 24*len(data) {
			t.Fatalf("%d bytes of text in %d bytes", text, len(data))
		}
		again, brokenAgain, finalAgain := scanned(iotest.OneByteReader(bytes.NewReader(data)))
		if !reflect.DeepEqual(items, again) || !reflect.DeepEqual(broken, brokenAgain) || !reflect.DeepEqual(final, finalAgain) {
			t.Fatalf("byte by byte: %s %v %v\ninstead of %s %v %v", show(again), brokenAgain, finalAgain, show(items), broken, final)
		}
		outline(bytes.NewReader(data), 100) // covers the paths for long input
	})
}

func textSize(v reflect.Value) int {
	size := 0
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Pointer:
		if !v.IsNil() {
			return textSize(v.Elem())
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			size += textSize(field)
		}
	case reflect.Slice:
		for i := range v.Len() {
			size += textSize(v.Index(i))
		}
	}
	return size
}

// FuzzReference compares with encoding/xml. Both must accept the same records, with the same
// fields.
func FuzzReference(f *testing.F) {
	for _, name := range []string{"articles.xml", "books.xml"} {
		for _, item := range synthetics(f, name) {
			if item.Article != nil {
				f.Add(inside(item.Raw))
			}
		}
	}
	for _, seed := range []string{
		"<MedlineCitation><PMID>1</PMID><Article><ArticleTitle>a<sup>-/-</sup>&#x41;]]&gt;<![CDATA[]]]]></ArticleTitle></Article></MedlineCitation>",
		"<a:MedlineCitation a:Status=\"x&amp;y\"\n><PMID Version='2'>1</PMID ></a:MedlineCitation>",
		"<MedlineCitation><PMID>1<?a b?><!-- c --></PMID><KeywordList><Keyword> a \r\n b&#9;</Keyword></KeywordList></MedlineCitation>",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, inner []byte) {
		data := []byte("<PubmedArticleSet><PubmedArticle>" + string(inner) + "</PubmedArticle></PubmedArticleSet>")
		if !compatible(inner) || repeats(data) {
			return
		}
		compare(t, data)
	})
}

func inside(raw []byte) []byte {
	raw = raw[bytes.IndexByte(raw, '>')+1:]
	return raw[:bytes.LastIndex(raw, []byte("</"))]
}

func compare(t *testing.T, data []byte) {
	t.Helper()
	want, err := referenceScan(bytes.NewReader(data))
	got, broken, final := scanned(bytes.NewReader(data))
	if err != nil {
		if len(broken) == 0 && final == nil {
			t.Fatalf("accepted against %v:\n%s", err, data)
		}
		return
	}
	if len(broken) > 0 || final != nil || len(got) != len(want) {
		t.Fatalf("refused: %v %v:\n%s", broken, final, data)
	}
	for i := range got {
		if d := diff(got[i], want[i]); d != "" {
			t.Fatalf("%s\n%s", d, data)
		}
	}
}

// The scanner is intentionally stricter than encoding/xml, or less strict, in some cases, which are
// not compared: record elements in a record, declarations and XML declarations in content, bytes
// that encoding/xml ignores in comments, surrogate references, references longer than 40 bytes,
// names beyond ASCII, nesting beyond 200, and parts of a book in an article.
var incompatible = regexp.MustCompile(`PubmedArticle|PubmedBookArticle|BookDocument|PubmedBookData|Delete|<![^-\[]|<\?xml|&#(x0*[dD][89a-fA-F]|0*5[5-7])|&#?[0-9A-Za-z]{38}|[^\x00-\x7F]`)

func compatible(inner []byte) bool {
	return !incompatible.Match(inner) && invalidChar(inner) < 0 && bytes.Count(inner, []byte("<")) < 180
}

// once lists the elements that occur at most once in their parent. encoding/xml mixes the fields of
// a second one into the first.
var once = regexp.MustCompile(`^(MedlineCitation|PubmedData|Article|Journal|JournalIssue|PubDate|Date.*|MedlineJournalInfo|Pagination|Abstract|DescriptorName|PMID)$`)

func repeats(data []byte) bool {
	d := xml.NewDecoder(bytes.NewReader(data))
	seen := []map[string]bool{{}}
	for {
		t, err := d.Token()
		if err != nil {
			return false
		}
		switch t := t.(type) {
		case xml.StartElement:
			names := map[string]bool{}
			for _, a := range t.Attr {
				if names[a.Name.Local] {
					return true
				}
				names[a.Name.Local] = true
			}
			if here := seen[len(seen)-1]; here[t.Name.Local] && once.MatchString(t.Name.Local) {
				return true
			} else {
				here[t.Name.Local] = true
			}
			seen = append(seen, map[string]bool{})
		case xml.EndElement:
			seen = seen[:len(seen)-1]
		}
	}
}

// grammar maps elements to their children in generated records; a star means any number. Other
// elements hold text and markup.
var grammar = map[string]string{
	"PubmedArticle":           "MedlineCitation PubmedData",
	"PubmedBookArticle":       "BookDocument PubmedBookData",
	"MedlineCitation":         "PMID DateCompleted DateRevised Article MedlineJournalInfo ChemicalList* SupplMeshList* CitationSubset* CommentsCorrectionsList* GeneSymbolList* MeshHeadingList* PersonalNameSubjectList* OtherAbstract* KeywordList* CoiStatement* InvestigatorList* GeneralNote* Odd*",
	"Article":                 "Journal ArticleTitle* Pagination ELocationID* Abstract AuthorList* Language* DataBankList* GrantList* PublicationTypeList* VernacularTitle* ArticleDate* Odd*",
	"Journal":                 "ISSN* JournalIssue Title* ISOAbbreviation*",
	"JournalIssue":            "Volume* Issue* PubDate",
	"MedlineJournalInfo":      "Country* MedlineTA* NlmUniqueID* ISSNLinking*",
	"PubDate":                 "Year* Month* Day* Season* MedlineDate*",
	"ArticleDate":             "Year* Month* Day*",
	"DateCompleted":           "Year* Month* Day*",
	"DateRevised":             "Year* Month* Day*",
	"BeginningDate":           "Year* Month* Season*",
	"EndingDate":              "Year* Month* Season*",
	"ContributionDate":        "Year* Month* Day*",
	"PubMedPubDate":           "Year* Month* Day* Hour* Minute* Second*",
	"Pagination":              "StartPage* EndPage* MedlinePgn*",
	"Abstract":                "AbstractText* CopyrightInformation*",
	"OtherAbstract":           "AbstractText* CopyrightInformation*",
	"AuthorList":              "Author* Odd*",
	"Author":                  "LastName* ForeName* Initials* Suffix* CollectiveName* Identifier* AffiliationInfo*",
	"AffiliationInfo":         "Affiliation* Identifier*",
	"InvestigatorList":        "Investigator*",
	"Investigator":            "LastName* ForeName* AffiliationInfo*",
	"PersonalNameSubjectList": "PersonalNameSubject*",
	"PersonalNameSubject":     "LastName* ForeName* Suffix*",
	"DataBankList":            "DataBank*",
	"DataBank":                "DataBankName* AccessionNumberList*",
	"AccessionNumberList":     "AccessionNumber*",
	"GrantList":               "Grant*",
	"Grant":                   "GrantID* Acronym* Agency* Country*",
	"PublicationTypeList":     "PublicationType*",
	"ChemicalList":            "Chemical* Odd*",
	"Chemical":                "RegistryNumber* NameOfSubstance",
	"SupplMeshList":           "SupplMeshName*",
	"CommentsCorrectionsList": "CommentsCorrections*",
	"CommentsCorrections":     "RefSource* PMID Note*",
	"GeneSymbolList":          "GeneSymbol*",
	"MeshHeadingList":         "MeshHeading* Odd*",
	"MeshHeading":             "DescriptorName QualifierName*",
	"KeywordList":             "Keyword*",
	"PubmedData":              "History* PublicationStatus* ArticleIdList* ReferenceList* ObjectList*",
	"PubmedBookData":          "History* PublicationStatus* ArticleIdList*",
	"History":                 "PubMedPubDate*",
	"ArticleIdList":           "ArticleId*",
	"ReferenceList":           "Title* Reference* ReferenceList*",
	"Reference":               "Citation* ArticleIdList*",
	"BookDocument":            "PMID ArticleIdList* Book LocationLabel* ArticleTitle* VernacularTitle* Pagination Language* AuthorList* InvestigatorList* PublicationType* Abstract Sections* KeywordList* ContributionDate DateRevised GrantList* ItemList* ReferenceList*",
	"Book":                    "Publisher* BookTitle* PubDate BeginningDate EndingDate AuthorList* InvestigatorList* Volume* VolumeTitle* Edition* CollectionTitle* Isbn* Medium* ReportNumber*",
	"Publisher":               "PublisherName* PublisherLocation*",
	"Sections":                "Section*",
	"Section":                 "LocationLabel* SectionTitle Section*",
	"ItemList":                "Item*",
	"Odd":                     "PMID ArticleId* LastName*",
}

var (
	markup     = strings.Fields("b i u sup sub sup sub mml:math DispFormula odd")
	formulas   = strings.Fields("mi mn mo mrow mfrac msup msub msubsup mroot msqrt mfenced mover munder munderover mmultiscripts mprescripts none mtable mtr mtd mspace mtext semantics annotation sup")
	attributes = map[string]string{
		"MedlineCitation": "Status IndexingMethod", "PMID": "Version", "Article": "PubModel", "ISSN": "IssnType",
		"JournalIssue": "CitedMedium", "ELocationID": "EIdType ValidYN", "AbstractText": "Label NlmCategory",
		"OtherAbstract": "Type Language", "AuthorList": "CompleteYN Type", "Author": "ValidYN EqualContrib", "Investigator": "ValidYN",
		"Identifier": "Source", "ArticleDate": "DateType", "SupplMeshName": "Type UI", "CommentsCorrections": "RefType",
		"DescriptorName": "UI MajorTopicYN", "QualifierName": "UI MajorTopicYN", "NameOfSubstance": "UI",
		"ArticleId": "IdType", "PubMedPubDate": "PubStatus", "ItemList": "ListType", "mfenced": "open close separators", "odd": "x",
	}
	fragments = []string{
		"a", "abc", " ", "\n  ", "&amp;", "&amp;amp;", "&lt;", "&#233;", "&#x2212;", "é", "]", "]]", "<!-- x -->", "<?x y?>", "<![CDATA[a & <b> ]]>",
		"1", "2", "12", "2024", "1998 Dec-1999", "Jan", "31", "-", "+/-", "1/2", "/", "n", "β", "10.1/x", "doi:10.5/y", "PMC12", "0000-0002-1825-0097",
		"000000021694233X", "\u00a0", "\u2009", "&#32;", "&#10;", "(", ")", "[x]", "→", "¯", "≤0.05", "th", "q",
	}
	values = []string{
		"Y", "N", "doi", "pmc", "pubmed", "pii", "editors", "authors", "ORCID", "orcid", "received", "revised", "pmc-release", "Electronic",
		"RetractionIn", "Cites", "3", "x &amp; y", "&#89;", "&#x64;oi", "&#10;a", "  a \n b ", "&quot;", ";,", "", "|", "bookaccession", "Print", "D012", "12345",
	}
)

// A generator writes a record by the grammar, and takes its choices from the fuzzer's bytes.
type generator struct {
	choices []byte
	out     strings.Builder
	depth   int
}

func (g *generator) choose(n int) int {
	if len(g.choices) == 0 {
		return 0
	}
	c := int(g.choices[0])
	g.choices = g.choices[1:]
	return c % n
}

func (g *generator) element(name string) {
	g.depth++
	defer func() { g.depth-- }()
	g.out.WriteString("<" + name)
	for _, a := range strings.Fields(attributes[strings.TrimPrefix(name, "mml:")]) {
		if g.choose(4) > 0 {
			quote := []string{`"`, "'"}[g.choose(2)]
			value := strings.ReplaceAll(values[g.choose(len(values))], `"`, "")
			g.out.WriteString([]string{" ", "\n"}[g.choose(2)] + a + []string{"=", " = "}[g.choose(2)] + quote + value + quote)
		}
	}
	if g.choose(16) == 15 {
		g.out.WriteString("/>")
		return
	}
	g.out.WriteString([]string{">", " >"}[g.choose(2)])
	switch content, ok := grammar[name]; {
	case name == "PMID" && g.depth < 4:
		g.out.WriteString("12345")
	case ok:
		g.children(strings.Fields(content))
	case strings.HasPrefix(name, "mml:"):
		g.mixed(formulas, "mml:")
	default:
		g.mixed(markup, "")
	}
	g.out.WriteString("</" + name + []string{">", " >"}[g.choose(2)])
}

func (g *generator) children(names []string) {
	for _, name := range names {
		n := 1
		if plain, star := strings.CutSuffix(name, "*"); star {
			n, name = []int{0, 1, 1, 1, 2}[g.choose(5)], plain
		} else if name != "PMID" && g.choose(8) == 7 {
			n = 0
		}
		for ; n > 0 && len(g.choices) > 0 && g.depth < 40 || n > 0 && name == "PMID"; n-- {
			g.element(name)
			g.out.WriteString([]string{"", "\n\t", " stray ", "<!-- between -->"}[g.choose(4)])
		}
	}
}

func (g *generator) mixed(names []string, prefix string) {
	for n := g.choose(5); n > 0 && len(g.choices) > 0; n-- {
		if g.depth < 40 && g.choose(3) == 0 {
			g.element(prefix + names[g.choose(len(names))])
		} else {
			g.out.WriteString(fragments[g.choose(len(fragments))])
		}
	}
}

// FuzzGenerated compares the decoders on well-formed records with all elements of the DTD.
func FuzzGenerated(f *testing.F) {
	for seed := range 40 {
		choices := make([]byte, 6000)
		x := uint32(seed*2654435761 + 1)
		for i := range choices {
			x = x*1664525 + 1013904223
			choices[i] = byte(x >> 24)
		}
		f.Add(choices, seed%4 == 0)
	}
	f.Fuzz(func(t *testing.T, choices []byte, book bool) {
		if len(choices) > 20_000 {
			return
		}
		g := generator{choices: choices}
		g.element(map[bool]string{true: "PubmedBookArticle", false: "PubmedArticle"}[book])
		data := []byte("<PubmedArticleSet>" + g.out.String() + "</PubmedArticleSet>")
		want, err := referenceScan(bytes.NewReader(data))
		var syntax *xml.SyntaxError
		if errors.As(err, &syntax) || err == nil && len(want) != 1 {
			t.Fatalf("the generator wrote bad XML: %v\n%s", err, data)
		}
		compare(t, data)
	})
}
