package weaviate

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

const (
	// maxReply bounds what is read of one reply. The greatest is the echo of a
	// batch of objects, some megabytes.
	maxReply = 64 << 20
	// tries is how often a request is sent. Every request that this package makes
	// may be repeated: searches, puts and deletes by UUID, and the creation of a
	// class, of which a second is refused and then looked at.
	tries     = 4
	firstWait = 250 * time.Millisecond
	maxWait   = 8 * time.Second
)

var errTooLong = errors.New("the answer is longer than any that was asked for")

// transport adds the key to requests, sends them again where the server or the
// way to it fails for the moment, and reads replies within bounds.
type transport struct {
	next     http.RoundTripper
	key      string
	patience time.Duration // with the first try; each further one gets as much more
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	for try := 1; ; try++ {
		reply, err := t.once(req, time.Duration(try)*t.patience)
		wait, again := retry(try, reply, err)
		if !again || req.Context().Err() != nil {
			return reply, err
		}
		if pause(req.Context(), wait) != nil {
			return reply, err
		}
	}
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

// retry says whether, and after how long, a request is sent again.
func retry(try int, reply *http.Response, err error) (time.Duration, bool) {
	if try >= tries || errors.Is(err, errTooLong) {
		return 0, false
	}
	if err == nil && reply.StatusCode != http.StatusTooManyRequests && reply.StatusCode < 500 {
		return 0, false
	}
	wait := backoff(try)
	if err == nil {
		if seconds, err := strconv.Atoi(reply.Header.Get("Retry-After")); err == nil && seconds >= 0 {
			wait = max(wait, time.Duration(min(seconds, 3600))*time.Second)
		}
	}
	return wait, true
}

// backoff doubles from try to try, give or take a quarter, so that callers that
// failed together do not come back together.
func backoff(try int) time.Duration {
	wait := min(firstWait<<(try-1), maxWait)
	return wait*3/4 + rand.N(wait/2)
}
