package stats

import "errors"

// The reasons why a result is undefined, for use with errors.Is. The caller, who knows what the
// groups are, writes the message for the user.
var (
	ErrEmpty     = errors.New("stats: no observations")
	ErrTime      = errors.New("stats: a time is missing, negative or infinite")
	ErrNoEvents  = errors.New("stats: no events")
	ErrOneGroup  = errors.New("stats: fewer than two groups to compare")
	ErrConstant  = errors.New("stats: all values are equal")
	ErrShape     = errors.New("stats: columns differ in length, or a count is negative")
	ErrMissing   = errors.New("stats: a covariate is missing or infinite")
	ErrTooLarge  = errors.New("stats: the table is too large for an exact test")
	ErrDiverged  = errors.New("stats: the estimate did not converge")
	ErrCovariate = errors.New("stats: no covariate varies among those at risk")
)
