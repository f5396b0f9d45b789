package rows

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Lock locks a file of a folder, which is made if it is missing, for this process alone or,
// if it is shared, with others. It is nil if another process has it.
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
