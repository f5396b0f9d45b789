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

// maxReply is the most bytes that are read of one reply. The largest, which echoes a
// batch of objects, has some megabytes.
const maxReply = 64 << 20

// retries configures the retries. Every request of this package can be repeated:
// searches, puts and deletes by UUID, and the creation of a class, since a second
// one is rejected and the class is then checked.
var retries = polite.Retry{Max: 3, Longest: 8 * time.Second}

// connectAttempts bounds the attempts to connect: a server that is down is reported
// in under three seconds.
const connectAttempts = 2

var errTooLong = errors.New("the reply is longer than any that this program requests")

// transport adds the key to requests, retries those that failed for the moment, and
// reads replies of at most maxReply bytes.
type transport struct {
	next    http.RoundTripper
	key     string
	timeout time.Duration // of the first try; the n-th has n times as long
}

func (t *transport) RoundTrip(req *http.Request) (reply *http.Response, err error) {
	_ = retries.Do(req.Context(), func(attempt int) (again bool, after time.Duration) {
		if reply, err = t.once(req, time.Duration(attempt)*t.timeout); err != nil {
			return !errors.Is(err, errTooLong) && (attempt < connectAttempts || !polite.NotConnected(err)), 0
		}
		return polite.Temporary(reply.StatusCode), polite.RetryAfter(reply.Header)
	}) // if it ends early, the last failure is the better error
	return reply, err
}

// once sends the request and reads the whole reply. Its timeout is shorter than the
// caller's: a cluster that has lost its leader never answers a request, but answers
// one that is sent later.
func (t *transport) once(req *http.Request, timeout time.Duration) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), timeout)
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
