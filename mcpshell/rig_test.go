package mcpshell

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// The tests run in synctest bubbles: time is theirs, and a bubble fails when a
// goroutine is left behind.

// A rig is a server on a pair of pipes, with its log.
type rig struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *io.PipeReader
	stop context.CancelCauseFunc
	done chan error
	seen *bufio.Scanner
	log  *logBuffer
}

type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b = bytes.Buffer{}
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// echo answers with its words.
func echo(_ context.Context, words []string, json bool) Reply {
	return Reply{Text: fmt.Sprintf("%q json=%v", words, json)}
}

// parsing returns a parser whose calls use run, and ask for JSON if a word is --json.
func parsing(run func(ctx context.Context, words []string, json bool) Reply) Parser {
	return func(words []string) Call {
		return Call{JSON: slices.Contains(words, "--json"), Run: func(ctx context.Context, json bool) Reply { return run(ctx, words, json) }}
	}
}

func start(t *testing.T, o Options) *rig {
	if o.Parse == nil {
		o.Parse = parsing(echo)
	}
	r := &rig{t: t, done: make(chan error, 1), log: &logBuffer{}}
	o.Logger = slog.New(slog.NewJSONHandler(r.log, nil))
	var in *io.PipeReader
	var out *io.PipeWriter
	in, r.in = io.Pipe()
	r.out, out = io.Pipe()
	r.seen = bufio.NewScanner(r.out)
	r.seen.Buffer(nil, 64<<20)
	ctx, stop := context.WithCancelCause(t.Context())
	r.stop = stop
	go func() {
		r.done <- New(o).ServeStdio(ctx, in, out)
		in.Close()
		out.Close()
	}()
	return r
}

// send writes lines unchanged.
func (r *rig) send(lines ...string) {
	r.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(r.in, l+"\n"); err != nil {
			r.t.Errorf("the server stopped reading: %v", err)
		}
	}
}

// A got is one message of the server.
type got struct {
	ID     json.RawMessage
	Method string
	Error  *struct {
		Code    int
		Message string
	}
	Result struct {
		Content []struct{ Type, Text string }
		IsError bool
		Meta    *struct{ Notices []string } `json:"_meta"`
	}
	Params json.RawMessage
	raw    string
}

func (g got) text() string {
	if len(g.Result.Content) != 1 || g.Result.Content[0].Type != "text" {
		return "not one text: " + g.raw
	}
	return g.Result.Content[0].Text
}

// wantReply checks the text and the error flag of a tool result.
func (g got) wantReply(t *testing.T, name, text string, isError bool) {
	t.Helper()
	if g.text() != text {
		t.Errorf("%.80s: text = %.100q, want %.100q", name, g.text(), text)
	}
	if g.Result.IsError != isError {
		t.Errorf("%.80s: isError = %v, want %v", name, g.Result.IsError, isError)
	}
}

// wantFailure checks that a tool result is a failure whose text contains the parts.
func (g got) wantFailure(t *testing.T, name string, parts ...string) {
	t.Helper()
	if !g.Result.IsError {
		t.Errorf("%.80s: isError = false, want true: %s", name, g.raw)
	}
	for _, part := range parts {
		if !strings.Contains(g.text(), part) {
			t.Errorf("%.80s: text = %.300q, want %q in it", name, g.text(), part)
		}
	}
}

// wantCode checks that a message is a protocol error with a code.
func (g got) wantCode(t *testing.T, name string, code int) {
	t.Helper()
	switch {
	case g.Error == nil:
		t.Errorf("%s: no error, want code %d: %s", name, code, g.raw)
	case g.Error.Code != code:
		t.Errorf("%s: code = %d, want %d: %s", name, g.Error.Code, code, g.raw)
	}
}

// wantID checks which request a message answers.
func (g got) wantID(t *testing.T, id string) {
	t.Helper()
	if string(g.ID) != id {
		t.Errorf("answer to %s, want the one to %s: %s", g.ID, id, g.raw)
	}
}

// next reads one message, which must be JSON-RPC.
func (r *rig) next() (g got) {
	r.t.Helper()
	if !r.seen.Scan() {
		r.t.Fatalf("the server closed its output: %v", r.seen.Err())
	}
	var frame struct{ JSONRPC string }
	for _, v := range []any{&frame, &g} {
		if err := json.Unmarshal(r.seen.Bytes(), v); err != nil {
			r.t.Fatalf("on stdout: %q: %v", r.seen.Text(), err)
		}
	}
	if frame.JSONRPC != "2.0" {
		r.t.Fatalf("on stdout: %q", r.seen.Text())
	}
	g.raw = r.seen.Text()
	return g
}

// ask sends one message and reads one.
func (r *rig) ask(line string) got {
	r.t.Helper()
	r.send(line)
	return r.next()
}

// alive checks that the server still answers.
func (r *rig) alive() {
	r.t.Helper()
	if g := r.ask(`{"jsonrpc":"2.0","id":"alive","method":"ping"}`); string(g.ID) != `"alive"` || g.Error != nil {
		r.t.Errorf("ping answered %s", g.raw)
	}
}

// end closes the input and returns the result of ServeStdio. No output may be left.
func (r *rig) end() error {
	r.t.Helper()
	r.in.Close()
	for r.seen.Scan() {
		r.t.Errorf("left on stdout: %s", r.seen.Text())
	}
	return <-r.done
}

// call returns a tools/call request for a command.
func call(id, command string) string {
	args, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		panic(err)
	}
	return request(id, "tools/call", `{"name":"biomcp","arguments":`+string(args)+`}`)
}

func request(id, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)
}

// served runs test with a server in a bubble, and checks that the server ends without an error.
func served(t *testing.T, o Options, test func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := start(t, o)
		test(t, r)
		if err := r.end(); err != nil {
			t.Errorf("ServeStdio: %v", err)
		}
	})
}

// logLines returns the log records with the message msg.
func (r *rig) logLines(msg string) (lines []map[string]any) {
	for l := range strings.Lines(r.log.String()) {
		var v map[string]any
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			r.t.Fatalf("log line %q: %v", l, err)
		}
		if v["msg"] == msg {
			lines = append(lines, v)
		}
	}
	return lines
}
