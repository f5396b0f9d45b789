package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// Version is the program's version; a release build sets it with -ldflags.
var Version = "0.1.0-dev"

// Main is the door for a person and for scripts: it runs the words given and
// is the exit status.
func Main(args []string) int {
	ctx, cancel := interruptible()
	defer cancel()
	env := command.ReadEnv(command.OSEnv, Version)
	log, closeLog := newLog(env, args)
	defer closeLog()
	app := &command.App{Env: env, Version: Version, Now: time.Now, Log: log}
	defer func() {
		if err := app.Close(); err != nil {
			log.Warn("closing", "error", err)
		}
	}()
	if len(args) > 0 && strings.HasPrefix(args[0], "__complete") {
		return complete(args)
	}
	io := command.IO{
		In: os.Stdin, Err: os.Stderr, Protocol: os.Stdout,
		InTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		ErrTTY: term.IsTerminal(int(os.Stderr.Fd())) && !has(args, "--quiet"),
	}
	if has(args, "--quiet") {
		io.Err = discard{}
	}
	out := Run(ctx, app, io, args, command.Person)
	if err := result.Render(os.Stdout, os.Stderr, out, formatFor(env, args, stdoutScreen())); err != nil {
		if f := new(result.Failure); asFailure(err, &f) {
			return infoOf(f.Code).Exit
		}
		return 1 // the reader went away: nobody to tell
	}
	return exit(out)
}

// interruptible is a context that ends by Ctrl-C or SIGTERM, so that what is
// done can be kept; a second signal ends the process at once.
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

// screen is what standard output leads to.
type screen struct {
	terminal bool
	width    int    // 0 where it is not known
	kind     string // TERM
}

func stdoutScreen() screen {
	out := int(os.Stdout.Fd())
	s := screen{terminal: term.IsTerminal(out), kind: os.Getenv("TERM")}
	if w, _, err := term.GetSize(out); err == nil {
		s.width = w
	}
	return s
}

// formatFor is how to answer: decided from the words alone, so that it holds
// for a command line that cannot be parsed.
func formatFor(env command.Env, args []string, s screen) result.Format {
	f := result.Format{JSON: has(args, "--json")}
	if f.JSON || !s.terminal {
		return f
	}
	f.Terminal, f.Width = true, s.width
	f.Color = !env.NoColor && !has(args, "--no-color") && s.kind != "dumb"
	return f
}

// has reports whether a switch was typed, before "--", and not as --switch=false.
func has(args []string, flag string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	return slices.ContainsFunc(args, func(a string) bool {
		name, value, given := strings.Cut(a, "=")
		on, err := strconv.ParseBool(value)
		return name == flag && (!given || err == nil && on)
	})
}

// newLog logs to standard error, and to a file in LOGS_DIR where that is set.
// Warnings are logged, and calls by a server, unless -v, -vv or MCP_LOG_LEVEL ask for more.
func newLog(env command.Env, args []string) (*slog.Logger, func()) {
	level := slog.LevelWarn
	if serves(args) { // a line at the start and the end of each call
		level = slog.LevelInfo
	}
	if env.LogLevel != "" {
		if err := level.UnmarshalText([]byte(env.LogLevel)); err != nil {
			fmt.Fprintln(os.Stderr, "notice: MCP_LOG_LEVEL is debug, info, warn or error")
		}
	}
	switch {
	case has(args, "-vv"), has(args, "--verbose=2"):
		level = slog.LevelDebug
	case has(args, "-v"), has(args, "--verbose"):
		level = min(level, slog.LevelInfo)
	}
	var w io.Writer = os.Stderr
	closing := func() {}
	if env.LogsDir != "" {
		if f, err := logFile(env.LogsDir); err != nil {
			fmt.Fprintln(os.Stderr, "notice: the folder LOGS_DIR cannot be written, so there is no log file")
		} else {
			w = io.MultiWriter(os.Stderr, f)
			closing = func() { _ = f.Close() } // nothing is lost: writes are not buffered
		}
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level})), closing
}

// serves reports whether the words start a server.
func serves(args []string) bool {
	tree := NewTree()
	cmd, _, failure := find(tree, args, command.Person)
	return failure == nil && tree.Def(cmd).Effect == command.Serves
}

func logFile(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return os.OpenFile(filepath.Join(dir, "biomcp.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

// complete answers a shell that completes a line. It is Cobra's own work and
// runs no command.
func complete(args []string) int {
	root := NewTree().Root
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		return 1
	}
	return 0
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

func asFailure(err error, f **result.Failure) bool {
	got, ok := err.(*result.Failure)
	if ok {
		*f = got
	}
	return ok
}

// Answer renders an outcome the way a pipe gets it, bounded to max characters,
// and reports whether it is a failure. It is the door for an agent.
func Answer(out result.Outcome, json bool, max int) (text string, failed bool) {
	var stdout, stderr bytes.Buffer
	err := result.Render(&stdout, &stderr, out, result.Format{JSON: json, Max: max})
	failed = out.Failure != nil || err != nil
	if failed && !json {
		return stderr.String(), true
	}
	return stdout.String(), failed
}
