package cli

import (
	"fmt"
	"io"
	"os"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// The audit log: when the file has auditSize MB it is set aside under its name and the time,
// and compressed; of these files the newest auditKept are kept.
const (
	auditSize = 100
	auditKept = 30
)

// auditFlag is the flag that names the audit log.
func auditFlag(f *command.Flags) {
	f.String("audit-log", "", fmt.Sprintf("file that gets a line of JSON for each call, session and refused token; set aside at %d MB, %d are kept", auditSize, auditKept))
}

// auditFile is an audit log. A line that cannot be written is an error in the log, once.
type auditFile struct {
	lumberjack.Logger
	app    *command.App
	failed sync.Once
}

// openAudit opens the file that --audit-log names, nil if it names none.
func openAudit(app *command.App, name string) (io.Writer, error) {
	if name == "" {
		return nil, nil
	}
	// lumberjack would set aside anything that it cannot write to, even a folder.
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return nil, result.Invalid(fmt.Sprintf("--audit-log: the file %q cannot be written", command.Clip(name)), "serve-http", "--help")
	}
	return &auditFile{Logger: lumberjack.Logger{Filename: name, MaxSize: auditSize, MaxBackups: auditKept, Compress: true}, app: app}, nil
}

func (a *auditFile) Write(line []byte) (int, error) {
	n, err := a.Logger.Write(line)
	if err != nil {
		a.failed.Do(func() { a.app.Log.Error("the audit log cannot be written, and so it is not complete", "error", err) })
	}
	return n, err
}
