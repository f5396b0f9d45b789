package mcpshell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
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

// eras lists the protocol versions of mcp-go's client: four that begin with initialize, and one that
// begins with server/discover.
var eras = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// withClient runs test with mcp-go's client connected to a server, over each transport and in each
// era.
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
			tr, err := transport.NewStreamableHTTP("http://localhost/mcp",
				transport.WithHTTPBasicClient(site.client),
				transport.WithHTTPLogger(slog.New(slog.DiscardHandler)))
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
			t.Errorf("instructions = %q, want %q", hello.Instructions, o.Instructions)
		}
		if v := c.ProtocolVersion(); !strings.HasSuffix(t.Name(), v) {
			t.Errorf("protocol version = %s, want that of the test's name", v)
		}
		supports := hello.Capabilities
		for name, present := range map[string]bool{
			"tools": supports.Tools != nil, "resources": supports.Resources != nil,
			"logging": supports.Logging != nil, "prompts": supports.Prompts != nil,
			skillsExtension: supports.Extensions[skillsExtension] != nil,
		} {
			if !present {
				t.Fatalf("capability %s is missing in %+v", name, supports)
			}
		}
		for name, present := range map[string]bool{
			"prompts.listChanged": supports.Prompts.ListChanged, "tools.listChanged": supports.Tools.ListChanged,
			"resources.subscribe": supports.Resources.Subscribe,
		} {
			if present {
				t.Errorf("capability %s is present, want it absent", name)
			}
		}
		list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(list.Tools); n != 1 {
			t.Fatalf("%d tools, want 1", n)
		}
		tool := list.Tools[0]
		if tool.Name != "biomcp" {
			t.Errorf("tool name = %q, want biomcp", tool.Name)
		}
		if tool.Description != o.Description {
			t.Errorf("tool description = %q, want %q", tool.Description, o.Description)
		}
		a := tool.Annotations
		if a.Title != "BioMCP" {
			t.Errorf("tool title = %q, want BioMCP", a.Title)
		}
		wantHint(t, "readOnly", a.ReadOnlyHint, true)
		wantHint(t, "destructive", a.DestructiveHint, false)
		wantHint(t, "idempotent", a.IdempotentHint, true)
		wantHint(t, "openWorld", a.OpenWorldHint, true)
	})
}

// wantHint checks that a hint of a tool is present and has a value.
func wantHint(t *testing.T, name string, got *bool, want bool) {
	t.Helper()
	switch {
	case got == nil:
		t.Errorf("hint %s is missing, want %v", name, want)
	case *got != want:
		t.Errorf("hint %s = %v, want %v", name, *got, want)
	}
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
				if err != nil {
					t.Errorf("call %d: %v", i, err)
					return
				}
				if r.IsError {
					t.Errorf("call %d: isError = true, want false", i)
				}
				want := fmt.Sprintf(`["get" "article" "%d"] json=false`, i)
				if got := textOf(t, r, err); got != want {
					t.Errorf("call %d: text = %q, want %q", i, got, want)
				}
			})
		}
		all.Wait()

		r, err := c.CallTool(ctx, toolCall("fail"))
		if got, want := textOf(t, r, err), "error: it failed\n"; got != want {
			t.Errorf("a failed call: text = %q, want %q", got, want)
		}
		if !r.IsError {
			t.Error("a failed call: isError = false, want true")
		}
		r, err = c.CallTool(ctx, toolCall("slow"))
		if got, want := textOf(t, r, err), "within 60s"; !strings.Contains(got, want) {
			t.Errorf("a slow call: text = %q, want %q in it", got, want)
		}
		if !r.IsError {
			t.Error("a slow call: isError = false, want true")
		}
		short, cancel := context.WithTimeout(ctx, time.Second)
		if _, err := c.CallTool(short, toolCall("slow")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a cancelled call: %v, want %v", err, context.DeadlineExceeded)
		}
		cancel()
		_, err = c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "rm"}})
		wantError(t, "an unknown tool", err, "rm")
		checkResources(t, c)
	})
}

// checkResources lists and reads the resources of shelf(pageSize + 5).
func checkResources(t *testing.T, c *client.Client) {
	t.Helper()
	ctx := t.Context()
	list, err := c.ListResources(ctx, mcp.ListResourcesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(list.Resources), pageSize+5; got != want {
		t.Fatalf("%d resources, want %d", got, want)
	}
	if got, want := list.Resources[pageSize].URI, fmt.Sprintf("biomcp://book/%d", pageSize); got != want {
		t.Errorf("first resource of the second page = %s, want %s", got, want)
	}
	templates, err := c.ListResourceTemplates(ctx, mcp.ListResourceTemplatesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(templates.ResourceTemplates); n != 2 {
		t.Errorf("%d templates, want 2", n)
	}
	book, err := c.ReadResource(ctx, mcp.ReadResourceRequest{Params: mcp.ReadResourceParams{URI: "biomcp://book/1"}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(book.Contents); n != 1 {
		t.Fatalf("%d contents of a book, want 1", n)
	}
	text := book.Contents[0].(mcp.TextResourceContents).Text
	if want := "text of biomcp://book/1"; !strings.HasPrefix(text, want) {
		t.Errorf("text of a book = %q, want the prefix %q", text, want)
	}
	_, err = c.ReadResource(ctx, mcp.ReadResourceRequest{Params: mcp.ReadResourceParams{URI: "biomcp://no"}})
	wantError(t, "an unknown resource", err, "Unknown resource: biomcp://no")
}

// wantError checks that err is an error whose message contains part.
func wantError(t *testing.T, name string, err error, part string) {
	t.Helper()
	switch {
	case err == nil:
		t.Errorf("%s: no error, want one with %q", name, part)
	case !strings.Contains(err.Error(), part):
		t.Errorf("%s: error = %q, want %q in it", name, err, part)
	}
}

// A client that asks for log messages gets them before the answer.
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
			t.Errorf("%d messages before the client asked for them, want 0: %+v", len(n), n)
		}
		//lint:ignore SA1019 the client puts the level into each request where the protocol has no setLevel
		if err := c.SetLevel(t.Context(), mcp.SetLevelRequest{Params: mcp.SetLevelParams{Level: mcp.LoggingLevelInfo}}); err != nil {
			t.Fatal(err)
		}
		call()
		n := notes()
		if len(n) != 1 {
			t.Fatalf("%d messages after the client asked for them, want 1: %+v", len(n), n)
		}
		if got, want := n[0].Method, "notifications/message"; got != want {
			t.Fatalf("method = %s, want %s", got, want)
		}
		data := fmt.Sprint(n[0].Params.AdditionalFields)
		for _, part := range []string{"outcome:ok", "level:info"} {
			if !strings.Contains(data, part) {
				t.Errorf("message = %s, want %s in it", data, part)
			}
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
			if err := json.Unmarshal([]byte(g.raw), &hello); err != nil {
				t.Fatalf("%s: %v in %s", asked, err, g.raw)
			}
			if got := hello.Result.ProtocolVersion; got != want {
				t.Errorf("%s: protocol version = %s, want %s", asked, got, want)
			}
			if got := hello.Result.ServerInfo.Name; got != "biomcp" {
				t.Errorf("%s: server name = %s, want biomcp", asked, got)
			}
			if got := hello.Result.ServerInfo.Version; got != "1.2.3" {
				t.Errorf("%s: server version = %s, want 1.2.3", asked, got)
			}
		}
		for _, params := range []string{`{}`, `{"protocolVersion":null}`, `{"protocolVersion":5}`} {
			if g := r.ask(request("1", "initialize", params)); g.raw == "" {
				t.Errorf("initialize %s was not answered", params)
			}
			r.alive()
		}
		r.ask(request("1", "logging/setLevel", `{"level":"loud"}`)).wantCode(t, "an unknown level", -32602)
		if g := r.ask(request("1", "logging/setLevel", `{"level":"debug"}`)); g.Error != nil {
			t.Errorf("setLevel: %s", g.raw)
		}
	})
}

// An invalid request of the stateless protocol gets the protocol's error, even if this package
// answers the method.
func TestStatelessRequestsAreChecked(t *testing.T) {
	served(t, Options{Resources: shelf(1)}, func(t *testing.T, r *rig) {
		for _, method := range []string{"resources/list", "resources/templates/list", "resources/read", "tools/list"} {
			meta := `{"uri":"biomcp://book/0","_meta":{"io.modelcontextprotocol/protocolVersion":%q%s}}`
			caps := `,"io.modelcontextprotocol/clientCapabilities":{}`
			g := r.ask(request("1", method, fmt.Sprintf(meta, "2099-01-01", caps)))
			g.wantCode(t, method+" of 2099", -32022)
			g = r.ask(request("1", method, fmt.Sprintf(meta, "2026-07-28", "")))
			g.wantCode(t, method+" without capabilities", -32602)
			g = r.ask(request("1", method, fmt.Sprintf(meta, "2026-07-28", caps)))
			hints := []string{`"ttlMs":0`, `"cacheScope":"private"`}
			if method == "resources/templates/list" || method == "tools/list" { // change only with the program
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

// The server accepts the arguments that the input schema accepts, and what hosts add to them.
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
		tolerated := []string{`{"command":"list","x":1}`, `{"command":"list","json":"true"}`, `{"command":"list","json":null}`}
		for args, valid := range map[string]bool{
			tolerated[0]: false, tolerated[1]: false, tolerated[2]: false,
			`{"command":"list"}`:              true,
			`{"command":"list","json":true}`:  true,
			`{"command":"list","json":false}`: true,
			`{}`:                              false,
			`{"command":5}`:                   false,
			`{"command":"list","json":"yes"}`: false,
			`{"command":"` + strings.Repeat("x", 4096) + `"}`: true,
			`{"command":"` + strings.Repeat("x", 4097) + `"}`: false,
		} {
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(args))
			if err != nil {
				t.Fatal(err)
			}
			g := r.ask(request("1", "tools/call", `{"name":"biomcp","arguments":`+args+`}`))
			if got := schema.Validate(v) == nil; got != valid {
				t.Errorf("%.60s: valid by the schema = %v, want %v", args, got, valid)
			}
			accepted := valid || slices.Contains(tolerated, args)
			if got := !g.Result.IsError; got != accepted {
				t.Errorf("%.60s: accepted by the server = %v, want %v: %.200s", args, got, accepted, g.raw)
			}
		}
	})
}
