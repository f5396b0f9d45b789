package store

import (
	"biomcp/entrez/fault"
	"biomcp/store/disk"
	"biomcp/store/rows"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Lease is the exclusive right to sync one query key. The operating system releases it when the
// process ends, however it ends.
type Lease struct{ lock *flock.Flock }

// HeldError is returned by Store.Lease if another process holds the lease.
type HeldError struct {
	Key   string
	Work  string // describes the work if key is not a query key
	PID   int    // 0 until the holder has recorded itself
	Host  string
	Since string // RFC 3339
}

func (e *HeldError) Error() string {
	work := cmp.Or(e.Work, fmt.Sprintf("a sync of %q", e.Key))
	if e.PID == 0 {
		return "store: another process is busy with " + work
	}
	return fmt.Sprintf("store: process %d on %s is busy with %s since %s", e.PID, e.Host, work, e.Since)
}

// Meaning returns the code Store.
func (e *HeldError) Meaning() fault.Meaning { return fault.Meaning{Code: fault.Store} }

// Lease takes the lease of a key. If another process holds it, Lease returns a *HeldError at once.
// The lock is a file next to the corpus; the corpus records its holder.
func (s *Store) Lease(ctx context.Context, key string) (*Lease, error) {
	const op = "take lease"
	if s.o.ReadOnly {
		return nil, disk.NewError(ReadOnly, op, "the corpus was opened read-only")
	}
	sum := sha256.Sum256([]byte(key))
	lock, err := rows.Lock(filepath.Join(s.o.Dir, locks), hex.EncodeToString(sum[:8])+".lock", false)
	if err != nil {
		return nil, rows.Wrap(ctx, op, err)
	}
	if lock == nil {
		held := &HeldError{Key: key}
		// The table is its own index. If a damaged key hides the row, the message names no process.
		selectLease := "SELECT pid, host, since FROM lease WHERE key=? AND " + intact("lease")
		if _, err := s.db.RowFound(ctx, op, selectLease, []any{key}, &held.PID, &held.Host, &held.Since); err != nil {
			return nil, err
		}
		return nil, held
	}
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	const insertLease = "INSERT OR REPLACE INTO lease VALUES(?,?,?,?)"
	if err := s.db.Exec(ctx, op, insertLease, key, os.Getpid(), host, s.now()); err != nil {
		lock.Close()
		return nil, err
	}
	return &Lease{lock: lock}, nil
}

// Release gives up the lease.
func (l *Lease) Release() error { return rows.Wrap(context.TODO(), "release lease", l.lock.Close()) }
