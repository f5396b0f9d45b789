package entrez

import (
	"cmp"
	"context"
	"html"
	"slices"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
)

// Summary is a DocSum of db=pubmed, version 2.0. Dates are NCBI's words ("2016
// Mar", "2000 Spring"). Lists are never nil.
type Summary struct {
	UID             string
	Title           string // in its own language where it has no other; of a whole book, the book's
	VernacularTitle string
	BookTitle       string
	Authors         []string // "Last AB", groups too; editors of a book are left out
	Source          string   // the journal as NLM abbreviates it
	Journal         string
	PubDate         string // of a chapter, its own
	EPubDate        string
	Volume          string
	Issue           string
	Pages           string
	Languages       []string
	PubTypes        []string
	DOI             string
	PMCID           string // with the PMC prefix
	CitedInPMC      *int   // articles in PMC that cite it; nil if NCBI gives no number

	// Retracted as pubmed.Article has it: by publication type, or by a notice
	// among the references.
	Retracted bool
	Preprint  bool // by publication type
}

// Summaries is an answer of ESummary, in the order asked, each id once. Missing
// are ids that NCBI has no summary of.
type Summaries struct {
	Items   []Summary
	Missing []string
	URL     string // of the first request
}

// summaryCap is how many summaries one JSON answer can hold.
const summaryCap = 500

// Summaries asks ESummary for records of db=pubmed. They may be shared with other calls:
// what they point to must not be changed.
func (c *Client) Summaries(ctx context.Context, ids []string) (*Summaries, error) {
	items, missing, address, err := docsAs(ctx, c, "pubmed", ids, func(d Doc) (Summary, error) {
		sum, err := docSumOf(d)
		return sum.summary(), err
	})
	if err != nil {
		return nil, err
	}
	return &Summaries{items, missing, address}, nil
}

func docSumOf(d Doc) (sum docSum, err error) {
	err = d.Decode(&sum)
	return sum, err
}

// docSum is a DocSum of pubmed or mesh: what it does not have stays empty.
type docSum struct {
	UID             ncbi.Text  `json:"uid"`
	Title           ncbi.Text  `json:"title"`
	VernacularTitle ncbi.Text  `json:"vernaculartitle"`
	BookTitle       ncbi.Text  `json:"booktitle"`
	DocType         ncbi.Text  `json:"doctype"`
	Source          ncbi.Text  `json:"source"`
	FullJournalName ncbi.Text  `json:"fulljournalname"`
	PubDate         ncbi.Text  `json:"pubdate"`
	EPubDate        ncbi.Text  `json:"epubdate"`
	SrcDate         ncbi.Text  `json:"srcdate"`
	DocDate         ncbi.Text  `json:"docdate"`
	Volume          ncbi.Text  `json:"volume"`
	Issue           ncbi.Text  `json:"issue"`
	Pages           ncbi.Text  `json:"pages"`
	Lang            ncbi.Texts `json:"lang"`
	PubType         ncbi.Texts `json:"pubtype"`
	ELocationID     ncbi.Text  `json:"elocationid"`
	PMCRefCount     ncbi.Text  `json:"pmcrefcount"`
	Authors         ncbi.Many[struct {
		Name     ncbi.Text `json:"name"`
		AuthType ncbi.Text `json:"authtype"`
	}] `json:"authors"`
	ArticleIDs ncbi.Many[struct {
		IDType ncbi.Text `json:"idtype"`
		Value  ncbi.Text `json:"value"`
	}] `json:"articleids"`
	References ncbi.Many[struct {
		RefType ncbi.Text `json:"reftype"`
	}] `json:"references"`

	// db=mesh
	MeshUI     ncbi.Text  `json:"ds_meshui"`
	MeshTerms  ncbi.Texts `json:"ds_meshterms"`
	ScopeNote  ncbi.Text  `json:"ds_scopenote"`
	RecordType ncbi.Text  `json:"ds_recordtype"`
	IdxLinks   ncbi.Many[struct {
		TreeNum ncbi.Text `json:"treenum"`
	}] `json:"ds_idxlinks"`
}

func (d docSum) summary() Summary {
	s := Summary{
		UID: string(d.UID), Title: flat(cmp.Or(string(d.Title), string(d.BookTitle))), VernacularTitle: flat(string(d.VernacularTitle)),
		BookTitle: flat(string(d.BookTitle)), Authors: []string{},
		Source: string(d.Source), Journal: string(d.FullJournalName),
		PubDate: cmp.Or(d.chapterDate(), string(d.PubDate), string(d.SrcDate)), EPubDate: string(d.EPubDate),
		Volume: string(d.Volume), Issue: string(d.Issue), Pages: string(d.Pages),
		Languages: ncbi.List(d.Lang), PubTypes: ncbi.List(d.PubType),
		Retracted: slices.Contains(d.PubType, record.RetractedType), Preprint: slices.Contains(d.PubType, record.PreprintType),
	}
	s.Title = record.Title(s.Title, s.VernacularTitle)
	for _, a := range d.Authors {
		if !strings.EqualFold(string(a.AuthType), "editor") && a.Name != "" {
			s.Authors = append(s.Authors, string(a.Name))
		}
	}
	for _, id := range d.ArticleIDs {
		value := string(id.Value)
		switch id.IDType {
		case "doi":
			s.DOI = cmp.Or(s.DOI, value)
		case "pmc", "pmcid": // "PMC1" and "pmc-id: PMC1;manuscript-id: NIHMS2;"
			s.PMCID = cmp.Or(s.PMCID, pmcID().FindString(value))
		}
	}
	if doi, ok := strings.CutPrefix(string(d.ELocationID), "doi: "); ok && s.DOI == "" {
		s.DOI, _, _ = strings.Cut(doi, " ")
	}
	for _, r := range d.References {
		s.Retracted = s.Retracted || record.IsRetraction(strings.ReplaceAll(string(r.RefType), " ", ""))
	}
	if n, err := strconv.Atoi(string(d.PMCRefCount)); err == nil {
		s.CitedInPMC = &n
	}
	return s
}

// chapterDate is the date of a chapter in the words of a PubDate, "" of anything
// else: PubDate is then the date of the whole book.
func (d docSum) chapterDate() string {
	if d.DocType != "chapter" {
		return ""
	}
	day, _, _ := strings.Cut(string(d.DocDate), " 00:00")
	if t, err := time.Parse("2006/01/02", day); err == nil {
		return t.Format("2006 Jan 2")
	}
	return day
}

var (
	pmcID  = pattern.Lazy(`PMC[0-9]+`)
	inline = pattern.Lazy(`</?(?i:i|b|u|em|strong|sup|sub)>`)
)

// flat is a title without the markup NCBI leaves in it, escaped or not.
func flat(title string) string {
	for range 2 { // some are escaped twice
		title = inline().ReplaceAllString(html.UnescapeString(title), "")
	}
	return title
}
