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

// agentCall is one command line of an agent. It is parsed only if no stored answer can be
// reused.
type agentCall struct {
	app   *command.App
	tree  func() *command.Tree
	words []string
	watch *polite.Watch
	begun time.Time
	links bool // the answer links to the papers it names
}

// call prepares a command line for the MCP server. When it runs, it returns the stored answer
// if that is still valid, and otherwise executes the command.
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

// run executes a parsed line and renders its answer. It also reports whether the answer may be
// stored for later calls.
func (a *agentCall) run(ctx context.Context, c *call, json bool) (made *keptAnswer, keepable bool) {
	ctx, cancel := early(ctx)
	defer cancel()
	made = &keptAnswer{family: c.family(), typed: c.json, json: json}
	if json && !c.json { // so that the suggested commands carry --json too
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

// family returns the command of a line without its arguments, such as "get article".
func (c *call) family() string { return strings.Join(command.Path(c.cmd), " ") }

// isLocal reports whether the line needs no network.
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

// asJSON inserts --json after all other flags of a command line.
func asJSON(words []string) []string {
	end := slices.Index(words, "--")
	if end < 0 {
		end = len(words)
	}
	return slices.Insert(slices.Clone(words), end, "--json")
}

// agentIO returns the streams of an agent: empty input, and no progress output.
func agentIO() command.IO { return command.IO{In: strings.NewReader(""), Err: io.Discard} }

// early returns a context that ends slightly before the deadline of ctx. A command then still
// has time to answer with the parts that arrived and a notice about the missing ones.
func early(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-min(2*time.Second, time.Until(end)/10)))
}
