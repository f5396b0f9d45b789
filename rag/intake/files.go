package intake

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/pattern"
	"biomcp/store"
)

// source is a file to import.
type source struct {
	store.File
	named bool // by itself, not by its folder
}

// name is how messages call the file.
func (f source) name() string { return filepath.Base(f.Path) }

// numbered are the names of PubMed's files: the year, and a number within it
// (https://ftp.ncbi.nlm.nih.gov/pubmed/).
var numbered = pattern.Lazy(`^pubmed(\d\d)n(\d{4})\.xml(?:\.gz)?$`)

// number is the place of the file among PubMed's, 0 where it is none of them.
func (f source) number() store.FileNumber {
	m := numbered().FindStringSubmatch(f.name())
	if m == nil {
		return 0
	}
	n, err := strconv.ParseInt(m[1]+m[2], 10, 64)
	if err != nil {
		panic(err) // six digits
	}
	return store.FileNumber(n)
}

// find lists the files that paths name.
func find(paths []string) ([]source, error) {
	if len(paths) == 0 {
		return nil, &InputError{"name a file or a folder of PubMed XML"}
	}
	var all []source
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, unreadable(filepath.Base(path), err)
		}
		if !info.IsDir() {
			f, err := fileOf(path, info)
			if err != nil {
				return nil, err
			}
			f.named = true
			all = append(all, f)
			continue
		}
		inside, err := walk(path)
		if err != nil {
			return nil, err
		}
		if len(inside) == 0 {
			return nil, &InputError{fmt.Sprintf("%s holds no .xml or .xml.gz file", filepath.Base(path))}
		}
		all = append(all, inside...)
	}
	return all, nil
}

func walk(folder string) ([]source, error) {
	var list []source
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return unreadable(filepath.Base(path), err)
		}
		name := strings.ToLower(d.Name())
		if d.IsDir() || strings.HasPrefix(name, ".") || !strings.HasSuffix(name, ".xml") && !strings.HasSuffix(name, ".xml.gz") {
			return nil
		}
		info, err := os.Stat(path) // of what a link points to
		if err != nil {
			return unreadable(d.Name(), err)
		}
		f, err := fileOf(path, info)
		list = append(list, f)
		return err
	})
	// PubMed numbers baseline and update files in one row, in two folders.
	slices.SortStableFunc(list, func(a, b source) int { return strings.Compare(a.name(), b.name()) })
	return list, err
}

func fileOf(path string, info fs.FileInfo) (source, error) {
	if !info.Mode().IsRegular() {
		return source{}, &FileError{Name: filepath.Base(path), Reason: "it is not a file"}
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return source{}, unreadable(filepath.Base(path), err)
	}
	return source{File: store.File{Path: abs, Size: info.Size(), ModTime: info.ModTime()}}, nil
}

// unreadable is the failure to open or read a file, without the path that the
// operating system's error names.
func unreadable(name string, err error) *FileError {
	reason := "it cannot be read"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		reason = "there is no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		reason = "permission denied"
	}
	return &FileError{Name: name, Reason: reason, Err: err}
}
