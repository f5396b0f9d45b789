package polite

import (
	"context"
	"errors"
	"net"
	"time"
)

// Kind says how a call failed. NotFound and Invalid are never made here: they
// need to know what was asked, and belong to package entrez.
type Kind string

const (
	RateLimited Kind = "rate limited" // 429, or NCBI's limit body, to the last attempt
	Unreachable Kind = "unreachable"  // no connection
	Timeout     Kind = "timeout"      // the attempt's or the call's time ran out
	Upstream    Kind = "upstream"     // 5xx, HTML, truncated, too large, not what was asked for
	Refused     Kind = "refused"      // the service understood and said no
	BadKey      Kind = "bad api key"  // NCBI does not know the key
	NotFound    Kind = "not found"    // the service has no such record
	Invalid     Kind = "invalid"      // we would not send this
)

// Failure is an error of the transport: what happened, in words for a person.
// Message never holds the API key.
type Failure struct {
	Kind       Kind
	Status     int           // the HTTP status, 0 where there was no answer
	RetryAfter time.Duration // what the server asked for, 0 where it did not
	Message    string
	Attempts   int

	again bool  // another attempt may help
	cause error // a context error or ErrTooLong, for errors.Is; nothing else, it could hold a secret
}

// ErrTooLong is the cause of a Failure by an answer longer than its bound.
var ErrTooLong = errors.New("too long an answer")

func (f *Failure) Error() string { return f.Message }

// Unwrap gives context.DeadlineExceeded, context.Canceled or ErrTooLong where one
// was the cause.
func (f *Failure) Unwrap() error { return f.cause }

// ended is the failure for a context that is over; late says what its deadline
// put an end to. A cancelled one stays a bare context.Canceled: the caller left,
// nobody failed.
func ended(ctx context.Context, late string) error {
	err := context.Cause(ctx)
	var f *Failure
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &Failure{Kind: Timeout, Message: late, cause: context.DeadlineExceeded}
	}
	return ctx.Err()
}

// reason is the shortest text that says why a connection failed.
func reason(err error) string {
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return "its name could not be resolved"
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		return op.Err.Error()
	}
	return err.Error()
}
