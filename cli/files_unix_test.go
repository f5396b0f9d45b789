//go:build unix

package cli_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A pipe and a device are written to, also by a link, and remain what they are.
func TestPipeIsWrittenTo(t *testing.T) {
	app := commandtest.Study(t)
	app.Env.Network = commandtest.NCBI(t, commandtest.PubMed(t)).Env.Network
	const line = "get article 90100001 references -o "
	dir := t.TempDir()
	pipe, link := filepath.Join(dir, "pipe.csv"), filepath.Join(dir, "link.csv")
	null := filepath.Join(dir, "null.csv")
	for _, err := range []error{syscall.Mkfifo(pipe, 0o600), os.Symlink(pipe, link), os.Symlink(os.DevNull, null)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{pipe, link} {
		f, err := os.OpenFile(pipe, os.O_RDWR, 0) // opens at once, unlike for reading alone
		if err != nil {
			t.Fatal(err)
		}
		text, code := clitest.Ask(t, app, command.Person, line+file)
		if info, err := os.Stat(file); code != 0 || err != nil || info.Mode()&os.ModeNamedPipe == 0 {
			t.Fatalf("%s: exit %d, %v (%v), want 0 and still a pipe: %s", file, code, info, err, text)
		}
		head := make([]byte, 1)
		if _, err := io.ReadFull(f, head); err != nil {
			t.Errorf("%s: got %v, want a byte of the answer", file, err)
		}
		rest := make([]byte, 64<<10)
		if n, err := f.Read(rest); err != nil || !strings.Contains(string(rest[:n]), "\n") {
			t.Errorf("%s: got %q (%v), want rows", file, rest[:n], err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	text, code := clitest.Ask(t, app, command.Person, line+null)
	if target, err := os.Readlink(null); code != 0 || err != nil || target != os.DevNull {
		t.Errorf("exit %d, link to %q (%v), want 0 and the device: %s", code, target, err, text)
	}
}
