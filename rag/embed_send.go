package rag

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
)

const (
	maxReply   = 64 << 20 // bytes; 64 vectors of 8,192 numbers have less than 16 MB
	maxRefusal = 64 << 10 // maximum bytes read from an error reply
)

// post requests the vectors of texts, as ask does.
func (r *Remote) post(ctx context.Context, retry httpclient.Retry, texts []string, began time.Time) ([]byte, error) {
	name, _ := r.model.Load().(string)
	body, err := json.Marshal(r.p.request(name, texts))
	if err != nil {
		return nil, err
	}
	return r.ask(ctx, retry, http.MethodPost, r.c.BaseURL, body, began)
}

// ask sends a request until it is answered, refused, or out of attempts. began is the time when
// the texts of a bulk request were first sent, and zero for other requests. The flow sets the
// time-out of a bulk request, and its caller retries after a time-out.
func (r *Remote) ask(
	ctx context.Context, retry httpclient.Retry, method, address string, body []byte, began time.Time,
) (reply []byte, err error) {
	attempt, done := httpclient.Await(ctx, r.service)
	defer done()
	_ = retry.Do(ctx, func(n int) (again bool, after time.Duration) {
		attempt(n)
		sent, timeout := time.Now(), r.c.Timeout
		if !began.IsZero() {
			timeout = r.flow.timeLeft(began)
		}
		reply, err = r.sendOnce(ctx, timeout, method, address, body)
		if !began.IsZero() {
			r.flow.note(sent, err)
		}
		var e *EmbedError
		if !errors.As(err, &e) {
			return false, 0
		}
		return e.temporary() && (began.IsZero() || !timedOut(err)), e.RetryAfter
	}) // the last reply or failure is returned instead
	return reply, err
}

func (r *Remote) sendOnce(
	ctx context.Context, timeout time.Duration, method, address string, body []byte,
) ([]byte, error) {
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, r.fail(EmbedConfig, "its address cannot be used", nil)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if r.c.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+r.c.APIKey)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return nil, r.transferError(outer, err)
	}
	defer resp.Body.Close()
	limit := int64(maxReply + 1)
	if resp.StatusCode != http.StatusOK {
		limit = maxRefusal
	}
	reply, err := io.ReadAll(io.LimitReader(resp.Body, limit))
	switch {
	case resp.StatusCode != http.StatusOK:
		return nil, r.statusError(resp, reply)
	case err != nil:
		return nil, r.transferError(outer, err)
	case len(reply) > maxReply:
		return nil, r.fail(EmbedBadReply, fmt.Sprintf("its answer is longer than %d bytes", maxReply), nil)
	}
	return reply, nil
}

// transferError returns the error of a failed transfer. If the caller has cancelled it, the
// error is the cause of the cancellation.
func (r *Remote) transferError(outer context.Context, err error) error {
	if errors.Is(outer.Err(), context.Canceled) {
		return context.Cause(outer)
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return r.fail(EmbedTimeout, "no answer in time", err)
	}
	if inner, ok := errors.AsType[*url.Error](err); ok { // omit the address that its text contains
		err = inner.Err
	}
	return r.fail(EmbedUnreachable, "cannot be reached: "+err.Error(), err)
}

// statusError returns the error for an HTTP status.
func (r *Remote) statusError(resp *http.Response, reply []byte) error {
	kind := EmbedRefused
	switch s := resp.StatusCode; {
	case s == http.StatusUnauthorized, s == http.StatusForbidden:
		kind = EmbedBadKey
	case s == http.StatusNotFound:
		kind = EmbedNotFound
	case s == http.StatusTooManyRequests:
		kind = EmbedRateLimited
	case s == http.StatusRequestTimeout:
		kind = EmbedTimeout
	case s >= 500, s < 400:
		kind = EmbedUpstream
	}
	e := r.fail(kind, explanation(reply), nil)
	e.Status, e.RetryAfter = resp.StatusCode, httpclient.RetryAfter(resp.Header)
	return e
}

// explanation returns the reason that a service gives for an error, in one short line: the
// message of {"error": {"message": …}}, {"error": …}, {"message": …} or {"detail": …}.
func explanation(reply []byte) string {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(reply, &fields)
	for _, name := range []string{"error", "message", "detail"} {
		var nested struct{ Message string }
		if json.Unmarshal(fields[name], &nested.Message) != nil {
			_ = json.Unmarshal(fields[name], &nested)
		}
		if text := httpclient.Plain(nested.Message); text != "" {
			return text
		}
	}
	return "the request was not accepted"
}

// fail returns an EmbedError. It removes the API key from the message.
func (r *Remote) fail(kind EmbedKind, message string, cause error) *EmbedError {
	if r.c.APIKey != "" {
		message = strings.ReplaceAll(message, r.c.APIKey, "[key]")
	}
	return &EmbedError{Kind: kind, Service: r.service, Message: message, Err: cause}
}

// timedOut reports whether err means that no answer arrived in time.
func timedOut(err error) bool {
	var e *EmbedError
	return errors.As(err, &e) && e.Kind == EmbedTimeout && e.Status == 0
}

// tooLong reports whether a service refused a request because of its size.
func tooLong(err error) bool {
	var e *EmbedError
	return errors.As(err, &e) && e.Kind == EmbedRefused && (e.Status == http.StatusRequestEntityTooLarge ||
		slices.ContainsFunc([]string{"token", "too long", "too large", "length", "batch"}, func(word string) bool {
			return strings.Contains(strings.ToLower(e.Message), word)
		}))
}

// overload reports whether the HTTP status means that the service is overloaded.
func (e *EmbedError) overload() bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusRequestTimeout, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// temporary reports whether the request may succeed later.
func (e *EmbedError) temporary() bool {
	switch e.Kind {
	case EmbedUnreachable, EmbedTimeout, EmbedRateLimited:
		return true
	}
	return e.Kind == EmbedUpstream && httpclient.Temporary(e.Status)
}
