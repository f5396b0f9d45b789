package cli

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/correct"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/entrez/httpclient"
	"biomcp/mcpshell"
)

// agentCall is one command line of an agent. It is parsed only if no stored answer can be
// reused.
type agentCall struct {
	app        *command.App
	tree       func() *command.Tree
	words      []string
	watch      *httpclient.Progress
	start      time.Time
	linkPapers bool // the answer links to the papers it names
}

// call prepares a command line for the MCP server. When it runs, it returns the stored answer
// if that is still valid, and otherwise executes the command.
func (k *answerCache) call(app *command.App, tree func() *command.Tree, list []string) mcpshell.Call {
	a := &agentCall{app, tree, list, &httpclient.Progress{}, time.Now(), k.linkPapers}
	line := words.Quote(list)
	stored := k.lookup(line)
	var c *call
	run := func(ctx context.Context, json bool) mcpshell.Reply {
		if stored.valid(ctx, app, json) {
			return stored.reply
		}
		if c == nil {
			c = a.parse(list)
		}
		answer, storable := a.run(ctx, c, json)
		if storable {
			k.add(line, answer)
		}
		return answer.reply
	}
	withArguments := func(arguments map[string]any) (line, names []string) {
		return a.parse(list).withArguments(arguments)
	}
	if stored != nil {
		return mcpshell.Call{JSON: stored.lineJSON, Family: stored.family, Local: true, Run: run, Progress: a.progress,
			WithArguments: withArguments, Suggest: a.suggest}
	}
	c = a.parse(list)
	sections := result.Map(c.def().Sections, func(s command.Section) string { return s.Name })
	return mcpshell.Call{Sections: sections, JSON: c.json, Refused: c.refusal != nil, Family: c.family(), Local: c.isLocal(&app.Env),
		Run: run, Progress: a.progress, WithArguments: withArguments, Suggest: a.suggest}
}

func (a *agentCall) parse(list []string) *call {
	c := parse(a.tree(), list, command.Agent)
	c.watch = a.watch
	return c
}

// suggest returns the line if its command accepts it, and otherwise the line that the refusal suggests.
func (a *agentCall) suggest() []string {
	c := (&call{tree: a.tree(), policy: command.Agent}).parseNext(a.app, agentIO(), a.words)
	if c.refusal == nil {
		return a.words
	}
	c.suggest(a.app, agentIO())
	return c.keepRunnable(a.app, agentIO(), result.Outcome{Failure: c.refusal.Failure}).Failure.Try
}

// run executes a parsed line and renders its answer. It also reports whether the answer may be
// stored for later calls.
func (a *agentCall) run(ctx context.Context, c *call, json bool) (answer *storedAnswer, storable bool) {
	ctx, cancel := early(ctx)
	defer cancel()
	answer = &storedAnswer{family: c.family(), lineJSON: c.json, json: json}
	if json && !c.json { // so that the suggested commands carry --json too
		if withJSON := a.parse(asJSON(a.words)); withJSON.json {
			c = withJSON
		}
	}
	out := c.run(ctx, a.app, agentIO())
	answer.reply = replyOf(out, json, maxAnswer, mcpshell.ChartFormat(ctx, a.app.Env.ChartImages))
	if a.linkPapers {
		answer.reply.Links = paperLinks(ctx, a.app, out)
	}
	answer.replies, storable = a.watch.Replies()
	useCache := c.def().Cacheable && !c.noCache && !c.offline
	isText := !answer.reply.IsError && len(answer.reply.Images) == 0
	return answer, storable && !a.linkPapers && useCache && isText
}

// family returns the command of a line without its arguments, such as "get article".
func (c *call) family() string { return strings.Join(command.Path(c.cmd), " ") }

// isLocal reports whether the line needs no network.
func (c *call) isLocal(env *command.Env) bool {
	if c.refusal != nil || c.help || c.offline {
		return true
	}
	switch c.implied {
	case correct.Question, correct.Phrase, correct.Request: // suggest is followed by the command that it names
		return false
	}
	for at := c.cmd; at != nil && c.def().Effect == command.Reads; at = at.Parent() {
		if def := c.tree.Command(at); def != nil && (def.LocalOnly || def.LocalOnlyIf != nil && def.LocalOnlyIf(env)) {
			return true
		}
	}
	return false
}

func (a *agentCall) progress() mcpshell.Progress {
	done, total := a.watch.TotalSteps()
	return mcpshell.Progress{Done: done, Total: total,
		Text: progressLine(a.watch, time.Since(a.start), lineEvery, false)}
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
