package entreztest

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/pubmed"
	records "biomcp/entrez/record"
)

// summary is a DocSum of db=pubmed, version 2.0, with the keys in NCBI's order.
type summary struct {
	UID               string             `json:"uid"`
	PubDate           string             `json:"pubdate"`
	EPubDate          string             `json:"epubdate"`
	Source            string             `json:"source"`
	Authors           []summaryAuthor    `json:"authors"`
	LastAuthor        string             `json:"lastauthor"`
	Title             string             `json:"title"`
	SortTitle         string             `json:"sorttitle"`
	Volume            string             `json:"volume"`
	Issue             string             `json:"issue"`
	Pages             string             `json:"pages"`
	Lang              []string           `json:"lang"`
	NLMUniqueID       string             `json:"nlmuniqueid"`
	ISSN              string             `json:"issn"`
	ESSN              string             `json:"essn"`
	PubType           []string           `json:"pubtype"`
	RecordStatus      string             `json:"recordstatus"`
	PubStatus         string             `json:"pubstatus"` // a number as text
	ArticleIDs        []summaryID        `json:"articleids"`
	History           []summaryDate      `json:"history"`
	References        []summaryReference `json:"references"`
	Attributes        []string           `json:"attributes"`
	PMCRefCount       any                `json:"pmcrefcount"` // a number, or "" if zero
	FullJournalName   string             `json:"fulljournalname"`
	ELocationID       string             `json:"elocationid"`
	DocType           string             `json:"doctype"`
	SrcContribList    []string           `json:"srccontriblist"`
	BookTitle         string             `json:"booktitle"`
	Medium            string             `json:"medium"`
	Edition           string             `json:"edition"`
	PublisherLocation string             `json:"publisherlocation"`
	PublisherName     string             `json:"publishername"`
	SrcDate           string             `json:"srcdate"`
	ReportNumber      string             `json:"reportnumber"`
	AvailableFromURL  string             `json:"availablefromurl"`
	LocationLabel     string             `json:"locationlabel"`
	DocContribList    []string           `json:"doccontriblist"`
	DocDate           string             `json:"docdate"`
	BookName          string             `json:"bookname"`
	Chapter           string             `json:"chapter"`
	SortPubDate       string             `json:"sortpubdate"`
	SortFirstAuthor   string             `json:"sortfirstauthor"`
	VernacularTitle   string             `json:"vernaculartitle"`

	statusName string // used in version 1
	cited      int
	citation   string
}

type summaryAuthor struct {
	Name      string `json:"name"`
	AuthType  string `json:"authtype"`
	ClusterID string `json:"clusterid"`
}

type summaryID struct {
	IDType  string `json:"idtype"`
	IDTypeN int    `json:"idtypen"`
	Value   string `json:"value"`
}

type summaryDate struct {
	PubStatus string `json:"pubstatus"`
	Date      string `json:"date"`
}

type summaryReference struct {
	RefSource string `json:"refsource"`
	RefType   string `json:"reftype"`
	PMID      int    `json:"pmid"`
	Note      string `json:"note"`
}

var recordStatus = map[string]string{
	"MEDLINE": "PubMed - indexed for MEDLINE", "PubMed-not-MEDLINE": "PubMed",
	"Publisher": "PubMed - as supplied by publisher", "In-Process": "PubMed - in process",
	"In-Data-Review": "PubMed - in process", "Completed": "PubMed", "OLDMEDLINE": "PubMed - OLDMEDLINE",
}

// idTypeNumber maps types of IDs to the codes of articleids[].idtypen.
var idTypeNumber = map[string]int{"pubmed": 1, "doi": 3, "pii": 4, "pmcid": 5, "medline": 6, "sici": 7}

// pubStatus returns the numeric code of a PublicationStatus and its name in version 1: 3 epublish,
// 4 ppublish, 10 aheadofprint, 256 and 258 with an earlier epublish.
func pubStatus(a *pubmed.Article) (code, name string) {
	switch {
	case a.PublicationStatus == "ppublish" && a.PubModel == "Print-Electronic":
		return "256", "ppublish+epublish"
	case a.PublicationStatus == "epublish" && a.PubModel == "Electronic-eCollection":
		return "258", "epublish+ecollection"
	case a.PublicationStatus == "epublish":
		return "3", "epublish"
	case a.PublicationStatus == "aheadofprint":
		return "10", "aheadofprint"
	}
	return "4", "ppublish"
}

func (s *Server) summaryOf(a *pubmed.Article) *summary {
	d := &summary{
		UID: a.PMID, PubDate: dateText(a.PublicationDate), EPubDate: dateText(a.ElectronicDate),
		Source: a.Journal.Abbreviation, Authors: []summaryAuthor{}, Title: a.Title, SortTitle: sortTitle(a.Title),
		Volume: a.Journal.Volume, Issue: a.Journal.Issue, Pages: a.Journal.Pages, Lang: a.Language,
		NLMUniqueID: a.Journal.NLMID, PubType: a.PublicationTypes, RecordStatus: recordStatus[a.Status],
		ArticleIDs: []summaryID{}, History: summaryHistory(a.Dates), References: []summaryReference{},
		Attributes: []string{}, PMCRefCount: "", FullJournalName: a.Journal.Title, DocType: "citation",
		SrcContribList: []string{}, DocContribList: []string{}, VernacularTitle: a.VernacularTitle,
	}
	d.PubStatus, d.statusName = pubStatus(a)
	if a.Journal.ISSNType == "Electronic" {
		d.ESSN = a.Journal.ISSN
	} else {
		d.ISSN = a.Journal.ISSN
	}
	for _, p := range a.Authors {
		kind := "Author"
		if p.CollectiveName != "" {
			kind = "CollectiveName"
		}
		d.Authors = append(d.Authors, summaryAuthor{p.Name(), kind, ""})
	}
	if n := len(d.Authors); n > 0 {
		d.SortFirstAuthor, d.LastAuthor = d.Authors[0].Name, d.Authors[n-1].Name
	}
	for _, id := range a.ArticleIDs {
		n, ok := idTypeNumber[id.Type]
		if !ok {
			n = 8
		}
		d.ArticleIDs = append(d.ArticleIDs, summaryID{id.Type, n, id.Value})
		if id.Type == "pmc" {
			d.ArticleIDs = append(d.ArticleIDs, summaryID{"pmcid", 5, "pmc-id: " + id.Value + ";"})
		}
	}
	for _, c := range a.Corrections {
		pmid, _ := strconv.Atoi(c.PMID) // 0 if the notice is not in PubMed
		d.References = append(d.References, summaryReference{c.Source, relation(c.Type), pmid, c.Note})
	}
	if a.Abstract != "" {
		d.Attributes = append(d.Attributes, "Has Abstract")
	}
	if pmid, err := strconv.ParseUint(a.PMID, 10, 32); err == nil {
		for _, o := range s.corpus.alive(s.corpus.citedBy[uint32(pmid)]) {
			if s.corpus.records[o].pmcid != "" {
				d.cited++
			}
		}
	}
	if d.cited > 0 {
		d.PMCRefCount = d.cited
	}
	if a.DOI != "" {
		d.ELocationID = "doi: " + a.DOI
	}
	if day := firstDay(a.PublicationDate); day != 0 {
		d.SortPubDate = day.String() + " 00:00"
	}
	if a.Book != nil {
		d.book(a)
	}
	d.citation = source(a)
	return d
}

func (d *summary) book(a *pubmed.Article) {
	b := a.Book
	d.DocType = "chapter"
	if a.Title == "" || a.Title == b.Title {
		d.DocType = "book"
	}
	d.BookTitle, d.Medium, d.Edition = b.Title, b.Medium, b.Edition
	d.PublisherName, d.PublisherLocation = b.Publisher, b.PublisherLocation
	d.ReportNumber = b.ReportNumber
	d.SrcDate, d.DocDate = dateText(b.BeginningDate), dateText(b.ContributionDate)
	d.BookName = b.Accession
	if len(b.LocationLabels) > 0 {
		d.LocationLabel = b.LocationLabels[0]
	}
	if d.SortPubDate == "" {
		if day := firstDay(b.BeginningDate); day != 0 {
			d.SortPubDate = day.String() + " 00:00"
		}
	}
}

func (d *summary) languageNames() []string {
	out := make([]string, len(d.Lang))
	for i, code := range d.Lang {
		_, name := records.Language(code)
		out[i] = cmp.Or(name, capital(code))
	}
	return out
}

// dateText formats a date as "2016 Mar 1" or "2000 Spring". It returns a MedlineDate unchanged.
func dateText(d pubmed.PubDate) string {
	if d.MedlineDate != "" {
		return d.MedlineDate
	}
	if d.Year == 0 {
		return ""
	}
	out := strconv.Itoa(d.Year)
	if d.Season != "" {
		return out + " " + d.Season
	}
	if d.Month > 0 && d.Month <= 12 {
		out += " " + time.Month(d.Month).String()[:3]
		if d.Day > 0 {
			out += fmt.Sprintf(" %d", d.Day)
		}
	}
	return out
}

var camel = regexp.MustCompile(`([a-z])([A-Z])`)

// relation formats a RefType as ESummary does: RetractionIn becomes "Retraction in".
func relation(refType string) string {
	switch refType {
	case "RetractedandRepublishedIn", "RetractedandRepublishedFrom",
		"CorrectedandRepublishedIn", "CorrectedandRepublishedFrom":
		refType = strings.Replace(refType, "and", "And", 1)
	}
	words := strings.Fields(camel.ReplaceAllString(refType, "$1 $2"))
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToLower(words[i])
	}
	return strings.Join(words, " ")
}

func sortTitle(title string) string {
	t := fold(title)
	for _, article := range []string{"a ", "an ", "the "} {
		if rest, ok := strings.CutPrefix(t, article); ok {
			return rest
		}
	}
	return t
}

// historyOf returns the dates of a record's history by PubStatus.
func historyOf(d pubmed.Dates) [][2]string {
	var out [][2]string
	for _, h := range [][2]string{
		{"received", d.Received}, {"revised", d.Revised}, {"accepted", d.Accepted}, {"aheadofprint", d.AheadOfPrint},
		{"epublish", d.Epublish}, {"ppublish", d.Ppublish}, {"ecollection", d.Ecollection}, {"retracted", d.Retracted},
		{"medline", d.Medline}, {"pubmed", d.Pubmed}, {"entrez", d.Entrez}, {"premedline", d.Premedline},
		{"medliner", d.MedlineR}, {"pubmedr", d.PubmedR}, {"pmc", d.PMC}, {"pmcr", d.PMCR}, {"pmc-release", d.PMCRelease},
	} {
		if h[1] != "" {
			out = append(out, h)
		}
	}
	return out
}

// summaryHistory formats the history's dates as "2015/12/15 06:00".
func summaryHistory(d pubmed.Dates) []summaryDate {
	out := []summaryDate{}
	for _, h := range historyOf(d) {
		date, clock, hasTime := strings.Cut(h[1], "T")
		if !hasTime {
			clock = "00:00"
		}
		out = append(out, summaryDate{h[0], strings.ReplaceAll(date, "-", "/") + " " + clock})
	}
	return out
}

// source returns date, volume and pages of a citation: "1965 Aug;92(2):188-91".
func source(a *pubmed.Article) string {
	out := dateText(a.PublicationDate)
	j := a.Journal
	if j.Volume+j.Issue+j.Pages != "" {
		out += ";" + j.Volume
		if j.Issue != "" {
			out += "(" + j.Issue + ")"
		}
		if j.Pages != "" {
			out += ":" + j.Pages
		}
	}
	return out
}

// pmcSummary is a DocSum of db=pmc.
type pmcSummary struct {
	UID             string          `json:"uid"`
	PubDate         string          `json:"pubdate"`
	EPubDate        string          `json:"epubdate"`
	PrintPubDate    string          `json:"printpubdate"`
	Source          string          `json:"source"`
	Authors         []pmcAuthor     `json:"authors"`
	Title           string          `json:"title"`
	Volume          string          `json:"volume"`
	Issue           string          `json:"issue"`
	Pages           string          `json:"pages"`
	ArticleIDs      []pmcIdentifier `json:"articleids"`
	FullJournalName string          `json:"fulljournalname"`
	SortDate        string          `json:"sortdate"`
	PMCLiveDate     string          `json:"pmclivedate"`
}

type pmcAuthor struct {
	Name     string `json:"name"`
	AuthType string `json:"authtype"`
}

type pmcIdentifier struct {
	IDType string `json:"idtype"`
	Value  string `json:"value"`
}

func pmcSummaryOf(number string, a *pubmed.Article) pmcSummary {
	d := pmcSummary{
		UID: number, PubDate: dateText(a.PublicationDate), EPubDate: dateText(a.ElectronicDate),
		PrintPubDate: dateText(a.PublicationDate), Source: a.Journal.Abbreviation, Authors: []pmcAuthor{},
		Title: a.Title, Volume: a.Journal.Volume, Issue: a.Journal.Issue, Pages: a.Journal.Pages,
		ArticleIDs: []pmcIdentifier{{"pmid", a.PMID}}, FullJournalName: a.Journal.Title,
		SortDate:    firstDay(a.PublicationDate).String() + " 00:00",
		PMCLiveDate: strings.ReplaceAll(a.Dates.PMCRelease, "-", "/"),
	}
	if a.DOI != "" {
		d.ArticleIDs = append(d.ArticleIDs, pmcIdentifier{"doi", a.DOI})
	}
	d.ArticleIDs = append(d.ArticleIDs, pmcIdentifier{"pmcid", "PMC" + number})
	for _, p := range a.Authors {
		d.Authors = append(d.Authors, pmcAuthor{p.Name(), "Author"})
	}
	return d
}
