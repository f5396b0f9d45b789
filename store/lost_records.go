package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// Keys of the table meta, of values that repairs store.
const (
	lostKey   = "lost"   // PMIDs of the records that a Repair could not read
	lossesKey = "losses" // Outstanding, without its PMIDs
)

// Outstanding lists the losses of repairs that were neither stored again since nor accepted.
type Outstanding struct {
	PMIDs   []record.PMID `json:"-"`
	Records int64         `json:"records"` // further records, whose PMIDs are unknown
	Changes int64         `json:"changes"` // last transactions, lost with their journal

	// QueryKeys holds the query keys that lost documents or their watermark, with the time of the
	// loss. A sync that begins later restores them, because the Repair removed their watermarks.
	QueryKeys map[string]int64 `json:"query_keys"`
}

// Any reports whether anything is outstanding.
func (o Outstanding) Any() bool {
	return len(o.PMIDs) > 0 || o.Records > 0 || o.Changes > 0 || len(o.QueryKeys) > 0
}

// LostRecords returns the PMIDs, in ascending order, of the records that a Repair could not read and that
// have not been stored again since.
func (s *Store) LostRecords(ctx context.Context) ([]record.PMID, error) {
	lost := []record.PMID{}
	if err := s.readJSON(ctx, lostKey, &lost); err != nil || len(lost) == 0 {
		return lost, err
	}
	states, err := s.States(ctx, lost)
	return slices.DeleteFunc(lost, func(pmid record.PMID) bool { return states[pmid].Version > 0 }), err
}

// Outstanding returns the losses of repairs that were neither stored again nor accepted.
func (s *Store) Outstanding(ctx context.Context) (o Outstanding, err error) {
	if o.PMIDs, err = s.LostRecords(ctx); err != nil {
		return o, err
	}
	if err = s.readJSON(ctx, lossesKey, &o); err != nil || len(o.QueryKeys) == 0 {
		return o, err
	}
	keys, err := s.QueryKeys(ctx)
	for _, key := range keys {
		if lost, ok := o.QueryKeys[key.Key]; ok && key.FinishedRound > lost {
			delete(o.QueryKeys, key.Key)
		}
	}
	return o, err
}

// AcceptLosses forgets the losses of repairs.
func (s *Store) AcceptLosses(ctx context.Context) error {
	return s.db.Exec(ctx, "accept losses", "DELETE FROM meta WHERE key IN (?,?)", userMeta+lostKey, userMeta+lossesKey)
}

func (s *Store) readJSON(ctx context.Context, key string, value any) error {
	return s.db.Read(ctx, "read corpus", func(r *rows.Conn) error { return readLosses(r, key, value) })
}

func readLosses(r *rows.Conn, key string, value any) error {
	var text string
	if err := r.Meta(userMeta+key, &text); err != nil || text == "" {
		return err
	}
	if err := json.Unmarshal([]byte(text), value); err != nil {
		return &Error{Kind: Corrupt, Op: "read corpus", Message: "the list of lost records is damaged", Err: err}
	}
	return nil
}

func writeLosses(w *rows.Conn, key string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return w.SetMeta(userMeta+key, string(text))
}

// addLost adds losses to those that Outstanding returns.
func addLost(w *rows.Conn, more Outstanding) error {
	if len(more.PMIDs) > 0 {
		var pmids []record.PMID
		if err := readLosses(w, lostKey, &pmids); err != nil {
			return err
		}
		pmids = append(pmids, more.PMIDs...)
		slices.Sort(pmids)
		if err := writeLosses(w, lostKey, slices.Compact(pmids)); err != nil {
			return err
		}
	}
	if more.PMIDs = nil; !more.Any() {
		return nil
	}
	all := Outstanding{QueryKeys: map[string]int64{}}
	if err := readLosses(w, lossesKey, &all); err != nil {
		return err
	}
	all.Records += more.Records
	all.Changes += more.Changes
	maps.Copy(all.QueryKeys, more.QueryKeys)
	return writeLosses(w, lossesKey, all)
}

// keptMeta is the prefix of the keys of the table meta that count the documents of a query key.
const keptMeta = "kept "

// countKept adds the given PMIDs to the stored number of documents of a query key, whose source has the
// given number, except those that the key already has. It counts all documents of the key only if no number
// is stored: a count in each batch would make the first sync of a large query quadratic, and would hide that
// rows were lost.
func countKept(w *rows.Conn, key string, source int64, pmids []record.PMID) error {
	list, err := json.Marshal(pmids)
	if err != nil {
		return err
	}
	var known int64
	const selectKnown = "SELECT count(*) FROM json_each(?) CROSS JOIN kept ON source=? AND pmid=value"
	if err := w.Row(selectKnown, []any{string(list), source}, &known); err != nil {
		return err
	}
	var stored sql.NullInt64
	if err := w.Meta(keptMeta+key, &stored); err != nil {
		return err
	}
	if !stored.Valid {
		if err := w.Row("SELECT count(*) FROM kept WHERE source=?", []any{source}, &stored); err != nil {
			return err
		}
	}
	return w.SetMeta(keptMeta+key, stored.Int64+int64(len(pmids))-known)
}

// resetKeys removes the watermarks of the query keys that have lost documents, so that their next
// sync fetches all, and returns the keys. uncounted tells that rows were lost, and therefore a key
// without a stored count may have lost some.
func resetKeys(w *rows.Conn, uncounted bool) (lost []string, err error) {
	counts := map[string]int64{}
	err = w.Each("SELECT key, value FROM meta WHERE key LIKE ?", []any{keptMeta + "%"}, func(scan func(...any) error) error {
		var key string
		var n int64
		err := scan(&key, &n)
		counts[strings.TrimPrefix(key, keptMeta)] = n
		return err
	})
	if err == nil && uncounted {
		err = w.Each("SELECT DISTINCT key FROM job WHERE term<>''", nil, func(scan func(...any) error) error {
			var key string
			err := scan(&key)
			if _, counted := counts[key]; !counted {
				counts[key] = -1
			}
			return err
		})
	}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		var n int64
		const selectCount = "SELECT count(*) FROM source JOIN kept ON source=source.id WHERE name=?"
		if err == nil {
			err = w.Row(selectCount, []any{key}, &n)
		}
		if err != nil {
			return nil, err
		}
		if n == counts[key] {
			continue
		}
		lost = append(lost, key)
		if err = w.Exec("DELETE FROM checkpoint WHERE key=?", key); err == nil {
			err = w.SetMeta(keptMeta+key, n)
		}
	}
	return lost, err
}

// checkCounts compares the stored counts with the actual ones.
func (k *check) checkCounts() error {
	for _, count := range []struct{ what, query string }{
		{"documents", `SELECT (SELECT count(*) FROM document WHERE body IS NOT NULL) -
			coalesce((SELECT value FROM meta WHERE key='documents'),0)`},
		{"deletions", `SELECT (SELECT count(*) FROM document WHERE body IS NULL) -
			coalesce((SELECT value FROM meta WHERE key='deleted'),0)`},
		{"dates of deletions", `SELECT count(*) FROM document
			WHERE body IS NULL AND pmid NOT IN (SELECT pmid FROM deletion)`},
		{"documents of query keys", `SELECT count(*) FROM meta LEFT JOIN source ON key='` + keptMeta + `' || name
			WHERE key LIKE '` + keptMeta + `%' AND value IS NOT (SELECT count(*) FROM kept WHERE source=source.id)`},
		{"pages of the word index", `SELECT count(*) FROM segment WHERE state=1 AND bytes IS NOT
			(SELECT sum(length(data)) FROM page WHERE page.id>=segment.id<<32 AND page.id<(segment.id+1)<<32)`},
	} {
		what, query := count.what, count.query
		var off int64
		err := k.r.Row(query, nil, &off)
		if err := k.recordIfFault(what, err); err != nil {
			return err
		}
		if off < 0 && (what == "documents" || what == "deletions") {
			k.lostDocuments -= off
		}
		if off != 0 {
			k.addFault("the count of %s is wrong by %d", what, off)
		}
	}
	ix, err := k.s.words.Load(k.r)
	if err != nil {
		return k.recordIfFault("the word index", err)
	}
	for _, g := range ix.Segments {
		if n := int64(count(g.RemovedChunks, math.MaxInt)); n != g.Dead {
			k.addFault("a part of the word index has %d removed chunks, but counts %d", n, g.Dead)
		}
	}
	return nil
}
