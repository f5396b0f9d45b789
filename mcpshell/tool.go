package mcpshell

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"biomcp/cli/result"
)

// Description is the text of the one tool for the model to read: what an agent may ask,
// generated from the command tree by `go run ./build`.
//
//go:embed description.md
var Description string

// Tool is a door of its own to a command, for clients that call tools of that name: its one
// argument is a text. Output is the schema of what it answers, as [Reply.Structured].
type Tool struct {
	Name, Title, Description string
	Argument, About          string // and what it is
	Output                   json.RawMessage
	// Parse makes the call. It must return at once.
	Parse func(text string) Call
}

func (t Tool) listed() mcp.Tool {
	input, _ := json.Marshal(map[string]any{ // of texts alone
		"type": "object", "required": []string{t.Argument}, "additionalProperties": false,
		"properties": map[string]any{t.Argument: map[string]any{"type": "string", "maxLength": maxCommandBytes, "description": t.About}},
	})
	out := mcp.NewToolWithRawSchema(t.Name, t.Description, input)
	out.Title, out.Annotations, out.RawOutputSchema = t.Title, readOnly(t.Title), t.Output
	return out
}

// read checks the arguments of a call. An error is a failure that the caller can correct.
func (t Tool) read(arguments any) (in input, err error) {
	in.json = true
	args, ok := arguments.(map[string]any)
	text, is := args[t.Argument].(string)
	if !ok || !is || len(args) != 1 {
		return in, result.Invalid(fmt.Sprintf("%s takes one argument, %s, which is a text", t.Name, t.Argument))
	}
	if in.command = t.Name + " " + text; len(text) > maxCommandBytes {
		return in, result.Invalid(fmt.Sprintf("%s has %d bytes; at most %d are taken", t.Argument, len(text), maxCommandBytes))
	}
	in.call = t.Parse(text)
	return in, nil
}

// isCall reports whether a message is a call of a tool of this server.
func (s *Shell) isCall(m message) bool {
	return mcp.MCPMethod(m.method) == mcp.MethodToolsCall && m.id != nil && s.tools[m.tool()].Name != ""
}

// isQuiet reports whether at most one notification can come before the answer: the log
// message at the end of a call.
func (s *Shell) isQuiet(m message) bool {
	if s.isCall(m) {
		return m.meta == nil || m.meta.ProgressToken == nil
	}
	return m.id == nil && !m.isBatch()
}

// tool is the name that a call names, as it is sent without an escape.
func (m message) tool() string {
	if n := len(m.name); n > 2 && m.name[0] == '"' && !slices.Contains(m.name, '\\') {
		return string(m.name[1 : n-1])
	}
	return ""
}
