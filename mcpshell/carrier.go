package mcpshell

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/sourcegraph/conc"
)

// carrier is mcp-go's Streamable HTTP transport with [session.take] behind it.
// The transport hands messages to an MCPServer and to nothing else, which reads
// ids as float64 and knows only the protocol's own methods. So the server it gets
// has one tool, and each request reaches it as a call of that tool; what the
// client sent is in the request's context, and the answer to it is the tool's
// structured result. [carrier.unwrap] takes it out again where the transport
// writes or keeps it. Streams, their events' ids, resumption, keep-alive
// messages and the header rules of protocol 2026-07-28 are the transport's.
type carrier struct {
	transport *server.StreamableHTTPServer
	kept      *keptEvents
	mark      []byte // the id of every carried request, in quotes; no client can know it
}

const carrierTool = "carry"

func newCarrier(keepAlive time.Duration) *carrier {
	c := &carrier{mark: []byte(`"` + rand.Text() + `"`)}
	c.kept = &keptEvents{unwrap: c.unwrap, streams: map[string]*keptStream{}}
	s := server.NewMCPServer(toolName, "")
	s.AddTool(mcp.NewTool(carrierTool), carry)
	c.transport = server.NewStreamableHTTPServer(s,
		server.WithStateLess(true), // the sessions are in [sessionTable], where they are bounded and expire
		server.WithEventStore(c.kept),
		server.WithHeartbeatInterval(keepAlive),
		server.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)), // it logs clients that went away
	)
	return c
}

// load is one request on its way through the transport.
type load struct {
	session *session
	line    []byte          // what the client sent
	message message         // the same, decoded; a batch has none
	ctx     context.Context // ends when the request is not to be answered any more
	header  http.Header     // of the client's request
	modern  bool            // of protocol 2026-07-28 or later

	ready     mcp.JSONRPCMessage           // the answer, where it was there before the request was carried
	before    chan mcp.JSONRPCNotification // the notifications to be sent before it
	none      atomic.Bool                  // no answer is due
	code      int                          // of the answer, where it is an error
	resumable atomic.Bool                  // the client got the id of an event
	wrote     chan struct{}                // has one element for each event that was written, where modern
}

type loadKey struct{}

// carry is the tool: it has the client's message answered.
func carry(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	l := ctx.Value(loadKey{}).(*load)
	out := server.ClientSessionFromContext(ctx).NotificationChannel()
	reply := l.ready
	if reply == nil {
		notes, written := l.notes(ctx, out)
		reply = l.answer(notes)
		written()
	}
	for len(l.before) > 0 {
		out <- <-l.before
	}
	if refused, ok := reply.(mcp.JSONRPCError); ok {
		l.code = refused.Error.Code
	}
	data, err := json.Marshal(reply)
	return &mcp.CallToolResult{Content: []mcp.Content{}, StructuredContent: json.RawMessage(data)}, err
}

// plain reports whether a request is a call that can have no more than one notification
// before its answer, the log message of its end: it needs a stream, and so the
// transport, in the rare case that there is one.
func (l *load) plain() bool { return !l.modern && l.message.plainCall() }

// answerPlain is the answer to a plain request, nil where the transport is to bring it
// behind a notification.
func (l *load) answerPlain() mcp.JSONRPCMessage {
	var notes chan mcp.JSONRPCNotification
	if accepts(l.header, eventStream) {
		notes = make(chan mcp.JSONRPCNotification, 1)
	}
	reply := l.answer(notes)
	if len(notes) > 0 {
		l.ready, l.before = reply, notes
		return nil
	}
	return reply
}

// notes is where notifications to the client go, and what waits until they are
// written. With an event store the transport loses none; a request of protocol
// 2026-07-28 has none, and the last notification before its answer is lost unless
// the answer is kept back.
func (l *load) notes(ctx context.Context, out chan<- mcp.JSONRPCNotification) (chan<- mcp.JSONRPCNotification, func()) {
	if !accepts(l.header, eventStream) {
		return nil, func() {}
	}
	if !l.modern {
		return out, func() {}
	}
	notes, last := make(chan mcp.JSONRPCNotification, maxNotes), make(chan struct{})
	pass := func(n mcp.JSONRPCNotification) {
		select {
		case out <- n:
		case <-ctx.Done():
			return
		}
		select {
		case <-l.wrote:
		case <-ctx.Done():
		}
	}
	var passing conc.WaitGroup
	passing.Go(func() {
		for {
			select {
			case n := <-notes:
				pass(n)
			case <-last:
				for len(notes) > 0 {
					pass(<-notes)
				}
				return
			}
		}
	})
	return notes, func() {
		close(last)
		passing.Wait()
	}
}

func (l *load) answer(notes chan<- mcp.JSONRPCNotification) mcp.JSONRPCMessage {
	if l.modern {
		err := mcp.ValidateStandardHeaders(l.header.Get, l.header.Get(mcp.HeaderProtocolVersion), mcp.MCPMethod(l.message.method), l.message.params)
		if err != nil {
			return rpcError(l.message.id, mcp.HEADER_MISMATCH, err.Error())
		}
	}
	var reply mcp.JSONRPCMessage
	if l.line[0] == '[' {
		reply = l.session.take(l.ctx, l.line, notes).answer()
	} else {
		reply = l.session.takeDecoded(l.ctx, l.message, nil, notes).answer()
	}
	if reply == nil {
		l.none.Store(l.message.id == nil)
		cause := context.Cause(l.ctx)
		if cause == nil {
			cause = errCancelled
		}
		// HTTP wants an answer, also to what was cancelled.
		return rpcError(l.message.id, mcp.REQUEST_INTERRUPTED, cause.Error())
	}
	return reply
}

// post carries a request; its answer is the stream id. ctx ends with the
// client's connection.
func (c *carrier) post(ctx context.Context, w http.ResponseWriter, l *load, id string) {
	header := http.Header{"Content-Type": {"application/json"}}
	meta := []byte("{}")
	if l.modern {
		if l.message.meta != nil {
			meta = l.message.meta
		}
		for _, name := range []string{mcp.HeaderProtocolVersion, mcp.HeaderLastEventID} {
			if v := l.header.Get(name); v != "" {
				header.Set(name, v)
			}
		}
		header.Set(mcp.HeaderMethod, string(mcp.MethodToolsCall))
		header.Set(mcp.HeaderName, carrierTool)
	} else {
		header.Set(server.HeaderKeySessionID, id)
	}
	out := &streamWriter{w: w, unwrap: c.unwrap, load: l}
	defer out.release()
	c.transport.Handle(out, &server.HTTPRequest{
		Method: http.MethodPost, Header: header,
		Body:    fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":%q,"params":{"name":%q,"_meta":%s}}`, c.mark, mcp.MethodToolsCall, carrierTool, meta),
		Context: context.WithValue(ctx, loadKey{}, l),
	})
}

// listen serves a stream of messages from the server until ctx ends. With the id
// of an event, it goes on behind that event of the stream id.
func (c *carrier) listen(ctx context.Context, w http.ResponseWriter, id, lastEvent string) {
	header := http.Header{server.HeaderKeySessionID: {id}}
	if lastEvent != "" {
		header.Set(mcp.HeaderLastEventID, lastEvent)
	}
	out := &streamWriter{w: w, unwrap: c.unwrap}
	defer out.release()
	c.transport.Handle(out, &server.HTTPRequest{Method: http.MethodGet, Header: header, Context: ctx})
}

// forget drops what the transport keeps of streams.
func (c *carrier) forget(ids ...string) {
	for _, id := range ids {
		c.transport.Handle(&streamWriter{}, &server.HTTPRequest{
			Method: http.MethodDelete, Header: http.Header{server.HeaderKeySessionID: {id}}, Context: context.Background(),
		})
	}
}

// unwrap is the message that a client gets in place of one of the transport's.
func (c *carrier) unwrap(data []byte, l *load) []byte {
	if !bytes.Contains(data, c.mark) {
		return data
	}
	var carried struct {
		Result struct {
			Reply json.RawMessage `json:"structuredContent"`
		} `json:"result"`
	}
	if json.Unmarshal(data, &carried) == nil && carried.Result.Reply != nil {
		return carried.Result.Reply
	}
	id := json.RawMessage("null") // the transport's own refusal
	if l != nil && l.message.id != nil {
		id = l.message.id
	}
	return bytes.Replace(data, c.mark, id, 1)
}
