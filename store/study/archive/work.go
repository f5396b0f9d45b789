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

// workFolder is next to the studies; see the package comment.
const workFolder = ".downloads"

// Work is the place where one study is put in or taken out, by one process at a time.
type Work struct {
	studies string
	id      string
	dir     string
	lock    *flock.Flock
}

// Begin takes the place of a study. Its error is of kind Busy where another process
// has it.
func Begin(studies, id string) (*Work, error) {
	if problem := badName(id); problem != "" || id == "" || strings.ContainsAny(id, "/") || strings.HasPrefix(id, ".") || strings.EqualFold(id, study.PanelFolder) {
		return nil, &study.Error{Kind: study.Invalid, Message: quoted(id) + " is not the id of a study"}
	}
	w := &Work{studies: studies, id: id, dir: filepath.Join(studies, workFolder)}
	for {
		if err := os.MkdirAll(w.dir, 0o755); err != nil {
			return nil, failed("the folder of studies cannot be written", err)
		}
		w.lock = flock.New(w.path(".lock"))
		ok, err := w.lock.TryLock()
		if errors.Is(err, fs.ErrNotExist) { // another process has removed the folder
			continue
		}
		if err != nil {
			return nil, failed("the folder of studies cannot be written", err)
		}
		if !ok {
			return nil, &study.Error{Kind: study.Busy, Message: "the study " + id + " is in use by another process"}
		}
		if w.holds() {
			return w, nil
		}
		_ = w.lock.Close() // its file is gone
	}
}

// holds reports whether the lock is on the file that others would lock.
func (w *Work) holds() bool {
	mine, err := w.lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(w.path(".lock"))
	return err == nil && os.SameFile(mine, named)
}

func (w *Work) path(ending string) string { return filepath.Join(w.dir, w.id+ending) }

// File is where the archive belongs.
func (w *Work) File() string { return w.path(".tar.gz") }

// Close gives the place back, and leaves a download that is not complete.
func (w *Work) Close() {
	if w.lock.Locked() {
		_ = os.Remove(w.lock.Path())
		_ = w.lock.Close()
		_ = os.Remove(w.dir) // where nothing is left in it
	}
}

// Unpack unpacks the archive at File, notes of origin what it sees and puts the study
// into its place. A refused archive is removed with what was unpacked of it; after a
// failure of the disk and after Ctrl-C the archive stays for the next time.
func (w *Work) Unpack(ctx context.Context, origin Origin, most Limits) (Origin, error) {
	f, err := os.Open(w.File())
	if err != nil {
		return origin, failed("the archive cannot be read", err)
	}
	err = w.read(ctx, f, &origin, most)
	_ = f.Close() // it was only read
	if err == nil || study.IsKind(err, study.BadArchive) {
		for _, ending := range []string{".tar.gz", ".tar.gz.json"} {
			if gone := os.Remove(w.path(ending)); gone != nil && !errors.Is(gone, fs.ErrNotExist) && err == nil {
				err = failed("the archive cannot be removed", gone)
			}
		}
	}
	return origin, err
}

// read puts the study of an archive into its place.
func (w *Work) read(ctx context.Context, archive io.Reader, origin *Origin, most Limits) error {
	return w.put(origin, func() error {
		root, err := os.OpenRoot(w.path(""))
		if err != nil {
			return failed("the folder of studies cannot be written", err)
		}
		defer root.Close()
		sum := sha256.New()
		counted := &counter{Reader: io.TeeReader(archive, sum)}
		if err := unpack(ctx, counted, w.id, root, most); err != nil {
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

// Copy puts a bundled study into its place; write makes its folder in a folder of
// studies.
func (w *Work) Copy(origin Origin, write func(studies string) error) (Origin, error) {
	err := w.put(&origin, func() error {
		if err := write(w.dir); err != nil {
			return failed("the study cannot be written", err)
		}
		return nil
	})
	return origin, err
}

// put makes a study in a folder that nobody reads, and renames it to where it belongs.
func (w *Work) put(origin *Origin, fill func() error) (err error) {
	made := w.path("")
	if err := w.clean(); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = w.clean() // the next Work does it, where this one cannot
		}
	}()
	if err := os.Mkdir(made, 0o755); err != nil {
		return failed("the folder of studies cannot be written", err)
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
		return refused("it holds the study %s, not %s", quoted(s.ID), w.id)
	case s.Name == "" && len(s.Profiles()) == 0:
		return refused("it holds no study in cBioPortal's format")
	}
	origin.StudyID, origin.Citation, origin.PMID = s.ID, s.Citation, s.PMID
	origin.LicenceFile = licenceIn(made)
	note, err := json.MarshalIndent(origin, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(made, originName), append(note, '\n'), 0o644)
	}
	if err == nil {
		err = replace.Folder(made, filepath.Join(w.studies, w.id))
	}
	if errors.Is(err, fs.ErrExist) {
		return &study.Error{Kind: study.Busy, Message: "there is already a folder " + w.id + " among the studies, which is not this study"}
	}
	if err != nil {
		return failed("the study cannot be put in its place", err)
	}
	return nil
}

// clean removes what earlier processes left half done.
func (w *Work) clean() error {
	for _, ending := range []string{"", ".removed"} {
		if err := os.RemoveAll(w.path(ending)); err != nil {
			return failed("what an earlier run left cannot be removed", err)
		}
	}
	return nil
}

// Remove removes a study of the folder of studies, and what is indexed of it. A study
// that is a link to a folder elsewhere loses the link only.
func (w *Work) Remove(s *study.Study) error {
	if err := w.clean(); err != nil {
		return err
	}
	if err := os.Rename(s.Folder(), w.path(".removed")); err != nil {
		return failed("the study cannot be removed", err)
	}
	if err := w.clean(); err != nil {
		return err
	}
	return s.RemoveIndex()
}
