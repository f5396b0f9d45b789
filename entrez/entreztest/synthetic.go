package entreztest

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// FirstSynthetic is the PMID of the first record of Generate. It is far above real PMIDs.
const FirstSynthetic = 70000001

// A SyntheticRecord is a synthetic record before it is written as XML. Generate sets its fields, and the
// functions that it is given may change them.
type SyntheticRecord struct {
	PMID       int
	Title      string
	Abstract   []string // sections, with labels if there are several
	Authors    []string // "Last|Fore|Initials"
	Journal    int      // index of a synthetic journal
	Types      []string // publication types
	Headings   []int    // indexes of headings; the first one is a major topic
	Keywords   []string
	Language   string
	Status     string // MEDLINE, PubMed-not-MEDLINE, Publisher
	DOI, PMCID string
	References []int // PMIDs

	Published time.Time // print date, year and month
	Created   time.Time // CRDT
	Entered   time.Time // EDAT
	Indexed   time.Time // MHDA and DCOM; zero if not indexed
	Revised   time.Time // LR
}

// Generate returns n synthetic records as one PubmedArticleSet, which depends only on the
// arguments. PMIDs increase from FirstSynthetic, and creation dates from 2005 to the end of 2024.
// Words follow Zipf's law over a vocabulary of common and invented biomedical words. Journals and
// names are invented.
func Generate(n int, seed uint64, change ...func(i int, m *SyntheticRecord)) io.Reader {
	g := &generator{n: n, seed: seed, change: change}
	g.buf.WriteString(pubmedProlog)
	return g
}

// OnDay returns a function for Generate that sets the dates of creation, entry and publication of
// every record to t, and the date of revision if it would be earlier.
func OnDay(t time.Time) func(int, *SyntheticRecord) {
	return func(_ int, m *SyntheticRecord) {
		m.Created, m.Entered, m.Published = t, t, t
		if m.Revised.Before(t) {
			m.Revised = t
		}
	}
}

// Synthetic returns one record of Generate, a <PubmedArticle> element.
func Synthetic(pmid int, seed uint64, change ...func(*SyntheticRecord)) []byte {
	m := invent(pmid, seed, time.Date(2020, 1, 2, 6, 0, 0, 0, time.UTC))
	for _, f := range change {
		f(&m)
	}
	var b bytes.Buffer
	m.write(&b)
	return b.Bytes()
}

type generator struct {
	n, done int
	seed    uint64
	change  []func(int, *SyntheticRecord)
	buf     bytes.Buffer
	closed  bool
}

func (g *generator) Read(p []byte) (int, error) {
	for g.buf.Len() < len(p) && !g.closed {
		if g.done == g.n {
			g.buf.WriteString("</PubmedArticleSet>\n")
			g.closed = true
			break
		}
		start := time.Date(2005, 1, 1, 6, 0, 0, 0, time.UTC)
		span := time.Date(2024, 12, 31, 6, 0, 0, 0, time.UTC).Sub(start)
		created := start.Add(span / time.Duration(g.n) * time.Duration(g.done)).Truncate(time.Hour)
		m := invent(FirstSynthetic+g.done, g.seed, created)
		for _, f := range g.change {
			f(g.done, &m)
		}
		m.write(&g.buf)
		g.buf.WriteByte('\n')
		g.done++
	}
	return g.buf.Read(p)
}

func invent(pmid int, seed uint64, created time.Time) SyntheticRecord {
	rng := rand.New(rand.NewPCG(seed, uint64(pmid)))
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	m := SyntheticRecord{
		PMID: pmid, Journal: rng.IntN(len(madeJournals)), Language: "eng", Status: "MEDLINE",
		Created: created, Entered: created, Published: created.AddDate(0, rng.IntN(3)-1, 0),
		Revised: created.AddDate(0, 0, 1+rng.IntN(400)),
		DOI:     fmt.Sprintf("10.99999/synthetic.%d", pmid), Types: []string{"Journal Article"},
	}
	topic := topicHeadings[rng.IntN(len(topicHeadings))]
	m.Title = fmt.Sprintf("%s of %s on %s in %s: %s.", pick(openings), pick(agents),
		strings.ToLower(madeHeadings[topic].name), pick(groups), sentence(rng, 4+rng.IntN(5)))
	for range 1 + rng.IntN(4) {
		var text []string
		for range 1 + rng.IntN(2) {
			text = append(text, capital(sentence(rng, 9+rng.IntN(10)))+".")
		}
		m.Abstract = append(m.Abstract, strings.Join(text, " "))
	}
	for range 1 + rng.IntN(6) {
		fore := pick(foreNames)
		m.Authors = append(m.Authors, pick(lastNames)+"|"+fore+"|"+fore[:1])
	}
	switch rng.IntN(10) {
	case 0, 1:
		m.Types = append(m.Types, "Review")
	case 2:
		m.Types = append(m.Types, "Randomized Controlled Trial")
	case 3:
		m.Types = append(m.Types, "Case Reports")
	case 4:
		m.Types = append(m.Types, "Meta-Analysis", "Systematic Review")
	}
	switch rng.IntN(10) {
	case 0, 1:
		m.Status = "PubMed-not-MEDLINE"
	case 2:
		m.Status = "Publisher"
	default:
		m.Indexed = created.AddDate(0, 0, 20+rng.IntN(200))
		m.Headings = []int{topic, 0, 2 + rng.IntN(8)}
		if rng.IntN(3) == 0 {
			m.Headings[1] = 1
		}
	}
	if rng.IntN(20) == 0 {
		m.Language = pick([]string{"ger", "fre", "spa", "jpn", "chi"})
	}
	if rng.IntN(3) == 0 {
		m.PMCID = fmt.Sprintf("PMC%d", 90000000+pmid-FirstSynthetic)
	}
	for range rng.IntN(3) {
		m.Keywords = append(m.Keywords, word(rng))
	}
	for range rng.IntN(4) {
		if pmid > FirstSynthetic {
			m.References = append(m.References, FirstSynthetic+rng.IntN(pmid-FirstSynthetic))
		}
	}
	return m
}

// write writes the record with its children in the order of pubmed_250101.dtd.
func (m *SyntheticRecord) write(b *bytes.Buffer) {
	el := func(name string, text ...string) { b.WriteString(tag(name, strings.Join(text, ""))) }
	date := func(name string, t time.Time) {
		text := t.Format("<Year>2006</Year><Month>01</Month><Day>02</Day>")
		b.WriteString("<" + name + ">" + text + "</" + name + ">")
	}
	pmid := strconv.Itoa(m.PMID)
	fmt.Fprintf(b, `<PubmedArticle><MedlineCitation Status="%s" Owner="NLM"><PMID Version="1">%s</PMID>`,
		attr(m.Status), pmid)
	if !m.Indexed.IsZero() {
		date("DateCompleted", m.Indexed)
	}
	date("DateRevised", m.Revised)
	j := madeJournals[m.Journal]
	fmt.Fprintf(b, `<Article PubModel="Print"><Journal><ISSN IssnType="Print">%s</ISSN>`+
		`<JournalIssue CitedMedium="Print"><Volume>%d</Volume><Issue>%d</Issue><PubDate>%s</PubDate></JournalIssue>`,
		j.issn, m.Published.Year()-1990, int(m.Published.Month()), m.Published.Format("<Year>2006</Year><Month>Jan</Month>"))
	el("Title", j.title)
	el("ISOAbbreviation", j.short)
	b.WriteString("</Journal>")
	el("ArticleTitle", m.Title)
	page := strconv.Itoa(m.PMID % 900)
	fmt.Fprintf(b, "<Pagination><StartPage>%s</StartPage><MedlinePgn>%s</MedlinePgn></Pagination>", page, page)
	if m.DOI != "" {
		b.WriteString(`<ELocationID EIdType="doi" ValidYN="Y">` + esc(m.DOI) + "</ELocationID>")
	}
	if len(m.Abstract) > 0 {
		b.WriteString("<Abstract>")
		for i, text := range m.Abstract {
			if len(m.Abstract) == 1 {
				el("AbstractText", text)
				continue
			}
			label := []string{"BACKGROUND", "METHODS", "RESULTS", "CONCLUSIONS"}[min(i, 3)]
			fmt.Fprintf(b, `<AbstractText Label="%s" NlmCategory="%s">%s</AbstractText>`, label, label, esc(text))
		}
		b.WriteString("</Abstract>")
	}
	if len(m.Authors) > 0 {
		b.WriteString(`<AuthorList CompleteYN="Y">`)
		for _, a := range m.Authors {
			parts := append(strings.Split(a, "|"), "", "")
			b.WriteString(`<Author ValidYN="Y">`)
			el("LastName", parts[0])
			el("ForeName", parts[1])
			el("Initials", parts[2])
			b.WriteString("</Author>")
		}
		b.WriteString("</AuthorList>")
	}
	el("Language", m.Language)
	b.WriteString("<PublicationTypeList>")
	for _, t := range m.Types {
		b.WriteString(`<PublicationType UI="` + typeUI(t) + `">` + esc(t) + "</PublicationType>")
	}
	b.WriteString("</PublicationTypeList></Article><MedlineJournalInfo><Country>England</Country>")
	el("MedlineTA", j.short)
	el("NlmUniqueID", j.nlmID)
	el("ISSNLinking", j.issn)
	b.WriteString("</MedlineJournalInfo>")
	if len(m.Headings) > 0 {
		b.WriteString("<CitationSubset>IM</CitationSubset><MeshHeadingList>")
		for i, h := range m.Headings {
			major := "N"
			if i == 0 {
				major = "Y"
			}
			fmt.Fprintf(b, `<MeshHeading><DescriptorName UI="%s" MajorTopicYN="%s">%s</DescriptorName></MeshHeading>`,
				madeHeadings[h].ui, major, esc(madeHeadings[h].name))
		}
		b.WriteString("</MeshHeadingList>")
	}
	if len(m.Keywords) > 0 {
		b.WriteString(`<KeywordList Owner="NOTNLM">`)
		for _, k := range m.Keywords {
			b.WriteString(`<Keyword MajorTopicYN="N">` + esc(k) + "</Keyword>")
		}
		b.WriteString("</KeywordList>")
	}
	b.WriteString("</MedlineCitation><PubmedData><History>")
	stamp := func(status string, t time.Time) {
		if !t.IsZero() {
			fmt.Fprintf(b, `<PubMedPubDate PubStatus="%s"><Year>%d</Year><Month>%d</Month><Day>%d</Day>`+
				`<Hour>%d</Hour><Minute>%d</Minute></PubMedPubDate>`,
				status, t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute())
		}
	}
	stamp("entrez", m.Created)
	stamp("pubmed", m.Entered)
	stamp("medline", m.Indexed)
	b.WriteString("</History><PublicationStatus>ppublish</PublicationStatus><ArticleIdList>")
	fmt.Fprintf(b, `<ArticleId IdType="pubmed">%s</ArticleId>`, pmid)
	if m.PMCID != "" {
		b.WriteString(`<ArticleId IdType="pmc">` + esc(m.PMCID) + "</ArticleId>")
	}
	if m.DOI != "" {
		b.WriteString(`<ArticleId IdType="doi">` + esc(m.DOI) + "</ArticleId>")
	}
	b.WriteString("</ArticleIdList>")
	if len(m.References) > 0 {
		b.WriteString("<ReferenceList>")
		for _, r := range m.References {
			fmt.Fprintf(b, `<Reference><Citation>Synthetic reference %d.</Citation>`+
				`<ArticleIdList><ArticleId IdType="pubmed">%d</ArticleId></ArticleIdList></Reference>`, r, r)
		}
		b.WriteString("</ReferenceList>")
	}
	b.WriteString("</PubmedData></PubmedArticle>")
}
