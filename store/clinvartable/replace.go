package clinvartable

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"biomcp/entrez/layout"
	"biomcp/store/disk"
	"biomcp/store/replace"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// Names in the folder of the table.
const (
	checkedFile = "checked.json"
	temporary   = ".biomcp-" // prefix of temporary files, as in package replace
)

// Replace replaces the table by the contents of a file, which has the given layout. check receives the old and the new version. If it or
// Replace fails, the old version stays. Replace sets Version, Rows, StoredAt and CheckedAt of info.
func Replace(ctx context.Context, dir string, info table.Info, file layout.File, in io.Reader, report *sets.Report,
	check func(old, new *table.Info) error) (table.Info, error) {
	return replaceForm(ctx, dir, variantForm(), info, file, in, report, check, fillVariants)
}

// replaceForm replaces a table by the contents of a file, as Replace does. fill writes the rows and returns their
// number.
func replaceForm(ctx context.Context, dir string, f *form, info table.Info, file layout.File, in io.Reader, report *sets.Report,
	check func(old, new *table.Info) error,
	fill func(*writer, *lineReader, *Table, *header) (int, error)) (table.Info, error) {
	old, err := openForm(dir, f)
	if err != nil && !table.IsAbsent(err) && !disk.IsKind(err, disk.Failed) { // a damaged table is replaced
		return info, err
	}
	last, closeOld := table.Info{}, func() error { return nil }
	if old != nil {
		last, closeOld = old.Info, sync.OnceValue(old.Close)
		defer closeOld() // it was only read
	}
	r, err := newLineReader(ctx, file, in, f, report)
	if err != nil {
		return info, err
	}
	if err = clean(dir); err == nil {
		err = replace.File(filepath.Join(dir, f.file), func(out io.Writer) (err error) {
			w := &writer{source: file.Name}
			if w.pack, err = newPackWriter(out); err != nil {
				return err
			}
			if w.index, err = newIndexWriter(dir); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, w.index.close()) }()
			h := header{Release: releaseOf(info), Oldest: releaseOf(info)}
			if info.Rows, err = fill(w, r, old, &h); err != nil {
				return err
			}
			info.Version, info.StoredAt, info.CheckedAt = last.Version+1, info.StoredAt.UTC(), info.StoredAt.UTC()
			if err := check(&last, &info); err != nil {
				return err
			}
			h.Index, h.Info = w.index.bits, info
			return errors.Join(w.putJSON(infoBlock, h), w.pack.finish(), closeOld()) // Windows does not replace an open file
		})
	}
	if ctx.Err() != nil || errors.As(err, new(syscall.Errno)) {
		err = disk.Wrap(ctx, "store ClinVar's table", err)
	}
	return info, err
}

// clean makes the folder of a table and removes from it what a killed import left.
func clean(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	all, err := os.ReadDir(dir)
	for _, f := range all {
		if strings.HasPrefix(f.Name(), temporary) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, f.Name())))
		}
	}
	return err
}

// A checked file says when the source was last known to have a version.
type checked struct {
	Version int       `json:"version"`
	At      time.Time `json:"at"`
}

// MarkChecked records that the source still has the stored version.
func MarkChecked(dir string, at time.Time) (table.Info, error) {
	return markChecked(dir, variantForm(), at)
}

func markChecked(dir string, f *form, at time.Time) (table.Info, error) {
	t, err := openForm(dir, f)
	if err != nil {
		return table.Info{}, err
	}
	t.Info.CheckedAt = at.UTC()
	text, err := json.Marshal(checked{t.Info.Version, t.Info.CheckedAt})
	if err == nil {
		err = replace.File(filepath.Join(dir, checkedFile), func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
	}
	return t.Info, errors.Join(disk.Wrap(context.Background(), "write local tables", err), t.Close())
}
