package mcpshell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/sourcegraph/conc"
)

// A session is the server's state for one client: the settings that they negotiated, and the
// requests that are not yet answered. A transport passes each message to [session.receive] and
// sends the value of [exchange.answer].
type session struct {
	*Shell
	alias string // name in the log; clients cannot open the session with it

	mu       sync.Mutex
	version  string                             // negotiated protocol version; "" before initialize
	client   string                             // name that the client reported
	inFlight map[string]context.CancelCauseFunc // by raw request ID
	ready    atomic.Bool                        // the client accepts notifications
	level    atomic.Value                       // log level that the client asked for

	// owner owns the charts that the client can read. It is the session or, without sessions, the
	// subject.
	owner       any
	chartFormat string // from the client's URL
}

func (s *Shell) newSession() *session {
	c := &session{Shell: s, alias: callID(), inFlight: map[string]context.CancelCauseFunc{}}
	c.owner = c
	c.level.Store(mcp.LoggingLevelError)
	return c
}

// An exchange is a message of the client, or a batch of messages, with its answer.
type exchange struct {
	*session
	message
	ctx     context.Context
	cancel  context.CancelCauseFunc // nil: the client cannot cancel it
	members []*exchange             // messages of a batch
}

// batchVersion is the only version of the protocol with batches of messages.
const batchVersion = "2025-03-26"

const (
	// maxBatch is the maximum number of messages in a batch.
	maxBatch = 100
	// fixedListTTL is the time in milliseconds for which a client may cache a list that changes only
	// with the program.
	fixedListTTL = int64(time.Hour / time.Millisecond)
)

// receive accepts one message. When it returns, a notification has taken effect, and a request
// can be cancelled. Notifications for the client are sent to notes. ctx must end with the
// connection.
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
	case m.errorReply != nil:
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
	if m.id == nil && m.errorReply == nil {
		x.message = message{} // a notification or a response needs no answer
	}
	return x
}

// receiveBatch accepts a batch of messages. Their answers are sent together, as an array.
func (c *session) receiveBatch(ctx context.Context, line []byte) *exchange {
	refuse := func(code int, text string) *exchange {
		return c.receiveOne(ctx, message{raw: line, errorReply: rpcError(nil, code, text)})
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

// isImmediate reports whether the answer takes no time. A transport then answers before it reads
// the next message.
func (x *exchange) isImmediate() bool {
	switch mcp.MCPMethod(x.method) {
	case mcp.MethodInitialize, mcp.MethodPing, mcp.MethodSetLogLevel:
		return true
	}
	return x.members == nil && x.id == nil
}

// answer returns the answer, or nil if none is due or the request was cancelled. It must be
// called once. It reports a panic as an error of the request.
func (x *exchange) answer() (reply mcp.JSONRPCMessage) {
	defer func() {
		if recover() != nil {
			id := callID()
			x.log.Error("panic", "call", id, "method", loggable(x.method), "at", PanicSite())
			if reply = nil; x.id != nil {
				reply = rpcError(x.id, mcp.INTERNAL_ERROR, x.failure(errPanic, id).Message)
			}
		}
		if x.cancel != nil {
			x.mu.Lock()
			delete(x.inFlight, string(x.id))
			x.mu.Unlock()
			if x.ctx.Err() != nil { // the protocol requires no answer to a cancelled request
				reply = nil
			}
			x.cancel(nil)
		}
	}()
	switch {
	case x.errorReply != nil:
		return x.errorReply
	case x.members != nil:
		return x.answerBatch()
	case x.method == "":
		return nil
	case x.isModern():
		if !mcp.IsValidProtocolVersion(x.meta.ProtocolVersion()) || x.meta.ClientCapabilities() == nil {
			return x.answerByMCPGo() // mcp-go's error has the protocol's wording
		}
		info := &server.RequestProtocolInfo{Modern: true, LogLevel: x.meta.LogLevel()}
		x.ctx = server.WithRequestProtocolInfo(x.ctx, info)
		x.ready.Store(true)
	}
	x.ctx = context.WithValue(x.ctx, exchangeKey{}, x)
	var result mcp.ResultMetadata
	var refused *mcp.JSONRPCErrorDetails
	var arguments any
	switch {
	case x.isCall(x.message) && (x.arguments == nil || json.Unmarshal(x.arguments, &arguments) == nil):
		params := mcp.CallToolParams{Name: x.tool(), Arguments: arguments, Meta: x.meta}
		out, err := x.call(x.ctx, mcp.CallToolRequest{Params: params})
		if result = out; err != nil {
			refused = &mcp.JSONRPCErrorDetails{Code: mcp.INTERNAL_ERROR, Message: err.Error()}
		}
	case x.isResourceRequest():
		result, refused = x.answerResource()
	default:
		reply = x.answerByMCPGo()
		_, failed := reply.(mcp.JSONRPCError)
		if failed && mcp.MCPMethod(x.method) == mcp.MethodToolsCall { // an unknown tool
			entry := logEntry{kind: "call", id: callID(), method: x.method, command: string(x.name), code: codeOfRefusal}
			x.recordAnswer(x.ctx, entry, "refused", time.Now(), 0)
		}
		return reply
	}
	if refused != nil {
		return mcp.NewJSONRPCError(rpcID(x.id), refused.Code, truncate(refused.Message), refused.Data)
	}
	if x.isModern() {
		// Protocol 2026-07-28 requires these fields in every result, and cache hints in every
		// list and reading.
		result.SetResultType(mcp.ResultTypeComplete)
		result.EnsureResultMeta().SetServerInfo(x.info)
		switch r := result.(type) {
		case *mcp.ListResourceTemplatesResult, *skillList, *skillFound:
			result.(mcp.CacheHintSetter).SetCacheHints(fixedListTTL, mcp.CacheScopePublic)
		case mcp.CacheHintSetter:
			r.SetCacheHints(0, mcp.CacheScopePrivate)
		}
	}
	if r, ok := result.(*mcp.CallToolResult); ok {
		sent := sentResult{r.Meta, r.Content, r.IsError, r.ResultType, r.StructuredContent}
		return mcp.NewJSONRPCResultResponse(rpcID(x.id), sent)
	}
	return mcp.NewJSONRPCResultResponse(rpcID(x.id), result)
}

// sentResult is the JSON form of a call's result. mcp-go's own type is encoded twice, which takes
// a tenth of the time of a call that is answered from memory.
type sentResult struct {
	Meta       *mcp.Meta      `json:"_meta,omitempty"`
	Content    []mcp.Content  `json:"content"`
	IsError    bool           `json:"isError,omitempty"`
	ResultType mcp.ResultType `json:"resultType,omitempty"`
	Structured any            `json:"structuredContent,omitempty"`
}

// answerByMCPGo answers with mcp-go.
func (x *exchange) answerByMCPGo() mcp.JSONRPCMessage {
	// mcp-go reads an ID as a float64, which loses the last digits of a long one. The answer
	// therefore gets the original ID.
	unparsable := false
	ctx := context.WithValue(x.ctx, unparsableKey{}, &unparsable)
	switch r := x.Shell.mcp.HandleMessage(ctx, x.raw).(type) {
	case mcp.JSONRPCResponse:
		r.ID = rpcID(x.id)
		if hello, ok := r.Result.(mcp.InitializeResult); ok {
			x.mu.Lock()
			x.version = hello.ProtocolVersion
			var params struct{ ClientInfo mcp.Implementation }
			if json.Unmarshal(x.params, &params) == nil { // otherwise mcp-go has rejected the request
				x.client = params.ClientInfo.Name
			}
			x.mu.Unlock()
		}
		return r
	case mcp.JSONRPCError:
		r.ID = rpcID(x.id)
		if unparsable { // the message names Go types
			return rpcError(x.id, mcp.INVALID_PARAMS, "the params of "+x.method+" do not match the protocol")
		}
		r.Error.Message = truncate(r.Error.Message)
		return r
	default:
		return r
	}
}

// unparsableKey is the context key of the *bool that noteUnparsable sets.
type unparsableKey struct{}

// noteUnparsable records that mcp-go could not read a request. It is a hook on errors.
func noteUnparsable(ctx context.Context, _ any, _ mcp.MCPMethod, _ any, err error) {
	if unparsable, ok := ctx.Value(unparsableKey{}).(*bool); ok {
		*unparsable = errors.As(err, new(*server.UnparsableMessageError))
	}
}

// answerBatch answers all members concurrently. It returns nil if no member has an answer.
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
		return // a notification gets no answer, even if it is invalid
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel, ok := c.inFlight[string(params.ID)]; ok {
		cancel(errCancelled)
	}
}

// recipient receives the notifications that mcp-go sends to a session.
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
