package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"biomcp/cli/result"
)

func TestAnswerThatCannotBeWritten(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "/secret/stdout", Err: syscall.ENOSPC}
	for name, c := range map[string]struct {
		err  error
		f    result.Format
		exit int
		want string
	}{
		"full disk":         {full, result.Format{}, 1, "error: the answer could not be written to standard output: no space left on device\ntry:   biomcp health\n"},
		"full disk, JSON":   {fmt.Errorf("x: %w", full), result.Format{JSON: true}, 1, `{"error":{"code":"STORE","message":"the answer could not be written to standard output: no space left on device","details":{"try":"biomcp health"}}}` + "\n"},
		"closed pipe":       {&fs.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}, result.Format{}, 1, ""},
		"already a failure": {result.Invalid("too long"), result.Format{}, 2, ""},
		"another error":     {errors.New("broken"), result.Format{}, 1, "error: the answer could not be written to standard output: broken\ntry:   biomcp health\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if exit := writeFailure(&b, c.err, c.f); exit != c.exit || b.String() != c.want {
				t.Errorf("%s: exit %d, %q", name, exit, b.String())
			}
		})
	}
}
