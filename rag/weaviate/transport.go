package weaviate

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"biomcp/entrez/httpclient"
)

// maxReply is the maximum size of a reply in bytes. The largest, which echoes a batch of
// objects, has some megabytes.
const maxReply = 64 << 20

// retries configures the retries. Every request of this package can be repeated: searches, puts
// and deletes by UUID, and creating the class, because the server rejects a second class and
// the existing one is then checked.
var retries = httpclient.Retry{Max: 3, Longest: 8 * time.Second}

// connectAttempts is the maximum number of attempts to connect. A server that is down is
// reported in less than three seconds.
const connectAttempts = 2

var errTooLong = errors.New("the reply is longer than any that this program requests")

// A transport adds the key to requests, retries temporary failures, and limits replies to
// maxReply bytes.
type transport struct {
	next    http.RoundTripper
	key     string
	timeout time.Duration // time-out of the first attempt; the n-th gets n times as long
}

func (t *transport) RoundTrip(req *http.Request) (reply *http.Response, err error) {
	_ = retries.Do(req.Context(), func(attempt int) (again bool, after time.Duration) {
		if reply, err = t.sendOnce(req, time.Duration(attempt)*t.timeout); err != nil {
			return !errors.Is(err, errTooLong) && (attempt < connectAttempts || !httpclient.NotConnected(err)), 0
		}
		return httpclient.Temporary(reply.StatusCode), httpclient.RetryAfter(reply.Header)
	}) // the last failure is the better error
	return reply, err
}

// sendOnce sends the request and reads the whole reply. Its time-out is shorter than the
// caller's, because a cluster that has lost its leader never answers a request, but answers one
// that is sent later.
func (t *transport) sendOnce(req *http.Request, timeout time.Duration) (*http.Response, error) {
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
