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
	at    string     // where it is read
	named bool       // by itself, not by its folder
	bad   *FileError // why it cannot be read; nil: it is a file
	most  int64      // bytes that are read of what is packed in it; 0: all
}

// name is how messages call the file.
func (f source) name() string { return filepath.Base(f.Path) }

// numbered are the names of PubMed's files: the year, and a number within it
// (https://ftp.ncbi.nlm.nih.gov/pubmed/).
var numbered = pattern.Lazy(`^pubmed(\d\d)n(\d{4})\.xml(?:\.gz)?$`)

// numberOf is the place of a file among PubMed's, 0 if it is none of them.
func numberOf(name string) store.FileNumber {
	m := numbered().FindStringSubmatch(name)
	if m == nil {
		return 0
	}
	n, err := strconv.ParseInt(m[1]+m[2], 10, 64)
	if err != nil {
		panic(err) // six digits
	}
	return store.FileNumber(n)
}

// find lists the files that paths name, with those that cannot be read.
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
			f := fileOf(path, info, nil)
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
	top, err := os.ReadDir(folder)
	if err != nil {
		return nil, unreadable(filepath.Base(folder), err)
	}
	var list []source
	var add func(folder string, entries []fs.DirEntry)
	add = func(folder string, entries []fs.DirEntry) {
		for _, d := range entries {
			path, name := filepath.Join(folder, d.Name()), strings.ToLower(d.Name())
			switch {
			case d.IsDir():
				inside, err := os.ReadDir(path)
				if err != nil {
					list = append(list, fileOf(path, nil, err))
				}
				add(path, inside)
			case !strings.HasPrefix(name, ".") && (strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".xml.gz")):
				info, err := os.Stat(path) // of what a link points to
				list = append(list, fileOf(path, info, err))
			}
		}
	}
	add(folder, top)
	// PubMed numbers baseline and update files in one row, in two folders.
	slices.SortStableFunc(list, func(a, b source) int { return strings.Compare(a.name(), b.name()) })
	return list, nil
}

// fileOf is the file at path, with what is wrong with it: err, or that it is a pipe,
// say, which would be waited for without end.
func fileOf(path string, info fs.FileInfo, err error) source {
	abs, absErr := filepath.Abs(path)
	switch {
	case err != nil:
		return source{File: store.File{Path: path}, bad: unreadable(filepath.Base(path), err)}
	case absErr != nil:
		return source{File: store.File{Path: path}, bad: unreadable(filepath.Base(path), absErr)}
	case !info.Mode().IsRegular():
		return source{File: store.File{Path: path}, bad: &FileError{Name: filepath.Base(path), Reason: "it is not a file"}}
	}
	return source{File: store.File{Path: abs, Size: info.Size(), ModTime: info.ModTime()}, at: abs}
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
