package cli

import (
	"biomcp/cli/command/commandtest"
)

// The App of a test and what it asks. Package clitest, which runs lines for the tests
// of entities, imports this package, so that the tests in it run lines by themselves.
var (
	toyApp         = commandtest.App
	diskApp        = commandtest.Disk
	ncbiApp        = commandtest.NCBI
	environment    = commandtest.Environment
	synthetic      = commandtest.PubMed
	unpaced        = commandtest.PubMed
	breadth        = commandtest.EverySource
	withSimulators = commandtest.InBubble
	generated      = commandtest.Generated
	sourced        = commandtest.Paced
	validate       = commandtest.Validate
)
