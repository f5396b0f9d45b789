package rows

import (
	"context"
	"errors"
	"strings"

	"biomcp/store/disk"
	"biomcp/store/postings"
	"biomcp/store/textcode"
)

// ErrDamaged says that what was read is not what was stored.
var ErrDamaged = errors.New("a row does not hold what was stored")

// isDamage reports an error that says that what was read is not what was stored, in what
// package sql says of a value of another type too.
func isDamage(err error) bool {
	return errors.Is(err, ErrDamaged) || errors.Is(err, postings.ErrDamaged) || errors.Is(err, textcode.ErrDamaged) ||
		err != nil && strings.HasPrefix(err.Error(), "sql: Scan error")
}

// Wrap gives err the kind its cause implies.
func Wrap(ctx context.Context, op string, err error) error {
	if ctx.Err() == nil && !errors.As(err, new(*disk.Error)) && isDamage(err) {
		return &disk.Error{Kind: disk.Corrupt, Op: op, Message: "the file is damaged", Err: err}
	}
	return disk.Wrap(ctx, op, err)
}

// Damaged reports whether err says that what was read is not what was stored.
func Damaged(err error) bool {
	return disk.IsKind(Wrap(context.Background(), "", err), disk.Corrupt)
}
