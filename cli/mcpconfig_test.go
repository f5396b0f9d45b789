package cli

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"biomcp/cli/command"
)

// The printed configurations match the clients' documentation; the comment of clients lists its
// pages.
func TestMCPConfig(t *testing.T) {
	const away = " --http https://mcp.example.org/mcp"
	const here = " --http http://127.0.0.1:8080/mcp"
	for line, want := range map[string]string{
		"claude-desktop":        `{"mcpServers":{"biomcp":{"command":"biomcp","args":["serve"],"env":{"MCP_CHART_IMAGES":"png"}}}}`,
		"claude-desktop" + here: `{"mcpServers":{"biomcp":{"command":"npx","args":["-y","mcp-remote","http://127.0.0.1:8080/mcp?chart-format=png"]}}}`,
		"claude-desktop" + away: `{"mcpServers":{"biomcp":{"command":"npx","args":["-y","mcp-remote","https://mcp.example.org/mcp?chart-format=png","--header","Authorization:${BIOMCP_AUTHORIZATION}"],"env":{"BIOMCP_AUTHORIZATION":"Bearer <token>"}}}}`,
		"claude-code":           `{"mcpServers":{"biomcp":{"type":"stdio","command":"biomcp","args":["serve"],"env":{"MCP_CHART_IMAGES":"png"}}}}`,
		"claude-code" + here:    `{"mcpServers":{"biomcp":{"type":"http","url":"http://127.0.0.1:8080/mcp?chart-format=png"}}}`,
		"claude-code" + away:    `{"mcpServers":{"biomcp":{"type":"http","url":"https://mcp.example.org/mcp?chart-format=png","headers":{"Authorization":"Bearer ${BIOMCP_TOKEN}"}}}}`,
		"cursor":                `{"mcpServers":{"biomcp":{"command":"biomcp","args":["serve"],"env":{"MCP_CHART_IMAGES":"png"}}}}`,
		"cursor" + here:         `{"mcpServers":{"biomcp":{"url":"http://127.0.0.1:8080/mcp?chart-format=png"}}}`,
		"cursor" + away:         `{"mcpServers":{"biomcp":{"url":"https://mcp.example.org/mcp?chart-format=png","headers":{"Authorization":"Bearer ${env:BIOMCP_TOKEN}"}}}}`,
		"vscode":                `{"servers":{"biomcp":{"type":"stdio","command":"biomcp","args":["serve"],"env":{"MCP_CHART_IMAGES":"png"}}}}`,
		"vscode" + here:         `{"servers":{"biomcp":{"type":"http","url":"http://127.0.0.1:8080/mcp?chart-format=png"}}}`,
		"vscode" + away:         `{"inputs":[{"type":"promptString","id":"biomcp-token","description":"token of the server biomcp","password":true}],"servers":{"biomcp":{"type":"http","url":"https://mcp.example.org/mcp?chart-format=png","headers":{"Authorization":"Bearer ${input:biomcp-token}"}}}}`,
		"codex":                 `{"mcp_servers":{"biomcp":{"command":"biomcp","args":["serve"],"env":{"MCP_CHART_IMAGES":"png"}}}}`,
		"codex" + here:          `{"mcp_servers":{"biomcp":{"url":"http://127.0.0.1:8080/mcp?chart-format=png"}}}`,
		"codex" + away:          `{"mcp_servers":{"biomcp":{"url":"https://mcp.example.org/mcp?chart-format=png","bearer_token_env_var":"BIOMCP_TOKEN"}}}`,
		"gemini":                `{"mcpServers":{"biomcp":{"command":"biomcp","args":["serve"],"env":{"MCP_CHART_IMAGES":"png"}}}}`,
		"gemini" + here:         `{"mcpServers":{"biomcp":{"httpUrl":"http://127.0.0.1:8080/mcp?chart-format=png"}}}`,
		"gemini" + away:         `{"mcpServers":{"biomcp":{"httpUrl":"https://mcp.example.org/mcp?chart-format=png","headers":{"Authorization":"Bearer $BIOMCP_TOKEN"}}}}`,
		"cline":                 `{"mcpServers":{"biomcp":{"command":"biomcp","args":["serve"],"env":{"MCP_CHART_IMAGES":"png"},"disabled":false,"autoApprove":[]}}}`,
		"cline" + here:          `{"mcpServers":{"biomcp":{"type":"streamableHttp","url":"http://127.0.0.1:8080/mcp?chart-format=png","disabled":false,"autoApprove":[]}}}`,
		"cline" + away:          `{"mcpServers":{"biomcp":{"type":"streamableHttp","url":"https://mcp.example.org/mcp?chart-format=png","headers":{"Authorization":"Bearer <token>"},"disabled":false,"autoApprove":[]}}}`,
		"json":                  `{"mcpServers":{"biomcp":{"command":"biomcp","args":["serve"],"env":{"MCP_CHART_IMAGES":"png"}}}}`,
		"json" + here:           `{"mcpServers":{"biomcp":{"type":"http","url":"http://127.0.0.1:8080/mcp?chart-format=png"}}}`,
		"json" + away:           `{"mcpServers":{"biomcp":{"type":"http","url":"https://mcp.example.org/mcp?chart-format=png","headers":{"Authorization":"Bearer <token>"}}}}`,
	} {
		t.Run(line, func(t *testing.T) {
			text, code := ask(t, toyApp(), command.Person, "mcp-config --client "+line)
			if code != 0 {
				t.Errorf("%s: exit %d: %s", line, code, text)
				return
			}
			format := "json"
			if strings.HasPrefix(line, "codex") {
				format = "toml"
			}
			if got := decoded(t, format, text); !reflect.DeepEqual(got, decoded(t, "json", want)) {
				t.Errorf("%s:\n%s, want\n%s", line, text, want)
			}
			answer, _ := ask(t, toyApp(), command.Person, "mcp-config --json --client "+line)
			var reply struct {
				Client, Format, Config string
				Notices                []string
			}
			if err := json.Unmarshal([]byte(answer), &reply); err != nil || reply.Config != text || reply.Format != format || !strings.HasPrefix(line, reply.Client) || !strings.HasPrefix(reply.Notices[0], "paste into ") {
				t.Errorf("%s --json: %v %s", line, err, answer)
			}
		})
	}
}

func decoded(t *testing.T, format, text string) (v map[string]any) {
	t.Helper()
	var err error
	if format == "toml" {
		err = toml.Unmarshal([]byte(text), &v)
	} else {
		err = json.Unmarshal([]byte(text), &v)
	}
	if err != nil {
		t.Errorf("%v: %s", err, text)
	}
	return v
}

// Appending the table to a file with other tables gives a valid file.
func TestCodexConfigGoesBehindOthers(t *testing.T) {
	text, _ := ask(t, toyApp(), command.Person, "mcp-config --client codex")
	all := decoded(t, "toml", "[mcp_servers]\n[mcp_servers.other]\ncommand = \"x\"\n\n"+text)
	if servers, _ := all["mcp_servers"].(map[string]any); len(servers) != 2 {
		t.Errorf("%v", all)
	}
}

func TestMCPConfigNamesTheProgram(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, code := ask(t, toyApp(), command.Person, "mcp-config --client codex --absolute-path")
	servers, _ := decoded(t, "toml", text)["mcp_servers"].(map[string]any)
	if entry, _ := servers["biomcp"].(map[string]any); code != 0 || entry["command"] != program {
		t.Errorf("exit %d: %s, want %s", code, text, program)
	}
}

func TestMCPConfigOfAProgramThatIsNotOnThePATH(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	text, code := ask(t, toyApp(), command.Person, "mcp-config --client cursor --json")
	if code != 0 || !strings.Contains(text, "not on the PATH here") || !strings.Contains(text, "biomcp mcp-config --client cursor --json --absolute-path") {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, _ := ask(t, toyApp(), command.Person, "mcp-config --client cursor --absolute-path --json"); strings.Contains(text, "PATH here") {
		t.Error(text)
	}
}

func TestMCPConfigRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"--client claude":                 "did you mean claude-desktop",
		"--http 127.0.0.1:8080":           "is not the address of a server",
		"--http ''":                       "is not the address of a server",
		"--http ftp://x/mcp":              "is not the address of a server",
		"--http http://me:secret@x/mcp":   "is not the address of a server",
		"--http http://x --absolute-path": "--absolute-path is for a client",
		"cursor":                          "takes no arguments",
	} {
		t.Run(line, func(t *testing.T) {
			if text, code := ask(t, toyApp(), command.Person, "mcp-config "+line); code != 2 || !strings.Contains(text, want) {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		})
	}
	if text, code := ask(t, toyApp(), command.Agent, "mcp-config"); code != 2 || !strings.Contains(text, command.RefusalPrefix) {
		t.Errorf("for an agent: exit %d: %s", code, text)
	}
}
