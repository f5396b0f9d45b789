package mcpshell

import (
	"encoding/json"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

const (
	eventStream = "text/event-stream"
	jsonType    = "application/json"
	// writeTimeout is the time that a client has to read one write of an answer.
	writeTimeout = 30 * time.Second
)

// accepts reports whether a client accepts the media type kind. A client without an Accept header
// accepts every type.
func accepts(h http.Header, kind string) bool {
	list := strings.Join(h.Values("Accept"), ",")
	if list == "" {
		return true
	}
	group, _, _ := strings.Cut(kind, "/")
	for part := range strings.SplitSeq(list, ",") {
		name, params, err := mime.ParseMediaType(part)
		weight, bad := strconv.ParseFloat(params["q"], 64)
		if err == nil && (bad != nil || weight > 0) && slices.Contains([]string{kind, group + "/*", "*/*"}, name) {
			return true
		}
	}
	return false
}

// An eventWriter writes a response as server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
type eventWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

// startEvents sends the header of an event stream.
func startEvents(w http.ResponseWriter) *eventWriter {
	h := w.Header()
	h.Set("Content-Type", eventStream)
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no") // otherwise a proxy may buffer events
	w.WriteHeader(http.StatusOK)
	e := &eventWriter{w, http.NewResponseController(w)}
	// The next write notices a client that has disconnected.
	_ = e.send("")
	return e
}

// send writes part of the stream, such as "data: {}\n\n". The client has [writeTimeout] to read
// it.
func (e *eventWriter) send(piece string) error {
	// Only response writers in tests do not support deadlines.
	_ = e.control.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := e.Write([]byte(piece)); err != nil {
		return err
	}
	return e.control.Flush()
}

// sendMessage writes a message of the protocol as one event. If id is not empty, a client that
// reconnects can continue after that event.
func (e *eventWriter) sendMessage(id string, data []byte) error {
	if id != "" {
		id = "id: " + id + "\n"
	}
	return e.send(id + "event: message\ndata: " + string(data) + "\n\n")
}

// A response is the answer to one HTTP request: a JSON body, or server-sent events if a
// notification precedes the reply.
type response struct {
	w       http.ResponseWriter
	message message
	json    bool // the client accepts a JSON body

	store     *streamStore
	stream    *stream // nil: the client cannot resume it
	resumable atomic.Bool
	events    *eventWriter // nil until the first event
	failed    bool         // the client has disconnected
}

// send sends notifications as they arrive, and then the reply, if it is not nil.
func (p *response) send(notes <-chan mcp.JSONRPCNotification, replies <-chan mcp.JSONRPCMessage) {
	for {
		select {
		case note := <-notes:
			p.sendEvent(note, false)
		case reply := <-replies:
			for len(notes) > 0 {
				p.sendEvent(<-notes, false)
			}
			switch {
			case p.events != nil || reply != nil && !p.json:
				p.sendEvent(reply, true)
			case reply == nil:
				p.w.WriteHeader(http.StatusAccepted)
			default:
				writeJSON(p.w, p.message.status(reply), reply)
			}
			return
		}
	}
}

// sendEvent sends m, if not nil, as an event, and stores it if the client can resume the stream.
func (p *response) sendEvent(m mcp.JSONRPCMessage, last bool) {
	data, err := json.Marshal(m)
	if m == nil || err != nil {
		data = nil
	}
	id, current := "", true
	if p.stream != nil {
		id, current = p.store.add(p.stream, data, last)
		p.resumable.Store(true)
	}
	if p.events == nil {
		p.events = startEvents(p.w)
	}
	if current && !p.failed && data != nil {
		p.failed = p.events.sendMessage(id, data) != nil
	}
}
