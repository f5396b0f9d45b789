package httpclient

import (
	"context"
	"errors"
	"time"

	"github.com/sourcegraph/conc"
)

// StragglerTimeout is the maximum time a source may take after all others have answered.
const StragglerTimeout = 5 * time.Second

// errStraggler is the cause of cancelling the requests that exceed StragglerTimeout.
var errStraggler = Straggler(StragglerTimeout)

// FetchAll extends [Parallel] with a limit for stragglers among the parts of one answer. A part still
// missing StragglerTimeout after the last other part and after the last reply is cancelled, with an error that
// errors.As finds as a *Error. The limit does not apply to a single part.
func FetchAll(ctx context.Context, timeout time.Duration, n int, fetch func(ctx context.Context, i int)) error {
	parts, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	came := make(chan struct{}, n)
	over := make(chan struct{})
	var waiting conc.WaitGroup
	waiting.Go(func() {
		open, slow := n, time.NewTimer(time.Hour)
		defer slow.Stop()
		for open > 0 {
			select {
			case <-came:
				open--
				slow.Reset(StragglerTimeout)
			case <-slow.C:
				quiet := time.Since(LastReply(ctx))
				if open < n && quiet >= StragglerTimeout {
					cancel(errStraggler)
					return
				}
				slow.Reset(max(StragglerTimeout-quiet, time.Millisecond))
			case <-over:
				return
			}
		}
	})
	defer waiting.Wait()
	defer close(over)
	if err := Parallel(parts, timeout, n, func(ctx context.Context, i int) {
		defer func() { came <- struct{}{} }()
		fetch(ctx, i)
	}); err != nil && ctx.Err() != nil {
		return err
	}
	return nil
}

// FetchOptional runs optional parts of an answer as [FetchAll] does, but the limit applies even to a
// single part.
func FetchOptional(ctx context.Context, asks ...func(context.Context)) error {
	return FetchAll(ctx, 0, len(asks)+1, func(ctx context.Context, i int) {
		if i < len(asks) {
			asks[i](ctx)
		}
	})
}

// Parallel calls fetch(ctx, 0) to fetch(ctx, n-1) concurrently and waits for all of them. timeout
// limits their total time; zero means no limit. A panic in one propagates to the caller. Parallel
// returns an error only if ctx was cancelled; fetch itself must record other errors.
func Parallel(ctx context.Context, timeout time.Duration, n int, fetch func(ctx context.Context, i int)) error {
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	var asking conc.WaitGroup
	for i := range n {
		asking.Go(func() { fetch(ctx, i) })
	}
	asking.Wait()
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return nil
}
