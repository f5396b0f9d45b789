package entrez

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/polite"
)

// SearchParams is one ESearch. Term is sent unchanged: who adds filters wraps the
// user's words in parentheses first.
type SearchParams struct {
	DB   string // "" is pubmed
	Term string
	Sort string // "", relevance, pub_date, author, journal_name

	RetStart, RetMax int // RetMax 0 asks for no ids, the count alone
	// Uneven says that the caller compares Count with what came. Without it a first page
	// that lists none of the hits counted is an error: it does not say that nothing is there.
	Uneven bool
}

// SearchResult is what ESearch found. Count is the number NCBI says there are,
// IDs the page asked for, never nil.
type SearchResult struct {
	Count       int
	IDs         []string
	Translation string // what NCBI really searched

	// What NCBI did not find and dropped, which makes the search broader than it
	// was asked.
	PhrasesNotFound, FieldsNotFound       []string
	PhrasesIgnored, QuotedPhrasesNotFound []string
	Messages                              []string

	URL string
}

// NotFound is how many words or phrases NCBI did not find, and dropped.
func (r *SearchResult) NotFound() int {
	return len(r.PhrasesNotFound) + len(r.QuotedPhrasesNotFound)
}

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
	out, err := ask(ctx, c, r, func(body []byte) (*SearchResult, error) {
		out, err := parseSearch(body)
		if err == nil && !p.Uneven && p.RetMax > 0 && p.RetStart == 0 && out.Count > 0 && len(out.IDs) == 0 {
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

func searchRequest(p SearchParams) (*polite.Call, error) {
	if strings.TrimSpace(p.Term) == "" {
		return nil, polite.Invalidf("a search needs a term")
	}
	sort, known := sorts[p.Sort]
	if !known {
		return nil, polite.Invalidf("no sort order %q; orders: relevance, pub_date, author, journal_name", p.Sort)
	}
	if p.RetStart < 0 || p.RetMax < 0 {
		return nil, polite.Invalidf("a page cannot begin at %d or have %d results", p.RetStart, p.RetMax)
	}
	r := polite.NewCall(esearch, "db", cmp.Or(p.DB, "pubmed"), "retmode", "xml", "sort", sort,
		"retmax", strconv.Itoa(p.RetMax), "term", p.Term)
	if p.RetStart > 0 {
		r.Set("retstart", strconv.Itoa(p.RetStart))
	}
	return r, nil
}

// The ends of time as PubMed's users write them.
const firstDate, lastDate = "1000/01/01", "3000/12/31"

// searchReply is eSearchResult.
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

// parseSearch reads eSearchResult (DTD eSearch_020511).
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
		return nil, errors.New("its Count is no number")
	}
	out := &SearchResult{
		Count: count, IDs: ncbi.List(x.IDs), Translation: x.QueryTranslation,
		PhrasesNotFound: ncbi.List(x.Errors.Phrases), FieldsNotFound: ncbi.List(x.Errors.Fields),
		PhrasesIgnored: ncbi.List(x.Warnings.Ignored), QuotedPhrasesNotFound: ncbi.List(x.Warnings.Quoted),
		Messages: ncbi.List(x.Warnings.Messages),
	}
	return out, nil
}
