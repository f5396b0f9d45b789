package library_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/words"
)

// A file that is too long for an agent's answer is read in parts, each by the command that the
// previous answer suggests, as text and as JSON.
func TestLongFilesAreReadInParts(t *testing.T) {
	app := commandtest.Disk(t)
	var long strings.Builder
	for i := range 9000 {
		fmt.Fprintf(&long, "Line %d with \"quotes\" of a synthetic note.\n", i)
	}
	commandtest.WriteLibraryFile(t, app, "p/long.md", long.String())
	for _, flag := range []string{"", " --json"} {
		t.Run(flag, func(t *testing.T) {
			line, read := "get library p/long.md"+flag, ""
			for calls := 0; line != ""; calls++ {
				if calls > 40 {
					t.Fatalf("no end after %d calls: %s", calls, line)
				}
				args, err := words.Split(line)
				if err != nil {
					t.Fatal(err)
				}
				reply := cli.Parser(app)(args).Run(t.Context(), flag != "")
				if reply.IsError {
					line = tryOf(t, reply.Text, flag != "")
					continue
				}
				text, notices := reply.Text, strings.Join(reply.Notices, "\n")
				if flag != "" {
					var answer struct {
						Text    string
						Notices []string
					}
					if err := json.Unmarshal([]byte(text), &answer); err != nil {
						t.Fatal(err)
					}
					text, notices = answer.Text, strings.Join(answer.Notices, "\n")
				}
				if _, line, _ = strings.Cut(notices, "the rest: biomcp "); flag == "" {
					text, line = unquote(t, text)
				}
				read += text
			}
			if read != long.String() {
				t.Errorf("%d bytes were read, and the file has %d", len(read), long.Len())
			}
		})
	}
}

// unquote returns the quoted lines of an answer and the command for the rest, which follows them.
func unquote(t *testing.T, text string) (quoted, rest string) {
	t.Helper()
	for l := range strings.Lines(text) {
		if text, is := strings.CutPrefix(l, "> "); is && rest == "" {
			quoted += text
		} else if line, is := strings.CutPrefix(l, "biomcp get library "); is && strings.Contains(l, "--continue-at") {
			rest = "get library " + strings.TrimSpace(line)
		}
	}
	return quoted, rest
}

// tryOf returns the command that a failure suggests.
func tryOf(t *testing.T, text string, asJSON bool) string {
	t.Helper()
	var failure struct {
		Error struct{ Details struct{ Try string } }
	}
	if asJSON {
		if err := json.Unmarshal([]byte(text), &failure); err != nil {
			t.Fatalf("%v: %.300s", err, text)
		}
		return strings.TrimPrefix(failure.Error.Details.Try, "biomcp ")
	}
	_, try, ok := strings.Cut(text, "try:   biomcp ")
	if !ok {
		t.Fatalf("no command to try: %.300s", text)
	}
	return strings.TrimSpace(try)
}

func TestAgentsDoNotFillTheLibrary(t *testing.T) {
	app := commandtest.Disk(t)
	for _, line := range []string{"library init p", "library add p --from-articles 1", "--json library init p"} {
		t.Run(line, func(t *testing.T) {
			if text, code := clitest.Ask(t, app, command.Agent, line); code != 2 || !strings.Contains(text, command.RefusalPrefix) {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		})
	}
	if _, err := os.Stat(app.Env.LibraryDir); !os.IsNotExist(err) {
		t.Errorf("the library was made: %v", err)
	}
}

// Unreadable files are named without a local path.
func TestFilesThatCannotBeServedAreNamed(t *testing.T) {
	app := commandtest.Disk(t)
	commandtest.WriteLibraryFile(t, app, "p/a.md", "text")
	for i := range 9 {
		commandtest.WriteLibraryFile(t, app, fmt.Sprintf("p/bad%d.md", i), "\xff")
	}
	text, code := clitest.Ask(t, app, command.Agent, "search library text")
	if code != 0 || !strings.Contains(text, "p/bad0.md is not served: it is not UTF-8 text") || !strings.Contains(text, "and 4 more files") || strings.Contains(text, app.Env.LibraryDir) {
		t.Errorf("exit %d: %s", code, text)
	}
	text, code = clitest.Ask(t, app, command.Agent, "get library p/bad0.md")
	if code == 0 || strings.Contains(text, app.Env.LibraryDir) {
		t.Errorf("exit %d: %s", code, text)
	}
}

// A library that cannot be read is reported as a disk failure.
func TestALibraryThatIsNoFolder(t *testing.T) {
	app := commandtest.Disk(t)
	commandtest.WriteLibraryFile(t, app, "x", "")
	app.Env.LibraryDir = filepath.Join(app.Env.LibraryDir, "x")
	for _, line := range []string{"search library --json", "get library p/a.md --json", "library init p --json"} {
		t.Run(line, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Person, line)
			if code != 1 || !strings.Contains(text, `"STORE"`) || strings.Contains(text, app.Env.LibraryDir) {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		})
	}
}
