package mcpshell

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"time"

	"biomcp/mcpshell/access"
)

// The reasons for which a session or its work ends.
var (
	errSessionEnded = errors.New("the session has ended")
	errStopping     = errors.New("the server is stopping")
	errDisconnected = errors.New("the client closed its connection")
	errFull         = errors.New("too many sessions")
	errAccountFull  = errors.New("too many sessions of one caller")
)

// sessionTable is the sessions of an HTTP server. When it is full, a new session takes
// the place of the one that was idle longest, or is refused if none was idle for a minute.
// The same holds among the sessions of one account, so that no caller takes all places.
type sessionTable struct {
	shell      *Shell
	max        int
	perAccount int
	idle       time.Duration      // after which a session ends
	ended      func(*httpSession) // is called for each session that ends
	ctx        context.Context    // of all sessions

	mu   sync.Mutex
	byID map[string]*httpSession
}

// minIdle is how long a session must be idle before another may take its place.
const minIdle = time.Minute

// httpSession is a session that lives from one request to the next.
type httpSession struct {
	*session
	id      string
	owner   string // who opened it, and alone may use it
	account string // who is charged for it, "" for nobody
	begun   time.Time
	ctx     context.Context
	end     context.CancelCauseFunc

	// guarded by the table
	streams   int // how many have been numbered
	busy      int // requests and streams that are open
	listening int // how many of these are streams that the client listens to
	last      time.Time
}

// open makes a session.
func (t *sessionTable) open(s *session, caller access.Caller) (*httpSession, error) {
	account, now := caller.Account(), time.Now()
	h := &httpSession{session: s, id: rand.Text(), owner: caller.Subject, account: account, begun: now, last: now}
	h.ctx, h.end = context.WithCancelCause(caller.In(t.ctx))
	t.sweep()
	t.mu.Lock()
	own := 0
	for _, o := range t.byID {
		if account != "" && o.account == account {
			own++
		}
	}
	full := errFull
	if own >= t.perAccount {
		full = errAccountFull
	}
	var oldest *httpSession
	if own >= t.perAccount || len(t.byID) >= t.max {
		for _, o := range t.byID {
			if o.busy == 0 && (full == errFull || o.account == account) && (oldest == nil || o.last.Before(oldest.last)) {
				oldest = o
			}
		}
		if oldest == nil || time.Since(oldest.last) < minIdle {
			t.mu.Unlock()
			h.end(nil)
			return nil, full
		}
		delete(t.byID, oldest.id)
	}
	t.byID[h.id] = h
	t.mu.Unlock()
	t.shell.counts.session(1)
	if oldest != nil {
		t.finish(oldest)
	}
	return h, nil
}

// use finds a session for a request, which calls done at its end, and numbers the
// stream of its answer. It returns nil if the owner has no such session.
func (t *sessionTable) use(id, owner string) (h *httpSession, stream int, done func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h = t.byID[id]
	if h == nil || h.owner != owner || h.busy == 0 && time.Since(h.last) > t.idle {
		return nil, 0, nil
	}
	h.busy++
	h.streams++
	return h, h.streams, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		h.busy--
		h.last = time.Now()
	}
}

// addListener counts a stream that the client listens to, until release is called. It
// reports whether the session may have one more.
func (t *sessionTable) addListener(h *httpSession) (release func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if h.listening >= maxListening {
		return nil, false
	}
	h.listening++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		h.listening--
	}, true
}

// close ends a session, and reports whether the owner had it.
func (t *sessionTable) close(id, owner string) bool {
	t.mu.Lock()
	h := t.byID[id]
	if h == nil || h.owner != owner {
		t.mu.Unlock()
		return false
	}
	delete(t.byID, id)
	t.mu.Unlock()
	t.finish(h)
	return true
}

// sweep ends the sessions that were idle for too long.
func (t *sessionTable) sweep() {
	var over []*httpSession
	t.mu.Lock()
	for id, h := range t.byID {
		if h.busy == 0 && time.Since(h.last) > t.idle {
			delete(t.byID, id)
			over = append(over, h)
		}
	}
	t.mu.Unlock()
	for _, h := range over {
		t.finish(h)
	}
}

func (t *sessionTable) finish(h *httpSession) {
	h.end(errSessionEnded)
	h.recordSession(h.ctx, "ended", h.begun)
	t.ended(h)
	t.shell.counts.session(-1)
}
