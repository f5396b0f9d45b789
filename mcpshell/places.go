package mcpshell

import (
	"context"
	"errors"
	"sync"
	"time"

	"biomcp/entrez/polite"
	"biomcp/mcpshell/access"
)

// shares is how many callers it takes to fill all places.
const shares = 4

// places are where calls run: a gate for all of them, and before it one for each caller, so
// that the calls of one run in a quarter of the places and wait for those among themselves.
// Calls without an account ([access.Caller.Account]) pass the gate for all alone. At a source,
// a request of one caller waits for at most one request of each other caller.
type places struct {
	gate
	perMinute *access.Rate // of one caller; nil: no bound

	mu     sync.Mutex
	shares map[string]*share // of callers with a call
}

type share struct {
	gate
	asks  polite.Caller
	calls int // that run or wait
}

func newPlaces(running int) *places {
	return &places{gate: newGate(running, running*waitingPerRunning), shares: map[string]*share{}}
}

// enter waits for a place, in which the call runs with another context, until leave. Its error is
// errBusy, errShare, errTooOften or the cause of ctx's end.
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

// waitIdle waits until nothing runs, for at most d for each kind of place.
func (s *Shell) waitIdle(d time.Duration) {
	s.remote.waitIdle(d)
	s.local.waitIdle(d)
}
