package intake

import (
	"context"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

// worker prepares groups until there are no more.
func (p *pipeline) worker() {
	cut := rag.NewCutter()
	for g := range p.work {
		err := p.try(func() error { return p.prepare(cut, g) })
		if err == nil && p.pipelineMaker() != nil {
			p.embeds <- g
			continue
		}
		p.collect(g, err)
	}
}

// embedder makes the vectors of groups until there are no more.
func (p *pipeline) embedder() {
	for g := range p.embeds {
		p.collect(g, p.try(func() error { p.embed(g); return nil }))
	}
}

// try runs a step of the pipeline. If the pipeline has ended, it returns the reason instead. It
// converts a panic to an error, so that every group is still collected. finish panics again in
// the goroutine of its caller.
func (p *pipeline) try(step func() error) (err error) {
	if p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	p.caught.Try(func() { err = step() })
	if r := p.caught.Recovered(); r != nil {
		return r.AsError()
	}
	return err
}

// embed makes the vectors of the new documents of a group. After a failure it makes no more:
// the documents are stored without vectors, and the next sync makes them.
func (p *pipeline) embed(g *group) {
	var docs []*store.Document
	for i, d := range g.docs {
		if d != nil && g.fresh[i] {
			docs = append(docs, d)
		}
	}
	if len(docs) == 0 || p.withoutVectors.Load() {
		return
	}
	err := p.pipelineMaker().documents(p.readerCtx, docs)
	if err != nil && p.withoutVectors.CompareAndSwap(false, true) {
		p.unembedded.Store(true)
		if p.readerCtx.Err() == nil {
			p.fail(err)
		}
	}
}

// prepare normalises a group, and cuts and analyses its new documents.
func (p *pipeline) prepare(cut *rag.Cutter, g *group) error {
	pmids := make([]record.PMID, 0, len(g.entries))
	for _, e := range g.entries {
		if e.alone {
			pmids = append(pmids, e.pmid)
		}
	}
	states, err := p.o.Store.States(p.ctx, pmids)
	if err != nil {
		return err
	}
	g.docs, g.fresh = make([]*store.Document, len(g.entries)), make([]bool, len(g.entries))
	for i := range g.entries {
		e := &g.entries[i]
		old := states[e.pmid]
		if e.article == nil {
			continue
		}
		doc, err := Document(e.article)
		if err != nil {
			return err
		}
		g.maxEDAT = max(g.maxEDAT, doc.EDAT)
		g.fresh[i] = true
		if e.alone && old.Version > 0 {
			next, action := old.Put(doc, g.batch.file)
			g.fresh[i] = action != store.Skip
			if next == old && !p.putKnown {
				g.skipped++
				continue
			}
		}
		if g.fresh[i] {
			cut.Cut(doc)
		}
		g.docs[i] = doc
	}
	return nil
}

// collect adds a group to its batch. If err is not nil, it stops the pipeline instead.
func (p *pipeline) collect(g *group, err error) {
	if err == nil {
		err = p.try(func() error { return g.put(p.engine == nil) })
	}
	if err != nil {
		p.stop(err)
	}
	b := g.batch
	b.mu.Lock()
	if p.engine != nil {
		b.groupsForEngine = append(b.groupsForEngine, g)
	}
	b.skipped += g.skipped
	b.maxEDAT = max(b.maxEDAT, g.maxEDAT)
	b.mu.Unlock()
	b.pending.Done()
}

// put adds the documents of a group to the batch. If release is set, it frees their terms.
func (g *group) put(release bool) error {
	for i, e := range g.entries {
		switch {
		case e.article == nil:
			g.batch.stored.Delete(e.pmid, e.asOf)
		case g.docs[i] != nil && g.fresh[i]:
			if err := g.batch.stored.Put(g.docs[i]); err != nil {
				return err
			}
			if release {
				rag.Release(g.docs[i])
			}
		case g.docs[i] != nil:
			cut := func(d *store.Document) { rag.NewCutter().Cut(d) }
			if err := g.batch.stored.PutKnown(g.docs[i], cut); err != nil {
				return err
			}
		}
	}
	return nil
}

// writer commits batches.
func (p *pipeline) writer() {
	defer close(p.done)
	for b := range p.commits {
		b.pending.Wait()
		if err := p.try(func() error { return p.commit(b) }); err != nil {
			p.stop(err)
		}
	}
}

func (p *pipeline) commit(b *batch) error {
	if p.engine != nil {
		if err := p.engine.applyBatch(p.ctx, b); err != nil {
			return err
		}
	}
	for _, mark := range b.marks {
		mark(b.stored)
	}
	done, err := b.stored.Commit(p.ctx)
	for try := 1; store.IsKind(err, store.Locked) && try < maxAttempts; try++ {
		done, err = b.stored.Commit(p.ctx) // another process has held the lock for long
	}
	if err != nil {
		return err
	}
	p.forget(b)
	for _, f := range b.after {
		f()
	}
	if done.Unmerged != nil && p.readerCtx.Err() == nil && !p.warnedUnmerged {
		p.warnedUnmerged = true
		p.warn("parts of the index were not merged, which makes searches slower: %v; the next sync tries again",
			done.Unmerged)
	}
	p.step(func(now *Progress) {
		now.Stored += b.entries
		r := &p.report
		r.Inserted += done.Inserted
		r.Updated += done.Updated
		r.Skipped += done.Skipped + b.skipped
		r.Deleted += done.Deleted
		r.updateMaxEDAT(b.maxEDAT)
	})
	return nil
}

// forget removes the records of a batch from those in flight.
func (p *pipeline) forget(b *batch) {
	p.inFlightMu.Lock()
	defer p.inFlightMu.Unlock()
	for _, pmid := range b.pmids {
		if p.inFlight[pmid].batch == b {
			delete(p.inFlight, pmid)
		}
	}
}
