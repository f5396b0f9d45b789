package polite

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
// A lane is a set of requests that share a limit: the keyless requests of all sources that name it.
// Their requests with a key, whichever key, form a second lane; a file name must not reveal the
// key.
type pace struct {
	next   http.RoundTripper
	delay  time.Duration
	dir    string
	spare  string // replaces dir if that is unusable
	traced bool   // next ends in an http.Transport, which reports when a connection is ready
	log    *slog.Logger

	mu    sync.Mutex
	lanes map[string]*lane
}

func (p *pace) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, l := req.Context(), p.lane(req)
	patient, cancel := ctx, func() {}
	if f := callOf(req).file; f != nil {
		patient, cancel = context.WithDeadline(ctx, f.until())
	}
	err := l.wait(patient, callOf(req).source().Label)
	cancel()
	if err != nil {
		return nil, err
	}
	if !p.traced {
		l.sent(ctx)
	} else {
		// GotConn runs in the goroutine that is about to write. It runs again if the transport
		// retries on a new connection.
		trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { l.sent(ctx) }}
		req = req.WithContext(httptrace.WithClientTrace(ctx, trace))
	}
	resp, err := p.next.RoundTrip(req)
	if err == nil && Temporary(resp.StatusCode) {
		if d := min(RetryAfter(resp.Header), longestHold); d > 0 {
			l.edit(context.WithoutCancel(ctx), func(b *book) { b.hold = time.Now().Add(d).UnixNano() })
		}
	}
	return resp, err
}

func (p *pace) lane(req *http.Request) *lane {
	call := callOf(req)
	rate, keyed := call.source().Rate, call.keyed(req.URL)
	name := fileName(rate.Lane)
	if keyed {
		name += keyedLane
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.lanes[name]
	if l == nil {
		l = newLane(name, p.dir, rate.Limit(keyed), max(rate.Delay(keyed), p.delay), p.log)
		l.spareDir = p.spare
		if p.lanes == nil {
			p.lanes = map[string]*lane{}
		}
		p.lanes[name] = l
	}
	return l
}

// keyedLane is the suffix of a lane whose requests carry a key.
const keyedLane = "-key"

// fileName replaces the characters of a lane's name that are invalid in a file name on some system.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

type lane struct {
	name    string
	dir     string
	limit   int
	spacing time.Duration
	log     *slog.Logger

	head   chan struct{} // held by the head of this process's queue; waiters are served in order
	others *line         // shared by calls without a Caller
	spare  int64         // unused slot of a request that gave up; for the next head
	queue  atomic.Int64  // number of waiting requests, including the head

	busy   chan struct{} // held while the book is edited, including the wait for the file lock
	mine   book          // the last book seen; authoritative if there is no file
	lostAt time.Time     // when the file last failed

	spareDir  string // private to the user, in the temporary directory
	spareLost bool
}

func newLane(name, dir string, limit int, spacing time.Duration, log *slog.Logger) *lane {
	return &lane{name: name, dir: dir, limit: limit, spacing: spacing, log: log,
		head: make(chan struct{}, 1), others: newLine(), busy: make(chan struct{}, 1)}
}

// wait waits for the caller's slot. It returns an error if ctx ends first, or at once if the slot
// would begin after ctx's deadline.
func (l *lane) wait(ctx context.Context, service string) error {
	queued := "the time allowed ran out in the request queue for " + service
	own := l.lineOf(ctx)
	l.queue.Add(1)
	defer l.queue.Add(-1)
	defer own.waiting.Add(-1)
	ahead := time.Duration(own.waiting.Add(1)-2) * l.spacing // the least time for the requests ahead
	if t, ok := ctx.Deadline(); ok && ahead > time.Until(t) {
		return tooLate(service, ahead)
	}
	for _, gate := range []chan struct{}{own.first, l.head} {
		select {
		case gate <- struct{}{}:
			defer func() { <-gate }()
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return ended(ctx, queued)
		}
	}
	slot := l.spare
	l.spare = 0
	if slot < time.Now().UnixNano() { // no spare slot, or it has passed
		var limit int64
		if t, ok := ctx.Deadline(); ok {
			limit = t.UnixNano()
		}
		var ok bool
		var held time.Duration
		l.edit(ctx, func(b *book) {
			now := time.Now().UnixNano()
			held = b.held(now)
			slot, ok = b.reserve(now, limit, l.spacing)
		})
		switch {
		case !ok && held > 0:
			return &Error{Kind: RateLimited, RetryAfter: held,
				Message: service + " requested a pause before the next request (Retry-After)"}
		case !ok:
			return tooLate(service, time.Until(time.Unix(0, slot)))
		}
	}
	if sleep(ctx, time.Until(time.Unix(0, slot))) != nil {
		l.spare = slot
		return ended(ctx, queued)
	}
	return nil
}

func tooLate(service string, wait time.Duration) *Error {
	return &Error{Kind: Timeout, final: true, cause: context.DeadlineExceeded, Message: fmt.Sprintf(
		"the request queue for %s is longer than the time allowed (next place in %s)", service, wait.Round(time.Second))}
}

// sent waits until a request may be written and records its time. If ctx ends during the wait, the
// request is still recorded as sent, since it may already be on the wire.
func (l *lane) sent(ctx context.Context) {
	window := time.Duration(l.limit) * l.spacing
	for {
		var wait time.Duration
		gone := ctx.Err() != nil
		l.edit(context.WithoutCancel(ctx), func(b *book) {
			now := time.Now().UnixNano()
			if wait = b.send(now, l.limit, window); wait > 0 && gone {
				b.left = append(b.left[1:], now)
			}
		})
		if wait == 0 || gone {
			return
		}
		_ = sleep(ctx, wait) // if ctx ends, the next pass records the request
	}
}

// edit changes the book of the machine. If its folder is unusable, it changes the one in the spare
// folder, or else that of this process. It tries the folder again every minute.
func (l *lane) edit(ctx context.Context, change func(*book)) {
	l.busy <- struct{}{}
	defer func() { <-l.busy }()
	if l.dir != "" && time.Since(l.lostAt) > time.Minute {
		b, err := editFile(ctx, l.dir, "pace-"+l.name, change)
		if err == nil {
			l.mine = b
			return
		}
		if ctx.Err() == nil {
			l.lostAt = time.Now()
			l.log.Info("the folder in which processes share the request rate cannot be used",
				"lane", l.name, "reason", plain(err))
		}
	}
	if l.spareDir != "" && !l.spareLost {
		err := private(l.spareDir)
		if err == nil {
			var b book
			if b, err = editFile(ctx, l.spareDir, "pace-"+l.name, change); err == nil {
				l.mine = b
				return
			}
		}
		if l.spareLost = ctx.Err() == nil; l.spareLost {
			l.log.Warn("the request rate is kept for this process alone", "lane", l.name, "reason", plain(err))
		}
	}
	change(&l.mine)
}
