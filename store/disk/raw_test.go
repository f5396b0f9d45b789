package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that is open twice has one descriptor, which the first Close leaves open.
func TestRawFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.db")
	if err := os.WriteFile(path, []byte("twelve bytes"), 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := OpenRaw(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := OpenRaw(path)
	if err != nil || second != first {
		t.Fatalf("%p, %v, want the same as %p", second, err, first)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	text := make([]byte, 6)
	if _, err := second.ReadAt(text, 0); err != nil || string(text) != "twelve" {
		t.Errorf("read %q, %v", text, err)
	}
	if n, err := second.Size(); n != 12 || err != nil {
		t.Errorf("size %d, %v, want 12", n, err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	if _, err := OpenRaw(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestAFolderIsNoDatabase(t *testing.T) {
	err := FileType(1).Check(t.Context(), "open corpus", t.TempDir())
	if !IsKind(err, Foreign) || !strings.Contains(err.Error(), "a folder") {
		t.Errorf("got %v, want an error that names the folder", err)
	}
}

func TestFreeSpaceOfAFolder(t *testing.T) {
	if n, known := FreeSpace(t.TempDir()); !known || n <= 0 {
		t.Errorf("%d bytes, known %v", n, known)
	}
	if n, known := FreeSpace(filepath.Join(t.TempDir(), "missing")); known || n != 0 {
		t.Errorf("a missing folder: %d bytes, known %v", n, known)
	}
}
