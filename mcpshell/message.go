package mcpshell

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// message is one JSON-RPC 2.0 message (https://www.jsonrpc.org/specification),
// checked as far as its frame goes.
type message struct {
	id     json.RawMessage // nil: a notification
	method string          // "": a response, which is all there is to know of it
	params json.RawMessage
	raw    json.RawMessage

	// of the params, nil where they have none
	meta, name, arguments json.RawMessage
}

// decode reads one message. Where it is none, the second value is the error to
// answer with.
func decode(line []byte) (message, mcp.JSONRPCMessage) {
	if !utf8.Valid(line) {
		return message{raw: line}, rpcError(nil, mcp.PARSE_ERROR, "the message is not UTF-8")
	}
	var frame struct {
		Version json.RawMessage `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  json.RawMessage `json:"method"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	err := json.Unmarshal(line, &frame)
	if errors.As(err, new(*json.SyntaxError)) {
		return message{raw: line}, rpcError(nil, mcp.PARSE_ERROR, "the message is not JSON")
	}
	if err != nil {
		return message{raw: line}, rpcError(nil, mcp.INVALID_REQUEST, "a message is one JSON object; batches are taken in protocol "+batchVersion+" alone")
	}
	if frame.Method == nil && (frame.Result != nil || frame.Error != nil) {
		return message{raw: line}, nil
	}
	m := message{id: frame.ID, params: frame.Params, raw: line}
	if m.id != nil && !isRequestID(m.id) {
		return message{raw: line}, rpcError(nil, mcp.INVALID_REQUEST, "id must be a string or a number")
	}
	if string(frame.Version) != `"2.0"` {
		return message{raw: line}, rpcError(m.id, mcp.INVALID_REQUEST, `jsonrpc must be "2.0"`)
	}
	if json.Unmarshal(frame.Method, &m.method) != nil || m.method == "" {
		return message{raw: line}, rpcError(m.id, mcp.INVALID_REQUEST, "method must be a string")
	}
	if m.params != nil && m.params[0] != '{' && string(m.params) != "null" {
		return message{raw: line}, rpcError(m.id, mcp.INVALID_PARAMS, "params must be an object")
	}
	var params struct {
		Meta      json.RawMessage `json:"_meta"`
		Name      json.RawMessage `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if m.params != nil && json.Unmarshal(m.params, &params) == nil {
		m.meta, m.name, m.arguments = params.Meta, params.Name, params.Arguments
	}
	return m, nil
}

// isRequestID reports whether a JSON value is a string or a number.
func isRequestID(value json.RawMessage) bool {
	c := value[0]
	return c == '"' || c == '-' || c >= '0' && c <= '9'
}

// answer is the reply to a message, nil where there is none to give. Resources and
// plain calls of the tool are answered here, everything else by mcp-go.
func (s *Shell) answer(ctx context.Context, m message) mcp.JSONRPCMessage {
	if reply, ok := s.answerResource(ctx, m); ok {
		return reply
	}
	if reply, ok := s.answerCall(ctx, m); ok {
		return reply
	}
	// mcp-go reads an id as a float64, which loses the last digits of a long
	// one; the client gets back what it sent.
	switch r := s.mcp.HandleMessage(ctx, m.raw).(type) {
	case mcp.JSONRPCResponse:
		r.ID = rpcID(m.id)
		return r
	case mcp.JSONRPCError:
		r.ID = rpcID(m.id)
		if strings.HasPrefix(r.Error.Message, "unparsable ") { // followed by names of Go types
			return rpcError(m.id, mcp.INVALID_PARAMS, "the params of "+m.method+" do not have the form that the protocol gives them")
		}
		r.Error.Message = bounded(r.Error.Message)
		return r
	default:
		return r
	}
}

// plainCall reports whether a message is a call of the tool that has no _meta, and so
// neither a progress token nor anything of protocol 2026-07-28.
func (m message) plainCall() bool {
	return mcp.MCPMethod(m.method) == mcp.MethodToolsCall && m.id != nil && m.meta == nil && string(m.name) == `"`+toolName+`"`
}

// answerCall answers a plain call: mcp-go would read it three times over.
func (s *Shell) answerCall(ctx context.Context, m message) (mcp.JSONRPCMessage, bool) {
	if !m.plainCall() {
		return nil, false
	}
	var req mcp.CallToolRequest
	if m.arguments != nil && json.Unmarshal(m.arguments, &req.Params.Arguments) != nil {
		return nil, false
	}
	out, err := s.call(ctx, req)
	if err != nil {
		return rpcError(m.id, mcp.INTERNAL_ERROR, err.Error()), true
	}
	return mcp.NewJSONRPCResultResponse(rpcID(m.id), out), true
}

func rpcID(raw json.RawMessage) mcp.RequestId {
	if raw == nil {
		return mcp.NewRequestId(nil)
	}
	return mcp.NewRequestId(raw)
}

func rpcError(id json.RawMessage, code int, text string) mcp.JSONRPCError {
	return mcp.NewJSONRPCError(rpcID(id), code, bounded(text), nil)
}

// maxMessage bounds the message of an error, which may quote what a client sent,
// in characters.
const maxMessage = 300

func bounded(text string) string {
	if r := []rune(text); len(r) > maxMessage {
		return string(r[:maxMessage]) + "…"
	}
	return text
}
