// Package clitest runs command lines for the tests of entities and studies and reads
// their answers. Such a test belongs to an external test package (gene_test), because
// this package imports every entity. Package commandtest provides the App.
package clitest

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	_ "biomcp/build/testgc"
	"biomcp/cli"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
	"biomcp/mcpshell"
)

// Words splits a line into words.
func Words(t testing.TB, line string) []string {
	t.Helper()
	list, err := words.Split(line)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Run runs a line and returns its outcome before rendering.
func Run(t testing.TB, app *command.App, may command.Policy, line string) result.Outcome {
	t.Helper()
	return cli.Run(t.Context(), app, command.IO{Err: io.Discard}, Words(t, line), may)
}

// Ask runs a line and returns the answer as a pipe receives it, and the exit status.
func Ask(t testing.TB, app *command.App, may command.Policy, line string) (text string, code int) {
	t.Helper()
	out := Run(t, app, may, line)
	text, _ = cli.RenderAnswer(out, cli.Parser(app)(Words(t, line)).JSON, 0)
	return text, cli.ExitStatus(out)
}

// AskUncached runs a line for an agent with an empty cache. It returns the answer, the exit status
// and the requests, without the einfo requests, whose replies are cached for a day.
func AskUncached(t testing.TB, srv *entreztest.Server, line string) (text string, code int, requests []sourcetest.Request) {
	t.Helper()
	srv.ClearRequests()
	text, code = Ask(t, commandtest.NCBI(t, srv), command.Agent, line)
	for _, r := range srv.Requests() {
		if r.Endpoint != "einfo" {
			requests = append(requests, r)
		}
	}
	return text, code, requests
}

// Endpoints returns the endpoint of each request.
func Endpoints(requests []sourcetest.Request) (names []string) {
	for _, r := range requests {
		names = append(names, r.Endpoint)
	}
	return names
}

// Outcomes returns the outcome of each section of a JSON answer by section key.
func Outcomes(t testing.TB, text string) map[string]result.State {
	t.Helper()
	var got struct {
		Meta struct {
			Sources []result.SectionSource `json:"section_sources"`
		} `json:"_meta"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err, text)
	}
	outcomes := map[string]result.State{}
	for _, s := range got.Meta.Sources {
		outcomes[s.Key] = s.Outcome
	}
	return outcomes
}

// Main runs the tests of a package. Most tests wait for the rate limit of a simulated source
// rather than for a processor, so more of them run in parallel than there are processors.
func Main(m *testing.M) {
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// Notices returns the notices of one command by output: "terminal", "JSON" and "MCP".
func Notices(t testing.TB, app *command.App, line string) map[string][]string {
	t.Helper()
	var screen bytes.Buffer
	format := result.Format{Terminal: true, Width: 500}
	if err := result.Render(&screen, &screen, Run(t, app, command.Person, line), format); err != nil {
		t.Fatal(err)
	}
	noticesIn := func(text, mark string) (notices []string) {
		for l := range strings.Lines(text) {
			if rest, ok := strings.CutPrefix(l, mark); ok {
				notices = append(notices, strings.TrimSpace(rest))
			}
		}
		return notices
	}
	asJSON, _ := Ask(t, app, command.Agent, line+" --json")
	var got struct{ Notices []string }
	if err := json.Unmarshal([]byte(asJSON), &got); err != nil {
		t.Fatal(err, asJSON)
	}
	text, _ := Ask(t, app, command.Agent, line)
	return map[string][]string{
		"terminal": noticesIn(screen.String(), "! "),
		"JSON":     got.Notices,
		"MCP":      noticesIn(text, "**Note:** "),
	}
}

// Answer returns the answer to a line. If the command fails, the answer begins with "failed: ".
func Answer(t testing.TB, app *command.App, may command.Policy, line string) string {
	t.Helper()
	text, code := Ask(t, app, may, line)
	if code != 0 {
		return "failed: " + text
	}
	return text
}

// AnswersByFormat returns the answers to a line by output: "terminal", "JSON" and "MCP".
func AnswersByFormat(t testing.TB, app *command.App, line string) map[string]string {
	t.Helper()
	return map[string]string{
		"terminal": Answer(t, app, command.Person, line),
		"JSON":     Answer(t, app, command.Person, line+" --json"),
		"MCP":      Answer(t, app, command.Agent, line),
	}
}

// RunForPerson runs a line for a person and returns both output streams and the exit status.
func RunForPerson(t testing.TB, app *command.App, line string) (stdout, stderr string, code int) {
	t.Helper()
	out := Run(t, app, command.Person, line)
	var o, e bytes.Buffer
	if err := result.Render(&o, &e, out, result.Format{JSON: cli.Parser(app)(Words(t, line)).JSON}); err != nil {
		t.Fatal(err)
	}
	return o.String(), e.String(), cli.ExitStatus(out)
}

// AskAgent returns the MCP reply to a line.
func AskAgent(t testing.TB, app *command.App, line string, json bool) mcpshell.Reply {
	t.Helper()
	call := cli.Parser(app)(Words(t, line))
	return call.Run(t.Context(), json || call.JSON)
}

// FailEndpoint makes an endpoint of a server fail from now on.
func FailEndpoint(t testing.TB, srv *entreztest.Server, endpoint string) {
	t.Helper()
	if err := srv.Fail(sourcetest.Fault{Endpoint: endpoint, Kind: sourcetest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
}
