package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"

	"github.com/BurntSushi/toml"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/mcpshell"
	"biomcp/mcpshell/access"
)

// clientEntry is the entry of a server in the configuration of an MCP client. It has a command
// or an address. The list in clients defines which members a client accepts.
type clientEntry struct {
	Type        string            `json:"type,omitempty" toml:"type,omitempty"`
	Command     string            `json:"command,omitempty" toml:"command,omitempty"`
	Args        []string          `json:"args,omitempty" toml:"args,omitempty"`
	Env         map[string]string `json:"env,omitempty" toml:"env,omitempty"`
	URL         string            `json:"url,omitempty" toml:"url,omitempty"`
	HTTPURL     string            `json:"httpUrl,omitempty" toml:"-"`
	Headers     map[string]string `json:"headers,omitempty" toml:"-"`
	TokenVar    string            `json:"-" toml:"bearer_token_env_var,omitempty"`
	Disabled    *bool             `json:"disabled,omitempty" toml:"-"`
	AutoApprove *[]string         `json:"autoApprove,omitempty" toml:"-"`
}

// mcpClient is an MCP client and the form of its configuration.
type mcpClient struct {
	name, paste string // paste names the file that the configuration belongs in
	local       clientEntry
	// remote returns the entry for a server address. Its token is the client's placeholder
	// for the access token, or "" for a server on this machine, which requires none.
	remote func(address, token string) clientEntry
	token  string
	add    string // the client's own command that adds a server, without the server's command
}

// chartsVar is the variable that selects the image format of charts. All clients configured
// here talk to models, which do not read SVG. For a server that is already running, the format
// is part of its address instead.
const chartsVar = "MCP_CHART_IMAGES"

// tokenVar is the variable from which clients read the access token of a server.
const tokenVar = "BIOMCP_TOKEN"

func bearer(token string) map[string]string {
	if token == "" {
		return nil
	}
	return map[string]string{"Authorization": "Bearer " + token}
}

// remoteEntry returns a remote function for clients that name the transport in "type".
func remoteEntry(kind string) func(string, string) clientEntry {
	return func(address, token string) clientEntry {
		return clientEntry{Type: kind, URL: address, Headers: bearer(token)}
	}
}

// clients returns the MCP clients whose configuration can be printed. Sources, read in November
// 2026: modelcontextprotocol.io/quickstart/user and the README of npm's mcp-remote
// (claude-desktop, which accepts only commands), code.claude.com/docs/en/mcp,
// cursor.com/docs/context/mcp, code.visualstudio.com/docs/copilot/reference/mcp-configuration,
// developers.openai.com/codex/mcp, geminicli.com/docs/tools/mcp-server,
// docs.cline.bot/mcp/adding-and-configuring-servers.
func clients() []mcpClient {
	disabled, noApprovals := false, []string{}
	return []mcpClient{
		{name: "claude-desktop", paste: "claude_desktop_config.json (Settings, Developer, Edit Config)",
			token: "<token>", remote: throughNpx},
		{name: "claude-code", paste: ".mcp.json of a project", local: clientEntry{Type: "stdio"},
			remote: remoteEntry("http"), token: "${" + tokenVar + "}",
			add: "claude mcp add biomcp --env " + chartsVar + "=png --"},
		{name: "cursor", paste: "~/.cursor/mcp.json, or .cursor/mcp.json of a project", remote: remoteEntry(""),
			token: "${env:" + tokenVar + "}"},
		{name: "vscode", paste: ".vscode/mcp.json of a workspace (or MCP: Open User Configuration)",
			local: clientEntry{Type: "stdio"}, remote: remoteEntry("http"), token: "${input:biomcp-token}"},
		{name: "codex", paste: "~/.codex/config.toml", token: tokenVar,
			add: "codex mcp add biomcp --env " + chartsVar + "=png --",
			remote: func(address, token string) clientEntry {
				return clientEntry{URL: address, TokenVar: token}
			}},
		{name: "gemini", paste: "~/.gemini/settings.json, or .gemini/settings.json of a project", token: "$" + tokenVar,
			add: "gemini mcp add --env " + chartsVar + "=png biomcp", remote: func(address, token string) clientEntry {
				return clientEntry{HTTPURL: address, Headers: bearer(token)}
			}},
		{name: "cline", paste: "cline_mcp_settings.json (MCP Servers, Configure MCP Servers)", token: "<token>",
			local: clientEntry{Disabled: &disabled, AutoApprove: &noApprovals},
			remote: func(address, token string) clientEntry {
				return clientEntry{Type: "streamableHttp", URL: address, Headers: bearer(token), Disabled: &disabled,
					AutoApprove: &noApprovals}
			}},
		{name: "json", paste: "the configuration of a client that has mcpServers", remote: remoteEntry("http"),
			token: "<token>"},
	}
}

// throughNpx returns an entry that runs mcp-remote, which forwards messages to an address. Some
// shells split a header at its space, so the header's value comes from a variable.
func throughNpx(address, token string) clientEntry {
	e := clientEntry{Command: "npx", Args: []string{"-y", "mcp-remote", address}}
	if u, err := url.Parse(address); err == nil && u.Scheme == "http" && !access.IsLoopback(u.Hostname()) {
		e.Args = append(e.Args, "--allow-http")
	}
	if token != "" {
		e.Args = append(e.Args, "--header", "Authorization:${BIOMCP_AUTHORIZATION}")
		e.Env = map[string]string{"BIOMCP_AUTHORIZATION": "Bearer " + token}
	}
	return e
}

// clientConfig is the answer of `mcp-config`.
type clientConfig struct {
	Client string `json:"client"`
	Format string `json:"format"` // json or toml
	Config string `json:"config"`
}

func mcpConfig() *command.Command {
	names := result.Map(clients(), func(c mcpClient) string { return c.name })
	return &command.Command{
		Use: "mcp-config", Synonyms: []string{"setup", "install"}, Purpose: command.Serve,
		Short: "Print the configuration of an MCP client",
		Help: command.Help{
			Input: "A client. For a server that is already running, --http gives the address of its /mcp.",
			Output: "The text to paste, and nothing else; standard error names the file that it belongs in. Add " +
				"the entry to those that the file has.",
			Surprises: "A client may start the program without your shell's PATH and variables: --absolute-path " +
				"names the program in full, and variables such as NCBI_API_KEY belong in the entry's env. A server " +
				"on another machine requires a token.",
		},
		Effect: command.Local,
		Flags: func(f *command.Flags) {
			f.Enum("client", "json", "the client", names...)
			f.String("http", "", "address of a running server: http://127.0.0.1:8080/mcp")
			f.Bool("absolute-path", false, "use the absolute path of the program")
		},
		Examples: []command.Example{
			{Line: "biomcp mcp-config --client claude-desktop --absolute-path",
				Explanation: "for Claude Desktop, which starts the program"},
			{Line: "biomcp mcp-config --client cursor --http http://127.0.0.1:8080/mcp",
				Explanation: "for Cursor and a server that is already running"},
		},
		Run: printMCPConfig,
	}
}

func printMCPConfig(_ context.Context, in *command.Input) (*result.Result, error) {
	var client mcpClient
	for _, c := range clients() {
		if c.name == in.String("client") {
			client = c
		}
	}
	entry, addCommand, notices, err := entryFor(in, client)
	if err != nil {
		return nil, err
	}
	config := clientConfig{Client: client.name, Format: "json"}
	if config.Config, err = encode(client, entry, &config.Format); err != nil {
		return nil, err
	}
	paste := "paste into " + client.paste
	if addCommand != "" {
		paste += ", or run: " + addCommand
	}
	return &result.Result{Payload: result.Text{Value: config, Text: config.Config},
		Notices: append([]string{paste}, notices...)}, nil
}

// entryFor returns the requested entry, the client's own command that adds it, and notices.
func entryFor(in *command.Input, c mcpClient) (e clientEntry, addCommand string, notices []string, err error) {
	if !in.Given("http") {
		e = c.local
		e.Command, e.Args, e.Env = "biomcp", []string{"serve"}, map[string]string{chartsVar: mcpshell.PNG}
		if in.Bool("absolute-path") {
			if e.Command, err = os.Executable(); err != nil {
				return e, "", nil, result.Invalid("the path of this program is unknown",
					in.LineWith("--absolute-path", "")...)
			}
		}
		if c.add != "" {
			addCommand = c.add + " " + words.Quote(append([]string{e.Command}, e.Args...))
		}
		if _, err := exec.LookPath(e.Command); err != nil {
			notices = append(notices, "the program is not on the PATH here, so a client may not find it; with its "+
				"absolute path: "+append(in.LineWith(), "--absolute-path").String())
		}
		return e, addCommand, notices, nil
	}
	if in.Bool("absolute-path") {
		return e, "", nil, result.Invalid("--absolute-path is for a client that starts the program, --http for a "+
			"server that is already running", in.LineWith("--absolute-path", "")...)
	}
	u, err := url.Parse(in.String("http"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.Fragment != "" {
		return e, "", nil, result.Invalid(fmt.Sprintf("--http %q is not the address of a server",
			command.Clip(in.String("http"))), in.LineWith("--http", "http://127.0.0.1:8080/mcp")...)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/mcp"
		notices = append(notices, "the server answers at "+u.String())
	}
	query := u.Query()
	query.Set("chart-format", mcpshell.PNG)
	u.RawQuery = query.Encode()
	token := ""
	if !access.IsLoopback(u.Hostname()) {
		token = c.token
		where := "the variable " + tokenVar + " holds"
		switch {
		case strings.Contains(token, "<"):
			where = "replace " + token + " with"
		case c.name == "vscode":
			where = "VS Code asks for"
		}
		notices = append(notices, where+" a token of the server")
	}
	return c.remote(u.String(), token), "", notices, nil
}

// encode renders the entry in the format of the client.
func encode(c mcpClient, e clientEntry, format *string) (string, error) {
	servers := map[string]clientEntry{"biomcp": e}
	var out bytes.Buffer
	if c.name == "codex" {
		*format = "toml"
		enc := toml.NewEncoder(&out)
		enc.Indent = ""
		err := enc.Encode(map[string]any{"mcp_servers": servers})
		// The file may already have an [mcp_servers], and a second one would be an error.
		return strings.TrimPrefix(out.String(), "[mcp_servers]\n"), err
	}
	type input struct {
		Type        string `json:"type"`
		ID          string `json:"id"`
		Description string `json:"description"`
		Password    bool   `json:"password"`
	}
	config := struct {
		Inputs     []input                `json:"inputs,omitempty"`
		Servers    map[string]clientEntry `json:"servers,omitempty"`
		MCPServers map[string]clientEntry `json:"mcpServers,omitempty"`
	}{}
	if c.name == "vscode" {
		config.Servers = servers
		if e.Headers != nil {
			config.Inputs = []input{{"promptString", "biomcp-token", "token of the server biomcp", true}}
		}
	} else {
		config.MCPServers = servers
	}
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(config)
	return out.String(), err
}
