package store

import (
	"context"
	"errors"
	"strings"

	"biomcp/store/disk"
	"biomcp/store/postings"
	"biomcp/store/textcode"
)

// Package disk has the errors.
type (
	Error = disk.Error
	Kind  = disk.Kind
)

// The kinds of errors (package disk).
const (
	Corrupt       = disk.Corrupt
	Foreign       = disk.Foreign
	Locked        = disk.Locked
	Full          = disk.Full
	ReadOnly      = disk.ReadOnly
	OtherLayout   = disk.OtherLayout
	NotFound      = disk.NotFound
	ModelMismatch = disk.ModelMismatch
	Invalid       = disk.Invalid
	Failed        = disk.Failed
)

// IsKind reports whether err is an Error of kind k.
func IsKind(err error, k Kind) bool { return disk.IsKind(err, k) }

// DamagedCorpus reports whether err says that the corpus is damaged, and not, say,
// the response cache.
func DamagedCorpus(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == Corrupt && !strings.HasSuffix(e.Op, "cache")
}

func newError(k Kind, op, format string, args ...any) *Error {
	return disk.NewError(k, op, format, args...)
}

// isDamage reports an error that says that what was read is not what was stored, in what
// package sql says of a value of another type too.
func isDamage(err error) bool {
	return errors.Is(err, postings.ErrDamaged) || errors.Is(err, errBody) || errors.Is(err, errSum) || errors.Is(err, textcode.ErrDamaged) ||
		err != nil && strings.HasPrefix(err.Error(), "sql: Scan error")
}

// wrap gives err the kind its cause implies.
func wrap(ctx context.Context, op string, err error) error {
	if ctx.Err() == nil && !errors.As(err, new(*Error)) && isDamage(err) {
		return &Error{Kind: Corrupt, Op: op, Message: "the file is damaged", Err: err}
	}
	return disk.Wrap(ctx, op, err)
}
