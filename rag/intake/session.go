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

// Options holds the options of all syncs. Only Store is required.
type Options struct {
	Store    *store.Store
	Now      func() time.Time // nil means time.Now
	Progress func(Progress)   // may be nil; called often, by one goroutine at a time

	// Embedder makes the vectors of chunks. If it is nil, a model fitted on the corpus does. A
	// sync fails if the corpus has vectors of another embedder.
	Embedder rag.Embedder
	// Table, if not nil, is joined to the model that is fitted on the corpus. It applies to
	// corpora without an Embedder.
	Table *static.Table
	// NoVectors disables vectors: the sync makes none and fits no model, for a bulk load before
	// an UpdateVectors.
	NoVectors bool
	// Index, if not nil, is an external engine to keep current. If it has a method
	// UseModels(ctx, used, second), new models are passed to it.
	Index rag.Index

	batch int // maximum records per transaction, for tests; zero means importBatch or deltaBatch
	block int // records per EFetch, for tests; zero means entrez.FetchBatch
}

// Progress describes how far a sync has come. A total of zero is unknown.
type Progress struct {
	File         string // name of the file being read, without its folder
	Records      int    // number of records read
	TotalRecords int
	Bytes        int64 // number of bytes read, as stored on the disk
	TotalBytes   int64
	Stored       int // number of records that are committed or skipped
	Vectors      int // number of vectors made after the records
	TotalVectors int
	Parts        int // number of parts of the corpus that were checked
	TotalParts   int
}

// Line formats the progress of a sync that has run for the duration took. It counts the stored
// records, not those read: a sync that is stopped now keeps them.
func (p Progress) Line(took time.Duration) string {
	line := fmt.Sprintf("%d records stored", p.Stored)
	if p.TotalRecords > 0 {
		line = fmt.Sprintf("%d of %d records stored", p.Stored, p.TotalRecords)
	}
	if s := took.Seconds(); s >= 1 {
		line += fmt.Sprintf(", %.0f a second", float64(p.Stored)/s)
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

// A session is one run of a sync.
type session struct {
	o         Options
	startTime time.Time
	report    Report
	maker     *maker  // makes the vectors; nil if none are made
	second    *maker  // the corpus's own model beside a service's, or nil
	engine    *engine // nil if there is no external engine

	unembedded     atomic.Bool // making vectors has failed; some are absent
	withoutVectors atomic.Bool // the pipeline makes no more vectors, because that has failed

	mu       sync.Mutex // guards the fields below, and report while a pipeline runs
	lastFile string     // name of the file stored last
	causes   []error
	progress Progress
}

// begin opens a session and takes the lease of key.
func begin(ctx context.Context, o Options, key string) (*session, *store.Lease, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &session{o: o, startTime: o.Now().UTC().Truncate(time.Second), report: Report{Warnings: []string{}}}
	lease, err := lease(ctx, o.Store, key)
	return s, lease, err
}

// lease takes the lease of a key. If another process holds it, the error names the work in
// progress instead of an internal key.
func lease(ctx context.Context, s *store.Store, key string) (*store.Lease, error) {
	l, err := s.Lease(ctx, key)
	if held, ok := errors.AsType[*store.HeldError](err); ok {
		held.Work = map[string]string{
			importKey:   "an import",
			mirrorLease: "an import of all of PubMed",
			vectorsKey:  "making vectors",
			moveKey:     "copying the corpus to the engine",
		}[key]
	}
	return l, err
}

// startJob writes the job of this run into the corpus. Its ID contains the start time of the
// run. If several runs start within a second, the later ones get a fraction, which RFC 3339
// allows.
func (s *session) startJob(ctx context.Context, job store.Job) error {
	job.Started = cmp.Or(job.Started, rfc3339(s.startTime))
	const attempts = 100
	var err error
	for i := range attempts {
		job.ID = "sync_" + s.startTime.Add(time.Duration(i)*time.Millisecond).Format(time.RFC3339Nano)
		if err = s.o.Store.StartJob(ctx, job); !store.IsKind(err, store.Failed) {
			break
		}
	}
	s.report.JobID = job.ID
	return err
}

func rfc3339(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// fail adds a reason why the sync is incomplete.
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

// noteStop adds err, or otherwise the error of ctx, as the most serious cause. It reports
// whether there was one.
func (s *session) noteStop(ctx context.Context, err error) bool {
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		s.causes = slices.Insert(s.causes, 0, err)
	}
	return err != nil
}

// setup opens the models and the engine for the records.
func (s *session) setup(ctx context.Context) error {
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

// completeIndex updates engine and vectors after the records are stored. failed is the error of
// the pipeline, or nil.
func (s *session) completeIndex(ctx context.Context, failed error) {
	if s.noteStop(ctx, failed) {
		return
	}
	if s.engine != nil && s.noteStop(ctx, s.engine.catchUp(ctx)) || s.unembedded.Load() {
		return
	}
	if err := s.updateVectors(ctx); err != nil && !s.noteStop(ctx, nil) {
		s.fail(err)
	}
	if s.engine != nil && ctx.Err() == nil { // for the new vectors
		s.noteStop(ctx, s.engine.catchUp(ctx))
	}
}

// shrink returns unused pages of the corpus to the system. Errors are ignored: no result
// depends on it, and the next run tries again.
func (s *session) shrink(ctx context.Context) { _ = s.o.Store.Shrink(ctx) }

// end finishes the job and returns the report. If there are causes, the error is *Incomplete
// and the job stays unfinished for the next run.
func (s *session) end(ctx context.Context) (Report, error) {
	r := &s.report
	r.Processed = r.Inserted + r.Updated + r.Skipped
	if r.Deleted > 0 {
		r.warn("%s deleted", english.Plural(r.Deleted, "document", ""))
	}
	if ctx.Err() == nil {
		s.noteStop(ctx, s.warnMissing(ctx))
	}
	if len(s.causes) == 0 {
		kept := *r
		kept.News = News{} // stored with the documents
		text, err := json.Marshal(kept)
		if err == nil {
			err = s.o.Store.FinishJob(ctx, r.JobID, string(text))
		}
		s.noteStop(ctx, err)
	}
	if len(s.causes) > 0 {
		return *r, &Incomplete{Report: *r, Causes: s.causes}
	}
	s.shrink(ctx)
	if err := s.o.Store.CheckSlice(ctx); store.IsKind(err, store.Corrupt) {
		r.warn("the corpus is damaged: %v; repair it with: biomcp sync repair", err)
	}
	return *r, nil
}
