package home

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func TestParse(t *testing.T) {
	want := Address{"github.com", "Someone", "bio-mcp"}
	if got, err := Parse("github.com/Someone/bio-mcp"); err != nil || got != want {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for path, want := range map[string]string{
		"":                             "three parts",
		"biomcp":                       "three parts",
		"github.com/biomcp":            "three parts",
		"github.com/a/b/c":             "three parts",
		"https://github.com/a/b":       "no scheme",
		"github.com/a/b.git":           ".git",
		"github.com/a/v2/":             "three parts",
		"localhost/a/b":                "missing dot",
		"github.com//b":                "double slash",
		"github.com/a b/c":             "invalid char",
		"github.com/a/b;rm":            "invalid char",
		"../a/b":                       "invalid path element",
		"github.com/a/..":              "path element",
		"gopkg.in/a/b.v2":              "major version",
		"github.com/OWNER/b\nmodule x": "invalid char",
	} {
		got, err := Parse(path)
		if err == nil || got != (Address{}) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "HOST/OWNER/NAME") {
			t.Errorf("%q: got %v, %v, want an error with %q", path, got, err, want)
		}
	}
}

// toy is a small project with each kind of file that names the module. A word like biomcp/test is a name
// that the program sends, and the path of another module ends like this one's.
var toy = map[string]string{
	"go.mod":                  "module biomcp\n\ngo 1.24\n",
	"build/release/tools.mod": "module biomcp\n\ngo 1.24\n",
	"cmd/biomcp/main.go":      "package main\n\nimport (\n\t\"fmt\"\n\n\t\"biomcp/cli\"\n)\n\n// See [biomcp/cli/words].\nfunc main() { fmt.Println(cli.Version, \"biomcp/test\", \"github.com/x/biomcp/cli\") }\n",
	"cli/cli.go":              "package cli\n\nvar Version = \"made up\"\n",
	".ci/run":                 "go test -gcflags='biomcp/...=-d=x' -coverpkg=biomcp/cli,biomcp/cmd/biomcp ./...\n",
	"release.yaml":            "ldflags: -X biomcp/cli.Version=1 -X biomcp/client=2\n",
	"README.md":               "# biomcp\n\n<!-- install -->\n<!-- /install -->\nBuild it.\n<!-- report -->\nold\n<!-- /report -->\nsee ./biomcp/cli\n",
	".github/SECURITY.md":     "<!-- report -->\nold\n<!-- /report -->\n",
	"CITATION.cff":            "title: biomcp\nlicense: MIT\n",
	"data.bin":                "biomcp/cli\x00",
}

// project writes files to a new folder.
func project(t *testing.T, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := fs.FileMode(0o644)
		if name == ".ci/run" {
			mode = 0o755
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for name := range toy {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	return files
}

func TestMove(t *testing.T) {
	root := project(t, toy)
	first := Address{"github.com", "someone", "mcp"}
	if _, err := Move(root, first, true); err != nil {
		t.Fatal(err)
	}
	got := contents(t, root)
	for name, want := range map[string]string{
		"go.mod":                  "module github.com/someone/mcp\n\ngo 1.24\n",
		"build/release/tools.mod": "module github.com/someone/mcp\n\ngo 1.24\n",
		"cmd/biomcp/main.go": strings.NewReplacer(`"biomcp/cli"`, `"github.com/someone/mcp/cli"`,
			"[biomcp/cli/words]", "[github.com/someone/mcp/cli/words]").Replace(toy["cmd/biomcp/main.go"]),
		".ci/run":             "go test -gcflags='github.com/someone/mcp/...=-d=x' -coverpkg=github.com/someone/mcp/cli,github.com/someone/mcp/cmd/biomcp ./...\n",
		"release.yaml":        "ldflags: -X github.com/someone/mcp/cli.Version=1 -X biomcp/client=2\n",
		"README.md":           "# biomcp\n\n<!-- install -->\n" + Install(first) + "<!-- /install -->\nBuild it.\n<!-- report -->\n" + Report(first) + "<!-- /report -->\nsee ./biomcp/cli\n",
		".github/SECURITY.md": "<!-- report -->\n" + Security(first) + "<!-- /report -->\n",
		"CITATION.cff":        "title: biomcp\nrepository-code: https://github.com/someone/mcp\nlicense: MIT\n",
		"data.bin":            toy["data.bin"],
		"cli/cli.go":          toy["cli/cli.go"],
	} {
		if got[name] != want {
			t.Errorf("%s: got %q, want %q", name, got[name], want)
		}
	}
	if info, err := os.Stat(filepath.Join(root, ".ci/run")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf(".ci/run: got %v, %v, want the mode 0755", info, err)
	}
	if changed, err := Move(root, first, true); err != nil || len(changed) > 0 {
		t.Errorf("again: got %v, %v, want no changed file", changed, err)
	}
	second := Address{"codeberg.org", "Other", "biomcp"}
	if _, err := Move(root, second, true); err != nil {
		t.Fatal(err)
	}
	moved := contents(t, root)
	direct := project(t, toy)
	if _, err := Move(direct, second, true); err != nil {
		t.Fatal(err)
	}
	if want := contents(t, direct); !maps.Equal(moved, want) {
		t.Errorf("moved twice: got %q, want %q", moved, want)
	}
}

func git(t *testing.T, root string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=x", "-c", "user.email=x@example.org"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("git %v: %v: %s", args, err, out)
	}
}

func TestMoveRefusesChanges(t *testing.T) {
	to := Address{"github.com", "someone", "mcp"}
	root := project(t, toy)
	if changed, err := Move(root, to, false); err == nil || len(changed) > 0 || !strings.Contains(err.Error(), "-dirty") {
		t.Errorf("without git: got %v, %v, want an error with -dirty", changed, err)
	}
	git(t, root, "init", "-q")
	git(t, root, "add", ".")
	git(t, root, "commit", "-q", "-m", "x")
	if err := os.WriteFile(filepath.Join(root, "notes.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if changed, err := Move(root, to, false); err == nil || len(changed) > 0 || !strings.Contains(err.Error(), "notes.txt") {
		t.Errorf("with a new file: got %v, %v, want an error that names it", changed, err)
	}
	if err := os.Remove(filepath.Join(root, "notes.txt")); err != nil {
		t.Fatal(err)
	}
	if changed, err := Move(root, to, false); err != nil || !slices.Contains(changed, "go.mod") {
		t.Errorf("committed: got %v, %v", changed, err)
	}
}

// A file that cannot be changed leaves all files as they are.
func TestMoveChangesAllOrNothing(t *testing.T) {
	broken := maps.Clone(toy)
	broken["README.md"] = "no marks"
	root := project(t, broken)
	changed, err := Move(root, Address{"github.com", "someone", "mcp"}, true)
	if err == nil || len(changed) > 0 || !strings.Contains(err.Error(), "README.md") {
		t.Errorf("got %v, %v, want an error that names README.md", changed, err)
	}
	if got := contents(t, root); !maps.Equal(got, broken) {
		t.Errorf("got %q, want %q", got, broken)
	}
}

// goCommand runs the go command in a folder. Modules come from a proxy in a folder, and after it from the
// module cache.
func goCommand(t *testing.T, dir, proxy string, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	cached := filepath.Join(strings.TrimSpace(string(out)), "cache", "download")
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(proxy)+",file://"+filepath.ToSlash(cached),
		"GONOSUMDB=*", "GONOPROXY=none", "GOPRIVATE=", "GOFLAGS=-trimpath -modcacherw", "CGO_ENABLED=0", "GOBIN="+filepath.Join(proxy, "bin"))
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v: %s", strings.Join(args, " "), err, text)
	}
	return string(text)
}

// publish writes the project at root to a module proxy in a folder.
func publish(t *testing.T, root, proxy string, at module.Version) {
	t.Helper()
	escaped, err := module.EscapePath(at.Path)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(proxy, escaped, "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	if err := zip.CreateFromDir(&archive, at, root); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for ending, text := range map[string][]byte{
		"list": []byte(at.Version + "\n"), at.Version + ".mod": mod, at.Version + ".zip": archive.Bytes(),
		at.Version + ".info": []byte(`{"Version":"` + at.Version + `","Time":"2026-01-01T00:00:00Z"}`),
	} {
		if err := os.WriteFile(filepath.Join(dir, ending), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The moved project is installed from a proxy, under its new path.
func TestInstall(t *testing.T) {
	root := project(t, toy)
	to := Address{"example.org", "Someone", "mcp"}
	if _, err := Move(root, to, true); err != nil {
		t.Fatal(err)
	}
	proxy := t.TempDir()
	publish(t, root, proxy, module.Version{Path: to.String(), Version: "v1.2.3"})
	t.Setenv("GOMODCACHE", filepath.Join(t.TempDir(), "modules"))
	goCommand(t, proxy, proxy, "install", to.String()+"/cmd/biomcp@v1.2.3")
	out, err := exec.Command(filepath.Join(proxy, "bin", "biomcp")).CombinedOutput()
	if want := "made up biomcp/test github.com/x/biomcp/cli\n"; err != nil || string(out) != want {
		t.Errorf("got %q, %v, want %q", out, err, want)
	}
}

// A copy of this project is moved, builds, passes tests of packages that name the module, and is installed
// from a proxy. It compiles the program twice.
func TestCopyOfThisProject(t *testing.T) {
	if os.Getenv("BIOMCP_TEST_HOME") == "" {
		t.Skip("it compiles the program twice: BIOMCP_TEST_HOME=1 runs it")
	}
	root := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(root, os.DirFS("../..")); err != nil {
		t.Fatal(err)
	}
	for _, made := range []string{".git", "dist", ".release"} {
		if err := os.RemoveAll(filepath.Join(root, made)); err != nil {
			t.Fatal(err)
		}
	}
	to := Address{"example.org", "Someone", "mcp"}
	changed, err := Move(root, to, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files changed", len(changed))
	proxy := t.TempDir()
	goCommand(t, root, proxy, "build", "-o", filepath.Join(t.TempDir(), "biomcp"), "./cmd/biomcp")
	goCommand(t, root, proxy, "vet", "./cmd/biomcp", "./build/...", "./cli/words", "./cli/result")
	goCommand(t, root, proxy, "test", "-vet=off", "./build/release", "./cli/words", "./cli/command", "./cli/result", "./entrez/pattern", "./store/replace")
	generated := goCommand(t, root, proxy, "run", "./build") // which writes what is stale
	for name := range Texts(to) {
		if strings.Contains(generated, name) {
			t.Errorf("%s is not what the generator writes:\n%s", name, generated)
		}
	}
	publish(t, root, proxy, module.Version{Path: to.String(), Version: "v1.2.3"})
	goCommand(t, proxy, proxy, "install", to.String()+"/cmd/biomcp@v1.2.3")
	out, err := exec.Command(filepath.Join(proxy, "bin", "biomcp"), "version").CombinedOutput()
	if want := "biomcp 1.2.3 ("; err != nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("got %q, %v, want %q", out, err, want)
	}
}
