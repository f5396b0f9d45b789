package mcpshell

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"
)

// The reasons for which a session or its work ends.
var (
	errSessionEnded = errors.New("the session has ended")
	errStopping     = errors.New("the server is stopping")
	errDisconnected = errors.New("the client closed its connection")
	errFull         = errors.New("too many sessions")
)

// sessionTable is the sessions of an HTTP server. It is bounded: when it is full,
// the session that was idle longest gives way if it was idle for a minute, and a
// new one is refused if not.
type sessionTable struct {
	shell *Shell
	max   int
	idle  time.Duration   // after which a session ends
	ended func(id string) // is called for each session that ends
	ctx   context.Context // of all sessions

	mu   sync.Mutex
	byID map[string]*httpSession
}

// giveWay is how long a session must be idle to make room for another.
const giveWay = time.Minute

// httpSession is a session that lives from one request to the next.
type httpSession struct {
	*session
	id    string
	owner string // who opened it, and alone may use it
	ctx   context.Context
	end   context.CancelCauseFunc

	// guarded by the table
	streams int // how many were numbered
	busy    int // requests and streams that are open
	heard   int // of them the streams that are listened to
	last    time.Time
}

// open makes a session.
func (t *sessionTable) open(s *session, owner string) (*httpSession, error) {
	h := &httpSession{session: s, id: rand.Text(), owner: owner, last: time.Now()}
	h.ctx, h.end = context.WithCancelCause(t.ctx)
	t.sweep()
	t.mu.Lock()
	var oldest *httpSession
	if len(t.byID) >= t.max {
		for _, o := range t.byID {
			if o.busy == 0 && (oldest == nil || o.last.Before(oldest.last)) {
				oldest = o
			}
		}
		if oldest == nil || time.Since(oldest.last) < giveWay {
			t.mu.Unlock()
			h.end(nil)
			return nil, errFull
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

// use finds a session for a request, which calls done at its end, and names a
// stream for its answer. It returns nil where there is no such session.
func (t *sessionTable) use(id, owner string) (h *httpSession, stream string, done func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h = t.byID[id]
	if h == nil || h.owner != owner || h.busy == 0 && time.Since(h.last) > t.idle {
		return nil, "", nil
	}
	h.busy++
	h.streams++
	return h, fmt.Sprintf("%s.%d", h.id, h.streams), func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		h.busy--
		h.last = time.Now()
	}
}

// hear counts a stream that is listened to; its end is counted with done.
func (t *sessionTable) hear(h *httpSession) (done func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if h.heard >= maxListening {
		return nil, false
	}
	h.heard++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		h.heard--
	}, true
}

// close ends a session and reports whether there was one.
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
	t.ended(h.id)
	t.shell.counts.session(-1)
}

func (t *sessionTable) size() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.byID)
}
