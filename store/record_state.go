package store

import (
	"context"
	"database/sql"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// FileNumber is the sequence number of a PubMed baseline or update file: 260123 is
// pubmed26n0123.xml.gz. 0 means no such file.
type FileNumber int64

// State describes the newest record and the newest deletion that the corpus knows of a PMID.
// Records and deletions may arrive in any order. The newest record is the one with the greatest
// PMID version, then LR, then FileNumber. Whether it is deleted follows from comparing it with the
// newest deletion. So the same files lead to the same state, in whatever order they are read. Two
// cases cannot be ordered and are taken in order of arrival: two records of one version and LR, one
// of them not from a numbered file; and an undated deletion of a record that is not from a numbered
// file.
type State struct {
	Version     int // revision in this corpus; 0 if the PMID was never seen
	PMIDVersion int
	Revised     int64 // LR as the number yyyymmddhhmm
	File        FileNumber
	Hash        int64 // hash of the content
	Deleted     bool
	deletion    deletion
}

// Action is the effect of putting a record.
type Action int

const (
	Skip Action = iota
	Insert
	Update
)

// Put returns the state after a record from file (0 if none) and the effect. The record is skipped
// if it is older than the stored one, identical to it, or deleted. It is an update if it is newer
// or its content differs. A deleted record returns only with a version newer than the deletion. A
// skipped record may still change the state.
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
	if next.Deleted {
		next.Version = max(next.Version, 1) // a Repair lost the record, but not its deletion
	}
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

// restore returns the state after a record from a damaged corpus, which had the state r there.
// Among several records of one PMID it keeps the greatest version, and a deletion among equal
// versions.
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

// Delete returns the state after a deletion. Its date is asOf, the newest LR in its file; if that
// is unknown, it is ordered by the number of the file. With neither, it applies to the record
// stored now.
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

// deletion describes the known deletions of a PMID.
type deletion struct {
	revised int64      // greatest LR at which it is known to be deleted; 0 if none
	file    FileNumber // last file with that LR that deletes it; 0 means any
	undated FileNumber // last file that deletes it without a date
}

// date adds a dated deletion.
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

// dateNumber returns the first twelve digits of a date as a number, padded with zeros. It returns 0
// if date has no digits.
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

// stateOf reads the state of a PMID.
func stateOf(r *rows.Conn, pmid record.PMID) (State, error) {
	var s State
	var sum int64
	var body rows.Blob
	var deletionSum sql.NullInt64
	found, err := r.RowFound(`SELECT version, pmid_version, lr, document.file, hash, body, document.sum,
		coalesce(revised,0), coalesce(deletion.file,0), coalesce(undated,0), deletion.sum
		FROM document LEFT JOIN deletion USING(pmid) WHERE pmid=?`, []any{pmid},
		&s.Version, &s.PMIDVersion, &s.Revised, &s.File, &s.Hash, &body, &sum,
		&s.deletion.revised, &s.deletion.file, &s.deletion.undated, &deletionSum)
	switch {
	case err != nil:
		return s, err
	case found:
		s.Deleted = body == nil
		err = s.check(pmid, body, sum)
	default: // a Repair may have lost the record and kept its deletion, which must hold
		const selectDeletion = "SELECT revised, file, undated, sum FROM deletion WHERE pmid=?"
		err = r.Row(selectDeletion, []any{pmid}, &s.deletion.revised, &s.deletion.file, &s.deletion.undated, &deletionSum)
	}
	if d := s.deletion; err == nil && deletionSum.Valid {
		err = rows.CheckSum(deletionSum.Int64, "deletion", int64(pmid), d.revised, int64(d.file), int64(d.undated))
	}
	return s, err
}

// check verifies the checksum of the row of a PMID.
func (s State) check(pmid record.PMID, body []byte, sum int64) error {
	return rows.CheckSum(sum, "document", int64(pmid), int64(s.Version), int64(s.PMIDVersion), s.Revised, s.Hash,
		int64(s.File), body)
}

// statesOf reads the states of PMIDs. It looks up only those up to the greatest stored PMID, which
// saves most look-ups of a first import.
func statesOf(r *rows.Conn, pmids []record.PMID) (map[record.PMID]State, error) {
	var last record.PMID
	const selectLast = "SELECT max(coalesce((SELECT max(pmid) FROM document),0)," +
		" coalesce((SELECT max(pmid) FROM deletion),0))"
	if err := r.Row(selectLast, nil, &last); err != nil {
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

// States returns the state of each PMID, so that a caller can avoid analysing records that Commit
// would skip.
func (s *Store) States(ctx context.Context, pmids []record.PMID) (states map[record.PMID]State, err error) {
	err = s.db.Read(ctx, "read documents", func(r *rows.Conn) error {
		if states, err = statesOf(r, pmids); err != nil {
			return err
		}
		return ctx.Err()
	})
	return states, err
}
