package mcpshell

import (
	"context"
	"errors"
	"sync"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/mcpshell/access"
)

// callerFraction is the number of callers that together can use all slots.
const callerFraction = 4

// A limiter limits concurrent calls. A gate limits all calls, and another gate in front of it
// limits the calls of each caller to a quarter, so that they wait for each other and not for
// other callers. Calls without an account ([access.Caller.Account]) pass only the common gate. In
// the queue of a source, a request of one caller waits for at most one request of each other
// caller.
type limiter struct {
	gate
	perMinute *access.Rate // per caller; nil: no limit

	mu        sync.Mutex
	perCaller map[string]*callerLimiter // callers with a running or waiting call
}

type callerLimiter struct {
	gate
	sourceCaller httpclient.Caller
	calls        int // running and waiting
}

func newLimiter(running int) *limiter {
	return &limiter{gate: newGate(running, running*waitingPerRunning), perCaller: map[string]*callerLimiter{}}
}

// acquire waits until the call may run. It returns the context to run the call with, and a function
// to call at its end. The error is errBusy, errCallerBusy, errCallerRate or the cause of ctx's end.
func (p *limiter) acquire(ctx context.Context) (callCtx context.Context, release func(), err error) {
	account := access.CallerOf(ctx).Account()
	if account == "" {
		return ctx, p.gate.release, p.gate.acquire(ctx)
	}
	if p.perMinute.Wait(account, time.Now()) > 0 {
		return nil, nil, errCallerRate
	}
	p.mu.Lock()
	own := p.perCaller[account]
	if own == nil {
		own = &callerLimiter{gate: newGate(max(1, cap(p.running)/callerFraction), cap(p.waiting))}
		p.perCaller[account] = own
	}
	own.calls++
	p.mu.Unlock()
	forget := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if own.calls--; own.calls == 0 {
			delete(p.perCaller, account)
		}
	}
	if err = own.acquire(ctx); err == nil {
		if err = p.gate.acquire(ctx); err == nil {
			return own.sourceCaller.Context(ctx), func() { p.gate.release(); own.release(); forget() }, nil
		}
		own.release()
	} else if errors.Is(err, errBusy) {
		err = errCallerBusy
	}
	forget()
	return nil, nil, err
}

// waitIdle waits until no call runs, for at most d for remote calls and d for local ones.
func (s *Shell) waitIdle(d time.Duration) {
	s.remote.waitIdle(d)
	s.local.waitIdle(d)
}
