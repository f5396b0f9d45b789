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

// BackupPath returns the path under which [Replace] keeps the previous program.
func BackupPath(program string) string {
	return strings.TrimSuffix(program, ".exe") + ".old" + map[bool]string{true: ".exe"}[runtime.GOOS == "windows"]
}

// Replace replaces the file program with data and keeps the previous file under [BackupPath]. The file
// exists at every moment, except on Windows: a running program can be renamed there but not
// replaced, so the file is missing between two renames. After an error the program is
// unchanged.
func Replace(program string, data []byte) error {
	root, err := os.OpenRoot(filepath.Dir(program))
	if err != nil {
		return err
	}
	defer root.Close()
	name, old := filepath.Base(program), filepath.Base(BackupPath(program))
	info, err := root.Stat(name)
	if err != nil {
		return err
	}
	fresh, err := replace.Stage(root, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(data))
		return err
	})
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
		_ = root.Remove(fresh) // keep the first error
		return err
	}
	return replace.SyncDir(root, ".")
}

// swap moves fresh to name, and the previous file to old. If the second rename fails, it
// restores the previous file.
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

// A Manager is a package manager with its commands for updating and removing the program.
type Manager struct{ Name, Update, Remove string }

// managers are the known package managers. Each is detected by a part of the program's path, by
// a file next to the folder of the program, or, for a program in /usr/bin, by a file of the
// system.
var managers = []struct {
	Manager
	pathPart   string // a part of the program's path, with slashes
	nearby     string // a pattern relative to the parent of the program's folder
	systemFile string // an absolute path
}{
	{
		Manager:  Manager{"Homebrew", "brew upgrade biomcp", "brew uninstall biomcp"},
		pathPart: "/Cellar/biomcp/",
	},
	{
		Manager:  Manager{"Scoop", "scoop update biomcp", "scoop uninstall biomcp"},
		pathPart: "/scoop/apps/biomcp/",
	},
	{
		Manager:  Manager{"winget", "winget upgrade biomcp.biomcp", "winget uninstall biomcp.biomcp"},
		pathPart: "/WinGet/Packages/",
	},
	{
		Manager:  Manager{"npm", "npm update --global biomcp-go", "npm uninstall --global biomcp-go"},
		pathPart: "/node_modules/",
	},
	{
		Manager:  Manager{"uv", "uv tool upgrade biomcp-go", "uv tool uninstall biomcp-go"},
		pathPart: "/uv/tools/biomcp-go/",
	},
	{
		Manager:  Manager{"pipx", "pipx upgrade biomcp-go", "pipx uninstall biomcp-go"},
		pathPart: "/pipx/venvs/biomcp-go/",
	},
	{
		Manager: Manager{"conda", "conda update biomcp", "conda remove biomcp"},
		nearby:  "conda-meta/biomcp-*.json",
	},
	{
		Manager: Manager{"conda", "conda update biomcp", "conda remove biomcp"},
		nearby:  "../conda-meta/biomcp-*.json", // on Windows the program is in Library/bin
	},
	{
		Manager: Manager{"pip", "pip install --upgrade biomcp-go", "pip uninstall biomcp-go"},
		nearby:  "lib/python*/site-packages/biomcp_go-*.dist-info",
	},
	{
		Manager: Manager{"pip", "pip install --upgrade biomcp-go", "pip uninstall biomcp-go"},
		nearby:  "Lib/site-packages/biomcp_go-*.dist-info",
	},
	{
		Manager:    Manager{"apt", "sudo apt-get install --only-upgrade biomcp", "sudo apt-get remove biomcp"},
		systemFile: "/var/lib/dpkg/info/biomcp.list",
	},
	{
		Manager:    Manager{"apk", "sudo apk add --upgrade biomcp", "sudo apk del biomcp"},
		systemFile: "/lib/apk/db/installed",
	},
	{
		Manager:    Manager{"dnf", "sudo dnf upgrade biomcp", "sudo dnf remove biomcp"},
		systemFile: "/var/lib/rpm/rpmdb.sqlite",
	},
}

// ManagerOf guesses the package manager that installed a program from its path, in which
// symbolic links must be resolved. It returns nil if none is recognised.
func ManagerOf(program string) *Manager {
	path, folder := filepath.ToSlash(program), filepath.Dir(filepath.Dir(program))
	for _, m := range managers {
		if m.pathPart != "" && strings.Contains(path, m.pathPart) {
			return &m.Manager
		}
		if m.nearby != "" {
			pattern := filepath.Join(folder, filepath.FromSlash(m.nearby))
			if found, _ := filepath.Glob(pattern); len(found) > 0 { // the patterns are well-formed
				return &m.Manager
			}
		}
		if m.systemFile != "" && strings.HasPrefix(path, "/usr/bin/") {
			if _, err := os.Stat(m.systemFile); err == nil {
				return &m.Manager
			}
		}
	}
	return nil
}
