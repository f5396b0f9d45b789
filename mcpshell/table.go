package mcpshell

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"time"

	"biomcp/mcpshell/access"
)

// These errors are the reasons why a session or its work ends.
var (
	errSessionEnded = errors.New("the session has ended")
	errStopping     = errors.New("the server is stopping")
	errDisconnected = errors.New("the client closed its connection")
	errFull         = errors.New("too many sessions")
	errAccountFull  = errors.New("too many sessions of one caller")
)

// sessionTable holds the sessions of an HTTP server. When it is full, a new session replaces the
// one that was idle longest, or is rejected if no session was idle for a minute. A limit per
// account works likewise, so that one caller cannot use all sessions.
type sessionTable struct {
	shell      *Shell
	max        int
	perAccount int
	idle       time.Duration      // idle time after which a session ends
	onEnd      func(*httpSession) // called for each session that ends
	ctx        context.Context    // parent of the contexts of all sessions

	mu   sync.Mutex
	byID map[string]*httpSession
}

// minIdle is the time that a session must be idle before a new one may replace it.
const minIdle = time.Minute

// An httpSession is a session that spans several requests.
type httpSession struct {
	*session
	id       string
	owner    string // subject that opened it; others cannot use it
	account  string // account that it counts for; "" for none
	openedAt time.Time
	ctx      context.Context
	end      context.CancelCauseFunc

	// The fields below are guarded by the table's mutex.
	streams   int // number of streams so far
	busy      int // open requests and streams
	listening int // open streams that the client listens to
	lastUsed  time.Time
}

// open adds a session to the table. It returns errFull or errAccountFull if there is no room.
func (t *sessionTable) open(s *session, caller access.Caller) (*httpSession, error) {
	account, now := caller.Account(), time.Now()
	h := &httpSession{
		session: s, id: rand.Text(), owner: caller.Subject, account: account, openedAt: now, lastUsed: now,
	}
	h.ctx, h.end = context.WithCancelCause(caller.NewContext(t.ctx))
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
			candidate := o.busy == 0 && (full == errFull || o.account == account)
			older := oldest == nil || o.lastUsed.Before(oldest.lastUsed)
			if candidate && older {
				oldest = o
			}
		}
		if oldest == nil || time.Since(oldest.lastUsed) < minIdle {
			t.mu.Unlock()
			h.end(nil)
			return nil, full
		}
		delete(t.byID, oldest.id)
	}
	t.byID[h.id] = h
	t.mu.Unlock()
	t.shell.counts.addSessions(1)
	if oldest != nil {
		t.finish(oldest)
	}
	return h, nil
}

// use returns a session for a request and the number of the stream for its answer. The request
// must call done at its end. It returns nil if the owner has no such session.
func (t *sessionTable) use(id, owner string) (h *httpSession, stream int, release func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h = t.byID[id]
	if h == nil || h.owner != owner || h.busy == 0 && time.Since(h.lastUsed) > t.idle {
		return nil, 0, nil
	}
	h.busy++
	h.streams++
	return h, h.streams, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		h.busy--
		h.lastUsed = time.Now()
	}
}

// addListener counts a stream that the client listens to, until release is called. It reports
// whether the session may have another one.
func (t *sessionTable) addListener(h *httpSession) (release func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if h.listening >= maxListeners {
		return nil, false
	}
	h.listening++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		h.listening--
	}, true
}

// close ends a session. It reports whether the owner had such a session.
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
		if h.busy == 0 && time.Since(h.lastUsed) > t.idle {
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
	h.recordSession(h.ctx, "ended", h.openedAt)
	t.onEnd(h)
	t.shell.counts.addSessions(-1)
}
