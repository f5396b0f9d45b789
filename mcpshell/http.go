package mcpshell

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"biomcp/mcpshell/access"
)

const (
	defaultMaxSessions = 1024
	defaultSessionIdle = 30 * time.Minute
	defaultKeepAlive   = 25 * time.Second
	// maxListening is how many streams of messages one session may listen to.
	maxListening = 4
)

// HTTPOptions bounds an HTTP server. The zero value is complete.
type HTTPOptions struct {
	MaxSessions int           // 0: 1,024
	SessionIdle time.Duration // after which a session ends; 0: 30 minutes
	KeepAlive   time.Duration // between two pings on a stream that is listened to; 0: 25 s
}

// HTTP serves the shell as MCP's Streamable HTTP
// (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports).
// It is an [http.Handler] for one path. Who may ask is not its concern: it trusts
// the caller that package access names in the request's context.
type HTTP struct {
	shell    *Shell
	carrier  *carrier
	sessions *sessionTable
	ctx      context.Context
	stop     context.CancelCauseFunc
	stopped  context.Context // new requests are refused
	refuse   context.CancelFunc
}

// NewHTTP makes the handler.
func NewHTTP(s *Shell, o HTTPOptions) *HTTP {
	if o.MaxSessions <= 0 {
		o.MaxSessions = defaultMaxSessions
	}
	if o.SessionIdle <= 0 {
		o.SessionIdle = defaultSessionIdle
	}
	if o.KeepAlive <= 0 {
		o.KeepAlive = defaultKeepAlive
	}
	h := &HTTP{shell: s, carrier: newCarrier(o.KeepAlive)}
	h.ctx, h.stop = context.WithCancelCause(context.Background())
	h.stopped, h.refuse = context.WithCancel(h.ctx)
	h.sessions = &sessionTable{shell: s, max: o.MaxSessions, idle: o.SessionIdle, ctx: h.ctx, byID: map[string]*httpSession{}}
	h.sessions.ended = func(id string) { h.carrier.forget(h.carrier.kept.ofSession(id)...) }
	return h
}

// Drain refuses new requests and ends the streams that are listened to. Requests
// in hand go on until Stop.
func (h *HTTP) Drain() { h.refuse() }

// Stop ends the work of every request; each gets an answer that says so.
func (h *HTTP) Stop() {
	h.refuse()
	h.stop(errStopping)
}

// Sweep ends the sessions that were idle for too long. It is to be called from
// time to time.
func (h *HTTP) Sweep() { h.sessions.sweep() }

func (h *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.stopped.Err() != nil {
		refuseStopping(w)
		return
	}
	if v := r.Header.Get(mcp.HeaderProtocolVersion); v != "" && !mcp.IsValidProtocolVersion(v) {
		refuseHTTP(w, http.StatusBadRequest, nil, mcp.INVALID_REQUEST, "unsupported protocol version "+v)
		return
	}
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r)
	case r.Method == http.MethodGet && !isModern(r):
		h.listen(w, r)
	case r.Method == http.MethodDelete && !isModern(r):
		h.delete(w, r)
	default:
		allow := "POST, GET, DELETE"
		if isModern(r) {
			allow = "POST"
		}
		w.Header().Set("Allow", allow)
		refuseHTTP(w, http.StatusMethodNotAllowed, nil, mcp.INVALID_REQUEST, r.Method+" is not a method of this address; use "+allow)
	}
}

func isModern(r *http.Request) bool {
	return mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))
}

// post answers one message, or in protocol 2025-03-26 a list of them.
func (h *HTTP) post(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuseHTTP(w, http.StatusUnsupportedMediaType, nil, mcp.INVALID_REQUEST, "Content-Type must be application/json")
		return
	}
	if !accepts(r.Header, "application/json") && !accepts(r.Header, eventStream) {
		refuseHTTP(w, http.StatusNotAcceptable, nil, mcp.INVALID_REQUEST, "Accept must name application/json and "+eventStream)
		return
	}
	line, err := io.ReadAll(r.Body)
	if err != nil {
		refuseHTTP(w, http.StatusBadRequest, nil, mcp.PARSE_ERROR, "the body could not be read")
		return
	}
	line = bytes.TrimSpace(line)
	var m message
	var refused mcp.JSONRPCMessage
	batch := len(line) > 0 && line[0] == '['
	if !batch || isModern(r) {
		if m, refused = decode(line); refused != nil {
			writeJSON(w, http.StatusBadRequest, refused)
			return
		}
	}
	var meta *mcp.Meta
	if m.meta != nil && json.Unmarshal(m.meta, &meta) != nil {
		meta = nil // the answer says what is wrong
	}
	l := &load{line: line, message: m, header: r.Header, modern: isModern(r) || mcp.IsModernProtocol(meta.ProtocolVersion())}
	owner := access.Caller(r.Context())
	switch {
	case l.modern:
		l.session, l.wrote = h.shell.newSession(), make(chan struct{}, 1)
		h.work(w, r, h.ctx, l, "")
	case m.method == string(mcp.MethodInitialize) && m.id != nil:
		h.initialize(w, r, m, owner)
	default:
		id := r.Header.Get(server.HeaderKeySessionID)
		s, stream, done := h.sessions.use(id, owner)
		if s == nil {
			refuseSession(w, m.id, id)
			return
		}
		defer done()
		l.session = s.session
		h.work(w, r, s.ctx, l, stream)
	}
}

// work has a message answered. A client that goes away cancels its request,
// unless it can come back for the rest of the answer. ctx ends with the session.
func (h *HTTP) work(w http.ResponseWriter, r *http.Request, ctx context.Context, l *load, stream string) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.Context(), func() {
		if !l.resumable.Load() {
			cancel(errDisconnected)
		}
	})()
	l.ctx = ctx
	if l.message.id == nil && l.line[0] != '[' { // a notification or a response
		l.session.take(ctx, l.line, nil).answer()
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if l.plain() {
		if reply := l.answerPlain(); reply != nil {
			writeJSON(w, http.StatusOK, reply)
			return
		}
	}
	h.carrier.post(r.Context(), w, l, stream)
	h.carrier.forget(h.carrier.kept.takeDropped()...)
}

// initialize opens a session for a client.
func (h *HTTP) initialize(w http.ResponseWriter, r *http.Request, m message, owner string) {
	s := h.shell.newSession()
	reply := s.take(r.Context(), m.raw, nil).answer()
	if _, ok := reply.(mcp.JSONRPCResponse); ok {
		opened, err := h.sessions.open(s, owner)
		if err != nil {
			w.Header().Set("Retry-After", "60")
			refuseHTTP(w, http.StatusServiceUnavailable, m.id, mcp.INTERNAL_ERROR, err.Error()+"; try again later, or end one with DELETE")
			return
		}
		w.Header().Set(server.HeaderKeySessionID, opened.id)
	}
	writeJSON(w, http.StatusOK, reply)
}

// listen serves a stream of messages from the server, or the rest of a stream
// that broke.
func (h *HTTP) listen(w http.ResponseWriter, r *http.Request) {
	if !accepts(r.Header, eventStream) {
		refuseHTTP(w, http.StatusNotAcceptable, nil, mcp.INVALID_REQUEST, "Accept must name "+eventStream)
		return
	}
	id := r.Header.Get(server.HeaderKeySessionID)
	s, stream, done := h.sessions.use(id, access.Caller(r.Context()))
	if s == nil {
		refuseSession(w, nil, id)
		return
	}
	defer done()
	unheard, ok := h.sessions.hear(s)
	if !ok {
		refuseHTTP(w, http.StatusTooManyRequests, nil, mcp.INVALID_REQUEST, "the session listens to as many streams as it may")
		return
	}
	defer unheard()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	defer context.AfterFunc(h.stopped, cancel)()
	last := r.Header.Get(mcp.HeaderLastEventID)
	if last == "" {
		defer h.carrier.forget(stream)
	} else {
		number, _, _ := strings.Cut(last, "-")
		stream = s.id + "." + number
	}
	h.carrier.listen(ctx, w, stream, last)
}

// delete ends a session.
func (h *HTTP) delete(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(server.HeaderKeySessionID)
	if !h.sessions.close(id, access.Caller(r.Context())) {
		refuseSession(w, nil, id)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func refuseStopping(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "10")
	refuseHTTP(w, http.StatusServiceUnavailable, nil, mcp.INTERNAL_ERROR, errStopping.Error())
}

func refuseSession(w http.ResponseWriter, id json.RawMessage, given string) {
	if given == "" {
		refuseHTTP(w, http.StatusBadRequest, id, mcp.INVALID_REQUEST, server.HeaderKeySessionID+" is missing: send initialize first")
		return
	}
	refuseHTTP(w, http.StatusNotFound, id, mcp.INVALID_REQUEST, "no such session: it has ended; send initialize again")
}

func refuseHTTP(w http.ResponseWriter, status int, id json.RawMessage, code int, text string) {
	writeJSON(w, status, rpcError(id, code, text))
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		status, data = http.StatusInternalServerError, nil
	}
	w.Header().Set("Content-Type", "application/json")
	// A writer without deadlines is a test's.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
	w.WriteHeader(status)
	// A client that is gone misses its answer.
	_, _ = w.Write(data)
}
