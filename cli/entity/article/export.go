package article

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/conc/pool"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/cite"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/record"
)

// maxAgentExport is the maximum number of hits that an agent exports in one call.
const maxAgentExport = 200

// style returns the citation style of an export, or "" for none.
func style(in *command.Input) string { return cmp.Or(in.String("style"), entity.FileStyle(in)) }

// onlyPMIDs reports whether the answer is just the PMIDs of the hits.
func onlyPMIDs(in *command.Input) bool { return in.Bool("pmids") || entity.IsTextFile(in) }

// formConflicts lists the flags that choose the form of an answer, and those each excludes.
var formConflicts = []struct{ form, conflicts string }{
	{"style", "by-year pmids count abstracts mesh-terms summaries"},
	{"by-year", "pmids count abstracts mesh-terms summaries limit offset"},
	{"count", "abstracts mesh-terms"},
	{"pmids", "abstracts mesh-terms summaries"},
}

// checkFormConflicts rejects flags that the form of the answer would ignore.
func checkFormConflicts(in *command.Input) error {
	for _, a := range formConflicts {
		if !in.IsSet(a.form) && (a.form != "style" || style(in) == "") && (a.form != "pmids" || !onlyPMIDs(in)) {
			continue
		}
		var idle, rest []string
		for other := range strings.FieldsSeq(a.conflicts) {
			if other == "pmids" && entity.IsTextFile(in) {
				rest = append(rest, "--output", "")
			}
			if in.IsSet(other) || other == "pmids" && onlyPMIDs(in) {
				idle, rest = append(idle, "--"+other), append(rest, "--"+other, "")
			}
		}
		if idle != nil {
			return result.Invalid("--"+a.form+" cannot be used with "+strings.Join(idle, ", "), in.LineWith(rest...)...)
		}
	}
	return nil
}

// citationFile is the answer of a search with --style.
type citationFile struct {
	*entity.Hits[articleHit]
	style   string
	entries []string // in search order; empty if not received
}

func (c *citationFile) Doc() result.Doc {
	text, err := cite.JoinEntries(c.style, slices.DeleteFunc(slices.Clone(c.entries), func(e string) bool { return e == "" }))
	if err != nil {
		text = err.Error() // unreachable: the flag accepts no other styles
	}
	return result.Doc{result.Verbatim{Text: text}}
}

// exporter is the state of a running export.
type exporter struct {
	in     *command.Input
	client *entrez.Client
	params entrez.SearchParams
	ids    []string // PMIDs in the order of the search
	page   *entity.Page[articleHit]
	file   *citationFile
	first  int // offset of the first hit
	step   func()

	mu                sync.Mutex // guards the fields below
	received          []bool     // by batch
	failed            bool
	fetched           int // number of records
	retracted, broken []string
}

// export turns the hits of a search into a file of citations. It returns an error for more
// hits than PubMed serves, or than an agent may export.
func export(
	in *command.Input, client *entrez.Client, params entrez.SearchParams, found *entrez.SearchResult,
	p *entity.Page[articleHit],
) error {
	offset, err := in.Offset()
	if err != nil {
		return err
	}
	n := max(0, found.Count-offset)
	if in.Given("limit") {
		if in.Int("limit") < 1 {
			return result.Invalid(fmt.Sprintf("--limit must be at least 1, not %d", in.Int("limit")),
				in.LineWith("--limit", "")...)
		}
		n = min(n, in.Int("limit"))
	}
	const narrow = "narrow the search with --date-from, --date-to or --last, or give a --limit"
	switch {
	case in.Policy == command.Agent && n > maxAgentExport:
		return result.Invalid(fmt.Sprintf("%d hits to export; the maximum over MCP is %d: %s", n, maxAgentExport,
			narrow),
			in.LineWith("--limit", fmt.Sprint(maxAgentExport))...)
	case offset+n > record.ResultWindow && offset < record.ResultWindow:
		return result.Invalid(fmt.Sprintf("%d hits to export; PubMed serves the first %d of a search: %s", n,
			record.ResultWindow, narrow),
			in.LineWith("--limit", fmt.Sprint(record.ResultWindow-offset))...)
	case n > 0 && offset >= record.ResultWindow:
		return result.Invalid(fmt.Sprintf("PubMed serves the first %d hits of a search, but --offset is %d: %s",
			record.ResultWindow, offset, narrow),
			in.LineWith("--offset", "")...)
	}
	x := &exporter{
		in: in, client: client, params: params, ids: found.IDs, page: p, first: offset,
		file: &citationFile{style: style(in), entries: make([]string, n)},
	}
	p.Payload = func(h *entity.Hits[articleHit]) result.Payload {
		x.file.Hits = h
		return x.file
	}
	p.Smaller = entity.SmallerPage(in, "limit", n)
	p.Describe = x.run
	return nil
}

// run fetches the records in concurrent batches. After a failure it shows the batches
// before it, and the command fails with that error.
func (x *exporter) run(ctx context.Context) error {
	n := len(x.file.entries)
	if len(x.ids) < n { // the first page does not have all ids
		found, err := x.client.SearchPage(ctx, x.params, x.first, n)
		if err != nil {
			return err
		}
		x.ids = found.IDs
	}
	x.ids = x.ids[:min(n, len(x.ids))]
	x.received = make([]bool, (len(x.ids)+entrez.FetchBatch-1)/entrez.FetchBatch)
	x.step = httpclient.BeginTask(ctx, "records", n)
	group := pool.New().WithMaxGoroutines(entrez.MaxConcurrentBatches).WithContext(ctx).WithFirstError()
	for i := range x.received {
		group.Go(func(ctx context.Context) error { return x.batch(ctx, i) })
	}
	err := group.Wait()
	whole := slices.Index(append(x.received, false), false) // number of batches before the first missing one
	if err != nil && whole == 0 {
		return err
	}
	if err != nil {
		kept := whole * entrez.FetchBatch
		x.file.entries, x.page.Err = x.file.entries[:kept], err
		rest := []string{"--offset", fmt.Sprint(x.first + kept)}
		if x.in.Given("limit") {
			rest = append(rest, "--limit", fmt.Sprint(n-kept))
		}
		x.page.Rest = entity.LineFrom(x.in, x.first+kept+1, rest...)
		x.note(fmt.Sprintf("only the first %d of %d hits were exported; the rest: %s", kept, n, x.page.Rest))
	} else if x.fetched < n {
		x.note(fmt.Sprintf("PubMed counts %d hits to export, but sent %d", n, x.fetched))
	}
	if entity.IsData(x.in) {
		var records []map[string]any
		for _, e := range x.file.entries {
			if e != "" {
				records = append(records, map[string]any{"citations": map[string]string{x.file.style: e}})
			}
		}
		x.page.Records = records
	}
	if len(x.broken) > 0 {
		x.note("PubMed sent records that cannot be read: " + command.Abbreviate(x.broken))
	}
	x.page.Notices = append(x.page.Notices, entity.RetractionNotices(x.retracted)...)
	return nil
}

func (x *exporter) note(text string) { x.page.Notices = append(x.page.Notices, text) }

// batch fetches the i-th batch of records. Each batch has the deadline of a whole command,
// because there may be fifty.
func (x *exporter) batch(ctx context.Context, i int) error {
	x.mu.Lock()
	failed := x.failed
	x.mu.Unlock()
	if failed {
		return nil
	}
	at := i * entrez.FetchBatch
	ids := x.ids[at:min(at+entrez.FetchBatch, len(x.ids))]
	ctx = httpclient.WithEnd(ctx, time.Now().Add(cmp.Or(x.in.App.Env.Network.Deadline, httpclient.DefaultDeadline)))
	// Thousands of records would displace other replies in the cache.
	got, err := x.client.Fetch(httpclient.WithoutCache(ctx), ids)
	if err == nil {
		err = got.Problem // the answer is only a part of the batch
	}
	if err != nil {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.failed = true // begin no further batch; running ones finish
		return err
	}
	entries, err := cite.Entries(x.file.style, got.Articles)
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.fetched += copy(x.file.entries[at:at+len(ids)], entries)
	x.received[i] = true
	for _, a := range got.Articles {
		if a.Retracted {
			x.retracted = append(x.retracted, a.PMID)
		}
	}
	for _, b := range got.Broken {
		x.broken = append(x.broken, b.PMID)
	}
	for range got.Articles {
		x.step()
	}
	return nil
}
