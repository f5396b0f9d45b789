package library

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"biomcp/store"
)

const (
	// MaxFile is the maximum size of a file in bytes.
	MaxFile = 4 << 20
	// maxFiles is the maximum number of files listed.
	maxFiles = 20000

	readme = "README.md"
)

// Library is the set of projects in a folder, which may not exist. It is safe for concurrent use.
type Library struct {
	dir string

	mu    sync.Mutex
	cache map[string]cachedFile // by "project/file"
}

// cachedFile is a file as it was last read.
type cachedFile struct {
	size     int64
	modified time.Time
	read     time.Time
	file     File
	problem  string
}

// mtimeResolution is the time after a change of a file within which it may change again without a new
// modification time: file systems round times to up to two seconds (FAT).
const mtimeResolution = 3 * time.Second

// New returns the library in a folder.
func New(dir string) *Library { return &Library{dir: dir, cache: map[string]cachedFile{}} }

// File describes a file of a project.
type File struct {
	Project, Name string
	ProjectTitle  string // title of the README, its first heading, or the name of the project
	Title         string // from the front matter, the first heading, or the name
	Category      string // from the file or else the README; "" if neither has it
	Tags          []string
	Created       time.Time // from the front matter or else the disk
	Modified      time.Time
	Sum           [sha256.Size]byte // SHA-256 of the whole text

	matter FrontMatter
}

// URI returns the URI of the file.
func (f *File) URI() string { return URI(f.Project, f.Name) }

// Label returns the name that clients show for the file: "<project title> - <file>".
func (f *File) Label() string { return f.ProjectTitle + " - " + f.Name }

// Files returns all files, sorted by project and name, and a description of each entry that cannot
// be served. If the folder does not exist, it returns none.
func (l *Library) Files(ctx context.Context) (files []File, problems []string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	root, err := os.OpenRoot(l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, wrap("the library", err)
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, nil, wrap("the library", err)
	}
	current := map[string]cachedFile{}
	for _, e := range entries {
		switch name := e.Name(); {
		case name[0] == '.':
		case e.Type()&fs.ModeSymlink != 0:
			problems = append(problems, fmt.Sprintf("%q is a link, and links are not followed", name))
		case !e.IsDir() && strings.HasSuffix(name, ".md"):
			problems = append(problems,
				fmt.Sprintf("%q is not in a project: put files into a folder of the library", name))
		case !e.IsDir():
		case !IsName(name):
			problems = append(problems, fmt.Sprintf("the folder %q does not have a valid project name", name))
		default:
			more, bad := l.project(ctx, root, name, maxFiles-len(files), current)
			files, problems = append(files, more...), append(problems, bad...)
		}
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
	}
	if len(files) >= maxFiles {
		problems = append(problems,
			fmt.Sprintf("the library has too many files: only the first %d are served", maxFiles))
	}
	l.cache = current
	return files, problems, nil
}

// project returns at most limit files of a project.
func (l *Library) project(ctx context.Context, root *os.Root, name string, limit int,
	current map[string]cachedFile) (files []File, problems []string) {
	dir, err := root.OpenRoot(name)
	if err != nil {
		return nil, []string{wrap("the project "+name, err).Error()}
	}
	defer dir.Close()
	entries, err := fs.ReadDir(dir.FS(), ".")
	if err != nil {
		return nil, []string{wrap("the project "+name, err).Error()}
	}
	for _, e := range entries {
		if len(files) == limit || ctx.Err() != nil {
			break
		}
		if isHidden := e.Name()[0] == '.'; isHidden || e.IsDir() || !strings.HasSuffix(e.Name(), ".md") {
			if reason := overlooked(dir, e); !isHidden && reason != "" {
				problems = append(problems, fmt.Sprintf("%s/%s is not served: %s", name, e.Name(), reason))
			}
			continue
		}
		k, err := l.stat(dir, name, e.Name())
		if k.problem != "" {
			problems = append(problems, fmt.Sprintf("%s/%s: %s", name, e.Name(), k.problem))
		}
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s/%s is not served: %s", name, e.Name(), err))
			continue
		}
		current[name+"/"+e.Name()] = k
		files = append(files, k.file)
	}
	complete(files)
	return files, problems
}

// overlooked returns the reason why an entry of a project that looks like a note, or like a folder of notes, is not
// served. It returns "" for other entries.
func overlooked(dir *os.Root, e fs.DirEntry) string {
	isNote := func(name string) bool {
		return slices.Contains([]string{".md", ".markdown"}, strings.ToLower(path.Ext(name)))
	}
	if !e.IsDir() {
		if isNote(e.Name()) {
			return "its name does not end in .md"
		}
		return ""
	}
	inner, err := fs.ReadDir(dir.FS(), e.Name())
	if err == nil && slices.ContainsFunc(inner, func(f fs.DirEntry) bool { return isNote(f.Name()) }) {
		return "a project is a single folder; move its files up, or into a project of their own"
	}
	return ""
}

// complete sets the fields that the files of one project take from its README.
func complete(files []File) {
	if len(files) == 0 {
		return
	}
	var defaults FrontMatter
	title := files[0].Project
	if i := slices.IndexFunc(files, func(f File) bool { return strings.EqualFold(f.Name, readme) }); i >= 0 {
		defaults = files[i].matter
		if files[i].Title != files[i].Name {
			title = files[i].Title
		}
	}
	for i := range files {
		f := &files[i]
		f.ProjectTitle, f.Category, f.Tags = title, cmp.Or(f.matter.Category, defaults.Category), f.matter.Tags
		if len(f.Tags) == 0 {
			f.Tags = defaults.Tags
		}
		if f.Tags == nil {
			f.Tags = []string{}
		}
	}
}

// stat returns the description of a file. It reads the file only if it has changed.
func (l *Library) stat(dir *os.Root, project, name string) (cachedFile, error) {
	info, err := dir.Lstat(name)
	if err != nil {
		return cachedFile{}, wrap("the file", err)
	}
	k, ok := l.cache[project+"/"+name]
	if ok && k.size == info.Size() && k.modified.Equal(info.ModTime()) && k.read.Sub(k.modified) > mtimeResolution {
		return k, nil
	}
	k, _, err = load(dir, project, name)
	return k, err
}

// load reads a file and its front matter.
func load(dir *os.Root, project, name string) (cachedFile, string, error) {
	if !isFileName(name) {
		return cachedFile{}, "", &Error{Kind: store.Invalid, Message: "its name is not valid for a file of the library"}
	}
	now := time.Now()
	text, info, err := read(dir, name)
	if err != nil {
		return cachedFile{}, "", err
	}
	m, body, problem := parse(text)
	k := cachedFile{size: info.Size(), modified: info.ModTime(), read: now, problem: problem, file: File{
		Project: project, Name: name, Title: cmp.Or(m.Title, heading(body), name), Created: m.Created,
		Modified: info.ModTime().UTC(), Sum: sha256.Sum256([]byte(text)), matter: m,
	}}
	if k.file.Created.IsZero() {
		k.file.Created = k.file.Modified
	}
	return k, text, nil
}

// read returns the text of a regular file. It rejects links, and does not block if the file is
// replaced by a pipe.
func read(dir *os.Root, name string) (string, fs.FileInfo, error) {
	before, err := dir.Lstat(name)
	if err != nil {
		return "", nil, wrap("the file", err)
	}
	if !before.Mode().IsRegular() {
		return "", nil, &Error{Kind: store.Invalid, Message: "it is a link or not a regular file"}
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", nil, wrap("the file", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", nil, wrap("the file", err)
	}
	if !info.Mode().IsRegular() || !os.SameFile(before, info) {
		return "", nil, &Error{Kind: store.Invalid, Message: "it is a link or not a regular file"}
	}
	text, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	switch {
	case err != nil:
		return "", nil, wrap("the file", err)
	case len(text) > MaxFile:
		return "", nil, &Error{Kind: store.Invalid, Message: fmt.Sprintf("it has more than %d bytes", MaxFile)}
	case !utf8.Valid(text):
		return "", nil, &Error{Kind: store.Invalid, Message: "it is not UTF-8 text"}
	}
	return string(text), info, nil
}

// Read returns a file and its text. The names must be spelled exactly as on the disk.
func (l *Library) Read(project, name string) (*File, string, error) {
	missing := &Error{Kind: store.NotFound, Message: fmt.Sprintf("there is no file %s/%s", project, name)}
	if !IsName(project) || !isFileName(name) {
		return nil, "", missing
	}
	root, err := os.OpenRoot(l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", missing
	}
	if err != nil {
		return nil, "", wrap("the library", err)
	}
	defer root.Close()
	if !holds(root, project, fs.ModeDir) {
		return nil, "", missing
	}
	dir, err := root.OpenRoot(project)
	if err != nil {
		return nil, "", wrap("the project "+project, err)
	}
	defer dir.Close()
	if !holds(dir, name, 0) {
		return nil, "", missing
	}
	k, text, err := load(dir, project, name)
	if err != nil {
		if e, ok := errors.AsType[*Error](err); ok {
			e.Message = fmt.Sprintf("%s/%s: %s", project, name, e.Message)
		}
		return nil, "", err
	}
	files := []File{k.file}
	if !strings.EqualFold(name, readme) {
		if of, _, err := load(dir, project, readme); err == nil {
			files = append(files, of.file)
		}
	}
	complete(files)
	return &files[0], text, nil
}

// holds reports whether a folder has an entry of this type with exactly this name, even if the file
// system ignores case.
func holds(dir *os.Root, name string, fileType fs.FileMode) bool {
	entries, err := fs.ReadDir(dir.FS(), ".")
	same := func(e fs.DirEntry) bool { return e.Name() == name && e.Type() == fileType }
	return err == nil && slices.ContainsFunc(entries, same)
}
