package mcpshell

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// maxStoredBytes and maxStoredStreams bound the events stored for clients that reconnect. Over the
// bounds, the oldest streams are dropped.
const (
	maxStoredBytes   = 16 << 20
	maxStoredStreams = 4096
)

// A stream holds the events of one answer, for a client that loses its connection.
type stream struct {
	session *httpSession
	number  int // unique in the session

	// The fields below are guarded by streamStore.mu.
	events  []json.RawMessage
	bytes   int
	ended   bool
	dropped bool          // no longer in streamStore
	changed chan struct{} // closed at the next change; nil if no reader waits
	readers int           // number of connections after the first
}

// streamStore holds the newest streams of all sessions.
type streamStore struct {
	mu    sync.Mutex
	list  []*stream // oldest first
	bytes int
}

// add appends an event to a stream, unless data is nil, and returns the event's ID. It reports
// whether the stream's first connection must still send it.
func (k *streamStore) add(s *stream, data []byte, last bool) (id string, first bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(s.events) == 0 {
		if s.dropped = s.session.ctx.Err() != nil; !s.dropped {
			k.list = append(k.list, s)
		}
	}
	if s.ended = last; data != nil {
		s.events = append(s.events, data)
	}
	if !s.dropped {
		s.bytes += len(data)
		k.bytes += len(data)
	}
	s.wake()
	for (k.bytes > maxStoredBytes || len(k.list) > maxStoredStreams) && k.list[0] != s {
		oldest := k.list[0]
		k.drop(func(s *stream) bool { return s == oldest })
	}
	return s.id(len(s.events)), s.readers == 0
}

// id returns the ID of the nth event.
func (s *stream) id(n int) string { return fmt.Sprintf("%d-%d", s.number, n) }

// drop removes the unwanted streams from the list. Their events are freed when no connection
// sends them any more.
func (k *streamStore) drop(unwanted func(*stream) bool) {
	k.list = slices.DeleteFunc(k.list, func(s *stream) bool {
		if s.dropped = unwanted(s); s.dropped {
			k.bytes -= s.bytes
		}
		return s.dropped
	})
}

// dropSession drops the streams of a session that has ended.
func (k *streamStore) dropSession(session *httpSession) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drop(func(s *stream) bool { return s.session == session })
}

// resume moves a stream to a new connection, which sends what follows event. It returns nil if
// the session has no such event.
func (k *streamStore) resume(session *httpSession, event string) *reader {
	number, position, _ := strings.Cut(event, "-")
	n, err := strconv.Atoi(position)
	if err != nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range k.list {
		if s.session == session && strconv.Itoa(s.number) == number && 0 < n && n <= len(s.events) {
			s.readers++
			s.wake()
			return &reader{s, s.readers, n}
		}
	}
	return nil
}

// A reader is a connection that resumes a stream.
type reader struct {
	*stream
	number int // position among the stream's readers; only the newest sends
	sent   int // number of events sent
}

// next returns the events to send now, and whether they are the last ones. The channel is closed
// when the stream changes.
func (k *streamStore) next(r *reader) (events []json.RawMessage, changed <-chan struct{}, last bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r.number != r.readers {
		return nil, nil, true
	}
	if r.changed == nil {
		r.changed = make(chan struct{})
	}
	return r.events[r.sent:], r.changed, r.ended
}

// wake notifies the readers of a stream that it has changed.
func (s *stream) wake() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}
