package intake

import (
	"context"
	"fmt"

	"biomcp/entrez/record"
	"biomcp/store"
)

const (
	// moveKey is the key and the lease of moves. It cannot be a query key.
	moveKey = "--move"
	// moveBatch is the number of documents in one call of the engine.
	moveBatch = 500

	// engineMeta is the metadata key for the state of the external engine. In state inStep it
	// has everything except the noted documents. In state oldVectors its vectors are of an
	// earlier model.
	engineMeta = "engine"
	inStep     = "in step"
	oldVectors = "old vectors"
)

// MoveResult reports the results of a move.
type MoveResult struct {
	Documents int64 `json:"documents"` // documents sent to the engine by this run
	Before    int64 `json:"before"`    // documents sent by an earlier, unfinished run
	Removed   int64 `json:"removed"`   // documents removed because the corpus does not hold them
}

// Move makes the engine of o hold every document of the corpus, with the vectors of the model
// in use, and nothing else. If it is stopped, the next run continues. The corpus file always
// holds everything, so nothing needs to be moved the other way.
//
// Move returns *store.HeldError if another process holds the lease, *ModelError, *store.Error,
// or an error of the embedder or the engine.
func Move(ctx context.Context, o Options) (MoveResult, error) {
	s, lease, err := begin(ctx, o, moveKey)
	if err != nil {
		return MoveResult{}, err
	}
	defer lease.Release()
	m := move{engine: &engine{session: s, index: o.Index}}
	err = m.run(ctx)
	return m.MoveResult, err
}

type move struct {
	*engine
	MoveResult
	lastPMID record.PMID // greatest PMID sent to the engine
}

func (m *move) run(ctx context.Context) error {
	var err error
	if m.maker, err = m.openModel(ctx); err != nil {
		return err
	}
	model := ""
	if m.maker != nil {
		model = m.maker.model.Name
		if err := m.useModels(ctx, m.maker.model); err != nil {
			return err
		}
	}
	if err := m.resume(ctx, model); err != nil {
		return err
	}
	before, err := m.countNotes(ctx)
	if err != nil {
		return err
	}
	stats, err := m.o.Store.Stats(ctx)
	if err != nil {
		return err
	}
	m.step(func(now *Progress) { now.Records, now.TotalRecords = int(m.Before), int(stats.Documents) })
	docs := make(map[record.PMID]*store.Document, moveBatch)
	var pmids []record.PMID
	for d, err := range m.o.Store.Documents(ctx, m.lastPMID) {
		if err != nil {
			return err
		}
		docs[d.PMID], pmids = d, append(pmids, d.PMID)
		if len(pmids) == moveBatch {
			if err := m.sendBatch(ctx, pmids, docs); err != nil {
				return err
			}
			clear(docs)
			pmids = pmids[:0]
		}
	}
	if err := m.sendBatch(ctx, pmids, docs); err != nil {
		return err
	}
	if err := m.removeStale(ctx); err != nil {
		return err
	}
	if err := m.o.Store.SetMeta(ctx, engineMeta, inStep); err != nil {
		return err
	}
	if err := m.sendNoted(ctx, before); err != nil {
		return err
	}
	return m.o.Store.FinishJob(ctx, m.report.JobID, "")
}

// sendNoted sends the engine the documents that syncs have noted for it, unless all notes are
// older than a complete move in a single run.
func (m *move) sendNoted(ctx context.Context, before int) error {
	notes, err := m.countNotes(ctx)
	if err != nil || m.notesJob == "" {
		return err
	}
	if m.Before == 0 && notes == before {
		return m.o.Store.FinishJob(ctx, m.notesJob, "")
	}
	if err := m.catchUp(ctx); err != nil {
		return err
	}
	if m.failed {
		return m.causes[0]
	}
	return nil
}

// countNotes returns the number of notes.
func (m *move) countNotes(ctx context.Context) (int, error) {
	if err := m.openJob(ctx); err != nil {
		return 0, err
	}
	notes, err := m.o.Store.StoredSlices(ctx, m.notesJob)
	return len(notes), err
}

// resume continues an unfinished move of the same model in a new job.
func (m *move) resume(ctx context.Context, model string) error {
	job, ok, err := m.o.Store.UnfinishedJob(ctx, moveKey)
	if err != nil {
		return err
	}
	if ok && job.Term == model {
		notes, err := m.o.Store.StoredSlices(ctx, job.ID)
		if err != nil {
			return err
		}
		for note := range notes {
			var after record.PMID
			var before int64
			if _, err := fmt.Sscan(note, &after, &before); err == nil && after > m.lastPMID {
				m.lastPMID, m.Before = after, before
			}
		}
		have, err := m.index.Documents(ctx)
		if err != nil {
			return err
		}
		if have == 0 { // the engine is new, or was cleared for the models of this move
			m.lastPMID, m.Before = 0, 0
		}
	}
	if err := m.startJob(ctx, store.Job{Key: moveKey, Term: model}); err != nil {
		return err
	}
	return m.saveProgress(ctx)
}

// saveProgress records how far the move has come.
func (m *move) saveProgress(ctx context.Context) error {
	b := m.o.Store.Begin("")
	b.SliceDone(m.report.JobID, fmt.Sprint(m.lastPMID, m.Before+m.Documents))
	_, err := b.Commit(ctx)
	return err
}

func (m *move) sendBatch(ctx context.Context, pmids []record.PMID, docs map[record.PMID]*store.Document) error {
	if len(pmids) == 0 {
		return nil
	}
	if err := m.update(ctx, pmids, docs); err != nil {
		return err
	}
	m.lastPMID = pmids[len(pmids)-1]
	m.Documents += int64(len(pmids))
	m.step(func(now *Progress) { now.Records += len(pmids) })
	return m.saveProgress(ctx)
}

// removeStale removes documents from the engine that the corpus does not hold.
func (m *move) removeStale(ctx context.Context) error {
	var pmids []record.PMID
	last := record.PMID(0)
	check := func() error {
		states, err := m.o.Store.States(ctx, pmids)
		if err != nil {
			return err
		}
		var gone []record.PMID
		for _, pmid := range pmids {
			if st := states[pmid]; st.Version == 0 || st.Deleted {
				gone = append(gone, pmid)
			}
		}
		m.Removed += int64(len(gone))
		pmids = pmids[:0]
		return m.change(ctx, nil, gone)
	}
	for place, err := range m.index.Chunks(ctx, 0) {
		if err != nil {
			return err
		}
		if place.PMID == last {
			continue
		}
		last = place.PMID
		if pmids = append(pmids, last); len(pmids) == moveBatch {
			if err := check(); err != nil {
				return err
			}
		}
	}
	return check()
}
