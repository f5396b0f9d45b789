package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"

	"gopkg.in/natefinch/lumberjack.v2"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/mcpshell"
)

// Limits of the log in LOGS_DIR: the size of a file in bytes, and the number of older files.
// These are biomcp.log.1 to biomcp.log.3, newest first.
const (
	maxLogSize = 10 << 20
	maxOldLogs = 3
)

// rotatingLog appends to a log file that other processes append to as well. The process that
// finds the file too long renames it and starts a new one. The others switch to the new file
// with their next line.
type rotatingLog struct {
	mu      sync.Mutex
	path    string
	maxSize int64
	f       *os.File
}

func logFile(dir string) (*rotatingLog, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	l := &rotatingLog{path: filepath.Join(dir, "biomcp.log"), maxSize: maxLogSize}
	return l, l.open()
}

func (l *rotatingLog) open() (err error) {
	l.f, err = os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	return err
}

func (l *rotatingLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if info, err := l.f.Stat(); err == nil && info.Size() > 0 && info.Size()+int64(len(line)) > l.maxSize {
		if err := l.rotate(info); err != nil {
			return 0, err
		}
	}
	return l.f.Write(line)
}

// rotate starts a new file unless another process already has. If the files cannot be renamed,
// for example because they are open on Windows, it continues with the current one.
func (l *rotatingLog) rotate(full os.FileInfo) error {
	if now, err := os.Stat(l.path); err == nil && os.SameFile(now, full) {
		for n := maxOldLogs; n > 1; n-- {
			_ = os.Rename(fmt.Sprint(l.path, ".", n-1), fmt.Sprint(l.path, ".", n)) // it may not exist yet
		}
		if os.Rename(l.path, l.path+".1") != nil {
			return nil
		}
	}
	old := l.f
	if err := l.open(); err != nil {
		l.f = old
		return nil
	}
	return old.Close()
}

func (l *rotatingLog) Close() error { return l.f.Close() }

// reopen opens the file again by its name, after another program has renamed it. If that fails, the log
// continues with the current file.
func (l *rotatingLog) reopen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	old := l.f
	if l.open() != nil {
		l.f = old
		return
	}
	_ = old.Close() // its lines are written
}

// onHangup calls f for each SIGHUP, by which an administrator asks a server to open its logs again. The
// signal then no longer ends the process. stop ends this.
func onHangup(f func()) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-signals:
				f()
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// callHandler is a slog.Handler that adds the ID of the call over MCP to each line about its work.
type callHandler struct{ slog.Handler }

func (h callHandler) Handle(ctx context.Context, r slog.Record) error {
	id := mcpshell.CallID(ctx)
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "call" {
			id = "" // the line has it
		}
		return id != ""
	})
	if id != "" {
		r = r.Clone()
		r.AddAttrs(slog.String("call", id))
	}
	return h.Handler.Handle(ctx, r)
}

func (h callHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return callHandler{h.Handler.WithAttrs(attrs)}
}

func (h callHandler) WithGroup(name string) slog.Handler {
	return callHandler{h.Handler.WithGroup(name)}
}

// withoutQueries removes the attributes of a line about a source that can hold words of a query: the end
// of an address and the source's message.
func withoutQueries(_ []string, a slog.Attr) slog.Attr {
	if a.Key == "endpoint" || a.Key == "reason" {
		return slog.Attr{}
	}
	return a
}

// Limits of the audit log. A file of auditSize MB is renamed with the time in its name and
// compressed; only the newest auditKept of these are kept.
const (
	auditSize = 100
	auditKept = 30
)

// auditFlag declares the flag that names the audit log.
func auditFlag(f *command.Flags) {
	f.String("audit-log", "",
		fmt.Sprintf("file for a line of JSON per call, session and rejected token; rotated at %d MB, %d older files "+
			"are kept", auditSize, auditKept))
}

// auditFile is an audit log. The first line that cannot be written is reported in the program's
// log.
type auditFile struct {
	lumberjack.Logger
	app    *command.App
	failed sync.Once
}

// openAudit opens the file that --audit-log names. It returns nil if name is empty.
func openAudit(app *command.App, name string) (io.Writer, error) {
	if name == "" {
		return nil, nil
	}
	// lumberjack would rename whatever it cannot write to, even a folder.
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return nil, result.Invalid(fmt.Sprintf("--audit-log: the file %q cannot be written", command.Clip(name)),
			"serve-http", "--help")
	}
	return &auditFile{Logger: lumberjack.Logger{Filename: name, MaxSize: auditSize, MaxBackups: auditKept,
		Compress: true}, app: app}, nil
}

// reopenOnHangup makes SIGHUP close an audit log, if any, so that its next line opens the file again by
// its name. stop ends this.
func reopenOnHangup(audit io.Writer) (stop func()) {
	return onHangup(func() {
		if a, is := audit.(*auditFile); is {
			_ = a.Close() // lines are not buffered
		}
	})
}

func (a *auditFile) Write(line []byte) (int, error) {
	n, err := a.Logger.Write(line)
	if err != nil {
		a.failed.Do(func() { a.app.Log.Error("the audit log cannot be written and is incomplete", "error", err) })
	}
	return n, err
}
