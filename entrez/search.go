package entrez

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
)

// SearchParams holds the parameters of one ESearch. Term is sent with straight quotes and otherwise unchanged;
// a caller that adds filters must first put the user's words in parentheses.
type SearchParams struct {
	DB   string // "" means pubmed
	Term string
	Sort string // "", relevance, pub_date, author, journal_name

	RetStart, RetMax int // RetMax 0 requests only the count
	// AllowMissing states that the caller compares Count with the IDs. Otherwise a first page that counts
	// hits but does not list any is an error.
	AllowMissing bool
}

// SearchResult is the reply of ESearch. Count is the total number of hits and IDs the requested
// page, never nil.
type SearchResult struct {
	Count       int
	IDs         []string
	Translation string // the query that NCBI ran

	// The parts of the query that NCBI did not find and dropped. The search was broader without
	// them.
	PhrasesNotFound, FieldsNotFound       []string
	PhrasesIgnored, QuotedPhrasesNotFound []string
	Messages                              []string

	URL string
}

// NotFound returns the number of words and phrases that NCBI did not find and dropped.
func (r *SearchResult) NotFound() int {
	return len(r.PhrasesNotFound) + len(r.QuotedPhrasesNotFound)
}

// sorts maps our sort orders to NCBI's (NBK25499, "ESearch").
var sorts = map[string]string{
	"": "", "relevance": "relevance", "pub_date": "pub_date", "author": "Author", "journal_name": "JournalName",
}

// Search makes one ESearch. PubMed returns only its first 9,999 records; see SearchPage and
// SearchAll.
func (c *Client) Search(ctx context.Context, p SearchParams) (*SearchResult, error) {
	r, err := searchRequest(p)
	if err != nil {
		return nil, err
	}
	out, err := ask(ctx, c, r, func(body []byte) (*SearchResult, error) {
		out, err := parseSearch(body)
		if err == nil && !p.AllowMissing && p.RetMax > 0 && p.RetStart == 0 && out.Count > 0 && len(out.IDs) == 0 {
			err = fmt.Errorf("it counts %d hits and lists none", out.Count)
		}
		return out, err
	})
	if err != nil {
		return nil, err
	}
	out.URL = r.URL
	return out, nil
}

func searchRequest(p SearchParams) (*httpclient.Call, error) {
	if strings.TrimSpace(p.Term) == "" {
		return nil, httpclient.Invalidf("a search needs a term")
	}
	sort, known := sorts[p.Sort]
	if !known {
		return nil, httpclient.Invalidf(
			"unknown sort order %q; available: relevance, pub_date, author, journal_name", p.Sort)
	}
	if p.RetStart < 0 || p.RetMax < 0 {
		return nil, httpclient.Invalidf("a page cannot begin at %d or have %d results", p.RetStart, p.RetMax)
	}
	r := httpclient.NewCall(esearch, "db", cmp.Or(p.DB, "pubmed"), "retmode", "xml", "sort", sort,
		"retmax", strconv.Itoa(p.RetMax), "term", ncbi.StraightQuotes(p.Term))
	if p.RetStart > 0 {
		r.Set("retstart", strconv.Itoa(p.RetStart))
	}
	return r, nil
}

// firstDate and lastDate are PubMed's usual limits of an open range of dates.
const firstDate, lastDate = "1000/01/01", "3000/12/31"

// searchReply is an eSearchResult.
type searchReply struct {
	XMLName          struct{} `xml:"eSearchResult"`
	Count            *string
	IDs              []string `xml:"IdList>Id"`
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

// parseSearch parses eSearchResult (DTD eSearch_020511).
func parseSearch(body []byte) (*SearchResult, error) {
	var x searchReply
	if err := ncbi.DecodeXML(body, &x); err != nil {
		return nil, err
	}
	if x.Count == nil {
		return nil, errors.New("it has no Count")
	}
	count, err := strconv.Atoi(strings.TrimSpace(*x.Count))
	if err != nil || count < 0 {
		return nil, errors.New("its Count is not a number")
	}
	out := &SearchResult{
		Count: count, IDs: ncbi.List(x.IDs), Translation: x.QueryTranslation,
		PhrasesNotFound: ncbi.List(x.Errors.Phrases), FieldsNotFound: ncbi.List(x.Errors.Fields),
		PhrasesIgnored: ncbi.List(x.Warnings.Ignored), QuotedPhrasesNotFound: ncbi.List(x.Warnings.Quoted),
		Messages: ncbi.List(x.Warnings.Messages),
	}
	return out, nil
}
