package httpclient

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"biomcp/entrez/fault"
)

// Kind says how a call failed.
type Kind string

const (
	RateLimited Kind = "rate limited" // every attempt got 429 or the source's own limit message
	Unreachable Kind = "unreachable"  // no connection
	Timeout     Kind = "timeout"      // the attempt's or the call's time ran out
	Upstream    Kind = "upstream"     // 5xx, or a reply that is HTML, truncated, too large or unexpected
	Refused     Kind = "refused"      // the service understood the request and rejected it
	BadKey      Kind = "bad api key"  // the service does not know the key
	NotFound    Kind = "not found"    // the service has no such record
	Invalid     Kind = "invalid"      // never sent: the service could not accept it
)

// Error describes any failure of a call except a cancelled context, which stays context.Canceled.
// Message is a sentence for a person that states the cause and which side it is on. Neither Message
// nor URL contains an API key.
type Error struct {
	Kind       Kind
	Service    string // label of the source
	Op         string // name of the endpoint, "" if no request was made
	Message    string
	URL        string
	Status     int           // HTTP status, 0 if there was no reply
	RetryAfter time.Duration // the wait that the server requested, or 0
	Reply      []byte        // the complete reply of a refusal with status 200

	source   *Source // nil if no source was asked
	attempts int
	final    bool  // another attempt would not help
	dial     bool  // there was no connection, so no request was sent
	unnamed  bool  // Message still needs the source's label at its beginning
	cause    error // a context error or ErrTooLong, for errors.Is; any other error could contain a secret
}

// ErrTooLong is the cause of an Error if a reply exceeds its maximum length.
var ErrTooLong = errors.New("too long a reply")

func (e *Error) Error() string { return e.Message }

// Unwrap returns context.DeadlineExceeded or ErrTooLong if one of them is the cause.
func (e *Error) Unwrap() error { return e.cause }

// Is makes errors.Is(err, context.DeadlineExceeded) true for every Timeout.
func (e *Error) Is(target error) bool {
	return target == context.DeadlineExceeded && e.Kind == Timeout
}

// Meaning returns the code of the failure, with the service, its HTTP status and the wait that it requested as
// details. A refusal by a service that is not NCBI's has the code Upstream.
func (e *Error) Meaning() fault.Meaning {
	m := fault.Meaning{Details: map[string]any{"service": e.Service}}
	if e.Status != 0 {
		m.Details["status"] = e.Status
	}
	if e.RetryAfter > 0 {
		m.Details["retry_after_seconds"] = int(e.RetryAfter.Seconds() + 0.5)
	}
	byNCBI := e.source == nil || strings.Contains(e.source.Address, "ncbi.nlm.nih.gov/")
	rejected := e.source != nil && e.source.RefusesByStatus && e.Status >= 400 && !Temporary(e.Status)
	switch {
	case e.Kind == RateLimited:
		m.Code = fault.RateLimit
	case e.Kind == NotFound:
		m.Code = fault.NotFound
	case e.Kind == Invalid:
		m.Code = fault.Validation
	case byNCBI && (e.Kind == Refused || e.Kind == BadKey || e.Kind == Upstream && rejected):
		m.Code = fault.Entrez
	default:
		m.Code = fault.Upstream
	}
	return m
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

// NewError returns an error of the call.
func (c *Call) NewError(kind Kind, message string) *Error {
	return &Error{Kind: kind, source: c.source(), Service: c.source().Label, Op: c.Op, Message: message, URL: c.URL}
}

// Invalidf returns the error of a call that was not made because its arguments are invalid.
func Invalidf(format string, args ...any) *Error {
	return &Error{Kind: Invalid, Message: fmt.Sprintf(format, args...)}
}

// RefusedError returns an error with the messages that the service wrote into its reply. It removes the
// reply from the cache.
func (c *Call) RefusedError(messages ...string) *Error {
	c.forget()
	return c.NewError(Refused, c.source().Label+" "+ErrorText(messages...))
}

// UnreadableError returns the error of a complete reply that cannot be interpreted. It removes the reply
// from the cache.
func (c *Call) UnreadableError(err error) *Error {
	c.forget()
	return c.NewError(Upstream, c.source().Label+" sent an answer that cannot be read ("+err.Error()+")")
}

// completeError adds the source, the endpoint and the number of attempts to an error of the layers.
// A FileError is returned unchanged, since it is not the call's fault.
func (c *Call) completeError(err error) error {
	if errors.Is(err, context.Canceled) {
		return context.Canceled
	}
	if problem := c.service.client.problem; problem != nil {
		return problem
	}
	if disk, ok := errors.AsType[*FileError](err); ok {
		return disk
	}
	e := c.NewError(Upstream, c.source().Label+" could not be asked ("+Redact(err.Error())+")")
	if f, ok := errors.AsType[*Error](err); ok {
		*e = *f
		e.source, e.Service, e.Op, e.URL = c.source(), c.source().Label, c.Op, c.URL
	}
	if e.unnamed {
		e.Message, e.unnamed = e.Service+" "+e.Message, false
	}
	if e.attempts > 1 {
		e.Message += fmt.Sprintf(", after %d attempts", e.attempts)
	}
	if advise := c.source().Advice; advise != nil {
		if advice := advise(e); advice != "" {
			e.Message += "; " + advice
		}
	}
	return e
}

// Outage reports whether the service did not answer a request that it received: it was late, or
// its reply is not its own or is damaged.
func (e *Error) Outage() bool { return e.Kind == Upstream || e.Kind == Timeout }

// answered reports whether the service understood the request and refused it.
func (e *Error) answered() bool {
	return e.Status != 0 && (e.Kind == Refused || e.Kind == BadKey || e.Kind == NotFound || e.Kind == Invalid)
}

// ErrorText returns the end of a sentence that quotes a service's own error.
func ErrorText(messages ...string) string {
	for i, m := range messages {
		messages[i] = Plain(m)
	}
	return "answered with an error: " + strings.Join(messages, "; ")
}

// Plain returns a service's text as one line of at most 400 characters without keys.
func Plain(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if r := []rune(s); len(r) > 400 {
		s = string(r[:400]) + "…"
	}
	return Redact(s)
}

// Straggler returns the cause for cancelling the context of sources that have not answered within after
// of the others.
func Straggler(after time.Duration) error {
	return &Error{Kind: Timeout, unnamed: true, cause: context.DeadlineExceeded,
		Message: fmt.Sprintf("did not answer within %s of the others", after)}
}

// StragglerError attributes err to the source label if it only reports a context cancelled with the cause
// Late. Otherwise it returns err.
func StragglerError(ctx context.Context, label string, err error) error {
	var e *Error
	if !errors.Is(err, context.Canceled) || !errors.As(context.Cause(ctx), &e) || !e.unnamed {
		return err
	}
	named := *e
	named.Service, named.Message, named.unnamed = label, label+" "+e.Message, false
	return &named
}

// contextError returns the error of a context that has ended. If its deadline passed, late is the
// message. A cancelled context stays a bare context.Canceled, since the caller left and no source
// failed.
func contextError(ctx context.Context, late string) error {
	var e *Error
	switch {
	case errors.As(context.Cause(ctx), &e):
		return e
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &Error{Kind: Timeout, Message: late, cause: context.DeadlineExceeded}
	}
	return ctx.Err()
}

// reason returns a short text that explains why a connection failed.
func reason(err error) string {
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return "its name could not be resolved"
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Err != nil {
		return op.Err.Error()
	}
	return err.Error()
}
