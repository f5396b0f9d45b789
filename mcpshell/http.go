package mcpshell

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/sourcegraph/conc"

	"biomcp/mcpshell/access"
)

// maxListeners is the maximum number of streams that one session may listen to at once.
const maxListeners = 4

// HTTPOptions limits the sessions of an HTTP server. The zero value is ready to use.
type HTTPOptions struct {
	MaxSessions int           // 0: 1,024
	PerAccount  int           // sessions per subject or, without tokens, per address; 0: 64
	SessionIdle time.Duration // idle time after which a session ends; 0: 30 minutes
	KeepAlive   time.Duration // time between pings on a stream that a client listens to; 0: 25 s
}

// HTTP serves the shell as MCP's Streamable HTTP
// (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports). It is an
// [http.Handler] for one path. It does not authenticate: it trusts the caller that package access
// puts into the request's context.
type HTTP struct {
	shell     *Shell
	streams   *streamStore
	sessions  *sessionTable
	keepAlive time.Duration
	ctx       context.Context
	stop      context.CancelCauseFunc
	draining  context.Context // done once new requests are rejected
	drain     context.CancelFunc
}

// NewHTTP returns a handler for s.
func NewHTTP(s *Shell, o HTTPOptions) *HTTP {
	h := &HTTP{shell: s, streams: &streamStore{}, keepAlive: cmp.Or(o.KeepAlive, 25*time.Second)}
	h.ctx, h.stop = context.WithCancelCause(context.Background())
	h.draining, h.drain = context.WithCancel(h.ctx)
	h.sessions = &sessionTable{
		shell:      s,
		max:        cmp.Or(o.MaxSessions, 1024),
		perAccount: cmp.Or(o.PerAccount, 64),
		idle:       cmp.Or(o.SessionIdle, 30*time.Minute),
		onEnd:      h.streams.dropSession,
		ctx:        h.ctx,
		byID:       map[string]*httpSession{},
	}
	return h
}

// Drain rejects new requests and ends the streams that clients listen to. Running requests
// continue until Stop.
func (h *HTTP) Drain() { h.drain() }

// Stop cancels all running requests. Each one gets an error as its answer.
func (h *HTTP) Stop() {
	h.drain()
	h.stop(errStopping)
}

func (h *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.draining.Err() != nil {
		refuseStopping(w)
		return
	}
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r)
	case refuseVersion(w, r, nil):
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
		text := r.Method + " is not a method of this address; use " + allow
		refuseHTTP(w, http.StatusMethodNotAllowed, nil, mcp.INVALID_REQUEST, text)
	}
}

func isModern(r *http.Request) bool {
	return mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))
}

// post answers one message or, in protocol 2025-03-26, a batch of them.
func (h *HTTP) post(w http.ResponseWriter, r *http.Request) {
	m, ok := readMessage(w, r)
	if !ok {
		return
	}
	p := &response{w: w, message: m, json: accepts(r.Header, jsonType), store: h.streams}
	var client *session
	var ends context.Context
	switch owner := access.CallerOf(r.Context()).Subject; {
	case isModern(r) || m.isModern():
		if refused := checkHeaders(r.Header, m); refused != nil {
			writeJSON(w, http.StatusBadRequest, refused)
			return
		}
		client, ends = h.shell.newSession(), h.ctx
		client.owner, client.chartFormat = owner, chartFormat(r)
	case m.method == string(mcp.MethodInitialize) && m.id != nil:
		h.initialize(w, r, m)
		return
	default:
		id := r.Header.Get(server.HeaderKeySessionID)
		s, number, done := h.sessions.use(id, owner)
		if s == nil {
			refuseSession(w, m.id, id)
			return
		}
		defer done()
		client, ends, p.stream = s.session, s.ctx, &stream{session: s, number: number}
	}
	// A client that disconnects cancels its request, unless it can resume the answer.
	ctx, cancel := context.WithCancelCause(access.CallerOf(r.Context()).NewContext(ends))
	defer cancel(nil)
	defer context.AfterFunc(r.Context(), func() {
		if !p.resumable.Load() {
			cancel(errDisconnected)
		}
	})()
	room := maxNotes
	if h.shell.isQuiet(m) {
		room = 1
	}
	var notes chan mcp.JSONRPCNotification
	if accepts(r.Header, eventStream) {
		notes = make(chan mcp.JSONRPCNotification, room)
	}
	x := client.receive(ctx, m, notes)
	replies := make(chan mcp.JSONRPCMessage, 1)
	send := func() { p.send(notes, replies) }
	if !h.shell.isQuiet(m) {
		var sending conc.WaitGroup
		sending.Go(send)
		send = sending.Wait
	}
	reply := x.answer()
	if reply == nil && m.id != nil { // HTTP requires an answer even to a cancelled request
		reply = rpcError(m.id, mcp.REQUEST_INTERRUPTED, context.Cause(x.ctx).Error())
	}
	replies <- reply
	send()
}

// readMessage reads the message of a request. If it cannot, it answers with an error and returns
// false.
func readMessage(w http.ResponseWriter, r *http.Request) (m message, ok bool) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != jsonType {
		refuseHTTP(w, http.StatusUnsupportedMediaType, nil, mcp.INVALID_REQUEST, "Content-Type must be "+jsonType)
		return m, false
	}
	if !accepts(r.Header, jsonType) && !accepts(r.Header, eventStream) {
		refuseHTTP(w, http.StatusNotAcceptable, nil, mcp.INVALID_REQUEST, "Accept must name "+jsonType+" and "+eventStream)
		return m, false
	}
	line, err := io.ReadAll(r.Body)
	if err != nil {
		refuseHTTP(w, http.StatusBadRequest, nil, mcp.PARSE_ERROR, "the body could not be read")
		return m, false
	}
	m = decode(bytes.TrimSpace(line))
	if m.errorReply != nil && (!m.isBatch() || isModern(r)) {
		writeJSON(w, http.StatusBadRequest, m.errorReply)
		return m, false
	}
	return m, !refuseVersion(w, r, m.id)
}

// refuseVersion rejects a request with an unknown protocol version and lists the known ones. It
// reports whether it did.
func refuseVersion(w http.ResponseWriter, r *http.Request, id json.RawMessage) bool {
	version := r.Header.Get(mcp.HeaderProtocolVersion)
	if version == "" || mcp.IsValidProtocolVersion(version) {
		return false
	}
	unsupported := mcp.UnsupportedProtocolVersionError{Version: truncate(version), Supported: ProtocolVersions()}
	refused := unsupported.JSONRPCError()
	refused.ID = rpcID(id)
	writeJSON(w, http.StatusBadRequest, refused)
	return true
}

// checkHeaders checks that the headers of a request of protocol 2026-07-28 agree with its body,
// as that protocol requires. It returns the error to answer with, or nil.
func checkHeaders(h http.Header, m message) mcp.JSONRPCMessage {
	const name, field = mcp.HeaderProtocolVersion, mcp.MetaKeyProtocolVersion
	inHeader, inBody := h.Get(name), m.meta.ProtocolVersion()
	code, text := mcp.HEADER_MISMATCH, ""
	switch {
	case m.id == nil:
		return nil
	case h.Get(mcp.HeaderLastEventID) != "":
		text = mcp.HeaderLastEventID + " is not part of protocol " + mcp.ProtocolVersion20260728 +
			": send the request again, with a new id"
	case inHeader == "":
		text = "a request with " + field + " in its _meta needs the header " + name
	case inBody == "":
		code, text = mcp.INVALID_PARAMS, "_meta needs the field "+field
	case inHeader != inBody:
		text = fmt.Sprintf("the header %s is %s, and %s in _meta is %.40q", name, inHeader, field, inBody)
	default:
		err := mcp.ValidateStandardHeaders(h.Get, inHeader, mcp.MCPMethod(m.method), m.params)
		if err == nil {
			return nil
		}
		text = err.Error()
	}
	return rpcError(m.id, code, text)
}

// initialize opens a session for a client.
func (h *HTTP) initialize(w http.ResponseWriter, r *http.Request, m message) {
	s := h.shell.newSession()
	s.chartFormat = chartFormat(r)
	reply := s.receive(r.Context(), m, nil).answer()
	if _, ok := reply.(mcp.JSONRPCResponse); ok {
		opened, err := h.sessions.open(s, access.CallerOf(r.Context()))
		if err != nil {
			s.recordSession(r.Context(), err.Error(), time.Now())
			status := http.StatusServiceUnavailable
			if errors.Is(err, errAccountFull) {
				status = http.StatusTooManyRequests
			}
			w.Header().Set("Retry-After", "60")
			refuseHTTP(w, status, m.id, mcp.INTERNAL_ERROR, err.Error()+"; try again later, or end one with DELETE")
			return
		}
		s.recordSession(r.Context(), "opened", opened.openedAt)
		w.Header().Set(server.HeaderKeySessionID, opened.id)
	}
	writeJSON(w, http.StatusOK, reply)
}

// chartFormat returns the chart format in the request's URL, or "" if there is none.
func chartFormat(r *http.Request) string {
	if f := r.URL.Query().Get("chart-format"); f == PNG || f == SVG {
		return f
	}
	return ""
}

// listen serves a stream of messages from the server, or the rest of an interrupted stream.
func (h *HTTP) listen(w http.ResponseWriter, r *http.Request) {
	if !accepts(r.Header, eventStream) {
		refuseHTTP(w, http.StatusNotAcceptable, nil, mcp.INVALID_REQUEST, "Accept must name "+eventStream)
		return
	}
	id := r.Header.Get(server.HeaderKeySessionID)
	s, number, done := h.sessions.use(id, access.CallerOf(r.Context()).Subject)
	if s == nil {
		refuseSession(w, nil, id)
		return
	}
	defer done()
	release, ok := h.sessions.addListener(s)
	if !ok {
		text := fmt.Sprintf("a session may listen to %d streams at once", maxListeners)
		refuseHTTP(w, http.StatusTooManyRequests, nil, mcp.INVALID_REQUEST, text)
		return
	}
	defer release()
	from := &reader{stream: &stream{session: s, number: number}}
	if last := r.Header.Get(mcp.HeaderLastEventID); last != "" {
		if from = h.streams.resume(s, last); from == nil {
			text := fmt.Sprintf("unknown or expired event %.40q", last)
			refuseHTTP(w, http.StatusBadRequest, nil, mcp.INVALID_REQUEST, text)
			return
		}
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	defer context.AfterFunc(h.draining, cancel)()
	h.read(ctx, startEvents(w), from)
}

// read sends the events of a stream until the stream or ctx ends. Regular pings keep the
// connection open.
func (h *HTTP) read(ctx context.Context, out *eventWriter, from *reader) {
	tick := time.NewTicker(h.keepAlive)
	defer tick.Stop()
	for ctx.Err() == nil {
		events, more, last := h.streams.next(from)
		for _, data := range events {
			from.sent++
			if out.sendMessage(from.id(from.sent), data) != nil {
				return
			}
		}
		if last {
			return
		}
		select {
		case <-more:
		case <-tick.C:
			ping, err := json.Marshal(mcp.JSONRPCRequest{
				JSONRPC: mcp.JSONRPC_VERSION,
				ID:      mcp.NewRequestId(callID()),
				Request: mcp.Request{Method: string(mcp.MethodPing)},
			})
			if err != nil || out.sendMessage("", ping) != nil {
				return
			}
		case <-ctx.Done():
		}
	}
}

// delete ends a session.
func (h *HTTP) delete(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(server.HeaderKeySessionID)
	if !h.sessions.close(id, access.CallerOf(r.Context()).Subject) {
		refuseSession(w, nil, id)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func refuseStopping(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "10")
	refuseHTTP(w, http.StatusServiceUnavailable, nil, mcp.INTERNAL_ERROR, errStopping.Error())
}

func refuseSession(w http.ResponseWriter, id json.RawMessage, sessionID string) {
	if sessionID == "" {
		text := server.HeaderKeySessionID + " is missing: send initialize first"
		refuseHTTP(w, http.StatusBadRequest, id, mcp.INVALID_REQUEST, text)
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
	w.Header().Set("Content-Type", jsonType)
	// Only response writers in tests do not support deadlines.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
	w.WriteHeader(status)
	// The write fails only if the client has disconnected.
	_, _ = w.Write(data)
}

// status returns the HTTP status of a reply. Only protocol 2026-07-28 maps errors to other
// statuses than 200.
func (m message) status(reply mcp.JSONRPCMessage) int {
	refused, ok := reply.(mcp.JSONRPCError)
	if !ok || !m.isModern() {
		return http.StatusOK
	}
	switch refused.Error.Code {
	case mcp.METHOD_NOT_FOUND:
		return http.StatusNotFound
	case mcp.HEADER_MISMATCH, mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, mcp.UNSUPPORTED_PROTOCOL_VERSION,
		mcp.INVALID_REQUEST, mcp.INVALID_PARAMS, mcp.PARSE_ERROR:
		return http.StatusBadRequest
	}
	return http.StatusOK
}
