package entrez

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/sourcegraph/conc/pool"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/polite"
	"biomcp/entrez/pubmed"
)

// Fetched are whole records. Articles are in the order asked, each once, of
// several versions the highest. An id is Missing where NCBI sent nothing for it,
// Deleted where it says so, Broken where its record could not be read.
type Fetched struct {
	Articles []*pubmed.Article
	Missing  []string
	Deleted  []string
	Broken   []*pubmed.RecordError
	URLs     []string // of each request
	Method   string   // GET or POST
}

// FetchBatch is how many records one EFetch is asked for: a GET can name as many,
// and it is some MB.
const FetchBatch = 200

// MaxConcurrentBatches is how many batches are asked for at a time; pace bounds the
// rate, this the memory.
const MaxConcurrentBatches = 3

// Fetch makes one EFetch for up to 200 records, and one, by POST, for each 200 of
// a longer list. Either everything asked for is accounted for, or there is an
// error and nothing else.
func (c *Client) Fetch(ctx context.Context, ids []string) (*Fetched, error) {
	ids, err := ncbi.UIDs(efetch.Op, ids)
	if err != nil {
		return nil, err
	}
	out := &Fetched{Articles: []*pubmed.Article{}, Missing: []string{}, Deleted: []string{}, Broken: []*pubmed.RecordError{}}
	batches := slices.Collect(slices.Chunk(ids, FetchBatch))
	urls := make([][]string, len(batches))
	found := map[string]*pubmed.Article{}
	var mu sync.Mutex // guards found and out
	group := pool.New().WithMaxGoroutines(MaxConcurrentBatches).WithContext(ctx).WithCancelOnError().WithFirstError()
	for i, batch := range batches {
		group.Go(func(ctx context.Context) error {
			return c.fetchBatch(ctx, batch, len(batches) > 1, func(r *polite.Call, body []byte) error {
				mu.Lock()
				defer mu.Unlock()
				urls[i], out.Method = append(urls[i], r.URL), r.Method
				return scan(r, body, found, out)
			})
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	out.URLs = slices.Concat(urls...)
	for _, id := range ids {
		a := found[id]
		switch {
		case a != nil:
			out.Articles = append(out.Articles, a)
		case slices.Contains(out.Deleted, id):
		case slices.ContainsFunc(out.Broken, func(b *pubmed.RecordError) bool { return b.PMID == id }):
		default:
			out.Missing = append(out.Missing, id)
		}
	}
	return out, nil
}

// fetchBatch makes one EFetch, and where its answer is longer than we read, one
// for each half of the records.
func (c *Client) fetchBatch(ctx context.Context, ids []string, post bool, each func(r *polite.Call, body []byte) error) error {
	r := polite.NewCall(efetch, "db", "pubmed", "retmode", "xml")
	setIDs(r, ids)
	r.Post = post
	// An answer that lacks a record is not kept: it may be there tomorrow.
	r.Keep = func(body []byte) bool { return countRecords(body) >= len(ids) }
	body, err := c.sendFetch(ctx, r)
	if half := len(ids) / 2; half > 0 && errors.Is(err, polite.ErrTooLong) {
		if err := c.fetchBatch(ctx, ids[:half], post, each); err != nil {
			return err
		}
		return c.fetchBatch(ctx, ids[half:], post, each)
	}
	if err != nil {
		return err
	}
	return each(r, body)
}

// noneOfThem is how NCBI puts it that it has no record of any id, as an error in
// place of an empty set and with status 400 or 200.
const noneOfThem = "ID list is empty"

// sendFetch is send, with nothing instead of an error where no id is known.
func (c *Client) sendFetch(ctx context.Context, r *polite.Call) ([]byte, error) {
	body, err := c.send(ctx, r)
	var e *Error
	if errors.As(err, &e) && e.Kind == Refused && strings.Contains(e.Message, noneOfThem) {
		return nil, nil
	}
	return body, err
}

func countRecords(body []byte) int {
	return bytes.Count(body, []byte("<PubmedArticle>")) + bytes.Count(body, []byte("<PubmedBookArticle>"))
}

// scan reads a PubmedArticleSet. What was not asked for is left out by Fetch.
func scan(r *polite.Call, body []byte, found map[string]*pubmed.Article, out *Fetched) error {
	if len(body) == 0 {
		return nil
	}
	for item, err := range pubmed.Scan(bytes.NewReader(body)) {
		var broken *pubmed.RecordError
		switch {
		case errors.As(err, &broken):
			out.Broken = append(out.Broken, broken)
		case err != nil:
			return r.Unreadable(errors.New(polite.Redact(err.Error())))
		case item.Article != nil:
			if old := found[item.Article.PMID]; old == nil || old.Version <= item.Article.Version {
				found[item.Article.PMID] = item.Article
			}
		}
		out.Deleted = append(out.Deleted, item.Deleted...)
	}
	return nil
}
