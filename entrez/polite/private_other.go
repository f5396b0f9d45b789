//go:build !unix

package polite

import "os"

// private makes dir; the temporary directory is each user's own here.
func private(dir string) error { return os.MkdirAll(dir, 0o700) }
