package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"biomcp/store/postings"

	"modernc.org/sqlite"
)

// Kind says what went wrong on this disk, so that a caller can choose an exit
// status and a hint without reading a message.
type Kind string

const (
	Corrupt       Kind = "corrupt"        // not an SQLite file, or a damaged one; repaired only by a Repair, never deleted
	Foreign       Kind = "foreign"        // a database of another program; never written to
	Locked        Kind = "locked"         // another process is writing and did not finish in time
	Full          Kind = "full"           // the disk, or a quota, is full
	ReadOnly      Kind = "read_only"      // the folder or the file may not be written
	OtherLayout   Kind = "other_layout"   // written by another version of biomcp
	NotFound      Kind = "not_found"      // no corpus, document, model or job of that name
	ModelMismatch Kind = "model_mismatch" // vectors of another model or dimension
	Invalid       Kind = "invalid"        // the caller asked for something that cannot be stored
	Failed        Kind = "failed"         // anything else the disk or SQLite reported
)

// Error is every failure of this package. Its text names neither a path nor an
// identifier of the machine, so it may be shown to anyone; the cause is kept
// for errors.Is and for a log.
type Error struct {
	Kind    Kind
	Op      string // what was being done: "open corpus", "commit"
	Message string
	Err     error // the cause, may be nil
}

func (e *Error) Error() string { return "store: " + e.Op + ": " + e.Message }

func (e *Error) Unwrap() error { return e.Err }

// DamagedCorpus reports whether err says that the corpus is damaged, and not, say,
// the response cache.
func DamagedCorpus(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == Corrupt && !strings.HasSuffix(e.Op, "cache")
}

// IsKind reports whether err is a failure of the store of kind k.
func IsKind(err error, k Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == k
}

func newError(k Kind, op, format string, args ...any) *Error {
	return &Error{Kind: k, Op: op, Message: fmt.Sprintf(format, args...)}
}

// SQLite result codes, https://www.sqlite.org/rescode.html
const (
	sqliteBusy     = 5
	sqliteLocked   = 6
	sqliteReadOnly = 8
	sqliteIOErr    = 10
	sqliteCorrupt  = 11
	sqliteFull     = 13
	sqliteCantOpen = 14
	sqliteNotADB   = 26
)

func sqliteCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// wrap gives err the kind its cause implies. A cancelled context stays what it
// is: SQLite reports it as an interrupted statement.
func wrap(ctx context.Context, op string, err error) error {
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
	switch sqliteCode(err) {
	case sqliteBusy, sqliteLocked:
		e.Kind, e.Message = Locked, "another process is writing to it"
	case sqliteReadOnly:
		e.Kind, e.Message = ReadOnly, "it may not be written"
	case sqliteCorrupt:
		e.Kind, e.Message = Corrupt, "the file is damaged"
	case sqliteNotADB:
		e.Kind, e.Message = Corrupt, "the file is not a biomcp database"
	case sqliteFull:
		e.Kind, e.Message = Full, "the disk is full"
	case sqliteCantOpen:
		e.Kind, e.Message = ReadOnly, "the file cannot be opened or created"
	case sqliteIOErr:
		e.Message = "the disk could not be read or written"
	case 0:
		switch {
		case errors.Is(err, postings.ErrDamaged), errors.Is(err, errBody):
			e.Kind, e.Message = Corrupt, "the file is damaged"
		case errors.Is(err, fs.ErrPermission):
			e.Kind, e.Message = ReadOnly, "permission denied"
		case errors.Is(err, fs.ErrNotExist):
			e.Kind, e.Message = NotFound, "it does not exist"
		}
	}
	return e
}
