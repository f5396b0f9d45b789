//go:build unix

package intake

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"biomcp/entrez/record"
)

// A pipe, a link that leads nowhere or a folder that cannot be listed is a failure of
// that file alone; the other files are imported.
func TestAFileThatIsNoneCostsOnlyItself(t *testing.T) {
	o := options(t)
	dir := write(t, map[string]string{"b.xml": set(many(1, 3)), "y/c.xml": set(many(4, 2)), "z.xml": set(many(6, 1))})
	if err := errors.Join(
		syscall.Mkfifo(filepath.Join(dir, "a.xml"), 0o644),
		os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "y", "d.xml")),
		os.Symlink("loop.xml", filepath.Join(dir, "loop.xml")),
	); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := Import(t.Context(), o, dir)
		var incomplete *Incomplete
		if !errors.As(err, &incomplete) {
			t.Fatal(err)
		}
		var names []string
		for _, cause := range incomplete.Causes {
			var bad *FileError
			if !errors.As(cause, &bad) || strings.Contains(cause.Error(), dir) {
				t.Errorf("cause %v", cause)
				continue
			}
			names = append(names, bad.Error())
		}
		want := []string{"a.xml: it is not a file", "d.xml: there is no such file or folder", "loop.xml: it cannot be read"}
		if !slices.Equal(names, want) {
			t.Errorf("causes %q", names)
		}
		if got := pmids(t, o.Store); !slices.Equal(got, []record.PMID{1, 2, 3, 4, 5, 6}) {
			t.Errorf("stored %v", got)
		}
	}
	_, err := Import(t.Context(), options(t), filepath.Join(dir, "a.xml"))
	var bad *FileError
	if !errors.As(err, &bad) {
		t.Errorf("a pipe that is named: %v", err)
	}
}
