// Package home gives the project the address at which it is hosted. Until then its module path is a
// bare word, with which "go install" cannot work.
//
//	go run ./build home github.com/OWNER/NAME
//
// That sets the module path, the imports, the links of the README and of SECURITY.md, the address in
// CITATION.cff and, through [Current], the addresses in a release. Every file is replaced at once or
// left as it is. A second run with the same address changes nothing, and one with another address
// moves the project again.
package home

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"biomcp/store/replace"
)

// An Address is the place where the project is hosted. The zero value means that no address is set.
type Address struct{ Host, Owner, Name string }

// Parse returns the address that a module path of the form HOST/OWNER/NAME names.
func Parse(path string) (a Address, err error) {
	if parts := strings.Split(path, "/"); len(parts) == 3 {
		a = Address{parts[0], parts[1], parts[2]}
	}
	_, major, ok := module.SplitPathVersion(path)
	err = module.CheckPath(path)
	if invalid, ok := errors.AsType[*module.InvalidPathError](err); ok {
		err = invalid.Err // which does not repeat the path
	}
	switch {
	case strings.Contains(path, "://"):
		err = errors.New("it must have no scheme such as https://")
	case a == Address{}:
		err = errors.New("it must have three parts")
	case strings.HasSuffix(path, ".git"):
		err = errors.New("it must not end in .git")
	case err == nil && (!ok || major != ""):
		err = fmt.Errorf("it must not end in a major version such as %s", major)
	}
	if err != nil {
		return Address{}, fmt.Errorf("%q is not the address of a repository: %w; write HOST/OWNER/NAME, such as "+
			"github.com/OWNER/biomcp", path, err)
	}
	return a, nil
}

// String returns the module path of a project at a.
func (a Address) String() string { return a.Host + "/" + a.Owner + "/" + a.Name }

// URL returns the address of the repository.
func (a Address) URL() string { return "https://" + a.String() }

// Module returns the module path of this project.
func Module() string { return strings.TrimSuffix(reflect.TypeFor[Address]().PkgPath(), "/build/home") }

// Current returns the address of this project, or the zero value if it has none.
func Current() Address {
	a, err := Parse(Module())
	if err != nil {
		return Address{}
	}
	return a
}

// Install returns the text of the README that says how Go installs the program from a.
func Install(a Address) string {
	if a == (Address{}) {
		return ""
	}
	line := "go install -tags grpcnotrace " + a.String() + "/cmd/biomcp@latest"
	return "`" + line + "` installs the program without a clone.\n"
}

// Report returns the text of the README that says where to report a fault.
func Report(a Address) string {
	where := "where this repository is hosted"
	if a != (Address{}) {
		where = "at [" + a.String() + "](" + a.URL() + ")"
	}
	return "Report a fault " + where + ", and a weakness as [SECURITY.md](.github/SECURITY.md) says.\n"
}

// Security returns the text of SECURITY.md that says where to report a weakness.
func Security(a Address) string {
	where := "where this repository is hosted"
	if a != (Address{}) {
		where = "at " + a.URL()
		if a.Host == "github.com" {
			where += "/security/advisories/new"
		}
	}
	return "Report a weakness to the maintainers alone: open a private security advisory\n" + where + ".\n"
}

// Texts returns the texts about an address, by file and by the mark that surrounds each.
func Texts(a Address) map[string]map[string]string {
	return map[string]map[string]string{
		"README.md":           {"install": Install(a), "report": Report(a)},
		".github/SECURITY.md": {"report": Security(a)},
	}
}

// Move changes the files of the project at root for the address to, and returns their names. It
// refuses a folder with changes that are not committed, unless dirty is set.
func Move(root string, to Address, dirty bool) (changed []string, err error) {
	if err := checkClean(root); err != nil && !dirty {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, fmt.Errorf("%w: run this in the folder of the project", err)
	}
	from := modfile.ModulePath(text)
	if from == "" {
		return nil, errors.New("go.mod has no module path")
	}
	files, err := readTexts(root)
	if err != nil {
		return nil, err
	}
	edit, err := newEditor(from, to, files)
	if err != nil {
		return nil, err
	}
	fresh := map[string][]byte{}
	for name, old := range files {
		text, err := edit.file(name, old)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if !bytes.Equal(text, old) {
			fresh[name] = text
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fresh)) {
		if err := write(filepath.Join(root, name), fresh[name]); err != nil {
			return changed, fmt.Errorf("%w; the files not yet named are unchanged: \"git checkout .\" restores the others", err)
		}
		changed = append(changed, name)
	}
	return changed, nil
}

// checkClean returns an error if the working tree at root has changes that are not committed, or if
// that is unknown.
func checkClean(root string) error {
	status := exec.Command("git", "-C", root, "status", "--porcelain", ".")
	var errs bytes.Buffer
	status.Stderr = &errs
	out, err := status.Output()
	switch {
	case err != nil:
		return fmt.Errorf("whether everything is committed is unknown (%w: %s); -dirty changes the files anyway",
			err, bytes.TrimSpace(errs.Bytes()))
	case len(out) > 0:
		first, _, _ := strings.Cut(string(out), "\n")
		return fmt.Errorf("the folder has changes that are not committed, such as %s; commit them, or use -dirty",
			strings.TrimSpace(first[2:]))
	}
	return nil
}

// maxText is the maximum size of a file that may name the module.
const maxText = 4 << 20

// readTexts returns the text files of a project, without what tools have made.
func readTexts(root string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{".git", ".release", "dist", "node_modules"}, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxText {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || bytes.IndexByte(text, 0) >= 0 {
			return err
		}
		name, err := filepath.Rel(root, path)
		files[filepath.ToSlash(name)] = text
		return err
	})
	return files, err
}

// An editor replaces the module path and what depends on it.
type editor struct {
	from                string
	to                  Address
	statement, packages *regexp.Regexp
	texts               map[string]map[string]string
}

func newEditor(from string, to Address, files map[string][]byte) (*editor, error) {
	folders := map[string]bool{`\.\.\.`: true}
	for name := range files {
		if folder, _, below := strings.Cut(name, "/"); below && strings.HasSuffix(name, ".go") {
			folders[regexp.QuoteMeta(folder)] = true
		}
	}
	path := regexp.QuoteMeta(from)
	packages, err := regexp.Compile(`(^|[^\w./:@-])` + path + `/(` +
		strings.Join(slices.Sorted(maps.Keys(folders)), "|") + `)($|[^\w-])`)
	if err != nil {
		return nil, err
	}
	statement, err := regexp.Compile(`(?m)^module ` + path + `$`)
	return &editor{from, to, statement, packages, Texts(to)}, err
}

// file returns the new text of a file.
func (e *editor) file(name string, text []byte) ([]byte, error) {
	if e.from != e.to.String() {
		// A separator may belong to two matches, as in a list of packages.
		for range 2 {
			text = e.packages.ReplaceAll(text, []byte("${1}"+e.to.String()+"/${2}${3}"))
		}
	}
	switch {
	case strings.HasSuffix(name, ".mod"):
		text = e.statement.ReplaceAll(text, []byte("module "+e.to.String()))
	case name == "CITATION.cff":
		text = cite(text, e.to)
	case strings.HasSuffix(name, ".go") && !strings.Contains(name, "testdata/"):
		return format.Source(text) // a longer path can sort and align differently
	}
	fresh := string(text)
	for _, mark := range slices.Sorted(maps.Keys(e.texts[name])) {
		var err error
		if fresh, err = ReplaceMarked(fresh, mark, e.texts[name][mark]); err != nil {
			return nil, err
		}
	}
	return []byte(fresh), nil
}

// ReplaceMarked replaces the text between the lines <!-- mark --> and <!-- /mark -->.
func ReplaceMarked(text, mark, by string) (string, error) {
	open, end := "<!-- "+mark+" -->\n", "<!-- /"+mark+" -->"
	i, j := strings.Index(text, open), strings.Index(text, end)
	if i < 0 || j < i {
		return "", fmt.Errorf("the mark %q is missing", strings.TrimSpace(open))
	}
	return text[:i+len(open)] + by + text[j:], nil
}

var repositoryCode = regexp.MustCompile(`(?m)^repository-code:.*\n`)

// cite sets the address in CITATION.cff, after the title.
func cite(text []byte, to Address) []byte {
	line := []byte("repository-code: " + to.URL() + "\n")
	if repositoryCode.Match(text) {
		return repositoryCode.ReplaceAll(text, line)
	}
	title := regexp.MustCompile(`(?m)^title:.*\n`)
	return title.ReplaceAllFunc(text, func(title []byte) []byte { return slices.Concat(title, line) })
}

// write replaces a file and keeps its mode.
func write(path string, text []byte) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	err = replace.File(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	return os.Chmod(path, info.Mode().Perm())
}
