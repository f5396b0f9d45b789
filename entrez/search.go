package entrez

import (
	"context"
	"errors"
	"strconv"
	"strings"
)

// SearchParams is one ESearch. Term is sent as it is: who adds filters wraps the
// user's words in parentheses first.
type SearchParams struct {
	DB   string // "" is pubmed
	Term string
	Sort string // "", relevance, pub_date, author, journal_name

	// MinDate and MaxDate are YYYY, YYYY/MM or YYYY/MM/DD (also with -); NCBI
	// takes a bare year or month as the whole of it. One alone is completed with
	// the beginning or end of time.
	MinDate, MaxDate string
	DateType         string // pdat (also for ""), edat, mdat, crdt

	RetStart, RetMax int    // RetMax 0 asks for no ids, the count alone
	History          bool   // keep the result on NCBI's history server
	WebEnv           string // a session in which Term may say #1
}

// SearchResult is what ESearch found. Count is the number NCBI says there are,
// IDs the page asked for, never nil.
type SearchResult struct {
	Count        int
	IDs          []string
	Translation  string        // what NCBI really searched
	Translations []Translation // the words it replaced

	// What NCBI did not find and dropped, which makes the search broader than it
	// was asked.
	PhrasesNotFound, FieldsNotFound       []string
	PhrasesIgnored, QuotedPhrasesNotFound []string
	Messages                              []string

	WebEnv, QueryKey string // with History
	URL              string
}

// Translation is one replacement of NCBI's automatic term mapping.
type Translation struct{ From, To string }

// sorts are our words for NCBI's documented ones (NBK25499, "ESearch").
var sorts = map[string]string{
	"": "", "relevance": "relevance", "pub_date": "pub_date", "author": "Author", "journal_name": "JournalName",
}

// Search makes one ESearch. PubMed reaches its first 9,999 records only: see
// SearchPage and SearchAll.
func (c *Client) Search(ctx context.Context, p SearchParams) (*SearchResult, error) {
	r, err := searchRequest(p)
	if err != nil {
		return nil, err
	}
	body, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	out, err := parseSearch(body)
	if err != nil {
		return nil, r.unreadable(err)
	}
	out.URL = r.shown
	return out, nil
}

func searchRequest(p SearchParams) (*request, error) {
	const op = "ESearch"
	if strings.TrimSpace(p.Term) == "" {
		return nil, invalid(op, "a search needs a term")
	}
	sort, known := sorts[p.Sort]
	if !known {
		return nil, invalid(op, "no sort order %q; orders: relevance, pub_date, author, journal_name", p.Sort)
	}
	if p.RetStart < 0 || p.RetMax < 0 {
		return nil, invalid(op, "a page cannot begin at %d or have %d results", p.RetStart, p.RetMax)
	}
	r := newRequest(esearch, "db", or(p.DB, "pubmed"), "retmode", "xml", "sort", sort, "WebEnv", p.WebEnv,
		"retmax", strconv.Itoa(p.RetMax))
	if p.RetStart > 0 {
		r.set("retstart", strconv.Itoa(p.RetStart))
	}
	if p.History || p.WebEnv != "" { // NCBI takes a WebEnv with usehistory only
		r.set("usehistory", "y")
	}
	term := p.Term
	if p.MinDate != "" || p.MaxDate != "" {
		from, to := slashes(or(p.MinDate, firstDate)), slashes(or(p.MaxDate, lastDate))
		switch p.DateType {
		case "", "pdat", "edat", "mdat":
			r.set("mindate", from)
			r.set("maxdate", to)
			r.set("datetype", or(p.DateType, "pdat"))
		case "crdt": // no datetype of ESearch, but a field of PubMed
			term = "(" + term + ") AND " + from + ":" + to + "[crdt]"
		default:
			return nil, invalid(op, "no date type %q; types: pdat, edat, mdat, crdt", p.DateType)
		}
	}
	r.set("term", term)
	return r, nil
}

// The ends of time as PubMed's users write them.
const firstDate, lastDate = "1000/01/01", "3000/12/31"

func slashes(date string) string { return strings.ReplaceAll(strings.TrimSpace(date), "-", "/") }

// parseSearch reads eSearchResult (DTD eSearch_020511).
func parseSearch(body []byte) (*SearchResult, error) {
	var x struct {
		XMLName      struct{} `xml:"eSearchResult"`
		Count        *string
		QueryKey     string
		WebEnv       string
		IDs          []string `xml:"IdList>Id"`
		Translations []struct {
			From, To string
		} `xml:"TranslationSet>Translation"`
		QueryTranslation string
		Errors           struct {
			Phrases []string `xml:"PhraseNotFound"`
			Fields  []string `xml:"FieldNotFound"`
		} `xml:"ErrorList"`
		Warnings struct {
			Ignored  []string `xml:"PhraseIgnored"`
			Quoted   []string `xml:"QuotedPhraseNotFound"`
			Messages []string `xml:"OutputMessage"`
		} `xml:"WarningList"`
	}
	if err := decodeXML(body, &x); err != nil {
		return nil, err
	}
	if x.Count == nil {
		return nil, errors.New("it has no Count")
	}
	count, err := strconv.Atoi(strings.TrimSpace(*x.Count))
	if err != nil || count < 0 {
		return nil, errors.New("its Count is no number")
	}
	out := &SearchResult{
		Count: count, IDs: list(x.IDs), Translation: x.QueryTranslation, Translations: []Translation{},
		PhrasesNotFound: list(x.Errors.Phrases), FieldsNotFound: list(x.Errors.Fields),
		PhrasesIgnored: list(x.Warnings.Ignored), QuotedPhrasesNotFound: list(x.Warnings.Quoted),
		Messages: list(x.Warnings.Messages), WebEnv: x.WebEnv, QueryKey: x.QueryKey,
	}
	for _, t := range x.Translations {
		out.Translations = append(out.Translations, Translation(t))
	}
	return out, nil
}

// list is s without blank entries, and never nil.
func list(s []string) []string {
	out := make([]string, 0, len(s))
	for _, v := range s {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}
