package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"biomcp/entrez/fault"
)

// Kind classifies an error, so that a caller can choose an exit status and a hint without parsing
// the message.
type Kind string

const (
	Corrupt       Kind = "corrupt"        // not an SQLite file, or a damaged one; only a Repair changes it
	Foreign       Kind = "foreign"        // a database of another program; never written
	Locked        Kind = "locked"         // another process is writing and did not finish in time
	Full          Kind = "full"           // the disk, or a quota, is full
	ReadOnly      Kind = "read_only"      // the folder or file is not writable
	OtherLayout   Kind = "other_layout"   // written by another version of biomcp
	NotFound      Kind = "not_found"      // no corpus, document, model or job of that name
	ModelMismatch Kind = "model_mismatch" // vectors of another model or dimension
	Invalid       Kind = "invalid"        // the caller asked to store something invalid
	Failed        Kind = "failed"         // any other error of the disk or SQLite
)

// Error is the error of every operation on these files. Its text contains neither a path nor an
// identifier of the machine, so it may be shown to anyone. The cause is kept for errors.Is and for
// logs.
type Error struct {
	Kind    Kind
	Op      string // operation: "open corpus", "commit"
	Message string
	Err     error // cause; may be nil
}

func (e *Error) Error() string { return "store: " + e.Op + ": " + e.Message }

func (e *Error) Unwrap() error { return e.Err }

// Meaning returns the code of the kind. A damaged corpus leads to its repair.
func (e *Error) Meaning() fault.Meaning {
	help := []string{"sync", "pubmed", "--help"}
	switch e.Kind {
	case NotFound:
		return fault.Meaning{Code: fault.NotFound, Next: help}
	case OtherLayout:
		return fault.Meaning{Code: fault.Invariant, Next: help}
	case ModelMismatch:
		return fault.Meaning{Code: fault.Invariant}
	case Invalid:
		return fault.Meaning{Code: fault.Validation}
	case Corrupt:
		if e.DamagedCorpus() {
			return fault.Meaning{Code: fault.Store, Next: []string{"sync", "repair"}}
		}
	}
	return fault.Meaning{Code: fault.Store}
}

// DamagedCorpus reports whether the corpus is damaged, rather than another file such as the response
// cache.
func (e *Error) DamagedCorpus() bool { return e.Kind == Corrupt && !strings.HasSuffix(e.Op, "cache") }

// IsKind reports whether err is an Error of kind k.
func IsKind(err error, k Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == k
}

// NewError returns an Error without a cause.
func NewError(k Kind, op, format string, args ...any) *Error {
	return &Error{Kind: k, Op: op, Message: fmt.Sprintf(format, args...)}
}

// IsBusy reports whether SQLite failed because another connection holds a lock.
func IsBusy(err error) bool { return code(err) == sqlite3.SQLITE_BUSY }

// CanOpenImmutable reports whether a database may be opened as immutable: SQLite could not create the files
// that coordinate readers and writers, and no journal has changes, so no process can be writing.
func CanOpenImmutable(path string, err error) bool {
	if c := code(err); c != sqlite3.SQLITE_CANTOPEN && c != sqlite3.SQLITE_READONLY {
		return false
	}
	journal, missing := os.Stat(path + "-wal")
	return missing != nil || journal.Size() == 0
}

// code returns the SQLite result code of err (https://www.sqlite.org/rescode.html), or 0 if it has
// none.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// WrapSQLite is like Wrap but returns an error that is not from SQLite unchanged.
func WrapSQLite(ctx context.Context, op string, err error) error {
	if code(err) == 0 && ctx.Err() == nil {
		return err
	}
	return Wrap(ctx, op, err)
}

// Wrap returns err as an Error of the kind that its cause implies. It returns the cause of a
// cancelled context, which SQLite reports as an interrupted statement.
func Wrap(ctx context.Context, op string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var already *Error
	if errors.As(err, &already) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e := &Error{Kind: Failed, Op: op, Message: "the disk or the database reported a failure", Err: err}
	switch code(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		e.Kind, e.Message = Locked, "another process is writing to it"
	case sqlite3.SQLITE_READONLY:
		e.Kind, e.Message = ReadOnly, "the file is not writable"
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR:
		// Every statement is valid, so an SQL error means a damaged schema.
		e.Kind, e.Message = Corrupt, "the file is damaged"
	case sqlite3.SQLITE_NOTADB:
		e.Kind, e.Message = Corrupt, "the file is not a biomcp database"
	case sqlite3.SQLITE_FULL:
		e.Kind, e.Message = Full, "the disk is full"
	case sqlite3.SQLITE_CANTOPEN:
		e.Kind, e.Message = ReadOnly, "the file cannot be opened or created"
	case sqlite3.SQLITE_IOERR:
		e.Message = "the disk could not be read or written"
	case 0:
		var number syscall.Errno // its text has no path: "not a directory", "no locks available"
		if errors.As(err, &number) {
			e.Message = number.Error()
		}
		switch {
		case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
			e.Kind = ReadOnly
		case errors.Is(err, syscall.ENOSPC):
			e.Kind = Full
		case errors.Is(err, fs.ErrNotExist):
			e.Kind, e.Message = NotFound, "it does not exist"
		}
	}
	return e
}
