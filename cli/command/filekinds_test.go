package command_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"biomcp/cli/result"
)

// A file that exists is replaced only with --force, and two flags do not write one file.
func TestFilesOfALine(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"old.csv": "old", "target.csv": "old", "dir.csv/out.csv": ""} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("target.csv", "link.csv"); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	const line = "find paper P1 "
	for flags, want := range map[string][2]string{
		"-o new.csv --rows 7": {}, "-o old.csv --force": {}, "-o link.csv --force": {}, "--rows 3": {},
		"-o old.csv":                  {"old.csv exists; --force replaces it", "--output old-2.csv"},
		"-o dir.csv":                  {"dir.csv is a folder; name a file", "--output dir.csv/out-2.csv"},
		"-o new.csv --rows ./new.csv": {"--output and --rows name the same file, ./new.csv", "--output new.csv --rows ./new-2.csv"},
		"-o link.csv --rows target.csv --force": {"--output and --rows name the same file",
			"--output link.csv --force --rows target-2.csv"},
	} {
		in := call(t, line+flags)
		if err := in.CheckFiles(); want[0] != "" {
			refused(t, flags, err, want[0], "biomcp "+line+want[1])
		} else {
			equal(t, flags, err, nil)
		}
	}
	write := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	for _, c := range []struct{ flags, file, message, holds string }{
		{"-o old.csv", "old.csv", "old.csv exists", "old"}, {"-o old.csv --force", "old.csv", "", "new"}, {"-o new.csv", "new.csv", "", "new"},
		{"-o link.csv --force", "target.csv", "", "new"}, {"-o dir.csv --force", "dir.csv/out.csv", "dir.csv is a folder", ""},
	} {
		err := call(t, line+c.flags).WriteFile("output", write)
		if (c.message == "") != (err == nil) {
			t.Errorf("%s: got the error %v, want one with %q", c.flags, err, c.message)
		}
		got, err := os.ReadFile(c.file)
		equal(t, c.flags+": "+c.file, fmt.Sprint(string(got), err), c.holds+"<nil>")
	}
	if info, err := os.Lstat("link.csv"); err != nil || info.Mode().IsRegular() {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	equal(t, "next files", call(t, line+"-o old.csv --rows new.csv --force").NextFiles(11), []string{
		"--output", "old-11.csv", "--force", "", "--rows", "new-11.csv", "--force", ""})
	lines := []result.Argv{{"find", "paper", "P1", "--output", "old.csv", "--force"}, {"find", "paper", "P2", "--output", "x.csv"}}
	equal(t, "later lines", call(t, line+"-o old.csv --force").KeepFiles(lines...), []result.Argv{
		{"find", "paper", "P1", "--output", "old-2.csv"}, {"find", "paper", "P2", "--output", "x.csv"}})
}

// A device receives any number of answers, each as it stands.
func TestDeviceIsWrittenTo(t *testing.T) {
	device := filepath.Join(t.TempDir(), "null.csv")
	if err := os.Symlink(os.DevNull, device); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	in := call(t, "find paper P1 -o "+device)
	equal(t, "check", in.CheckFiles(), nil)
	equal(t, "write", in.WriteFile("output", func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }), nil)
	equal(t, "next file", slices.Contains(in.NextFiles(2), device), true)
	equal(t, "later lines", in.KeepFiles(result.Argv{"find", "--output", device}), []result.Argv{{"find", "--output", device}})
}
