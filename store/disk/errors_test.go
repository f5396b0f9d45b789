package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

// The system's error text is included without the path.
func TestWrapSaysWhatTheSystemSays(t *testing.T) {
	for number, want := range map[syscall.Errno]Kind{
		syscall.EROFS: ReadOnly, syscall.EACCES: ReadOnly, syscall.ENOSPC: Full, syscall.ENOENT: NotFound, syscall.ENOTDIR: Failed, syscall.EMFILE: Failed,
	} {
		t.Run(number.Error(), func(t *testing.T) {
			err := Wrap(t.Context(), "open corpus", fmt.Errorf("in it: %w", &fs.PathError{Op: "mkdir", Path: "/invented", Err: number}))
			var e *Error
			if !errors.As(err, &e) || e.Kind != want || strings.Contains(e.Error(), "invented") || want != NotFound && e.Message != number.Error() {
				t.Errorf("%#v", err)
			}
		})
	}
	if err := Wrap(t.Context(), "open corpus", errors.New("other")); err.Error() != "store: open corpus: the disk or the database reported a failure" {
		t.Error(err)
	}
}
