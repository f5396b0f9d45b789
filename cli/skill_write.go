package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"

	"biomcp/skills"
	"biomcp/store/replace"
)

// manifest says which files an installation wrote, so that the next one knows those
// that were changed since.
type manifest struct {
	Version string            `json:"version"`
	Files   map[string]string `json:"files"` // SHA-256 by name
}

const manifestFile = "manifest.json"

// skillFiles are the files of an installation.
func skillFiles() map[string]string {
	list := map[string]string{"SKILL.md": skills.File()}
	for _, e := range skills.Catalogue() {
		list[fmt.Sprintf("use-cases/%02d-%s.md", e.Number, e.Slug)] = e.Text
	}
	return list
}

// install writes the skill into a folder. Each file is there whole or not at all.
func install(dir, version string, force bool) (done installed, err error) {
	done = installed{Folder: dir, Written: []string{}, Unchanged: []string{}, Kept: []string{}, Removed: []string{}}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return done, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return done, err
	}
	defer root.Close()
	if err := root.MkdirAll("use-cases", 0o755); err != nil {
		return done, err
	}
	before := manifest{Files: map[string]string{}}
	if body, err := root.ReadFile(manifestFile); err == nil && json.Unmarshal(body, &before) != nil {
		before.Files = nil // a damaged manifest: no file is known to be ours
	}
	after := manifest{Version: version, Files: map[string]string{}}
	files := skillFiles()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		old, err := root.ReadFile(name)
		known := before.Files[name]
		switch {
		case err == nil && string(old) == files[name]:
			done.Unchanged = append(done.Unchanged, name)
		case errors.Is(err, fs.ErrNotExist), err == nil && (force || sum(old) == known):
			if err := replace.In(root, name, contents(files[name])); err != nil {
				return done, err
			}
			done.Written = append(done.Written, name)
		case err == nil:
			done.Kept = append(done.Kept, name)
			after.Files[name] = known
			continue
		default:
			return done, err
		}
		after.Files[name] = sum([]byte(files[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(before.Files)) {
		old, err := root.ReadFile(name)
		if _, still := files[name]; still || err != nil || sum(old) != before.Files[name] {
			continue
		}
		if err := root.Remove(name); err != nil {
			return done, err
		}
		done.Removed = append(done.Removed, name)
	}
	body, err := json.MarshalIndent(after, "", "  ")
	if err != nil {
		return done, err
	}
	return done, replace.In(root, manifestFile, contents(string(body)+"\n"))
}

func sum(body []byte) string {
	s := sha256.Sum256(body)
	return hex.EncodeToString(s[:])
}

// contents writes a text.
func contents(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}
