package mcpshell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// eras are the protocol versions mcp-go's client speaks: the four that begin
// with initialize, and the one that begins with server/discover.
var eras = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// withClient connects mcp-go's own client to a server, once in each era.
func withClient(t *testing.T, o Options, test func(t *testing.T, c *client.Client, hello *mcp.InitializeResult, notes func() []mcp.JSONRPCNotification)) {
	if o.Parse == nil {
		o.Parse = parsing(echo)
	}
	connect := map[string]func(t *testing.T) (c transport.Interface, end func()){
		"stdio": func(t *testing.T) (transport.Interface, func()) {
			in, toServer := io.Pipe()
			fromServer, out := io.Pipe()
			done := make(chan error, 1)
			go func() {
				done <- New(o).ServeStdio(t.Context(), in, out)
				out.Close()
			}()
			return transport.NewIO(fromServer, toServer, io.NopCloser(strings.NewReader(""))), func() {
				if err := <-done; err != nil {
					t.Errorf("ServeStdio: %v", err)
				}
			}
		},
		"http": func(t *testing.T) (transport.Interface, func()) {
			site := startSite(t, o, Site{})
			tr, err := transport.NewStreamableHTTP("http://localhost/mcp", transport.WithHTTPBasicClient(site.client), transport.WithHTTPLogger(slog.New(slog.DiscardHandler)))
			if err != nil {
				t.Fatal(err)
			}
			return tr, site.end
		},
	}
	for name, open := range connect {
		for _, era := range eras {
			t.Run(name+"/"+era, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					tr, end := open(t)
					var mu sync.Mutex
					var notes []mcp.JSONRPCNotification
					c := client.NewClient(tr)
					if err := c.Start(t.Context()); err != nil {
						t.Fatal(err)
					}
					c.OnNotification(func(n mcp.JSONRPCNotification) {
						mu.Lock()
						defer mu.Unlock()
						notes = append(notes, n)
					})
					hello, err := c.Initialize(t.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{
						ProtocolVersion: era, ClientInfo: mcp.Implementation{Name: "test", Version: "1"},
					}})
					if err != nil {
						t.Fatal(err)
					}
					test(t, c, hello, func() []mcp.JSONRPCNotification {
						synctest.Wait()
						mu.Lock()
						defer mu.Unlock()
						return notes
					})
					c.Close()
					end()
				})
			})
		}
	}
}

func toolCall(command string) mcp.CallToolRequest {
	return mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "biomcp", Arguments: map[string]any{"command": command}}}
}

func textOf(t *testing.T, r *mcp.CallToolResult, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%d blocks", len(r.Content))
	}
	text, ok := r.Content[0].(mcp.TextContent)
	if !ok {
		t.Fatalf("a %T", r.Content[0])
	}
	return text.Text
}

func TestClientSeesOneReadOnlyTool(t *testing.T) {
	o := Options{Version: "1.2.3", Description: "what it does", Instructions: "start with `biomcp list`", Resources: shelf(2)}
	withClient(t, o, func(t *testing.T, c *client.Client, hello *mcp.InitializeResult, _ func() []mcp.JSONRPCNotification) {
		if hello.Instructions != o.Instructions {
			t.Errorf("instructions %q", hello.Instructions)
		}
		if v := c.ProtocolVersion(); !strings.HasSuffix(t.Name(), v) {
			t.Errorf("speaks %s", v)
		}
		if cap := hello.Capabilities; cap.Tools == nil || cap.Resources == nil || cap.Logging == nil || cap.Prompts == nil || cap.Prompts.ListChanged || cap.Extensions[skillsExtension] == nil || cap.Tools.ListChanged || cap.Resources.Subscribe {
			t.Errorf("capabilities %+v", cap)
		}
		list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
		if err != nil || len(list.Tools) != 1 {
			t.Fatalf("%v, %d tools", err, len(list.Tools))
		}
		tool := list.Tools[0]
		if tool.Name != "biomcp" || tool.Description != o.Description {
			t.Errorf("tool %q: %q", tool.Name, tool.Description)
		}
		a := tool.Annotations
		if a.Title != "BioMCP" || a.ReadOnlyHint == nil || !*a.ReadOnlyHint || a.DestructiveHint == nil || *a.DestructiveHint ||
			a.IdempotentHint == nil || !*a.IdempotentHint || a.OpenWorldHint == nil || !*a.OpenWorldHint {
			t.Errorf("annotations %+v", a)
		}
	})
}

func TestClientCalls(t *testing.T) {
	calls := 200
	if testing.Short() {
		calls = 50
	}
	withClient(t, Options{MaxInFlight: 30, Resources: shelf(pageSize + 5), Parse: parsing(func(ctx context.Context, words []string, json bool) Reply {
		switch words[0] {
		case "slow":
			<-ctx.Done()
			return Reply{Text: "stopped"}
		case "fail":
			return Reply{Text: "error: it failed\n", IsError: true}
		}
		<-time.After(time.Millisecond)
		return echo(ctx, words, json)
	})}, func(t *testing.T, c *client.Client, _ *mcp.InitializeResult, _ func() []mcp.JSONRPCNotification) {
		ctx := t.Context()
		var all sync.WaitGroup
		for i := range calls {
			all.Go(func() {
				r, err := c.CallTool(ctx, toolCall(fmt.Sprintf("get article %d", i)))
				if want := fmt.Sprintf(`["get" "article" "%d"] json=false`, i); err != nil || r.IsError || textOf(t, r, err) != want {
					t.Errorf("call %d: %v %v", i, r, err)
				}
			})
		}
		all.Wait()

		r, err := c.CallTool(ctx, toolCall("fail"))
		if textOf(t, r, err) != "error: it failed\n" || !r.IsError {
			t.Errorf("a failed call: %+v", r)
		}
		r, err = c.CallTool(ctx, toolCall("slow"))
		if !strings.Contains(textOf(t, r, err), "within 60s") || !r.IsError {
			t.Errorf("a slow call: %+v", r)
		}
		short, cancel := context.WithTimeout(ctx, time.Second)
		if _, err := c.CallTool(short, toolCall("slow")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a call given up: %v", err)
		}
		cancel()
		if _, err := c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "rm"}}); err == nil || !strings.Contains(err.Error(), "rm") {
			t.Errorf("an unknown tool: %v", err)
		}

		list, err := c.ListResources(ctx, mcp.ListResourcesRequest{})
		if err != nil || len(list.Resources) != pageSize+5 || list.Resources[pageSize].URI != fmt.Sprintf("biomcp://book/%d", pageSize) {
			t.Errorf("resources: %v, %d", err, len(list.Resources))
		}
		templates, err := c.ListResourceTemplates(ctx, mcp.ListResourceTemplatesRequest{})
		if err != nil || len(templates.ResourceTemplates) != 2 {
			t.Errorf("templates: %v", err)
		}
		book, err := c.ReadResource(ctx, mcp.ReadResourceRequest{Params: mcp.ReadResourceParams{URI: "biomcp://book/1"}})
		if err != nil || len(book.Contents) != 1 || !strings.HasPrefix(book.Contents[0].(mcp.TextResourceContents).Text, "text of biomcp://book/1") {
			t.Errorf("reading: %v %+v", err, book)
		}
		_, err = c.ReadResource(ctx, mcp.ReadResourceRequest{Params: mcp.ReadResourceParams{URI: "biomcp://no"}})
		if err == nil || !strings.Contains(err.Error(), "Unknown resource: biomcp://no") {
			t.Errorf("an unknown resource: %v", err)
		}
	})
}

// A client gets log messages when it asks for them, before the answer.
func TestClientLogging(t *testing.T) {
	withClient(t, Options{}, func(t *testing.T, c *client.Client, _ *mcp.InitializeResult, notes func() []mcp.JSONRPCNotification) {
		call := func() {
			t.Helper()
			if r, err := c.CallTool(t.Context(), toolCall("list")); err != nil || r.IsError {
				t.Fatal(r, err)
			}
		}
		call()
		if n := notes(); len(n) != 0 {
			t.Errorf("unasked: %+v", n)
		}
		//lint:ignore SA1019 the client puts the level into each request where the protocol has no setLevel
		if err := c.SetLevel(t.Context(), mcp.SetLevelRequest{Params: mcp.SetLevelParams{Level: mcp.LoggingLevelInfo}}); err != nil {
			t.Fatal(err)
		}
		call()
		n := notes()
		if len(n) != 1 || n[0].Method != "notifications/message" {
			t.Fatalf("asked for: %+v", n)
		}
		if data := fmt.Sprint(n[0].Params.AdditionalFields); !strings.Contains(data, "outcome:ok") || !strings.Contains(data, "level:info") {
			t.Errorf("message %s", data)
		}
	})
}

func TestProtocolVersions(t *testing.T) {
	served(t, Options{Version: "1.2.3"}, func(t *testing.T, r *rig) {
		for asked, want := range map[string]string{
			`"2024-11-05"`: "2024-11-05", `"2025-03-26"`: "2025-03-26", `"2025-06-18"`: "2025-06-18", `"2025-11-25"`: "2025-11-25",
			`"1999-01-01"`: "2025-11-25", `"2099-01-01"`: "2025-11-25", `"x"`: "2025-11-25",
		} {
			g := r.ask(request("1", "initialize", `{"protocolVersion":`+asked+`,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}`))
			var hello struct {
				Result struct {
					ProtocolVersion string
					ServerInfo      struct{ Name, Version string }
				}
			}
			if err := json.Unmarshal([]byte(g.raw), &hello); err != nil || hello.Result.ProtocolVersion != want ||
				hello.Result.ServerInfo.Name != "biomcp" || hello.Result.ServerInfo.Version != "1.2.3" {
				t.Errorf("%s answered %s", asked, g.raw)
			}
		}
		for _, params := range []string{`{}`, `{"protocolVersion":null}`, `{"protocolVersion":5}`} {
			if g := r.ask(request("1", "initialize", params)); g.raw == "" {
				t.Errorf("initialize %s was not answered", params)
			}
			r.alive()
		}
		if g := r.ask(request("1", "logging/setLevel", `{"level":"loud"}`)); g.Error == nil || g.Error.Code != -32602 {
			t.Errorf("a level that is none: %s", g.raw)
		}
		if g := r.ask(request("1", "logging/setLevel", `{"level":"debug"}`)); g.Error != nil {
			t.Errorf("setLevel: %s", g.raw)
		}
	})
}

// A request of the stateless protocol that is wrong is refused in its words,
// also where this package answers.
func TestStatelessRequestsAreChecked(t *testing.T) {
	served(t, Options{Resources: shelf(1)}, func(t *testing.T, r *rig) {
		for _, method := range []string{"resources/list", "resources/templates/list", "resources/read", "tools/list"} {
			meta := `{"uri":"biomcp://book/0","_meta":{"io.modelcontextprotocol/protocolVersion":%q%s}}`
			caps := `,"io.modelcontextprotocol/clientCapabilities":{}`
			if g := r.ask(request("1", method, fmt.Sprintf(meta, "2099-01-01", caps))); g.Error == nil || g.Error.Code != -32022 {
				t.Errorf("%s of 2099: %s", method, g.raw)
			}
			if g := r.ask(request("1", method, fmt.Sprintf(meta, "2026-07-28", ""))); g.Error == nil || g.Error.Code != -32602 {
				t.Errorf("%s without capabilities: %s", method, g.raw)
			}
			g := r.ask(request("1", method, fmt.Sprintf(meta, "2026-07-28", caps)))
			hints := []string{`"ttlMs":0`, `"cacheScope":"private"`}
			if method == "resources/templates/list" || method == "tools/list" { // they change with the program alone
				hints = []string{`"ttlMs":3600000`, `"cacheScope":"public"`}
			}
			for _, part := range append(hints, `"resultType":"complete"`, `"io.modelcontextprotocol/serverInfo":{"name":"biomcp"`, `"title":"BioMCP"`) {
				if !strings.Contains(g.raw, part) {
					t.Errorf("%s: no %s in %s", method, part, g.raw)
				}
			}
			if g := r.ask(request("1", method, `{"uri":"biomcp://book/0"}`)); strings.Contains(g.raw, "resultType") {
				t.Errorf("%s in an older protocol: %s", method, g.raw)
			}
		}
	})
}

// The schema that clients check arguments with takes what the server takes.
func TestInputSchema(t *testing.T) {
	served(t, Options{Description: "d"}, func(t *testing.T, r *rig) {
		var list struct {
			Result struct {
				Tools []struct{ InputSchema any }
			}
		}
		if err := json.Unmarshal([]byte(r.ask(request("1", "tools/list", `{}`)).raw), &list); err != nil {
			t.Fatal(err)
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource("mem://input.json", list.Result.Tools[0].InputSchema); err != nil {
			t.Fatal(err)
		}
		schema, err := compiler.Compile("mem://input.json")
		if err != nil {
			t.Fatal(err)
		}
		for args, takes := range map[string]bool{
			`{"command":"list"}`:              true,
			`{"command":"list","json":true}`:  true,
			`{"command":"list","json":false}`: true,
			`{}`:                              false,
			`{"command":5}`:                   false,
			`{"command":"list","json":"yes"}`: false,
			`{"command":"list","x":1}`:        false,
			`{"command":"` + strings.Repeat("x", 4096) + `"}`: true,
			`{"command":"` + strings.Repeat("x", 4097) + `"}`: false,
		} {
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(args))
			if err != nil {
				t.Fatal(err)
			}
			g := r.ask(request("1", "tools/call", `{"name":"biomcp","arguments":`+args+`}`))
			if ok := schema.Validate(v) == nil; ok != takes || g.Result.IsError == takes {
				t.Errorf("%.60s: schema %v, server %.200s", args, ok, g.raw)
			}
		}
	})
}
