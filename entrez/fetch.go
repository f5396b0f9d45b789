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

// Fetched are whole records. Articles are in the order asked, each once, of several
// versions the highest. An id is Missing where NCBI sent nothing for it,
// Deleted where it says so, Broken where its record could not be read. Unread are
// those that NCBI could not be asked for, where the cache had others; Problem is why.
type Fetched struct {
	Articles []*pubmed.Article
	Missing  []string
	Deleted  []string
	Broken   []*pubmed.RecordError
	Unread   []string
	Problem  error
	URLs     []string // of the requests for all ids, whatever the cache had of them
	Method   string   // GET or POST
}

// FetchBatch is how many records one EFetch is asked for: a GET can name as many,
// and it is some MB.
const FetchBatch = 200

// MaxConcurrentBatches is how many batches are asked for at a time; pace bounds the
// rate, this the memory.
const MaxConcurrentBatches = 3

// Fetch makes one EFetch for up to 200 records, and one, by POST, for each 200 of
// a longer list. Records are kept in the cache one by one, and NCBI is asked for
// the others alone. Every id is accounted for, or there is an error and nothing
// else.
func (c *Client) Fetch(ctx context.Context, ids []string) (*Fetched, error) {
	return c.FetchSteps(ctx, ids, func() {})
}

// FetchSteps is Fetch, and calls step for each id that is done with, whether there is a
// record or not.
func (c *Client) FetchSteps(ctx context.Context, ids []string, step func()) (*Fetched, error) {
	ids, err := ncbi.UIDs(ids)
	if err != nil {
		return nil, err
	}
	f := &fetching{
		client: c, step: step, many: len(ids) > FetchBatch, asked: map[string]bool{},
		found: map[string]*pubmed.Article{},
		out: &Fetched{Articles: []*pubmed.Article{}, Missing: []string{}, Deleted: []string{},
			Broken: []*pubmed.RecordError{}, Unread: []string{}},
	}
	for batch := range slices.Chunk(ids, FetchBatch) {
		r := f.call(batch)
		c.service.Describe(r)
		f.out.URLs, f.out.Method = append(f.out.URLs, r.URL), r.Method
	}
	for _, id := range ids {
		f.asked[id] = true
	}
	kept := f.take(c.service.Kept(ctx, everyRecord(), ids))
	left := f.lacking(ids)
	for range len(ids) - len(left) {
		f.step()
	}
	if err := f.ask(ctx, left); err != nil {
		old := f.take(c.service.KeptOld(ctx, everyRecord(), left, err))
		if !kept && !old || errors.Is(err, context.Canceled) {
			return nil, err
		}
		if f.out.Unread = f.lacking(ids); len(f.out.Unread) > 0 {
			f.out.Problem = err
		}
	}
	return f.result(ids), nil
}

// everyRecord is the call whose parts the records are, in the cache.
func everyRecord() *polite.Call { return polite.NewCall(efetch, "db", "pubmed", "retmode", "xml") }

// fetching is a Fetch under way.
type fetching struct {
	client *Client
	step   func()
	many   bool // more than one batch
	asked  map[string]bool

	mu    sync.Mutex // guards what follows
	found map[string]*pubmed.Article
	out   *Fetched
}

// take reads records that were kept, and reports whether there is one. One that
// cannot be read is none.
func (f *fetching) take(kept map[string][]byte) (some bool) {
	for _, raw := range kept {
		a, err := oneArticle(raw)
		if err == nil && f.asked[a.PMID] {
			f.found[a.PMID], some = a, true
		}
	}
	return some
}

// oneArticle reads a record by itself.
func oneArticle(raw []byte) (*pubmed.Article, error) {
	for item, err := range pubmed.Scan(bytes.NewReader(raw)) {
		if err != nil || item.Article != nil {
			return item.Article, err
		}
	}
	return nil, errors.New("no article")
}

func (f *fetching) lacking(ids []string) []string {
	out := []string{}
	for _, id := range ids {
		if f.found[id] == nil {
			out = append(out, id)
		}
	}
	return out
}

// ask gets all of ids, or fails.
func (f *fetching) ask(ctx context.Context, ids []string) error {
	group := pool.New().WithMaxGoroutines(MaxConcurrentBatches).WithContext(ctx).WithCancelOnError().WithFirstError()
	for batch := range slices.Chunk(ids, FetchBatch) {
		group.Go(func(ctx context.Context) error {
			err := f.batch(ctx, batch)
			for range batch {
				f.step()
			}
			return err
		})
	}
	return group.Wait()
}

func (f *fetching) call(ids []string) *polite.Call {
	r := everyRecord()
	r.TTL = 0 // its records are kept
	setIDs(r, ids)
	r.Post = f.many
	return r
}

// batch makes one EFetch, and where its answer is longer than we read, one for
// each half of the records.
func (f *fetching) batch(ctx context.Context, ids []string) error {
	r := f.call(ids)
	body, err := f.client.sendFetch(ctx, r)
	if half := len(ids) / 2; half > 0 && errors.Is(err, polite.ErrTooLong) {
		if err := f.batch(ctx, ids[:half]); err != nil {
			return err
		}
		return f.batch(ctx, ids[half:])
	}
	if err != nil {
		return err
	}
	return f.scan(ctx, r, body)
}

// result puts the records in the order asked and accounts for each id.
func (f *fetching) result(ids []string) *Fetched {
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

// noneOfThem is how NCBI puts it that it has no record of any id, as an error in
// place of an empty set and with status 400 or 200.
const noneOfThem = "ID list is empty"

// sendFetch is send, with nothing instead of an error where no id is known.
func (c *Client) sendFetch(ctx context.Context, r *polite.Call) ([]byte, error) {
	body, err := c.send(ctx, r)
	if e, ok := errors.AsType[*polite.Error](err); ok && e.Kind == polite.Refused && strings.Contains(e.Message, noneOfThem) {
		return nil, nil
	}
	return body, err
}

// scan reads a PubmedArticleSet and keeps its records. What was not asked for is
// left out.
func (f *fetching) scan(ctx context.Context, r *polite.Call, body []byte) error {
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
			return r.Unreadable(errors.New(polite.Redact(err.Error())))
		case a != nil && f.asked[a.PMID]:
			if old := f.found[a.PMID]; old == nil || old.Version <= a.Version {
				f.found[a.PMID] = a
				keep = keep && f.client.service.Keep(ctx, everyRecord(), a.PMID, item.Raw)
			}
		}
		f.out.Deleted = append(f.out.Deleted, item.Deleted...)
	}
	return nil
}
