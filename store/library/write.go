package library

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"biomcp/store"
	"biomcp/store/replace"
)

// Init creates a project: its folder, and a README with the given front matter. It leaves an
// existing README unchanged and then returns written false.
func (l *Library) Init(project string, m FrontMatter) (written bool, err error) {
	if !isNewName(project) {
		return false, invalidName(project)
	}
	if err := os.MkdirAll(l.dir, 0o755); err != nil {
		return false, wrap("the library", err)
	}
	root, err := os.OpenRoot(l.dir)
	if err != nil {
		return false, wrap("the library", err)
	}
	defer root.Close()
	if err := root.Mkdir(project, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return false, wrap("the project "+project, err)
	}
	if err := replace.SyncDir(root, "."); err != nil {
		return false, wrap("the library", err)
	}
	title := cmp.Or(m.Title, project)
	return l.Write(project, readme, m, "# "+line(title)+"\n", false)
}

// isNewName reports whether a project may be created with a name. It accepts the subset of valid
// names that every client preserves in a URI, whose host is the project: some clients convert hosts
// to lower case.
func isNewName(name string) bool {
	return IsName(name) && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == ""
}

func invalidName(name string) error {
	const message = "%q is not a valid project name: use lower-case letters, digits, - and _"
	return &Error{Kind: store.Invalid, Message: fmt.Sprintf(message, line(name))}
}

// ProjectName converts a text to a valid name for a new project. It returns "" if that is not possible.
func ProjectName(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !isNewName(string(r)) })
	if name := strings.Join(words, "-"); len(name) <= maxName && isNewName(name) {
		return name
	}
	return ""
}

// Projects returns the names of all projects.
func (l *Library) Projects() (names []string, err error) {
	root, err := os.OpenRoot(l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, wrap("the library", err)
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	for _, e := range entries {
		if e.IsDir() && IsName(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// Write writes a file of an existing project, front matter and body, atomically. Unless replace is
// set, it leaves an existing file unchanged and returns written false.
func (l *Library) Write(project, name string, m FrontMatter, body string, replace bool) (written bool, err error) {
	if !IsName(project) || !isFileName(name) {
		return false, &Error{Kind: store.Invalid,
			Message: fmt.Sprintf("%q is not a valid name of a file in a project", line(project+"/"+name))}
	}
	head, err := m.text()
	if err != nil {
		return false, wrap("the front matter of "+name, err)
	}
	root, err := os.OpenRoot(l.dir)
	if err != nil {
		return false, wrap("the library", err)
	}
	defer root.Close()
	if !holds(root, project, fs.ModeDir) {
		return false, &Error{Kind: store.NotFound, Message: "there is no project " + project}
	}
	dir, err := root.OpenRoot(project)
	if err != nil {
		return false, wrap("the project "+project, err)
	}
	defer dir.Close()
	if _, err := dir.Lstat(name); err == nil && !replace {
		return false, nil
	}
	written, err = put(dir, name, head+body, replace)
	if err != nil {
		return false, wrap(project+"/"+name, err)
	}
	return written, nil
}

// put writes a text to a temporary file and renames it once it is on the disk.
func put(dir *os.Root, name, text string, overwrite bool) (written bool, err error) {
	temporary, err := replace.Stage(dir, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		return false, err
	}
	defer dir.Remove(temporary)
	if !overwrite {
		// Unlike Rename, Link never replaces a file.
		switch err := dir.Link(temporary, name); {
		case err == nil:
			return true, replace.SyncDir(dir, ".")
		case errors.Is(err, fs.ErrExist):
			return false, nil
		} // otherwise the file system has no links
	}
	if err := dir.Rename(temporary, name); err != nil {
		return false, err
	}
	return true, replace.SyncDir(dir, ".")
}
