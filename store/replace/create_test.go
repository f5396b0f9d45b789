package replace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Create writes a new file, and never replaces one, even if it appears while the text is written.
func TestCreateReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, s)
			return err
		}
	}
	if err := Create(path, text("first")); err != nil {
		t.Fatal(err)
	}
	if err := Create(path, text("second")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that exists: %v", err)
	}
	late := filepath.Join(dir, "b.csv")
	err := Create(late, func(w io.Writer) error {
		if err := os.WriteFile(late, []byte("of another process"), 0o600); err != nil {
			return err
		}
		return text("late")(w)
	})
	if !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that appears meanwhile: %v", err)
	}
	failed := errors.New("failed")
	if err := Create(filepath.Join(dir, "c.csv"), func(io.Writer) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("a failed write: %v", err)
	}
	if err := Create(filepath.Join(dir, "missing", "d.csv"), text("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
	want := map[string]string{"a.csv": "first", "b.csv": "of another process"}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(want) {
		t.Errorf("%d files, %v, want %d", len(entries), err, len(want))
	}
	for name, text := range want {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != text {
			t.Errorf("%s has %q, %v, want %q", name, got, err, text)
		}
	}
}
