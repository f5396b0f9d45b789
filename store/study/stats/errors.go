package stats

import "errors"

// Why a result does not exist. They are for errors.Is; a message for a person is
// the caller's, who knows what the groups are.
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
