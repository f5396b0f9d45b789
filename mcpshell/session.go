package mcpshell

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/sourcegraph/conc"
)

// session is one client: what it agreed with the server, and its requests that
// have no answer yet. A transport passes each message to [session.receive] and
// sends what [exchange.answer] returns; all transports share what lies between.
type session struct {
	*Shell
	alias string // its name in the account; it opens nothing

	mu       sync.Mutex
	version  string                             // of the protocol, "" before initialize
	client   string                             // its name, as it introduced itself
	inFlight map[string]context.CancelCauseFunc // by the id as it was sent
	ready    atomic.Bool                        // the client accepts notifications
	level    atomic.Value                       // of the log messages that it asked for

	owner       any    // of the charts that it can read: the session, or a subject without one
	chartFormat string // that its address asks for
}

func (s *Shell) newSession() *session {
	c := &session{Shell: s, alias: callID(), inFlight: map[string]context.CancelCauseFunc{}}
	c.owner = c
	c.level.Store(mcp.LoggingLevelError)
	return c
}

// exchange is a message of the client, or a batch of them, with its answer.
type exchange struct {
	*session
	message
	ctx     context.Context
	cancel  context.CancelCauseFunc // nil: the client cannot cancel it
	members []*exchange             // of a batch
}

// batchVersion is the version of the protocol in which one message may be a list
// of messages; later ones forbid it.
const batchVersion = "2025-03-26"

const (
	// maxBatch is how many messages one batch may hold.
	maxBatch = 100
	// fixedFor is how long a client may keep a list that changes only with the program,
	// in milliseconds.
	fixedFor = int64(time.Hour / time.Millisecond)
)

// receive accepts one message. When it returns, a
// notification has had its effect, and a request can be cancelled. Notifications to
// the client go to notes. The ctx ends with the connection.
func (c *session) receive(ctx context.Context, m message, notes chan<- mcp.JSONRPCNotification) *exchange {
	ctx = c.mcp.WithContext(ctx, recipient{c, notes})
	if m.isBatch() && c.protocol() == batchVersion {
		return c.receiveBatch(ctx, m.raw)
	}
	return c.receiveOne(ctx, m)
}

func (c *session) receiveOne(ctx context.Context, m message) *exchange {
	x := &exchange{session: c, message: m, ctx: ctx}
	switch {
	case m.refused != nil:
		c.log.Debug("malformed message", "bytes", len(m.raw))
	case m.method == "notifications/cancelled" && m.id == nil:
		c.cancelRequest(m)
	case m.id == nil && m.method != "":
		x.answer()
	case m.id != nil && !x.isImmediate():
		x.ctx, x.cancel = context.WithCancelCause(ctx)
		c.mu.Lock()
		c.inFlight[string(m.id)] = x.cancel
		c.mu.Unlock()
	}
	if m.id == nil && m.refused == nil {
		x.message = message{} // it has been dealt with
	}
	return x
}

// receiveBatch accepts a list of messages. Their answers are sent together, as a list.
func (c *session) receiveBatch(ctx context.Context, line []byte) *exchange {
	refuse := func(code int, text string) *exchange {
		return c.receiveOne(ctx, message{raw: line, refused: rpcError(nil, code, text)})
	}
	var list []json.RawMessage
	if !utf8.Valid(line) || json.Unmarshal(line, &list) != nil {
		return refuse(mcp.PARSE_ERROR, "the batch is not JSON")
	}
	if n := len(list); n == 0 || n > maxBatch {
		return refuse(mcp.INVALID_REQUEST, fmt.Sprintf("a batch holds 1 to %d messages, not %d", maxBatch, n))
	}
	x := &exchange{session: c, ctx: ctx}
	for _, one := range list {
		x.members = append(x.members, c.receiveOne(ctx, decode(one)))
	}
	return x
}

// isImmediate reports whether the answer takes no time. The next message is then
// received after it.
func (x *exchange) isImmediate() bool {
	switch mcp.MCPMethod(x.method) {
	case mcp.MethodInitialize, mcp.MethodPing, mcp.MethodSetLogLevel:
		return true
	}
	return x.members == nil && x.id == nil
}

// answer returns the answer, nil if none is due or the request was cancelled. It is
// called once. A panic becomes an error of the request.
func (x *exchange) answer() (reply mcp.JSONRPCMessage) {
	defer func() {
		if recover() != nil {
			id := callID()
			x.log.Error("panic", "call", id, "method", loggable(x.method), "at", panicSite())
			if reply = nil; x.id != nil {
				reply = rpcError(x.id, mcp.INTERNAL_ERROR, x.failure(errPanic, id).Message)
			}
		}
		if x.cancel != nil {
			x.mu.Lock()
			delete(x.inFlight, string(x.id))
			x.mu.Unlock()
			if x.ctx.Err() != nil { // the protocol wants no answer to a cancelled request
				reply = nil
			}
			x.cancel(nil)
		}
	}()
	switch {
	case x.refused != nil:
		return x.refused
	case x.members != nil:
		return x.answerBatch()
	case x.method == "":
		return nil
	case x.isModern():
		if !mcp.IsValidProtocolVersion(x.meta.ProtocolVersion()) || x.meta.ClientCapabilities() == nil {
			return x.answerByLibrary() // which refuses it in the protocol's words
		}
		x.ctx = server.WithRequestProtocolInfo(x.ctx, &server.RequestProtocolInfo{Modern: true, LogLevel: x.meta.LogLevel()})
		x.ready.Store(true)
	}
	x.ctx = context.WithValue(x.ctx, exchangeKey{}, x)
	var result mcp.ResultMetadata
	var refused *mcp.JSONRPCErrorDetails
	var arguments any
	switch {
	case x.isCall(x.message) && (x.arguments == nil || json.Unmarshal(x.arguments, &arguments) == nil):
		out, err := x.call(x.ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: x.tool(), Arguments: arguments, Meta: x.meta}})
		if result = out; err != nil {
			refused = &mcp.JSONRPCErrorDetails{Code: mcp.INTERNAL_ERROR, Message: err.Error()}
		}
	case x.isOfResources():
		result, refused = x.answerResource()
	default:
		reply = x.answerByLibrary()
		if _, bad := reply.(mcp.JSONRPCError); bad && mcp.MCPMethod(x.method) == mcp.MethodToolsCall { // of no tool of this server
			x.recordAnswer(x.ctx, deed{"call", callID(), x.method, string(x.name)}, "refused", time.Now(), 0)
		}
		return reply
	}
	if refused != nil {
		return mcp.NewJSONRPCError(rpcID(x.id), refused.Code, bounded(refused.Message), refused.Data)
	}
	if x.isModern() {
		// Protocol 2026-07-28 requires these of every result, and the hints of every list and reading.
		result.SetResultType(mcp.ResultTypeComplete)
		result.EnsureResultMeta().SetServerInfo(x.info)
		switch r := result.(type) {
		case *mcp.ListResourceTemplatesResult, *skillList, *skillFound:
			result.(mcp.CacheHintSetter).SetCacheHints(fixedFor, mcp.CacheScopePublic)
		case mcp.CacheHintSetter:
			r.SetCacheHints(0, mcp.CacheScopePrivate)
		}
	}
	if r, ok := result.(*mcp.CallToolResult); ok {
		return mcp.NewJSONRPCResultResponse(rpcID(x.id), sentResult{r.Meta, r.Content, r.IsError, r.ResultType, r.StructuredContent})
	}
	return mcp.NewJSONRPCResultResponse(rpcID(x.id), result)
}

// sentResult is the result of a call as it is written: mcp-go's own is written twice, which
// takes a tenth of a call that is answered from memory.
type sentResult struct {
	Meta       *mcp.Meta      `json:"_meta,omitempty"`
	Content    []mcp.Content  `json:"content"`
	IsError    bool           `json:"isError,omitempty"`
	ResultType mcp.ResultType `json:"resultType,omitempty"`
	Structured any            `json:"structuredContent,omitempty"`
}

// answerByLibrary has mcp-go answer.
func (x *exchange) answerByLibrary() mcp.JSONRPCMessage {
	// mcp-go reads an id as a float64, which loses the last digits of a long
	// one; the client gets back what it sent.
	switch r := x.Shell.mcp.HandleMessage(x.ctx, x.raw).(type) {
	case mcp.JSONRPCResponse:
		r.ID = rpcID(x.id)
		if hello, ok := r.Result.(mcp.InitializeResult); ok {
			x.mu.Lock()
			x.version = hello.ProtocolVersion
			var params struct{ ClientInfo mcp.Implementation }
			if json.Unmarshal(x.params, &params) == nil { // else mcp-go would have refused it
				x.client = params.ClientInfo.Name
			}
			x.mu.Unlock()
		}
		return r
	case mcp.JSONRPCError:
		r.ID = rpcID(x.id)
		if strings.HasPrefix(r.Error.Message, "unparsable ") { // followed by names of Go types
			return rpcError(x.id, mcp.INVALID_PARAMS, "the params of "+x.method+" do not have the form that the protocol gives them")
		}
		r.Error.Message = bounded(r.Error.Message)
		return r
	default:
		return r
	}
}

// answerBatch answers all members at once, and returns nil if none of them has an answer.
func (x *exchange) answerBatch() mcp.JSONRPCMessage {
	answers := make([]mcp.JSONRPCMessage, len(x.members))
	var pending conc.WaitGroup
	for i, member := range x.members {
		pending.Go(func() { answers[i] = member.answer() })
	}
	pending.Wait()
	answers = slices.DeleteFunc(answers, func(a mcp.JSONRPCMessage) bool { return a == nil })
	if len(answers) == 0 {
		return nil
	}
	return answers
}

func (c *session) protocol() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// cancelRequest cancels the request that a notification names.
func (c *session) cancelRequest(m message) {
	var params struct {
		ID json.RawMessage `json:"requestId"`
	}
	if m.params == nil || json.Unmarshal(m.params, &params) != nil {
		return // a notification gets no answer, even if it is wrong
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel, ok := c.inFlight[string(params.ID)]; ok {
		cancel(errCancelled)
	}
}

// recipient is what mcp-go sends a session's notifications to.
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
