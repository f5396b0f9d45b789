package cli

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"biomcp/mcpshell"
)

// askTool calls the tool with arguments in JSON over MCP and returns its text blocks.
func askTool(t *testing.T, shell *mcpshell.Shell, arguments string) (text string, isError bool) {
	t.Helper()
	in, send := io.Pipe()
	receive, out := io.Pipe()
	go func() {
		_ = shell.ServeStdio(context.Background(), in, out)
		out.Close()
	}()
	go func() {
		_, _ = io.WriteString(send, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"biomcp","arguments":`+arguments+"}}\n")
	}()
	var reply struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	if err := json.NewDecoder(receive).Decode(&reply); err != nil {
		t.Fatalf("%s: %v", arguments, err)
	}
	send.Close()
	_, _ = io.Copy(io.Discard, receive)
	for _, c := range reply.Result.Content {
		text += c.Text
	}
	return text, reply.Result.IsError
}

// Over MCP an argument that is a flag or the query of the command is answered with the line that has
// it. Any other argument is ignored.
func TestFlagsAsArguments(t *testing.T) {
	t.Parallel()
	shell := NewShell(diskApp(t), 60)
	for arguments, want := range map[string]string{
		`{"command":"search article melanoma","limit":5}`:                       "biomcp search article melanoma --limit 5",
		`{"command":"search article melanoma","max_results":"5"}`:               "biomcp search article melanoma --limit 5",
		`{"command":"search article melanoma","dateFrom":"2020","review":true}`: "biomcp search article melanoma --date-from 2020 --review",
		`{"command":"search article melanoma","mesh":["Melanoma","Nevi"]}`:      "biomcp search article melanoma --mesh Melanoma --mesh Nevi",
		`{"command":"search article","query":"lung cancer"}`:                    "biomcp search article 'lung cancer'",
		`{"command":"get gene","id":"BRAF"}`:                                    "biomcp get gene BRAF",
		`{"command":"get article","ids":["1","2"]}`:                             "biomcp get article 1 2",
		`{"command":"search article melanoma","limit":"many"}`:                  "biomcp search article melanoma --limit 20",
		`{"command":"study query","study":"synthetic_demo","gene":"TP53"}`:      "biomcp study query --gene TP53 --study synthetic_demo",
		`{"command":"search article melanoma","review":"yes","author":["A"]}`:   "biomcp search article melanoma --author A --review",
		`{"command":"list gene","limit":5,"toolCallId":"1"}`:                    "ignored arguments: \"limit\", \"toolCallId\"",
		`{"command":"list gene","output":"x.csv","verbose":true,"version":"1"}`: "ignored arguments",
		`{"command":"list gene","json":"true"}`:                                 `"entity":"gene"`,
		`{"command":"list","json":true}`:                                        `"command":"biomcp search article"`,
	} {
		text, isError := askTool(t, shell, arguments)
		if wantsError := strings.HasPrefix(want, "biomcp "); isError != wantsError {
			t.Errorf("%s: isError %v, want %v: %s", arguments, isError, wantsError, text)
		}
		if strings.HasPrefix(want, "biomcp ") {
			want = "try:   " + want + "\n"
		}
		if !strings.Contains(text, want) {
			t.Errorf("%s: %.300s, want %q", arguments, text, want)
		}
	}
}

// An argument whose value its flag cannot have, or that contradicts the line, is refused, so that no
// filter is dropped. A command that an agent may not run keeps its own refusal.
func TestArgumentsThatCannotBeFlags(t *testing.T) {
	t.Parallel()
	shell := NewShell(diskApp(t), 60)
	const part = "part of command, not arguments of their own: "
	for arguments, want := range map[string]string{
		`{"command":"search article melanoma","review":"maybe"}`:           part + "review",
		`{"command":"search article melanoma","limit":{"a":1}}`:            part + "limit",
		`{"command":"search article melanoma --limit 1","limit":5}`:        part + "limit",
		`{"command":"sync pubmed","all":true}`:                             "read-only",
		`{"command":"library add p","from_articles":"1","style":"bibtex"}`: "read-only",
		`{"command":"cache clear","yes":true}`:                             "CLI-only over MCP",
		// These change nothing, and the search runs into the absent network.
		`{"command":"search article melanoma --limit 5","limit":5,"a":"b"}`: "ignored arguments: \"a\", \"limit\"",
		`{"command":"search article melanoma","review":"no"}`:               "ignored arguments: \"review\"",
	} {
		text, isError := askTool(t, shell, arguments)
		if !isError || !strings.Contains(text, want) {
			t.Errorf("%s: isError %v, %.300s, want %q", arguments, isError, text, want)
		}
	}
}
