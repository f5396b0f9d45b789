package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/pages"
)

// salvage moves the rows of a damaged file to a new corpus. A row is known by its
// shape and its values, so nothing that leads to it is needed. The word index and the
// codes of vectors are not read: they are made again.
type salvage struct {
	Repair
	from *pages.File
	to   *Store
	done Repaired

	counts map[string]int64    // what the corpus counted
	broken map[record.PMID]int // versions of documents that are not whole
	models map[int64]Model     // those whose vectors are saved, under their ids in the damaged file
	used   int64               // the new id of the one that was in use
	files  [][]any             // marks of imported files
}

// statement is SQL with its values.
type statement struct {
	sql  string
	args []any
}

// write runs statements that rows lead to, some thousand in a transaction.
func (s *salvage) write(ctx context.Context, of func(n int, r pages.Row) []statement) error {
	var list []statement
	flush := func() error {
		if len(list) == 0 {
			return nil
		}
		err := s.to.write(ctx, "repair corpus", func(tx *sql.Conn) error {
			w := newReader(tx)
			defer w.close()
			for _, st := range list {
				if err := w.exec(st.sql, st.args...); err != nil {
					return err
				}
			}
			return nil
		})
		list = list[:0]
		return err
	}
	err := s.each(ctx, func(n int, r pages.Row) error {
		if r.Err == nil {
			list = append(list, of(n, r)...)
		}
		if len(list) < 5000 {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

// each gives every row to f.
func (s *salvage) each(ctx context.Context, f func(n int, r pages.Row) error) error {
	for n := 1; n <= s.from.Pages(); n++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		rows, _ := s.from.Rows(n) // what is damaged was counted by check
		for _, r := range rows {
			if err := f(n, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// start reads what the rest needs to be understood: dictionaries, sources, models
// and counts; and the watermarks, deletions and notes of a corpus.
func (s *salvage) start(ctx context.Context) error {
	s.counts, s.broken, s.models = map[string]int64{}, map[record.PMID]int{}, map[int64]Model{}
	return s.write(ctx, func(_ int, r pages.Row) []statement { return s.startRow(r) })
}

func (s *salvage) startRow(r pages.Row) []statement {
	v := r.Values
	text := func(i int) string { return string(v[i].Bytes) }
	kept := func(sql string, args ...any) []statement { return []statement{{sql, args}} }
	shape := r.Shape()
	switch {
	case r.Table && shape == "nb":
		if isDictionary(v[1].Bytes) {
			return kept("INSERT OR REPLACE INTO dictionary VALUES(?,?)", r.Key, v[1].Bytes)
		}
	case r.Table && shape == "nt" && r.Key > 0:
		return kept("INSERT OR IGNORE INTO source VALUES(?,?)", r.Key, text(1))
	case r.Table && shape == "niii" && isPMID(r.Key):
		return kept("INSERT OR REPLACE INTO deletion VALUES(?,?,?,?)", r.Key, v[1].Int, v[2].Int, v[3].Int)
	case r.Table && (shape == "ntttt" || shape == "nttnt") && checkTime("", text(1)) == nil:
		old := any(text(3))
		if shape == "nttnt" {
			old = nil
		}
		return kept("INSERT OR REPLACE INTO audit VALUES(?,?,?,?,?)", r.Key, text(1), text(2), old, text(4))
	case r.Table && (shape == "nitiit" || shape == "nitiiti") && s.Vectors != nil && v[1].Int != 2 && v[3].Int > 0 && v[3].Int <= maxDim && s.Vectors(text(2)):
		m := Model{Name: text(2), Dim: int(v[3].Int), InUse: v[1].Int == 1, bytes: inHalves}
		if len(v) == 7 {
			m.bytes = int(v[6].Int)
		}
		if m.bytes == inBytes || m.bytes == inHalves {
			s.models[r.Key] = m
		}
	case !r.Table && shape == "tt" && checkTime("", text(1)) == nil:
		return kept(`INSERT INTO checkpoint VALUES(?,?) ON CONFLICT DO UPDATE SET last_edat=min(last_edat,excluded.last_edat)`, text(0), text(1))
	case !r.Table && shape == "tt" && len(v[0].Bytes) > 5 && text(0)[:5] == "user.":
		return kept("INSERT OR REPLACE INTO meta VALUES(?,?)", text(0), text(1))
	case !r.Table && shape == "ti" && (text(0) == "documents" || text(0) == "deleted"):
		s.counts[text(0)] = max(s.counts[text(0)], v[1].Int)
	case !r.Table && shape == "tiitt":
		s.files = append(s.files, []any{text(0), v[1].Int, v[2].Int, text(3), text(4)})
	}
	return nil
}

func isPMID(n int64) bool { return n > 0 && n <= math.MaxUint32 }

// documentRow is a row of the table document.
func documentRow(r pages.Row) (pmid record.PMID, st State, body []byte, ok bool) {
	v, shape := r.Values, r.Shape()
	if !r.Table || !isPMID(r.Key) || len(shape) < 5 || shape[:5] != "niiii" || v[1].Int < 1 || v[2].Int < 1 {
		return 0, st, nil, false
	}
	st = State{Version: int(v[1].Int), PMIDVersion: int(v[2].Int), Revised: v[3].Int, Hash: v[4].Int}
	pmid = record.PMID(r.Key)
	switch shape[5:] {
	case "bi", "ni":
		st.File = FileNumber(v[6].Int)
	case "b", "n":
	case "":
		return pmid, st, nil, r.Err != nil
	default:
		return 0, st, nil, false
	}
	st.Deleted = shape[5] == 'n'
	return pmid, st, v[5].Bytes, true
}

// pageStream is the stream of the word index that a row of the table page would be
// of, by its number.
func pageStream(key int64) int64 { return key >> pageBits & (1<<streamBits - 1) }

// rowCheck reports what cannot be seen in the form of a row: a body that does not
// decompress to a document, or zeros where the word index or a vector has none.
func (s *Store) rowCheck(r *reader) func(pages.Row) error {
	return func(row pages.Row) error {
		if _, st, body, ok := documentRow(row); ok && !st.Deleted {
			_, err := s.decode(r, stored{body: body})
			return err
		}
		if row.Zeros > 0 && row.Shape() == "nb" && pageStream(row.Key) < int64(streamDate) {
			return errBody
		}
		return nil
	}
}

// check counts the damage.
func (s *salvage) check(ctx context.Context) error {
	err := s.to.read(ctx, "repair corpus", func(r *reader) error {
		c := s.from.Check(ctx, s.to.rowCheck(r))
		s.done.Lost.Pages, s.done.Lost.Journal = int64(c.Damaged), int64(s.from.Unread)
		return ctx.Err()
	})
	s.done.Saved.Documents, s.done.Saved.Deletions = s.counts["documents"], s.counts["deleted"]
	return err
}

// rest moves all else, and finds out what is lost.
func (s *salvage) rest(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		s.provenance, s.certain, s.uncertain, s.lost, s.marks, s.vectors, s.count,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// provenance moves what brought which document.
func (s *salvage) provenance(ctx context.Context) error {
	const earliest = 1e9 // seconds; no number of a page or row is as great
	return s.write(ctx, func(_ int, r pages.Row) []statement {
		v := r.Values
		if r.Table || r.Shape() != "iii" || !isPMID(v[0].Int) || v[1].Int < 1 || v[2].Int < earliest {
			return nil
		}
		return []statement{
			{"INSERT OR IGNORE INTO source VALUES(?,?)", []any{v[1].Int, fmt.Sprintf("source %d, whose name was lost", v[1].Int)}},
			{"INSERT OR REPLACE INTO provenance VALUES(?,?,?)", []any{v[0].Int, v[1].Int, v[2].Int}},
		}
	})
}

// certain moves the documents on pages that are known to be in use.
func (s *salvage) certain(ctx context.Context) error {
	_, err := s.documents(ctx, s.from.InUse)
	return err
}

// uncertain moves those on the other pages, where they are no older than those that
// were moved: they may be what a document was before.
func (s *salvage) uncertain(ctx context.Context) error {
	var err error
	s.done.Saved.Uncertain, err = s.documents(ctx, func(n int) bool { return !s.from.InUse(n) })
	return err
}

func (s *salvage) documents(ctx context.Context, on func(n int) bool) (changed int64, err error) {
	b := s.to.Begin("")
	flush := func() error {
		done, err := b.Commit(ctx)
		changed += int64(done.Inserted + done.Deleted)
		b = s.to.Begin("")
		return err
	}
	err = s.each(ctx, func(n int, r pages.Row) error {
		pmid, st, body, ok := documentRow(r)
		if !ok || !on(n) {
			return nil
		}
		if s.Progress != nil {
			s.Progress(n, s.from.Pages(), changed)
		}
		if r.Err != nil {
			s.broken[pmid] = max(s.broken[pmid], st.Version)
			return nil
		}
		if st.Deleted {
			b.restore(operation{pmid: pmid, restored: &st})
		} else if err := s.document(ctx, b, pmid, st, body); err != nil {
			return err
		}
		if b.Len() < 1000 {
			return nil
		}
		return flush()
	})
	if err != nil {
		return changed, err
	}
	return changed, flush()
}

// document moves one document.
func (s *salvage) document(ctx context.Context, b *Batch, pmid record.PMID, st State, body []byte) error {
	var doc *Document
	err := s.to.read(ctx, "repair corpus", func(r *reader) (err error) {
		doc, err = s.to.decode(r, stored{pmid: pmid, version: st.Version, body: body})
		return err
	})
	if IsKind(err, Corrupt) {
		s.broken[pmid] = max(s.broken[pmid], st.Version)
		return nil
	}
	if err != nil {
		return err
	}
	s.Index(doc)
	if err := b.Put(doc); err != nil {
		s.broken[pmid] = max(s.broken[pmid], st.Version) // it holds what no document can
		return nil
	}
	last := &b.ops[len(b.ops)-1]
	st.Hash, last.restored = last.hash, &st
	return nil
}

// lost counts the records that were not moved.
func (s *salvage) lost(ctx context.Context) error {
	lost := map[record.PMID]bool{}
	states, err := s.to.States(ctx, slices.Collect(maps.Keys(s.broken)))
	if err != nil {
		return err
	}
	for pmid, version := range s.broken {
		switch have := states[pmid].Version; {
		case have == 0:
			lost[pmid] = true
		case have < version:
			s.done.Saved.Uncertain++
		}
	}
	_, counted := s.counts["documents"]
	var have int64
	err = s.to.read(ctx, "repair corpus", func(r *reader) error {
		if err := r.row("SELECT count(*) FROM document", nil, &have); err != nil {
			return err
		}
		if counted && s.counts["documents"]+s.counts["deleted"] <= have {
			return nil // what else was brought was never stored
		}
		return r.each("SELECT DISTINCT pmid FROM provenance WHERE pmid NOT IN (SELECT pmid FROM document)", nil, func(scan func(...any) error) error {
			var pmid record.PMID
			err := scan(&pmid)
			lost[pmid] = true
			return err
		})
	})
	pmids := slices.Sorted(maps.Keys(lost))
	s.done.Lost.Records = int64(len(pmids))
	if counted {
		s.done.Lost.Records = max(s.done.Lost.Records, s.counts["documents"]+s.counts["deleted"]-have)
	}
	s.done.Lost.PMIDs = append(s.done.Lost.PMIDs, pmids[:min(len(pmids), keptPMIDs)]...)
	return err
}

// marks moves the marks of imported files where nothing is lost: otherwise the next
// import is to read them again.
func (s *salvage) marks(ctx context.Context) error {
	if s.done.Lost.Records+s.done.Lost.Journal+s.done.Saved.Uncertain > 0 {
		return nil
	}
	return s.to.write(ctx, "repair corpus", func(tx *sql.Conn) error {
		for _, f := range s.files {
			if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO file VALUES(?,?,?,?,?)", f...); err != nil {
				return err
			}
		}
		return nil
	})
}

// vectors moves the vectors of models that cost something to ask again. Where the
// journal is damaged it cannot be known which belong to the texts that were moved.
func (s *salvage) vectors(ctx context.Context) error {
	if len(s.models) == 0 || s.done.Lost.Journal > 0 {
		return nil
	}
	for old, m := range s.models {
		now, err := s.to.newModel(ctx, m.Name, m.Dim, m.bytes)
		if err != nil {
			return err
		}
		m.ID = now.ID
		if s.models[old] = m; m.InUse {
			s.used = m.ID
		}
	}
	lists := map[int64][]Vector{}
	flush := func(model int64) error {
		n, err := s.to.AddVectors(ctx, model, lists[model])
		s.done.Saved.Vectors += int64(n)
		lists[model] = lists[model][:0]
		return err
	}
	err := s.each(ctx, func(n int, r pages.Row) error {
		m, ok := s.models[r.Key>>32]
		if !ok || r.Err != nil || !r.Table || r.Shape() != "nb" || !s.from.InUse(n) {
			return nil
		}
		list, ok := m.restored(s.to.rounding(m), record.PMID(r.Key), r.Values[1].Bytes)
		if !ok {
			return nil
		}
		states, err := s.to.States(ctx, []record.PMID{list[0].PMID})
		if err != nil {
			return err
		}
		version := states[list[0].PMID].Version
		if version == 0 {
			return nil // it is of another table, or what it belongs to is lost
		}
		for i := range list {
			list[i].Version = version
		}
		if lists[m.ID] = append(lists[m.ID], list...); len(lists[m.ID]) < 2000 {
			return nil
		}
		return flush(m.ID)
	})
	for model := range lists {
		if err == nil {
			err = flush(model)
		}
	}
	if err != nil || s.used == 0 {
		return err
	}
	if err = s.to.UseModel(ctx, s.used, 0); IsKind(err, ModelMismatch) {
		return nil // those that are lost are made by the next sync of vectors
	}
	return err
}

// restored reads a row of the table vector; ok is false for what is none.
func (m Model) restored(p rounding, pmid record.PMID, row []byte) (list []Vector, ok bool) {
	if len(row) == 0 || len(row)%(2+p.size()) != 0 {
		return nil, false
	}
	for ordinal, stored := range p.each(row) {
		v := Vector{PMID: pmid, Ordinal: int(ordinal), Values: make([]float32, m.Dim)}
		p.unpack(v.Values, stored)
		if m.checkVector("", v.Values) != nil {
			return nil, false
		}
		list = append(list, v)
	}
	return list, true
}

// count counts what the new corpus holds.
func (s *salvage) count(ctx context.Context) error {
	d := &s.done.Saved
	return s.to.read(ctx, "repair corpus", func(r *reader) error {
		return r.row("SELECT (SELECT count(*) FROM document WHERE body IS NOT NULL), (SELECT count(*) FROM document WHERE body IS NULL), (SELECT count(*) FROM checkpoint)", nil,
			&d.Documents, &d.Deletions, &d.Watermarks)
	})
}
