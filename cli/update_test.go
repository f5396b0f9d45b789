package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/cli/update"
)

// installedProgram returns a home folder with an installed program of the given version, and a
// function that runs lines. The latest release of the server is 1.2.0, without its archive.
func installedProgram(t *testing.T, version string) (home string, do func(words ...string) result.Outcome) {
	t.Helper()
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		list := []byte(strings.Repeat("0", 64) + "  biomcp_1.2.0_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz\n")
		switch r.URL.Path {
		case "/latest/download/checksums.txt":
			_, _ = w.Write(list) // the client may have stopped reading
		case "/latest/download/checksums.txt.minisig":
			_, _ = w.Write(minisign.Sign(private, list))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(srv.Close)
	home = t.TempDir()
	program := filepath.Join(home, "bin", "biomcp")
	for _, file := range []string{program, filepath.Join(home, "data", "biomcp", "corpus"), filepath.Join(home, "cache", "biomcp", "replies")} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte("made up"), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	was, key := thisProgram, update.Key
	thisProgram, update.Key = func() (string, error) { return program, nil }, public.String()
	t.Cleanup(func() { thisProgram, update.Key = was, key })
	return home, func(words ...string) result.Outcome {
		env := command.ReadEnv(func(name string) (string, bool) {
			value, ok := map[string]string{
				"BIOMCP_RELEASES_URL": srv.URL, "HOME": home,
				"BIOMCP_DATA_DIR": filepath.Join(home, "data", "biomcp"), "BIOMCP_CACHE_DIR": filepath.Join(home, "cache", "biomcp"),
			}[name]
			return value, ok
		}, version)
		app := &command.App{Env: env, Version: version, Now: time.Now}
		t.Cleanup(func() { _ = app.Close() }) // it was only read
		return Run(context.Background(), app, command.IO{}, words, command.Person)
	}
}

func TestUpdate(t *testing.T) {
	for _, c := range []struct{ version, line, want string }{
		{"1.0.0", "update --check", "biomcp 1.2.0 is available; this one is 1.0.0."},
		{"1.2.0", "update", "This is biomcp 1.2.0, the latest release."},
		{"2.0.0", "update", "The latest release, 1.2.0, is older."},
		{"1.0.0", "update", "404"},
		{"1.0.0", "update --offline", "--offline forbids"},
	} {
		t.Run(c.version+" "+c.line, func(t *testing.T) {
			home, do := installedProgram(t, c.version)
			out := do(strings.Fields(c.line)...)
			if text, _ := RenderAnswer(out, false, 1<<20); !strings.Contains(text, c.want) {
				t.Errorf("%s, want %q", text, c.want)
			}
			if left, err := os.ReadDir(filepath.Join(home, "bin")); err != nil || len(left) != 1 {
				t.Errorf("%v %v", left, err)
			}
		})
	}
}

// The command of the package manager is shown even if the server of the releases does not
// answer.
func TestUpdateWithoutAServerNamesTheManager(t *testing.T) {
	home, do := installedProgram(t, "1.0.0")
	beside := filepath.Join(home, "conda-meta", "biomcp-1.0.0.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(beside), 0o755), os.WriteFile(beside, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	update.Key = "none"
	out := do("update")
	if text, _ := RenderAnswer(out, false, 1<<20); !strings.Contains(text, "nothing was changed. This program was installed by conda. Type: conda update biomcp\n") {
		t.Error(text)
	}
}

func TestUninstall(t *testing.T) {
	for line, stays := range map[string]string{
		"uninstall":              "bin cache data",
		"uninstall --yes":        "data",
		"uninstall --yes --data": "",
	} {
		t.Run(line, func(t *testing.T) {
			home, do := installedProgram(t, "1.0.0")
			if out := do(strings.Fields(line)...); out.Failure != nil {
				t.Fatal(out.Failure)
			}
			var left []string
			for folder, file := range map[string]string{"bin": "biomcp", "cache": "biomcp/replies", "data": "biomcp/corpus"} {
				if _, err := os.Stat(filepath.Join(home, folder, file)); err == nil {
					left = append(left, folder)
				}
			}
			if len(left) != len(strings.Fields(stays)) {
				t.Errorf("%v are left, want %s", left, stays)
			}
		})
	}
}

// Over MCP every command that does more than read is refused with the list of allowed commands. Only
// the cache has a reason of its own.
func TestAgentMayNotRun(t *testing.T) {
	tree := NewTree()
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, m := range tree.Commands(c) {
			walk(m)
		}
		if def := tree.Command(c); def.Run == nil || def.MayRead() || !c.HasParent() {
			return
		}
		line := command.Path(c)
		out := run(t, command.Agent, line...)
		if out.Failure == nil {
			t.Errorf("%s: carried out, want a refusal", line)
			return
		}
		want := []string{command.RefusalPrefix + ": " + strings.Join(line, " "), "only the server's owner runs it", "Allowed: search, get, study"}
		if line[0] == "cache" {
			want = []string{"commands are CLI-only over MCP because they reveal workstation-local filesystem paths"}
		}
		for _, w := range want {
			if !strings.Contains(out.Failure.Message, w) {
				t.Errorf("%s: %q, want %q", line, out.Failure.Message, w)
			}
		}
		if out.Failure.Code != result.Validation || ExitStatus(out) != 2 {
			t.Errorf("%s: %s, exit %d, want VALIDATION, exit 2", line, out.Failure.Code, ExitStatus(out))
		}
	}
	walk(tree.Root)
}
