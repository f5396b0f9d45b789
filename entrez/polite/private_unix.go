//go:build unix

package polite

import (
	"errors"
	"os"
	"syscall"
)

// private makes dir, and fails where another user owns it or may write to it: it
// lies in a folder that all users share.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	fi, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if s, ok := fi.Sys().(*syscall.Stat_t); !fi.IsDir() || fi.Mode().Perm()&0o022 != 0 || !ok || int(s.Uid) != os.Getuid() {
		return errors.New("the folder belongs to another user")
	}
	return nil
}
