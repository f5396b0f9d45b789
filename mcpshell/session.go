package mcpshell

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/sourcegraph/conc"
)

// session is one client: what it agreed with the server and its requests that
// are not answered yet. A transport hands it each message with [session.take]
// and sends the answer; everything between the two is the same on all of them.
type session struct {
	*Shell

	mu       sync.Mutex
	version  string                             // of the protocol, "" before initialize
	inFlight map[string]context.CancelCauseFunc // by the id as it was sent
	ready    atomic.Bool                        // the client takes notifications
	level    atomic.Value                       // of the log messages that it asked for
}

func (s *Shell) newSession() *session {
	c := &session{Shell: s, inFlight: map[string]context.CancelCauseFunc{}}
	c.level.Store(mcp.LoggingLevelError)
	return c
}

// exchange is a message that was taken, and its answer to come.
type exchange struct {
	// inOrder is set where the answer takes no time and the next message is to be
	// taken after it.
	inOrder bool
	// answer works out the answer, nil where none is due. It is called once.
	answer func() mcp.JSONRPCMessage
}

func answered(reply mcp.JSONRPCMessage) exchange {
	return exchange{inOrder: true, answer: func() mcp.JSONRPCMessage { return reply }}
}

// batchVersion is the version of the protocol in which one message may be a list
// of messages; later ones forbid it.
const batchVersion = "2025-03-26"

// maxBatch is how many messages one batch may hold.
const maxBatch = 100

// take reads one message, which has at least one byte. Notifications have had
// their effect when it returns, and a request can be cancelled from then on.
// Notifications to the client go to notes; ctx ends with the connection.
func (c *session) take(ctx context.Context, line []byte, notes chan<- mcp.JSONRPCNotification) exchange {
	if line[0] == '[' && c.protocol() == batchVersion {
		return c.takeBatch(c.mcp.WithContext(ctx, recipient{c, notes}), line)
	}
	m, refused := decode(line)
	return c.takeDecoded(ctx, m, refused, notes)
}

// takeDecoded is take for what [decode] made of a message.
func (c *session) takeDecoded(ctx context.Context, m message, refused mcp.JSONRPCMessage, notes chan<- mcp.JSONRPCNotification) exchange {
	return c.takeOne(c.mcp.WithContext(ctx, recipient{c, notes}), m, refused)
}

func (c *session) takeOne(ctx context.Context, m message, refused mcp.JSONRPCMessage) exchange {
	switch {
	case refused != nil:
		c.log.Debug("malformed message", "bytes", len(m.raw))
		return answered(refused)
	case m.method == "": // a response, and we ask for nothing
		return answered(nil)
	case m.id == nil && m.method == "notifications/cancelled":
		c.cancel(m)
		return answered(nil)
	case m.id == nil:
		c.reply(ctx, m)
		return answered(nil)
	}
	switch mcp.MCPMethod(m.method) {
	case mcp.MethodInitialize, mcp.MethodPing, mcp.MethodSetLogLevel:
		return exchange{inOrder: true, answer: func() mcp.JSONRPCMessage { return c.reply(ctx, m) }}
	}
	id := string(m.id)
	ctx, cancel := context.WithCancelCause(ctx)
	c.mu.Lock()
	c.inFlight[id] = cancel
	c.mu.Unlock()
	return exchange{answer: func() mcp.JSONRPCMessage {
		defer cancel(nil)
		reply := c.reply(ctx, m)
		c.mu.Lock()
		delete(c.inFlight, id)
		c.mu.Unlock()
		if ctx.Err() != nil { // the protocol wants no answer to what was cancelled
			return nil
		}
		return reply
	}}
}

// takeBatch takes a list of messages. Their answer is a list, made when the last
// of them is there; where none is due, there is none.
func (c *session) takeBatch(ctx context.Context, line []byte) exchange {
	var list []json.RawMessage
	if !utf8.Valid(line) || json.Unmarshal(line, &list) != nil {
		return answered(rpcError(nil, mcp.PARSE_ERROR, "the batch is not JSON"))
	}
	if n := len(list); n == 0 || n > maxBatch {
		return answered(rpcError(nil, mcp.INVALID_REQUEST, fmt.Sprintf("a batch holds 1 to %d messages, not %d", maxBatch, n)))
	}
	members := make([]exchange, len(list))
	for i, one := range list {
		m, refused := decode(one)
		members[i] = c.takeOne(ctx, m, refused)
	}
	return exchange{answer: func() mcp.JSONRPCMessage {
		answers := make([]mcp.JSONRPCMessage, len(members))
		var pending conc.WaitGroup
		for i, x := range members {
			pending.Go(func() { answers[i] = x.answer() })
		}
		pending.Wait()
		answers = slices.DeleteFunc(answers, func(a mcp.JSONRPCMessage) bool { return a == nil })
		if len(answers) == 0 {
			return nil
		}
		return answers
	}}
}

// reply is answer with a bug anywhere in it turned into an error.
func (c *session) reply(ctx context.Context, m message) (reply mcp.JSONRPCMessage) {
	defer func() {
		if recover() != nil {
			id := callID()
			c.log.Error("panic", "call", id, "method", loggable(m.method), "at", panicSite())
			if m.id != nil {
				reply = rpcError(m.id, mcp.INTERNAL_ERROR, c.failure(errPanic, id).Message)
			}
		}
	}()
	reply = c.answer(ctx, m)
	if hello, ok := reply.(mcp.JSONRPCResponse); ok {
		if r, ok := hello.Result.(mcp.InitializeResult); ok {
			c.mu.Lock()
			c.version = r.ProtocolVersion
			c.mu.Unlock()
		}
	}
	return reply
}

func (c *session) protocol() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

func (c *session) cancel(m message) {
	var params struct {
		ID json.RawMessage `json:"requestId"`
	}
	if m.params == nil || json.Unmarshal(m.params, &params) != nil {
		return // a notification gets no answer, not even to its mistakes
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel, ok := c.inFlight[string(params.ID)]; ok {
		cancel(errCancelled)
	}
}

// recipient is a session in the form in which mcp-go sends notifications to it.
type recipient struct {
	*session
	notes chan<- mcp.JSONRPCNotification
}

var _ server.SessionWithLogging = recipient{}

func (c recipient) SessionID() string                                   { return toolName }
func (c recipient) Initialize()                                         { c.ready.Store(true) }
func (c recipient) Initialized() bool                                   { return c.ready.Load() }
func (c recipient) NotificationChannel() chan<- mcp.JSONRPCNotification { return c.notes }
func (c recipient) SetLogLevel(level mcp.LoggingLevel)                  { c.level.Store(level) }
func (c recipient) GetLogLevel() mcp.LoggingLevel                       { return c.level.Load().(mcp.LoggingLevel) }
