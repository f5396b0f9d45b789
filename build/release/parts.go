package release

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// tag and gcflags are the flags of a release for the build tag and for the compiler. They must match
// goreleaser.yaml.
const tag, gcflags = "-tags=grpcnotrace", "-gcflags=all=-dwarf=false"

// parts writes the files that accompany the binary in packages to a folder: man pages,
// completions and THIRD-PARTY-LICENSES.txt.
func parts(dir, version string) error {
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(filepath.Join(dir, "completions"), 0o755)); err != nil {
		return err
	}
	program := filepath.Join(dir, "biomcp.exe")
	if err := build(program, "./cmd/biomcp", "-ldflags=-X biomcp/cli.Version="+version); err != nil {
		return err
	}
	if _, err := exec.Command(program, "man", filepath.Join(dir, "man")).Output(); err != nil {
		return err
	}
	for _, names := range [][2]string{{"bash", "bash"}, {"zsh", "zsh"}, {"fish", "fish"}, {"powershell", "ps1"}} {
		shell, ending := names[0], names[1]
		script, err := exec.Command(program, "completion", shell).Output()
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "completions", "biomcp."+ending), script, 0o644)
		}
		if err != nil {
			return fmt.Errorf("completion %s: %w", shell, err)
		}
	}
	text, err := licences()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "THIRD-PARTY-LICENSES.txt"), text, 0o644)
}

var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|notice|patents|copyright)(s|[-._].*)?$`)

// licences returns the licence texts of Go and of every module with a package in the binary of
// any platform, including separate licences of parts of a module. It returns an error if a
// module has no licence. It replaces google/go-licenses, which fails at the licences of
// freetype and mathutil.
func licences() ([]byte, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	files := map[string]string{"Go": filepath.Join(strings.TrimSpace(string(goroot)), "LICENSE")} // file by title
	modules := map[string]bool{}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		const format = `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}	{{.Dir}}	{{$.Dir}}{{end}}{{end}}`
		list := exec.Command("go", "list", tag, "-deps", "-f", format, "./cmd/biomcp")
		list.Env, list.Stderr = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0"), os.Stderr
		out, err := list.Output()
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(out)) {
			at := strings.Split(strings.TrimSpace(line), "\t")
			if len(at) != 3 {
				continue
			}
			module, root, dir := at[0], at[1], at[2]
			modules[module] = modules[module] || false
			for ; len(dir) >= len(root); dir = filepath.Dir(dir) {
				entries, err := os.ReadDir(dir)
				if err != nil {
					return nil, err
				}
				for _, e := range entries {
					if e.Type().IsRegular() && licenceFile.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
						rel, _ := filepath.Rel(root, filepath.Join(dir, e.Name())) // dir is below root
						files[module+" "+filepath.ToSlash(rel)], modules[module] = filepath.Join(dir, e.Name()), true
					}
				}
			}
		}
	}
	for module, has := range modules {
		if !has {
			return nil, fmt.Errorf("%s has no licence", module)
		}
	}
	var b bytes.Buffer
	for _, title := range slices.Sorted(maps.Keys(files)) {
		text, err := os.ReadFile(files[title])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%s\n%s\n\n%s\n\n", title, strings.Repeat("=", len(title)), bytes.TrimSpace(text))
	}
	return b.Bytes(), nil
}
