package cli

import (
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// The tests of this package have their own functions to run lines, because package clitest
// imports this package.
var (
	toyApp         = commandtest.App
	diskApp        = commandtest.Disk
	corpusApp      = commandtest.Empty
	ncbiApp        = commandtest.NCBI
	synthetic      = commandtest.PubMed
	unpaced        = commandtest.PubMed
	breadth        = commandtest.EverySource
	withSimulators = commandtest.WithFakeClock
	generated      = commandtest.GeneratedPMIDs
	validate       = commandtest.Validate
)

// exchanges runs a line with an empty cache. It returns the answer, the exit status and the
// requested endpoints.
func exchanges(t *testing.T, srv *entreztest.Server, line string) (text string, code int, endpoints []string) {
	t.Helper()
	srv.ClearRequests()
	text, code = ask(t, ncbiApp(t, srv), command.Agent, line)
	for _, r := range srv.Requests() {
		endpoints = append(endpoints, r.Endpoint)
	}
	return text, code, endpoints
}

// doors returns the answers to a line on a terminal, in JSON with standard error, and over MCP.
func doors(t *testing.T, app *command.App, line string) map[string]string {
	t.Helper()
	return map[string]string{
		"terminal": answer(t, app, command.Person, line),
		"JSON":     answer(t, app, command.Person, line+" --json"),
		"MCP":      answer(t, app, command.Agent, line),
	}
}
