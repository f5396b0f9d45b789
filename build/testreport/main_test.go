package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const events = `{"Action":"build-output","ImportPath":"m/broken","Output":"broken.go:1: syntax error\n"}
{"Action":"output","Package":"m/a","Test":"TestReal","Output":"=== RUN   TestReal\n"}
{"Action":"output","Package":"m/a","Test":"TestReal","Output":"    a_test.go:12: SKIPPED: the captured replies are not here\n"}
{"Action":"output","Package":"m/a","Test":"TestReal","Output":"--- SKIP: TestReal (0.00s)\n"}
{"Action":"skip","Package":"m/a","Test":"TestReal"}
{"Action":"output","Package":"m/a","Test":"TestQuiet","Output":"    a_test.go:20: words of a test that passes\n"}
{"Action":"pass","Package":"m/a","Test":"TestQuiet"}
{"Action":"output","Package":"m/a","Test":"TestWrong","Output":"    a_test.go:30: 1, want 2\n"}
{"Action":"fail","Package":"m/a","Test":"TestWrong"}
{"Action":"output","Package":"m/a","Output":"coverage: 74.9% of statements\n"}
{"Action":"fail","Package":"m/a","Elapsed":1.25}
{"Action":"output","Package":"m/none","Output":"\tm/none\t\tcoverage: 0.0% of statements\n"}
{"Action":"skip","Package":"m/none","Elapsed":0}
{"Action":"output","Package":"m/b","Output":"coverage: 75.0% of statements in ./...\n"}
{"Action":"pass","Package":"m/b","Elapsed":0.5}
words of go itself
`

func TestReport(t *testing.T) {
	var b strings.Builder
	r := newReport(&b)
	if err := r.read(strings.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	const want = `broken.go:1: syntax error
    a_test.go:30: 1, want 2
fail     1.2 s   74.9 %  m/a  1 skipped
skip     0.0 s    0.0 %  m/none
pass     0.5 s   75.0 %  m/b
words of go itself
`
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
	if r.tests != 3 {
		t.Errorf("got %d tests, want 3", r.tests)
	}
	if want := []string{"m/a.TestReal: the captured replies are not here"}; !slices.Equal(r.skipped, want) {
		t.Errorf("skipped: got %q, want %q", r.skipped, want)
	}
	for name, c := range map[string]struct {
		program []string
		want    int
	}{
		"enough": {[]string{"m/b"}, 0}, "too little": {[]string{"m/a", "m/b"}, 1}, "no tests": {[]string{"m/none"}, 1}, "not tested now": {[]string{"m/c"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := r.belowMinimum(c.program); len(got) != c.want {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestReason(t *testing.T) {
	for text, want := range map[string]string{
		"    real_test.go:7: no data\n": "no data", "=== RUN TestX\n--- SKIP: TestX (0.00s)\n": "no reason was given", "    x_test.go:9: SKIPPED: a: b\n": "a: b",
	} {
		t.Run(want, func(t *testing.T) {
			if got := reason(slices.Collect(strings.Lines(text))); got != want {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestSkippedTestsOfSeveralRunsAreInOneFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "skipped")
	for _, lines := range [][]string{{"a: x", "b: y"}, nil, {"c: z"}} {
		t.Run(strings.Join(lines, " "), func(t *testing.T) {
			if err := appendTo(file, lines); err != nil {
				t.Fatal(err)
			}
		})
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := "a: x\nb: y\nc: z\n"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// run reports the coverage of a small package by its own tests.
func TestRun(t *testing.T) {
	t.Chdir("../..")
	file := filepath.Join(t.TempDir(), "skipped")
	if err := run(file, "", "", []string{"-cover", "./entrez/pattern"}); err != nil {
		t.Error(err)
	}
	if err := run(file, "(", "", nil); err == nil {
		t.Error("an invalid expression is accepted")
	}
	const uncovered = "biomcp/entrez/pattern: its own tests cover 0.0 %"
	err := run(file, "", "", []string{"-cover", "-run", "TestThatIsNotThere", "./entrez/pattern"})
	if !strings.Contains(fmt.Sprint(err), uncovered) {
		t.Errorf("without tests: got the error %v, want %q", err, uncovered)
	}
	// The tests of one package do not cover another.
	if err := run(file, "", "./entrez/pattern,./entrez/record", []string{"-cover", "./entrez/pattern", "./entrez/record"}); err != nil {
		t.Error(err)
	}
	args := []string{"-cover", "-run", "TestThatIsNotThere", "./entrez/pattern"}
	err = run(file, "", "./entrez/pattern,./entrez/record", args)
	if !strings.Contains(fmt.Sprint(err), uncovered) {
		t.Errorf("without tests, with -together: got the error %v, want %q", err, uncovered)
	}
}

func TestCoverageByAPackagesOwnTests(t *testing.T) {
	dir := t.TempDir()
	for folder, profile := range map[string]string{
		"a":   "mode: set\nm/a/one.go:1.2,3.4 3 1\nm/a/one.go:4.2,5.4 1 0\nm/a/b/two.go:1.2,3.4 9 1\n",
		"a/b": "mode: set\nm/a/one.go:1.2,3.4 3 1\nm/a/b/two.go:1.2,3.4 9 0\n",
		"c":   "mode: set\nm/a/one.go:1.2,3.4 3 1\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, folder, "profile"), []byte(profile), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for pkg, want := range map[string]string{"m/a": "75.0", "m/a/b": "0.0", "m/c": "", "m/without": "0.0"} {
		t.Run(pkg, func(t *testing.T) {
			if got := ownCoverage(dir, pkg); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// The command has ended, whether its output was read or not.
func TestOutputOfACommand(t *testing.T) {
	whole := func(out io.Reader) error { _, err := io.ReadAll(out); return err }
	broken := func(io.Reader) error { return errors.New("unreadable") }
	for name, c := range map[string]struct {
		script        string
		read          func(io.Reader) error
		failed, wrong bool
	}{
		"read":        {"echo a", whole, false, false},
		"failed":      {"echo a; exit 3", whole, true, false},
		"unreadable":  {"while :; do echo a; done", broken, true, true},
		"not started": {"", whole, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("sh", "-c", c.script)
			if c.script == "" {
				cmd = exec.Command("./no-such-program")
			}
			failed, err := readOutput(cmd, c.read)
			if (failed != nil) != c.failed {
				t.Errorf("the command failed: %v, want %v", failed, c.failed)
			}
			if (err != nil) != c.wrong {
				t.Errorf("error %v, want one: %v", err, c.wrong)
			}
			if c.script != "" && cmd.ProcessState == nil {
				t.Error("the command was not waited for")
			}
		})
	}
}
