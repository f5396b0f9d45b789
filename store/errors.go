package store

import (
	"errors"
	"strings"

	"biomcp/store/disk"
)

// Aliases of the error types of package disk.
type (
	Error = disk.Error
	Kind  = disk.Kind
)

// The kinds of errors, from package disk.
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

// IsDamagedCorpus reports whether err means that the corpus is damaged, rather than another file such
// as the response cache.
func IsDamagedCorpus(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == Corrupt && !strings.HasSuffix(e.Op, "cache")
}
