package polite

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"path"
	"time"
)

// retry asks again where another attempt may help: after 429 and NCBI's limit
// body, 5xx, web pages, cut-off answers and broken connections. It never repeats
// a request that was understood and refused. Each attempt passes pace again.
type retry struct {
	next http.RoundTripper
	max  int
	log  *slog.Logger
}

func (r *retry) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, call := req.Context(), callOf(req)
	for attempt := 1; ; attempt++ {
		began := time.Now()
		resp, fail, err := r.try(req, call)
		if err != nil {
			return nil, err
		}
		if fail == nil {
			r.log.Debug("answered", "service", call.Service, "endpoint", path.Base(req.URL.Path),
				"status", resp.StatusCode, "bytes", resp.ContentLength, "attempt", attempt, "took", time.Since(began))
			return resp, nil
		}
		fail.Attempts = attempt
		if !fail.again || call.Once || attempt > r.max {
			return nil, fail
		}
		wait := max(backoff(attempt), fail.RetryAfter)
		if t, ok := ctx.Deadline(); ok && time.Until(t) < wait {
			fail.Message += fmt.Sprintf("; the next attempt would come after the time allowed (in %s)", wait.Round(time.Second))
			return nil, fail
		}
		r.log.Info("asking again", "service", call.Service, "endpoint", path.Base(req.URL.Path),
			"reason", fail.Message, "attempt", attempt, "wait", wait)
		if !sleep(ctx, wait) {
			return nil, r.late(ctx, call, fail)
		}
	}
}

// try makes one attempt. A failure is something to think about, an error is the
// end: the caller has left.
func (r *retry) try(req *http.Request, call Call) (*http.Response, *Failure, error) {
	resp, err := r.next.RoundTrip(req)
	var fail *Failure
	if errors.As(err, &fail) {
		return nil, fail, nil
	}
	if err != nil {
		return nil, nil, err
	}
	body, err := Body(resp)
	if err != nil {
		return nil, nil, err
	}
	return resp, judge(call, resp, body), nil
}

// late names the last real failure where the time ran out while we waited to
// ask again: it says more than that the time ran out.
func (r *retry) late(ctx context.Context, call Call, last *Failure) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ended(ctx, call.Service+" did not answer in the time allowed")
	}
	last.cause = context.DeadlineExceeded
	return last
}

// First and longest wait between two attempts, before jitter.
const (
	firstWait   = 500 * time.Millisecond
	longestWait = 20 * time.Second
)

// backoff doubles from firstWait and takes a random half of it off, so that
// clients which failed together do not come back together.
func backoff(attempt int) time.Duration {
	d := longestWait
	if attempt < 6 {
		d = firstWait << (attempt - 1)
	}
	return d/2 + rand.N(d/2)
}
