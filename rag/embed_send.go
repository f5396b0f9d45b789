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
	"strings"
	"time"

	"biomcp/entrez/polite"
)

// post sends texts until they are answered, refused, timed out, or out of tries.
// began is when they were first sent.
func (r *Remote) post(ctx context.Context, texts []string, began time.Time) (reply []byte, err error) {
	body, err := r.request(texts)
	if err != nil {
		return nil, err
	}
	_ = r.retry.Do(ctx, func(int) (again bool, after time.Duration) {
		sent := time.Now()
		reply, err = r.once(ctx, r.flow.patience(began), http.MethodPost, r.c.BaseURL, body)
		var e *EmbedError
		switch {
		case err == nil:
			r.flow.answered(sent, len(texts), len(body))
			return false, 0
		case !errors.As(err, &e):
			return false, 0
		case timedOut(err):
			r.flow.decrease(sent, true)
			return false, 0
		case e.overload():
			r.flow.decrease(sent, false)
		}
		return e.temporary(), e.RetryAfter
	}) // where it ends early, the last failure says more
	return reply, err
}

func (r *Remote) request(texts []string) ([]byte, error) {
	model := ""
	if name := r.model.Load(); name != nil {
		model = *name
	}
	return json.Marshal(r.p.request(model, texts))
}

// ask makes a request until it is answered, refused, or out of tries.
func (r *Remote) ask(ctx context.Context, retry polite.Retry, method, address string, body []byte) (reply []byte, err error) {
	attempt, done := polite.Await(ctx, r.service)
	defer done()
	_ = retry.Do(ctx, func(n int) (again bool, after time.Duration) {
		attempt(n)
		reply, err = r.once(ctx, r.c.Timeout, method, address, body)
		var e *EmbedError
		if !errors.As(err, &e) {
			return false, 0
		}
		return e.temporary(), e.RetryAfter
	})
	return reply, err
}

// timedOut reports whether there was no answer in time.
func timedOut(err error) bool {
	var e *EmbedError
	return errors.As(err, &e) && e.Kind == EmbedTimeout && e.Status == 0
}

// overload reports whether a service says that it has too much to do.
func (e *EmbedError) overload() bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusRequestTimeout, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

func (e *EmbedError) temporary() bool {
	switch e.Kind {
	case EmbedUnreachable, EmbedTimeout, EmbedRateLimited:
		return true
	}
	return e.Kind == EmbedUpstream && polite.Temporary(e.Status)
}

func (r *Remote) once(ctx context.Context, timeout time.Duration, method, address string, body []byte) ([]byte, error) {
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
		return nil, r.broken(outer, err)
	}
	defer resp.Body.Close()
	limit := int64(maxReply + 1)
	if resp.StatusCode != http.StatusOK {
		limit = maxRefusal
	}
	reply, err := io.ReadAll(io.LimitReader(resp.Body, limit))
	switch {
	case resp.StatusCode != http.StatusOK:
		return nil, r.refused(resp, reply)
	case err != nil:
		return nil, r.broken(outer, err)
	case len(reply) > maxReply:
		return nil, r.fail(EmbedBadReply, fmt.Sprintf("its answer is longer than %d bytes", maxReply), nil)
	}
	return reply, nil
}

// broken is the failure of a transfer. A caller who has gone gets his own error.
func (r *Remote) broken(outer context.Context, err error) error {
	if errors.Is(outer.Err(), context.Canceled) {
		return context.Cause(outer)
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return r.fail(EmbedTimeout, "no answer in time", err)
	}
	var inner *url.Error
	if errors.As(err, &inner) { // its text holds the address
		err = inner.Err
	}
	return r.fail(EmbedUnreachable, "cannot be reached: "+err.Error(), err)
}

// refused is the failure that an HTTP status means.
func (r *Remote) refused(resp *http.Response, reply []byte) error {
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
	e.Status, e.RetryAfter = resp.StatusCode, polite.RetryAfter(resp.Header)
	return e
}

// explanation is what a service says of its refusal, in one short line: the
// message of {"error": {"message": …}}, {"error": …}, {"message": …} or {"detail": …}.
func explanation(reply []byte) string {
	var fields map[string]json.RawMessage
	text := ""
	if json.Unmarshal(reply, &fields) == nil {
		for _, name := range []string{"error", "message", "detail"} {
			var nested struct{ Message string }
			if json.Unmarshal(fields[name], &text) == nil && text != "" {
				break
			}
			if json.Unmarshal(fields[name], &nested) == nil && nested.Message != "" {
				text = nested.Message
				break
			}
		}
	}
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return "the request was not accepted"
	}
	if len(text) > maxExplain {
		text = strings.ToValidUTF8(text[:maxExplain], "") + "…"
	}
	return text
}

// tooLong reports whether a service refused a request for its size.
func tooLong(err error) bool {
	var e *EmbedError
	if !errors.As(err, &e) || e.Kind != EmbedRefused {
		return false
	}
	if e.Status == http.StatusRequestEntityTooLarge {
		return true
	}
	said := strings.ToLower(e.Message)
	for _, word := range []string{"token", "too long", "too large", "length", "batch"} {
		if strings.Contains(said, word) {
			return true
		}
	}
	return false
}

// fail makes the error, without the key wherever it came from.
func (r *Remote) fail(kind EmbedKind, message string, cause error) *EmbedError {
	if r.c.APIKey != "" {
		message = strings.ReplaceAll(message, r.c.APIKey, "[key]")
	}
	return &EmbedError{Kind: kind, Service: r.service, Message: message, Err: cause}
}
