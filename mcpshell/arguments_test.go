package mcpshell

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// Arguments that hosts add are ignored with a notice, and null and "" are absent, for each tool.
func TestArgumentsThatHostsAdd(t *testing.T) {
	tools := []Tool{{Name: "fetch", Argument: "id", Parse: func(id string) Call {
		c := parsing(echo)([]string{"get", id})
		c.Run = func(context.Context, bool) Reply { return Reply{Text: "{}", Structured: json.RawMessage("{}")} }
		return c
	}}}
	served(t, Options{Tools: tools}, func(t *testing.T, r *rig) {
		const ignored = "ignored arguments: "
		for args, want := range map[string]struct {
			json   string // "true" if the answer must be JSON
			notice string
		}{
			`"json":null`:                           {"false", ""},
			`"json":""`:                             {"false", ""},
			`"json":"true"`:                         {"true", ""},
			`"json":"True"`:                         {"true", ""},
			`"json":"false"`:                        {"false", ""},
			`"toolCallId":"c1","sessionId":"s"`:     {"false", ignored + `"sessionId", "toolCallId"; this tool takes command and json`},
			`"task_progress":"- [x] search"`:        {"false", ignored + `"task_progress"`},
			`"limit":5,"json":true`:                 {"true", ignored + `"limit"`},
			`"toolCallId":null,"metadata":""`:       {"false", ""},
			`"a":1,"b":{},"c":[],"d":2,"e":3,"f":4`: {"false", `"e" and 1 more`},
			`"\u001b[31m":1`:                        {"false", `"\x1b[31m"`},
		} {
			for tool, call := range map[string]struct{ arguments, text string }{
				"biomcp": {`"command":"get 1"`, `["get" "1"] json=` + want.json},
				"fetch":  {`"id":"1"`, `{}`},
			} {
				if tool == "fetch" && strings.Contains(args, `"json"`) {
					continue
				}
				g := r.ask(request("1", "tools/call", `{"name":"`+tool+`","arguments":{`+call.arguments+`,`+args+`}}`))
				if len(g.Result.Content) == 0 || g.Result.IsError || g.Result.Content[0].Text != call.text {
					t.Errorf("%s %s: %s, want %s", tool, args, g.raw, call.text)
					continue
				}
				var notices []string
				if g.Result.Meta != nil {
					notices = g.Result.Meta.Notices
				}
				takes := map[string]string{"biomcp": "command and json", "fetch": "id"}[tool]
				wanted := strings.ReplaceAll(want.notice, "command and json", takes)
				if got := strings.Join(notices, "\n"); wanted == "" && got != "" || !strings.Contains(got, wanted) {
					t.Errorf("%s %s: notices %q, want %q", tool, args, got, wanted)
				}
				// Research clients expect one block.
				wantBlocks := 1
				if len(notices) > 0 && tool == "biomcp" {
					wantBlocks = 2
				}
				if n := len(g.Result.Content); n != wantBlocks {
					t.Errorf("%s %s: %d blocks, want %d: %s", tool, args, n, wantBlocks, g.raw)
				}
			}
		}
	})
}

// An argument that belongs in the command line is refused with the complete line.
func TestArgumentsOfTheCommand(t *testing.T) {
	parse := func(words []string) Call {
		c := parsing(echo)(words)
		c.Refused = words[len(words)-1] == "wrong"
		c.WithArguments = func(arguments map[string]any) (line, names []string) {
			if v, is := arguments["limit"].(string); is {
				return append(words, "--limit", v), []string{"limit"}
			}
			return words, nil
		}
		return c
	}
	ran := ""
	counted := func(words []string) Call {
		c, run := parse(words), parse(words).Run
		c.Run = func(ctx context.Context, json bool) Reply {
			ran = strings.Join(words, " ")
			return run(ctx, json)
		}
		return c
	}
	served(t, Options{Parse: counted}, func(t *testing.T, r *rig) {
		g := r.ask(request("1", "tools/call", `{"name":"biomcp","arguments":{"command":"get x","limit":"5"}}`))
		g.wantFailure(t, "limit", "part of command, not arguments of their own: limit", "try:   biomcp get x --limit 5\n")
		if ran != "" {
			t.Errorf("ran %q, want nothing", ran)
		}
		// A line that is refused as well is not suggested.
		g = r.ask(request("1", "tools/call", `{"name":"biomcp","arguments":{"command":"get x","limit":"wrong"}}`))
		g.wantFailure(t, "limit", "try:   biomcp list\n")
	})
}
