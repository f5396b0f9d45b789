// Package mcpshell lets an agent use biomcp through the Model Context Protocol:
// one tool, biomcp, whose argument is a command line, and a list of resources
// to read.
//
// It is a shell around the commands and knows none of them. A command line is
// split into words ([biomcp/cli/words]) and passed to the [Parser]. The [Call] that
// the parser returns is authorised, run and rendered as a terminal's command line
// is, and its text is sent unchanged. So an agent can do only what the caller's
// policy allows.
//
// [Options.Tools] adds tools that clients call by names of their own: each is such a call in
// another form.
//
// An answer is one or several blocks: the text, which is what the command prints
// to a pipe; an image for each figure; and, if there is no image, what the command
// prints on standard error without failing, which is also in the result's
// _meta.notices.
//
// The package adds the duties of a server: a deadline for each call, a bound on
// calls at once, cancellation, an answer to every malformed message, one line
// of account for each call, session and refused token, and a standard output that
// carries only JSON-RPC.
//
// Resources are listed in the order of their [Library], a page at a time, and the
// variables of their templates can be completed. A Library also has prompts, and skills, which
// clients list with the digests of their files. [Shell.ServeResearch] serves the files of the
// research library over HTTP as well, in the protocol of Research Portal.
//
// The package does not decide what is allowed, does not render, and does not bound
// the length of an answer: the [Call] does all three.
//
//	shell := mcpshell.New(mcpshell.Options{Parse: parse, Version: "1.0.0", Description: text})
//	err := shell.ServeStdio(ctx, os.Stdin, os.Stdout)
//
// or, over MCP's Streamable HTTP,
//
//	server := shell.NewServer(mcpshell.Site{Rules: rules})
//	err := server.Serve(ctx, listener, nil)
//
// Both transports pass each message of a client to its session ([session.receive])
// and send the answer of the [exchange] that it returns. Ids that come back as they
// were sent, batches, refusals, resources, deadlines, cancellation, bounds and the log
// are therefore the same on both. The session answers calls of the tool and requests
// for resources; mcp-go has the types of the protocol and answers the other methods.
// Over HTTP an answer is one JSON body, or a stream of events if a notification comes
// first ([response]). Package access says who may ask.
//
// # Limits
//
// A call has Options.CallTimeout from its arrival to its answer. At most
// Options.MaxInFlight calls run at once and eight times as many wait in order;
// one more is refused at once. Calls that need no network have as many places of their
// own, and one caller over HTTP gets a quarter of either kind. A call that does not stop when its context
// ends keeps its place until it does, so runaway work never exceeds
// MaxInFlight. Over HTTP a body has at most [MaxBody] bytes. Sessions, their
// streams and the events kept for clients that lose their connection are bounded
// ([HTTPOptions]). On standard input a message is one line of at most 1 MiB; in
// protocol 2025-03-26, the only one that has batches, a line may be a list of at
// most 100 messages. A client that gives a progress token hears, every two
// seconds and at each step, how many steps of its call are done, or how much of its
// time is used if the call has no steps to count.
package mcpshell
