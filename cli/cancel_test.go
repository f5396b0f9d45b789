package cli

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"biomcp/cli/command"
	"biomcp/entrez/entreztest"
	"biomcp/mcpshell"
)

const (
	slowCall  = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"biomcp","arguments":{"command":"get article 90100001"}}}`
	cancelled = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`
	hello     = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
)

// silent returns an App whose source never answers. The channels report when a request begins
// and when it is cancelled.
func silent(t *testing.T) (app *command.App, asked, ended <-chan struct{}) {
	begin, end := make(chan struct{}, 9), make(chan struct{}, 9)
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		begin <- struct{}{}
		<-r.Context().Done()
		end <- struct{}{}
	}))
	t.Cleanup(srv.Close)
	app = ncbiApp(t, entreztest.New(t))
	app.Env.Network.Addresses = map[string]string{"entrez": srv.URL + "/"}
	return app, begin, end
}

func within(t *testing.T, d time.Duration, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(d):
		t.Fatalf("%s took more than %s", what, d)
	}
}

// Cancelling a call cancels its pending request within a second, on both transports.
func TestCancelledCallEndsItsRequests(t *testing.T) {
	t.Run("stdio", func(t *testing.T) {
		app, asked, ended := silent(t)
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		done := make(chan error, 1)
		go func() {
			done <- NewShell(app, 60).ServeStdio(t.Context(), in, out)
			out.Close()
		}()
		answers := bufio.NewScanner(fromServer)
		write := func(line string) {
			if _, err := io.WriteString(toServer, line+"\n"); err != nil {
				t.Error(err)
			}
		}
		write(slowCall)
		within(t, 20*time.Second, "the request", asked)
		write(cancelled)
		within(t, time.Second, "its end", ended)
		toServer.Close()
		if answers.Scan() {
			t.Errorf("answered %s", answers.Text())
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Run("http", func(t *testing.T) {
		app, asked, ended := silent(t)
		server := httptest.NewServer(NewShell(app, 60).NewServer(mcpshell.Site{}))
		defer server.Close()
		post := func(ctx context.Context, session, body string) *http.Response {
			q, err := http.NewRequestWithContext(ctx, "POST", server.URL+"/mcp", strings.NewReader(body))
			if err != nil {
				panic(err)
			}
			q.Header.Set("Content-Type", "application/json")
			q.Header.Set("Mcp-Session-Id", session)
			resp, err := http.DefaultClient.Do(q)
			if err != nil {
				if ctx.Err() == nil {
					t.Error(err)
				}
				return nil
			}
			resp.Body.Close()
			return resp
		}
		session := post(t.Context(), "", hello).Header.Get("Mcp-Session-Id")
		answered := make(chan struct{}, 1)
		go func() {
			post(t.Context(), session, slowCall)
			answered <- struct{}{}
		}()
		within(t, 20*time.Second, "the request", asked)
		if resp := post(t.Context(), session, cancelled); resp == nil || resp.StatusCode != http.StatusAccepted {
			t.Errorf("cancelling answered %v", resp)
		}
		within(t, time.Second, "its end", ended)
		within(t, time.Second, "the answer", answered)

		ctx, hangUp := context.WithCancel(t.Context())
		defer hangUp()
		go post(ctx, session, slowCall)
		within(t, 20*time.Second, "the request", asked)
		hangUp()
		within(t, time.Second, "its end after the client went away", ended)
	})
}

// A call with many steps reports its progress over MCP.
func TestCallCountsItsSteps(t *testing.T) {
	app := ncbiApp(t, entreztest.New(t, entreztest.XML(entreztest.Generate(200, 1))))
	for line, want := range map[string]int{"get article %s": 200, "get article %s annotations": 400, "get article 70000001": 0, "list": 0} {
		t.Run(line, func(t *testing.T) {
			call := Parser(app)(strings.Fields(strings.Replace(line, "%s", strings.Join(generated(200), " "), 1)))
			if p := call.Progress(); p != (mcpshell.Progress{}) {
				t.Errorf("%s: %+v before it began", line, p)
			}
			if reply := call.Run(t.Context(), false); reply.IsError {
				t.Fatal(reply.Text)
			}
			if p := call.Progress(); p.Done != want || p.Total != want {
				t.Errorf("%s: %+v, want %d steps", line, p, want)
			}
		})
	}
}
