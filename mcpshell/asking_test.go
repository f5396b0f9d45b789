package mcpshell

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// asking is a shell whose tools ask their client while they run, which no tool of biomcp does. A
// question passes through the transport inside a notification. It is unpacked on its way out, and
// its answer is intercepted on its way in.
type asking struct {
	*Shell
	mu      sync.Mutex
	waiting map[string]chan json.RawMessage // by the ID of the question
}

const questionMethod = "fixture/question"

// ask sends a request to the client and waits for the result.
func (a *asking) ask(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	id, answer := callID(), make(chan json.RawMessage, 1)
	a.mu.Lock()
	a.waiting[id] = answer
	a.mu.Unlock()
	err := a.mcp.SendNotificationToClient(ctx, questionMethod, map[string]any{
		"question": map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params},
	})
	if err != nil {
		return nil, err
	}
	select {
	case result := <-answer:
		return result, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// serveFixture serves a shell over HTTP and returns its address.
func serveFixture(t *testing.T, a *asking) string {
	site := a.NewServer(Site{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, err := io.ReadAll(r.Body); err == nil {
			a.hear(body)
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		site.ServeHTTP(questions{w}, r)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

func (a *asking) hear(body []byte) {
	var message struct {
		ID     any
		Result json.RawMessage
	}
	if json.Unmarshal(body, &message) != nil || message.Result == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if id, ok := message.ID.(string); ok && a.waiting[id] != nil {
		a.waiting[id] <- message.Result
		delete(a.waiting, id)
	}
}

// questions unpacks the questions among the events written to it.
type questions struct{ http.ResponseWriter }

func (q questions) Unwrap() http.ResponseWriter { return q.ResponseWriter }

func (q questions) Write(event []byte) (int, error) {
	var note struct {
		Method string
		Params struct{ Question json.RawMessage }
	}
	_, data, ok := bytes.Cut(event, []byte("data: "))
	out := event
	if ok && json.Unmarshal(data, &note) == nil && note.Method == questionMethod {
		out = bytes.Replace(event, bytes.TrimSpace(data), note.Params.Question, 1)
	}
	if _, err := q.ResponseWriter.Write(out); err != nil {
		return 0, err
	}
	return len(event), nil
}
