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

// pace keeps each source's Rate, over every goroutine and every process of the
// machine.
//
// A request passes two gates. First it takes a slot: slots are handed out in
// order, one delay apart, and a process holds at most one, for the head of its
// queue, in which each [Caller] has one request. So processes and callers take turns,
// a killed one leaves one unused slot, and a caller who leaves passes his on. Then,
// with the connection open and only the writing left to do, it is sent: the times of
// the last requests of all processes are written down, and one that would pass the
// limit within limit times delay waits. The second gate keeps the promise when a slow dial or a busy processor
// lets a request leave later than its slot.
//
// A lane is what shares a limit: the sources that name it, without a key, are one
// lane; the calls of the same sources that carry a key are another (of all keys:
// a file must not show which).
type pace struct {
	next   http.RoundTripper
	delay  time.Duration
	dir    string
	spare  string // in place of dir where it cannot be used
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
		// GotConn runs in the goroutine that is about to write, again if the
		// transport itself tries again on a fresh connection.
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

// keyedLane ends the name of a lane whose requests carry a key.
const keyedLane = "-key"

// fileName makes a lane's name fit for a file on any system.
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
	others *line         // of calls without a Caller
	spare  int64         // a slot whose holder left; belongs to the head
	queue  atomic.Int64  // how many wait, the head included

	busy   chan struct{} // held by who edits the book; a wait for the file's lock is in it
	mine   book          // the last book seen: the whole truth where there is no file
	lostAt time.Time     // when the file failed last

	spareDir  string // private to the user, in the temporary directory
	spareLost bool
}

func newLane(name, dir string, limit int, spacing time.Duration, log *slog.Logger) *lane {
	return &lane{name: name, dir: dir, limit: limit, spacing: spacing, log: log,
		head: make(chan struct{}, 1), others: newLine(), busy: make(chan struct{}, 1)}
}

// wait returns at the beginning of the caller's slot, or when ctx is done, or
// at once when the slot would begin after ctx's deadline.
func (l *lane) wait(ctx context.Context, service string) error {
	queued := "the time allowed ran out in the request queue for " + service
	own := l.lineOf(ctx)
	l.queue.Add(1)
	defer l.queue.Add(-1)
	defer own.waiting.Add(-1)
	ahead := time.Duration(own.waiting.Add(1)-2) * l.spacing // at least, of who waits behind the head
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
	if slot < time.Now().UnixNano() { // none, or its time has passed and others wait behind it
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
			return &Error{Kind: RateLimited, RetryAfter: held, Message: service + " asked for no request for a while (Retry-After)"}
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

// sent returns when a request may be written. A caller who leaves is written
// down as sent: his request may be on the wire already.
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
		_ = sleep(ctx, wait) // who leaves is written down as sent
	}
}

// edit changes the machine's book; where the folder cannot be used, that of the
// spare folder, or this process's own. The folder is tried again every minute.
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
			l.log.Info("the folder in which processes share the request rate cannot be used", "lane", l.name, "reason", plain(err))
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
