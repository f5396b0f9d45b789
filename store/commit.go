package store

import (
	"context"
	"maps"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/rows"
	"biomcp/store/wordindex"
)

// CommitResult reports the effect of a batch. Inserted, Updated and Skipped add up to the number of
// puts. Deleted counts the deletions of documents that existed.
type CommitResult struct {
	Inserted, Updated, Skipped, Deleted int

	// Unmerged is the error, if any, of merging index parts or arranging codes after the batch was
	// stored. Nothing is lost; the next batch tries again.
	Unmerged error
}

// Commit stores the batch in one transaction. Afterwards searches find everything; if it fails,
// nothing changes. It then merges index parts and arranges codes if that is due; cancelling ctx
// postpones that.
func (b *Batch) Commit(ctx context.Context) (CommitResult, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var done CommitResult
	err := b.s.db.Write(ctx, "commit", func(w *rows.Conn) error {
		c := commit{Batch: b, w: w, newStates: map[record.PMID]State{}, newContents: map[record.PMID]*operation{}}
		err := c.run(ctx)
		done = c.result
		return err
	})
	if err != nil {
		b.s.bodies.forget()
		return CommitResult{}, err
	}
	if b.terms != nil {
		b.terms.Reset()
		vocabularies.Put(b.terms)
	}
	b.ops, b.terms, b.files, b.slices, b.filePMIDs, b.forgetBefore = nil, nil, nil, nil, nil, 0
	done.Unmerged = b.s.tidyUp(ctx)
	return done, nil
}

// commit is one attempt to write a batch. It changes the batch only by complete.
type commit struct {
	*Batch
	w           *rows.Conn
	result      CommitResult
	oldStates   map[record.PMID]State      // states before the batch
	newStates   map[record.PMID]State      // states after it
	newContents map[record.PMID]*operation // operations whose content is stored; nil for a deletion
}

func (c *commit) run(ctx context.Context) (err error) {
	pmids := make([]record.PMID, len(c.ops))
	for i := range c.ops {
		pmids[i] = c.ops[i].PMID
	}
	if c.oldStates, err = statesOf(c.w, pmids); err != nil {
		return err
	}
	for i := range c.ops {
		if err := c.apply(&c.ops[i]); err != nil {
			return err
		}
	}
	changed := slices.Sorted(maps.Keys(c.newContents))
	for _, step := range []func() error{
		func() error { return c.writeDocuments(ctx, changed) },
		func() error { return c.writeStates() },
		func() error { return c.updateIndex(ctx, changed) },
		func() error { return c.writeProgress() },
		func() error { // second copies of codes (package rows), stored after everything else
			const insertPage = "INSERT INTO page(id,data) SELECT ?1+id, data FROM code" +
				" WHERE ?1+id NOT IN (SELECT id FROM page)"
			return c.w.Exec(insertPage, rows.CopyOfCode)
		},
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// apply decides the effect of an operation.
func (c *commit) apply(op *operation) error {
	was, seen := c.newStates[op.PMID]
	if !seen {
		was = c.oldStates[op.PMID]
	}
	next, action := was, Skip
	switch {
	case op.restored != nil:
		if next, action = was.restore(*op.restored); action == Insert {
			c.result.Inserted++
		}
	case op.remove:
		next = was.delete(op.revised, c.file)
	default:
		next, action = was.put(op.pmidVersion, op.revised, op.hash, c.file)
		if op.knownDoc != nil && action != Skip {
			if err := c.complete(op); err != nil {
				return err
			}
		}
		switch action {
		case Insert:
			c.result.Inserted++
		case Update:
			c.result.Updated++
		default:
			c.result.Skipped++
		}
	}
	if action != Skip {
		c.newContents[op.PMID] = op
	} else if next.Deleted && !was.Deleted {
		c.newContents[op.PMID] = nil
		if was.Version > 0 {
			c.result.Deleted++
		}
	}
	c.newStates[op.PMID] = next
	return nil
}

// writeDocuments writes the new contents of the changed documents.
func (c *commit) writeDocuments(ctx context.Context, changed []record.PMID) error {
	var more, deleted int64
	for _, pmid := range changed {
		was := c.oldStates[pmid]
		if was.Deleted {
			deleted--
		} else if was.Version > 0 {
			more--
		}
		if c.newContents[pmid] == nil {
			deleted++
		} else {
			more++
		}
	}
	documents, err := c.count("documents", more)
	if err != nil {
		return err
	}
	if _, err := c.count("deleted", deleted); err != nil {
		return err
	}
	if _, err := c.count(changesKey, int64(len(changed))); err != nil {
		return err
	}
	if err := c.train(documents, changed); err != nil {
		return err
	}
	packer, err := c.s.bodies.packer(c.w)
	if err != nil {
		return err
	}
	for _, pmid := range changed {
		if err := ctx.Err(); err != nil {
			return err
		}
		var body any
		if op := c.newContents[pmid]; op != nil {
			packed := op.packed
			if packed == nil {
				packed = packer.pack(op.body)
			}
			body = packed
		}
		st := c.newStates[pmid]
		err := c.w.Exec(`INSERT INTO document(pmid,version,pmid_version,lr,hash,file,body) VALUES(?,?,?,?,?,?,?)
			ON CONFLICT DO UPDATE SET version=excluded.version, pmid_version=excluded.pmid_version, lr=excluded.lr,
			hash=excluded.hash, file=excluded.file, body=excluded.body`,
			pmid, st.Version, st.PMIDVersion, st.Revised, st.Hash, st.File, body)
		if err != nil {
			return err
		}
	}
	return nil
}

// writeStates writes deletions, and newer dates of documents whose content is unchanged.
func (c *commit) writeStates() error {
	for _, pmid := range slices.Sorted(maps.Keys(c.newStates)) {
		was, now := c.oldStates[pmid], c.newStates[pmid]
		if d := now.deletion; d != was.deletion {
			const insertDeletion = "INSERT OR REPLACE INTO deletion VALUES(?,?,?,?)"
			if err := c.w.Exec(insertDeletion, pmid, d.revised, d.file, d.undated); err != nil {
				return err
			}
		}
		if _, written := c.newContents[pmid]; written || now == was {
			continue
		}
		const updateDocument = "UPDATE document SET pmid_version=?, lr=?, hash=?, file=? WHERE pmid=?"
		if err := c.w.Exec(updateDocument, now.PMIDVersion, now.Revised, now.Hash, now.File, pmid); err != nil {
			return err
		}
	}
	return nil
}

// updateIndex removes the chunks of the old documents from the index and adds the chunks of the batch
// as a new segment.
func (c *commit) updateIndex(ctx context.Context, changed []record.PMID) error {
	if len(changed) == 0 {
		return nil
	}
	ix, err := c.s.words.Load(c.w)
	if err != nil {
		return err
	}
	var gone []record.PMID
	var entries []*wordindex.Entry
	for _, pmid := range changed {
		if was := c.oldStates[pmid]; was.Version > 0 && !was.Deleted {
			gone = append(gone, pmid)
		}
		if op := c.newContents[pmid]; op != nil && len(op.Chunks) > 0 {
			entries = append(entries, &op.Entry)
		}
	}
	generation := ix.Generation + 1
	src := c.s.words.Source(c.w)
	for _, g := range ix.Segments {
		if err := g.Remove(src, gone, generation); err != nil {
			return err
		}
	}
	if err := wordindex.Write(ctx, c.w, c.terms, entries); err != nil {
		return err
	}
	if err := c.updateVectors(changed, generation); err != nil {
		return err
	}
	return c.w.SetMeta("generation", generation)
}

// updateVectors removes the vectors of the old documents under every model and adds those of the batch
// under its model.
func (c *commit) updateVectors(changed []record.PMID, generation int64) error {
	models, err := c.s.models(c.w)
	if err != nil {
		return err
	}
	for _, m := range models {
		var changes []vectorChange
		for _, pmid := range changed {
			ch := vectorChange{pmid: pmid, replace: true}
			if op := c.newContents[pmid]; op != nil && m.ID == c.model {
				for i, v := range op.vectors {
					if v == nil {
						continue
					}
					if err := m.checkVector("commit", v); err != nil {
						return err
					}
					ch.ordinals = append(ch.ordinals, uint16(i))
					ch.vectors = append(ch.vectors, v)
				}
			}
			if was := c.oldStates[pmid]; len(ch.ordinals) > 0 || was.Version > 0 && !was.Deleted {
				changes = append(changes, ch)
			}
		}
		if len(changes) == 0 {
			continue
		}
		if err := c.s.applyChanges(c.w, m, changes, generation); err != nil {
			return err
		}
	}
	return nil
}

// writeProgress writes provenance, and marks the files and job parts that the batch completes.
func (c *commit) writeProgress() error {
	if len(c.ops) > 0 && c.source != "" {
		source, err := c.sourceID()
		if err != nil {
			return err
		}
		at := c.s.o.Now().Unix()
		for _, pmid := range slices.Sorted(maps.Keys(c.oldStates)) {
			if err := c.w.Exec("INSERT OR REPLACE INTO provenance VALUES(?,?,?)", pmid, source, at); err != nil {
				return err
			}
		}
		if err := c.noteChanges(source); err != nil {
			return err
		}
	}
	for _, f := range c.files {
		const insertFile = "INSERT OR REPLACE INTO file VALUES(?,?,?,?,?)"
		if err := c.w.Exec(insertFile, f.Path, f.Size, f.ModTime.UnixNano(), f.Hash, c.s.now()); err != nil {
			return err
		}
	}
	for _, part := range c.Batch.slices {
		if err := c.w.Exec("INSERT OR IGNORE INTO job_slice VALUES(?,?)", part[0], part[1]); err != nil {
			return err
		}
	}
	return c.writeFilePMIDs()
}

// sourceID returns the number of the source of the batch, which it adds if there is none. The index of
// the names has no checksums in a file of layout 1, so the row must have the name, and a name that the
// index lacks must be missing from the table too: the source would otherwise get a second number, and
// lose what it keeps.
func (c *commit) sourceID() (id int64, err error) {
	const byIndex = "SELECT id FROM source WHERE id=(SELECT id FROM source WHERE name=?1) AND +name=?1 AND "
	found, err := c.w.RowFound(byIndex+intact("source"), []any{c.source}, &id)
	if err != nil || found {
		return id, err
	}
	byTable := "SELECT id FROM source NOT INDEXED WHERE " + intact("source") + " AND +name=?"
	found, err = c.w.RowFound(byTable, []any{c.source}, &id)
	if err == nil && found {
		err = rows.ErrDamaged // the index lacks it
	}
	if err != nil {
		return 0, err
	}
	return c.w.Insert("INSERT INTO source(name) VALUES(?)", c.source)
}
