// Package mcpshell is a Model Context Protocol (MCP) server for biomcp: one tool, biomcp, whose
// argument is a command line, and a list of resources to read.
//
// It does not know the commands. It splits a command line into words ([biomcp/cli/words]) and
// passes them to the [Parser]. The [Call] that the parser returns authorises, runs and renders
// the command as on a terminal, so an agent can do only what the caller's policy allows. The
// package neither decides what is allowed nor shortens an answer. [Options.Tools] adds tools with
// names of their own.
//
// An answer is a text block with the command's standard output, and an image block for each
// figure. Its warnings are in the result's _meta.notices, and in a last text block if there is no
// image.
//
// The package adds a deadline for each call, a limit on concurrent calls, cancellation, an answer
// to every malformed message and one log line for each call, session and rejected token. Only
// JSON-RPC messages are written to standard output.
//
// Resources are listed in the order of their [Library], which also has prompts and skills.
// [Shell.ServeResearch] serves the research library in the protocol of Research Portal.
//
//	shell := mcpshell.New(mcpshell.Options{Parse: parse, Version: "1.0.0", Description: text})
//	err := shell.ServeStdio(ctx, os.Stdin, os.Stdout)
//
// or, over MCP's Streamable HTTP,
//
//	server := shell.NewServer(mcpshell.Site{Rules: rules})
//	err := server.Serve(ctx, listener, nil)
//
// Both transports pass each message to its session ([session.receive]) and send the answer of the
// [exchange] that it returns. The session answers tool calls and requests for resources; mcp-go
// has the types of the protocol and answers the other methods. Package access controls who may
// call.
//
// Limits: a call has Options.CallTimeout. At most Options.MaxInFlight calls run at once, and
// eight times as many wait; the next one is rejected. Calls that need no network have the same
// limits of their own, and a caller over HTTP gets a quarter of each. A call that ignores its
// context keeps its slot until it returns. [MaxBody], [HTTPOptions] and maxLine bound the
// transports.
package mcpshell
