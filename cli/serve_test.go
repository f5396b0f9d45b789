package cli

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/words"
	"biomcp/entrez/entreztest"
	"biomcp/mcpshell"
	"biomcp/store/study/example"
)

// agent runs words with the function that the server calls.
func agent(app *command.App) func(context.Context, []string, bool) mcpshell.Reply {
	return func(ctx context.Context, words []string, json bool) mcpshell.Reply {
		call := Parser(app)(words)
		return call.Run(ctx, json || call.JSON)
	}
}

func TestServerAuthorisesCalls(t *testing.T) {
	run := agent(diskApp(t))
	for _, words := range []string{"cache path", "cache clear --yes", "demo", "serve", "completion bash", "sync pubmed --from x", "sync checkpoint k 2024-01-01"} {
		t.Run(words, func(t *testing.T) {
			if r := run(t.Context(), strings.Fields(words), false); !r.IsError || !strings.Contains(r.Text, "over MCP") && !strings.Contains(r.Text, command.RefusalPrefix) {
				t.Errorf("%s was not refused: %s", words, r.Text)
			}
		})
	}
	if r := run(t.Context(), []string{"version"}, false); r.IsError {
		t.Error(r.Text)
	}
}

func TestServerBoundsAnswers(t *testing.T) {
	srv := entreztest.New(t)
	if err := srv.Add(entreztest.Generate(150, 3)); err != nil {
		t.Fatal(err)
	}
	run := agent(ncbiApp(t, srv))
	r := run(t.Context(), append([]string{"get", "article"}, generated(150)...), false)
	if n := len([]rune(r.Text)); r.IsError || n > maxAnswer || n < maxAnswer/2 || !strings.Contains(r.Text, "The rest:") {
		t.Errorf("%d characters: %.300s", n, r.Text)
	}
}

// TestPartialAnswerBeforeTheDeadline checks that an answer before the deadline names the silent
// sources and keeps the other parts.
func TestPartialAnswerBeforeTheDeadline(t *testing.T) {
	srv := synthetic(t)
	if err := srv.Fail(entreztest.Fault{Endpoint: "pubtator", Kind: entreztest.Stall, Times: -1}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := early(t.Context())
	defer cancel()
	if _, ok := ctx.Deadline(); ok {
		t.Error("a call without a deadline got one")
	}
	app := ncbiApp(t, srv)
	app.Env.Network.Timeout, app.Env.Network.Deadline = time.Second, time.Second
	r := agent(app)(t.Context(), []string{"get", "article", "90100001", "annotations"}, false)
	if r.IsError || !strings.Contains(r.Text, "Ergothioneine") || !strings.Contains(r.Text, "Annotations") {
		t.Errorf("%v %s", r.IsError, r.Text)
	}
}

func TestServerLogsCalls(t *testing.T) {
	for words, want := range map[string]bool{"serve": true, "mcp --call-timeout 5": true, "search article serve": false, "version": false} {
		t.Run(words, func(t *testing.T) {
			log, closing := newLog(command.Env{}, parse(NewTree(), strings.Fields(words), command.Person))
			if got := log.Enabled(t.Context(), slog.LevelInfo); got != want {
				t.Errorf("%s: %v", words, got)
			}
			closing()
		})
	}
}

func TestResources(t *testing.T) {
	app := diskApp(t)
	if text, code := ask(t, app, command.Person, "sync pubmed --from "+sampleRecords); code != 0 {
		t.Fatal(text)
	}
	l := library{app, func() mcpshell.Stats { return mcpshell.Stats{} }}
	for pmid, notices := range map[string]string{"90100001": "", "90100002": "RETRACTED: article 90100002 has been retracted: J Synth Nutr. 2021;10(2):50"} {
		t.Run(pmid, func(t *testing.T) {
			paper, found, err := l.Read(t.Context(), "resource://pubmed/paper/"+pmid)
			if err != nil || !found || paper.MIME != "application/json" || strings.Join(paper.Notices, "\n") != notices {
				t.Fatal(paper, found, err)
			}
			validate(t, "get_document.response", "paper", paper.Text)
			if text, _ := ask(t, app, command.Agent, "get document --json pmid:"+pmid); text != paper.Text {
				t.Errorf("%s\nis not what the command answers:\n%s", paper.Text, text)
			}
		})
	}
	if info, found, err := l.Read(t.Context(), "biomcp://info"); err != nil || !found || !json.Valid([]byte(info.Text)) || strings.Contains(info.Text, app.Env.DataDir) {
		t.Error(info, found, err)
	}
	for _, uri := range []string{"resource://pubmed/paper/1", "resource://pubmed/paper/", "resource://pubmed/paper/x", "resource://pubmed/paper/pmid:90100001", "biomcp://stats/", "biomcp://stats/a/b", ""} {
		t.Run(uri, func(t *testing.T) {
			if _, found, err := l.Read(t.Context(), uri); found || err != nil {
				t.Errorf("%q: %v %v", uri, found, err)
			}
		})
	}
}

// A command that declares that it needs no network sends no request, and has its own limit of
// concurrent calls.
func TestCommandsOnDisk(t *testing.T) {
	app := diskApp(t)
	if text, code := ask(t, app, command.Person, "study download "+example.ID); code != 0 {
		t.Fatal(text)
	}
	asked := &countingTransport{}
	app.Env.Network.Transport = asked
	tree, parser, n := NewTree(), Parser(app), 0
	for _, c := range Runnable(tree, tree.Root, command.Agent) {
		for _, shown := range tree.Command(c).Examples {
			line := strings.TrimPrefix(shown.Line, "biomcp ")
			t.Run(line, func(t *testing.T) {
				list, err := words.Split(line)
				if err != nil {
					t.Fatal(err)
				}
				call := parser(list)
				if call.Refused || !call.Local {
					return
				}
				n++
				call.Run(t.Context(), false)
				if asked.n != 0 {
					asked.n = 0
					t.Errorf("%s asked other machines", line)
				}
			})
		}
	}
	if n < 20 {
		t.Errorf("only %d examples need no network", n)
	}
	for _, set := range []func(*command.Env){func(e *command.Env) { e.Embeddings = "openai" }, func(e *command.Env) { e.Index = "weaviate" }} {
		elsewhere := diskApp(t)
		if set(&elsewhere.Env); Parser(elsewhere)([]string{"search", "corpus", "retina"}).Local {
			t.Errorf("with %s and %s search corpus is local", elsewhere.Env.Embeddings, elsewhere.Env.Index)
		}
	}
	for line, want := range map[string]bool{
		"get gene BRAF": false, "search article retina": false, "search corpus retina": true, "health": false, "study list": true, "skill list": true,
		"list": true, "search article --help": true, "get nothing": true, "search article retina --offline": true, "get document pmid:1": true,
	} {
		t.Run(line, func(t *testing.T) {
			if got := parser(strings.Fields(line)).Local; got != want {
				t.Errorf("%s is local: %v", line, got)
			}
		})
	}
}

// countingTransport rejects and counts all requests.
type countingTransport struct {
	commandtest.RefusingTransport
	n int
}

func (c *countingTransport) RoundTrip(q *http.Request) (*http.Response, error) {
	c.n++
	return c.RefusingTransport.RoundTrip(q)
}
