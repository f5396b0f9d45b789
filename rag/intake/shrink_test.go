package intake

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/store"
)

// A completed run returns unused space to the system.
func TestUnusedSpaceIsGivenBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := Options{Store: openStore(t, dir)}
	runs := map[string]func() error{
		"import": func() error {
			_, err := Import(t.Context(), o, inFile(t, many(1, 10)))
			return err
		},
		"vectors": func() error {
			_, err := UpdateVectors(t.Context(), o, false)
			return err
		},
	}
	for name, run := range runs {
		t.Run(name, func(t *testing.T) {
			for _, value := range []string{strings.Repeat("x", 24<<20), ""} {
				if err := o.Store.SetMeta(t.Context(), "test", value); err != nil {
					t.Fatal(err)
				}
			}
			if err := run(); err != nil {
				t.Fatal(err)
			}
			fi, err := os.Stat(filepath.Join(dir, store.FileName))
			if err != nil || fi.Size() > 8<<20 {
				t.Errorf("%s: %d bytes, %v", name, fi.Size(), err)
			}
		})
	}
}
