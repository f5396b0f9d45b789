package store

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"biomcp/entrez/record"
	"biomcp/store/rows"
	"biomcp/store/salvage"
	"biomcp/store/textcodec"
	"biomcp/store/wordindex"
)

// recovery copies the readable rows of a damaged file to a new corpus. It regenerates the word index
// and vector codes instead of reading them.
type recovery struct {
	Repair
	from   *salvage.File
	to     *Store
	result RepairResult

	faults int64            // number that a Check found
	counts map[string]int64 // counts stored in the damaged corpus
	now    rows.Commit      // last transaction that can be read
	last   rows.Commit      // last transaction, as the file next to the corpus names it
	lost   *found
	unread map[string]int64     // rows and ranges of rows that could not be read, by table
	broken map[record.PMID]bool // documents that cannot be read
	models map[int64]Model      // models whose vectors are saved, by their IDs in the damaged file
	inUse  int64                // new ID of the model in use
}

// Limits of keys.
const (
	maxPMID  = math.MaxUint32
	maxRowID = math.MaxUint32 // in tables numbered from 1
)

var documentTable = salvage.Table{Name: "document", Key: "pmid",
	Columns: "pmid, version, pmid_version, lr, hash, file, body, sum", First: 1, Last: maxPMID}

// smallTables are copied first, by the given function or, if it is nil, unchanged. The slices of an
// unfinished sync are not copied, so it starts over.
var smallTables = []struct {
	table salvage.Table
	copy  func(*recovery, func(...any) error) (statement, error)
}{
	{salvage.Table{Name: "code", Key: "id", Columns: "id, data", First: 1, Last: maxRowID}, (*recovery).code},
	{salvage.Table{Name: "meta", Key: "rowid", Columns: "key, value", First: 1, Last: maxRowID}, (*recovery).meta},
	{salvage.Table{Name: "deletion", Key: "pmid", Columns: "pmid, revised, file, undated", First: 1, Last: maxPMID},
		nil},
	{salvage.Table{Name: "checkpoint", Key: "rowid", Columns: "key, last_edat", First: 1, Last: maxRowID},
		(*recovery).checkpoint},
	{salvage.Table{Name: "audit", Key: "id", Columns: "id, at, key, old, new", First: 1, Last: maxRowID}, nil},
	{salvage.Table{Name: "job", Key: "rowid",
		Columns: `id, key, term, "from", "to", started, finished, report, round`, First: 1, Last: maxRowID}, nil},
	{salvage.Table{Name: "model", Key: "id", Columns: "id, state, name, dim", First: 1, Last: maxRowID},
		(*recovery).model},
}

var (
	sourceTable     = salvage.Table{Name: "source", Key: "id", Columns: "id, name", First: 1, Last: maxRowID}
	provenanceTable = salvage.Table{Name: "provenance", Key: "pmid", Columns: "pmid, source, at", First: 1,
		Last: maxPMID}
	keptTable = salvage.Table{Name: "kept", Key: "source",
		Columns: "source, pmid, hash, added, changed, retracted", First: 1, Last: maxRowID}
	fileTable = salvage.Table{Name: "file", Key: "rowid", Columns: "path, size, mtime, hash, at", First: 1,
		Last: maxRowID}
)

// statement is an SQL statement with its arguments. sql is "" if there is nothing to execute.
type statement struct {
	sql  string
	args []any
}

func (s *recovery) code(scan func(...any) error) (statement, error) {
	var id int64
	var data []byte
	err := scan(&id, &data)
	if _, damage := textcodec.Read(data); err != nil || damage != nil {
		return statement{}, err
	}
	return statement{"INSERT OR REPLACE INTO code VALUES(?,?)", []any{id, data}}, nil
}

func (s *recovery) meta(scan func(...any) error) (st statement, err error) {
	var key string
	var value any
	if err := scan(&key, &value); err != nil {
		return st, err
	}
	switch n, isNumber := value.(int64); {
	case isNumber && (key == "documents" || key == "deleted"):
		s.counts[key] = n
	case isNumber && key == rows.CommitKey:
		s.now.Number = n
	case key == rows.DatabaseKey:
		s.now.Database, _ = value.(string)
	}
	_, isText := value.(string)
	if isText && strings.HasPrefix(key, userMeta) || strings.HasPrefix(key, keptMeta) {
		st = statement{"INSERT OR REPLACE INTO meta VALUES(?,?)", []any{key, value}}
	}
	return st, nil
}

// checkpoint copies a watermark. Of two for one key, the earlier one is kept.
func (s *recovery) checkpoint(scan func(...any) error) (st statement, err error) {
	var key, at string
	if err = scan(&key, &at); err == nil && checkTime("", at) == nil {
		st = statement{"INSERT INTO checkpoint VALUES(?,?) ON CONFLICT DO UPDATE" +
			" SET last_edat=min(last_edat,excluded.last_edat)", []any{key, at}}
	}
	return st, err
}

func (s *recovery) model(scan func(...any) error) (statement, error) {
	var id, state int64
	var m Model
	err := scan(&id, &state, &m.Name, &m.Dim)
	if err == nil && state != 2 && m.Dim > 0 && m.Dim <= maxDim && s.Vectors != nil && s.Vectors(m.Name) {
		m.InUse = state == 1
		s.models[id] = m
	}
	return statement{}, err
}

// copyUnchanged returns a function that copies the rows of a table unchanged.
func copyUnchanged(t salvage.Table) func(*recovery, func(...any) error) (statement, error) {
	columns := 1 + strings.Count(t.Columns, ",")
	insert := "INSERT OR IGNORE INTO " + t.Name + "(" + t.Columns + ") VALUES(?" + strings.Repeat(",?", columns-1) + ")"
	return func(_ *recovery, scan func(...any) error) (statement, error) {
		row, into := make([]any, columns), make([]any, columns)
		for i := range row {
			into[i] = &row[i]
		}
		return statement{insert, row}, scan(into...)
	}
}

// copyTable copies the rows of a table in transactions of at most 5,000. If row is nil, they are copied
// unchanged.
func (s *recovery) copyTable(ctx context.Context, t salvage.Table,
	row func(*recovery, func(...any) error) (statement, error)) error {
	if row == nil {
		row = copyUnchanged(t)
	}
	var list []statement
	flush := func() error {
		err := s.to.db.Write(ctx, repairing, func(w *rows.Conn) error {
			for _, st := range list {
				if err := w.Exec(st.sql, st.args...); err != nil {
					return err
				}
			}
			return nil
		})
		list = list[:0]
		return err
	}
	t.IntactWhere = sums()[t.Name]
	unread, err := s.from.Each(ctx, t, func(scan func(...any) error) error {
		st, err := row(s, scan)
		if err != nil || st.sql == "" {
			return err
		}
		if list = append(list, st); len(list) < 5000 {
			return nil
		}
		return flush()
	})
	s.result.Losses.Damaged += int64(unread)
	s.unread[t.Name] += int64(unread)
	if err != nil {
		return err
	}
	return flush()
}

// copySmallTables copies the small tables, and those needed to read documents and vectors.
func (s *recovery) copySmallTables(ctx context.Context) error {
	s.counts, s.models = map[string]int64{}, map[int64]Model{}
	for _, c := range smallTables {
		if err := s.copyTable(ctx, c.table, c.copy); err != nil {
			return err
		}
	}
	return s.copySecondCopies(ctx)
}

// copySecondCopies copies the second copies of rows that were not copied yet (package rows).
func (s *recovery) copySecondCopies(ctx context.Context) error {
	codes := salvage.Table{Name: "page", Key: "id", Columns: "id, data", First: rows.CopyOfCode + 1,
		Last: 2 * rows.CopyOfCode}
	err := s.copyTable(ctx, codes, func(s *recovery, scan func(...any) error) (statement, error) {
		st, err := s.code(scan)
		if err == nil && st.sql != "" {
			st = statement{"INSERT OR IGNORE INTO code(id,data) VALUES(?,?)",
				[]any{st.args[0].(int64) - rows.CopyOfCode, st.args[1]}}
		}
		return st, err
	})
	if err != nil {
		return err
	}
	var tables []byte
	unread, err := s.from.Each(ctx, salvage.Table{Name: "page", Key: "id", Columns: "data",
		First: rows.CopyOfTables, Last: rows.CopyOfTables, IntactWhere: sums()["page"]},
		func(scan func(...any) error) error { return scan(&tables) })
	if err != nil || unread > 0 || tables == nil { // if that row is damaged, so is everything it could restore
		return err
	}
	return s.to.db.Write(ctx, repairing, func(w *rows.Conn) error {
		read := func(table string, columns string, f func(func(...any) error) (statement, error)) error {
			query := "SELECT " + columns + " FROM json_each(?,'$." + table + "')"
			return w.Each(query, []any{string(tables)}, func(scan func(...any) error) error {
				_, err := f(scan)
				return err
			})
		}
		const insertCheckpoints = "INSERT OR IGNORE INTO checkpoint(key,last_edat)" +
			" SELECT value->>0, value->>1 FROM json_each(?,'$.checkpoint')"
		const insertMeta = "INSERT OR IGNORE INTO meta(key,value)" +
			" SELECT value->>0, value->>1 FROM json_each(?,'$.meta') WHERE value->>0 LIKE 'user.%' OR value->>0 LIKE 'kept %'"
		return errors.Join(
			w.Exec(insertCheckpoints, string(tables)),
			w.Exec(insertMeta, string(tables)),
			read("meta", "value->>0, value->>1", s.meta),
			read("model", "value->>0, value->>1, value->>2, value->>3", s.model))
	})
}

// copyOthers copies everything else and determines the losses.
func (s *recovery) copyOthers(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		s.copyProvenance, s.resetKeys, s.copyDocuments, s.countLost, s.copyFileMarks, s.copyVectors, s.setSaved,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// copyProvenance copies the sources and the documents that each brought.
func (s *recovery) copyProvenance(ctx context.Context) error {
	if err := errors.Join(s.copyTable(ctx, sourceTable, nil), s.copyTable(ctx, provenanceTable, nil),
		s.copyTable(ctx, keptTable, nil)); err != nil {
		return err
	}
	return s.to.db.Exec(ctx, repairing, lostSources)
}

// countDamage counts the damage.
func (s *recovery) countDamage(ctx context.Context) error {
	findings, err := s.from.Check(ctx)
	if s.from.HeaderDamaged {
		findings++
	}
	s.result.Losses.Damaged += int64(findings)
	s.result.Losses.Journal = int64(s.from.UnreadPages)
	if err != nil {
		return err
	}
	s.result.Losses.Damaged += s.faults
	s.result.Saved.Documents, s.result.Saved.Deletions = s.counts["documents"], s.counts["deleted"]
	return err
}

// eachDocument calls f with every document row that can be read; doc is nil for a deleted document.
// It adds the others to s.broken.
func (s *recovery) eachDocument(ctx context.Context, f func(storedDocument, *Document) error) error {
	_, err := s.from.Each(ctx, documentTable, func(scan func(...any) error) error {
		var row storedDocument
		var doc *Document
		err := s.to.db.Read(ctx, repairing, func(r *rows.Conn) (err error) {
			row, doc, err = s.to.scanDocument(r, scan)
			return err
		})
		switch {
		case row.pmid == 0, row.state.Version < 1, row.state.PMIDVersion < 1:
			return err
		case row.state.Deleted || err == nil:
			return f(row, doc)
		case IsKind(err, Corrupt):
			s.broken[row.pmid] = true
			return nil
		}
		return err
	})
	return err
}

// copyDocuments copies the documents.
func (s *recovery) copyDocuments(ctx context.Context) error {
	b, n := s.to.Begin(""), int64(0)
	flush := func() error {
		_, err := b.Commit(ctx)
		b = s.to.Begin("")
		return err
	}
	err := s.eachDocument(ctx, func(row storedDocument, doc *Document) error {
		if n++; s.Progress != nil {
			s.Progress(n, s.counts["documents"]+s.counts["deleted"])
		}
		if doc == nil {
			b.restore(operation{Entry: wordindex.Entry{PMID: row.pmid}, restored: &row.state})
		} else {
			s.Index(doc)
			if err := b.Put(doc); err != nil {
				s.broken[row.pmid] = true // it has contents that no document can have
				return nil
			}
			b.ops[len(b.ops)-1].restored = &row.state
		}
		if b.Len() < 1000 {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return err
	}
	return s.to.db.Exec(ctx, repairing, lostDeletions)
}

// countLost counts the records that were not copied.
func (s *recovery) countLost(ctx context.Context) error {
	lost := map[record.PMID]bool{}
	states, err := s.to.States(ctx, slices.Collect(maps.Keys(s.broken)))
	if err != nil {
		return err
	}
	for pmid := range s.broken {
		lost[pmid] = states[pmid].Version == 0
	}
	if n := s.now.Lacks(s.last); n > 0 {
		s.lost.commits.commits = max(s.lost.commits.commits, n)
		s.counts["documents"] = max(s.counts["documents"], s.last.Documents)
	}
	_, counted := s.counts["documents"]
	counts := s.counts["documents"] + s.counts["deleted"]
	var have int64
	err = s.to.db.Read(ctx, repairing, func(r *rows.Conn) error {
		if err := r.Row("SELECT count(*) FROM document", nil, &have); err != nil {
			return err
		}
		if counted && counts <= have {
			return nil // other records with provenance were never stored
		}
		const selectProvenance = "SELECT DISTINCT pmid FROM provenance WHERE pmid NOT IN (SELECT pmid FROM document)"
		return r.Each(selectProvenance, nil, func(scan func(...any) error) error {
			var pmid record.PMID
			err := scan(&pmid)
			lost[pmid] = true
			return err
		})
	})
	maps.DeleteFunc(lost, func(_ record.PMID, is bool) bool { return !is })
	pmids := slices.Sorted(maps.Keys(lost))
	s.lost.pmids, s.lost.commits.documents = lost, 0
	if counted {
		s.lost.records = max(0, counts-have-int64(len(pmids)))
	}
	s.lost.audit, s.lost.jobs = s.lost.audit+s.unread["audit"], s.lost.jobs+s.unread["job"]
	damaged, journal := s.result.Losses.Damaged, s.result.Losses.Journal
	s.result.Losses = s.lost.losses()
	s.result.Losses.Damaged, s.result.Losses.Journal = damaged, journal
	if err != nil {
		return err
	}
	outstanding := s.lost.outstanding(s.to.o.Now())
	return s.to.db.Write(ctx, repairing, func(w *rows.Conn) error { return addLost(w, outstanding) })
}

// resetKeys removes the watermarks of the query keys that have lost documents.
func (s *recovery) resetKeys(ctx context.Context) error {
	return s.to.db.Write(ctx, repairing, func(w *rows.Conn) error {
		keys, err := resetKeys(w, s.unread["kept"]+s.unread["source"]+s.unread["meta"] > 0)
		for _, key := range keys {
			s.lost.keys[key] = true
		}
		return err
	})
}

// copyFileMarks copies the marks of imported files if no record was lost. Otherwise the next import has to
// read the files again.
func (s *recovery) copyFileMarks(ctx context.Context) error {
	if s.result.Losses.Records+s.result.Losses.Journal > 0 {
		return nil
	}
	return s.copyTable(ctx, fileTable, nil)
}

// setSaved counts the contents of the new corpus.
func (s *recovery) setSaved(ctx context.Context) (err error) {
	vectors := s.result.Saved.Vectors
	s.result.Saved, err = s.to.countSaved(ctx)
	s.result.Saved.Vectors = vectors
	return err
}

// countSaved counts the contents of the corpus, except vectors.
func (s *Store) countSaved(ctx context.Context) (d SavedCounts, err error) {
	const selectCounts = "SELECT (SELECT count(*) FROM document WHERE body IS NOT NULL)," +
		" (SELECT count(*) FROM document WHERE body IS NULL), (SELECT count(*) FROM checkpoint)"
	_, err = s.db.RowFound(ctx, repairing, selectCounts, nil,
		&d.Documents, &d.Deletions, &d.Watermarks)
	return d, err
}
