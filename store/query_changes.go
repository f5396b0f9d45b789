package store

import (
	"context"
	"maps"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/rows"
	"biomcp/store/wordindex"
)

// noteChanges records the effect of the batch on the query key that brings it: which documents are
// new for the key, which have changed since its last sync saw them, by whatever cause, and which
// have been retracted. It does nothing unless the batch is part of a sync of a key.
func (c *commit) noteChanges(source int64) error {
	var round int64
	selectJob := "SELECT coalesce(min(round),0) FROM job NOT INDEXED WHERE " + intact("job") +
		" AND +key=? AND term<>'' AND finished IS NULL"
	if err := c.w.Row(selectJob, []any{c.source}, &round); err != nil || round == 0 {
		return err
	}
	retracted := map[record.PMID]bool{}
	for _, op := range c.ops {
		if !op.remove && op.hash == c.newStates[op.PMID].Hash {
			retracted[op.PMID] = op.Flags&wordindex.FlagRetracted != 0
		}
	}
	pmids := slices.Sorted(maps.Keys(c.newStates))
	pmids = slices.DeleteFunc(pmids, func(pmid record.PMID) bool { return c.newStates[pmid].Deleted })
	if err := countKept(c.w, c.source, source, pmids); err != nil {
		return err
	}
	for _, pmid := range pmids {
		is, known := retracted[pmid]
		if !known { // the corpus has a newer record than the batch
			doc, err := c.s.document(c.w, pmid)
			if err != nil {
				return err
			}
			is = doc != nil && doc.Retracted
		}
		err := c.w.Exec(`INSERT INTO kept(source,pmid,hash,added,changed,retracted) VALUES(?1,?2,?3,?4,0,?4*?5)
			ON CONFLICT DO UPDATE SET hash=?3, changed=CASE WHEN hash=?3 THEN changed ELSE ?4 END,
			retracted=CASE WHEN retracted=0 OR ?5=0 THEN ?4*?5 ELSE retracted END`, source, pmid, c.newStates[pmid].Hash, round, is)
		if err != nil {
			return err
		}
	}
	return nil
}

// QueryKey is a query that syncs keep current. A round is one sync run, including later runs that
// resume it. Its number is the Unix time of its start, or the number of the previous round plus one
// if that is greater.
type QueryKey struct {
	Key, Term     string // as in the latest sync; "" if there was none
	LastEDAT      string // watermark; "" if none
	Finished      string // time at which the latest finished sync ended; "" if none
	Unfinished    bool   // whether the latest sync is unfinished
	Round         int64  // round of the latest sync; 0 if none
	FinishedRound int64  // round of the latest finished sync whose window was not empty; 0 if none
}

// QueryKeys returns the keys that have a watermark or were synced, sorted by key.
func (s *Store) QueryKeys(ctx context.Context) (keys []QueryKey, err error) {
	err = s.db.Read(ctx, "read checkpoint", func(r *rows.Conn) error {
		for _, table := range []string{"checkpoint", "job"} {
			if err := r.Row("SELECT count(*) FROM "+table+" NOT INDEXED WHERE "+intact(table), nil, new(int64)); err != nil {
				return err
			}
		}
		keys, err = rows.List(r, `SELECT k.key, coalesce(last_edat,''), coalesce(last.term,''),
				coalesce(last.finished IS NULL AND last.id IS NOT NULL,0), coalesce(last.round,0),
				coalesce((SELECT max(finished) FROM job WHERE key=k.key),''),
				coalesce((SELECT max(round) FROM job WHERE key=k.key AND finished IS NOT NULL AND "from"<="to"),0)
			FROM (SELECT key FROM checkpoint UNION SELECT key FROM job WHERE term<>'') k
			LEFT JOIN checkpoint USING(key)
			LEFT JOIN job last ON last.rowid=(SELECT max(rowid) FROM job WHERE key=k.key)
			ORDER BY k.key`, nil, func(k *QueryKey) []any {
			return []any{&k.Key, &k.LastEDAT, &k.Term, &k.Unfinished, &k.Round, &k.Finished, &k.FinishedRound}
		})
		return err
	})
	return keys, err
}

// QueryDocument is a document of a query key, with the rounds in which the key's syncs added it, last saw it
// changed, and found it retracted; 0 if never.
type QueryDocument struct {
	PMID                      record.PMID
	Added, Changed, Retracted int64
}

// QueryDocuments returns the documents of a query key that were added, changed or retracted in or after the
// round since, ordered by PMID. If key is "", it covers all keys and returns one entry for each key
// of a document.
func (s *Store) QueryDocuments(ctx context.Context, key string, since int64) (list []QueryDocument, err error) {
	err = s.db.Read(ctx, "read documents", func(r *rows.Conn) error {
		list, err = rows.List(r, `SELECT k.pmid, added, changed, retracted
			FROM source CROSS JOIN (SELECT source AS of, pmid, added, changed, retracted FROM kept
				WHERE `+intact("kept")+`) k ON of=source.id JOIN document ON document.pmid=k.pmid
			WHERE intact(source.sum IS crc32c('source',source.id,name))
			AND (name=?1 OR ?1='') AND max(added,changed,retracted)>=?2 AND body IS NOT NULL
			ORDER BY k.pmid`, []any{key, since}, func(k *QueryDocument) []any {
			return []any{&k.PMID, &k.Added, &k.Changed, &k.Retracted}
		})
		return err
	})
	return list, err
}
