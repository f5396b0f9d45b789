package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"biomcp/cli/command"
	"biomcp/entrez/entreztest"
	"biomcp/mcpshell"
)

// withTools connects a client over each transport to a server with additional tools.
func withTools(t *testing.T, app *command.App, tools []string, test func(t *testing.T, call func(tool string, arguments map[string]any) *mcp.CallToolResult, c *client.Client)) {
	for name, connect := range map[string]func(t *testing.T, shell *mcpshell.Shell) transport.Interface{
		"stdio": func(t *testing.T, shell *mcpshell.Shell) transport.Interface {
			in, toServer := io.Pipe()
			fromServer, out := io.Pipe()
			done := make(chan error, 1)
			go func() { done <- shell.ServeStdio(context.Background(), in, out); out.Close() }()
			t.Cleanup(func() {
				toServer.Close()
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
			return transport.NewIO(fromServer, toServer, io.NopCloser(strings.NewReader("")))
		},
		"http": func(t *testing.T, shell *mcpshell.Shell) transport.Interface {
			server := httptest.NewServer(shell.NewServer(mcpshell.Site{}))
			t.Cleanup(server.Close)
			tr, err := transport.NewStreamableHTTP(server.URL + "/mcp")
			if err != nil {
				t.Fatal(err)
			}
			return tr
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := client.NewClient(connect(t, newShell(app, mcpshell.Options{}, tools...)))
			if err := c.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{ProtocolVersion: "2025-11-25", ClientInfo: mcp.Implementation{Name: "test", Version: "1"}}}); err != nil {
				t.Fatal(err)
			}
			test(t, func(tool string, arguments map[string]any) *mcp.CallToolResult {
				t.Helper()
				r, err := c.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: arguments}})
				if err != nil {
					t.Fatal(err)
				}
				return r
			}, c)
		})
	}
}

func TestResearchTools(t *testing.T) {
	app := ncbiApp(t, synthetic(t))
	withTools(t, app, []string{"search", "fetch"}, func(t *testing.T, call func(string, map[string]any) *mcp.CallToolResult, c *client.Client) {
		list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
		if err != nil || len(list.Tools) != 3 {
			t.Fatal(list, err)
		}
		for _, tool := range list.Tools[1:] {
			arguments := map[string]map[string]any{"search": {"query": "synthetic"}, "fetch": {"id": "90100002"}}[tool.Name]
			r := call(tool.Name, arguments)
			block, ok := r.Content[0].(mcp.TextContent)
			if r.IsError || !ok || len(r.Content) != 1 {
				t.Fatalf("%+v", r)
			}
			object, err := json.Marshal(r.StructuredContent)
			if err != nil {
				t.Fatal(err)
			}
			var inText, inObject any
			if json.Unmarshal([]byte(block.Text), &inText) != nil || json.Unmarshal(object, &inObject) != nil || fmt.Sprint(inText) != fmt.Sprint(inObject) {
				t.Errorf("%s is not %s", block.Text, object)
			}
			listed, err := json.Marshal(tool)
			if err != nil {
				t.Fatal(err)
			}
			var out struct{ OutputSchema any }
			if err := json.Unmarshal(listed, &out); err != nil {
				t.Fatal(err)
			}
			compiler := jsonschema.NewCompiler()
			if err := compiler.AddResource("output.json", out.OutputSchema); err != nil {
				t.Fatal(err)
			}
			schema, err := compiler.Compile("output.json")
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(inObject); err != nil {
				t.Errorf("%s: %v", object, err)
			}
			want := `"id":"90100002","title":"RETRACTED: Ergothioneine cures everything.","url":"https://pubmed.ncbi.nlm.nih.gov/90100002/"`
			if tool.Name == "search" {
				want = `{"results":[{"id":"90100003",`
			} else if text, _ := ask(t, app, command.Agent, "get article 90100002"); inObject.(map[string]any)["text"] != text || !strings.Contains(block.Text, `"metadata":{"doi":"10.9999/synth.2019.1","pmid":"90100002","retracted":"true"}`) {
				t.Errorf("%s has not the text that the command prints, or not its ids", block.Text)
			}
			if !strings.Contains(block.Text, want) {
				t.Errorf("%s has no %s", block.Text, want)
			}
		}
		if r := call("search", map[string]any{"query": "zzz nothing of this"}); r.IsError || r.Content[0].(mcp.TextContent).Text[:41] != `{"results":[],"notices":["PubMed does not` {
			t.Errorf("words that were dropped are not named: %+v", r)
		}
		for tool, arguments := range map[string]map[string]any{"search": {"query": "--help"}, "fetch": {"id": "90100001 90100002"}} {
			if r := call(tool, arguments); tool == "fetch" && !r.IsError || strings.Contains(r.Content[0].(mcp.TextContent).Text, "Usage") {
				t.Errorf("%v answered %+v", arguments, r)
			}
		}
		if r := call("fetch", map[string]any{"id": "99999999"}); !r.IsError || !strings.Contains(r.Content[0].(mcp.TextContent).Text, `"code":"NOT_FOUND"`) {
			t.Errorf("an unknown id: %+v", r)
		}
	})
}

// If the text of an article cannot be read, fetch fails as the command does.
func TestFetchSaysWhyThereIsNoText(t *testing.T) {
	t.Parallel()
	failed := mcpshell.Reply{Text: "error: NCBI E-utilities answered HTTP 429", IsError: true}
	call := convertAnswer(mcpshell.Call{Run: func(context.Context, bool) mcpshell.Reply {
		return mcpshell.Reply{Text: `{"articles":[{"pmid":"90100002"}]}`}
	}}, func(_ context.Context, answer []byte) (any, error) { return fetchResult(answer, failed) })
	if r := call.Run(t.Context(), true); !r.IsError || r.Text != failed.Text {
		t.Errorf("%+v", r)
	}
}

// With additional tools, answers of biomcp link to papers that they name and the corpus holds.
func TestLinksToPapers(t *testing.T) {
	srv := entreztest.New(t)
	if err := srv.Add(entreztest.Generate(40, 3)); err != nil {
		t.Fatal(err)
	}
	app := ncbiApp(t, srv)
	line := "get article " + strings.Join(generated(40), " ") + " abstract"
	for _, synced := range []bool{false, true} {
		if synced {
			if text, code := ask(t, app, command.Person, "sync pubmed --query-key k --term synthetic"); code != 0 {
				t.Fatal(text)
			}
		}
		for _, tools := range [][]string{nil, {"fetch"}} {
			withTools(t, app, tools, func(t *testing.T, call func(string, map[string]any) *mcp.CallToolResult, c *client.Client) {
				for _, asJSON := range []bool{false, true} {
					r := call("biomcp", map[string]any{"command": line, "json": asJSON})
					want := 0
					if synced && tools != nil {
						want = maxPaperLinks
					}
					seen := map[string]bool{}
					for _, b := range r.Content {
						link, ok := b.(mcp.ResourceLink)
						if !ok {
							continue
						}
						seen[link.URI] = true
						if got, err := c.ReadResource(t.Context(), mcp.ReadResourceRequest{Params: mcp.ReadResourceParams{URI: link.URI}}); err != nil || len(got.Contents) == 0 {
							t.Errorf("%s: %v", link.URI, err)
						}
					}
					if len(seen) != want || r.Content[0].(mcp.TextContent).Text == "" {
						t.Errorf("synced %v, tools %v: %d links", synced, tools, len(seen))
					}
				}
			})
		}
	}
}
