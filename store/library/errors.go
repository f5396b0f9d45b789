package library

import (
	"errors"
	"io/fs"
	"syscall"

	"biomcp/entrez/fault"
	"biomcp/store"
)

// Error is the error of every function of this package. Its text contains names of projects and
// files but no paths. The cause is kept for logs.
type Error struct {
	Kind    store.Kind // NotFound, Invalid, ReadOnly, Full or Failed
	Message string
	Err     error
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Err }

// Meaning returns the code of the kind.
func (e *Error) Meaning() fault.Meaning {
	switch e.Kind {
	case store.NotFound:
		return fault.Meaning{Code: fault.NotFound, Next: []string{"search", "library"}}
	case store.Invalid:
		return fault.Meaning{Code: fault.Validation}
	}
	return fault.Meaning{Code: fault.Store}
}

// IsKind reports whether err is an Error of kind k.
func IsKind(err error, k store.Kind) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Kind == k
}

// wrap returns a disk error about what as an Error.
func wrap(subject string, err error) error {
	e := &Error{Kind: store.Failed, Message: subject + " cannot be read or written", Err: err}
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		e.Kind, e.Message = store.ReadOnly, subject+": permission denied"
	case errors.Is(err, syscall.ENOSPC):
		e.Kind, e.Message = store.Full, subject+": the disk is full"
	case errors.Is(err, fs.ErrNotExist):
		e.Kind, e.Message = store.NotFound, subject+" does not exist"
	}
	return e
}
