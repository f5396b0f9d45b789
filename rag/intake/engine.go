package intake

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

// engineKey is the key of the job that lists the documents that the external engine lacks. It
// cannot be a query key.
const engineKey = "--index"

// An engine keeps an external index current. It is given each batch before the commit, so that
// a sync killed between the two repeats both. After its first failure, each batch is committed
// with a note of the documents that the engine lacks, and the next sync sends them.
type engine struct {
	*session
	index  rag.Index
	fresh  bool  // the corpus was empty when this run began
	model  int64 // ID of the model whose vectors the engine was given in this run
	failed bool

	noting   sync.Mutex
	notesJob string // job that holds the notes, or "" before the first
}

// useModels tells the engine which models its vectors will have: m, and the corpus's own model
// if m belongs to a service.
func (e *engine) useModels(ctx context.Context, m store.Model) error {
	e.model = m.ID
	index, ok := e.index.(interface {
		UseModels(ctx context.Context, used, second store.Model) error
	})
	if !ok {
		return nil
	}
	second, err := e.secondModel(ctx)
	if err != nil {
		return err
	}
	return index.UseModels(ctx, m, second)
}

// secondModel returns the corpus's own model that is in use beside a service's, or the zero
// model if there is none.
func (e *engine) secondModel(ctx context.Context) (store.Model, error) {
	models, err := e.o.Store.Models(ctx)
	for _, m := range models {
		if m.IsSecond && e.o.Embedder != nil {
			return m, err
		}
	}
	return store.Model{}, err
}

// openEngine brings the engine up to date if it lags behind the corpus. If a sync runs without
// the engine, but an engine was given all or part of the corpus before, it only opens the
// notes.
func (s *session) openEngine(ctx context.Context) error {
	state, err := s.o.Store.Meta(ctx, engineMeta)
	if err != nil {
		return err
	}
	given := state == inStep || state == oldVectors
	if s.o.Index == nil {
		_, moving, err := s.o.Store.UnfinishedJob(ctx, moveKey)
		if err != nil || !given && !moving {
			return err
		}
		s.engine = &engine{session: s, failed: true}
		return s.engine.openJob(ctx)
	}
	stats, err := s.o.Store.Stats(ctx)
	if err != nil {
		return err
	}
	if !given && stats.Documents == 0 {
		if err := s.o.Store.SetMeta(ctx, engineMeta, inStep); err != nil {
			return err
		}
	}
	s.engine = &engine{session: s, index: s.o.Index, fresh: stats.Documents == 0}
	if s.maker != nil && !s.maker.model.InUse { // the first model: the engine has no vectors yet
		if err := s.engine.useModels(ctx, s.maker.model); err != nil {
			s.engine.markFailed(ctx, err)
		}
	}
	if err := s.engine.openJob(ctx); err != nil {
		return err
	}
	return s.engine.catchUp(ctx)
}

// openJob finds the job that lists the documents that the engine lacks.
func (e *engine) openJob(ctx context.Context) error {
	job, ok, err := e.o.Store.UnfinishedJob(ctx, engineKey)
	if ok {
		e.notesJob = job.ID
	}
	return err
}

// catchUp sends the engine the documents that it lacks. It returns errors of the corpus and of
// ctx only.
func (e *engine) catchUp(ctx context.Context) error {
	if e.notesJob == "" || e.failed {
		return nil
	}
	notes, err := e.o.Store.StoredSlices(ctx, e.notesJob)
	if err != nil {
		return err
	}
	for note := range notes {
		pmids := parseNote(note)
		docs, err := e.o.Store.DocumentsByPMID(ctx, pmids)
		if err != nil {
			return err
		}
		if err := e.update(ctx, pmids, docs); err != nil {
			e.markFailed(ctx, err)
			return nil
		}
	}
	job := e.notesJob
	e.notesJob = ""
	return e.o.Store.FinishJob(ctx, job, "")
}

func (e *engine) markFailed(ctx context.Context, err error) {
	e.failed = true
	if ctx.Err() == nil {
		e.fail(err)
	}
}

// formatNote joins PMIDs into the name of a job slice.
func formatNote(pmids []record.PMID) string {
	var b []byte
	for _, pmid := range pmids {
		b = append(strconv.AppendUint(b, uint64(pmid), 10), ',')
	}
	return string(b)
}

func parseNote(s string) []record.PMID {
	var pmids []record.PMID
	for id := range strings.SplitSeq(s, ",") {
		if pmid, err := record.ParsePMID(id); err == nil {
			pmids = append(pmids, pmid)
		}
	}
	return pmids
}

// update makes the engine hold these documents as the corpus does, and removes the PMIDs
// without one.
func (e *engine) update(ctx context.Context, pmids []record.PMID, docs map[record.PMID]*store.Document) error {
	var put []*store.Document
	var gone []record.PMID
	cut := rag.NewCutter()
	for _, pmid := range pmids {
		if d := docs[pmid]; d != nil {
			cut.Cut(d)
			put = append(put, d)
		} else {
			gone = append(gone, pmid)
		}
	}
	if err := e.setVectors(ctx, put); err != nil {
		return err
	}
	return e.change(ctx, put, gone)
}

// setVectors sets the stored vectors of documents. A local model makes those that are absent.
// Those of a service are sent once they are stored (noteMissingVectors).
func (e *engine) setVectors(ctx context.Context, docs []*store.Document) error {
	model, ok, err := e.vectorModel(ctx)
	if !ok || err != nil || len(docs) == 0 {
		return err
	}
	pmids := make([]record.PMID, 0, len(docs))
	for _, d := range docs {
		pmids = append(pmids, d.PMID)
	}
	stored, err := e.o.Store.Vectors(ctx, model, pmids)
	if err != nil {
		return err
	}
	second, err := e.secondModel(ctx)
	if err != nil {
		return err
	}
	own := map[record.PMID]map[int][]float32{}
	if second.ID != 0 {
		if own, err = e.o.Store.Vectors(ctx, second.ID, pmids); err != nil {
			return err
		}
	}
	var lacking []*store.Document
	for _, d := range docs {
		for i := range d.Chunks {
			d.Chunks[i].Vector, d.Chunks[i].SecondVector = stored[d.PMID][i], own[d.PMID][i]
		}
		if len(stored[d.PMID]) < len(d.Chunks) {
			lacking = append(lacking, d)
		}
	}
	if len(lacking) == 0 || e.o.Embedder != nil {
		return nil
	}
	return e.maker.documents(ctx, lacking)
}

// vectorModel returns the model whose vectors the engine is given: that of this run, or
// otherwise the one in use. ok is false if there is none.
func (e *engine) vectorModel(ctx context.Context) (id int64, ok bool, err error) {
	if e.maker != nil {
		return e.maker.model.ID, true, nil
	}
	models, err := e.o.Store.Models(ctx)
	i := slices.IndexFunc(models, func(m store.Model) bool { return m.InUse })
	if i < 0 || err != nil {
		return 0, false, err
	}
	return models[i].ID, true, nil
}

func (e *engine) change(ctx context.Context, put []*store.Document, removed []record.PMID) error {
	if len(removed) > 0 {
		if err := e.index.Delete(ctx, removed); err != nil {
			return err
		}
	}
	if len(put) == 0 {
		return nil
	}
	return e.index.Put(ctx, put)
}

// applyBatch sends the engine the changes of a batch before its commit. It returns errors of
// the corpus only. If the engine fails, it notes that in the batch.
func (e *engine) applyBatch(ctx context.Context, b *batch) error {
	put, gone, later, err := e.changes(ctx, b)
	if err != nil {
		return err
	}
	if e.second != nil { // the pipeline made vectors of the second model
		for _, d := range put {
			for i := range d.Chunks {
				d.Chunks[i].Vector, d.Chunks[i].SecondVector = nil, d.Chunks[i].Vector
			}
		}
	}
	if !e.failed {
		if err := e.change(ctx, put, gone); err != nil {
			e.markFailed(ctx, err)
		}
	}
	if e.failed {
		later = append(later, gone...)
		for _, d := range put {
			later = append(later, d.PMID)
		}
	}
	if len(later) == 0 {
		return nil
	}
	if err := e.openNotes(ctx); err != nil {
		return err
	}
	b.stored.SliceDone(e.notesJob, formatNote(later))
	return nil
}

// openNotes creates the job that holds the notes, if there is none yet.
func (e *engine) openNotes(ctx context.Context) error {
	e.noting.Lock()
	defer e.noting.Unlock()
	if e.notesJob != "" {
		return nil
	}
	job := engineKey + " " + e.report.JobID
	if e.report.JobID == "" { // outside a sync
		job = engineKey + " " + e.startTime.Format(time.RFC3339Nano)
	}
	err := e.o.Store.StartJob(ctx, store.Job{ID: job, Key: engineKey})
	if err == nil {
		e.notesJob = job
	}
	return err
}

// noteMissingVectors notes that documents are about to get vectors of a model. The next catchUp
// sends them to the engine.
func (e *engine) noteMissingVectors(ctx context.Context, m store.Model, pmids []record.PMID) error {
	if !m.InUse && !m.IsSecond && e.model != m.ID {
		return nil // Move sends everything once the model is in use
	}
	if err := e.openNotes(ctx); err != nil {
		return err
	}
	b := e.o.Store.Begin("")
	b.SliceDone(e.notesJob, formatNote(pmids))
	_, err := b.Commit(ctx)
	return err
}

// changes returns the documents that a batch will insert or update, and the PMIDs that it will
// remove. postponed lists PMIDs whose outcome is known only after the commit, for example those
// with several entries.
func (e *engine) changes(
	ctx context.Context, b *batch,
) (put []*store.Document, removed, postponed []record.PMID, err error) {
	states, err := e.o.Store.States(ctx, b.pmids)
	if err != nil {
		return nil, nil, nil, err
	}
	times := make(map[record.PMID]int, len(b.pmids))
	for _, pmid := range b.pmids {
		times[pmid]++
	}
	for pmid, n := range times {
		if n > 1 {
			postponed = append(postponed, pmid)
		}
	}
	for _, g := range b.groupsForEngine {
		for i, entry := range g.entries {
			next, action := states[entry.pmid], store.Skip
			switch d := g.docs[i]; {
			case times[entry.pmid] > 1:
				continue
			case entry.article == nil:
				next = next.Delete(entry.asOf, b.file)
			case d != nil:
				next, action = next.Put(d, b.file)
			}
			switch {
			case action != store.Skip && !g.fresh[i]: // changed in the corpus since; has no chunks yet
				postponed = append(postponed, entry.pmid)
			case action != store.Skip:
				put = append(put, g.docs[i])
			case next.Deleted:
				removed = append(removed, entry.pmid)
			}
		}
	}
	return put, removed, postponed, nil
}
