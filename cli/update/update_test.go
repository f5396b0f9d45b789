package update_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"aead.dev/minisign"

	"biomcp/cli/update"
)

// pack returns an archive with a program of the given content.
func pack(t *testing.T, program string) (name string, data []byte) {
	t.Helper()
	var b bytes.Buffer
	var errs [4]error
	if runtime.GOOS == "windows" {
		z := zip.NewWriter(&b)
		w, err := z.Create("biomcp.exe")
		if err == nil {
			_, err = w.Write([]byte(program))
		}
		errs = [4]error{err, z.Close()}
		name = ".zip"
	} else {
		g := gzip.NewWriter(&b)
		w := tar.NewWriter(g)
		errs[0] = w.WriteHeader(&tar.Header{Name: "biomcp", Mode: 0o755, Size: int64(len(program))})
		_, errs[1] = w.Write([]byte(program))
		errs[2], errs[3] = w.Close(), g.Close()
		name = ".tar.gz"
	}
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return "biomcp_1.2.0_" + runtime.GOOS + "_" + runtime.GOARCH + name, b.Bytes()
}

func TestReleases(t *testing.T) {
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, other, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	name, archive := pack(t, "the program of 1.2.0")
	for _, c := range []struct {
		name, want string // want is a part of the error message
		forged     bool
		change     func(list, signature, archive *[]byte, cut *bool)
	}{
		{"as it was signed", "", false, func(*[]byte, *[]byte, *[]byte, *bool) {}},
		{"another archive", "its checksum differs", true, func(_, _, a *[]byte, _ *bool) { _, *a = pack(t, "another program") }},
		{"checksums that were changed", "not signed with the key", true, func(l, _, _ *[]byte, _ *bool) { (*l)[0] ^= 1 }},
		{"the key of somebody else", "not signed with the key", true, func(l, s, _ *[]byte, _ *bool) { *s = minisign.Sign(other, *l) }},
		{"a download that is cut", "stopped before the end", false, func(_, _, _ *[]byte, cut *bool) { *cut = true }},
		{"no archive for this machine", "no archive for", false, func(l, s, _ *[]byte, _ *bool) {
			*l = []byte(strings.Repeat("0", 64) + "  biomcp_1.2.0_plan9_mips.tar.gz\n")
			*s = minisign.Sign(private, *l)
		}},
		{"no signature", "404", false, func(_, s, _ *[]byte, _ *bool) { *s = nil }},
		{"a list without an end", "sent too much", false, func(l, _, _ *[]byte, _ *bool) { *l = bytes.Repeat([]byte("0"), 1<<20) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			list, sent, cut := fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(archive), name), archive, false
			signature := minisign.Sign(private, list)
			c.change(&list, &signature, &sent, &cut)
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				data := map[string][]byte{"/latest/download/checksums.txt": list, "/latest/download/checksums.txt.minisig": signature, "/download/v1.2.0/" + name: sent}[r.URL.Path]
				if data == nil {
					http.NotFound(w, r)
					return
				}
				w.Header().Set("Content-Length", fmt.Sprint(len(data)))
				if cut && strings.HasPrefix(r.URL.Path, "/download/") {
					data = data[:len(data)/2]
				}
				_, _ = w.Write(data) // the client may have stopped reading
			}))
			defer srv.Close()
			release, err := update.Source{Releases: srv.URL, Key: public.String()}.Latest(t.Context())
			var program []byte
			if err == nil {
				program, err = release.Program(t.Context(), func(int64, int64) {})
			}
			var e *update.Error
			switch {
			case c.want == "":
				if err != nil || release.Version != "1.2.0" || string(program) != "the program of 1.2.0" {
					t.Errorf("%+v %q %v", release, program, err)
				}
			case !errors.As(err, &e) || !strings.Contains(e.Message, c.want) || e.Tampered != c.forged:
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestReplaceKeepsTheOldProgram(t *testing.T) {
	program := filepath.Join(t.TempDir(), "biomcp")
	read := func(path string) string {
		data, _ := os.ReadFile(path) // "" if the file does not exist
		return string(data)
	}
	if err := os.WriteFile(program, []byte("1"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, next := range []string{"2", "3"} {
		before := read(program)
		if err := update.Replace(program, []byte(next)); err != nil || read(program) != next || read(update.BackupPath(program)) != before {
			t.Fatalf("%v: %q, and %q is kept", err, read(program), read(update.BackupPath(program)))
		}
	}
	if info, err := os.Stat(program); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o755 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	// If a program cannot be replaced, it is unchanged and no temporary file remains.
	if err := errors.Join(os.Remove(update.BackupPath(program)), os.MkdirAll(filepath.Join(update.BackupPath(program), "full"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if err := update.Replace(program, []byte("4")); err == nil || read(program) != "3" {
		t.Errorf("%v: %q", err, read(program))
	}
	if left, err := os.ReadDir(filepath.Dir(program)); err != nil || len(left) != 2 {
		t.Errorf("%v %v", left, err)
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("no folder is closed to this user")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "biomcp")
	if err := errors.Join(os.WriteFile(program, []byte("1"), 0o755), os.Chmod(dir, 0o555)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) }) // so that TempDir can remove it
	if err := update.Replace(program, []byte("2")); !errors.Is(err, os.ErrPermission) {
		t.Error(err)
	}
}

func TestManagerOf(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ program, beside, want string }{
		{"bin/biomcp", "", ""},
		{"Cellar/biomcp/1.0/bin/biomcp", "", "Homebrew"},
		{"lib/node_modules/biomcp-go-linux-x64/bin/biomcp", "", "npm"},
		{"uv/tools/biomcp-go/bin/biomcp", "", "uv"},
		{"venv/bin/biomcp", "venv/lib/python3.12/site-packages/biomcp_go-1.0.dist-info", "pip"},
		{"conda/bin/biomcp", "conda/conda-meta/biomcp-1.0-0.json", "conda"},
	} {
		t.Run(c.program, func(t *testing.T) {
			if err := os.MkdirAll(filepath.Join(dir, c.beside), 0o755); err != nil {
				t.Fatal(err)
			}
			got := ""
			if m := update.ManagerOf(filepath.Join(dir, c.program)); m != nil {
				got = m.Name
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestNewer(t *testing.T) {
	for a, b := range map[string]string{"1.10.0": "1.9.0", "0.1.0": "0.1.0-dev", "2.0.0": "1.99.99"} {
		if !update.Newer(a, b) || update.Newer(b, a) || update.Newer(a, a) {
			t.Errorf("%s and %s", a, b)
		}
	}
}
