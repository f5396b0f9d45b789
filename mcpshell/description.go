package mcpshell

import _ "embed"

// Description is the tool's text for the model to read: what an agent may ask,
// generated from the command tree by `go run ./build`.
//
//go:embed description.md
var Description string
