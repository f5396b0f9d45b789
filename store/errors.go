package store

import (
	"errors"

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

// IsDamagedCorpus reports whether err is an Error of a damaged corpus.
func IsDamagedCorpus(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.DamagedCorpus()
}
