package mcpshell

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// A message is one JSON-RPC 2.0 message (https://www.jsonrpc.org/specification). Only its
// envelope has been checked.
type message struct {
	id     json.RawMessage // nil: a notification
	method string          // "": a response, whose other fields stay empty
	params json.RawMessage
	raw    json.RawMessage

	// members of params; nil if absent
	meta            *mcp.Meta
	name, arguments json.RawMessage

	// errorReply, if not nil, is the error to answer with, because this is not a valid message. The
	// other fields except raw are then empty.
	errorReply mcp.JSONRPCMessage
}

// decode parses one message.
func decode(line []byte) message {
	line = bytes.TrimPrefix(line, []byte("\uFEFF")) // .NET and PowerShell begin with it (RFC 8259, section 8.1)
	refuse := func(id json.RawMessage, code int, text string) message {
		return message{raw: line, errorReply: rpcError(id, code, text)}
	}
	if !utf8.Valid(line) {
		return refuse(nil, mcp.PARSE_ERROR, "the message is not UTF-8")
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
		return refuse(nil, mcp.PARSE_ERROR, "the message is not JSON")
	}
	if err != nil {
		text := "a message is one JSON object; only protocol " + batchVersion + " has batches"
		return refuse(nil, mcp.INVALID_REQUEST, text)
	}
	if frame.Method == nil && (frame.Result != nil || frame.Error != nil) {
		return message{raw: line}
	}
	m := message{id: frame.ID, params: frame.Params, raw: line}
	if m.id != nil && !isRequestID(m.id) {
		return refuse(nil, mcp.INVALID_REQUEST, "id must be a string or a number")
	}
	if string(frame.Version) != `"2.0"` {
		return refuse(m.id, mcp.INVALID_REQUEST, `jsonrpc must be "2.0"`)
	}
	if json.Unmarshal(frame.Method, &m.method) != nil || m.method == "" {
		return refuse(m.id, mcp.INVALID_REQUEST, "method must be a string")
	}
	if m.params != nil && m.params[0] != '{' && string(m.params) != "null" {
		return refuse(m.id, mcp.INVALID_PARAMS, "params must be an object")
	}
	var params struct {
		Meta      *mcp.Meta       `json:"_meta"`
		Name      json.RawMessage `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if m.params != nil && json.Unmarshal(m.params, &params) == nil {
		m.meta, m.name, m.arguments = params.Meta, params.Name, params.Arguments
	}
	return m
}

// isRequestID reports whether a JSON value is a string or a number.
func isRequestID(value json.RawMessage) bool {
	c := value[0]
	return c == '"' || c == '-' || c >= '0' && c <= '9'
}

// isModern reports whether m belongs to protocol 2026-07-28 or later. Each message then states
// its version, and there are no sessions.
func (m message) isModern() bool { return mcp.IsModernProtocol(m.meta.ProtocolVersion()) }

// isBatch reports whether m is a JSON array.
func (m message) isBatch() bool { return len(m.raw) > 0 && m.raw[0] == '[' }

func rpcID(raw json.RawMessage) mcp.RequestId {
	if raw == nil {
		return mcp.NewRequestId(nil)
	}
	return mcp.NewRequestId(raw)
}

func rpcError(id json.RawMessage, code int, text string) mcp.JSONRPCError {
	return mcp.NewJSONRPCError(rpcID(id), code, truncate(text), nil)
}

// maxMessage is the maximum length of an error message in characters. An error message may quote
// text that a client sent.
const maxMessage = 300

func truncate(text string) string {
	if r := []rune(text); len(r) > maxMessage {
		return string(r[:maxMessage]) + "…"
	}
	return text
}
