package mcpshell

import (
	"context"
	"errors"
	"sync"
	"time"

	"biomcp/entrez/polite"
	"biomcp/mcpshell/access"
)

// shares is the number of callers that together can use all slots.
const shares = 4

// places limits concurrent calls. A gate limits all calls, and another gate in front of it limits
// the calls of each caller to a quarter, so that they wait for each other and not for other
// callers. Calls without an account ([access.Caller.Account]) pass only the common gate. In the
// queue of a source, a request of one caller waits for at most one request of each other caller.
type places struct {
	gate
	perMinute *access.Rate // per caller; nil: no limit

	mu     sync.Mutex
	shares map[string]*share // callers with a running or waiting call
}

type share struct {
	gate
	asks  polite.Caller
	calls int // running and waiting
}

func newPlaces(running int) *places {
	return &places{gate: newGate(running, running*waitingPerRunning), shares: map[string]*share{}}
}

// enter waits until the call may run. It returns the context to run the call with, and a function
// to call at its end. The error is errBusy, errShare, errTooOften or the cause of ctx's end.
func (p *places) enter(ctx context.Context) (in context.Context, leave func(), err error) {
	account := access.CallerOf(ctx).Account()
	if account == "" {
		return ctx, p.gate.leave, p.gate.enter(ctx)
	}
	if p.perMinute.Wait(account, time.Now()) > 0 {
		return nil, nil, errTooOften
	}
	p.mu.Lock()
	own := p.shares[account]
	if own == nil {
		own = &share{gate: newGate(max(1, cap(p.running)/shares), cap(p.waiting))}
		p.shares[account] = own
	}
	own.calls++
	p.mu.Unlock()
	forget := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if own.calls--; own.calls == 0 {
			delete(p.shares, account)
		}
	}
	if err = own.enter(ctx); err == nil {
		if err = p.gate.enter(ctx); err == nil {
			return own.asks.In(ctx), func() { p.gate.leave(); own.leave(); forget() }, nil
		}
		own.leave()
	} else if errors.Is(err, errBusy) {
		err = errShare
	}
	forget()
	return nil, nil, err
}

// waitIdle waits until no call runs, for at most d for remote calls and d for local ones.
func (s *Shell) waitIdle(d time.Duration) {
	s.remote.waitIdle(d)
	s.local.waitIdle(d)
}
