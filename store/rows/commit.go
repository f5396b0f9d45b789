package rows

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"

	"biomcp/store/disk"
)

// Each write transaction counts itself in the table meta, and then in a small file next to the
// database. A journal that is cut, cleared or removed takes the last transactions with it, and
// SQLite does not notice; the file does, as it counts more than the database. A process that is
// killed between a commit and the write of the file leaves a file that counts less, which is no
// damage. A power failure may leave an older file, or an unreadable one, which is ignored.

// Commit identifies the last transaction of a database.
type Commit struct {
	Database  string // random name of the database; "" if it has none yet
	Number    int64  // number of write transactions
	Documents int64  // number of documents
}

// Keys of the table meta.
const (
	DatabaseKey  = "database"
	CommitKey    = "commit"
	documentsKey = "documents"

	commitFormat = "biomcp-commit-1 %s %020d %020d"
)

// ReadCommit reads the file that names the last transaction. It returns a zero value if the file is
// missing or unreadable.
func ReadCommit(path string) (c Commit) {
	b, err := os.ReadFile(path)
	if err != nil || len(b) < 9 {
		return Commit{}
	}
	text, sum := b[:len(b)-9], string(b[len(b)-9:])
	if fmt.Sprintf(" %08x", crc32.Checksum(text, castagnoli)) != sum {
		return Commit{}
	}
	if _, err := fmt.Sscanf(string(text), commitFormat, &c.Database, &c.Number, &c.Documents); err != nil {
		return Commit{}
	}
	return c
}

// writeCommit overwrites the file in place: its length never changes, and one write is enough.
func writeCommit(path string, c Commit) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text := fmt.Appendf(nil, commitFormat, c.Database, c.Number, c.Documents)
	_, err = f.WriteAt(fmt.Appendf(text, " %08x", crc32.Checksum(text, castagnoli)), 0)
	return err
}

// LastCommit returns the last transaction at the snapshot of r.
func (r *Conn) LastCommit() (c Commit, err error) {
	const query = "SELECT coalesce(max(value) FILTER (WHERE key='" + DatabaseKey + "'),'')," +
		" coalesce(max(value) FILTER (WHERE key='" + CommitKey + "'),0)," +
		" coalesce(max(value) FILTER (WHERE key='" + documentsKey + "'),0)" +
		" FROM %s WHERE intact(sum IS crc32c('meta',key,value))"
	again := func() { c = Commit{} }
	err = r.EachCopied("meta", query, again, func(scan func(...any) error) error {
		return scan(&c.Database, &c.Number, &c.Documents)
	})
	return c, err
}

// countCommit counts a transaction in the table meta.
func (r *Conn) countCommit() (c Commit, err error) {
	if c, err = r.LastCommit(); err != nil {
		return c, err
	}
	if c.Database == "" {
		name := make([]byte, 8)
		if _, err := rand.Read(name); err != nil {
			return c, err
		}
		c.Database = hex.EncodeToString(name)
		if err := r.SetMeta(DatabaseKey, c.Database); err != nil {
			return c, err
		}
	}
	c.Number++
	return c, r.SetMeta(CommitKey, c.Number)
}

// Lacks returns how many transactions before saved the database lacks. It returns 0 if saved belongs
// to another database.
func (c Commit) Lacks(saved Commit) int64 {
	if saved.Number == 0 || c.Database != saved.Database && c.Number > 0 {
		return 0
	}
	return max(0, saved.Number-c.Number)
}

// checkCommits fails if the database lacks transactions that were committed before it was opened.
func (d *DB) checkCommits(r *Conn) error {
	if d.LastCommit.Number == 0 || d.Lenient {
		return nil
	}
	now, err := r.LastCommit()
	if err != nil {
		return err
	}
	if n := now.Lacks(d.LastCommit); n > 0 {
		return disk.NewError(disk.Corrupt, "open corpus",
			"the file is damaged: its last %d changes are missing, with the journal that held them; "+
				"if another copy of the file was put in its place, remove %s beside it", n, filepath.Base(d.CommitFile))
	}
	return nil
}

// checkBegun fails if a file without tables had transactions.
func (d *DB) checkBegun(version int) error {
	if version > 0 || d.LastCommit.Number == 0 {
		return nil
	}
	return errEmpty("open corpus", d.LastCommit)
}

func errEmpty(op string, last Commit) error {
	return disk.NewError(disk.Corrupt, op, "the file is empty, but it held %d documents", last.Documents)
}

// saveCommit writes the file that names the last transaction. A failure only makes a later loss go
// unnoticed.
func (d *DB) saveCommit(c Commit) {
	if d.CommitFile != "" {
		_ = writeCommit(d.CommitFile, c)
	}
}

// CheckEmpty returns an error if a file is empty although transactions were committed to it. last
// is the last of them.
func CheckEmpty(ctx context.Context, op, path string, last Commit) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return Wrap(ctx, op, err)
	}
	journal, err := os.Stat(path + "-wal")
	switch {
	case info.Size() > 0 || !info.Mode().IsRegular():
		return nil
	case last.Number > 0:
		return errEmpty(op, last)
	case err == nil && journal.Size() > 0:
		return disk.NewError(disk.Corrupt, op, "the file is empty, but its journal is not")
	}
	return nil
}
