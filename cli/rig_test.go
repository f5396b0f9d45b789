package cli

import (
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// The App of a test and what it asks. Package clitest, which runs lines for the tests
// of entities, imports this package, so that the tests in it run lines by themselves.
var (
	toyApp         = commandtest.App
	diskApp        = commandtest.Disk
	corpusApp      = commandtest.Empty
	ncbiApp        = commandtest.NCBI
	synthetic      = commandtest.PubMed
	unpaced        = commandtest.PubMed
	breadth        = commandtest.EverySource
	withSimulators = commandtest.InBubble
	generated      = commandtest.Generated
	validate       = commandtest.Validate
)

// exchanges runs a line without a kept reply: its answer, exit status and the
// endpoints that were asked.
func exchanges(t *testing.T, srv *entreztest.Server, line string) (text string, code int, endpoints []string) {
	t.Helper()
	srv.Forget()
	text, code = ask(t, ncbiApp(t, srv), command.Agent, line)
	for _, r := range srv.Requests() {
		endpoints = append(endpoints, r.Endpoint)
	}
	return text, code, endpoints
}

// doors are the answers to a line at a terminal, in JSON with what goes to standard
// error, and over MCP.
func doors(t *testing.T, app *command.App, line string) map[string]string {
	t.Helper()
	return map[string]string{
		"terminal": answer(t, app, command.Person, line),
		"JSON":     answer(t, app, command.Person, line+" --json"),
		"MCP":      answer(t, app, command.Agent, line),
	}
}
