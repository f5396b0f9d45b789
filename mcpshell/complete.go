package mcpshell

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
)

// maxCompletions is the maximum number of values that the protocol allows in one answer.
const maxCompletions = 100

// complete answers completion/complete for a variable of a resource template or an argument
// of a prompt.
func (s *Shell) complete(ctx context.Context, raw json.RawMessage) (mcp.ResultMetadata, *mcp.JSONRPCErrorDetails) {
	var params struct {
		Ref struct {
			Type string `json:"type"`
			URI  string `json:"uri"`
			Name string `json:"name"`
		} `json:"ref"`
		Argument struct {
			Name  *string `json:"name"`
			Value *string `json:"value"`
		} `json:"argument"`
	}
	invalid := func(text string) *mcp.JSONRPCErrorDetails {
		return &mcp.JSONRPCErrorDetails{Code: mcp.INVALID_PARAMS, Message: "params of completion/complete: " + text}
	}
	parsed := raw != nil && json.Unmarshal(raw, &params) == nil
	if !parsed || params.Argument.Name == nil || params.Argument.Value == nil {
		return nil, invalid("ref requires type and uri or name, argument requires name and value")
	}
	ref := params.Ref.URI
	switch params.Ref.Type {
	case "ref/resource":
	case "ref/prompt":
		ref = params.Ref.Name
	default:
		return nil, invalid("the type of ref must be ref/resource or ref/prompt")
	}
	type completion struct {
		values []string
		ok     bool
	}
	id := callID()
	got, err := perform(ctx, s, s.local, id, func(ctx context.Context) (c completion) {
		c.values, c.ok = s.library.Complete(ctx, ref, *params.Argument.Name, *params.Argument.Value)
		return c
	})
	switch {
	case err != nil:
		return nil, s.internalError(err, id)
	case !got.ok:
		return nil, invalid("no resource template with this uri, or prompt of this name, has a variable of that name")
	}
	out := &mcp.CompleteResult{Completion: mcp.Completion{Values: append([]string{}, got.values...)}}
	if n := len(got.values); n > maxCompletions {
		out.Completion.Values, out.Completion.HasMore = out.Completion.Values[:maxCompletions], true
	}
	return out, nil
}
