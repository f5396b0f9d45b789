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

// Init makes a project: its folder and, with this front matter, its README. An
// existing README stays as it is; written is false then.
func (l *Library) Init(project string, m Matter) (written bool, err error) {
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
	if err := replace.Names(root, "."); err != nil {
		return false, wrap("the library", err)
	}
	title := cmp.Or(m.Title, project)
	return l.Write(project, readme, m, "# "+line(title)+"\n", false)
}

// isNewName reports whether a project may be made with a name. Of the names that are
// served these are the ones that every client keeps as they are in a URI, where a
// project has the place of a host: some write hosts in lower case.
func isNewName(name string) bool {
	return IsName(name) && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") == ""
}

func invalidName(name string) error {
	return &Error{Kind: store.Invalid, Message: fmt.Sprintf("%q cannot be the name of a project: lower-case letters, digits, - and _", line(name))}
}

// NewName is a name under which a project can be made, like another text; "" where
// nothing is left of it.
func NewName(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !isNewName(string(r)) })
	if name := strings.Join(words, "-"); len(name) <= maxName && isNewName(name) {
		return name
	}
	return ""
}

// Projects are the names of all projects.
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

// Write writes a file of an existing project: its front matter, then its body. The
// file is there whole or not at all. One that exists stays as it is, and written is
// false, unless replace is set.
func (l *Library) Write(project, name string, m Matter, body string, replace bool) (written bool, err error) {
	if !IsName(project) || !isFileName(name) {
		return false, &Error{Kind: store.Invalid, Message: fmt.Sprintf("%q cannot be a file of a project", line(project+"/"+name))}
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

// put writes a text under another name and gives it its own when it is on the disk.
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
		// A link, unlike a new name, never takes the place of a file.
		switch err := dir.Link(temporary, name); {
		case err == nil:
			return true, replace.Names(dir, ".")
		case errors.Is(err, fs.ErrExist):
			return false, nil
		} // else a file system without links
	}
	if err := dir.Rename(temporary, name); err != nil {
		return false, err
	}
	return true, replace.Names(dir, ".")
}
