package cli

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"biomcp/cli/command"
)

// SIGHUP opens the log and the audit log of a server again, after they were renamed, and ends nothing.
func TestHangupReopensLogs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGHUP")
	}
	dir := t.TempDir()
	app := diskApp(t)
	log, closing := newLog(command.Env{LogsDir: dir}, parse(NewTree(), []string{"serve"}, command.Person))
	defer closing()
	audit, err := openAudit(app, filepath.Join(dir, "audit"))
	if err != nil {
		t.Fatal(err)
	}
	reopened := make(chan struct{}, 1)
	defer reopenOnHangup(audit)()
	defer onHangup(func() { reopened <- struct{}{} })()
	write := func(text string) {
		log.Info(text)
		if _, err := audit.Write([]byte(text + "\n")); err != nil {
			t.Error(err)
		}
	}
	write("before")
	for _, name := range []string{"biomcp.log", "audit"} {
		if err := os.Rename(filepath.Join(dir, name), filepath.Join(dir, name+".old")); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(syscall.SIGHUP)
	}
	if err != nil {
		t.Fatal(err)
	}
	<-reopened
	has := func(name, text string) bool {
		data, err := os.ReadFile(filepath.Join(dir, name))
		return err == nil && strings.Contains(string(data), text)
	}
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end) && !(has("biomcp.log", "after") && has("audit", "after")); {
		write("after") // the other handlers of the signal may run later
	}
	for _, name := range []string{"biomcp.log", "audit"} {
		if !has(name, "after") {
			t.Errorf("%s: no line after SIGHUP, want one", name)
		}
		if !has(name+".old", "before") {
			t.Errorf("%s.old: the line before SIGHUP is missing", name)
		}
	}
}

// Lines about sources have the ID of the call, and with MCP_LOG_QUERIES=off no words of a query.
func TestLinesAboutSources(t *testing.T) {
	var out strings.Builder
	options := &slog.HandlerOptions{ReplaceAttr: withoutQueries}
	log := slog.New(callHandler{slog.NewTextHandler(&out, options)}).With("service", "NCBI", "endpoint", "melanoma")
	log.InfoContext(context.Background(), "attempt failed", "reason", "melanoma", "attempt", 1)
	if got := out.String(); strings.Contains(got, "melanoma") || !strings.Contains(got, "attempt=1") || strings.Contains(got, "call=") {
		t.Errorf("%q, want the attempt alone", got)
	}
}
