package weaviate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	clientfault "github.com/weaviate/weaviate-go-client/v4/weaviate/fault"
	"github.com/weaviate/weaviate/entities/models"

	"biomcp/entrez/fault"
	"biomcp/entrez/httpclient"
	"biomcp/rag"
)

// A Kind classifies errors. It determines the exit status and the hint.
type Kind string

const (
	Unreachable Kind = "unreachable" // no connection, or the connection broke
	Timeout     Kind = "timeout"     // no reply within Config.Timeout
	Auth        Kind = "auth"        // the key is missing, wrong, or lacks the permission
	Busy        Kind = "busy"        // too many requests, even after the retries
	Failed      Kind = "failed"      // the server failed, or the reply is not from Weaviate
	Rejected    Kind = "rejected"    // the server rejected the request
	Missing     Kind = "missing"     // the class does not exist, because nothing has been stored yet
	Invariant   Kind = "invariant"   // the class has another schema, model or dimension than this program's
	Invalid     Kind = "invalid"     // invalid configuration or input
)

// An Error is returned by every function of this package, except that a cancelled context is
// returned as its cause. Its text does not contain the API key.
type Error struct {
	Kind    Kind
	Op      string // operation, such as "search" or "store"
	Message string
	Status  int // HTTP status, or zero without a reply
}

func (e *Error) Error() string { return "Weaviate, " + e.Op + ": " + e.Message }

// Meaning returns the code Invariant if the index does not fit the corpus, otherwise Weaviate.
func (e *Error) Meaning() fault.Meaning {
	index := []string{"sync", "index"}
	switch e.Kind {
	case Invariant:
		return fault.Meaning{Code: fault.Invariant, Next: index}
	case Missing:
		return fault.Meaning{Code: fault.Weaviate, Next: index}
	}
	return fault.Meaning{Code: fault.Weaviate}
}

// Unavailable reports whether the server could not be used, or the class does not exist yet.
func (e *Error) Unavailable() bool {
	return slices.Contains([]Kind{Unreachable, Timeout, Auth, Busy, Failed, Missing}, e.Kind)
}

// Is reports whether target is rag.ErrNoIndex and the class does not exist.
func (e *Error) Is(target error) bool { return target == rag.ErrNoIndex && e.Kind == Missing }

// IsKind reports whether err is an Error of kind k.
func IsKind(err error, k Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == k
}

func newError(k Kind, op, format string, args ...any) *Error {
	return &Error{Kind: k, Op: op, Message: fmt.Sprintf(format, args...)}
}

// failure converts an error of the client to an Error. ctx is the caller's context.
func (x *Index) failure(ctx context.Context, op string, err error) error {
	var own *Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &own):
		return err
	}
	e := &Error{Op: op}
	var reply *clientfault.WeaviateClientError
	for errors.As(err, &reply) && reply.DerivedFromError != nil { // WeaviateClientError has no Unwrap method
		err = reply.DerivedFromError
		reply = nil
	}
	var syntax *json.SyntaxError
	switch {
	case reply != nil && reply.StatusCode > 0:
		if x.lacksClass(reply.Msg) {
			return newError(Missing, op, "the server has no class %s", x.class)
		}
		e.Status = reply.StatusCode
		e.Kind, e.Message = kindOf(e.Status), fmt.Sprintf("the server answered %d: %s", e.Status, serverText(reply.Msg))
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind, e.Message = Timeout, fmt.Sprintf("no reply from %s within %s", x.host, x.timeout)
	case errors.Is(err, errTooLong):
		e.Kind, e.Message = Failed, err.Error()
	case httpclient.NotConnected(err):
		e.Kind, e.Message = Unreachable, fmt.Sprintf("cannot connect to %s: %s", x.host, innermost(err))
	case errors.As(err, &syntax), errors.As(err, new(*json.UnmarshalTypeError)):
		e.Kind, e.Message = Failed, fmt.Sprintf("the server at %s is not Weaviate, or its reply was truncated", x.host)
	default:
		e.Kind, e.Message = Unreachable, fmt.Sprintf("the connection to %s broke: %s", x.host, innermost(err))
	}
	e.Message = x.redact(e.Message)
	return e
}

func kindOf(status int) Kind {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return Auth
	case status == http.StatusTooManyRequests:
		return Busy
	case status >= 500:
		return Failed
	}
	return Rejected
}

// queryFailure converts the errors in a GraphQL reply, which has HTTP status 200, to an Error.
func (x *Index) queryFailure(op string, list []*models.GraphQLError) error {
	var texts []string
	for _, e := range list {
		if e != nil && e.Message != "" {
			texts = append(texts, e.Message)
		}
	}
	text := strings.Join(texts, "; ")
	kind := Rejected
	switch {
	case x.lacksClass(text):
		return newError(Missing, op, "the server has no class %s", x.class)
	case containsAny(text, "unauthorized", "forbidden"):
		kind = Auth
	case temporary(text):
		kind = Failed
	}
	return newError(kind, op, "%s", x.redact(shorten(text)))
}

// lacksClass reports whether the text of an error says that the server does not have our class, or
// that it has no classes.
func (x *Index) lacksClass(text string) bool {
	return containsAny(text, `Cannot query field "`+x.class+`"`,
		"no graphql provider present", "could not find class", "class not found")
}

// temporary reports whether an error with this text comes from a cluster that is losing or
// joining a node.
func temporary(text string) bool {
	return containsAny(text, "replica", "connect", "timeout", "deadline", "leader", "not ready", "shutting down",
		"shutdown", "unavailable", "EOF", "status code: 5", "loading")
}

func containsAny(text string, parts ...string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, strings.ToLower(p)) })
}

// serverText returns the message in the body of a reply, {"error":[{"message":…}]}.
func serverText(body string) string {
	var reply models.ErrorResponse
	if json.Unmarshal([]byte(body), &reply) == nil {
		return shorten(objectFailure(&reply))
	}
	return shorten(body)
}

func objectFailure(reply *models.ErrorResponse) string {
	var texts []string
	for _, e := range reply.Error {
		if e != nil && e.Message != "" {
			texts = append(texts, e.Message)
		}
	}
	return strings.Join(texts, "; ")
}

// shorten converts the text of a server to one line of at most 300 bytes.
func shorten(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' }), " ")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "…"
	}
	return cmp.Or(text, "no reason was given")
}

func (x *Index) redact(text string) string {
	if x.key == "" {
		return text
	}
	return strings.ReplaceAll(text, x.key, "***")
}

// innermost returns the text of the root cause, such as connection refused.
func innermost(err error) string {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return shorten(err.Error())
		}
		err = next
	}
}
