package mcpshell

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mark3labs/mcp-go/mcp"
)

// Two clients may use the same request IDs. Each cancels only its own requests and gets its own
// notifications.
func TestSessionsAreSeparate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{Parse: parsing(func(ctx context.Context, words []string, _ bool) Reply {
			if words[0] == "wait" {
				<-ctx.Done()
			}
			return Reply{Text: "done"}
		})})
		type side struct {
			*session
			notes   chan mcp.JSONRPCNotification
			replies chan mcp.JSONRPCMessage
		}
		open := func(version string) side {
			c := side{s.newSession(), make(chan mcp.JSONRPCNotification, 9), make(chan mcp.JSONRPCMessage, 1)}
			c.receive(t.Context(), decode([]byte(initialize("0", version))), c.notes).answer()
			return c
		}
		ask := func(c side, line string) {
			x := c.receive(t.Context(), decode([]byte(line)), c.notes)
			go func() { c.replies <- x.answer() }()
		}
		a, b := open("2025-03-26"), open("2025-11-25")
		a.receive(t.Context(), decode([]byte(request("1", "logging/setLevel", `{"level":"info"}`))), a.notes).answer()
		ask(a, call("7", "wait"))
		ask(b, call("7", "wait"))
		synctest.Wait()
		b.receive(t.Context(), decode([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)), b.notes)
		if got := <-b.replies; got != nil {
			t.Errorf("a cancelled request was answered: %v", got)
		}
		synctest.Wait()
		if len(a.replies) > 0 {
			t.Error("one session cancelled the other's request")
		}
		a.cancelRequest(message{params: json.RawMessage(`{"requestId":7}`)})
		<-a.replies
		ask(a, "["+call("1", "x")+"]")
		if list, ok := (<-a.replies).([]mcp.JSONRPCMessage); !ok || len(list) != 1 {
			t.Errorf("a batch of 2025-03-26 answered %v", list)
		}
		ask(b, "["+call("1", "x")+"]")
		if refused, ok := (<-b.replies).(mcp.JSONRPCError); !ok || !strings.Contains(refused.Error.Message, batchVersion) {
			t.Errorf("a batch of 2025-11-25 answered %v", refused)
		}
		if len(a.notes) == 0 || len(b.notes) != 0 {
			t.Errorf("%d and %d notifications; only the first asked for them", len(a.notes), len(b.notes))
		}
	})
}
