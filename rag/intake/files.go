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

// A source is a file to import.
type source struct {
	store.File
	readPath string     // path to open
	explicit bool       // the caller named the file itself, not its folder
	checked  bool       // the server's checksum is right, so the file may be empty
	readErr  *FileError // why it cannot be read; nil for a regular file
	maxBytes int64      // maximum number of unpacked bytes; zero means no limit
}

// name returns the file name for messages.
func (f source) name() string { return filepath.Base(f.Path) }

// pubmedFile matches the names of PubMed's files, which contain the year and a number within it
// (https://ftp.ncbi.nlm.nih.gov/pubmed/).
var numbered = pattern.Lazy(`^pubmed(\d\d)n(\d{4})\.xml(?:\.gz)?$`)

// fileNumber returns the number of one of PubMed's files, or 0 for any other name.
func fileNumber(name string) store.FileNumber {
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

// find lists the files that paths name, including those that cannot be read.
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
			f := newSource(path, info, nil)
			f.explicit = true
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
					list = append(list, newSource(path, nil, err))
				}
				add(path, inside)
			case strings.HasPrefix(name, "."):
			case strings.HasSuffix(name, ".xml"), strings.HasSuffix(name, ".xml.gz"):
				info, err := os.Stat(path) // follows links
				list = append(list, newSource(path, info, err))
			}
		}
	}
	add(folder, top)
	// PubMed numbers baseline and update files in one sequence, but puts them in two folders.
	slices.SortStableFunc(list, func(a, b source) int { return strings.Compare(a.name(), b.name()) })
	return list, nil
}

// newSource returns the file at path. Its error is set if err is not nil, or if it is not a
// regular file: reading a pipe could wait forever.
func newSource(path string, info fs.FileInfo, err error) source {
	abs, absErr := filepath.Abs(path)
	switch {
	case err != nil:
		return source{File: store.File{Path: path}, readErr: unreadable(filepath.Base(path), err)}
	case absErr != nil:
		return source{File: store.File{Path: path}, readErr: unreadable(filepath.Base(path), absErr)}
	case !info.Mode().IsRegular():
		notFile := &FileError{Name: filepath.Base(path), Reason: "it is not a file"}
		return source{File: store.File{Path: path}, readErr: notFile}
	}
	return source{File: store.File{Path: abs, Size: info.Size(), ModTime: info.ModTime()}, readPath: abs}
}

// unreadable returns the error of a file that cannot be opened or read. Its text leaves out the
// path, which the operating system's error contains.
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
