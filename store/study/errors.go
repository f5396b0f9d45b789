package study

import (
	"errors"
	"fmt"
	"strings"

	"biomcp/entrez/fault"
)

// A Kind classifies an Error, so that a caller can choose an error code and a hint without
// parsing the message.
type Kind string

const (
	NotFound  Kind = "not_found" // no such study, gene, attribute or endpoint
	NoData    Kind = "no_data"   // the study has no file with that data
	NoPanel   Kind = "no_panel"  // the study names a gene panel whose genes are unknown; Study is set
	Malformed Kind = "malformed" // a file violates the format; File, Line and Column give the place
	Invalid   Kind = "invalid"   // the request cannot be answered
	Failed    Kind = "failed"    // the disk reported a failure

	BadArchive Kind = "bad_archive" // the download is damaged or is not a study
	Busy       Kind = "busy"        // another process or folder is in the way
)

// Error is the type of the errors that this package returns. The text names files of a study
// but never a folder of the machine. Err is the cause, for a log.
type Error struct {
	Kind    Kind
	Message string
	File    string // relative to the study's folder
	Line    int    // from 1; 0 if the error concerns the whole file
	Column  string // name of the column, or its number from 1
	Study   string // study ID; set for kind NoPanel
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

// Meaning returns the code of the kind and the command that lists or downloads studies.
func (e *Error) Meaning() fault.Meaning {
	list := []string{"study", "list"}
	switch e.Kind {
	case NotFound, NoData:
		return fault.Meaning{Code: fault.NotFound, Next: list}
	case NoPanel:
		return fault.Meaning{Code: fault.NotFound, Next: []string{"study", "download", e.Study}}
	case Invalid:
		return fault.Meaning{Code: fault.Validation, Next: list}
	case BadArchive:
		return fault.Meaning{Code: fault.Upstream, Next: []string{"study", "download", "--list"}}
	}
	return fault.Meaning{Code: fault.Store, Next: list}
}

func (e *Error) Unwrap() error { return e.Err }

// IsKind reports whether err is an Error of kind k.
func IsKind(err error, k Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == k
}

func newError(k Kind, format string, args ...any) *Error {
	return &Error{Kind: k, Message: fmt.Sprintf(format, args...)}
}
