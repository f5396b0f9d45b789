package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/tools/txtar"

	"biomcp/cli"
	"biomcp/cli/command"
	"biomcp/cli/words"
	"biomcp/entrez/cbioportal/cbioportaltest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/pattern"
	"biomcp/entrez/sources"
	"biomcp/entrez/sources/sourcestest"
	"biomcp/rag/weaviate"
	"biomcp/store/study/example"
)

// The scripts in testdata/script run the program against a simulated NCBI. Every
// `exec biomcp` line whose command only reads is run a second time by an MCP client
// over in-memory pipes, and must give the same bytes.

// Scripts wait for the rate limit of a simulated NCBI rather than for a processor, so more of
// them run in parallel than there are processors. Slow rate limits, which entrez/sources tests,
// are raised here for the program and the simulators.
func TestMain(m *testing.M) {
	for _, s := range sources.All() {
		if s.Rate.PerSecond < 3 {
			s.Rate.PerSecond = 10
		}
	}
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	testscript.Main(m, programs)
}

// programs are the commands that the scripts can execute.
var programs = map[string]func(){"biomcp": biomcp}

func TestScripts(t *testing.T) {
	var only []string // empty means every script in dir
	dir := "testdata/script"
	if testing.Short() { // the scripts that start the most goroutines
		dir, only = "", []string{filepath.Join(dir, "article.txtar"), filepath.Join(dir, "corpus.txtar"), filepath.Join(dir, "mirror.txtar")}
	}
	testscript.Run(t, testscript.Params{
		Dir: dir, Files: only,
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"fail": fail, "publish": publish, "md5": wrongSum, "size": wrongSize},
		Setup: func(e *testscript.Env) error {
			// Each command, and each line over MCP, is a process that starts its own count of requests.
			srv, err := entreztest.Start(entreztest.NoLimit())
			if err != nil {
				return err
			}
			e.Values[simulator{}] = srv
			e.Defer(srv.Close)
			hub := sourcestest.AddTo(srv.Server)
			hub.Set("synthetic_hostile_2026", cbioportaltest.Pack(txtar.File{Name: "synthetic_hostile_2026/../../escape.txt"}))
			for _, f := range recordFiles() {
				if err := load(srv, f); err != nil {
					return err
				}
			}
			for _, v := range srv.Env() {
				e.Vars = append(e.Vars, strings.TrimPrefix(v, "export "))
			}
			e.Setenv("NCBI_API_KEY", entreztest.Key)
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("BIOMCP_CACHE_DIR", filepath.Join(e.WorkDir, "cache"))
			e.Setenv("BIOMCP_DATA_DIR", filepath.Join(e.WorkDir, "data"))
			_, err = example.Write(filepath.Join(e.WorkDir, "data", "studies"))
			return err
		},
	})
}

// simulator is the key of the simulated NCBI in the values of a script.
type simulator struct{}

// fail ENDPOINT KIND makes every later request to an endpoint fail.
func fail(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: fail ENDPOINT KIND")
	}
	srv := ts.Value(simulator{}).(*entreztest.Server)
	ts.Check(srv.Fail(entreztest.Fault{Endpoint: args[0], Kind: entreztest.Kind(args[1]), Times: -1}))
}

// publish YEAR N publishes the records on the file server as the baseline of a year, N per
// file.
func publish(ts *testscript.TestScript, _ bool, args []string) {
	var year, perFile int
	if _, err := fmt.Sscan(strings.Join(args, " "), &year, &perFile); err != nil {
		ts.Fatalf("usage: publish YEAR N: %v", err)
	}
	ts.Check(ts.Value(simulator{}).(*entreztest.Server).Publish(year, perFile))
}

// md5 FOLDER/NAME publishes a file with a wrong checksum on the file server.
func wrongSum(ts *testscript.TestScript, _ bool, args []string) {
	files := ts.Value(simulator{}).(*entreztest.Server).Files
	folder, name, _ := strings.Cut(args[0], "/")
	files.Put(folder, name, []byte("\x1f\x8b\x08 no file"))
	files.SetMD5(folder, name, strings.Repeat("0", 32))
}

// size FOLDER/NAME 900000G makes the file server list a file with a wrong size.
func wrongSize(ts *testscript.TestScript, _ bool, args []string) {
	folder, name, _ := strings.Cut(args[0], "/")
	ts.Value(simulator{}).(*entreztest.Server).Files.SetSize(folder, name, args[1])
}

func recordFiles() []string {
	files, _ := filepath.Glob("testdata/*.xml")
	return files
}

func load(srv *entreztest.Server, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(file, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return err
		}
	}
	return srv.Add(r)
}

// biomcp is the program that the scripts run: Main, followed by the same line over MCP.
func biomcp() {
	args := os.Args[1:]
	if !reads(args) {
		os.Exit(cli.Main(args))
	}
	stdout, out := capture(&os.Stdout)
	stderr, errs := capture(&os.Stderr)
	code := cli.Main(args)
	want, said := stdout(), stderr()
	if _, err := io.WriteString(out, want); err != nil {
		os.Exit(90)
	}
	if _, err := io.WriteString(errs, said); err != nil {
		os.Exit(90)
	}
	if code != 0 && !slices.Contains(args, "--json") {
		want = said
	}
	if code != 0 {
		want = forAgent(want)
	}
	wanted := []string{want}
	if notices := noticeLines(said); code == 0 && notices != "" {
		wanted = append(wanted, notices)
	}
	got, failed := overMCP(args)
	for i := range got { // notices to an agent mark the commands of the owner
		got[i] = strings.ReplaceAll(got[i], " (the server's owner runs it)", "")
	}
	if code != 0 {
		got[0] = names().ReplaceAllString(got[0], anyNames)
	}
	if code == 0 && listsCommands(args) {
		got[0] = fewerLines(got[0], want)
	}
	if !slices.Equal(got, wanted) || failed != (code != 0) {
		fmt.Fprintf(errs, "\nOVER MCP (failed: %v) the answer differs:\n%s\nWANT (exit %d):\n%s\n", failed, got, code, wanted)
		if code != 0 {
			os.Exit(0) // a line with "!" would accept any failure
		}
		os.Exit(91)
	}
	os.Exit(code)
}

// listsCommands reports whether the answer is shorter for an agent because it lists only
// commands that the agent may run.
func listsCommands(args []string) bool { return args[0] == "list" || slices.Contains(args, "--help") }

// fewerLines returns all if it contains every line of some, otherwise some.
func fewerLines(some, all string) string {
	lines := strings.Split(all, "\n")
	for l := range strings.SplitSeq(some, "\n") {
		if !slices.Contains(lines, l) {
			return some
		}
	}
	return all
}

// forAgent converts a failure to the form that an agent gets. A command that the agent may not
// run is suggested to the owner of the server, and an unknown word is answered with the allowed
// ones.
func forAgent(text string) string {
	text = unknown().ReplaceAllString(text, command.RefusalPrefix+": ${1}; "+anyNames+"${2}")
	return suggested().ReplaceAllStringFunc(text, func(line string) string {
		m := suggested().FindStringSubmatch(line)
		if args, err := words.Split(m[2] + m[3]); err != nil || reads(args[1:]) {
			return line
		}
		if m[2] != "" {
			return "the server's owner can run: " + m[2]
		}
		return `"owner":"` + m[3] + `"`
	})
}

var suggested = pattern.Lazy(`(?m)(^try:   (biomcp .*)$|"try":"(biomcp [^"]*)")`)

// unknown matches the message to a person about an unknown word: the word, then the closest one
// or the known names.
var unknown = pattern.Lazy(`(no (?:command|entity|target) \\?"[^"\\]*\\?")(?:(; did you mean [a-z-]+\?)|; there is: [^"\n]*)`)

// names matches the allowed names in a message, which differ for an agent. anyNames replaces
// them.
var names = pattern.Lazy(`allowed: [^;"\n]*`)

const anyNames = "allowed: any"

// noticeLines returns the notices on standard error.
func noticeLines(stderr string) (notices string) {
	for l := range strings.Lines(stderr) {
		if strings.HasPrefix(l, "notice: ") {
			notices += l
		}
	}
	return notices
}

// reads reports whether an agent may run the command that the words begin with, or a command of
// its group. It returns true for an unknown word, and false for a command that only a person
// may run, which the scripts do not compare.
func reads(args []string) bool {
	tree := cli.NewTree().Expand()
	at := tree.Root
	for _, word := range args {
		i := slices.IndexFunc(at.Commands(), func(c *cobra.Command) bool { return c.Name() == word || c.HasAlias(word) })
		if i < 0 {
			break
		}
		at = at.Commands()[i]
	}
	return len(args) > 0 && tree.ReadOnly(at) && !writes(tree, args)
}

// writes reports whether a line changes something or has a flag that only a person may use.
func writes(tree *command.Tree, args []string) bool {
	c, _, err := tree.Root.Find(args)
	if err != nil {
		return false
	}
	def := tree.Command(c)
	found := def != nil && def.Run != nil && def.Effect != command.Reads && (def.ReadOnlySwitch == "" || !slices.Contains(args, "--"+def.ReadOnlySwitch))
	c.Flags().VisitAll(func(f *pflag.Flag) {
		found = found || command.IsHostOnly(f) && (slices.Contains(args, "--"+f.Name) || f.Shorthand != "" && slices.Contains(args, "-"+f.Shorthand))
	})
	return found
}

// capture redirects a file of this process. It returns the original file, and a function that
// restores it and returns the captured output.
func capture(f **os.File) (done func() string, old *os.File) {
	old = *f
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	*f = w
	all := make(chan string)
	go func() {
		var b bytes.Buffer
		_, _ = io.Copy(&b, r) // reading our own pipe does not fail
		all <- b.String()
	}()
	return func() string {
		_ = w.Close()
		*f = old
		return <-all
	}, old
}

// overMCP runs a line with the MCP tool and returns the text of each content block of the
// answer.
func overMCP(args []string) (blocks []string, failed bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	app := &command.App{
		Env: command.ReadEnv(os.LookupEnv, cli.Version, sources.All()...), Version: cli.Version, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		OpenEngine: weaviate.Open,
	}
	defer app.Close()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	go func() { _ = outW.CloseWithError(cli.NewShell(app, 60).ServeStdio(ctx, inR, outW)) }()
	c := client.NewClient(transport.NewIO(outR, inW, io.NopCloser(strings.NewReader(""))))
	if err := c.Start(ctx); err != nil {
		return []string{err.Error()}, true
	}
	defer c.Close()
	var init mcp.InitializeRequest
	init.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	init.Params.ClientInfo = mcp.Implementation{Name: "script", Version: "1"}
	if _, err := c.Initialize(ctx, init); err != nil {
		return []string{err.Error()}, true
	}
	var call mcp.CallToolRequest
	call.Params.Name = "biomcp"
	call.Params.Arguments = map[string]any{"command": words.Quote(args)}
	res, err := c.CallTool(ctx, call)
	if err != nil {
		return []string{err.Error()}, true
	}
	for _, c := range res.Content {
		blocks = append(blocks, c.(mcp.TextContent).Text)
	}
	return blocks, res.IsError
}
