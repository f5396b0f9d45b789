package store

import (
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

// Lease is the right to sync one query key. The operating system takes it back
// from a process that ends in whatever way, so nothing is left to clean up.
type Lease struct{ lock *flock.Flock }

// HeldError says who is syncing a key.
type HeldError struct {
	Key   string
	Work  string // what the key is for, if it is not a query key but the caller's own
	PID   int    // 0 while the holder has not yet written who it is
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

// Lease takes the lease of a key, or returns a *HeldError at once. The lock is a
// file next to the corpus; its holder is recorded in the corpus.
func (s *Store) Lease(ctx context.Context, key string) (*Lease, error) {
	const op = "take lease"
	if s.o.ReadOnly {
		return nil, disk.NewError(ReadOnly, op, "the corpus was opened to be read only")
	}
	sum := sha256.Sum256([]byte(key))
	lock, err := rows.Lock(filepath.Join(s.o.Dir, locks), hex.EncodeToString(sum[:8])+".lock", false)
	if err != nil {
		return nil, rows.Wrap(ctx, op, err)
	}
	if lock == nil {
		held := &HeldError{Key: key}
		if _, err := s.db.Found(ctx, op, "SELECT pid, host, since FROM lease WHERE key=?", []any{key}, &held.PID, &held.Host, &held.Since); err != nil {
			return nil, err
		}
		return nil, held
	}
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	if err := s.db.Exec(ctx, op, "INSERT OR REPLACE INTO lease VALUES(?,?,?,?)", key, os.Getpid(), host, s.now()); err != nil {
		lock.Close()
		return nil, err
	}
	return &Lease{lock: lock}, nil
}

// Release gives the lease back.
func (l *Lease) Release() error { return rows.Wrap(context.TODO(), "release lease", l.lock.Close()) }
