package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/correct"
	"biomcp/cli/result"
	"biomcp/mcpshell"
	"biomcp/store"
)

// Run runs a command line for a person or an agent: it builds a fresh tree, parses the words
// once and runs the command. The caller then renders the outcome with result.Render.
func Run(ctx context.Context, app *command.App, io command.IO, args []string, policy command.Policy) result.Outcome {
	return parse(NewTree(), args, policy).run(ctx, app, io)
}

// run runs the command of a parsed line. A panic becomes an UNKNOWN failure.
func (c *call) run(ctx context.Context, app *command.App, io command.IO) (out result.Outcome) {
	defer func() {
		if p := recover(); p != nil {
			logPanic(app.Log, p)
			out = result.Outcome{Failure: bug()}
		}
	}()
	switch {
	case c.refusal != nil:
		c.suggest(app, io)
		return c.keepRunnable(app, io, result.Outcome{Failure: c.refusal.Failure})
	case c.help && c.cmd == c.tree.Root:
		return result.Outcome{Result: &result.Result{Payload: firstScreenOf(c.tree, c.policy)}}
	case c.help:
		return result.Outcome{Result: &result.Result{Payload: Explain(c.tree, c.cmd, c.policy)}}
	}
	in := c.input(app, io)
	ctx, done := c.networkContext(ctx, in)
	var res *result.Result
	err := in.CheckFiles()
	if err == nil {
		res, err = c.def().Run(ctx, in)
	}
	done()
	if err == nil && c.def().Effect == command.Reads && errors.Is(context.Cause(ctx), errInterrupted) {
		err = errInterrupted // the answer may be incomplete
	}
	out = result.Outcome{Result: res}
	if res != nil {
		c.addNotices(app, in, res)
	}
	if followed, ok := c.followImplied(ctx, in, res, err); ok {
		return followed
	}
	if followed, ok := c.follow(ctx, in, res, err); ok {
		return followed
	}
	if err != nil {
		out.Failure = c.explainFailure(ctx, in, res, err)
	}
	if res != nil {
		c.addContinuation(in, res)
	}
	hideContact(&out, app.Env.Network.Email)
	return c.keepRunnable(app, io, out)
}

// addNotices adds the notices about the line, the cache and the server's owner to those of an answer.
func (c *call) addNotices(app *command.App, in *command.Input, res *result.Result) {
	res.Notices = slices.Concat(c.correctionNotices(), c.cacheNotices(), res.Notices)
	for i, n := range res.Notices {
		if c.policy == command.Agent && in.IsOwnerNotice(n) {
			res.Notices[i] = n + " (the server's owner runs it)"
		}
	}
	if app.Uncached() && c.watch.SentRequest() && !c.noCache {
		res.Notice("replies cannot be kept: the cache folder cannot be used (BIOMCP_CACHE_DIR sets another)")
	}
}

// explainFailure returns the failure of a command with the notices about its line and a command to type next.
func (c *call) explainFailure(ctx context.Context, in *command.Input, res *result.Result, err error) *result.Failure {
	if c.refusal = refusalOf(err); c.refusal != nil && !c.nested {
		c.suggest(in.App, in.IO)
	}
	f := failureOf(ctx, err)
	f.Message += damagedFile(in, err)
	for _, u := range c.correctionNotices() {
		f.Message += " (" + u + ")"
	}
	if f.Status == interrupted || c.canResume(f) {
		f.Try = in.LineWith()
	}
	if res != nil && len(res.Rest) > 0 {
		f.Try = res.Rest
	}
	if f.Status == interrupted {
		f.Message += c.keptText(in, res)
	}
	if c.offline && f.Code == result.Upstream && slices.Equal(f.Try, hintOf(result.Upstream)) {
		f.Try = in.LineWith("--offline", "")
	}
	if f.Code == result.Unknown && f.Status == 0 {
		in.App.Log.Error("unclassified error", "command", c.cmd.Name(), "error", err)
	}
	return f
}

// addContinuation adds what comes after an answer: a workflow, suggestions, and how to read a smaller or later part.
func (c *call) addContinuation(in *command.Input, res *result.Result) {
	if res.Meta.Workflow == nil && in.Bool("json") {
		res.Meta.Workflow = workflowStartedBy(c)
	}
	res.Next = in.KeepFiles(res.Next...)
	res.Smaller = smallerAnswer(in, res)
	res.Offset = c.offset
	res.ContinueFrom = func(at int) result.Argv {
		place := ""
		if at > 0 {
			place = fmt.Sprint(at)
		}
		return in.LineWith("--"+command.ContinueAt, place, "--no-cache", "")
	}
}

// keptText tells what an interrupted command leaves, and where.
func (c *call) keptText(in *command.Input, res *result.Result) string {
	partial, stored := res != nil && len(res.Rest) > 0, c.watch.StoredReplies()
	switch {
	case c.def().Effect == command.Stores:
		return "; everything stored or downloaded so far is kept"
	case partial && in.IsSet("output"):
		return "; the records exported so far are in " + command.Clip(in.String("output"))
	case partial:
		return "; the records exported so far are in the output"
	case stored > 0:
		return fmt.Sprintf("; the response cache keeps %s", english.Plural(stored, "reply", "replies"))
	}
	return "; nothing is kept"
}

// logPanic logs a recovered panic. The value, which may hold any data in memory, and the stack are
// logged only at the level debug (-vv).
func logPanic(log *slog.Logger, value any) {
	log.Error("panic", "at", mcpshell.PanicSite())
	log.Debug("panic", "value", fmt.Sprint(value), "stack", string(debug.Stack()))
}

// input returns the input for the command of a parsed line.
func (c *call) input(app *command.App, io command.IO) *command.Input {
	in := command.NewInput(app, c.tree, io, command.Path(c.cmd), c.args, c.tree.Flags(c.cmd))
	in.Policy, in.Nested, in.Whole = c.policy, c.nested, c.whole
	return in
}

// canResume reports whether repeating the line later would resume the work. That holds for a
// command that stores data, if a service did not answer and the failure suggests nothing else.
func (c *call) canResume(f *result.Failure) bool {
	silent := f.Code == result.RateLimit || f.Code == result.Upstream
	return silent && c.def().Effect == command.Stores && slices.Equal(f.Try, hintOf(f.Code))
}

// correctionNotices returns a notice with the corrected line, or nil if the line was not corrected.
func (c *call) correctionNotices() []string {
	line := result.Argv(c.words).String()
	switch {
	case c.normalized:
		return []string{"understood as: " + line + ", with plain letters and spaces instead of lookalikes"}
	case c.corrected:
		return []string{"understood as: " + line + c.because}
	}
	return nil
}

// damagedFile returns the path of a damaged corpus in parentheses. It returns "" for an agent
// or for any other error.
func damagedFile(in *command.Input, err error) string {
	dir, failed := in.App.CorpusDir()
	if in.Policy != command.Person || failed != nil || !store.IsDamagedCorpus(err) {
		return ""
	}
	return " (" + filepath.Join(dir, store.FileName) + ")"
}

// keepRunnable drops suggestions that the caller may not run. After an answer it also drops lines
// that repeat the answer or are invalid, and replaces an invalid line with its correction, if
// any.
func (c *call) keepRunnable(app *command.App, io command.IO, out result.Outcome) result.Outcome {
	permitted := func(line result.Argv) bool {
		next := newCall(c.tree, c.policy)
		next.words = line
		next.findCommand()
		reads := next.def().ReadOnlySwitch
		return next.refusal == nil && c.tree.Allow(c.policy, next.cmd) == nil &&
			(c.policy == command.Person || reads == "" || slices.Contains(line, "--"+reads))
	}
	allowed := func(lines []result.Argv) []result.Argv {
		return slices.DeleteFunc(lines, func(line result.Argv) bool { return !permitted(line) })
	}
	if f := out.Failure; f != nil {
		if len(f.Try) > 0 && !permitted(f.Try) {
			f.OwnerTry, f.Try = f.Try, nil
		}
		f.Next, f.Alternatives = allowed(f.Next), allowed(f.Alternatives)
	}
	if out.Result != nil {
		var next []result.Argv
		for _, line := range allowed(out.Result.Next) {
			read := c.parseNext(app, io, line)
			if f := read.refusal; f != nil && len(f.Try) > 0 && !correct.IsHelp(f.Try) {
				read = c.parseNext(app, io, f.Try)
			}
			if read.refusal == nil && !c.repeats(read) {
				next = append(next, read.words)
			}
		}
		out.Result.Next = next
	}
	return out
}

// smallerAnswer returns the Smaller function of an answer. If the command cannot produce a smaller
// answer, it suggests text instead of JSON, since text can be cut.
func smallerAnswer(in *command.Input, r *result.Result) func(float64) result.Argv {
	less := r.Smaller
	return func(share float64) result.Argv {
		if less != nil {
			if line := less(share); len(line) > 0 {
				return line
			}
		}
		if in.Changed("json") {
			return in.LineWith("--json", "")
		}
		return nil
	}
}

// hideContact removes the administrator's e-mail address from messages of services that quote
// the rejected request. Addresses in an article are data and are not changed.
func hideContact(out *result.Outcome, email string) {
	if email == "" {
		return
	}
	hide := strings.NewReplacer(email, "[redacted]", url.QueryEscape(email), "[redacted]").Replace
	if f := out.Failure; f != nil {
		f.Message = hide(f.Message)
	}
	if r := out.Result; r != nil {
		for _, list := range [][]string{r.Notices, r.DocNotices} {
			for i, n := range list {
				list[i] = hide(n)
			}
		}
	}
}

// follow runs the command of the only candidate if --follow is set: the record that an alias
// names, or the single hit of a search. The answer starts with a notice about it. ok is false
// if there is not exactly one candidate.
func (c *call) follow(
	ctx context.Context, in *command.Input, res *result.Result, err error,
) (out result.Outcome, ok bool) {
	if !in.IsSet(command.Follow) {
		return out, false
	}
	var why string
	var line result.Argv
	var f *result.Failure
	switch {
	case errors.As(err, &f) && f.Meta.Alias != nil && f.Meta.Alias.Kind == "canonical":
		isFollow := func(w string) bool { return w == "--"+command.Follow }
		why, line = f.Message, slices.DeleteFunc(slices.Clone(f.Try), isFollow)
		if f.Meta.Alias.CanonicalEntity == "" && len(line) == 3 {
			line = in.WithArgs(nil, command.Follow).Line(line[2:]) // with the flags of the original line
		}
	case err == nil && res != nil && len(res.SingleHit) > 0:
		why, line = "there is one hit", res.SingleHit
	default:
		return out, false
	}
	if in.Bool("json") && !slices.Contains(line, "--json") {
		line = append(slices.Clone(line), "--json")
	}
	next := parse(in.Tree().Clone(), line, c.policy)
	next.nested, next.watch = c.nested, c.watch
	out = next.run(ctx, in.App, in.IO)
	if shown := slices.DeleteFunc(slices.Clone(line), func(w string) bool { return w == "--json" }); out.Result != nil {
		out.Result.Notices = slices.Insert(out.Result.Notices, 0, why+"; this is "+shown.String())
	}
	return out, true
}

// repeats reports whether next requests something that this line has already answered: the same
// command with the same flags and arguments, or a subset of its sections.
func (c *call) repeats(next *call) bool {
	if next.def() != c.def() || next.help || !slices.Equal(next.settings(), c.settings()) {
		return false
	}
	answered, sections := c.sections(), next.sections()
	if len(answered) == 0 || len(sections) == 0 { // without sections the answer is the summary card
		return len(answered) == len(sections) && slices.Equal(next.args, c.args)
	}
	isNew := func(s string) bool { return !slices.Contains(answered, s) }
	return slices.Contains(answered, "all") || !slices.ContainsFunc(sections, isNew)
}

// sections returns the section names in the arguments.
func (c *call) sections() (names []string) {
	for _, w := range c.args {
		if w == "all" || slices.ContainsFunc(c.def().Sections, func(s command.Section) bool { return s.Name == w }) {
			names = append(names, w)
		}
	}
	return names
}

// settings returns the flags of a parsed line with their values, without the flags that every
// command has.
func (c *call) settings() (list []string) {
	c.cmd.Flags().Visit(func(f *pflag.Flag) {
		if c.cmd.InheritedFlags().Lookup(f.Name) == nil {
			list = append(list, f.Name+"="+f.Value.String())
		}
	})
	return list
}
