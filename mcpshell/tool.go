package mcpshell

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"biomcp/cli/result"
)

// Description describes the main tool and its commands to the model. The command
// `go run ./build` generates it from the command tree.
//
//go:embed description.md
var Description string

// A Tool runs a command under a name of its own, for clients that expect a tool of that name. It
// has one string argument. Output is the JSON schema of the answer ([Reply.Structured]).
type Tool struct {
	Name, Title, Description string
	Argument, ArgumentHelp   string // name and description of the argument
	Output                   json.RawMessage
	// Parse returns the call for an argument. It must return without waiting.
	Parse func(text string) Call
}

func (t Tool) toMCP() mcp.Tool {
	input, _ := json.Marshal(map[string]any{ // strings always encode
		"type":                 "object",
		"required":             []string{t.Argument},
		"additionalProperties": false,
		"properties": map[string]any{
			t.Argument: map[string]any{"type": "string", "maxLength": maxCommandBytes, "description": t.ArgumentHelp},
		},
	})
	out := mcp.NewToolWithRawSchema(t.Name, t.Description, input)
	out.Title, out.Annotations, out.RawOutputSchema = t.Title, readOnly(t.Title), t.Output
	return out
}

// parseArguments parses the arguments of a call. An error is a *result.Failure that the caller can correct.
func (t Tool) parseArguments(args map[string]any) (in input, err error) {
	in.json = true
	text, isString := args[t.Argument].(string)
	if !isString {
		return in, result.Invalid(fmt.Sprintf("%s takes one argument, %s, which is a string", t.Name, t.Argument))
	}
	if in.command = t.Name + " " + text; len(text) > maxCommandBytes {
		message := fmt.Sprintf("%s has %d bytes; at most %d are allowed", t.Argument, len(text), maxCommandBytes)
		return in, result.Invalid(message)
	}
	delete(args, t.Argument)
	in.call, in.ignored = t.Parse(text), ignoredArguments(args, t.Argument)
	return in, nil
}

// isCall reports whether a message calls a tool of this server.
func (s *Shell) isCall(m message) bool {
	return mcp.MCPMethod(m.method) == mcp.MethodToolsCall && m.id != nil && s.tools[m.tool()].Name != ""
}

// isQuiet reports whether at most one notification precedes the answer: the log message at the
// end of a call.
func (s *Shell) isQuiet(m message) bool {
	if s.isCall(m) {
		return m.meta == nil || m.meta.ProgressToken == nil
	}
	return m.id == nil && !m.isBatch()
}

// tool returns the name of the called tool, or "" if the name is not a plain string without
// escapes.
func (m message) tool() string {
	if n := len(m.name); n > 2 && m.name[0] == '"' && !slices.Contains(m.name, '\\') {
		return string(m.name[1 : n-1])
	}
	return ""
}
