package weaviate

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"biomcp/entrez/polite"
)

const (
	// maxReply bounds what is read of one reply. The greatest is the echo of a
	// batch of objects, some megabytes.
	maxReply = 64 << 20
)

// retries says how often a request is sent again. Every request that this package
// makes may be repeated: searches, puts and deletes by UUID, and the creation of
// a class, of which a second is refused and then looked at.
var retries = polite.Retry{Max: 3, Longest: 8 * time.Second}

var errTooLong = errors.New("the answer is longer than any that was asked for")

// transport adds the key to requests, sends them again where the server or the
// way to it fails for the moment, and reads replies within bounds.
type transport struct {
	next     http.RoundTripper
	key      string
	patience time.Duration // with the first try; each further one gets as much more
}

func (t *transport) RoundTrip(req *http.Request) (reply *http.Response, err error) {
	_ = retries.Do(req.Context(), func(attempt int) (again bool, after time.Duration) {
		if reply, err = t.once(req, time.Duration(attempt)*t.patience); err != nil {
			return !errors.Is(err, errTooLong), 0
		}
		return polite.Temporary(reply.StatusCode), polite.RetryAfter(reply.Header)
	}) // where it ends early, the last failure says more
	return reply, err
}

// once sends the request and reads the whole reply. It does not wait for all of the
// caller's time: a cluster that has lost its leader leaves requests hanging for
// good, while one that is sent later is answered.
func (t *transport) once(req *http.Request, patience time.Duration) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), patience)
	defer cancel()
	r := req.Clone(ctx)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		r.Body = body
	}
	if t.key != "" {
		r.Header.Set("Authorization", "Bearer "+t.key)
	}
	reply, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(io.LimitReader(reply.Body, maxReply+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > maxReply:
		return nil, errTooLong
	}
	reply.Body = io.NopCloser(bytes.NewReader(body))
	return reply, nil
}
