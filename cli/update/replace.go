package update

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"biomcp/store/replace"
)

// Old is the name under which [Replace] keeps what was at program before.
func Old(program string) string {
	return strings.TrimSuffix(program, ".exe") + ".old" + map[bool]string{true: ".exe"}[runtime.GOOS == "windows"]
}

// Replace puts a program in the place of another, which is kept as [Old]. At every moment
// there is a whole program at its place; on Windows, where a program that runs can be renamed
// but not replaced, there is none for the time between two renames. After an error the
// program is as it was.
func Replace(program string, data []byte) error {
	root, err := os.OpenRoot(filepath.Dir(program))
	if err != nil {
		return err
	}
	defer root.Close()
	name, old := filepath.Base(program), filepath.Base(Old(program))
	info, err := root.Stat(name)
	if err != nil {
		return err
	}
	fresh, err := replace.Stage(root, func(w io.Writer) error { _, err := io.Copy(w, bytes.NewReader(data)); return err })
	if err != nil {
		return err
	}
	err = root.Chmod(fresh, info.Mode().Perm())
	if gone := root.Remove(old); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	if err == nil {
		err = swap(root, name, old, fresh)
	}
	if err != nil {
		_ = root.Remove(fresh) // the first error counts
		return err
	}
	return replace.Names(root, ".")
}

func swap(root *os.Root, name, old, fresh string) error {
	if runtime.GOOS != "windows" && root.Link(name, old) == nil {
		return root.Rename(fresh, name)
	}
	if err := root.Rename(name, old); err != nil {
		return err
	}
	err := root.Rename(fresh, name)
	if err != nil {
		err = errors.Join(err, root.Rename(old, name))
	}
	return err
}

// Manager is what has installed a program, and the commands that it takes.
type Manager struct{ Name, Update, Remove string }

// managers are told by a part of the program's path with slashes, or by a file: one beside
// the program's folder, by a pattern, or of the system, for a program in /usr/bin.
var managers = []struct {
	Manager
	within, beside, system string
}{
	{Manager{"Homebrew", "brew upgrade biomcp", "brew uninstall biomcp"}, "/Cellar/biomcp/", "", ""},
	{Manager{"Scoop", "scoop update biomcp", "scoop uninstall biomcp"}, "/scoop/apps/biomcp/", "", ""},
	{Manager{"winget", "winget upgrade biomcp.biomcp", "winget uninstall biomcp.biomcp"}, "/WinGet/Packages/", "", ""},
	{Manager{"npm", "npm update --global biomcp-go", "npm uninstall --global biomcp-go"}, "/node_modules/", "", ""},
	{Manager{"uv", "uv tool upgrade biomcp-go", "uv tool uninstall biomcp-go"}, "/uv/tools/biomcp-go/", "", ""},
	{Manager{"pipx", "pipx upgrade biomcp-go", "pipx uninstall biomcp-go"}, "/pipx/venvs/biomcp-go/", "", ""},
	{Manager{"conda", "conda update biomcp", "conda remove biomcp"}, "", "conda-meta/biomcp-*.json", ""},
	{Manager{"conda", "conda update biomcp", "conda remove biomcp"}, "", "../conda-meta/biomcp-*.json", ""}, // Library/bin, on Windows
	{Manager{"pip", "pip install --upgrade biomcp-go", "pip uninstall biomcp-go"}, "", "lib/python*/site-packages/biomcp_go-*.dist-info", ""},
	{Manager{"pip", "pip install --upgrade biomcp-go", "pip uninstall biomcp-go"}, "", "Lib/site-packages/biomcp_go-*.dist-info", ""},
	{Manager{"apt", "sudo apt-get install --only-upgrade biomcp", "sudo apt-get remove biomcp"}, "", "", "/var/lib/dpkg/info/biomcp.list"},
	{Manager{"apk", "sudo apk add --upgrade biomcp", "sudo apk del biomcp"}, "", "", "/lib/apk/db/installed"},
	{Manager{"dnf", "sudo dnf upgrade biomcp", "sudo dnf remove biomcp"}, "", "", "/var/lib/rpm/rpmdb.sqlite"},
}

// ManagerOf is what has installed a program, by where it lies; nil if it was an archive or
// nothing that is known. The path has no symbolic links left.
func ManagerOf(program string) *Manager {
	at, folder := filepath.ToSlash(program), filepath.Dir(filepath.Dir(program))
	for _, m := range managers {
		if m.within != "" && strings.Contains(at, m.within) {
			return &m.Manager
		}
		if m.beside != "" {
			if found, _ := filepath.Glob(filepath.Join(folder, filepath.FromSlash(m.beside))); len(found) > 0 { // the patterns are right
				return &m.Manager
			}
		}
		if m.system != "" && strings.HasPrefix(at, "/usr/bin/") {
			if _, err := os.Stat(m.system); err == nil {
				return &m.Manager
			}
		}
	}
	return nil
}
