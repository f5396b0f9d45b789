package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/entrez/sources"
	"biomcp/rag/weaviate"
)

// Version is the program's version; a release build sets it with -ldflags.
var Version = "0.1.0-dev"

// Main runs the command line of a person or a script and returns the exit status.
func Main(args []string) (status int) {
	plain := result.Format{JSON: slices.Contains(args, "--json")}
	defer reportPanic(os.Stdout, os.Stderr, plain, slices.Contains(args, "-vv"), &status)
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		return complete(args)
	}
	ctx, cancel := interruptible()
	defer cancel()
	env := command.ReadEnv(os.LookupEnv, buildVersion(), sources.All()...)
	to := stdoutScreen()
	call := parse(NewTree(), args, command.Person)
	if call.hasNoCommand() && to.terminal {
		call.help, call.refusal = true, nil
	}
	if problem := env.Settings.Problem(); problem != nil && !slices.Contains(command.Path(call.cmd), "config") {
		fmt.Fprintln(os.Stderr, "notice: "+problem.Error()+"; until then it is ignored")
	}
	log, closeLog := newLog(env, call)
	defer closeLog()
	app := newApp(env, log)
	defer func() {
		if err := app.Close(); err != nil {
			log.Warn("closing", "error", err)
		}
	}()
	streams := command.IO{
		In: os.Stdin, Err: os.Stderr, Protocol: os.Stdout,
		InTTY:  term.IsTerminal(int(os.Stdin.Fd())) && !call.quiet,
		ErrTTY: term.IsTerminal(int(os.Stderr.Fd())) && !call.quiet,
	}
	if call.quiet {
		streams.Err = io.Discard
	}
	out := call.run(ctx, app, streams)
	answers := os.Stdout
	if call.def().Effect == command.Serves && out.Failure != nil {
		answers = os.Stderr // standard output carries the protocol
	}
	format := call.format(env, to)
	format.ErrWidth = width(os.Stderr)
	var text bytes.Buffer
	err := result.Render(&text, os.Stderr, out, format)
	if !to.terminal {
		fmt.Fprint(streams.Err, call.chartNotice(out))
	}
	if err == nil {
		err = show(ctx, answers, text.Bytes(), call.pager(env, to, text.Bytes()))
	}
	if err != nil {
		return writeFailure(os.Stderr, err, format)
	}
	return ExitStatus(out)
}

// newApp returns the App of this process.
func newApp(env command.Env, log *slog.Logger) *command.App {
	return &command.App{Env: env, Version: buildVersion(), Now: time.Now, Log: log, OpenEngine: weaviate.Open}
}

// reportPanic, when deferred, reports a panic outside of a command as a bug and sets the exit status.
// It prints the panic's value and the stack only if verbose is set.
func reportPanic(out, errs io.Writer, f result.Format, verbose bool, status *int) {
	p := recover()
	if p == nil {
		return
	}
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelDebug
	}
	logPanic(slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: level})), p)
	outcome := result.Outcome{Failure: bug()}
	_ = result.Render(out, errs, outcome, f) // a second failure cannot be reported anywhere
	*status = ExitStatus(outcome)
}

// chartNotice returns a notice for output to a pipe, which receives only the table of a chart. It
// returns "" if --chart was not given or the answer has no chart.
func (c *call) chartNotice(out result.Outcome) string {
	f := c.tree.Flags(c.cmd).Lookup("chart")
	if f == nil || !f.Changed || out.Result == nil {
		return ""
	}
	isFigure := func(b result.Block) bool { _, is := b.(result.Figure); return is }
	if !slices.ContainsFunc(out.Result.Doc(), isFigure) {
		return ""
	}
	return "notice: the chart is not drawn into a pipe: " +
		"--output FILE.svg writes it to a file, --terminal draws it with characters\n"
}

// writeFailure reports that the answer could not be written completely, and returns the exit
// status.
func writeFailure(errs io.Writer, err error, f result.Format) int {
	if failure, ok := errors.AsType[*result.Failure](err); ok { // it was printed instead of the answer
		return statusOf(failure.Code)
	}
	if errors.Is(err, syscall.EPIPE) { // the reader closed the pipe
		return statusOf(result.Store)
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	failure := &result.Failure{Code: result.Store,
		Message: "the answer could not be written to standard output: " + err.Error(), Try: hintOf(result.Store)}
	_ = result.Render(errs, errs, result.Outcome{Failure: failure}, f) // a second failure cannot be reported anywhere
	return statusOf(result.Store)
}

// interruptible returns a context that is cancelled by Ctrl-C or SIGTERM, so that finished work
// can be saved. A second signal ends the process immediately.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, ok := <-signals; ok {
			signal.Stop(signals)
			cancel(errInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// screen describes the terminal on standard output.
type screen struct {
	terminal      bool
	keyboard      bool   // standard input is a terminal too
	width, height int    // 0 if unknown
	kind          string // value of TERM
}

func stdoutScreen() screen {
	out := int(os.Stdout.Fd())
	s := screen{terminal: term.IsTerminal(out), keyboard: term.IsTerminal(int(os.Stdin.Fd())), kind: os.Getenv("TERM")}
	if w, h, err := term.GetSize(out); err == nil {
		s.width, s.height = w, h
	}
	return s
}

// width returns the number of columns of a terminal, or 0 if f is not one.
func width(f *os.File) int {
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return w
}

// format returns the output format. It is valid even if the command line cannot be run.
func (c *call) format(env command.Env, s screen) result.Format {
	f := result.Format{JSON: c.json, Terminal: s.terminal}
	if f.JSON || !f.Terminal {
		return f
	}
	f.Width, f.Long = s.width, c.long
	f.Color = !env.NoColor && !c.noColor && s.kind != "dumb"
	return f
}

// newLog returns a log that writes to standard error and, if LOGS_DIR is set, to a file there.
// The level is info for a server and warn otherwise, unless -v, -vv or MCP_LOG_LEVEL change it.
// The second result closes the file.
func newLog(env command.Env, c *call) (*slog.Logger, func()) {
	level := slog.LevelWarn
	if c.def().Effect == command.Serves { // a server logs every call
		level = slog.LevelInfo
	}
	if env.LogLevel != "" {
		if err := level.UnmarshalText([]byte(env.LogLevel)); err != nil {
			fmt.Fprintln(os.Stderr, "notice: MCP_LOG_LEVEL is debug, info, warn or error")
		}
	}
	switch {
	case c.verbose > 1:
		level = slog.LevelDebug
	case c.verbose == 1:
		level = min(level, slog.LevelInfo)
	}
	var w io.Writer = os.Stderr
	closing := func() {}
	if env.LogsDir != "" {
		if f, err := logFile(env.LogsDir); err != nil {
			fmt.Fprintln(os.Stderr, "notice: the folder LOGS_DIR cannot be written, so there is no log file")
		} else {
			w = io.MultiWriter(os.Stderr, f)
			stop := func() {}
			if c.def().Effect == command.Serves {
				stop = onHangup(f.reopen)
			}
			closing = func() {
				stop()
				_ = f.Close() // writes are not buffered, so nothing is lost
			}
		}
	}
	options := &slog.HandlerOptions{Level: level}
	if env.LogQueries == "off" {
		options.ReplaceAttr = withoutQueries
	}
	return slog.New(callHandler{slog.NewTextHandler(w, options)}), closing
}

// complete answers a completion request of a shell through Cobra. It runs no command and sends
// no requests, but reads data on this machine.
func complete(args []string) int {
	tree := NewTree().Expand()
	env := command.ReadEnv(os.LookupEnv, buildVersion(), sources.All()...)
	app := newApp(env, slog.New(slog.DiscardHandler))
	defer func() { _ = app.Close() }() // nothing was written
	tree.Complete(func(c *cobra.Command, flag string) []string { return localCompletions(app, c, flag) })
	tree.Root.SetArgs(args)
	if err := tree.Root.Execute(); err != nil {
		return 1
	}
	return 0
}

// pager returns the command line of the pager, chosen as git and gh do. It returns nil if text
// fits on the screen, standard input or output is not a terminal, or the user wants no pager.
func (c *call) pager(env command.Env, s screen, text []byte) []string {
	fits := s.height <= 0 || bytes.Count(text, []byte("\n")) < s.height
	if !s.terminal || !s.keyboard || s.kind == "dumb" || c.noPager || fits {
		return nil
	}
	line, err := words.Split(env.Pager)
	if err != nil || len(line) == 0 || line[0] == "cat" {
		return nil
	}
	return line
}

// lessOptions are the options of less. As with git, it quits if the text fits on one screen, passes colours through,
// and leaves the text on the screen. Its prompt names the keys.
const lessOptions = "FRXPs lines %lt to %lb?L of %L. (space\\: more, q\\: leave)$"

// show writes text through the pager, if any. If the pager does not start, it writes text
// directly. If ctx is cancelled, it ends the pager.
func show(ctx context.Context, w io.Writer, text []byte, pager []string) error {
	if len(pager) > 0 {
		cmd := exec.CommandContext(ctx, pager[0], pager[1:]...)
		cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // less restores the terminal
		cmd.WaitDelay = time.Second
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), w, os.Stderr
		cmd.Env = append([]string{"LESS=" + lessOptions, "LV=-c"}, os.Environ()...)
		if cmd.Start() == nil {
			signal.Ignore(os.Interrupt) // the pager handles it
			_ = cmd.Wait()              // the reader may quit early
			return context.Cause(ctx)
		}
	}
	_, err := w.Write(text)
	return err
}
