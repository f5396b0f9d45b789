package polite

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// Kind says how a call failed.
type Kind string

const (
	RateLimited Kind = "rate limited" // 429, or the source's own word for it, to the last attempt
	Unreachable Kind = "unreachable"  // no connection
	Timeout     Kind = "timeout"      // the attempt's or the call's time ran out
	Upstream    Kind = "upstream"     // 5xx, HTML, truncated, too large, not what was asked for
	Refused     Kind = "refused"      // the service understood and said no, with whatever status
	BadKey      Kind = "bad api key"  // the service does not know the key
	NotFound    Kind = "not found"    // the service has no such record
	Invalid     Kind = "invalid"      // never sent: the service could not accept it
)

// Error is every failure of a call except a cancelled context, which stays
// context.Canceled. Message is a sentence for a person: what happened and on
// whose side. Neither it nor URL holds an API key.
type Error struct {
	Kind       Kind
	Service    string // label of the source
	Op         string // the name of the endpoint, "" where none was asked
	Message    string
	URL        string
	Status     int           // HTTP status, 0 where there was no reply
	RetryAfter time.Duration // as the server asked, 0 where it did not
	Reply      []byte        // the whole reply in which the service refused, if it came with status 200

	attempts int
	final    bool  // another attempt would not help
	dial     bool  // nothing was sent: there was no connection
	unnamed  bool  // Message lacks the label, with which it begins
	cause    error // a context error or ErrTooLong, for errors.Is; nothing else, it could hold a secret
}

// ErrTooLong is the cause of an Error by a reply longer than its bound.
var ErrTooLong = errors.New("too long a reply")

func (e *Error) Error() string { return e.Message }

// Unwrap gives context.DeadlineExceeded or ErrTooLong where one was the cause.
func (e *Error) Unwrap() error { return e.cause }

// Is makes errors.Is(err, context.DeadlineExceeded) true of a Timeout.
func (e *Error) Is(target error) bool {
	return target == context.DeadlineExceeded && e.Kind == Timeout
}

// IsKind reports whether err is an Error of the kind.
func IsKind(err error, kind Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == kind
}

// temporary reports whether another attempt may help.
func (e *Error) temporary() bool {
	switch e.Kind {
	case RateLimited, Unreachable, Timeout, Upstream:
		return e.cause != ErrTooLong && !e.final
	}
	return false
}

// Fail is an error of the call.
func (c *Call) Fail(kind Kind, message string) *Error {
	return &Error{Kind: kind, Service: c.source().Label, Op: c.Op, Message: message, URL: c.URL}
}

// Invalidf is the error of a call that is not made.
func Invalidf(format string, args ...any) *Error {
	return &Error{Kind: Invalid, Message: fmt.Sprintf(format, args...)}
}

// Refused is an error that the service wrote into a reply, which is not kept.
func (c *Call) Refused(messages ...string) *Error {
	c.forget()
	return c.Fail(Refused, c.source().Label+" "+ErrorText(messages...))
}

// Unreadable is a reply that is whole and still makes no sense. It is not kept.
func (c *Call) Unreadable(err error) *Error {
	c.forget()
	return c.Fail(Upstream, c.source().Label+" sent an answer that cannot be read ("+err.Error()+")")
}

// failed completes what the layers report. A failure of the disk is not the call's.
func (c *Call) failed(err error) error {
	if errors.Is(err, context.Canceled) {
		return context.Canceled
	}
	if problem := c.service.client.problem; problem != nil {
		return problem
	}
	if disk, ok := errors.AsType[*FileError](err); ok {
		return disk
	}
	e := c.Fail(Upstream, c.source().Label+" could not be asked ("+Redact(err.Error())+")")
	if f, ok := errors.AsType[*Error](err); ok {
		*e = *f
		e.Service, e.Op, e.URL = c.source().Label, c.Op, c.URL
	}
	if e.unnamed {
		e.Message, e.unnamed = e.Service+" "+e.Message, false
	}
	if e.attempts > 1 {
		e.Message += fmt.Sprintf(", after %d attempts", e.attempts)
	}
	return e
}

// ErrorText is the part of a sentence that quotes a service's own error.
func ErrorText(messages ...string) string {
	for i, m := range messages {
		messages[i] = Plain(m)
	}
	return "answered with an error: " + strings.Join(messages, "; ")
}

// Plain is a service's own text in one line, of bearable length and without keys.
func Plain(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if r := []rune(s); len(r) > 400 {
		s = string(r[:400]) + "…"
	}
	return Redact(s)
}

// Late is the cause with which a context is cancelled where other sources have answered,
// and those asked under it have not within a time after.
func Late(after time.Duration) error {
	return &Error{Kind: Timeout, Message: fmt.Sprintf("did not answer within %s of the others", after), unnamed: true, cause: context.DeadlineExceeded}
}

// LateOf is err as the error of a source where err says no more than that a context with
// the cause Late ended.
func LateOf(ctx context.Context, label string, err error) error {
	var e *Error
	if !errors.Is(err, context.Canceled) || !errors.As(context.Cause(ctx), &e) || !e.unnamed {
		return err
	}
	named := *e
	named.Service, named.Message, named.unnamed = label, label+" "+e.Message, false
	return &named
}

// ended is the failure for a context that is over; late says what its deadline
// put an end to. A cancelled one stays a bare context.Canceled: the caller left,
// nobody failed.
func ended(ctx context.Context, late string) error {
	var e *Error
	switch {
	case errors.As(context.Cause(ctx), &e):
		return e
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &Error{Kind: Timeout, Message: late, cause: context.DeadlineExceeded}
	}
	return ctx.Err()
}

// reason is the shortest text that says why a connection failed.
func reason(err error) string {
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return "its name could not be resolved"
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Err != nil {
		return op.Err.Error()
	}
	return err.Error()
}
