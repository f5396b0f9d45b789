//go:build !unix

package httpclient

import "os"

// makePrivate creates dir. On these systems each user has a temporary directory of its own.
func makePrivate(dir string) error { return os.MkdirAll(dir, 0o700) }
