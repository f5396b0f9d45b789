package mcpshell

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"biomcp/mcpshell/access"
)

// A siteRig is an HTTP server in a bubble with in-memory connections.
type siteRig struct {
	t      *testing.T
	client *http.Client
	pipes  pipes
	log    *logBuffer
	stop   context.CancelCauseFunc
	done   chan error
	server *Server
}

var errTerminated = errors.New("terminated")

func startSite(t *testing.T, o Options, site Site) *siteRig {
	if o.Parse == nil {
		o.Parse = parsing(echo)
	}
	r := &siteRig{t: t, pipes: pipes{make(chan net.Conn), make(chan struct{})}, log: &logBuffer{}, done: make(chan error, 1)}
	o.Logger = slog.New(slog.NewJSONHandler(r.log, nil))
	r.client = &http.Client{Transport: &http.Transport{DialContext: r.pipes.dial, MaxIdleConnsPerHost: 1000}}
	ctx, stop := context.WithCancelCause(t.Context())
	r.stop = stop
	r.server = New(o).NewServer(site)
	go func() { r.done <- r.server.Serve(ctx, r.pipes, nil) }()
	return r
}

// end stops the server and checks that it ends without an error.
func (r *siteRig) end() {
	r.t.Helper()
	r.client.CloseIdleConnections()
	r.stop(errTerminated)
	if err := <-r.done; !errors.Is(err, errTerminated) {
		r.t.Errorf("Serve: %v", err)
	}
}

// pipes is a listener whose connections are in-memory pipes.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.closed:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error {
	close(p.closed)
	return nil
}

func (pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// An answer is the response to one request.
type answer struct {
	*http.Response
	body string
}

// got returns the JSON-RPC message of an answer, or the last message of a stream.
func (a answer) got(t *testing.T) (g got) {
	t.Helper()
	text := a.body
	if strings.HasPrefix(a.Header.Get("Content-Type"), eventStream) {
		text = text[strings.LastIndex(text, "data: ")+len("data: "):]
	}
	if err := json.Unmarshal([]byte(text), &g); err != nil {
		t.Fatalf("%s: %q: %v", a.Status, a.body, err)
	}
	g.raw = strings.TrimSpace(text)
	return g
}

// do sends a request. Headers have the form "Name: value".
func (r *siteRig) do(method, path, body string, headers ...string) answer {
	r.t.Helper()
	return r.send(r.t.Context(), method, path, strings.NewReader(body), headers...)
}

func (r *siteRig) send(ctx context.Context, method, path string, body io.Reader, headers ...string) answer {
	r.t.Helper()
	q, err := http.NewRequestWithContext(ctx, method, "http://localhost"+path, body)
	if err != nil {
		r.t.Fatal(err)
	}
	if method == http.MethodPost {
		q.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			q.Host = value
		} else {
			q.Header.Set(name, value)
		}
	}
	resp, err := r.client.Do(q)
	if err != nil {
		r.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil && ctx.Err() == nil {
		r.t.Errorf("%s %s: %v", method, path, err)
	}
	return answer{resp, string(data)}
}

// open starts a session and returns the header that names it.
func (r *siteRig) open(version string, headers ...string) string {
	r.t.Helper()
	a := r.do("POST", "/mcp", initialize("0", version), headers...)
	id := a.Header.Get(server.HeaderKeySessionID)
	if a.StatusCode != http.StatusOK || id == "" {
		r.t.Fatalf("initialize answered %s %s", a.Status, a.body)
	}
	return server.HeaderKeySessionID + ": " + id
}

func (r *siteRig) post(body string, headers ...string) answer {
	r.t.Helper()
	return r.do("POST", "/mcp", body, headers...)
}

var testKey = []byte("0123456789abcdef0123456789abcdef")

func bearer(t *testing.T, subject string) string {
	t.Helper()
	token, err := access.NewToken(testKey, subject, time.Now(), time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	return "Authorization: Bearer " + token
}
