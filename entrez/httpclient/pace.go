package httpclient

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// pace keeps the Rate of each source across all goroutines and processes of the machine.
//
// A request passes two gates. First it takes a slot. Slots are handed out in order, one delay
// apart. A process holds at most one slot, for the head of its queue, in which each [Caller] has at
// most one request. So processes and callers take turns, a killed process leaves one slot unused,
// and a caller that gives up passes its slot on.
//
// Second, when the connection is open and the request is about to be written, its time is recorded
// for all processes. A request that would exceed the limit within limit times delay waits. This
// keeps the rate even if a slow dial or a busy processor delays a request beyond its slot.
//
// A group is a set of requests that share a limit: the keyless requests of all sources that name
// it. Their requests with a key, whichever key, form a second group; a file name must not reveal
// the key.
type pace struct {
	next   http.RoundTripper
	delay  time.Duration
	dir    string
	spare  string // replaces dir if that is unusable
	traced bool   // next ends in an http.Transport, which reports when a connection is ready
	log    *slog.Logger

	mu       sync.Mutex
	limiters map[string]*limiter
}

func (p *pace) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, l := req.Context(), p.limiterOf(req)
	patient, cancel := ctx, func() {}
	if f := callOf(req).file; f != nil {
		patient, cancel = context.WithDeadline(ctx, f.idleDeadline())
	}
	err := l.wait(patient, callOf(req).source().Label)
	cancel()
	if err != nil {
		return nil, err
	}
	if !p.traced {
		l.awaitSend(ctx)
	} else {
		// GotConn runs in the goroutine that is about to write. It runs again if the transport
		// retries on a new connection.
		trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { l.awaitSend(ctx) }}
		req = req.WithContext(httptrace.WithClientTrace(ctx, trace))
	}
	resp, err := p.next.RoundTrip(req)
	if err == nil && Temporary(resp.StatusCode) {
		if d := min(RetryAfter(resp.Header), maxBackoff); d > 0 {
			l.edit(context.WithoutCancel(ctx), func(b *ledger) { b.backoffUntil = time.Now().Add(d).UnixNano() })
		}
	}
	return resp, err
}

func (p *pace) limiterOf(req *http.Request) *limiter {
	call := callOf(req)
	rate, keyed := call.source().Rate, call.keyed(req.URL)
	name := fileName(rate.Group)
	if keyed {
		name += keyedSuffix
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.limiters[name]
	if l == nil {
		l = newLimiter(name, p.dir, rate.Limit(keyed), max(rate.Delay(keyed), p.delay), p.log)
		l.spareDir = p.spare
		if p.limiters == nil {
			p.limiters = map[string]*limiter{}
		}
		p.limiters[name] = l
	}
	return l
}

// keyedSuffix is the suffix of a group whose requests carry a key.
const keyedSuffix = "-key"

// fileName replaces the characters of a group's name that are invalid in a file name on some
// system.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

type limiter struct {
	name    string
	dir     string
	limit   int
	spacing time.Duration
	log     *slog.Logger

	head        chan struct{} // held by the head of this process's queue; waiters are served in order
	sharedQueue *callerQueue  // shared by calls without a Caller
	spareSlot   int64         // unused slot of a request that gave up; for the next head
	waiting     atomic.Int64  // number of waiting requests, including the head

	editing  chan struct{} // held while the ledger is edited, including the wait for the file lock
	local    ledger        // the last ledger seen; authoritative if there is no file
	failedAt time.Time     // when the file last failed

	spareDir    string // private to the user, in the temporary directory
	spareFailed bool
}

func newLimiter(name, dir string, limit int, spacing time.Duration, log *slog.Logger) *limiter {
	return &limiter{name: name, dir: dir, limit: limit, spacing: spacing, log: log,
		head: make(chan struct{}, 1), sharedQueue: newCallerQueue(), editing: make(chan struct{}, 1)}
}

// wait waits for the caller's slot. It returns an error if ctx ends first, or at once if the slot
// would begin after ctx's deadline.
func (l *limiter) wait(ctx context.Context, service string) error {
	queued := "the time allowed ran out in the request queue for " + service
	own := l.queueOf(ctx)
	l.waiting.Add(1)
	defer l.waiting.Add(-1)
	defer own.waiting.Add(-1)
	ahead := time.Duration(own.waiting.Add(1)-2) * l.spacing // the least time for the requests ahead
	if t, ok := ctx.Deadline(); ok && ahead > time.Until(t) {
		return queueTooLong(service, ahead)
	}
	for _, gate := range []chan struct{}{own.turn, l.head} {
		select {
		case gate <- struct{}{}:
			defer func() { <-gate }()
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return contextError(ctx, queued)
		}
	}
	slot := l.spareSlot
	l.spareSlot = 0
	if slot < time.Now().UnixNano() { // no spare slot, or it has passed
		var limit int64
		if t, ok := ctx.Deadline(); ok {
			limit = t.UnixNano()
		}
		var ok bool
		var held time.Duration
		l.edit(ctx, func(b *ledger) {
			now := time.Now().UnixNano()
			held = b.backoffLeft(now)
			slot, ok = b.reserve(now, limit, l.spacing)
		})
		switch {
		case !ok && held > 0:
			return &Error{Kind: RateLimited, RetryAfter: held,
				Message: service + " requested a pause before the next request (Retry-After)"}
		case !ok:
			return queueTooLong(service, time.Until(time.Unix(0, slot)))
		}
	}
	if sleep(ctx, time.Until(time.Unix(0, slot))) != nil {
		l.spareSlot = slot
		return contextError(ctx, queued)
	}
	return nil
}

func queueTooLong(service string, wait time.Duration) *Error {
	return &Error{Kind: Timeout, final: true, cause: context.DeadlineExceeded, Message: fmt.Sprintf(
		"the request queue for %s is longer than the time allowed (next place in %s)", service, wait.Round(time.Second))}
}

// awaitSend waits until a request may be written and records its time. If ctx ends during the wait,
// the request is still recorded as sent, since it may already be on the wire.
func (l *limiter) awaitSend(ctx context.Context) {
	window := time.Duration(l.limit) * l.spacing
	for {
		var wait time.Duration
		gone := ctx.Err() != nil
		l.edit(context.WithoutCancel(ctx), func(b *ledger) {
			now := time.Now().UnixNano()
			if wait = b.send(now, l.limit, window); wait > 0 && gone {
				b.sentTimes = append(b.sentTimes[1:], now)
			}
		})
		if wait == 0 || gone {
			return
		}
		_ = sleep(ctx, wait) // if ctx ends, the next pass records the request
	}
}

// edit changes the ledger of the machine. If its folder is unusable, it changes the one in the
// spare folder, or else that of this process. It tries the folder again every minute.
func (l *limiter) edit(ctx context.Context, change func(*ledger)) {
	l.editing <- struct{}{}
	defer func() { <-l.editing }()
	if l.dir != "" && time.Since(l.failedAt) > time.Minute {
		b, err := editFile(ctx, l.dir, "pace-"+l.name, change)
		if err == nil {
			l.local = b
			return
		}
		if ctx.Err() == nil {
			l.failedAt = time.Now()
			l.log.Info("the folder in which processes share the request rate cannot be used",
				"lane", l.name, "reason", plain(err))
		}
	}
	if l.spareDir != "" && !l.spareFailed {
		err := makePrivate(l.spareDir)
		if err == nil {
			var b ledger
			if b, err = editFile(ctx, l.spareDir, "pace-"+l.name, change); err == nil {
				l.local = b
				return
			}
		}
		if l.spareFailed = ctx.Err() == nil; l.spareFailed {
			l.log.Warn("the request rate is kept for this process alone", "lane", l.name, "reason", plain(err))
		}
	}
	change(&l.local)
}
