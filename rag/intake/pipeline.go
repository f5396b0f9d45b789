package intake

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/sourcegraph/conc/panics"

	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
	"biomcp/store"
)

const (
	// groupSize is how many records a worker takes at once: enough to make
	// channels and look-ups cheap.
	groupSize = 64
	// importBatch and deltaBatch are documents in one transaction. A delta's is
	// smaller, because what it lost would have to be fetched again.
	importBatch = 4096
	deltaBatch  = 1000
	// batchText bounds the titles and abstracts of a batch in bytes. At most
	// three batches are in memory, each about ten times its text.
	batchText = 12 << 20
	// embedding is how many groups are embedded at once: a service answers slowly,
	// and a local model has two or more processors to itself.
	embedding = 4
	// patience is how often something is tried that another process, or NCBI, may
	// let through the next time.
	patience = 3
	// grace is how long a sync that is stopped goes on storing what it has read.
	grace = 10 * time.Second
)

// entry is one thing to be done to the corpus: a record to put, or, without an
// article, a PMID to delete.
type entry struct {
	pmid    record.PMID
	article *pubmed.Article
	asOf    string // of a deletion: the newest LR of its file, "" if it is not known
	alone   bool   // nothing else about the PMID is on its way
}

// group is a unit of work of one worker, in order.
type group struct {
	batch   *batch
	entries []entry
	docs    []*store.Document // of the entries; nil: a deletion, or known to be stored
	fresh   []bool            // the document will be inserted or an update, as far as is known, and has chunks
	skipped int               // known to be stored
	maxEDAT string
}

// batch is stored in one transaction.
type batch struct {
	stored  *store.Batch
	file    store.FileNumber
	pending sync.WaitGroup // its groups
	entries int
	groups  int
	text    int
	marks   []func(*store.Batch)
	after   []func() // it is stored

	mu      sync.Mutex
	pmids   []record.PMID
	kept    []*group // with an external engine: all of them
	skipped int
	maxEDAT string
}

// place is the stage that a PMID has reached.
type place struct {
	batch *batch
	group int
}

// pipeline stores records as they come: one goroutine reads and calls put,
// remove and mark; workers normalise, cut and analyse groups of records; others
// embed them; one writer commits batches in the order of their reading.
//
// The order of two records of one PMID is kept: within a group one worker takes
// them in order, and groups that share a PMID are never in one batch.
type pipeline struct {
	*session
	limit  int
	source string
	file   store.FileNumber
	again  bool // put also what is known to be stored, for its provenance
	untidy bool // parts of the index could not be merged

	cur     *batch
	entries []entry

	work      chan *group
	embeds    chan *group
	commits   chan *batch
	asked     context.Context // the reader's
	ctx       context.Context // of workers and writer: outlives the reader's by grace
	stop      context.CancelCauseFunc
	unhook    func() bool
	workers   sync.WaitGroup
	embedders sync.WaitGroup
	done      chan struct{} // the writer has ended
	caught    panics.Catcher
	finished  bool

	air    sync.Mutex
	flight map[record.PMID]place
}

// start makes a pipeline. It must be ended with finish, whose call is deferred too.
func (s *session) start(ctx context.Context, limit int, again bool) *pipeline {
	p := &pipeline{
		session: s, limit: cmp.Or(s.o.batch, limit), again: again, asked: ctx,
		work: make(chan *group, runtime.GOMAXPROCS(0)), embeds: make(chan *group), commits: make(chan *batch, 1),
		done: make(chan struct{}), flight: make(map[record.PMID]place),
	}
	p.ctx, p.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	p.unhook = context.AfterFunc(ctx, func() {
		select {
		case <-time.After(grace):
			p.stop(context.Cause(ctx))
		case <-p.ctx.Done():
		}
	})
	for range runtime.GOMAXPROCS(0) {
		p.workers.Go(p.worker)
	}
	for range embedding {
		p.embedders.Go(p.embedder)
	}
	go p.writer()
	p.cur = p.newBatch()
	return p
}

func (p *pipeline) newBatch() *batch {
	b := &batch{stored: p.o.Store.Begin(p.source).FromFile(p.file), file: p.file}
	if m := p.onTheWay(); m != nil {
		b.stored.WithModel(m.model.ID)
	}
	return b
}

// begin says what brings the records that follow: a query key or a file, with its
// place among PubMed's files.
func (p *pipeline) begin(source string, file store.FileNumber) error {
	err := p.seal()
	p.source, p.file = source, file
	p.cur = p.newBatch()
	return err
}

// put adds a record; size is the length of its text. The error is why the
// pipeline has ended.
func (p *pipeline) put(a *pubmed.Article, pmid record.PMID) error {
	return p.add(entry{pmid: pmid, article: a}, len(a.Title)+len(a.Abstract))
}

// remove adds a deletion.
func (p *pipeline) remove(pmid record.PMID, asOf string) error {
	return p.add(entry{pmid: pmid, asOf: asOf}, 0)
}

func (p *pipeline) add(e entry, text int) error {
	p.air.Lock()
	at, coming := p.flight[e.pmid]
	p.air.Unlock()
	if coming && at.batch == p.cur && at.group != p.cur.groups {
		if err := p.seal(); err != nil {
			return err
		}
	}
	e.alone = !coming
	p.air.Lock()
	p.flight[e.pmid] = place{p.cur, p.cur.groups}
	p.air.Unlock()
	p.cur.pmids = append(p.cur.pmids, e.pmid)
	p.cur.entries++
	p.cur.text += text
	p.entries = append(p.entries, e)
	if e.article != nil && p.file > 0 {
		p.cur.stored.Holds(e.pmid)
	}
	switch {
	case p.cur.entries >= p.limit || p.cur.text >= batchText:
		return p.seal()
	case len(p.entries) == groupSize:
		return p.send()
	}
	return nil
}

// mark has f called on the batch that holds all that was put before it, or a
// later one, just before that is committed.
func (p *pipeline) mark(f func(*store.Batch)) { p.cur.marks = append(p.cur.marks, f) }

// after has f called once all that was put before it is stored.
func (p *pipeline) after(f func()) { p.cur.after = append(p.cur.after, f) }

// flush waits until all that was put is stored. The error is why the pipeline has ended.
func (p *pipeline) flush() error {
	stored := make(chan struct{})
	p.after(func() { close(stored) })
	if err := p.seal(); err != nil {
		return err
	}
	select {
	case <-stored:
		return nil
	case <-p.ctx.Done():
		return context.Cause(p.ctx)
	}
}

// send passes the records put since the last call to a worker.
func (p *pipeline) send() error {
	if len(p.entries) == 0 {
		return nil
	}
	g := &group{batch: p.cur, entries: p.entries}
	p.entries = make([]entry, 0, groupSize)
	p.cur.groups++
	p.cur.pending.Add(1)
	select {
	case p.work <- g:
		return nil
	case <-p.ctx.Done():
		p.cur.pending.Done()
		return context.Cause(p.ctx)
	}
}

// seal ends the batch and gives it to the writer.
func (p *pipeline) seal() error {
	if err := p.send(); err != nil {
		return err
	}
	if p.cur.entries == 0 && len(p.cur.marks)+len(p.cur.after) == 0 {
		return nil
	}
	b := p.cur
	p.cur = p.newBatch()
	select {
	case p.commits <- b:
		return nil
	case <-p.ctx.Done():
		return context.Cause(p.ctx)
	}
}

// finish stores the remaining records and waits for that. It returns why the pipeline could
// not go on, nil if it could. Deferred, it also ends the pipeline of a reader
// that panics.
func (p *pipeline) finish() error {
	if p.finished {
		return nil
	}
	p.finished = true
	err := p.seal()
	close(p.work)
	close(p.commits)
	p.workers.Wait()
	close(p.embeds)
	p.embedders.Wait()
	<-p.done
	p.unhook()
	if err == nil && p.ctx.Err() != nil {
		err = context.Cause(p.ctx)
	}
	p.stop(nil)
	p.caught.Repanic()
	return err
}
