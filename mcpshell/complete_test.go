package mcpshell

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	served(t, Options{Resources: shelf(1)}, func(t *testing.T, r *rig) {
		ask := func(params string) got { return r.ask(request("1", "completion/complete", params)) }
		const ref = `{"ref":{"type":"ref/resource","uri":"biomcp://zoo/{animal}"},"argument":{"name":"animal","value":`
		for value, want := range map[string]struct {
			n    int
			more bool
		}{`""}}`: {100, true}, `"lion14"}}`: {11, false}, `"lion"},"context":{"arguments":{"x":"y"}}}`: {100, true}, `"tiger"}}`: {0, false}} {
			g := ask(ref + value)
			var reply struct {
				Result struct {
					Completion struct {
						Values  []string
						HasMore bool
					}
				}
			}
			if err := json.Unmarshal([]byte(g.raw), &reply); err != nil {
				t.Fatal(err)
			}
			c := reply.Result.Completion
			if g.Error != nil || len(c.Values) != want.n || c.HasMore != want.more || !strings.Contains(g.raw, `"values":[`) {
				t.Errorf("%s answered %s", value, g.raw)
			}
		}
		for _, params := range []string{
			`{}`, `null`, `{"ref":{"type":"ref/resource","uri":"biomcp://zoo/{animal}"}}`, `{"ref":{},"argument":{"name":"animal","value":""}}`,
			`{"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"animal","value":""}}`, `{"ref":{"type":"ref/prompt","name":"visit"},"argument":{"name":"plant","value":""}}`,
			`{"ref":{"type":"ref/tool","name":"visit"},"argument":{"name":"animal","value":""}}`, ref + `5}}`,
			`{"ref":{"type":"ref/resource","uri":"biomcp://zoo/{animal}"},"argument":{"name":"plant","value":""}}`,
			`{"ref":{"type":"ref/resource","uri":"biomcp://none/{animal}"},"argument":{"name":"animal","value":""}}`,
		} {
			if g := ask(params); g.Error == nil || g.Error.Code != -32602 {
				t.Errorf("params %s answered %s", params, g.raw)
			}
		}
		if g := ask(ref + `"panic"}}`); g.Error == nil || g.Error.Code != -32603 || strings.Contains(g.raw, "SECRET") {
			t.Errorf("a panic answered %s", g.raw)
		}
	})
}

// The server advertises exactly the supported capabilities, and so no subscriptions.
func TestResourceCapabilities(t *testing.T) {
	for _, c := range []struct {
		options Options
		want    map[string]string
	}{
		{Options{Resources: shelf(1)}, map[string]string{"resources": `{}`, "completions": `{}`, "prompts": `{}`, "extensions": `{"io.modelcontextprotocol/skills":{}}`, "tools": `{}`, "logging": `{}`}},
		{Options{}, map[string]string{"tools": `{}`, "logging": `{}`}},
	} {
		t.Run(fmt.Sprint(c.options), func(t *testing.T) {
			served(t, c.options, func(t *testing.T, r *rig) {
				g := r.ask(request("1", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`))
				var reply struct {
					Result struct{ Capabilities map[string]json.RawMessage }
				}
				if err := json.Unmarshal([]byte(g.raw), &reply); err != nil {
					t.Fatal(err)
				}
				got := reply.Result.Capabilities
				if len(got) != len(c.want) {
					t.Errorf("capabilities: %s", got)
				}
				for name, value := range c.want {
					if string(got[name]) != value {
						t.Errorf("%s: %s, want %s", name, got[name], value)
					}
				}
			})
		})
	}
}
