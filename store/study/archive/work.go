package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"biomcp/store/replace"
	"biomcp/store/study"
)

// workFolder is the folder for work in progress, next to the studies. See the package comment.
const workFolder = ".downloads"

// Work adds or removes one study. Only one process at a time can hold the Work of a study.
type Work struct {
	studies string
	id      string
	dir     string
	lock    *flock.Flock
}

// Begin locks a study. If another process holds the lock, the error is of kind Busy.
func Begin(studies, id string) (*Work, error) {
	isPlainName := badName(id) == "" && id != "" && !strings.ContainsAny(id, "/") && !strings.HasPrefix(id, ".")
	if !isPlainName || strings.EqualFold(id, study.PanelFolder) {
		return nil, &study.Error{Kind: study.Invalid, Message: quoteName(id) + " is not the id of a study"}
	}
	w := &Work{studies: studies, id: id, dir: filepath.Join(studies, workFolder)}
	for {
		if err := os.MkdirAll(w.dir, 0o755); err != nil {
			return nil, diskError("the folder of studies cannot be written", err)
		}
		w.lock = flock.New(w.path(".lock"))
		ok, err := w.lock.TryLock()
		if errors.Is(err, fs.ErrNotExist) { // another process has removed the folder
			continue
		}
		if err != nil {
			return nil, diskError("the folder of studies cannot be written", err)
		}
		if !ok {
			return nil, &study.Error{Kind: study.Busy, Message: "the study " + id + " is in use by another process"}
		}
		if w.holds() {
			return w, nil
		}
		_ = w.lock.Close() // another process has removed its file
	}
}

// holds reports whether the lock file is still the one that other processes would lock.
func (w *Work) holds() bool {
	mine, err := w.lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(w.path(".lock"))
	return err == nil && os.SameFile(mine, named)
}

func (w *Work) path(ending string) string { return filepath.Join(w.dir, w.id+ending) }

// ArchivePath returns the path to which the archive must be downloaded.
func (w *Work) ArchivePath() string { return w.path(".tar.gz") }

// Close releases the lock. It keeps an incomplete download.
func (w *Work) Close() {
	if w.lock.Locked() {
		_ = os.Remove(w.lock.Path())
		_ = w.lock.Close()
		_ = os.Remove(w.dir) // fails unless it is empty
	}
}

// Unpack extracts the archive at ArchivePath and moves the study to its final place. It returns origin
// completed from the archive and the study. It removes the archive after success or if the
// archive was rejected; after a disk failure or cancellation the archive is kept for the next
// attempt.
func (w *Work) Unpack(ctx context.Context, origin Origin, limits Limits) (Origin, error) {
	f, err := os.Open(w.ArchivePath())
	if err != nil {
		return origin, diskError("the archive cannot be read", err)
	}
	err = w.read(ctx, f, &origin, limits)
	_ = f.Close() // it was only read
	if err == nil || study.IsKind(err, study.BadArchive) {
		for _, ending := range []string{".tar.gz", ".tar.gz.json"} {
			if gone := os.Remove(w.path(ending)); gone != nil && !errors.Is(gone, fs.ErrNotExist) && err == nil {
				err = diskError("the archive cannot be removed", gone)
			}
		}
	}
	return origin, err
}

// read installs the study from an archive.
func (w *Work) read(ctx context.Context, archive io.Reader, origin *Origin, limits Limits) error {
	return w.put(origin, func() error {
		root, err := os.OpenRoot(w.path(""))
		if err != nil {
			return diskError("the folder of studies cannot be written", err)
		}
		defer root.Close()
		sum := sha256.New()
		counted := &counter{Reader: io.TeeReader(archive, sum)}
		if err := unpack(ctx, counted, w.id, root, limits); err != nil {
			return err
		}
		origin.SHA256, origin.Bytes = hex.EncodeToString(sum.Sum(nil)), counted.n
		return nil
	})
}

type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// InstallBundled installs a bundled study. write must create its folder in the folder that it is passed.
func (w *Work) InstallBundled(origin Origin, write func(studies string) error) (Origin, error) {
	err := w.put(&origin, func() error {
		if err := write(w.dir); err != nil {
			return diskError("the study cannot be written", err)
		}
		return nil
	})
	return origin, err
}

// put lets fill create the study in a temporary folder, checks it and renames it to its final
// place.
func (w *Work) put(origin *Origin, fill func() error) (err error) {
	made := w.path("")
	if err := w.clean(); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = w.clean() // if this fails, the next Work does it
		}
	}()
	if err := os.Mkdir(made, 0o755); err != nil {
		return diskError("the folder of studies cannot be written", err)
	}
	if err := fill(); err != nil {
		return err
	}
	s, err := study.Open(made, "")
	if err != nil {
		return err
	}
	switch {
	case !strings.EqualFold(s.ID, w.id):
		return rejectionf("it holds the study %s, not %s", quoteName(s.ID), w.id)
	case s.Name == "" && len(s.Profiles()) == 0:
		return rejectionf("it holds no study in cBioPortal's format")
	}
	origin.StudyID, origin.Citation, origin.PMID = s.ID, s.Citation, s.PMID
	origin.LicenceFile = licenceIn(made)
	note, err := json.MarshalIndent(origin, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(made, originName), append(note, '\n'), 0o644)
	}
	if err == nil {
		err = replace.RenameDir(made, filepath.Join(w.studies, w.id))
	}
	if errors.Is(err, fs.ErrExist) {
		return &study.Error{
			Kind:    study.Busy,
			Message: "the folder of studies already has a folder " + w.id + ", which is not this study",
		}
	}
	if err != nil {
		return diskError("the study cannot be moved to its final place", err)
	}
	return nil
}

// clean removes the leftovers of interrupted processes.
func (w *Work) clean() error {
	for _, ending := range []string{"", ".removed"} {
		if err := os.RemoveAll(w.path(ending)); err != nil {
			return diskError("leftovers of an earlier run cannot be removed", err)
		}
	}
	return nil
}

// Remove removes a study and its indexes. If the study is a link to a folder elsewhere, it
// removes only the link.
func (w *Work) Remove(s *study.Study) error {
	if err := w.clean(); err != nil {
		return err
	}
	if err := os.Rename(s.Folder(), w.path(".removed")); err != nil {
		return diskError("the study cannot be removed", err)
	}
	if err := w.clean(); err != nil {
		return err
	}
	return s.RemoveIndex()
}
