package study

import (
	"errors"
	"fmt"
	"strings"
)

// Kind says what went wrong, so that a caller can choose a code and a hint without
// reading a message.
type Kind string

const (
	NotFound  Kind = "not_found" // no such study, gene, attribute or endpoint
	NoData    Kind = "no_data"   // the study has no file of that sort
	NoPanel   Kind = "no_panel"  // the genes of a panel that Study names are not known
	Malformed Kind = "malformed" // a file breaks the format; File, Line and Column say where
	Invalid   Kind = "invalid"   // the caller asked for something that cannot be answered
	Failed    Kind = "failed"    // the disk reported a failure

	BadArchive Kind = "bad_archive" // what was downloaded is damaged, or no study
	Busy       Kind = "busy"        // another process or folder is in the way
)

// Error is every failure of this package. Its text names files of a study, never a
// folder of the machine. Err is the cause, for a log.
type Error struct {
	Kind    Kind
	Message string
	File    string // in the folder of the study
	Line    int    // from 1; 0 if it is about the whole file
	Column  string // the name of a column, or its number from 1
	Study   string // its id, with NoPanel
	Err     error
}

func (e *Error) Error() string {
	var where []string
	if e.File != "" {
		where = append(where, e.File)
	}
	if e.Line > 0 {
		where = append(where, fmt.Sprintf("line %d", e.Line))
	}
	if e.Column != "" {
		where = append(where, "column "+e.Column)
	}
	if where == nil {
		return e.Message
	}
	return strings.Join(where, ", ") + ": " + e.Message
}

func (e *Error) Unwrap() error { return e.Err }

// IsKind reports whether err is a failure of this package of kind k.
func IsKind(err error, k Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == k
}

func newError(k Kind, format string, args ...any) *Error {
	return &Error{Kind: k, Message: fmt.Sprintf(format, args...)}
}
