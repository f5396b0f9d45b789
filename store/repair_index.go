package store

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/rows"
	"biomcp/store/wordindex"
)

// reindex drops the broken segments of the word index and indexes their documents again, and those
// whose chunks are not all indexed.
func (m *inPlaceRepair) reindex(ctx context.Context) error {
	ix, err := m.s.words.Load(m.w)
	if err != nil {
		return err
	}
	again := maps.Clone(m.check.badDocuments)
	src := m.s.words.Source(m.w)
	m.generation = ix.Generation + 1
	var rest []*wordindex.Segment
	for _, g := range ix.Segments {
		if !m.segments[g.ID] {
			rest = append(rest, g)
			continue
		}
		if err := m.addSegmentDocuments(src, g, again); err != nil {
			return err
		}
		if err := m.w.Exec("UPDATE segment SET state=2 WHERE id=?", g.ID); err != nil {
			return err
		}
	}
	pmids := slices.Sorted(maps.Keys(again))
	for _, g := range rest {
		if err := g.Remove(src, pmids, m.generation); err != nil {
			return err
		}
	}
	for n := 0; len(pmids) > 0; {
		part := pmids[:min(len(pmids), 2000)]
		pmids = pmids[len(part):]
		if err := m.writeIndex(ctx, part); err != nil {
			return err
		}
		if n += len(part); m.Progress != nil {
			m.Progress(int64(n), int64(len(again)))
		}
	}
	return m.w.SetMeta("generation", m.generation)
}

// addSegmentDocuments adds the documents that a broken segment may hold: those it lists or, if its list is damaged,
// all between its first and its last PMID. Documents that other segments hold are removed from
// these and indexed again with the others.
func (m *inPlaceRepair) addSegmentDocuments(src wordindex.Source, g *wordindex.Segment,
	pmids map[record.PMID]bool) error {
	for i := range uint32(g.Chunks) {
		id, err := g.ChunkID(src, i)
		if rows.IsDamaged(err) {
			const selectDocument = "SELECT pmid FROM document WHERE body IS NOT NULL AND pmid BETWEEN ? AND ?"
			return m.w.Each(selectDocument, []any{g.MinPMID, g.MaxPMID}, func(scan func(...any) error) error {
				var pmid record.PMID
				err := scan(&pmid)
				pmids[pmid] = true
				return err
			})
		}
		if err != nil {
			return err
		}
		pmids[record.PMID(id)] = true
	}
	return nil
}

// writeIndex indexes the existing documents among pmids as one segment.
func (m *inPlaceRepair) writeIndex(ctx context.Context, pmids []record.PMID) error {
	b := m.s.Begin("")
	for _, pmid := range pmids {
		doc, err := m.readDocument(pmid)
		if rows.IsDamaged(err) {
			return errNotRepairable // the check missed it
		}
		if errors.Is(err, sql.ErrNoRows) || err == nil && doc == nil {
			continue
		}
		if err != nil {
			return err
		}
		m.Index(doc)
		if err := b.Put(doc); err != nil {
			return err
		}
	}
	var entries []*wordindex.Entry
	for i := range b.ops {
		if len(b.ops[i].Chunks) > 0 {
			entries = append(entries, &b.ops[i].Entry)
		}
	}
	return errors.Join(wordindex.Write(ctx, m.w, b.terms, entries), ctx.Err())
}

// recount recounts the documents and dates lost deletions.
func (m *inPlaceRepair) recount(context.Context) error {
	const insert = "INSERT OR REPLACE INTO meta SELECT ?, count(*) FROM document WHERE body IS "
	if err := m.w.Exec(insert+"NOT NULL", "documents"); err != nil {
		return err
	}
	if err := m.w.Exec(insert+"NULL", "deleted"); err != nil {
		return err
	}
	var changes int64
	if err := m.w.Meta(changesKey, &changes); err != nil {
		return err
	}
	if err := m.w.SetMeta(changesKey, changes+int64(len(m.lost))); err != nil {
		return err
	}
	return m.w.Exec(lostDeletions)
}

// recordLost adds the lost documents to the list that LostRecords returns.
func (m *inPlaceRepair) recordLost(context.Context) error {
	m.found.records = max(0, m.found.records-int64(len(m.lost)))
	m.found.pmids = m.lost
	return addLost(m.w, m.found.outstanding(m.s.o.Now()))
}
