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
	"biomcp/store/rows"
	"biomcp/store/salvage"
	"biomcp/store/wordindex"
)

// errNotRepairable means that changing rows cannot repair the corpus.
var errNotRepairable = errors.New("changing rows cannot repair the corpus")

const (
	// lostSources adds a placeholder name for each source whose name was lost.
	lostSources = "INSERT OR IGNORE INTO source" +
		" SELECT DISTINCT source, 'source ' || source || ', whose name was lost'" +
		" FROM provenance WHERE source NOT IN (SELECT id FROM source)"
	// lostDeletions dates the deletions whose date was lost by the revision of the deleted record,
	// so that importing the file that brought the record does not restore it.
	lostDeletions = "INSERT OR IGNORE INTO deletion SELECT pmid, max(lr,1), 0, 0 FROM document WHERE body IS NULL"
)

// inPlaceRepair repairs, in one transaction, the rows that a check found damaged. It regenerates the rows
// that follow from documents or have a second copy, and removes documents that cannot be read.
type inPlaceRepair struct {
	Repair
	s     *Store
	w     *rows.Conn
	check *check
	lost  map[record.PMID]bool
	found found // losses other than lost

	generation int64                // generation of the word index after the repair
	segments   map[int64]bool       // word index segments to regenerate
	vectors    map[record.PMID]bool // documents whose vectors are deleted
}

// repairRows repairs in place the damage that the check found, and adds the losses to lost. It
// returns mended false if that is not possible. Its time grows with the size of the damaged parts. If it fails or is killed, nothing
// has changed.
func (r Repair) repairRows(ctx context.Context, k *check, lost *found) (mended bool, err error) {
	if k == nil && !r.Force { // the corpus cannot be opened, perhaps only because of its header
		restored, _ := rows.RestoreHeader(ctx, r.path(FileName), layouts(), plainLayout)
		return restored, nil // the caller rebuilds the corpus if this fails
	}
	if k == nil || k.unreadable || r.Force {
		return false, nil
	}
	r.lenient = true
	s, err := r.open(ctx, FileName, false) // lockWriters has locked out other writers
	if err != nil {
		return false, nil // the caller rebuilds a corpus that cannot be opened
	}
	defer func() {
		if err = errors.Join(err, s.Close()); err == nil && mended {
			err = sealPages(s.path)
		}
	}()
	for key, value := range r.Meta { // another version of the analysis indexed the other documents
		if now, err := s.Meta(ctx, key); err != nil || now != value {
			return false, nil
		}
	}
	m := &inPlaceRepair{Repair: r, s: s, check: k, lost: map[record.PMID]bool{}, segments: map[int64]bool{},
		vectors: maps.Clone(k.badVectors),
		found:   found{keys: map[string]bool{}, commits: k.commits, records: k.lostDocuments}}
	err = s.db.Write(ctx, repairing, func(w *rows.Conn) error {
		m.w = w
		return m.run(ctx)
	})
	if errors.Is(err, errNotRepairable) || rows.IsDamaged(err) {
		return false, nil
	}
	if err == nil {
		_ = s.tidyUp(ctx) // a failure only postpones this, as after any commit
		maps.Copy(lost.pmids, m.lost)
		maps.Copy(lost.keys, m.found.keys)
		lost.records, lost.audit, lost.jobs = lost.records+m.found.records, lost.audit+m.found.audit, lost.jobs+m.found.jobs
	}
	return err == nil, err
}

func (m *inPlaceRepair) run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		m.restoreCopies, m.repairPages, m.repairOthers, m.removeUnreadable,
		m.reindex, m.repairVectors, m.recount, m.recordLost,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// damagedColumns returns the given columns, which must be numbers, of the damaged rows of a table.
func (m *inPlaceRepair) damagedColumns(table string, columns ...string) (list [][]int64, err error) {
	for _, t := range m.damagedParts(table) {
		query := "SELECT " + strings.Join(columns, ",") + damagedRows(t)
		err := m.w.Each(query, []any{t.First, t.Last}, func(scan func(...any) error) error {
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

// damagedParts returns the parts of a table that have damaged rows.
func (m *inPlaceRepair) damagedParts(table string) []salvage.Table {
	return slices.DeleteFunc(slices.Clone(m.check.damagedParts), func(t salvage.Table) bool { return t.Name != table })
}

// damagedRows returns the SQL that follows SELECT columns or DELETE to match the damaged rows of a
// part.
func damagedRows(t salvage.Table) string {
	return " FROM " + t.Name + " WHERE " + t.Key + " BETWEEN ? AND ? AND NOT (" + sums()[t.Name] + ")"
}

// deleteDamaged deletes the damaged rows of a table.
func (m *inPlaceRepair) deleteDamaged(table string) (err error) {
	for _, t := range m.damagedParts(table) {
		err = errors.Join(err, m.w.Exec("DELETE"+damagedRows(t), t.First, t.Last))
	}
	return err
}

// hasDamage reports whether a table has damaged rows.
func (m *inPlaceRepair) hasDamage(table string) bool { return len(m.damagedParts(table)) > 0 }

// restoreCopies replaces damaged rows with their second copies (package rows).
func (m *inPlaceRepair) restoreCopies(context.Context) error {
	for table, columns := range rows.CopiedTables {
		if !m.hasDamage(table) {
			continue
		}
		var sum int64
		var data []byte
		found, err := m.w.RowFound("SELECT sum, data FROM page WHERE id=?", []any{rows.CopyOfTables}, &sum, &data)
		if err == nil && (!found || wordindex.PageRows.Check(sum, rows.CopyOfTables, data) != nil) {
			err = errNotRepairable
		}
		if err == nil {
			err = m.deleteDamaged(table)
		}
		if err != nil {
			return err
		}
		insert := "INSERT OR IGNORE INTO " + table + "(" + columns + ") SELECT " + columns + " FROM " + rows.CopySubquery(table)
		if err := m.w.Exec(insert); err != nil {
			return err
		}
	}
	if !m.hasDamage("code") {
		return nil
	}
	if err := m.deleteDamaged("code"); err != nil {
		return err
	}
	const insertCode = "INSERT OR IGNORE INTO code(id,data) SELECT id-?1, data FROM page WHERE id>?1 AND id<2*?1 AND "
	return m.w.Exec(insertCode+sums()["page"], rows.CopyOfCode)
}

// repairPages finds the word index segments to regenerate and deletes damaged rows that are rewritten
// without further action.
func (m *inPlaceRepair) repairPages(context.Context) error {
	list, err := m.damagedColumns("page", "id")
	for _, row := range list {
		m.segments[wordindex.SegmentOfPage(row[0])] = true
	}
	if err == nil {
		err = m.deleteDamaged("page")
	}
	if err == nil {
		const insertPage = "INSERT INTO page(id,data) SELECT ?1+id, data FROM code" +
			" WHERE ?1+id NOT IN (SELECT id FROM page)"
		err = m.w.Exec(insertPage, rows.CopyOfCode)
	}
	if err == nil {
		err = m.deleteDamaged("dead")
	}
	if err != nil {
		return err
	}
	// A segment is also regenerated if its count of removed chunks or its size is wrong.
	const selectSegments = `SELECT id, dead, bytes IS (SELECT sum(length(data)) FROM page` +
		` WHERE page.id>=segment.id<<32 AND page.id<(segment.id+1)<<32) FROM segment WHERE state=1`
	return m.w.Each(selectSegments, nil,
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

// repairOthers deletes damaged rows that later syncs or commands write again, or whose loss is tolerable.
func (m *inPlaceRepair) repairOthers(context.Context) error {
	if err := m.repairFilePMIDs(); err != nil {
		return err
	}
	if err := m.repairModelRows(); err != nil {
		return err
	}
	list, err := m.damagedColumns("vector", "id")
	if err != nil {
		return err
	}
	for _, lost := range []struct {
		table string
		n     *int64
	}{{"audit", &m.found.audit}, {"job", &m.found.jobs}} {
		for _, t := range m.damagedParts(lost.table) {
			var more int64
			if err := m.w.Row("SELECT count(*)"+damagedRows(t), []any{t.First, t.Last}, &more); err != nil {
				return err
			}
			*lost.n += more
		}
	}
	for _, table := range []string{"source", "provenance", "kept", "deletion", "audit", "job", "job_slice", "file",
		"lease", "vector"} {
		if err := m.deleteDamaged(table); err != nil {
			return err
		}
	}
	for _, row := range list { // its key may be damaged too
		before, next := row[0]>>32<<32, (row[0]>>32+1)<<32-1
		const selectNeighbours = "SELECT coalesce((SELECT max(id) FROM vector WHERE id BETWEEN ?2 AND ?1), ?2)," +
			" coalesce((SELECT min(id) FROM vector WHERE id BETWEEN ?1 AND ?3), ?3)"
		err := m.w.Row(selectNeighbours,
			[]any{row[0], before, next}, &before, &next)
		if err != nil {
			return err
		}
		keys, err := keysOf(m.w, row[0]>>32, record.PMID(uint32(before)), record.PMID(uint32(next))-1)
		if err != nil && !rows.IsDamaged(err) {
			return err
		}
		for key := range keys {
			m.vectors[key.PMID] = true
		}
		m.vectors[record.PMID(uint32(row[0]))] = true
	}
	if err := m.w.Exec(lostSources); err != nil {
		return err
	}
	keys, err := resetKeys(m.w, m.hasDamage("kept") || m.hasDamage("source"))
	for _, key := range keys {
		m.found.keys[key] = true
	}
	return err
}

// repairFilePMIDs restores the PMID lists of files from their second copies. If both copies of a row are
// lost, it deletes all lists, so that VanishedPMIDs reports no document wrongly.
func (m *inPlaceRepair) repairFilePMIDs() error {
	if !m.hasDamage("listed") {
		return nil
	}
	var had, have int64
	const count = "SELECT max((SELECT count(*) FROM listed WHERE id>0), (SELECT count(*) FROM listed WHERE id<0))"
	const insertCopies = "INSERT INTO listed(id,bits) SELECT -id, bits FROM listed AS one" +
		" WHERE -id NOT IN (SELECT id FROM listed)"
	err := errors.Join(m.w.Row(count, nil, &had), m.deleteDamaged("listed"),
		m.w.Exec(insertCopies), m.w.Row(count, nil, &have))
	if err == nil && have < had {
		err = m.w.Exec("DELETE FROM listed")
	}
	return err
}

// removeUnreadable finds the documents that cannot be read and deletes them together with their index
// entries.
func (m *inPlaceRepair) removeUnreadable(ctx context.Context) error {
	list, err := m.damagedColumns("document", "pmid")
	if err != nil {
		return err
	}
	for _, row := range list {
		m.check.badDocuments[record.PMID(row[0])] = true
	}
	for pmid := range m.check.badDocuments {
		switch _, err := m.readDocument(pmid); {
		case rows.IsDamaged(err) || errors.Is(err, sql.ErrNoRows):
			m.lost[pmid], m.vectors[pmid] = true, true
		case err != nil:
			return err
		}
	}
	for pmid := range m.lost {
		const deleteDocument = "DELETE FROM document WHERE pmid=?"
		if err := errors.Join(m.markFilesUnread(pmid), m.w.Exec(deleteDocument, pmid)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// markFilesUnread makes the next import read the files that brought a lost document. It marks all files
// as unread if the source is unknown or contradicts the document's row.
func (m *inPlaceRepair) markFilesUnread(pmid record.PMID) error {
	const brought = "SELECT 1 FROM provenance JOIN source ON source.id=source WHERE pmid=?"
	var file int64
	const selectFile = "SELECT file FROM document WHERE pmid=? AND typeof(file)='integer' AND EXISTS (" + brought + ")"
	known, err := m.w.RowFound(selectFile, []any{pmid, pmid}, &file)
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

// readDocument reads a document. It returns nil if it is deleted, and sql.ErrNoRows if there is none.
func (m *inPlaceRepair) readDocument(pmid record.PMID) (doc *Document, err error) {
	missing := sql.ErrNoRows
	query := "SELECT " + documentTable.Columns + " FROM document WHERE pmid=?"
	err = m.w.Each(query, []any{pmid}, func(scan func(...any) error) (err error) {
		missing = nil
		_, doc, err = m.s.scanDocument(m.w, scan)
		return err
	})
	return doc, cmp.Or(err, missing)
}
