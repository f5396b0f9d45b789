package entrez

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"biomcp/entrez/polite"
)

// Kind says how a call failed.
type Kind = polite.Kind

// The kinds. Refused is NCBI's own word: it understood and said no, in whatever
// way it says so, with whatever status. Invalid never left this machine.
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

// Error is every failure of a call except a cancelled context, which stays
// context.Canceled. Message is a sentence for a person: what happened and on
// whose side. Neither it nor URL holds the API key.
type Error struct {
	Kind       Kind
	Service    string // "NCBI E-utilities"
	Op         string // "ESearch"
	Message    string
	URL        string
	Status     int           // HTTP status, 0 where there was no answer
	RetryAfter time.Duration // as the server asked, 0 where it did not

	tooLong bool // the answer passed its bound
}

func (e *Error) Error() string { return e.Message }

// Is makes errors.Is(err, context.DeadlineExceeded) true of a Timeout.
func (e *Error) Is(target error) bool {
	return target == context.DeadlineExceeded && e.Kind == Timeout
}

// failed turns what the transport says into an Error of the call.
func (r *request) failed(err error) error {
	var f *polite.Failure
	switch {
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case !errors.As(err, &f):
		f = &polite.Failure{Kind: Upstream, Message: string(r.service) + " could not be asked (" + polite.Redact(err.Error()) + ")"}
	}
	e := r.error(f.Kind, f.Message)
	if f.Attempts > 1 {
		e.Message += fmt.Sprintf(", after %d attempts", f.Attempts)
	}
	e.Status, e.RetryAfter, e.tooLong = f.Status, f.RetryAfter, errors.Is(f, polite.ErrTooLong)
	return e
}

// refused is an error that NCBI wrote into an answer.
func (r *request) refused(messages ...string) *Error {
	for i, m := range messages {
		messages[i] = plain(m)
	}
	return r.error(Refused, string(r.service)+" answered with an error: "+strings.Join(messages, "; "))
}

// unreadable is an answer that is whole and still makes no sense.
func (r *request) unreadable(err error) *Error {
	return r.error(Upstream, string(r.service)+" sent an answer that cannot be read ("+err.Error()+")")
}

func (r *request) error(kind Kind, message string) *Error {
	return &Error{Kind: kind, Service: string(r.service), Op: r.op, Message: message, URL: r.shown}
}

func invalid(op, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Op: op, Message: fmt.Sprintf(format, args...)}
}

// plain is one line of NCBI's text, without its line breaks and of bearable length.
func plain(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if r := []rune(s); len(r) > 400 {
		s = string(r[:400]) + "…"
	}
	return polite.Redact(s)
}

// IsNotFound reports whether a service answered that there is no such thing.
func IsNotFound(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == NotFound
}
