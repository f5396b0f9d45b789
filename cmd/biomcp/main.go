// Command biomcp searches and reads the biomedical literature: for people at a
// terminal, for scripts with --json, and for agents over MCP. Package cli is
// where everything begins.
package main

import (
	"os"

	"biomcp/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
