package rows

import (
	"context"
	"errors"
	"strings"

	"biomcp/store/disk"
	"biomcp/store/postings"
	"biomcp/store/textcodec"
)

// ErrDamaged is returned if a row fails its checksum.
var ErrDamaged = errors.New("a row is damaged")

// isDamage reports whether err means that stored data is damaged, including the error of package
// sql for a value of an unexpected type.
func isDamage(err error) bool {
	return errors.Is(err, ErrDamaged) || errors.Is(err, postings.ErrDamaged) || errors.Is(err, textcodec.ErrDamaged) ||
		err != nil && strings.HasPrefix(err.Error(), "sql: Scan error")
}

// Wrap returns err as an Error of the kind that its cause implies.
func Wrap(ctx context.Context, op string, err error) error {
	if ctx.Err() == nil && !errors.As(err, new(*disk.Error)) && isDamage(err) {
		return &disk.Error{Kind: disk.Corrupt, Op: op, Message: "the file is damaged", Err: err}
	}
	return disk.Wrap(ctx, op, err)
}

// IsDamaged reports whether err means that stored data is damaged.
func IsDamaged(err error) bool {
	return disk.IsKind(Wrap(context.Background(), "", err), disk.Corrupt)
}
