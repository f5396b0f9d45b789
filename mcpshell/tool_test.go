package mcpshell

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// An additional tool has one string argument, and answers with a text and an object of equal
// content.
func TestToolsOfTheirOwn(t *testing.T) {
	o := Options{
		Parse: parsing(func(context.Context, []string, bool) Reply {
			return Reply{Text: "a paper", Links: []Resource{{URI: "biomcp://book/1", Name: "Book", Description: "a book", MIME: "text/markdown"}}}
		}),
		Tools: []Tool{{
			Name: "find", Title: "Find", Description: "Finds", Argument: "what", ArgumentHelp: "what to find", Output: json.RawMessage(`{"type":"object","required":["found"]}`),
			Parse: func(text string) Call {
				if text == "panic" {
					panic("SECRET")
				}
				return Call{Run: func(_ context.Context, asJSON bool) Reply {
					return Reply{Text: `{"found":"` + text + `"}`, Structured: json.RawMessage(`{"found":"` + text + `"}`), IsError: !asJSON}
				}}
			},
		}},
	}
	withClient(t, o, func(t *testing.T, c *client.Client, _ *mcp.InitializeResult, _ func() []mcp.JSONRPCNotification) {
		list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
		if err != nil || len(list.Tools) != 2 || list.Tools[1].Name != "find" || list.Tools[1].Title != "Find" || !*list.Tools[1].Annotations.ReadOnlyHint || *list.Tools[1].Annotations.DestructiveHint {
			t.Fatal(list, err)
		}
		schema, err := json.Marshal(list.Tools[1])
		if err != nil || !strings.Contains(string(schema), `"required":["found"]`) || !strings.Contains(string(schema), `"required":["what"]`) {
			t.Errorf("%s %v", schema, err)
		}
		find := func(arguments any) *mcp.CallToolResult {
			r, err := c.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "find", Arguments: arguments}})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := find(map[string]any{"what": "x"})
		object, err := json.Marshal(r.StructuredContent)
		if text := textOf(t, r, err); r.IsError || text != `{"found":"x"}` || string(object) != text {
			t.Errorf("%s and %s", text, object)
		}
		for _, wrong := range []any{nil, map[string]any{}, map[string]any{"what": 5}, map[string]any{"command": "list"}, map[string]any{"what": strings.Repeat("x", maxCommandBytes+1)}} {
			if r := find(wrong); !r.IsError || !strings.Contains(textOf(t, r, nil), `"code":"VALIDATION"`) || r.StructuredContent != nil {
				t.Errorf("%.50v answered %+v", wrong, r)
			}
		}
		if r := find(map[string]any{"what": "panic"}); !r.IsError || strings.Contains(textOf(t, r, nil), "SECRET") {
			t.Errorf("a panic answered %+v", r)
		}
		r, err = c.CallTool(t.Context(), toolCall("list"))
		if err != nil {
			t.Fatal(err)
		}
		want := 1
		if c.ProtocolVersion() >= linkVersion {
			want = 2
			if link, ok := r.Content[len(r.Content)-1].(mcp.ResourceLink); !ok || link.URI != "biomcp://book/1" || link.Name != "Book" || link.MIMEType != "text/markdown" {
				t.Errorf("%+v", r.Content)
			}
		}
		if len(r.Content) != want {
			t.Errorf("%s got %+v", c.ProtocolVersion(), r.Content)
		}
	})
}
