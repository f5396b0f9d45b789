package mcpshell

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// newFixture returns a shell with the tools, resources and prompts that the MCP conformance suite
// calls by name and biomcp lacks.
func newFixture() *asking {
	a := &asking{Shell: New(Options{Parse: parsing(echo), Description: "Answers with its words", Version: "1"}), waiting: map[string]chan json.RawMessage{}}
	for _, option := range []server.ServerOption{
		server.WithResourceCapabilities(true, true), server.WithPromptCapabilities(true), server.WithCompletions(), server.WithPaginationLimit(pageSize),
	} {
		option(a.mcp)
	}
	a.addTools()
	a.addQuestions()
	a.addResources()
	a.addPrompts()
	return a
}

const (
	onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==" // image/png
	noSound  = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="                                     // audio/wav
)

func text(s string) mcp.Content { return mcp.NewTextContent(s) }

func embedded(uri string) mcp.Content {
	return mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: uri, MIMEType: "text/plain", Text: "A text of " + uri})
}

func (a *asking) addTools() {
	image := mcp.NewImageContent(onePixel, "image/png")
	for name, blocks := range map[string][]mcp.Content{
		"test_simple_text":            {text("Some text")},
		"test_image_content":          {image},
		"test_audio_content":          {mcp.NewAudioContent(noSound, "audio/wav")},
		"test_embedded_resource":      {embedded("test://embedded-resource")},
		"test_multiple_content_types": {text("Three blocks"), image, embedded("test://mixed-content-resource")},
		"test_error_handling":         {text("This always fails")},
		"test_reconnection":           {text("Answered")},
	} {
		a.tool(name, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: blocks, IsError: name == "test_error_handling"}, nil
		})
	}
	a.tool("test_tool_with_logging", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return a.notify(ctx, mcp.MethodNotificationMessage, func(step int) map[string]any {
			return map[string]any{"level": "info", "logger": "fixture", "data": fmt.Sprint("step ", step)}
		})
	})
	a.tool("test_tool_with_progress", func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return a.notify(ctx, mcp.MethodNotificationProgress, func(step int) map[string]any {
			return map[string]any{"progressToken": r.Params.Meta.ProgressToken, "progress": 50 * step, "total": 100}
		})
	})
	a.mcp.AddTool(mcp.NewToolWithRawSchema("json_schema_2020_12_tool", "Has a schema with definitions", json.RawMessage(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
		"$defs": {"address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
		"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}}, "additionalProperties": false}`)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("Done"), nil
		})
}

func (a *asking) tool(name string, work server.ToolHandlerFunc) {
	a.mcp.AddTool(mcp.NewTool(name, mcp.WithDescription("A fixture of the conformance suite")), work)
}

// notify sends three notifications, the last of them just before the answer.
func (a *asking) notify(ctx context.Context, method mcp.MCPMethod, params func(step int) map[string]any) (*mcp.CallToolResult, error) {
	for step := range 3 {
		if step > 0 {
			time.Sleep(10 * time.Millisecond)
		}
		if err := a.mcp.SendNotificationToClient(ctx, string(method), params(step)); err != nil {
			return nil, err
		}
	}
	return mcp.NewToolResultText("Done"), nil
}

// addQuestions adds the tools that ask the client.
func (a *asking) addQuestions() {
	ask := func(name, method string, params func(r mcp.CallToolRequest) map[string]any) {
		a.tool(name, func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			answer, err := a.ask(ctx, method, params(r))
			if err != nil {
				return nil, err
			}
			return mcp.NewToolResultText("The client answered " + string(answer)), nil
		})
	}
	ask("test_sampling", "sampling/createMessage", func(r mcp.CallToolRequest) map[string]any {
		return map[string]any{"maxTokens": 100, "messages": []any{map[string]any{"role": "user", "content": text(r.GetString("prompt", ""))}}}
	})
	form := func(name, properties string) {
		ask(name, "elicitation/create", func(r mcp.CallToolRequest) map[string]any {
			return map[string]any{"message": r.GetString("message", "Fill in this form"),
				"requestedSchema": map[string]any{"type": "object", "properties": json.RawMessage(properties)}}
		})
	}
	form("test_elicitation", `{"username": {"type": "string"}, "email": {"type": "string"}}`)
	form("test_elicitation_sep1034_defaults", `{
		"name": {"type": "string", "default": "John Doe"}, "age": {"type": "integer", "default": 30},
		"score": {"type": "number", "default": 95.5}, "verified": {"type": "boolean", "default": true},
		"status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"}}`)
	form("test_elicitation_sep1330_enums", `{
		"untitledSingle": {"type": "string", "enum": ["a", "b"]},
		"titledSingle": {"type": "string", "oneOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]},
		"legacyEnum": {"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"]},
		"untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
		"titledMulti": {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]}}}`)
}

func (a *asking) addResources() {
	add := func(uri, mime string, contents mcp.ResourceContents) {
		a.mcp.AddResource(mcp.NewResource(uri, uri, mcp.WithMIMEType(mime)), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{contents}, nil
		})
	}
	for _, uri := range []string{"test://static-text", "test://watched-resource"} {
		add(uri, "text/plain", mcp.TextResourceContents{URI: uri, MIMEType: "text/plain", Text: "A text"})
	}
	add("test://static-binary", "image/png", mcp.BlobResourceContents{URI: "test://static-binary", MIMEType: "image/png", Blob: onePixel})
	a.mcp.AddResourceTemplate(mcp.NewResourceTemplate("test://template/{id}/data", "template"), func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		id := strings.Split(r.Params.URI, "/")[3]
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, MIMEType: "application/json", Text: fmt.Sprintf(`{"id":%q}`, id)}}, nil
	})
}

func (a *asking) addPrompts() {
	add := func(name string, contents func(args map[string]string) mcp.Content, args ...string) {
		options := []mcp.PromptOption{mcp.WithPromptDescription("A fixture of the conformance suite")}
		for _, arg := range args {
			options = append(options, mcp.WithArgument(arg, mcp.ArgumentDescription("A word"), mcp.RequiredArgument()))
		}
		a.mcp.AddPrompt(mcp.NewPrompt(name, options...), func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{{Role: mcp.RoleUser, Content: contents(r.Params.Arguments)}}}, nil
		})
	}
	add("test_simple_prompt", func(map[string]string) mcp.Content { return text("A prompt") })
	add("test_prompt_with_arguments", func(args map[string]string) mcp.Content {
		return text(fmt.Sprintf("arg1 is %s, arg2 is %s", args["arg1"], args["arg2"]))
	}, "arg1", "arg2")
	add("test_prompt_with_embedded_resource", func(args map[string]string) mcp.Content { return embedded(args["resourceUri"]) }, "resourceUri")
	add("test_prompt_with_image", func(map[string]string) mcp.Content { return mcp.NewImageContent(onePixel, "image/png") })
}

// biomcp's transport with the fixtures passes every scenario for protocols with sessions.
func TestConformanceOfTheTransport(t *testing.T) {
	n := npmClients(t)
	n.conforms(t, serveFixture(t, newFixture())+"/mcp", "--spec-version", "2025-11-25")
}
