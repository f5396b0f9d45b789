package cli

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/words"
	"biomcp/entrez/polite"
	"biomcp/mcpshell"
)

// agentCall is one command line of an agent. It is parsed where it must be: not for an
// answer that was kept.
type agentCall struct {
	app   *command.App
	tree  func() *command.Tree
	words []string
	watch *polite.Watch
	begun time.Time
	links bool // to the papers that the answer names
}

// call is the call of a line in the form for the MCP server.
func (k *answers) call(app *command.App, tree func() *command.Tree, list []string) mcpshell.Call {
	a := &agentCall{app, tree, list, &polite.Watch{}, time.Now(), k.links}
	line := words.Quote(list)
	kept := k.to(line)
	var c *call
	run := func(ctx context.Context, json bool) mcpshell.Reply {
		if kept.holds(ctx, app, json) {
			return kept.reply
		}
		if c == nil {
			c = a.parse(list)
		}
		made, keepable := a.run(ctx, c, json)
		if keepable {
			k.keep(line, made)
		}
		return made.reply
	}
	if kept != nil {
		return mcpshell.Call{JSON: kept.typed, Family: kept.family, Local: true, Run: run, Progress: a.progress}
	}
	c = a.parse(list)
	return mcpshell.Call{JSON: c.json, Refused: c.fault != nil, Family: c.family(), Local: c.isLocal(&app.Env), Run: run, Progress: a.progress}
}

func (a *agentCall) parse(list []string) *call {
	c := parse(a.tree(), list, command.Agent)
	c.watch = a.watch
	return c
}

// run runs a parsed line and renders its answer.
func (a *agentCall) run(ctx context.Context, c *call, json bool) (made *keptAnswer, keepable bool) {
	ctx, cancel := early(ctx)
	defer cancel()
	made = &keptAnswer{family: c.family(), typed: c.json, json: json}
	if json && !c.json { // the commands to type next ask for JSON too
		if asked := a.parse(asJSON(a.words)); asked.json {
			c = asked
		}
	}
	out := c.run(ctx, a.app, agentIO())
	made.reply = replyOf(out, json, maxAnswer, mcpshell.ChartFormat(ctx, a.app.Env.ChartImages))
	if a.links {
		made.reply.Links = paperLinks(ctx, a.app, out)
	}
	made.from, keepable = a.watch.Replies()
	return made, keepable && !a.links && c.def().FromReplies && !c.noCache && !c.offline && !made.reply.IsError && len(made.reply.Images) == 0
}

// family is the command of a line without its arguments, "get article".
func (c *call) family() string { return strings.Join(command.Path(c.cmd), " ") }

// isLocal reports whether a line asks no other machine.
func (c *call) isLocal(env *command.Env) bool {
	if c.fault != nil || c.help || c.offline {
		return true
	}
	for at := c.cmd; at != nil && c.def().Effect == command.Reads; at = at.Parent() {
		if def := c.tree.Def(at); def != nil && (def.OnDisk || def.OnDiskIf != nil && def.OnDiskIf(env)) {
			return true
		}
	}
	return false
}

func (a *agentCall) progress() mcpshell.Progress {
	done, total := a.watch.Sum()
	return mcpshell.Progress{Done: done, Total: total, Text: progressLine(a.watch, time.Since(a.begun), lineEvery, false)}
}

// asJSON is a command line with --json, behind all other flags.
func asJSON(words []string) []string {
	end := slices.Index(words, "--")
	if end < 0 {
		end = len(words)
	}
	return slices.Insert(slices.Clone(words), end, "--json")
}

// agentIO is an agent's input and output: nothing to read, and no progress.
func agentIO() command.IO { return command.IO{In: strings.NewReader(""), Err: io.Discard} }

// early ends a little before a call's own deadline, so that the parts that have
// arrived are answered, with a notice about the others.
func early(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-min(2*time.Second, time.Until(end)/10)))
}
