// Command biomcp searches and reads the biomedical literature: for people at a
// terminal, for scripts with --json, and for agents over MCP. See package cli.
package main

import (
	"os"
	"runtime/debug"

	"biomcp/cli"
	_ "biomcp/cmd/biomcp/start"
	"biomcp/rag/intake"
)

func main() {
	limitMemory()
	os.Exit(cli.Main(os.Args[1:]))
}

// limitMemory sets intake.MemoryLimit, unless the user has set a limit.
func limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(intake.MemoryLimit)
	}
}
