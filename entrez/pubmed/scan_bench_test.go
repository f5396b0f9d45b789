package pubmed

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
)

// synthetic writes records of about 8 KB in the shape of NLM's: eight authors with
// affiliations, a labelled abstract, MeSH, keywords, history and forty references,
// with the character references and the spacing of EFetch.
type synthetic struct {
	rand *rand.Rand
	pmid int
	buf  bytes.Buffer
}

func newSynthetic() *synthetic {
	return &synthetic{rand: rand.New(rand.NewPCG(1, 2)), pmid: 30000000}
}

const syntheticHead = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>
`

var syntheticWords = strings.Fields(`the of and in with patients cells expression protein treatment
	response clinical receptor levels increased significantly associated between group analysis after was were
	kinase inhibition mice tumor risk outcome cohort trial randomized placebo dose serum plasma insulin glucose
	pathway signalling mutation variant genome sequencing membrane mitochondrial oxidative stress inflammation`)

func (s *synthetic) words(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(syntheticWords[s.rand.IntN(len(syntheticWords))])
	}
	return b.String()
}

func (s *synthetic) record() []byte {
	s.pmid++
	w := &s.buf
	w.Reset()
	year := 1990 + s.rand.IntN(35)
	fmt.Fprintf(w, `<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM" IndexingMethod="Automated"><PMID Version="1">%d</PMID>`+
		`<DateCompleted><Year>%d</Year><Month>06</Month><Day>26</Day></DateCompleted><DateRevised><Year>%d</Year><Month>11</Month><Day>15</Day></DateRevised>`+
		`<Article PubModel="Print-Electronic"><Journal><ISSN IssnType="Electronic">1234-5678</ISSN><JournalIssue CitedMedium="Internet"><Volume>%d</Volume><Issue>3</Issue>`+
		`<PubDate><Year>%d</Year><Month>Feb</Month></PubDate></JournalIssue><Title>Journal of synthetic medicine %d</Title><ISOAbbreviation>J Synth Med</ISOAbbreviation></Journal>`+
		`<ArticleTitle>Effect of <i>%s</i> on %s.</ArticleTitle><Pagination><StartPage>101</StartPage><EndPage>112</EndPage><MedlinePgn>101-112</MedlinePgn></Pagination>`+
		`<ELocationID EIdType="doi" ValidYN="Y">10.5555/synth.%d</ELocationID><Abstract>`,
		s.pmid, year, year+1, year-1980, year, s.rand.IntN(50), s.words(2), s.words(9), s.pmid)
	for _, label := range []string{"BACKGROUND", "METHODS", "RESULTS", "CONCLUSIONS"} {
		fmt.Fprintf(w, `<AbstractText Label=%q NlmCategory=%q>%s (95%% CI 1.2&#x2013;3.4; P &lt; 0.05), 10<sup>-3</sup> %s.</AbstractText>`, label, label, s.words(28), s.words(10))
	}
	w.WriteString(`</Abstract><AuthorList CompleteYN="Y">`)
	for i := range 8 {
		fmt.Fprintf(w, `<Author ValidYN="Y"><LastName>Name%d</LastName><ForeName>Given A</ForeName><Initials>GA</Initials>`, s.rand.IntN(5000))
		if i%3 == 0 {
			w.WriteString(`<Identifier Source="ORCID">0000-0002-1825-0097</Identifier>`)
		}
		w.WriteString(`<AffiliationInfo><Affiliation>Department of Synthetic Medicine, University of Examples, Example City 12345, Exampleland.</Affiliation></AffiliationInfo></Author>`)
	}
	w.WriteString(`</AuthorList><Language>eng</Language><PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType></PublicationTypeList>` +
		`<ArticleDate DateType="Electronic"><Year>2020</Year><Month>01</Month><Day>30</Day></ArticleDate></Article>` +
		`<MedlineJournalInfo><Country>England</Country><MedlineTA>J Synth Med</MedlineTA><NlmUniqueID>9999999</NlmUniqueID><ISSNLinking>1234-5678</ISSNLinking></MedlineJournalInfo>` +
		`<CitationSubset>IM</CitationSubset><MeshHeadingList>`)
	for i := range 9 {
		fmt.Fprintf(w, `<MeshHeading><DescriptorName UI="D%06d" MajorTopicYN="N">Descriptor %d</DescriptorName>`, s.rand.IntN(30000), s.rand.IntN(300))
		if i%2 == 0 {
			w.WriteString(`<QualifierName UI="Q000188" MajorTopicYN="Y">drug therapy</QualifierName>`)
		}
		w.WriteString(`</MeshHeading>`)
	}
	w.WriteString(`</MeshHeadingList><KeywordList Owner="NOTNLM"><Keyword MajorTopicYN="N">insulin</Keyword><Keyword MajorTopicYN="N">kinase</Keyword></KeywordList></MedlineCitation><PubmedData><History>`)
	for _, status := range []string{"received", "revised", "accepted", "pubmed", "medline", "entrez"} {
		fmt.Fprintf(w, `<PubMedPubDate PubStatus=%q><Year>%d</Year><Month>1</Month><Day>2</Day><Hour>6</Hour><Minute>0</Minute></PubMedPubDate>`, status, year)
	}
	fmt.Fprintf(w, `</History><PublicationStatus>ppublish</PublicationStatus><ArticleIdList><ArticleId IdType="pubmed">%d</ArticleId><ArticleId IdType="doi">10.5555/synth.%d</ArticleId></ArticleIdList><ReferenceList>`, s.pmid, s.pmid)
	for range 14 {
		fmt.Fprintf(w, `<Reference><Citation>Name A, Other B. %s. J Synth Med. %d;12:345&#x2013;56.</Citation><ArticleIdList><ArticleId IdType="doi">10.5555/ref.%d</ArticleId><ArticleId IdType="pubmed">%d</ArticleId></ArticleIdList></Reference>`,
			s.words(9), year, s.rand.IntN(1e6), 10000000+s.rand.IntN(1e7))
	}
	w.WriteString("</ReferenceList></PubmedData></PubmedArticle>\n")
	return w.Bytes()
}

var synthetic50MB = sync.OnceValue(func() []byte {
	s, out := newSynthetic(), []byte(syntheticHead)
	for len(out) < 50<<20 {
		out = append(out, s.record()...)
	}
	return append(out, "</PubmedArticleSet>\n"...)
})

// endless repeats a stretch of records up to a size, without holding all of them.
type endless struct {
	rest    []byte
	records []byte
	left    int
}

func (e *endless) Read(p []byte) (int, error) {
	if len(e.rest) == 0 {
		switch {
		case e.left > 0:
			e.rest = e.records
			e.left -= len(e.records)
		case e.left > -1<<60:
			e.rest, e.left = []byte("</PubmedArticleSet>"), -1<<60
		default:
			return 0, io.EOF
		}
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// resident returns the memory that the runtime holds, in bytes.
func resident() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() - sample[1].Value.Uint64()
}

func benchmarkScan(b *testing.B, size int, open func() io.Reader) {
	b.SetBytes(int64(size))
	b.ReportAllocs()
	debug.FreeOSMemory()
	start, peak, records := resident(), uint64(0), 0
	for b.Loop() {
		records = 0
		for _, err := range Scan(open()) {
			if err != nil {
				b.Fatal(err)
			}
			if records++; records%100 == 0 || size/records > 1<<20 {
				peak = max(peak, resident())
			}
		}
	}
	b.ReportMetric(float64(max(peak, start)-start)/(1<<20), "peak-MB") // in addition to the input
	b.ReportMetric(float64(records)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

// leanRecord is a quick implementation with encoding/xml that keeps texts as strings and markup
// unchanged. The reference decoder does more and is three times slower, so this one is the fair
// comparison.
type leanRecord struct {
	PMID       string   `xml:"MedlineCitation>PMID"`
	Status     string   `xml:"Status,attr"`
	Completed  leanDate `xml:"MedlineCitation>DateCompleted"`
	Revised    leanDate `xml:"MedlineCitation>DateRevised"`
	ISSN       string   `xml:"MedlineCitation>Article>Journal>ISSN"`
	Volume     string   `xml:"MedlineCitation>Article>Journal>JournalIssue>Volume"`
	Issue      string   `xml:"MedlineCitation>Article>Journal>JournalIssue>Issue"`
	Published  leanDate `xml:"MedlineCitation>Article>Journal>JournalIssue>PubDate"`
	Journal    string   `xml:"MedlineCitation>Article>Journal>Title"`
	ISO        string   `xml:"MedlineCitation>Article>Journal>ISOAbbreviation"`
	Title      leanText `xml:"MedlineCitation>Article>ArticleTitle"`
	Start      string   `xml:"MedlineCitation>Article>Pagination>StartPage"`
	End        string   `xml:"MedlineCitation>Article>Pagination>EndPage"`
	Pages      string   `xml:"MedlineCitation>Article>Pagination>MedlinePgn"`
	ELocations []string `xml:"MedlineCitation>Article>ELocationID"`
	Abstract   []struct {
		Label    string `xml:"Label,attr"`
		Category string `xml:"NlmCategory,attr"`
		Text     string `xml:",innerxml"`
	} `xml:"MedlineCitation>Article>Abstract>AbstractText"`
	Authors []struct {
		LastName     string   `xml:"LastName"`
		ForeName     string   `xml:"ForeName"`
		Initials     string   `xml:"Initials"`
		Suffix       string   `xml:"Suffix"`
		Collective   string   `xml:"CollectiveName"`
		Identifiers  []string `xml:"Identifier"`
		Affiliations []string `xml:"AffiliationInfo>Affiliation"`
	} `xml:"MedlineCitation>Article>AuthorList>Author"`
	Languages []string `xml:"MedlineCitation>Article>Language"`
	Grants    []struct {
		ID      string `xml:"GrantID"`
		Acronym string `xml:"Acronym"`
		Agency  string `xml:"Agency"`
		Country string `xml:"Country"`
	} `xml:"MedlineCitation>Article>GrantList>Grant"`
	Types       []string   `xml:"MedlineCitation>Article>PublicationTypeList>PublicationType"`
	Electronic  []leanDate `xml:"MedlineCitation>Article>ArticleDate"`
	Country     string     `xml:"MedlineCitation>MedlineJournalInfo>Country"`
	TA          string     `xml:"MedlineCitation>MedlineJournalInfo>MedlineTA"`
	NLM         string     `xml:"MedlineCitation>MedlineJournalInfo>NlmUniqueID"`
	Linking     string     `xml:"MedlineCitation>MedlineJournalInfo>ISSNLinking"`
	Chemicals   []string   `xml:"MedlineCitation>ChemicalList>Chemical>NameOfSubstance"`
	Corrections []struct {
		Type   string `xml:"RefType,attr"`
		Source string `xml:"RefSource"`
		PMID   string `xml:"PMID"`
	} `xml:"MedlineCitation>CommentsCorrectionsList>CommentsCorrections"`
	Mesh []struct {
		Descriptor leanTerm   `xml:"DescriptorName"`
		Qualifiers []leanTerm `xml:"QualifierName"`
	} `xml:"MedlineCitation>MeshHeadingList>MeshHeading"`
	Keywords   []leanText `xml:"MedlineCitation>KeywordList>Keyword"`
	Coi        leanText   `xml:"MedlineCitation>CoiStatement"`
	History    []leanDate `xml:"PubmedData>History>PubMedPubDate"`
	IDs        []leanID   `xml:"PubmedData>ArticleIdList>ArticleId"`
	References []struct {
		Citation leanText `xml:"Citation"`
		IDs      []leanID `xml:"ArticleIdList>ArticleId"`
	} `xml:"PubmedData>ReferenceList>Reference"`
}

type leanDate struct {
	Status string `xml:"PubStatus,attr"`
	Year   string `xml:"Year"`
	Month  string `xml:"Month"`
	Day    string `xml:"Day"`
	Hour   string `xml:"Hour"`
	Minute string `xml:"Minute"`
}

type leanText struct {
	Text string `xml:",innerxml"`
}

type leanTerm struct {
	UI    string `xml:"UI,attr"`
	Major string `xml:"MajorTopicYN,attr"`
	Name  string `xml:",chardata"`
}

type leanID struct {
	Type  string `xml:"IdType,attr"`
	Value string `xml:",chardata"`
}

func benchmarkEncodingXML(b *testing.B, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		d := xml.NewDecoder(bytes.NewReader(data))
		for {
			t, err := d.Token()
			if err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
			if start, ok := t.(xml.StartElement); ok && start.Name.Local == "PubmedArticle" {
				var r leanRecord
				if err := d.DecodeElement(&r, &start); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

func BenchmarkScan_163(b *testing.B) {
	data := sharedFile(b, "pubmed/efetch-163.xml.gz")
	benchmarkScan(b, len(data), func() io.Reader { return bytes.NewReader(data) })
}

func BenchmarkEncodingXML_163(b *testing.B) {
	benchmarkEncodingXML(b, sharedFile(b, "pubmed/efetch-163.xml.gz"))
}

func BenchmarkScan_50MB(b *testing.B) {
	data := synthetic50MB()
	benchmarkScan(b, len(data), func() io.Reader { return bytes.NewReader(data) })
}

func BenchmarkEncodingXML_50MB(b *testing.B) { benchmarkEncodingXML(b, synthetic50MB()) }

// BenchmarkScan_1GB measures memory: its peak must stay far below 100 MB.
func BenchmarkScan_1GB(b *testing.B) {
	s := newSynthetic()
	var records []byte
	for range 500 {
		records = append(records, s.record()...)
	}
	benchmarkScan(b, 1<<30, func() io.Reader {
		return &endless{rest: []byte(syntheticHead), records: records, left: 1 << 30}
	})
}

// BenchmarkScan_8MBRecords is the worst case for memory: records of maximum length, with the
// elements that take the most memory per byte.
func BenchmarkScan_8MBRecords(b *testing.B) {
	const author = "<Author><LastName>a</LastName></Author>"
	long := rec(1, "<Article><AuthorList>"+strings.Repeat(author, (maxRecord-200)/len(author))+"</AuthorList></Article>")
	benchmarkScan(b, 4*len(long), func() io.Reader {
		return &endless{rest: []byte(syntheticHead), records: []byte(long), left: 4 * len(long)}
	})
}
