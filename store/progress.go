package store

import (
	"biomcp/store/disk"
	"biomcp/store/rows"
	"cmp"
	"context"
	"time"
)

// Checkpoint returns the watermark of a query key and whether it has one.
func (s *Store) Checkpoint(ctx context.Context, key string) (lastEDAT string, ok bool, err error) {
	err = s.db.Read(ctx, "read checkpoint", func(r *rows.Conn) error {
		ok, err = checkpoint(r, key, &lastEDAT)
		return err
	})
	return lastEDAT, ok, err
}

func checkpoint(r *rows.Conn, key string, lastEDAT *string) (bool, error) {
	return r.CopiedRow("checkpoint", "last_edat", key, lastEDAT)
}

// AdvanceCheckpoint moves the watermark of a key forward to edat, provided that its value is still
// began ("" if it did not exist), and returns the resulting watermark. It never moves a watermark back,
// and never overwrites one that was set by hand in the meantime. Watermarks are RFC 3339 in UTC with
// seconds ("2024-05-11T06:00:00Z"), so that as strings they sort by time.
func (s *Store) AdvanceCheckpoint(ctx context.Context, key, began, edat string) (now string, err error) {
	const op = "write checkpoint"
	if err := checkTime(op, edat); err != nil {
		return "", err
	}
	err = s.db.Write(ctx, op, func(w *rows.Conn) error {
		_, err := checkpoint(w, key, &now)
		if err != nil || now != began || edat <= now {
			return err
		}
		now = edat
		return w.Exec("INSERT OR REPLACE INTO checkpoint VALUES(?,?)", key, edat)
	})
	return now, err
}

// SetCheckpoint sets a watermark by hand, even to an earlier time, and records it in the audit.
func (s *Store) SetCheckpoint(ctx context.Context, key, edat string) error {
	const op = "write checkpoint"
	if err := checkTime(op, edat); err != nil {
		return err
	}
	return s.db.Write(ctx, op, func(w *rows.Conn) error {
		const insertAudit = "INSERT INTO audit(at,key,old,new) " +
			"VALUES(?1,?2,(SELECT last_edat FROM checkpoint NOT INDEXED WHERE +key=?2),?3)"
		err := w.Exec(insertAudit, s.now(), key, edat)
		if err != nil {
			return err
		}
		return w.Exec("INSERT OR REPLACE INTO checkpoint VALUES(?,?)", key, edat)
	})
}

func checkTime(op, t string) error {
	if p, err := time.Parse("2006-01-02T15:04:05Z", t); err != nil || p.Format("2006-01-02T15:04:05Z") != t {
		return disk.NewError(Invalid, op, "a watermark is a time such as 2024-05-11T06:00:00Z")
	}
	return nil
}

// Job is one sync: its query and the window it covers. The caller defines the format of From and
// To.
type Job struct {
	ID, Key, Term, From, To string
	Started                 string
}

// StartJob records that a sync begins. If j.Started is "", it is set to the current time.
func (s *Store) StartJob(ctx context.Context, j Job) error {
	j.Started = cmp.Or(j.Started, s.now())
	return s.db.Exec(ctx, "write job", `INSERT INTO job(id,key,term,"from","to",started,round) SELECT ?1,?2,?3,?4,?5,?6,
		coalesce(min(round) FILTER (WHERE finished IS NULL), max(?7, 1+coalesce(max(round),0))) FROM job WHERE key=?2`,
		j.ID, j.Key, j.Term, j.From, j.To, j.Started, s.o.Now().Unix())
}

// UnfinishedJob returns the latest sync of key that is not finished, so that the next sync can
// resume it.
func (s *Store) UnfinishedJob(ctx context.Context, key string) (j Job, ok bool, err error) {
	selectJob := `SELECT id,key,term,"from","to",started FROM job NOT INDEXED WHERE ` + intact("job") +
		` AND +key=? AND finished IS NULL ORDER BY rowid DESC LIMIT 1`
	ok, err = s.db.RowFound(ctx, "read job", selectJob,
		[]any{key}, &j.ID, &j.Key, &j.Term, &j.From, &j.To, &j.Started)
	return j, ok, err
}

// FinishJob saves the report of a sync and marks it, and any earlier unfinished sync of its key, as
// finished. It deletes their slices.
func (s *Store) FinishJob(ctx context.Context, id, report string) error {
	return s.db.Write(ctx, "write job", func(w *rows.Conn) error {
		for _, q := range []string{
			"UPDATE job SET report=?2 WHERE id=?1",
			"DELETE FROM job_slice WHERE job IN (SELECT id FROM job" +
				" WHERE key=(SELECT key FROM job WHERE id=?1) AND finished IS NULL)",
			"UPDATE job SET finished=?3 WHERE key=(SELECT key FROM job WHERE id=?1) AND finished IS NULL",
		} {
			if err := w.Exec(q, id, report, s.now()); err != nil {
				return err
			}
		}
		return nil
	})
}

// StoredSlices returns the stored parts of a job (Batch.SliceDone).
func (s *Store) StoredSlices(ctx context.Context, job string) (map[string]bool, error) {
	done := map[string]bool{}
	err := s.db.Read(ctx, "read job", func(r *rows.Conn) error {
		query := "SELECT slice FROM job_slice WHERE " + intact("job_slice") + " AND +job=?"
		return r.Each(query, []any{job}, func(scan func(...any) error) error {
			var slice string
			err := scan(&slice)
			done[slice] = true
			return err
		})
	})
	return done, err
}

// File identifies an imported file by its path, and its contents by size and Hash or ModTime. The
// caller defines Hash; it is compared only if both files have one.
type File struct {
	Path    string
	Size    int64
	ModTime time.Time
	Hash    string
}

// FileDone reports whether the file was imported completely (Batch.FileDone) and is unchanged
// since.
func (s *Store) FileDone(ctx context.Context, f File) (bool, error) {
	var size, mtime int64
	var hash string
	// A damaged index of a file of layout 1 may name the row of another file, whose path differs. If it
	// has none, the file is imported again, which changes nothing.
	selectFile := "SELECT size, mtime, hash FROM file WHERE rowid=(SELECT rowid FROM file WHERE path=?1)" +
		" AND +path=?1 AND " + intact("file")
	found, err := s.db.RowFound(ctx, "read job", selectFile, []any{f.Path}, &size, &mtime, &hash)
	same := found && size == f.Size && (hash == f.Hash && hash != "" ||
		mtime == f.ModTime.UnixNano() && (hash == "" || f.Hash == ""))
	return same, err
}
