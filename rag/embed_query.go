package rag

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/sourcegraph/conc/panics"

	"biomcp/entrez/httpclient"
)

const (
	// downTime is the time for which queries fail at once after a service did not answer one.
	downTime = 30 * time.Second
	// loadTime is the time for which a query stays open after its caller has stopped waiting,
	// because some services stop loading a model if the client disconnects.
	loadTime = time.Minute
)

// Query embeds one text, with at most one retry, and returns no later than by. If the service
// does not answer, Query returns this failure to all callers for half a minute, or until a late
// answer arrives.
func (r *Remote) Query(ctx context.Context, text string, by time.Time) ([]float32, error) {
	return forQuery(ctx, r, by, func(ctx context.Context, retry httpclient.Retry) ([]float32, error) {
		if err := r.identify(ctx, retry); err != nil {
			return nil, err
		}
		reply, err := r.post(ctx, retry, []string{firstTokens(text, r.c.MaxTokens*2/3)}, time.Time{})
		if err != nil {
			return nil, err
		}
		out := make([][]float32, 1)
		err = r.read(reply, out)
		return out[0], err
	})
}

// IdentifyBy calls Identify with the time limits of Query.
func (r *Remote) IdentifyBy(ctx context.Context, by time.Time) error {
	if r.model.Load() != nil {
		return nil
	}
	_, err := forQuery(ctx, r, by, func(ctx context.Context, retry httpclient.Retry) (struct{}, error) {
		return struct{}{}, r.identify(ctx, retry)
	})
	return err
}

// forQuery calls the service and returns no later than by.
func forQuery[T any](
	ctx context.Context, r *Remote, by time.Time, call func(context.Context, httpclient.Retry) (T, error),
) (value T, err error) {
	if down := r.outage.failure(); down != nil {
		return value, down
	}
	began := time.Now()
	once := r.retry
	once.Max = min(once.Max, 1)
	type outcome struct {
		value  T
		err    error
		caught *panics.Recovered
	}
	done := make(chan outcome, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTime)
		defer cancel()
		var o outcome
		o.caught = panics.Try(func() { o.value, o.err = call(ctx, once) })
		r.outage.note(o.err)
		done <- o
	}()
	wait := time.NewTimer(time.Until(by))
	defer wait.Stop()
	select {
	case o := <-done:
		if o.caught != nil {
			panic(o.caught)
		}
		return o.value, o.err
	case <-ctx.Done():
		return value, context.Cause(ctx)
	case <-wait.C:
		waited := time.Since(began).Round(100 * time.Millisecond)
		err := r.fail(EmbedTimeout, fmt.Sprintf("no answer within %s", waited), nil)
		r.outage.note(err)
		return value, err
	}
}

// An outage holds the recent failure of a service that did not answer.
type outage struct {
	mu    sync.Mutex
	err   *EmbedError
	since time.Time
}

// failure returns the error to report instead of calling the service, or nil.
func (o *outage) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	left := downTime - time.Since(o.since)
	if o.err == nil || left <= 0 {
		return nil
	}
	again := *o.err
	again.Message += fmt.Sprintf("; next attempt in %.0f s", max(left.Seconds(), 1))
	return &again
}

// note records the outcome of a query.
func (o *outage) note(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	e, failed := err.(*EmbedError)
	switch {
	case err == nil:
		o.err = nil
	case failed && e.temporary():
		o.err, o.since = e, time.Now()
	}
}
