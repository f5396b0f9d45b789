package intake

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize/english"

	"biomcp/rag"
	"biomcp/rag/static"
	"biomcp/store"
)

// Options are what every sync needs. Only Store must be given.
type Options struct {
	Store    *store.Store
	Now      func() time.Time // nil: time.Now
	Progress func(Progress)   // nil: none; called by one goroutine at a time, often

	// Embedder makes the vectors of chunks; nil: the model that is fitted on the
	// corpus itself. Another one than made the vectors that are there is refused.
	Embedder rag.Embedder
	// Table is joined to the model that is fitted on the corpus; nil: none. It is for
	// corpora without an Embedder.
	Table *static.Table
	// NoVectors leaves vectors out: none are made and no model is fitted, as suits
	// a bulk load that Reembed follows.
	NoVectors bool
	// Index is an external engine that is kept current; nil: none. One with
	// a method UseModels(ctx, used, second) is given new models by it.
	Index rag.Index

	batch int // documents in one transaction, for tests; 0: importBatch, deltaBatch
	block int // records of one EFetch, for tests; 0: entrez.FetchBatch
}

// Progress is how far a sync has come. A total of 0 is not known.
type Progress struct {
	File         string // being read, without its folder
	Records      int    // read
	TotalRecords int
	Bytes        int64 // read, as they lie on the disk
	TotalBytes   int64
	Stored       int // records whose fate is on the disk
	Vectors      int // made, after the records
	TotalVectors int
	Parts        int // of the corpus that were checked
	TotalParts   int
}

// Line says how far a sync has come in the time it took.
func (p Progress) Line(took time.Duration) string {
	line := fmt.Sprintf("%d records", p.Records)
	if p.TotalRecords > 0 {
		line = fmt.Sprintf("%d of %d records", p.Records, p.TotalRecords)
	}
	if s := took.Seconds(); s >= 1 {
		line += fmt.Sprintf(", %.0f a second", float64(p.Records)/s)
	}
	switch {
	case p.TotalParts > 0:
		line = fmt.Sprintf("%d of %d parts of the corpus checked", p.Parts, p.TotalParts)
	case p.TotalVectors > 0:
		line = fmt.Sprintf("%d of %d vectors", p.Vectors, p.TotalVectors)
	case p.File != "":
		line += ", " + p.File
	}
	return line
}

// session is one run of a sync.
type session struct {
	o      Options
	began  time.Time
	report Report
	maker  *maker  // nil: no vectors are made
	second *maker  // the corpus's own model next to that of a service, nil for none
	engine *engine // nil: no external engine

	unembedded     atomic.Bool // making vectors has failed
	withoutVectors atomic.Bool // likewise, of those that are made on the way

	mu       sync.Mutex // of what follows, and of report while a pipeline runs
	causes   []error
	progress Progress
}

// begin opens a session and takes the lease of key.
func begin(ctx context.Context, o Options, key string) (*session, *store.Lease, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &session{o: o, began: o.Now().UTC().Truncate(time.Second), report: Report{Warnings: []string{}}}
	lease, err := lease(ctx, o.Store, key)
	return s, lease, err
}

// lease takes the lease of a key. The error of one that is held names the work, not
// a key of this package.
func lease(ctx context.Context, s *store.Store, key string) (*store.Lease, error) {
	l, err := s.Lease(ctx, key)
	if held, ok := errors.AsType[*store.HeldError](err); ok {
		held.Work = map[string]string{importKey: "an import", mirrorLease: "an import of all of PubMed", vectorsKey: "making vectors", moveKey: "copying the corpus to the engine"}[key]
	}
	return l, err
}

// startJob writes the job of this run into the corpus. Its identifier is the
// start of the run; of several in one second the later ones get a fraction, which
// RFC 3339 allows.
func (s *session) startJob(ctx context.Context, job store.Job) error {
	job.Started = cmp.Or(job.Started, rfc3339(s.began))
	const attempts = 100
	var err error
	for i := range attempts {
		job.ID = "sync_" + s.began.Add(time.Duration(i)*time.Millisecond).Format(time.RFC3339Nano)
		if err = s.o.Store.StartJob(ctx, job); !store.IsKind(err, store.Failed) {
			break
		}
	}
	s.report.JobID = job.ID
	return err
}

func rfc3339(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// fail notes a cause for which the sync is incomplete.
func (s *session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.causes = append(s.causes, err)
}

// warn adds a warning to the report.
func (s *session) warn(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report.warn(format, args...)
}

// step changes the progress and reports it.
func (s *session) step(change func(*Progress)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.progress)
	if s.o.Progress != nil {
		s.o.Progress(s.progress)
	}
}

// stopped notes why the sync cannot go on, as the gravest cause, and reports
// whether there was a reason.
func (s *session) stopped(ctx context.Context, err error) bool {
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		s.causes = slices.Insert(s.causes, 0, err)
	}
	return err != nil
}

// setUp opens the model and the engine that records go through.
func (s *session) setUp(ctx context.Context) error {
	err := rag.MarkAnalysis(ctx, s.o.Store)
	if err != nil {
		return err
	}
	if s.maker, err = s.openModel(ctx); err != nil {
		return err
	}
	if err := s.openSecond(ctx); err != nil {
		return err
	}
	return s.openEngine(ctx)
}

// completeIndex does the remaining work after the records are stored; failed is why the
// pipeline has ended.
func (s *session) completeIndex(ctx context.Context, failed error) {
	if s.stopped(ctx, failed) {
		return
	}
	if s.engine != nil && s.stopped(ctx, s.engine.catchUp(ctx)) || s.unembedded.Load() {
		return
	}
	if err := s.keepVectors(ctx); err != nil && !s.stopped(ctx, nil) {
		s.fail(err)
	}
	if s.engine != nil && ctx.Err() == nil { // the vectors
		s.stopped(ctx, s.engine.catchUp(ctx))
	}
}

// shrink gives unused pages of the corpus back. No result depends on it, and what fails
// is done by the next run.
func (s *session) shrink(ctx context.Context) { _ = s.o.Store.Shrink(ctx) }

// end closes the job, unless there was a cause for which the sync is Incomplete:
// then the next run finds it unfinished.
func (s *session) end(ctx context.Context) (Report, error) {
	r := &s.report
	r.Processed = r.Inserted + r.Updated + r.Skipped
	if r.Deleted > 0 {
		r.warn("%s deleted", english.Plural(r.Deleted, "document", ""))
	}
	if ctx.Err() == nil {
		s.stopped(ctx, s.warnOfLacks(ctx))
	}
	if len(s.causes) == 0 {
		kept := *r
		kept.News = News{} // the documents have it
		text, err := json.Marshal(kept)
		if err == nil {
			err = s.o.Store.FinishJob(ctx, r.JobID, string(text))
		}
		s.stopped(ctx, err)
	}
	if len(s.causes) > 0 {
		return *r, &Incomplete{Report: *r, Causes: s.causes}
	}
	s.shrink(ctx)
	if err := s.o.Store.CheckSlice(ctx); store.IsKind(err, store.Corrupt) {
		r.warn("the corpus is damaged: %v; mend it with: biomcp sync repair", err)
	}
	return *r, nil
}
