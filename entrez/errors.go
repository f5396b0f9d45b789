package entrez

import "biomcp/entrez/polite"

// Kind says how a call failed.
type Kind = polite.Kind

// Error is every failure of a call except a cancelled context.
type Error = polite.Error

// The kinds.
const (
	RateLimited = polite.RateLimited
	Unreachable = polite.Unreachable
	Timeout     = polite.Timeout
	Upstream    = polite.Upstream
	Refused     = polite.Refused
	BadKey      = polite.BadKey
	NotFound    = polite.NotFound
	Invalid     = polite.Invalid
)

// IsNotFound reports whether a service answered that there is no such thing.
func IsNotFound(err error) bool { return polite.IsKind(err, NotFound) }
