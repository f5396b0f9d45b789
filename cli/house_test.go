package cli_test

import (
	"bufio"
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/result"
)

const root = ".."

// modulePath is the path of this module.
var modulePath = strings.TrimSuffix(reflect.TypeFor[result.Argv]().PkgPath(), "/cli/result")

// floors maps packages to their floor; a package imports only packages on lower floors. A
// package without an entry is on the floor of its parent.
var floors = map[string]int{
	"cmd": 6, "build": 6,
	"cli":        5,
	"cli/entity": 4, "mcpshell": 4,
	"cli/command": 3,
	"rag":         2, "cli/export": 2,
	"cli/result": 1, "entrez": 1, "store": 1,
	"cli/words": 0, "entrez/record": 0, "entrez/fault": 0, "entrez/resolve": 0, "entrez/pattern": 0, "entrez/layout": 0, "charts": 0, "skills": 3,
}

// isTestPackage reports whether pkg is a test package, such as entreztest, or below one. It has
// no floor, and only tests and its own cmd import it.
func isTestPackage(pkg string) bool {
	return slices.ContainsFunc(strings.Split(pkg, "/"), func(s string) bool { return strings.HasSuffix(s, "test") })
}

func floorOf(t *testing.T, pkg string) int {
	for p := pkg; p != "."; p = filepath.Dir(p) {
		if f, ok := floors[p]; ok {
			return f
		}
	}
	t.Fatalf("package %s is on no floor", pkg)
	return 0
}

func TestImportsGoDown(t *testing.T) {
	for _, file := range tracked(t, ".go") {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.ImportsOnly)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		pkg := filepath.Dir(file)
		free := isTestPackage(pkg) || strings.HasSuffix(file, "_test.go")
		for _, imp := range f.Imports {
			dep, ours := strings.CutPrefix(strings.Trim(imp.Path.Value, `"`), modulePath+"/")
			switch {
			case !ours || free:
			case isTestPackage(dep):
				t.Errorf("%s imports the test package %s", file, dep)
			case floorOf(t, dep) > floorOf(t, pkg),
				floorOf(t, dep) == floorOf(t, pkg) && strings.Split(dep, "/")[0] != strings.Split(pkg, "/")[0]:
				t.Errorf("%s (floor %d) imports %s (floor %d)", file, floorOf(t, pkg), dep, floorOf(t, dep))
			}
		}
	}
}

// A package that many tests import links few packages, which decides how long they take to build.
func TestTestsLinkFewPackages(t *testing.T) {
	for pkg, limit := range map[string]int{"cli/command": 350, "rag": 330} {
		list := exec.Command("go", "list", "-deps", "-test", "./"+pkg)
		list.Dir, list.Env = root, append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(out, []byte("\n")); n > limit {
			t.Errorf("the tests of %s link %d packages, want at most %d", pkg, n, limit)
		}
	}
}

// waitsForReady are the files whose sync.WaitGroup runs functions that recover from panics.
var waitsForReady = map[string]bool{"mcpshell/stdio.go": true, "rag/intake/pipeline.go": true}

// A panic in a goroutine without a recover ends the whole server. Goroutines are therefore
// started through github.com/sourcegraph/conc, which passes a panic to the waiting caller, or
// are listed here with the way in which they recover.
func TestPanicsReachTheCaller(t *testing.T) {
	ready := map[string]int{
		"mcpshell/call.go":            1, // recovers
		"mcpshell/access/provider.go": 1, // panics.Try
		"mcpshell/stdio.go":           3, // run no command; (*session).reply recovers
		"rag/intake/pipeline.go":      1, // the writer: (*pipeline).try
		"entrez/httpclient/share.go":  1, // panics.Try, and every caller panics
		"rag/embed_query.go":          1, // panics.Try, and the caller panics
		"cli/main.go":                 1, // waits for a signal
		"cli/logs.go":                 1, // opens a file at a signal
	}
	for _, file := range tracked(t, ".go") {
		pkg := filepath.Dir(file)
		if isTestPackage(pkg) || strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		started := 0
		ast.Inspect(f, func(n ast.Node) bool {
			if _, ok := n.(*ast.GoStmt); ok {
				started++
			}
			return true
		})
		if started != ready[file] {
			t.Errorf("%s starts %d goroutines with go, %d are known to be ready for a panic", file, started, ready[file])
		}
		for i, line := range strings.Split(string(read(t, file)), "\n") {
			if strings.Contains(line, "x/sync/errgroup") || strings.Contains(line, "sync.WaitGroup") && !waitsForReady[file] {
				t.Errorf("%s:%d: a panic in this group ends the process; use conc", file, i+1)
			}
		}
	}
}

// Go ranges over a map in a drawn order, so a loop over a map literal can answer one line in two
// ways. A slice keeps the order in which the literal is written.
func TestNoLoopRangesOverAMapLiteral(t *testing.T) {
	for _, file := range tracked(t, ".go") {
		if isTestPackage(filepath.Dir(file)) || strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, filepath.Join(root, file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			loop, ok := n.(*ast.RangeStmt)
			if !ok {
				return true
			}
			if literal, ok := loop.X.(*ast.CompositeLit); ok {
				if _, ok := literal.Type.(*ast.MapType); ok {
					t.Errorf("%s:%d ranges over a map literal, want a slice", file, set.Position(loop.Pos()).Line)
				}
			}
			return true
		})
	}
}

func TestTopLevel(t *testing.T) {
	allowed := []string{
		"cmd", "cli", "mcpshell", "entrez", "store", "rag", "charts", "skills", "build",
		"go.mod", "go.sum", "README.md", "LICENSE", "CHANGELOG.md",
		"CITATION.cff", // GitHub reads it only from the top folder
	}
	for _, f := range tracked(t, "") {
		top, _, _ := strings.Cut(f, "/")
		if !strings.HasPrefix(top, ".") && !slices.Contains(allowed, top) {
			t.Errorf("%s is not in the design", f)
		}
	}
}

func TestNoFileIsLong(t *testing.T) {
	for _, f := range tracked(t, ".go") {
		body := read(t, f)
		if n := bytes.Count(body, []byte("\n")); n > 450 {
			t.Errorf("%s has %d lines", f, n)
		}
	}
}

// An internal test makes Go compile every package between the tested one and the program again,
// only for that test.
func TestTestsOfCommandsStandOutside(t *testing.T) {
	within := regexp.MustCompile(`(?m)^package \w+$`)
	for _, f := range tracked(t, "_test.go") {
		is := func(folder string) bool { return strings.HasPrefix(f, folder) }
		if !slices.ContainsFunc([]string{"cli/command/", "cli/entity/", "cli/study/"}, is) {
			continue
		}
		if clause := within.Find(read(t, f)); !bytes.HasSuffix(clause, []byte("_test")) {
			t.Errorf("%s is of %s: let it be of %[2]s_test", f, clause)
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	said := map[string]bool{}
	for _, f := range tracked(t, ".go") {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, f), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Dir(f)
		said[dir] = said[dir] || parsed.Doc != nil
	}
	for dir, ok := range said {
		if !ok {
			t.Errorf("package %s has no package comment", dir)
		}
	}
}

// secrets matches text that must never be committed.
var secrets = regexp.MustCompile(`^(?i)(?:(api_?key|secret|token|password)["']?\s*[:=]\s*["'][0-9a-zA-Z_\-]{24,}["']|AKIA[0-9A-Z]{16}|sk-[A-Za-z0-9]{20,}|hf_[A-Za-z0-9]{30,}|-----BEGIN [A-Z ]*PRIVATE KEY)`)

// secretStarts match the beginnings of secrets. Looking for words first is much faster than one expression.
var secretStarts = []string{"api_key", "apikey", "secret", "token", "password", "akia", "sk-", "hf_", "-----begin "}

// findSecrets returns all that looks like a secret in text.
func findSecrets(text string) (found []string) {
	lower := strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, text)
	for _, start := range secretStarts {
		for at := 0; ; at++ {
			next := strings.Index(lower[at:], start)
			if next < 0 {
				break
			}
			at += next
			if s := secrets.FindString(text[at:]); s != "" {
				found = append(found, s)
			}
		}
	}
	return found
}

func TestNoSecrets(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all files, in one goroutine")
	}
	t.Parallel()
	for _, f := range tracked(t, "") {
		for _, s := range findSecrets(string(read(t, f))) {
			if !strings.Contains(s, "0123456789") { // obviously made up for a test
				t.Errorf("%s holds what looks like a secret: %.20s…", f, s)
			}
		}
	}
	key := `="` + strings.Repeat("4f", 18) + `"`
	for _, bad := range []string{
		"api_key" + key, `"ApiKey"` + key, "SECRET \n" + key, "token" + key, "password" + key, "AKIA" + strings.Repeat("Q7", 8),
		"sk-" + strings.Repeat("4f", 18), "hf_" + strings.Repeat("4f", 18), "-----BEGIN RSA" + " PRIVATE KEY",
	} {
		t.Run(bad, func(t *testing.T) {
			if len(findSecrets("a line\nkey: "+bad)) != 1 {
				t.Errorf("%q is not recognised", bad)
			}
		})
	}
}

// tracked returns the project's files with an extension. It omits dot folders and built
// programs, which git ignores.
func tracked(t *testing.T, ending string) []string {
	t.Helper()
	ignored := ignoredNames(t)
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if d.IsDir() {
			if rel != "." && strings.HasPrefix(d.Name(), ".") || slices.Contains(ignored, "/"+rel+"/") {
				return filepath.SkipDir
			}
			return nil
		}
		for _, pattern := range ignored {
			if ok, _ := filepath.Match(strings.TrimPrefix(pattern, "/"), d.Name()); ok {
				return nil
			}
		}
		if strings.HasSuffix(rel, ending) {
			files = append(files, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no files found")
	}
	return files
}

func ignoredNames(t *testing.T) []string {
	var names []string
	for s := bufio.NewScanner(bytes.NewReader(read(t, ".gitignore"))); s.Scan(); {
		if s.Text() != "" {
			names = append(names, s.Text())
		}
	}
	return names
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return body
}
