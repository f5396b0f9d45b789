package replace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func TestFileIsReplacedWholeOrNotAtAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.txt")
	failure := errors.New("the source ended")
	for _, step := range []struct {
		write func(io.Writer) error
		err   error
		want  string
	}{
		{text("first"), nil, "first"},
		{func(w io.Writer) error { return errors.Join(text("half")(w), failure) }, failure, "first"},
		{text("second"), nil, "second"},
	} {
		t.Run(fmt.Sprint(step.err), func(t *testing.T) {
			if err := File(path, step.write); !errors.Is(err, step.err) {
				t.Error(err)
			}
			if body, err := os.ReadFile(path); err != nil || string(body) != step.want {
				t.Errorf("%q, %v, want %q", body, err, step.want)
			}
			if all, err := os.ReadDir(filepath.Dir(path)); err != nil || len(all) != 1 {
				t.Errorf("a temporary file is left: %v, %v", all, err)
			}
		})
	}
	if err := File(filepath.Join(path, "below a file"), text("x")); err == nil {
		t.Error("a file below a file was written")
	}
}

func TestFolderInTheWayIsKept(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "name", "below"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := File(filepath.Join(dir, "name"), text("x")); err == nil {
		t.Error("a folder was replaced")
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 1 {
		t.Errorf("a temporary file is left: %v, %v", all, err)
	}
}

func TestFolderIsRenamedWithAllItsFilesOrNotAtAll(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "study.new"), filepath.Join(t.TempDir(), "study")
	if err := os.MkdirAll(filepath.Join(from, "case_lists"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := File(filepath.Join(from, "case_lists", "cases_all.txt"), text("x")); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(from, "link")
	if err := os.Symlink(filepath.Join(from, "absent"), link); err == nil {
		if err := RenameDir(from, to); err == nil {
			t.Error("a file that cannot be written to the disk is passed over")
		}
		if _, err := os.Stat(to); err == nil {
			t.Error("the folder was renamed nevertheless")
		}
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
	}
	if err := RenameDir(from, to); err != nil {
		t.Fatal(err)
	}
	if body, err := os.ReadFile(filepath.Join(to, "case_lists", "cases_all.txt")); err != nil || string(body) != "x" {
		t.Errorf("%q, %v", body, err)
	}
}
