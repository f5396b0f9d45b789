package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"biomcp/entrez/record"
	"biomcp/store/damaged"
	"biomcp/store/rows"
	"biomcp/store/wordindex"
)

// errBeyond says that a corpus is not mended by changes of its rows.
var errBeyond = errors.New("rows alone do not mend it")

const (
	// lostSources gives those a name whose own is lost.
	lostSources = "INSERT OR IGNORE INTO source SELECT DISTINCT source, 'source ' || source || ', whose name was lost' FROM provenance WHERE source NOT IN (SELECT id FROM source)"
	// lostDeletions dates those whose own date is lost: what is stored of them is deleted,
	// and does not come back with the file that brought it.
	lostDeletions = "INSERT OR IGNORE INTO deletion SELECT pmid, max(lr,1), 0, 0 FROM document WHERE body IS NULL"
)

// mending changes the rows that a check found damaged, in one transaction: what can be
// made again from documents or from a second copy is, and documents that cannot be read
// are removed, and lost.
type mending struct {
	Repair
	s    *Store
	w    *rows.Conn
	k    *check
	lost map[record.PMID]bool

	generation int64                // of the word index after it
	segments   map[int64]bool       // parts of the word index that are made again
	vectors    map[record.PMID]bool // documents whose vectors are forgotten
}

// mend mends in place what the check found; mended is false if that cannot be done. It
// takes as long as what is broken is large; killed or failed, it has changed nothing.
func (r Repair) mend(ctx context.Context, k *check) (lost map[record.PMID]bool, mended bool, err error) {
	if k == nil && !r.Force { // it cannot be opened; its header can be why
		restored, _ := rows.RestoreHeader(ctx, r.path(FileName), layouts())
		return nil, restored, nil // what fails here is rebuilt
	}
	if k == nil || k.unreadable || r.Force {
		return nil, false, nil
	}
	s, err := r.open(ctx, FileName, false) // its writers are locked out
	if err != nil {
		return nil, false, nil // what cannot be opened is rebuilt
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for key, value := range r.Meta { // the words of the rest follow other rules
		if now, err := s.Meta(ctx, key); err != nil || now != value {
			return nil, false, nil
		}
	}
	m := &mending{Repair: r, s: s, k: k, lost: map[record.PMID]bool{}, segments: map[int64]bool{}, vectors: maps.Clone(k.vectorsOf)}
	err = s.db.Write(ctx, repairing, func(w *rows.Conn) error {
		m.w = w
		return m.run(ctx)
	})
	if errors.Is(err, errBeyond) || rows.Damaged(err) {
		return nil, false, nil
	}
	if err == nil {
		_ = s.tidyUp(ctx) // it is put off, as after any commit
	}
	return m.lost, err == nil, err
}

func (m *mending) run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{m.copies, m.pages, m.others, m.documents, m.index, m.embeddings, m.counts, m.remember} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// bad returns columns of the rows of a table that are not what was stored: numbers.
func (m *mending) bad(table string, columns ...string) (list [][]int64, err error) {
	for _, t := range m.parts(table) {
		err := m.w.Each("SELECT "+strings.Join(columns, ",")+damagedRows(t), []any{t.First, t.Last}, func(scan func(...any) error) error {
			row, into := make([]int64, len(columns)), make([]any, len(columns))
			for i := range row {
				into[i] = &row[i]
			}
			err := scan(into...)
			list = append(list, row)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// parts are the parts of a table with rows that are not what was stored.
func (m *mending) parts(table string) []damaged.Table {
	return slices.DeleteFunc(slices.Clone(m.k.parts), func(t damaged.Table) bool { return t.Name != table })
}

// damagedRows is what follows a SELECT or DELETE of the rows of a part that are damaged.
func damagedRows(t damaged.Table) string {
	return " FROM " + t.Name + " WHERE " + t.Key + " BETWEEN ? AND ? AND NOT (" + sums()[t.Name] + ")"
}

// remove removes the rows of a table that are not what was stored.
func (m *mending) remove(table string) (err error) {
	for _, t := range m.parts(table) {
		err = errors.Join(err, m.w.Exec("DELETE"+damagedRows(t), t.First, t.Last))
	}
	return err
}

// damaged reports whether a table has rows that are not what was stored.
func (m *mending) damaged(table string) bool { return len(m.parts(table)) > 0 }

// copies puts the second copy of a row in the place of a damaged one (package rows).
func (m *mending) copies(context.Context) error {
	for table, columns := range rows.Copied {
		if !m.damaged(table) {
			continue
		}
		var sum int64
		var data []byte
		found, err := m.w.Found("SELECT sum, data FROM page WHERE id=?", []any{rows.CopyOfTables}, &sum, &data)
		if err == nil && (!found || wordindex.PageRows.Check(sum, rows.CopyOfTables, data) != nil) {
			err = errBeyond
		}
		if err == nil {
			err = m.remove(table)
		}
		if err != nil {
			return err
		}
		if err := m.w.Exec("INSERT OR IGNORE INTO " + table + "(" + columns + ") SELECT " + columns + " FROM " + rows.Copy(table)); err != nil {
			return err
		}
	}
	if !m.damaged("code") {
		return nil
	}
	if err := m.remove("code"); err != nil {
		return err
	}
	return m.w.Exec("INSERT OR IGNORE INTO code(id,data) SELECT id-?1, data FROM page WHERE id>?1 AND id<2*?1 AND "+sums()["page"], rows.CopyOfCode)
}

// pages finds the parts of the word index that are made again, and removes damaged rows
// that are written again by themselves.
func (m *mending) pages(context.Context) error {
	list, err := m.bad("page", "id")
	for _, row := range list {
		m.segments[wordindex.SegmentOf(row[0])] = true
	}
	if err == nil {
		err = m.remove("page")
	}
	if err == nil {
		err = m.w.Exec("INSERT INTO page(id,data) SELECT ?1+id, data FROM code WHERE ?1+id NOT IN (SELECT id FROM page)", rows.CopyOfCode)
	}
	if err == nil {
		err = m.remove("dead")
	}
	if err != nil {
		return err
	}
	// What was removed of each, and its pages, are counted.
	return m.w.Each(`SELECT id, dead, bytes IS (SELECT sum(length(data)) FROM page WHERE page.id>=segment.id<<32 AND page.id<(segment.id+1)<<32) FROM segment WHERE state=1`, nil,
		func(scan func(...any) error) error {
			var id, dead, have int64
			var whole bool
			if err := scan(&id, &dead, &whole); err != nil {
				return err
			}
			err := m.w.Each("SELECT bits FROM dead WHERE segment=?", []any{id}, func(scan func(...any) error) error {
				var set []byte
				err := scan(&set)
				for _, b := range set {
					have += int64(bits.OnesCount8(b))
				}
				return err
			})
			if !whole || have != dead {
				m.segments[id] = true
			}
			return err
		})
}

// others removes damaged rows of what is asked for or noted again, or known no more.
func (m *mending) others(context.Context) error {
	if err := m.listed(); err != nil {
		return err
	}
	if err := m.modelRows(); err != nil {
		return err
	}
	list, err := m.bad("vector", "id")
	if err != nil {
		return err
	}
	for _, table := range []string{"source", "provenance", "deletion", "audit", "job", "job_slice", "file", "lease", "vector"} {
		if err := m.remove(table); err != nil {
			return err
		}
	}
	for _, row := range list { // its number, too, may be another than it was
		before, next := row[0]>>32<<32, (row[0]>>32+1)<<32-1
		err := m.w.Row("SELECT coalesce((SELECT max(id) FROM vector WHERE id BETWEEN ?2 AND ?1), ?2), coalesce((SELECT min(id) FROM vector WHERE id BETWEEN ?1 AND ?3), ?3)",
			[]any{row[0], before, next}, &before, &next)
		if err != nil {
			return err
		}
		keys, err := keysOf(m.w, row[0]>>32, record.PMID(uint32(before)), record.PMID(uint32(next))-1)
		if err != nil && !rows.Damaged(err) {
			return err
		}
		for key := range keys {
			m.vectors[key.PMID] = true
		}
		m.vectors[record.PMID(uint32(row[0]))] = true
	}
	return m.w.Exec(lostSources)
}

// listed takes the second copy of what files held. Where both are lost all of it is forgotten:
// no document is to be missed in a file because of it.
func (m *mending) listed() error {
	if !m.damaged("listed") {
		return nil
	}
	var had, have int64
	const count = "SELECT max((SELECT count(*) FROM listed WHERE id>0), (SELECT count(*) FROM listed WHERE id<0))"
	err := errors.Join(m.w.Row(count, nil, &had), m.remove("listed"),
		m.w.Exec("INSERT INTO listed(id,bits) SELECT -id, bits FROM listed AS one WHERE -id NOT IN (SELECT id FROM listed)"), m.w.Row(count, nil, &have))
	if err == nil && have < had {
		err = m.w.Exec("DELETE FROM listed")
	}
	return err
}

// documents finds those that cannot be read, and removes them with what is found of them.
func (m *mending) documents(ctx context.Context) error {
	list, err := m.bad("document", "pmid")
	if err != nil {
		return err
	}
	for _, row := range list {
		m.k.documentsOf[record.PMID(row[0])] = true
	}
	for pmid := range m.k.documentsOf {
		switch _, err := m.read(pmid); {
		case rows.Damaged(err) || errors.Is(err, sql.ErrNoRows):
			m.lost[pmid], m.vectors[pmid] = true, true
		case err != nil:
			return err
		}
	}
	for pmid := range m.lost {
		if err := errors.Join(m.readAgain(pmid), m.w.Exec("DELETE FROM document WHERE pmid=?", pmid)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// readAgain makes the next import read the files that brought a lost document; all files if
// its row names another one, or what brought it is not known.
func (m *mending) readAgain(pmid record.PMID) error {
	const brought = "SELECT 1 FROM provenance JOIN source ON source.id=source WHERE pmid=?"
	var file int64
	known, err := m.w.Found("SELECT file FROM document WHERE pmid=? AND typeof(file)='integer' AND EXISTS ("+brought+")", []any{pmid, pmid}, &file)
	if err == nil && known && file != 0 {
		name := fmt.Sprintf("*%02dn%04d.xml*", file/10_000, file%10_000)
		err = m.w.Row("SELECT EXISTS ("+brought+" AND name GLOB ?)", []any{pmid, name}, &known)
	}
	switch {
	case err != nil:
		return err
	case !known:
		return m.w.Exec("DELETE FROM file")
	}
	return m.w.Exec("DELETE FROM file WHERE EXISTS ("+brought+" AND substr(path,-length(name))=name)", pmid)
}

// read reads a document; nil if it is deleted, sql.ErrNoRows if there is none.
func (m *mending) read(pmid record.PMID) (doc *Document, err error) {
	missing := sql.ErrNoRows
	err = m.w.Each("SELECT "+documentTable.Columns+" FROM document WHERE pmid=?", []any{pmid}, func(scan func(...any) error) (err error) {
		missing = nil
		_, doc, err = m.s.scanDocument(m.w, scan)
		return err
	})
	return doc, cmp.Or(err, missing)
}

// index takes the broken parts of the word index out of use and makes the words of their
// documents again, and those of documents that have not all of theirs.
func (m *mending) index(ctx context.Context) error {
	ix, err := m.s.words.Load(m.w)
	if err != nil {
		return err
	}
	again := maps.Clone(m.k.documentsOf)
	src := m.s.words.Source(m.w)
	m.generation = ix.Generation + 1
	var rest []*wordindex.Segment
	for _, g := range ix.Segments {
		if !m.segments[g.ID] {
			rest = append(rest, g)
			continue
		}
		if err := m.in(src, g, again); err != nil {
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
		if err := m.write(ctx, part); err != nil {
			return err
		}
		if n += len(part); m.Progress != nil {
			m.Progress(int64(n), int64(len(again)))
		}
	}
	return m.w.SetMeta("generation", m.generation)
}

// in adds the documents that a broken part of the word index may have: by its own list or,
// where that is damaged, all between its first and its last. Those that another part has
// are made again with the others.
func (m *mending) in(src wordindex.Source, g *wordindex.Segment, pmids map[record.PMID]bool) error {
	for i := range uint32(g.Chunks) {
		id, err := g.ChunkID(src, i)
		if rows.Damaged(err) {
			return m.w.Each("SELECT pmid FROM document WHERE body IS NOT NULL AND pmid BETWEEN ? AND ?", []any{g.Low, g.High}, func(scan func(...any) error) error {
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

// write writes the words of the documents that exist as one part of the index.
func (m *mending) write(ctx context.Context, pmids []record.PMID) error {
	b := m.s.Begin("")
	for _, pmid := range pmids {
		doc, err := m.read(pmid)
		if rows.Damaged(err) {
			return errBeyond // the check did not see it
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

// counts counts the documents again, and looks for lost deletions.
func (m *mending) counts(context.Context) error {
	for key, is := range map[string]string{"documents": "NOT NULL", "deleted": "NULL"} {
		if err := m.w.Exec("INSERT OR REPLACE INTO meta SELECT ?, count(*) FROM document WHERE body IS "+is, key); err != nil {
			return err
		}
	}
	return m.w.Exec(lostDeletions)
}

// remember adds what is lost to the list that Lost returns.
func (m *mending) remember(context.Context) error {
	if len(m.lost) == 0 {
		return nil
	}
	return addLost(m.w, slices.Collect(maps.Keys(m.lost)))
}
