//go:build unix

package httpclient

import (
	"errors"
	"os"
	"syscall"
)

// makePrivate creates dir. It returns an error if another user owns dir or may write to it, since
// its parent folder is shared by all users.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	fi, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := fi.Sys().(*syscall.Stat_t)
	owned := ok && int(stat.Uid) == os.Getuid()
	writableByOthers := fi.Mode().Perm()&0o022 != 0
	if !fi.IsDir() || writableByOthers || !owned {
		return errors.New("the folder belongs to another user")
	}
	return nil
}
