// Package mcpshell lets an agent use biomcp through the Model Context Protocol:
// one tool, biomcp, whose argument is a command line, and a list of resources
// to read.
//
// It is a shell around the commands and knows none of them. A command line is
// split into words ([biomcp/cli/words]) and handed to the [Parser] it was given;
// the [Call] that comes back is authorised, run and rendered as a terminal's
// command line is, and its text is sent word for word. So nothing can be done
// here that the caller's policy does not allow.
//
// An answer is one or several blocks: the text, which is what the command prints
// to a pipe; an image for each figure; and, where there is none, what the command
// prints on standard error though it did not fail, which is also in the result's
// _meta.notices.
//
// The package adds the duties of a server: a deadline for each
// call, a bound on calls at once, cancellation, an answer to every malformed
// message, one log line at the start and one at the end of a call, and a
// standard output that carries JSON-RPC and nothing else.
//
// Resources are listed in the order of their [Library], a page at a time, and the
// variables of their templates can be completed. [Shell.ServeResearch] serves the files
// of the research library a second time, in the protocol of Research Portal, over HTTP.
//
// It is not for deciding what is allowed, for rendering, or for bounding an
// answer's length: all three are the [Call]'s.
//
//	shell := mcpshell.New(mcpshell.Options{Parse: parse, Version: "1.0.0", Description: text})
//	err := shell.ServeStdio(ctx, os.Stdin, os.Stdout)
//
// or, over MCP's Streamable HTTP,
//
//	server := shell.NewServer(mcpshell.Site{Rules: rules})
//	err := server.Serve(ctx, listener, nil)
//
// Both transports hand each message of a client to its session
// ([session.take]), where everything else happens: ids that come back as they
// were sent, batches, refusals, resources, deadlines, cancellation, bounds and
// the log are the same on both. Over HTTP, mcp-go carries the messages
// ([carrier]) that may need a stream of events; a plain call, whose answer is one JSON
// body, is answered at once ([load.plain]). Package access says who may ask.
//
// # Limits
//
// A call has Options.CallTimeout from its arrival to its answer. At most
// Options.MaxInFlight calls run at once and eight times as many wait in order;
// one more is refused at once. A call that does not stop when its context
// ends keeps its place until it does, so runaway work never exceeds
// MaxInFlight. Over HTTP a body has at most [MaxBody] bytes; sessions, their
// streams and the events kept for resumption are bounded ([HTTPOptions]). On standard input a message is one line of at most 1 MiB; in
// protocol 2025-03-26, the only one that has batches, a line may be a list of at
// most 100 messages. A client that gives a progress token hears, every two
// seconds and at each step, how many steps of its call are done, or how much of its
// time is used where there are no steps to count.
package mcpshell
