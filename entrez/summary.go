package entrez

import (
	"cmp"
	"context"
	"html"
	"slices"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
)

// Summary is a DocSum of db=pubmed, version 2.0. Dates are as NCBI writes them ("2016 Mar", "2000
// Spring"). Lists are never nil.
type Summary struct {
	UID             string
	Title           string // in the original language if there is no English title; a book's own title
	VernacularTitle string
	BookTitle       string
	Authors         []string // "Last AB" or the name of a group; without editors of a book
	Source          string   // NLM's abbreviation of the journal
	Journal         string
	PubDate         string // a chapter has its own date
	SortDate        string // the day by which PubMed sorts, YYYY/MM/DD; "" if unknown
	EPubDate        string
	Volume          string
	Issue           string
	Pages           string
	Languages       []string
	PubTypes        []string
	DOI             string
	PMCID           string // includes the PMC prefix
	CitedInPMC      *int   // number of articles in PMC that cite it; nil if unknown

	// Retracted is as in pubmed.Article: by publication type, or by a notice among the references.
	Retracted bool
	Preprint  bool // by publication type
}

// Summaries is a reply of ESummary, in the requested order, each ID once. Missing lists the IDs
// without a summary.
type Summaries struct {
	Items   []Summary
	Missing []string
	URL     string // URL of the first request
}

// summaryCap is the maximum number of summaries in one JSON reply.
const summaryCap = 500

// Summaries returns the summaries of records of db=pubmed. A record whose summary is too large for
// ESummary is an error. If a later request fails, it returns the summaries read so far with the error.
// Values that they point to may be shared with other calls and must not be modified.
func (c *Client) Summaries(ctx context.Context, ids []string) (*Summaries, error) {
	if len(ids) == 0 {
		return nil, httpclient.Invalidf("no ids were given")
	}
	docs, err := c.Docs(ctx, "pubmed", ids)
	if err == nil {
		err = docs.Unread()
	}
	if docs == nil {
		return nil, err
	}
	out := &Summaries{Items: make([]Summary, len(docs.Items)), Missing: docs.Missing, URL: docs.URL}
	for i, d := range docs.Items {
		out.Items[i] = d.summary()
	}
	return out, err
}

// Parts that are read of a DocSum of pubmed and of mesh.
const (
	articleParts = "result.*.{uid,title,vernaculartitle,booktitle,doctype,source,fulljournalname," +
		"pubdate,epubdate,sortpubdate,srcdate,docdate,volume,issue,pages,lang,pubtype,elocationid,pmcrefcount} " +
		"result.*.authors.{name,authtype} result.*.articleids.{idtype,value} result.*.references.reftype"
	termParts = "result.*.{uid,ds_meshui,ds_meshterms,ds_scopenote,ds_recordtype} result.*.ds_idxlinks.treenum"
)

func (d Doc) summary() Summary {
	types := d.Texts("pubtype")
	s := Summary{
		UID: d.Text("uid"), Title: stripMarkup(cmp.Or(d.Text("title"), d.Text("booktitle"))),
		VernacularTitle: stripMarkup(d.Text("vernaculartitle")),
		BookTitle:       stripMarkup(d.Text("booktitle")), Authors: []string{}, Source: d.Text("source"),
		Journal: d.Text("fulljournalname"),
		PubDate: cmp.Or(d.chapterDate(), d.Text("pubdate"), d.Text("srcdate")), EPubDate: d.Text("epubdate"),
		SortDate: strings.TrimSuffix(d.Text("sortpubdate"), " 00:00"),
		Volume:   d.Text("volume"), Issue: d.Text("issue"), Pages: d.Text("pages"), Languages: d.Texts("lang"),
		PubTypes:  types,
		Retracted: slices.Contains(types, record.RetractedType), Preprint: slices.Contains(types, record.PreprintType),
	}
	s.Title = record.Title(s.Title, s.VernacularTitle)
	for _, a := range d.Each("authors") {
		if name := a.Text("name"); !strings.EqualFold(a.Text("authtype"), "editor") && name != "" {
			s.Authors = append(s.Authors, name)
		}
	}
	for _, id := range d.Each("articleids") {
		switch value := id.Text("value"); id.Text("idtype") {
		case "doi":
			s.DOI = cmp.Or(s.DOI, value)
		case "pmc", "pmcid": // "PMC1" and "pmc-id: PMC1;manuscript-id: NIHMS2;"
			s.PMCID = cmp.Or(s.PMCID, pmcID().FindString(value))
		}
	}
	if doi, ok := strings.CutPrefix(d.Text("elocationid"), "doi: "); ok && s.DOI == "" {
		s.DOI, _, _ = strings.Cut(doi, " ")
	}
	for _, r := range d.Each("references") {
		s.Retracted = s.Retracted || record.IsRetraction(strings.ReplaceAll(r.Text("reftype"), " ", ""))
	}
	if n, err := strconv.Atoi(d.Text("pmcrefcount")); err == nil {
		s.CitedInPMC = &n
	}
	return s
}

// chapterDate returns the date of a book chapter in the format of a PubDate, or "" for any other
// record. A chapter's own PubDate is the date of the whole book.
func (d Doc) chapterDate() string {
	if d.Text("doctype") != "chapter" {
		return ""
	}
	day, _, _ := strings.Cut(d.Text("docdate"), " 00:00")
	if t, err := time.Parse("2006/01/02", day); err == nil {
		return t.Format("2006 Jan 2")
	}
	return day
}

var (
	pmcID  = pattern.Lazy(`PMC[0-9]+`)
	inline = pattern.Lazy(`</?(?i:i|b|u|em|strong|sup|sub)>`)
)

// stripMarkup removes NCBI's inline markup, escaped or not, from a title.
func stripMarkup(title string) string {
	for range 2 { // some are escaped twice
		title = inline().ReplaceAllString(html.UnescapeString(title), "")
	}
	return title
}
