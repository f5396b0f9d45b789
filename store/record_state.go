package store

import (
	"context"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// FileNumber is the place of a file in the row in which PubMed numbers its baseline
// and update files: 260123 is pubmed26n0123.xml.gz. 0 is no such file.
type FileNumber int64

// State is what the corpus knows of a PMID: its newest record, and the newest
// deletion. Records and deletions may come in any order. The newest record is
// decided by PMID version, then LR, then FileNumber, and it is deleted or not by how
// it compares with the newest deletion; so the same files lead to the same state,
// whichever is read first. What cannot be ordered is taken in the order in which it
// comes: two records of one version and LR of which one came from no numbered file,
// and a deletion without a date of a record that came from none.
type State struct {
	Version     int // ours; 0: never seen
	PMIDVersion int
	Revised     int64 // LR as the number yyyymmddhhmm
	File        FileNumber
	Hash        int64 // of the content
	Deleted     bool
	deletion    deletion
}

// Action is what becomes of a record that is put.
type Action int

const (
	Skip Action = iota
	Insert
	Update
)

// Put returns the state after a record of a file, 0 for none, and what becomes of
// the record. It is skipped if it is older than what is stored, the same, or
// deleted; it is an update if it is newer or its content differs. A record that
// was deleted comes back only with one that is newer than the deletion. A record
// that is skipped may still change the state.
func (s State) Put(doc *Document, file FileNumber) (State, Action) {
	return s.put(max(doc.PMIDVersion, 1), dateNumber(doc.LR), contentHash(doc), file)
}

func (s State) put(pmidVersion int, revised, hash int64, file FileNumber) (State, Action) {
	newer := s.Version == 0 || pmidVersion > s.PMIDVersion || pmidVersion == s.PMIDVersion && revised > s.Revised
	older := !newer && (pmidVersion < s.PMIDVersion || revised < s.Revised || file > 0 && file < s.File)
	if older {
		return s, Skip
	}
	next := s
	if next.File = max(file, s.File); newer {
		next.File = file
	}
	next.PMIDVersion, next.Revised, next.Hash = pmidVersion, revised, hash
	next.Deleted = s.deletion.covers(next)
	switch {
	case next.Deleted, !newer && !s.Deleted && hash == s.Hash:
		return next, Skip
	case s.Version == 0, s.Deleted:
		next.Version++
		return next, Insert
	}
	next.Version++
	return next, Update
}

// restore returns the state after a record that comes from a damaged corpus, where it
// had the state r. Of several of one PMID the one with the greatest version is kept,
// of equal ones the deletion.
func (s State) restore(r State) (State, Action) {
	r.deletion = s.deletion
	switch {
	case r.Version < s.Version, r.Version == s.Version && (s.Deleted || !r.Deleted):
		return s, Skip
	case r.Deleted:
		return r, Skip
	}
	return r, Insert
}

// Delete returns the state after a deletion. It is dated by asOf, the newest LR in
// its file, where that is known, else by the place of the file. A deletion that
// can be dated by neither is one of what is stored now.
func (s State) Delete(asOf string, file FileNumber) State {
	return s.delete(dateNumber(asOf), file)
}

func (s State) delete(asOf int64, file FileNumber) State {
	if asOf == 0 && file == 0 && (s.Version == 0 || s.Deleted) {
		return s
	}
	next := s
	switch {
	case asOf > 0:
		next.deletion.date(asOf, file)
	default:
		next.deletion.undated = max(next.deletion.undated, file)
		if s.Version > 0 && !s.Deleted && (file == 0 || s.File == 0) {
			next.deletion.date(max(s.Revised, 1), 0)
		}
	}
	if s.Version == 0 {
		next.Version, next.PMIDVersion, next.Deleted = 1, 1, true
	}
	next.Deleted = next.Deleted || next.deletion.covers(next)
	return next
}

// deletion is what is known of the deletions of a PMID.
type deletion struct {
	revised int64      // the greatest LR at which it is known to be deleted, 0: none
	file    FileNumber // the last file with that LR in which it is; 0: any
	undated FileNumber // the last file that deletes and gives no date
}

// date adds a deletion with a date.
func (d *deletion) date(revised int64, file FileNumber) {
	switch {
	case revised > d.revised:
		d.revised, d.file = revised, file
	case revised == d.revised && (file == 0 || d.file == 0):
		d.file = 0
	case revised == d.revised:
		d.file = max(d.file, file)
	}
}

// covers reports whether the record of a state is deleted.
func (d deletion) covers(s State) bool {
	switch {
	case s.File > 0 && s.File <= d.undated:
		return true
	case s.Revised != d.revised:
		return s.Revised < d.revised
	}
	return d.revised > 0 && (d.file == 0 || s.File == 0 || s.File <= d.file)
}

// dateNumber makes dates comparable: their first twelve digits as a number,
// with zeros for what is missing. "" is 0.
func dateNumber(date string) int64 {
	var n int64
	digits := 0
	for i := 0; i < len(date) && digits < 12; i++ {
		if c := date[i]; '0' <= c && c <= '9' {
			n, digits = n*10+int64(c-'0'), digits+1
		}
	}
	for ; digits > 0 && digits < 12; digits++ {
		n *= 10
	}
	return n
}

// stateOf reads what is known of a PMID.
func stateOf(r *rows.Conn, pmid record.PMID) (State, error) {
	var s State
	var sum int64
	var body rows.Blob
	found, err := r.Found(`SELECT version, pmid_version, lr, document.file, hash, body, document.sum,
		coalesce(revised,0), coalesce(deletion.file,0), coalesce(undated,0)
		FROM document LEFT JOIN deletion USING(pmid) WHERE pmid=?`, []any{pmid},
		&s.Version, &s.PMIDVersion, &s.Revised, &s.File, &s.Hash, &body, &sum,
		&s.deletion.revised, &s.deletion.file, &s.deletion.undated)
	if found && err == nil {
		s.Deleted = body == nil
		err = s.check(pmid, body, sum)
	}
	return s, err
}

// check compares the sum of the row of a PMID.
func (s State) check(pmid record.PMID, body []byte, sum int64) error {
	return rows.CheckSum(sum, "document", int64(pmid), int64(s.Version), int64(s.PMIDVersion), s.Revised, s.Hash, int64(s.File), body)
}

// statesOf reads what is known of PMIDs. Most PMIDs of a first import are above all that are
// known, and need no look-up.
func statesOf(r *rows.Conn, pmids []record.PMID) (map[record.PMID]State, error) {
	var last record.PMID
	if err := r.Row("SELECT coalesce(max(pmid),0) FROM document", nil, &last); err != nil {
		return nil, err
	}
	states := make(map[record.PMID]State, len(pmids))
	for _, pmid := range pmids {
		var st State
		if pmid <= last {
			var err error
			if st, err = stateOf(r, pmid); err != nil {
				return nil, err
			}
		}
		states[pmid] = st
	}
	return states, nil
}

// States returns what is known of each PMID: a look before the work of
// analysing records that Commit would skip.
func (s *Store) States(ctx context.Context, pmids []record.PMID) (states map[record.PMID]State, err error) {
	err = s.db.Read(ctx, "read documents", func(r *rows.Conn) error {
		if states, err = statesOf(r, pmids); err != nil {
			return err
		}
		return ctx.Err()
	})
	return states, err
}
