package cli_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// maxPassed is the maximum number of functions that receive the words of a valid line between
// Main and the end of its command, not counting those of single entities.
const maxPassed = 12

// A valid line passes through few functions that receive its words, and through none that guess
// the meaning of a refused line. The test runs a program that records its executed statements.
func TestARightLinePassesFewFunctions(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program that counts")
	}
	bin := filepath.Join(t.TempDir(), "biomcp")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-cover", "-coverpkg=biomcp/cmd/biomcp,biomcp/cli,biomcp/cli/command,biomcp/cli/entity,biomcp/cli/correct,biomcp/cli/result,biomcp/cli/words", "-o", bin, "./cmd/biomcp")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	for _, line := range []string{
		"list gene", "study list", "search library weight loss --limit 3 --json", "get library p/README.md",
		"get gene BRAF TP53 --offline", "get article 23193287 abstract --offline --json",
	} {
		t.Run(line, func(t *testing.T) {
			passed := ran(t, bin, strings.Fields(line))
			t.Logf("%d of %d: %q", len(passed), maxPassed, passed)
			if len(passed) > maxPassed || !slices.Contains(passed, "main.go Main") || slices.ContainsFunc(passed, guesses) {
				t.Errorf("%d functions took the words, and at most %d may: %q", len(passed), maxPassed, passed)
			}
		})
	}
	t.Run("a refused line", func(t *testing.T) {
		if passed := ran(t, bin, []string{"get", "gen", "BRAF"}); !slices.ContainsFunc(passed, guesses) {
			t.Errorf("no function of cli/correct is counted: %q", passed)
		}
	})
}

func guesses(passed string) bool { return strings.HasPrefix(passed, "correct/") }

// ran runs a line in the recording program. It returns the functions that received its words,
// and the files of package meant with executed statements.
func ran(t *testing.T, bin string, line []string) (passed []string) {
	t.Helper()
	home, counts := t.TempDir(), t.TempDir()
	note := filepath.Join(home, "library", "p", "README.md")
	if err := os.MkdirAll(filepath.Dir(note), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(note, []byte("---\ntitle: p\n---\nweight loss\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, line...)
	cmd.Env = []string{"HOME=" + home, "GOCOVERDIR=" + counts, "BIOMCP_LIBRARY_DIR=" + filepath.Dir(filepath.Dir(note))}
	_ = cmd.Run() // without a network some lines fail after their command has started
	cmd = exec.Command("go", "tool", "covdata", "textfmt", "-i="+counts, "-o=/dev/stdout")
	cmd.Dir = root
	profile, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]map[int]string{}
	for in := bufio.NewScanner(bytes.NewReader(profile)); in.Scan(); {
		var start int
		path, ours := strings.CutPrefix(in.Text(), "biomcp/cli/")
		path, where, _ := strings.Cut(path, ":")
		if _, err := fmt.Sscanf(where, "%d.", &start); !ours || err != nil || strings.HasSuffix(where, " 0") {
			continue
		}
		if functions[path] == nil {
			text, err := os.ReadFile(filepath.FromSlash(path))
			if err != nil {
				t.Fatal(err)
			}
			functions[path] = takers(t, text)
		}
		name, takes := functions[path][start]
		if name = path + " " + name; (takes || guesses(path)) && !slices.Contains(passed, name) {
			passed = append(passed, name)
		}
	}
	return passed
}
