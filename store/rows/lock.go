package rows

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Lock locks a file in a folder, which it creates if it is missing, exclusively or shared. It
// returns nil if another process holds a conflicting lock.
func Lock(folder, name string, shared bool) (*flock.Flock, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(folder, name))
	try := lock.TryLock
	if shared {
		try = lock.TryRLock
	}
	if ok, err := try(); err != nil || !ok {
		lock.Close()
		return nil, err
	}
	return lock, nil
}
