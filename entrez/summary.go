package entrez

import (
	"context"
	"encoding/json"
	"errors"
	"html"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/polite"
)

// Summary is a DocSum of db=pubmed, version 2.0. Dates are NCBI's words ("2016
// Mar", "2000 Spring"); SortPubDate is "2016/03/01 00:00". Lists are never nil.
type Summary struct {
	UID             string
	Title           string // a book's or chapter's own title, else the book's
	VernacularTitle string
	BookTitle       string
	DocType         string   // citation, book, chapter
	Authors         []string // "Last AB", groups too; editors of a book are left out
	Source          string   // the journal as NLM abbreviates it
	Journal         string
	PubDate         string
	EPubDate        string
	SortPubDate     string
	Volume          string
	Issue           string
	Pages           string
	Languages       []string
	PubTypes        []string
	RecordStatus    string
	DOI             string
	PMCID           string // with the PMC prefix
	HasAbstract     bool
	CitedInPMC      *int // articles in PMC that cite it; nil where NCBI gives no number

	// Retracted as pubmed.Article has it: by publication type, or by a notice
	// among the references.
	Retracted bool
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

// Summaries asks ESummary for records of db=pubmed ("" is the same).
func (c *Client) Summaries(ctx context.Context, db string, ids []string) (*Summaries, error) {
	ids, err := uids(esummary.op, ids)
	if err != nil {
		return nil, err
	}
	out := &Summaries{Items: []Summary{}, Missing: []string{}}
	for batch := range slices.Chunk(ids, summaryCap) {
		docs, shown, err := c.docSums(ctx, or(db, "pubmed"), batch)
		if err != nil {
			return nil, err
		}
		out.URL = or(out.URL, shown)
		for _, id := range batch {
			if doc, ok := docs[id]; ok {
				out.Items = append(out.Items, doc.summary())
			} else {
				out.Missing = append(out.Missing, id)
			}
		}
	}
	return out, nil
}

// docSums makes one ESummary. Ids without a summary are absent from the map.
func (c *Client) docSums(ctx context.Context, db string, ids []string) (map[string]docSum, string, error) {
	r := newRequest(esummary, "db", db, "retmode", "json", "version", "2.0")
	r.setIDs("id", ids)
	body, err := c.send(ctx, r)
	if err != nil {
		return nil, r.shown, err
	}
	docs, problems, err := parseSummaries(body)
	switch {
	case err != nil:
		return nil, r.shown, r.unreadable(err)
	case len(problems) > 0:
		return nil, r.shown, r.refused(problems...)
	}
	return docs, r.shown, nil
}

// docSum is a DocSum of any database we ask: what it does not have stays empty.
type docSum struct {
	UID             text  `json:"uid"`
	Error           text  `json:"error"`
	Title           text  `json:"title"`
	VernacularTitle text  `json:"vernaculartitle"`
	BookTitle       text  `json:"booktitle"`
	DocType         text  `json:"doctype"`
	Source          text  `json:"source"`
	FullJournalName text  `json:"fulljournalname"`
	PubDate         text  `json:"pubdate"`
	EPubDate        text  `json:"epubdate"`
	SrcDate         text  `json:"srcdate"`
	SortPubDate     text  `json:"sortpubdate"`
	Volume          text  `json:"volume"`
	Issue           text  `json:"issue"`
	Pages           text  `json:"pages"`
	Lang            texts `json:"lang"`
	PubType         texts `json:"pubtype"`
	RecordStatus    text  `json:"recordstatus"`
	ELocationID     text  `json:"elocationid"`
	Attributes      texts `json:"attributes"`
	PMCRefCount     text  `json:"pmcrefcount"`
	Authors         many[struct {
		Name     text `json:"name"`
		AuthType text `json:"authtype"`
	}] `json:"authors"`
	ArticleIDs many[struct {
		IDType text `json:"idtype"`
		Value  text `json:"value"`
	}] `json:"articleids"`
	References many[struct {
		RefType text `json:"reftype"`
	}] `json:"references"`

	// db=mesh
	MeshUI         text  `json:"ds_meshui"`
	MeshTerms      texts `json:"ds_meshterms"`
	ScopeNote      text  `json:"ds_scopenote"`
	RecordType     text  `json:"ds_recordtype"`
	YearIntroduced text  `json:"ds_yearintroduced"`
	IdxLinks       many[struct {
		TreeNum text `json:"treenum"`
	}] `json:"ds_idxlinks"`
}

// parseSummaries reads ESummary's JSON, version 2.0: docs by uid, and NCBI's
// complaints where there are no docs at all. A complaint about one id beside
// good documents is no problem: that id is absent.
func parseSummaries(body []byte) (docs map[string]docSum, problems []string, err error) {
	var reply struct {
		Error  text                       `json:"error"`
		Result map[string]json.RawMessage `json:"result"`
		Old    texts                      `json:"esummaryresult"`
	}
	if err := json.Unmarshal(polite.Mend(body), &reply); err != nil {
		return nil, nil, errors.New("no JSON of the known shape")
	}
	docs = map[string]docSum{}
	for uid, raw := range reply.Result {
		if uid == "uids" {
			continue
		}
		var d docSum
		if err := json.Unmarshal(raw, &d); err != nil {
			return nil, nil, errors.New("the summary of " + strconv.Quote(uid) + " is no object of the known shape")
		}
		if d.Error == "" && d.UID != "" {
			docs[uid] = d
		}
	}
	if len(reply.Result) > 0 {
		return docs, nil, nil
	}
	if problems = list(append(reply.Old, string(reply.Error))); len(problems) == 0 {
		return nil, nil, errors.New("it has neither summaries nor an error")
	}
	return docs, problems, nil
}

func (d docSum) summary() Summary {
	s := Summary{
		UID: string(d.UID), Title: flat(or(string(d.Title), string(d.BookTitle))), VernacularTitle: flat(string(d.VernacularTitle)),
		BookTitle: flat(string(d.BookTitle)), DocType: string(d.DocType), Authors: []string{},
		Source: string(d.Source), Journal: string(d.FullJournalName),
		PubDate: or(string(d.PubDate), string(d.SrcDate)), EPubDate: string(d.EPubDate), SortPubDate: string(d.SortPubDate),
		Volume: string(d.Volume), Issue: string(d.Issue), Pages: string(d.Pages),
		Languages: list(d.Lang), PubTypes: list(d.PubType), RecordStatus: string(d.RecordStatus),
		HasAbstract: slices.Contains(d.Attributes, "Has Abstract"),
		Retracted:   slices.Contains(d.PubType, "Retracted Publication"),
	}
	for _, a := range d.Authors {
		if !strings.EqualFold(string(a.AuthType), "editor") && a.Name != "" {
			s.Authors = append(s.Authors, string(a.Name))
		}
	}
	for _, id := range d.ArticleIDs {
		value := string(id.Value)
		switch id.IDType {
		case "doi":
			s.DOI = or(s.DOI, value)
		case "pmc", "pmcid": // "PMC1" and "pmc-id: PMC1;manuscript-id: NIHMS2;"
			s.PMCID = or(s.PMCID, pmcID().FindString(value))
		}
	}
	if doi, ok := strings.CutPrefix(string(d.ELocationID), "doi: "); ok && s.DOI == "" {
		s.DOI, _, _ = strings.Cut(doi, " ")
	}
	for _, r := range d.References {
		switch strings.ToLower(strings.ReplaceAll(string(r.RefType), " ", "")) {
		case "retractionin", "retractedandrepublishedin":
			s.Retracted = true
		}
	}
	if n, err := strconv.Atoi(string(d.PMCRefCount)); err == nil {
		s.CitedInPMC = &n
	}
	return s
}

var (
	pmcID  = lazily(`PMC[0-9]+`)
	inline = lazily(`</?(?i:i|b|u|em|strong|sup|sub)>`)
)

// flat is a title without the markup NCBI leaves in it, escaped or not.
func flat(title string) string {
	for range 2 { // some are escaped twice
		title = inline().ReplaceAllString(html.UnescapeString(title), "")
	}
	return title
}
