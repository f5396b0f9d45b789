package mcpshell

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

const (
	// writeTimeout is how long a client may leave one piece of an answer unread.
	writeTimeout = 30 * time.Second
	// maxKeptBytes and maxKeptStreams bound the events that clients can resume
	// behind: the oldest streams are dropped.
	maxKeptBytes   = 16 << 20
	maxKeptStreams = 4096
)

// streamWriter is a response as mcp-go writes it. It can be let go of, since the
// transport keeps it for as long as the stream can be resumed.
type streamWriter struct {
	unwrap func([]byte, *load) []byte
	load   *load // nil on a stream that is listened to

	mu     sync.Mutex
	w      http.ResponseWriter // nil when it was let go of
	unsent http.Header         // for a writer that has none
	status int                 // not sent yet, 0 afterwards
}

func (s *streamWriter) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w != nil && s.status != 0 {
		s.sendHeader()
	}
	s.w = nil
}

func (s *streamWriter) Header() http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w != nil {
		return s.w.Header()
	}
	if s.unsent == nil {
		s.unsent = http.Header{}
	}
	return s.unsent
}

// WriteHeader keeps the status: the one that is sent goes by the answer.
func (s *streamWriter) WriteHeader(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = status
}

func (s *streamWriter) sendHeader() {
	if l := s.load; l != nil && s.w.Header().Get("Content-Type") == "application/json" {
		switch {
		case l.none.Load():
			s.status = http.StatusAccepted
		case l.modern && l.code != 0 && s.status == http.StatusOK:
			s.status = statusOf(l.code)
		}
	}
	s.w.WriteHeader(s.status)
	s.status = 0
}

// statusOf is the HTTP status that protocol 2026-07-28 gives an error.
func statusOf(code int) int {
	switch code {
	case mcp.METHOD_NOT_FOUND:
		return http.StatusNotFound
	case mcp.HEADER_MISMATCH, mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, mcp.UNSUPPORTED_PROTOCOL_VERSION, mcp.INVALID_REQUEST, mcp.INVALID_PARAMS, mcp.PARSE_ERROR:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// Write takes what the transport writes at once: an event, the line of its id,
// or a whole body.
func (s *streamWriter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w == nil {
		return 0, io.ErrClosedPipe
	}
	if s.status != 0 {
		s.sendHeader()
	}
	if s.load != nil && s.load.none.Load() {
		return len(p), nil
	}
	// A writer without deadlines is a test's.
	_ = http.NewResponseController(s.w).SetWriteDeadline(time.Now().Add(writeTimeout))
	const event, end = "event: message\ndata: ", "\n\n"
	out := p
	if data, ok := bytes.CutPrefix(p, []byte(event)); ok {
		out = slices.Concat([]byte(event), s.unwrap(bytes.TrimSuffix(data, []byte(end)), s.load), []byte(end))
	} else {
		out = s.unwrap(p, s.load)
	}
	_, err := s.w.Write(out)
	if s.load != nil && s.load.wrote != nil {
		select {
		case s.load.wrote <- struct{}{}:
		default: // the answer, for which nobody waits
		}
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

func (s *streamWriter) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w == nil {
		return
	}
	if s.status != 0 {
		s.sendHeader()
	}
	// A client that is gone is seen at the next Write.
	_ = http.NewResponseController(s.w).Flush()
}

// CanStream reports whether the client takes a stream of events.
func (s *streamWriter) CanStream() bool { return s.load == nil || accepts(s.load.header, eventStream) }

const eventStream = "text/event-stream"

// accepts reports whether a client takes a type of answer: one that names none
// takes all.
func accepts(h http.Header, kind string) bool {
	list := strings.Join(h.Values("Accept"), ",")
	if list == "" {
		return true
	}
	group, _, _ := strings.Cut(kind, "/")
	for part := range strings.SplitSeq(list, ",") {
		name, _, _ := strings.Cut(part, ";")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case kind, group + "/*", "*/*":
			return true
		}
	}
	return false
}

// keptEvents holds the events of the newest streams, for clients that come back
// for what they missed. It is the transport's event store.
type keptEvents struct {
	unwrap func([]byte, *load) []byte

	mu      sync.Mutex
	streams map[string]*keptStream // by the id the transport knows them by
	order   []string               // of streams, the oldest first
	bytes   int
	dropped []string // streams that the transport is to forget
}

// keptStream is the events of one answer.
type keptStream struct {
	transport string // the transport's own id for it
	events    []json.RawMessage
	bytes     int
}

// StoreEvent keeps an event and numbers it: the number of the stream in its
// session, a dash, the number of the event in the stream.
func (k *keptEvents) StoreEvent(ctx context.Context, id, transport string, data json.RawMessage) (string, error) {
	l, _ := ctx.Value(loadKey{}).(*load)
	data = bytes.Clone(k.unwrap(data, l))
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.streams[id]
	if s == nil {
		s = &keptStream{transport: transport}
		k.streams[id] = s
		k.order = append(k.order, id)
	}
	s.events = append(s.events, data)
	s.bytes += len(data)
	k.bytes += len(data)
	for (k.bytes > maxKeptBytes || len(k.order) > maxKeptStreams) && k.order[0] != id {
		k.dropped = append(k.dropped, k.order[0])
		k.drop(k.order[0])
	}
	if l != nil {
		l.resumable.Store(true)
	}
	_, number, _ := strings.Cut(id, ".")
	return fmt.Sprintf("%s-%d", number, len(s.events)), nil
}

func (k *keptEvents) drop(id string) {
	if s := k.streams[id]; s != nil {
		k.bytes -= s.bytes
		delete(k.streams, id)
		k.order = slices.DeleteFunc(k.order, func(o string) bool { return o == id })
	}
}

// ReplayEventsAfter sends the later events of a stream.
func (k *keptEvents) ReplayEventsAfter(_ context.Context, id, last string, send func(string, json.RawMessage) error) (string, error) {
	number, after, _ := strings.Cut(last, "-")
	k.mu.Lock()
	s := k.streams[id]
	n, err := strconv.Atoi(after)
	if s == nil || err != nil || n < 1 || n > len(s.events) {
		k.mu.Unlock()
		return "", fmt.Errorf("%w: %.40q", server.ErrUnknownEventID, last)
	}
	missed := slices.Clone(s.events[n:])
	k.mu.Unlock()
	for i, data := range missed {
		if err := send(fmt.Sprintf("%s-%d", number, n+i+1), data); err != nil {
			return "", err
		}
	}
	return s.transport, nil
}

// PurgeSession drops a stream.
func (k *keptEvents) PurgeSession(_ context.Context, id string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.drop(id)
	return nil
}

// ofSession are the streams kept of a session.
func (k *keptEvents) ofSession(session string) (ids []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, id := range k.order {
		if strings.HasPrefix(id, session+".") {
			ids = append(ids, id)
		}
	}
	return ids
}

// takeDropped are the streams dropped since it was last called.
func (k *keptEvents) takeDropped() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	ids := k.dropped
	k.dropped = nil
	return ids
}
