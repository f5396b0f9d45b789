package mcpshell

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

func TestPrompts(t *testing.T) {
	withClient(t, Options{Resources: shelf(1)}, func(t *testing.T, c *client.Client, _ *mcp.InitializeResult, _ func() []mcp.JSONRPCNotification) {
		list, err := c.ListPrompts(t.Context(), mcp.ListPromptsRequest{})
		if err != nil || len(list.Prompts) != 1 {
			t.Fatal(list, err)
		}
		if p := list.Prompts[0]; p.Name != "visit" || p.Title != "Visit the zoo" || p.Description == "" || len(p.Arguments) != 1 || p.Arguments[0].Name != "animal" || p.Arguments[0].Required {
			t.Errorf("%+v", p)
		}
		get := func(name string) (*mcp.GetPromptResult, error) {
			return c.GetPrompt(t.Context(), mcp.GetPromptRequest{Params: mcp.GetPromptParams{Name: name, Arguments: map[string]string{"animal": "tiger", "other": "x"}}})
		}
		got, err := get("visit")
		if err != nil || len(got.Messages) != 1 || got.Messages[0].Role != mcp.RoleUser || got.Messages[0].Content.(mcp.TextContent).Text != "visit the tiger" {
			t.Error(got, err)
		}
		if _, err := get("none"); err == nil || !strings.Contains(err.Error(), "none") {
			t.Errorf("an unknown prompt: %v", err)
		}
		done, err := c.Complete(t.Context(), mcp.CompleteRequest{Params: mcp.CompleteParams{Ref: mcp.PromptReference{Type: "ref/prompt", Name: "visit"}, Argument: mcp.CompleteArgument{Name: "animal", Value: "ess"}}})
		if err != nil || len(done.Completion.Values) != 1 || done.Completion.Values[0] != "lioness" {
			t.Error(done, err)
		}
	})
}

// The entry of a skill has the digest and the length of the text at its URI.
func TestSkills(t *testing.T) {
	const params = `{%s"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`
	check := func(t *testing.T, ask func(method, more string) string) {
		text := shelf(1).Skills()[0].Text
		entry := fmt.Sprintf(`{"uri":"skill://feed/SKILL.md","frontmatter":{"name":"feed","description":"How to feed"},"resources":[{"uri":"skill://feed/SKILL.md","digest":"sha256:%x","size":%d}]}`, sha256.Sum256([]byte(text)), len(text))
		for _, c := range []struct{ method, more, want string }{
			{"server/discover", "", `"io.modelcontextprotocol/skills":{}`},
			{"skills/list", "", `"skills":[` + entry + `]`},
			{"skills/list", "", `"resultType":"complete","ttlMs":3600000,"cacheScope":"public"`},
			{"skills/list", `"cursor":"1",`, `"code":-32602`},
			{"skills/get", `"uri":"skill://feed/SKILL.md",`, `"skill":` + entry},
			{"skills/get", `"uri":"skill://feed/SKILL.md",`, `"resultType":"complete","ttlMs":3600000,"cacheScope":"public"`},
			{"skills/get", `"uri":"skill://feed",`, `"code":-32602,"message":"Unknown skill: skill://feed","data":{"uri":"skill://feed"}`},
			{"skills/get", "", `"code":-32602`},
			{"skills/get", `"uri":5,`, `"code":-32602`},
		} {
			if got := ask(c.method, c.more); !strings.Contains(got, c.want) {
				t.Errorf("%s %s answered %s, which has no %s", c.method, c.more, got, c.want)
			}
		}
		var read struct {
			Result struct{ Contents []struct{ Text string } }
		}
		if got := ask("resources/read", `"uri":"skill://feed/SKILL.md",`); json.Unmarshal([]byte(got), &read) != nil || len(read.Result.Contents) != 1 || read.Result.Contents[0].Text != text {
			t.Errorf("the skill is read as %s", got)
		}
	}
	t.Run("stdio", func(t *testing.T) {
		served(t, Options{Resources: shelf(1)}, func(t *testing.T, r *rig) {
			check(t, func(method, more string) string { return r.ask(request("1", method, fmt.Sprintf(params, more))).raw })
			if g := r.ask(request("1", "skills/list", "{}")); g.Error != nil || !strings.Contains(g.raw, `"digest":"sha256:`) {
				t.Errorf("an older client got %s", g.raw)
			}
		})
	})
	t.Run("http", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := startSite(t, Options{Resources: shelf(1)}, Site{})
			defer r.end()
			check(t, func(method, more string) string {
				headers := []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}
				if method == "resources/read" {
					headers = append(headers, "Mcp-Name: skill://feed/SKILL.md")
				}
				return r.post(request("1", method, fmt.Sprintf(params, more)), headers...).body
			})
		})
	})
	served(t, Options{}, func(t *testing.T, r *rig) {
		if g := r.ask(request("1", "skills/list", "{}")); g.Error == nil || g.Error.Code != -32601 {
			t.Errorf("without skills: %s", g.raw)
		}
	})
}
