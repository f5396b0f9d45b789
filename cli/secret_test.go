package cli

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/words"
	"biomcp/entrez/sources"
)

// linesWithKey are lines that hold a key, all but the first two misspelt or for another command.
var linesWithKey = []string{
	"config set NCBI_API_KEY abc123",
	"config set NCBI_APIKEY abc123",
	"config set ncbi-api-key abc123 --foo",
	"config set NCBI_API_KY abc123",
	"config set abc123 NCBI_API_KEY",
	"config set NCBI_API_KEY abc123 abc123def",
	"config set NCBI_API_KEY=abc123",
	"config set NCBI_API_KEY -abc123",
	"confg set NCBI_API_KEY abc123",
	"confg set NCBI_API_KEY=abc123",
	"config st NCBI_API_KEY abc123",
	"config NCBI_API_KEY abc123",
	"config get NCBI_API_KEY abc123",
	"config unset NCBI_API_KEY abc123",
	"config list HF_TOKEN abc123",
	"config set --NCBI_API_KEY abc123",
	"config set --api-key abc123",
	"cofnig set MCP_AUTH_SECRET_KEY abc123",
	"confg set S2_API_KEY abc123",
	"confg set WEAVIATE_API_KEY abc123",
	"set NCBI_API_KEY abc123",
	"NCBI_API_KEY abc123",
	"NCBI_API_KEY=abc123",
	"NCBI_API_KEY=abc123 search article melanoma",
	"export NCBI_API_KEY=abc123",
	"'confg set NCBI_API_KEY abc123'",
	"--api-key abc123 search article melanoma",
	"search article melanoma --api-key=abc123",
	"search article melanoma NCBI_API_KEY=abc123",
	"search article 'NCBI_API_KEY abc123'",
	"suggest set NCBI_API_KEY abc123",
	"discover 'OPENAI_API_KEY abc123'",
	"serch article melanoma --token abc123",
}

// A key typed at any place of a line stands neither in the answer nor in the log, and is not sent.
func TestTypedKeyIsNeverShown(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	home := t.TempDir()
	app := func() *command.App {
		a := diskApp(t)
		a.Env = command.ReadEnv(func(name string) (string, bool) { return home, name == "HOME" }, "test", sources.All()...)
		a.Env.Network.Transport = corpusApp(t).Env.Network.Transport // refuses every connection
		a.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		return a
	}
	for _, line := range linesWithKey {
		for _, flags := range []string{"", " --json", " -v", " -vv"} {
			for door, policy := range map[string]command.Policy{"person": command.Person, "agent": command.Agent} {
				text, code := ask(t, app(), policy, line+flags)
				if strings.Contains(text, "abc123") {
					t.Errorf("%s: %s%s shows the key: %s", door, line, flags, text)
				}
				wantCode := 2
				if policy == command.Person && (line == linesWithKey[0] || line == linesWithKey[1]) {
					wantCode = 0
				}
				if code != wantCode {
					t.Errorf("%s: %s%s: exit %d, want %d: %s", door, line, flags, code, wantCode, text)
				}
				if policy == command.Person && !strings.Contains(text, "config set") {
					t.Errorf("%s%s: no command that reads a key: %s", line, flags, text)
				}
			}
		}
	}
	shell := NewShell(app(), 60)
	for _, line := range append(linesWithKey, "NCBI_API_KEY=abc123 biomcp list; list", "export NCBI_API_KEY=abc123 && biomcp list",
		"confg set NCBI_API_KEY abc123 | head") {
		arguments, err := json.Marshal(map[string]any{"command": line})
		if err != nil {
			t.Fatal(err)
		}
		if text, failed := askTool(t, shell, string(arguments)); strings.Contains(text, "abc123") || !failed {
			t.Errorf("MCP: %s: failed %t, want true without the key: %s", line, failed, text)
		}
	}
	if strings.Contains(log.String(), "abc123") {
		t.Errorf("the log shows the key: %s", log.String())
	}
	if !strings.Contains(log.String(), "[hidden]") {
		t.Errorf("no line in the log has a hidden key: %s", log.String())
	}
}

// The failure says how to keep a key without typing it on the line.
func TestAdviceAboutKeys(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"confg set NCBI_API_KEY abc123":     "biomcp config set NCBI_API_KEY -",
		"config NCBI_APIKEY abc123":         "biomcp config set NCBI_API_KEY -",
		"config set NCBI_API_KY abc123":     "biomcp config set NCBI_API_KEY -",
		"config set abc123 NCBI_API_KEY":    "biomcp config set NCBI_API_KEY -",
		"confg set hf-token abc123":         "biomcp config set HF_TOKEN -",
		"--api-key abc123 search article x": "biomcp config set NCBI_API_KEY -",
		"NCBI_API_KEY=abc123":               "biomcp config set NCBI_API_KEY -",
	} {
		if text, _ := ask(t, corpusApp(t), command.Person, line); !strings.Contains(text, want) {
			t.Errorf("%s: want %q: %s", line, want, text)
		}
		if text, _ := ask(t, corpusApp(t), command.Agent, line); strings.Contains(text, "try:   "+want) {
			t.Errorf("an agent gets %q for %s: %s", want, line, text)
		}
	}
}

// No command or flag has a name that is read as the name of a key, and every secret setting is.
func TestNamesOfKeys(t *testing.T) {
	t.Parallel()
	for _, v := range command.Variables(sources.All()...) {
		_, name := words.HideKeys([]string{v.Name, "abc123"}, "-", true)
		if (name != "") != v.IsSecret() {
			t.Errorf("%s is read as a key: %t, want %t", v.Name, name != "", v.IsSecret())
		}
	}
	tree := NewTree()
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		tree.Flags(c).VisitAll(func(f *pflag.Flag) {
			if _, name := words.HideKeys([]string{"--" + f.Name, "abc123"}, "-", true); name != "" {
				t.Errorf("%s: --%s is read as a key", c.CommandPath(), f.Name)
			}
		})
		for _, member := range slices.Clone(tree.Commands(c)) {
			visit(member)
		}
	}
	visit(tree.Root)
}
