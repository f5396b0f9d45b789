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
	// groupSize is the number of records that a worker takes at a time. It is large enough to
	// make channels and look-ups cheap.
	groupSize = 64
	// importBatch and deltaBatch are the maximum numbers of records in one transaction. A
	// delta's is smaller, because lost records would have to be fetched again.
	importBatch = 4096
	deltaBatch  = 1000
	// batchText is the maximum size of the titles and abstracts of a batch in bytes. At most
	// three batches are in memory, each about ten times its text.
	batchText = 12 << 20
	// embedding is the number of groups that are embedded at the same time: a service answers
	// slowly, and a local model can use two or more processors.
	embedding = 4
	// maxAttempts is the maximum number of attempts when another process holds a lock or NCBI
	// fails.
	maxAttempts = 3
	// drainTimeout is the maximum time for which a stopped sync goes on storing the records it
	// has read.
	drainTimeout = 10 * time.Second
)

// An entry is one change of the corpus: a record to put or, if article is nil, a PMID to
// delete.
type entry struct {
	pmid    record.PMID
	article *pubmed.Article
	asOf    string // for a deletion: newest LR of its file, or "" if unknown
	alone   bool   // no other entry with this PMID is in flight
}

// A group is the unit of work of a worker. Its entries are in reading order.
type group struct {
	batch   *batch
	entries []entry
	docs    []*store.Document // documents of the entries; nil for a deletion or a stored record
	fresh   []bool            // the document has chunks, because it is expected to be inserted or updated
	skipped int               // number of records that are stored already
	maxEDAT string
}

// A batch is stored in one transaction.
type batch struct {
	stored  *store.Batch
	file    store.FileNumber
	pending sync.WaitGroup // counts the groups that are not collected yet
	entries int
	groups  int
	text    int
	marks   []func(*store.Batch)
	after   []func() // called after the commit

	mu              sync.Mutex
	pmids           []record.PMID
	groupsForEngine []*group // all groups, if there is an external engine
	skipped         int
	maxEDAT         string
}

// A place is the stage of the pipeline that a PMID has reached.
type place struct {
	batch *batch
	group int
}

// A pipeline stores records as they arrive. One goroutine reads and calls put, remove and mark.
// Workers normalise, cut and analyse groups of records. Others embed them. One writer commits
// batches in reading order.
//
// The order of two records with one PMID is kept: within a group one worker takes them in
// order, and two groups with a common PMID are never in one batch.
type pipeline struct {
	*session
	limit          int
	source         string
	file           store.FileNumber
	putKnown       bool // also put records that are stored already, to update their provenance
	warnedUnmerged bool // a warning about unmerged parts of the index was given

	cur     *batch
	entries []entry

	work      chan *group
	embeds    chan *group
	commits   chan *batch
	readerCtx context.Context // context of the reader
	ctx       context.Context // context of workers and writer; outlives the reader's by drainTimeout
	stop      context.CancelCauseFunc
	unhook    func() bool
	workers   sync.WaitGroup
	embedders sync.WaitGroup
	done      chan struct{} // closed when the writer ends
	caught    panics.Catcher
	finished  bool

	inFlightMu sync.Mutex
	inFlight   map[record.PMID]place
}

// start starts a pipeline. The caller must call finish, and also defer it.
func (s *session) start(ctx context.Context, limit int, again bool) *pipeline {
	p := &pipeline{
		session: s, limit: cmp.Or(s.o.batch, limit), putKnown: again, readerCtx: ctx,
		work: make(chan *group, runtime.GOMAXPROCS(0)), embeds: make(chan *group), commits: make(chan *batch, 1),
		done: make(chan struct{}), inFlight: make(map[record.PMID]place),
	}
	p.ctx, p.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	p.unhook = context.AfterFunc(ctx, func() {
		select {
		case <-time.After(drainTimeout):
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
	if m := p.pipelineMaker(); m != nil {
		b.stored.WithModel(m.model.ID)
	}
	return b
}

// begin sets the source of the records that follow: a query key or a file, with its number
// among PubMed's files.
func (p *pipeline) begin(source string, file store.FileNumber) error {
	err := p.seal()
	p.source, p.file = source, file
	p.cur = p.newBatch()
	return err
}

// put adds a record. It returns an error if the pipeline has ended.
func (p *pipeline) put(a *pubmed.Article, pmid record.PMID) error {
	return p.add(entry{pmid: pmid, article: a}, len(a.Title)+len(a.Abstract))
}

// remove adds a deletion.
func (p *pipeline) remove(pmid record.PMID, asOf string) error {
	return p.add(entry{pmid: pmid, asOf: asOf}, 0)
}

func (p *pipeline) add(e entry, text int) error {
	p.inFlightMu.Lock()
	at, coming := p.inFlight[e.pmid]
	p.inFlightMu.Unlock()
	if coming && at.batch == p.cur && at.group != p.cur.groups {
		if err := p.seal(); err != nil {
			return err
		}
	}
	e.alone = !coming
	p.inFlightMu.Lock()
	p.inFlight[e.pmid] = place{p.cur, p.cur.groups}
	p.inFlightMu.Unlock()
	p.cur.pmids = append(p.cur.pmids, e.pmid)
	p.cur.entries++
	p.cur.text += text
	p.entries = append(p.entries, e)
	if e.article != nil && p.file > 0 {
		p.cur.stored.AddFilePMID(e.pmid)
	}
	switch {
	case p.cur.entries >= p.limit || p.cur.text >= batchText:
		return p.seal()
	case len(p.entries) == groupSize:
		return p.send()
	}
	return nil
}

// mark registers f to be called just before the commit of the batch with the preceding records,
// or of a later batch.
func (p *pipeline) mark(f func(*store.Batch)) { p.cur.marks = append(p.cur.marks, f) }

// after registers f to be called once all preceding records are stored.
func (p *pipeline) after(f func()) { p.cur.after = append(p.cur.after, f) }

// flush waits until all preceding records are stored. It returns an error if the pipeline has
// ended.
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

// seal closes the batch and passes it to the writer.
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

// finish stores the remaining records and waits for that. It returns an error if the pipeline
// had to stop. A deferred call also ends the pipeline when the reader panics.
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
