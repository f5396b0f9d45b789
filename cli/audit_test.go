package cli

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/command"
)

func TestServeWritesAnAuditLog(t *testing.T) {
	app := diskApp(t)
	name := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(name, []byte("before\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	streams := agentIO()
	streams.In = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"biomcp","arguments":{"command":"version"}}}` + "\n")
	streams.Protocol = io.Discard
	if out := Run(t.Context(), app, streams, []string{"serve", "--audit-log", name}, command.Person); out.Failure != nil {
		t.Fatalf("%+v", out.Failure)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(string(text), "\n"); len(lines) != 3 || lines[0] != "before" || !strings.Contains(lines[1], `"command":"version","outcome":"ok"`) {
		t.Errorf("%s", text)
	}
}

func TestAuditLogThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	for name, file := range map[string]string{"a folder": dir, "in no folder": filepath.Join(dir, "no", "audit")} {
		for _, line := range []string{"serve", "serve-http --port 0"} {
			t.Run(line+" "+name, func(t *testing.T) {
				if text, code := ask(t, diskApp(t), command.Person, line+" --audit-log "+file); code != 2 || !strings.Contains(text, "--audit-log") {
					t.Errorf("exit %d: %s", code, text)
				}
			})
		}
	}
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the folder was moved: %v", err)
	}
	// A later failure is logged.
	var log bytes.Buffer
	app := diskApp(t)
	app.Log = slog.New(slog.NewTextHandler(&log, nil))
	audit, err := openAudit(app, filepath.Join(dir, "audit"))
	if err != nil {
		t.Fatal(err)
	}
	long := make([]byte, auditSize<<20+1)
	for range 2 {
		if _, err := audit.Write(long); err == nil {
			t.Error("a line that is longer than the file was written")
		}
	}
	if n := strings.Count(log.String(), "the audit log cannot be written"); n != 1 {
		t.Errorf("%d errors: %.300s", n, log.String())
	}
}

// A full file is rotated, and no line is lost.
func TestAuditLogRotates(t *testing.T) {
	dir := t.TempDir()
	audit, err := openAudit(diskApp(t), filepath.Join(dir, "audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	audit.(*auditFile).MaxSize, audit.(*auditFile).Compress = 1, false
	line := append(bytes.Repeat([]byte("x"), 1<<18-1), '\n')
	for range 6 {
		if _, err := audit.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "audit*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if len(files) != 2 || size != 6<<18 {
		t.Errorf("%d bytes in %q", size, files)
	}
}
