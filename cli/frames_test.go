package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/mcpshell"
)

// maxFrames is the maximum number of functions of this module between the socket of a server
// and a command. Each additional one makes a call harder to follow.
const maxFrames = 12

// Every way of sending an answer takes the same path from the socket to the command.
func TestFramesOfACallOverHTTP(t *testing.T) {
	const marked = "TestFramesOfACallOverHTTP"
	var frames []string
	tree := command.NewTree(&command.Command{Use: "biomcp", Short: "Toy", Noun: "command", Commands: []*command.Command{{
		Use: "probe", Short: "Look at the stack", Effect: command.Reads, Examples: []command.Example{{Line: "biomcp probe", Explanation: "it"}},
		Run: func(context.Context, *command.Input) (*result.Result, error) {
			frames = callers(t, marked)
			return nil, nil
		},
	}}})
	kept := &answerCache{}
	shell := mcpshell.New(mcpshell.Options{Parse: func(words []string) mcpshell.Call { return kept.call(toyApp(), tree.Clone, words) }})
	server := httptest.NewServer(shell.NewServer(mcpshell.Site{}))
	defer server.Close()
	post := func(method, params string, headers map[string]string) (*http.Response, string) {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
		q, err := http.NewRequestWithContext(t.Context(), "POST", server.URL+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Content-Type", "application/json")
		for name, value := range headers {
			q.Header.Set(name, value)
		}
		a, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		text, err := io.ReadAll(a.Body)
		if err != nil {
			t.Fatal(err)
		}
		return a, string(text)
	}
	hello, _ := post("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`, nil)
	session := map[string]string{"Mcp-Session-Id": hello.Header.Get("Mcp-Session-Id")}
	modern := map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "biomcp"}
	const stateless = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`
	for _, c := range []struct {
		name, level, meta string
		headers           map[string]string
		kind              string
	}{
		{"plain", "error", ``, session, "application/json"},
		{"streamed", "info", `"progressToken":1`, session, "text/event-stream"},
		{"stateless, plain", "", stateless, modern, "application/json"},
		{"stateless, streamed", "", stateless + `,"progressToken":1,"io.modelcontextprotocol/logLevel":"info"`, modern, "text/event-stream"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.level != "" {
				post("logging/setLevel", `{"level":"`+c.level+`"}`, session)
			}
			frames = nil
			a, text := post("tools/call", `{"name":"biomcp","arguments":{"command":"probe"},"_meta":{`+c.meta+`}}`, c.headers)
			if kind := a.Header.Get("Content-Type"); kind != c.kind {
				t.Errorf("answered with %s: %s", kind, text)
			}
			t.Logf("%d frames: %s", len(frames), strings.Join(frames, " "))
			if n := len(frames); n == 0 || n > maxFrames {
				t.Errorf("%d frames; at most %d", n, maxFrames)
			}
		})
	}
}

// callers returns the functions of this module on the stack of the calling goroutine and of the
// goroutines that started it, up to the HTTP server. It omits functions whose names contain
// without.
func callers(t *testing.T, without string) (names []string) {
	buffer := make([]byte, 1<<20)
	dump := string(buffer[:runtime.Stack(buffer, true)])
	stacks := map[string]string{}
	for stack := range strings.SplitSeq(dump, "\n\n") {
		number, rest, _ := strings.Cut(strings.TrimPrefix(stack, "goroutine "), " ")
		stacks[number] = rest
	}
	function, starter := regexp.MustCompile(`(?m)^(biomcp/.*)\(.*\)$`), regexp.MustCompile(`(?m)^created by .* in goroutine (\d+)$`)
	stack, _, _ := strings.Cut(dump, "\n\n")
	for !strings.Contains(stack, "net/http.(*conn).serve") {
		started := starter.FindStringSubmatch(stack)
		if started == nil || stacks[started[1]] == "" {
			t.Errorf("the HTTP server did not start this goroutine:\n%s", dump)
			return nil
		}
		names = append(names, ours(function, stack, without)...)
		stack = stacks[started[1]]
	}
	return append(names, ours(function, stack, without)...)
}

func ours(function *regexp.Regexp, stack, without string) (names []string) {
	for _, m := range function.FindAllStringSubmatch(stack, -1) {
		if !strings.Contains(m[1], without) && !strings.HasPrefix(m[1], "biomcp/cli.callers") {
			names = append(names, m[1])
		}
	}
	return names
}
