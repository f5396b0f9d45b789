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
	// writeTimeout is how long a client may leave one piece of an answer unread.
	writeTimeout = 30 * time.Second
)

// accepts reports whether a client accepts a type of answer. A client that names no
// type accepts all.
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

// eventWriter writes a response as server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
type eventWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

// startEvents sends the header of a stream.
func startEvents(w http.ResponseWriter) *eventWriter {
	h := w.Header()
	h.Set("Content-Type", eventStream)
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no") // otherwise a proxy collects events before it passes them on
	w.WriteHeader(http.StatusOK)
	e := &eventWriter{w, http.NewResponseController(w)}
	// A client that has gone is noticed at the next write.
	_ = e.send("")
	return e
}

// send writes a piece of the stream, such as "data: {}\n\n", to a client that has
// [writeTimeout] to read it.
func (e *eventWriter) send(piece string) error {
	// Only writers of tests have no deadlines.
	_ = e.control.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := e.Write([]byte(piece)); err != nil {
		return err
	}
	return e.control.Flush()
}

// sendMessage writes a message of the protocol as one event. A client that loses its
// connection can come back for what follows an event with an id.
func (e *eventWriter) sendMessage(id string, data []byte) error {
	if id != "" {
		id = "id: " + id + "\n"
	}
	return e.send(id + "event: message\ndata: " + string(data) + "\n\n")
}

// response is the answer to one request over HTTP: a JSON body, or server-sent events
// if a notification comes before the reply.
type response struct {
	w       http.ResponseWriter
	message message
	json    bool // the client accepts a JSON body

	kept      *keptStreams
	stream    *stream // nil: the client cannot come back for it
	resumable atomic.Bool
	events    *eventWriter // nil until the first event
	failed    bool         // the client has gone
}

// send sends notifications as they come, and then the reply, nil if none is due.
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

// sendEvent sends a message, if there is one, as an event, and keeps it if the client
// can come back for it.
func (p *response) sendEvent(m mcp.JSONRPCMessage, last bool) {
	data, err := json.Marshal(m)
	if m == nil || err != nil {
		data = nil
	}
	id, current := "", true
	if p.stream != nil {
		id, current = p.kept.add(p.stream, data, last)
		p.resumable.Store(true)
	}
	if p.events == nil {
		p.events = startEvents(p.w)
	}
	if current && !p.failed && data != nil {
		p.failed = p.events.sendMessage(id, data) != nil
	}
}
