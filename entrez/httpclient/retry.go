package httpclient

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

// Retry limits how often an operation is retried and how long to wait between attempts. The waits
// double. Each is shortened by a random part of up to half, so that clients that failed together do
// not return together.
type Retry struct {
	Max     int           // attempts after the first
	Longest time.Duration // the longest wait; 0 means 20 s

	// LatestStart, if not nil, returns the latest time at which the next attempt may begin. The
	// context's deadline applies too.
	LatestStart func() time.Time

	// Sleep replaces the wait in tests. It returns an error if ctx ends.
	Sleep func(ctx context.Context, d time.Duration) error
}

// firstWait is the longest wait before the second attempt.
const firstWait = 500 * time.Millisecond

// NoTimeError is returned by Retry.Do if the wait for the next attempt would end after the
// context's deadline or Retry.LatestStart.
type NoTimeError struct{ Wait time.Duration }

func (e *NoTimeError) Error() string {
	return fmt.Sprintf("the next attempt would come after the time allowed (in %s)", e.Wait.Round(time.Second))
}

// Do calls try with the number of the attempt, from 1, until try reports that another attempt would
// not help or there were Max more. after is the shortest wait before the next attempt, as requested
// by a server. Do returns nil after the last attempt, a *NoTimeError, or the error of ctx if it
// ends during a wait.
func (r Retry) Do(ctx context.Context, try func(attempt int) (again bool, after time.Duration)) error {
	for attempt := 1; ; attempt++ {
		again, after := try(attempt)
		if !again || attempt > r.Max {
			return nil
		}
		wait := max(r.backoff(attempt), after)
		t, ok := ctx.Deadline()
		if ok && time.Until(t) <= wait || r.LatestStart != nil && time.Until(r.LatestStart()) <= wait {
			return &NoTimeError{wait}
		}
		pause := r.Sleep
		if pause == nil {
			pause = sleep
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

func (r Retry) backoff(attempt int) time.Duration {
	d := cmp.Or(r.Longest, 20*time.Second)
	if attempt < 10 {
		d = min(d, firstWait<<(attempt-1))
	}
	return d/2 + rand.N(d/2)
}

// sleep waits for d, or returns the context's error if it ends first.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// RetryAfter parses the Retry-After header (RFC 9110 10.2.3): seconds or a date. Ensembl sends
// fractional seconds (40.0: its wiki, Rate Limits). A date is compared with the reply's own Date,
// since the clock of this machine may be wrong. It returns 0 if there is no wait.
func RetryAfter(h http.Header) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 && s < 1<<31 {
		return time.Duration(s * float64(time.Second))
	}
	t, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(t.Sub(now), 0)
}

// Temporary reports whether a request that failed with this status may succeed later: 408, 429 and
// 5xx.
func Temporary(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500
}

// retry repeats a failed attempt if another may succeed: after 429 or the source's own limit
// message, 5xx, web pages, truncated replies and broken connections, and once after a failed
// connection. It never repeats a request that the service understood and refused. Each attempt
// passes pace again.
type retry struct {
	next  http.RoundTripper
	max   int
	log   *slog.Logger
	hosts hosts
}

func (r *retry) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, call := req.Context(), callOf(req)
	policy := Retry{Max: r.max}
	if call.NoRetry {
		policy.Max = 0
	}
	if call.file != nil {
		policy.LatestStart = call.file.idleDeadline
	}
	down, probe := r.hosts.failure(req.URL.Host, call.source().Label)
	if down != nil {
		return nil, down
	}
	if probe {
		req = req.WithContext(context.WithValue(ctx, probeKey{}, true))
	}
	setAttempt, endWait := Await(ctx, call.source().Label)
	defer endWait()
	var resp *http.Response
	var fail *Error
	var ctxErr error
	err := policy.Do(ctx, func(attempt int) (bool, time.Duration) {
		began := time.Now()
		setAttempt(attempt)
		if resp, fail, ctxErr = r.try(req, call); ctxErr != nil {
			return false, 0
		}
		log := r.log.With("service", call.source().Label, "endpoint", path.Base(req.URL.Path),
			"attempt", attempt, "took", time.Since(began))
		if fail == nil {
			log.DebugContext(ctx, "answered", "status", resp.StatusCode, "bytes", resp.ContentLength)
			return false, 0
		}
		fail.attempts = attempt
		again := fail.temporary() && !(fail.dial && (probe || attempt >= dialAttempts))
		if fail.dial && !(again && attempt <= policy.Max) {
			r.hosts.markDown(req.URL.Host, call.source().Label, *fail)
		}
		log.InfoContext(ctx, "attempt failed", "reason", fail.Message, "retried", again && attempt <= policy.Max)
		return again, fail.RetryAfter
	})
	var short *NoTimeError
	switch {
	case ctxErr != nil:
		return nil, ctxErr
	case errors.As(err, &short):
		fail.Message += "; " + short.Error()
	case errors.Is(err, context.Canceled):
		return nil, contextError(ctx, "")
	case err != nil: // keep the message of the last failure, which explains more than a timeout
		fail.cause = context.DeadlineExceeded
	}
	if fail != nil {
		return nil, fail
	}
	return resp, nil
}

// try makes one attempt. The error is not nil only if the context has ended.
func (r *retry) try(req *http.Request, call *Call) (*http.Response, *Error, error) {
	resp, err := r.next.RoundTrip(req)
	if fail, ok := errors.AsType[*Error](err); ok {
		return nil, fail, nil
	}
	if err != nil {
		return nil, nil, err
	}
	r.hosts.markUp()
	body, err := Body(resp)
	if err != nil {
		return nil, nil, err
	}
	return resp, call.judge(resp, body), nil
}
