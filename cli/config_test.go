package cli

import (
	"os"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/entrez/sources"
)

// A key is not shown at any door. A flag overrides the environment, which overrides the file.
func TestConfig(t *testing.T) {
	home := t.TempDir()
	app := func(vars ...string) *command.App {
		a := diskApp(t)
		a.Env = command.ReadEnv(func(name string) (string, bool) {
			for _, v := range append(vars, "HOME="+home) {
				if value, is := strings.CutPrefix(v, name+"="); is {
					return value, true
				}
			}
			return "", false
		}, "test", sources.All()...)
		a.Env.Network.Transport = corpusApp(t).Env.Network.Transport // refuses every connection
		return a
	}
	const key = "0123456789abcdefSECRET"
	for _, c := range []struct {
		line string
		code int
		want string
	}{
		{"config list", 0, "All settings have their defaults"},
		{"config set ncbi-api-key " + key, 0, "**Value:** set"},
		{"config set MCP_HTTP_PORT 9001", 0, "9001"},
		{"config set NCBI_API_KY x", 2, "did you mean NCBI_API_KEY?"},
		{"config set NCBI_MAX_RETRIES many", 2, "must be a whole number"},
		{"config set BIOMCP_ENTREZ_URL ftp:x", 2, "must be an http or https address"},
		{"config get NCBI_API_KEY", 0, "set"},
		{"config get MCP_HTTP_PORT", 0, "9001"},
		{"config get WEAVIATE_URL", 1, "has no value"},
		{"config list", 0, "| MCP_HTTP_PORT | 9001 | file |"},
		{"config list --json", 0, `"name":"NCBI_API_KEY","value":"set","origin":"file","secret":true`},
		{"config list --long", 0, "| NCBI_MAX_RETRIES |"},
		{"health", 0, "| settings from the file | setting | ok | NCBI_API_KEY, MCP_HTTP_PORT |"},
		{"health --json", 0, `"name":"settings from the file"`},
		{"config unset NCBI_API_KEY", 0, "default"},
		{"config get NCBI_API_KEY", 1, "has no value"},
		{"config set NCBI_API_KEY " + key, 0, "file"},
	} {
		text, code := ask(t, app(), command.Person, c.line)
		if code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("%s: exit %d, want %d with %q: %s", c.line, code, c.code, c.want, text)
		}
		if strings.Contains(text, key) {
			t.Errorf("%s shows the key: %s", c.line, text)
		}
	}
	for _, line := range []string{"config list", "config get MCP_HTTP_PORT", "config set MCP_HTTP_PORT 1", "config unset MCP_HTTP_PORT"} {
		if text, code := ask(t, app(), command.Agent, line); code != 2 || !strings.Contains(text, command.RefusalPrefix) || strings.Contains(text, home) {
			t.Errorf("MCP: %s: exit %d: %s", line, code, text)
		}
	}
	if text, _ := ask(t, app(), command.Agent, "health"); strings.Contains(text, home) || strings.Contains(text, key) || !strings.Contains(text, "settings from the file") {
		t.Errorf("MCP: health: %s", text)
	}
	for line, want := range map[string]string{
		"serve-http probe":             "at port 9002", // the environment
		"serve-http probe --port 9003": "at port 9003",
	} {
		if text, code := ask(t, app("MCP_HTTP_PORT=9002"), command.Person, line); code != 1 || !strings.Contains(text, want) {
			t.Errorf("%s: exit %d, want %q: %s", line, code, want, text)
		}
	}
	if text, _ := ask(t, app(), command.Person, "serve-http probe"); !strings.Contains(text, "at port 9001") {
		t.Errorf("the file is not used: %s", text)
	}
	if text, code := ask(t, app("MCP_HTTP_PORT=9002"), command.Person, "config set MCP_HTTP_PORT 9004"); code != 0 || !strings.Contains(text, "overrides the file") {
		t.Errorf("exit %d: %s", code, text)
	}
	if err := os.WriteFile(app().Env.Settings.Path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]struct {
		code int
		text string
	}{
		"version":                    {0, "biomcp"},
		"health":                     {0, "settings file | setting | down"},
		"config list":                {0, "repair or remove it"},
		"config set MCP_HTTP_PORT 1": {1, "repair or remove it"},
	} {
		if text, code := ask(t, app(), command.Person, line); code != want.code || !strings.Contains(text, want.text) {
			t.Errorf("damaged: %s: exit %d, want %d with %q: %s", line, code, want.code, want.text, text)
		}
	}
}
