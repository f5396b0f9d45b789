// Package replace writes files atomically: if the process is killed or the power fails, a file has
// either its old or its new contents. It writes a temporary file and renames it once it is on the
// disk.
//
//	err := replace.File("chart.svg", func(w io.Writer) error { ... })
//
// It is not for databases, which have journals.
package replace

import (
	"bufio"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File creates or replaces the file at path with the output of write. Its folder must exist. If
// File or write fails, the old file is unchanged.
func File(path string, write func(io.Writer) error) error { return fileWithMode(path, 0o644, write) }

// PrivateFile is like File for a file that only its owner can read.
func PrivateFile(path string, write func(io.Writer) error) error {
	return fileWithMode(path, 0o600, write)
}

func fileWithMode(path string, mode fs.FileMode, write func(io.Writer) error) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	return fileIn(root, filepath.Base(path), mode, write)
}

// FileIn is like File for a name below root.
func FileIn(root *os.Root, name string, write func(io.Writer) error) error {
	return fileIn(root, name, 0o644, write)
}

func fileIn(root *os.Root, name string, mode fs.FileMode, write func(io.Writer) error) error {
	temporary, err := stage(root, mode, write)
	if err != nil {
		return err
	}
	if err := root.Rename(temporary, name); err != nil {
		_ = root.Remove(temporary) // report the first error
		return err
	}
	return SyncDir(root, filepath.Dir(name))
}

// Create is like File, but returns an error that wraps fs.ErrExist if the file exists, even if another
// process creates it meanwhile.
func Create(path string, write func(io.Writer) error) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.Base(path)
	exists := &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	if _, err := root.Lstat(name); err == nil {
		return exists
	}
	temporary, err := Stage(root, write)
	if err != nil {
		return err
	}
	defer root.Remove(temporary)
	// Unlike Rename, Link never replaces a file.
	switch err := root.Link(temporary, name); {
	case err == nil:
		return SyncDir(root, filepath.Dir(name))
	case errors.Is(err, fs.ErrExist):
		return exists
	} // otherwise the file system has no links
	if err := root.Rename(temporary, name); err != nil {
		return err
	}
	return SyncDir(root, filepath.Dir(name))
}

// Stage writes a file below root under a unique name, and returns the name once the file is on the
// disk. The caller renames, links or removes it.
func Stage(root *os.Root, write func(io.Writer) error) (name string, err error) {
	return stage(root, 0o644, write)
}

func stage(root *os.Root, mode fs.FileMode, write func(io.Writer) error) (name string, err error) {
	name = ".biomcp-" + rand.Text()
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	w := bufio.NewWriterSize(f, 256<<10)
	if err = write(w); err == nil {
		err = errors.Join(w.Flush(), f.Sync())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = root.Remove(name)
		return "", err
	}
	return name, nil
}

// RenameDir renames a folder once every file in it is on the disk. If the new name exists, RenameDir
// returns the error of os.Rename.
func RenameDir(from, to string) error {
	if err := syncAll(from); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	root, err := os.OpenRoot(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer root.Close()
	return SyncDir(root, ".")
}

// syncAll flushes every file and folder below dir to the disk.
func syncAll(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return SyncDir(root, name)
		}
		f, err := root.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}

// SyncDir flushes the entries of a folder to the disk, on systems that can.
func SyncDir(root *os.Root, name string) error {
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	_ = f.Sync() // Windows and some network file systems refuse it
	return f.Close()
}
