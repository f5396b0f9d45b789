package mcpshell

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"biomcp/rag/library"
	"biomcp/store"
	files "biomcp/store/library"
)

// ServeResearch serves the research library over the protocol of Research Portal: JSON-RPC 2.0
// with the methods resources/list, resources/read and resources/search in the body of a POST, and
// an event stream for a GET. It is not MCP: there is no handshake, session or page, and every
// JSON-RPC error has HTTP status 200. The caller must check Host, Origin and authorisation.
func (s *Shell) ServeResearch(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		s.streamResearch(w, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	kind, _, bad := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "GET opens the stream of events, POST sends a message", http.StatusMethodNotAllowed)
	case errors.As(err, new(*http.MaxBytesError)):
		http.Error(w, fmt.Sprintf("a message has at most %d bytes", MaxBody), http.StatusRequestEntityTooLarge)
	case err != nil:
		http.Error(w, "the message could not be read", http.StatusBadRequest)
	case bad != nil || kind != jsonType:
		http.Error(w, "the Content-Type of a message is "+jsonType, http.StatusUnsupportedMediaType)
	default:
		if reply := s.researchReply(r.Context(), body); reply != nil {
			writeJSON(w, http.StatusOK, reply)
		} else { // a notification has no reply
			w.WriteHeader(http.StatusAccepted)
		}
	}
}

// researchReply returns the answer to one message, or nil if it needs none.
func (s *Shell) researchReply(ctx context.Context, body []byte) mcp.JSONRPCMessage {
	if body = bytes.TrimSpace(body); len(body) > 0 && body[0] == '[' && json.Valid(body) {
		return rpcError(nil, mcp.INVALID_REQUEST, "Invalid Request: a message is one JSON object, not a batch")
	}
	m := decode(body)
	switch {
	case m.errorReply != nil:
		return m.errorReply
	case m.id == nil: // a notification or a response
		return nil
	}
	var work func(context.Context, *library.Searcher, json.RawMessage) (any, error)
	switch m.method {
	case "resources/list":
		work = listResearch
	case "resources/read":
		work = readResearch
	case "resources/search":
		work = searchResearch
	default:
		return rpcError(m.id, mcp.METHOD_NOT_FOUND, "Method not found: "+m.method)
	}
	type outcome struct {
		value any
		err   error
	}
	id, start := callID(), time.Now()
	ctx = withCallID(ctx, id)
	got, err := perform(ctx, s, s.local, id, func(ctx context.Context) (out outcome) {
		searcher, err := s.notes()
		if err != nil {
			return outcome{nil, err}
		}
		out.value, out.err = work(ctx, searcher, m.params)
		return out
	})
	var bad *badParams
	var reply mcp.JSONRPCMessage
	result := "ok"
	switch {
	case err != nil:
		result, reply = err.Error(), rpcError(m.id, mcp.INTERNAL_ERROR, s.internalError(err, id).Message)
	case errors.As(got.err, &bad):
		result, reply = "refused", rpcError(m.id, mcp.INVALID_PARAMS, bad.text)
	case got.err != nil:
		result, reply = "failed", rpcError(m.id, mcp.INTERNAL_ERROR, s.internalError(got.err, id).Message)
	default:
		reply = mcp.NewJSONRPCResultResponse(rpcID(m.id), got.value)
	}
	s.record(ctx, logEntry{kind: "research", id: id, method: m.method, command: string(m.params)}, result, start, 0)
	return reply
}

// badParams is an error in the params of a message.
type badParams struct{ text string }

func (b *badParams) Error() string { return b.text }

// readParams parses params, which may be absent, into a struct. The error names what is wanted.
func readParams(raw json.RawMessage, dst any, want string) error {
	if raw != nil && json.Unmarshal(raw, dst) != nil {
		return &badParams{"Invalid params: " + want}
	}
	return nil
}

func listResearch(ctx context.Context, s *library.Searcher, raw json.RawMessage) (any, error) {
	var params struct {
		Cursor *string `json:"cursor"`
	}
	if err := readParams(raw, &params, "cursor must be a string"); err != nil {
		return nil, err
	}
	if params.Cursor != nil && *params.Cursor != "" {
		return nil, &badParams{"Invalid params: the list has one page and no cursor"}
	}
	return findResearch(ctx, s, library.Query{})
}

func searchResearch(ctx context.Context, s *library.Searcher, raw json.RawMessage) (any, error) {
	var params struct {
		Query    string   `json:"query"`
		Category string   `json:"category"`
		Tags     []string `json:"tags"`
	}
	if err := readParams(raw, &params, "query and category must be strings, tags a list of strings"); err != nil {
		return nil, err
	}
	return findResearch(ctx, s, library.Query{Text: params.Query, Category: params.Category, Tags: params.Tags})
}

// readResearch reads one file. An unknown URI is an error in the params.
func readResearch(_ context.Context, s *library.Searcher, raw json.RawMessage) (any, error) {
	var params struct {
		URI *string `json:"uri"`
	}
	if err := readParams(raw, &params, "uri must be a string"); err != nil {
		return nil, err
	}
	if params.URI == nil {
		return nil, &badParams{"Invalid params: uri is missing"}
	}
	unknown := &badParams{"Invalid params: unknown resource: " + *params.URI}
	project, name, ok := files.ParseURI(*params.URI)
	if !ok {
		return nil, unknown
	}
	_, text, err := s.Library.Read(project, name)
	if files.IsKind(err, store.NotFound) {
		return nil, unknown
	}
	if err != nil {
		return nil, err
	}
	content := map[string]any{"uri": *params.URI, "mimeType": researchMIME, "text": text}
	return map[string]any{"contents": []any{content}}, nil
}
