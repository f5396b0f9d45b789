package mcpshell

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// Another program's tool may send several notifications while it runs, even to a client without a
// progress token. Its answer then needs a stream.
func TestCallsOfOtherToolsAreCarried(t *testing.T) {
	url := serveFixture(t, newFixture()) + "/mcp"
	post := func(body, session string) (*http.Response, string) {
		q, err := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Content-Type", "application/json")
		q.Header.Set("Mcp-Session-Id", session)
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
	hello, _ := post(initialize("0", "2025-11-25"), "")
	session := hello.Header.Get("Mcp-Session-Id")
	post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, session)
	if _, text := post(request("1", "tools/call", `{"name":"test_tool_with_logging","arguments":{}}`), session); strings.Count(text, "notifications/message") != 3 {
		t.Errorf("three notifications before the answer: %s", text)
	}
	if a, text := post(call("2", "list"), session); a.Header.Get("Content-Type") != "application/json" {
		t.Errorf("a call of biomcp is answered with %s: %s", a.Header.Get("Content-Type"), text)
	}
}
