package entrez

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/sourcegraph/conc/pool"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pubmed"
)

// FetchResult holds complete records. Articles are in the requested order, each once, in its highest
// version. An ID is Missing if NCBI sent nothing for it, Deleted if NCBI says so, and Broken if its
// record cannot be parsed. Unread lists the IDs of the requests that failed although others were
// read, from NCBI or the cache; Problem is the first error.
type FetchResult struct {
	Articles []*pubmed.Article
	Missing  []string
	Deleted  []string
	Broken   []*pubmed.RecordError
	Unread   []string
	Problem  error
	URLs     []string // URLs of the requests for all IDs, even if the cache had them
	Method   string   // GET or POST
}

// FetchBatch is the maximum number of records in one EFetch. A GET can list as many IDs, and the
// reply has some MB.
const FetchBatch = 200

// MaxConcurrentBatches is the maximum number of concurrent batches. It limits memory, since polite
// limits the rate.
const MaxConcurrentBatches = 3

// Fetch returns the records of ids. It makes one EFetch for up to 200 records, and one by POST for
// each 200 of a longer list. Records are cached one by one, and only the missing ones are
// requested. Every ID is accounted for unless there is an error.
func (c *Client) Fetch(ctx context.Context, ids []string) (*FetchResult, error) {
	return c.FetchSteps(ctx, ids, func() {})
}

// FetchSteps is like Fetch, but also calls step after each ID is done, whether it has a record or
// not.
func (c *Client) FetchSteps(ctx context.Context, ids []string, step func()) (*FetchResult, error) {
	ids, err := ncbi.UIDs(ids)
	if err != nil {
		return nil, err
	}
	f := &fetcher{
		client: c, step: step, multiBatch: len(ids) > FetchBatch, requested: map[string]bool{},
		found: map[string]*pubmed.Article{},
		out: &FetchResult{Articles: []*pubmed.Article{}, Missing: []string{}, Deleted: []string{},
			Broken: []*pubmed.RecordError{}, Unread: []string{}},
	}
	for batch := range slices.Chunk(ids, FetchBatch) {
		r := f.call(batch)
		c.service.Describe(r)
		f.out.URLs, f.out.Method = append(f.out.URLs, r.URL), r.Method
	}
	for _, id := range ids {
		f.requested[id] = true
	}
	kept := f.addCached(c.service.CachedParts(ctx, recordsCall(), ids))
	left := f.missing(ids)
	for range len(ids) - len(left) {
		f.step()
	}
	if err := f.ask(ctx, left); err != nil {
		old := f.addCached(c.service.StaleParts(ctx, recordsCall(), f.missing(f.unread), err))
		nothing := !kept && !old && !f.answered
		if nothing || errors.Is(err, context.Canceled) || errors.Is(ctx.Err(), context.Canceled) {
			return nil, err
		}
		if f.out.Unread = f.unaccounted(ids); len(f.out.Unread) > 0 {
			f.out.Problem = err
		}
	}
	return f.result(ids), nil
}

// recordsCall returns the call under which the records are cached one by one.
func recordsCall() *httpclient.Call {
	return httpclient.NewCall(efetch, "db", "pubmed", "retmode", "xml")
}

// fetcher is the state of a Fetch.
type fetcher struct {
	client     *Client
	step       func()
	multiBatch bool // more than one batch
	requested  map[string]bool

	mu       sync.Mutex // guards the fields below
	found    map[string]*pubmed.Article
	out      *FetchResult
	answered bool     // a reply was read whole
	failed   error    // the first error of a batch
	unread   []string // the IDs of failed batches, and of those that were not begun
}

// addCached parses cached records and reports whether there is any. It ignores records that cannot
// be parsed.
func (f *fetcher) addCached(cached map[string][]byte) (any bool) {
	for _, raw := range cached {
		a, err := oneArticle(raw)
		if err == nil && f.requested[a.PMID] {
			f.found[a.PMID], any = a, true
		}
	}
	return any
}

// oneArticle parses a single record.
func oneArticle(raw []byte) (*pubmed.Article, error) {
	for item, err := range pubmed.Scan(bytes.NewReader(raw)) {
		if err != nil || item.Article != nil {
			return item.Article, err
		}
	}
	return nil, errors.New("no article")
}

// missing returns the IDs without an article.
func (f *fetcher) missing(ids []string) []string {
	out := []string{}
	for _, id := range ids {
		if f.found[id] == nil {
			out = append(out, id)
		}
	}
	return out
}

// unaccounted returns the unread IDs, in the order of ids, about which no reply says anything.
func (f *fetcher) unaccounted(ids []string) []string {
	unread := map[string]bool{}
	for _, id := range f.missing(f.unread) {
		unread[id] = true
	}
	for _, id := range f.out.Deleted {
		delete(unread, id)
	}
	for _, broken := range f.out.Broken {
		delete(unread, broken.PMID)
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !unread[id] })
}

// ask requests ids in batches. After a batch has failed it begins no other one, but those that run
// are read. It returns the first error.
func (f *fetcher) ask(ctx context.Context, ids []string) error {
	group := pool.New().WithMaxGoroutines(MaxConcurrentBatches)
	for batch := range slices.Chunk(ids, FetchBatch) {
		group.Go(func() {
			f.batch(ctx, batch)
			for range batch {
				f.step()
			}
		})
	}
	group.Wait()
	return f.failed
}

// call returns the EFetch for ids.
func (f *fetcher) call(ids []string) *httpclient.Call {
	r := recordsCall()
	r.TTL = 0 // the records are cached one by one
	setIDs(r, ids)
	r.Post = f.multiBatch
	return r
}

// batch makes one EFetch, or one for each half of ids if the reply is too long. It makes none if
// another batch has failed.
func (f *fetcher) batch(ctx context.Context, ids []string) {
	f.mu.Lock()
	failed := f.failed
	f.mu.Unlock()
	if failed != nil {
		f.done(ids, failed)
		return
	}
	r := f.call(ids)
	body, err := f.client.sendFetch(ctx, r)
	if half := len(ids) / 2; half > 0 && errors.Is(err, httpclient.ErrTooLong) {
		f.batch(ctx, ids[:half])
		f.batch(ctx, ids[half:])
		return
	}
	if err == nil {
		err = f.scan(ctx, r, body)
	}
	f.done(ids, err)
}

// done notes the outcome of a batch.
func (f *fetcher) done(ids []string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil {
		f.answered = true
		return
	}
	f.unread = append(f.unread, ids...)
	if f.failed == nil {
		f.failed = err
	}
}

// result lists the records in the requested order and accounts for each ID.
func (f *fetcher) result(ids []string) *FetchResult {
	out := f.out
	for _, id := range ids {
		a := f.found[id]
		switch {
		case a != nil:
			out.Articles = append(out.Articles, a)
		case slices.Contains(out.Deleted, id), slices.Contains(out.Unread, id):
		case slices.ContainsFunc(out.Broken, func(b *pubmed.RecordError) bool { return b.PMID == id }):
		default:
			out.Missing = append(out.Missing, id)
		}
	}
	return out
}

// noRecordsText is NCBI's error message if it has no record of any ID. It replaces an empty set and
// comes with status 400 or 200.
const noRecordsText = "ID list is empty"

// sendFetch is like send, but returns nil instead of an error if NCBI says that no ID is known. An
// empty reply is not nil.
func (c *Client) sendFetch(ctx context.Context, r *httpclient.Call) ([]byte, error) {
	body, err := c.send(ctx, r)
	switch {
	case httpclient.IsKind(err, httpclient.Refused) && strings.Contains(err.Error(), noRecordsText):
		return nil, nil
	case err == nil && body == nil:
		return []byte{}, nil
	}
	return body, err
}

// scan parses a PubmedArticleSet and caches its records. It ignores records that were not
// requested.
func (f *fetcher) scan(ctx context.Context, r *httpclient.Call, body []byte) error {
	if len(body) == 0 {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	keep := true
	for item, err := range pubmed.Scan(bytes.NewReader(body)) {
		var broken *pubmed.RecordError
		switch a := item.Article; {
		case errors.As(err, &broken):
			f.out.Broken = append(f.out.Broken, broken)
		case err != nil:
			return r.UnreadableError(errors.New(httpclient.Redact(err.Error())))
		case a != nil && f.requested[a.PMID]:
			if old := f.found[a.PMID]; old == nil || old.Version <= a.Version {
				f.found[a.PMID] = a
				keep = keep && f.client.service.StorePart(ctx, recordsCall(), a.PMID, item.Raw)
			}
		}
		f.out.Deleted = append(f.out.Deleted, item.Deleted...)
	}
	return nil
}
