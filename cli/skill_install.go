package cli

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/skills"
	"biomcp/store/replace"
)

func skillInstall() *command.Command {
	return &command.Command{
		Use: "install [dir]", Short: "Write the overview and the worked examples for an agent", Effect: command.Exports,
		Help: command.Help{
			Purpose: "Writes SKILL.md and the worked examples into the folder in which an agent looks for skills, " +
				"as a folder of their own.",
			Input: "That folder. By default, the folder of the first agent found in this directory, then in your " +
				"home: .claude, .agents, .codex, .gemini, .cursor, each with /skills.",
			Output: "Which files were written, and which were unchanged.",
			Surprises: "A file that you changed is kept, except with --force. A later version replaces and removes " +
				"only files that you did not change; manifest.json lists the files that were written.",
		},
		Args: command.Args{Max: 1, Name: "at most one folder", Synonyms: "dir directory folder output path out",
			Completion: command.Folder},
		Flags: func(f *command.Flags) { f.Bool("force", false, "replace files that were changed, too") },
		Examples: []command.Example{{Line: "biomcp skill install .claude/skills",
			Explanation: "for an agent that works in this folder"}},
		Run: runInstall,
	}
}

// agentFolders are the folders of agents that read skills from a subfolder named skills.
var agentFolders = []string{".claude", ".agents", ".codex", ".gemini", ".cursor"}

// installReport is the answer of `skill install`. Every file is in one of the lists.
type installReport struct {
	Folder         string   `json:"folder"`
	WrittenFiles   []string `json:"written"`
	UnchangedFiles []string `json:"unchanged"`
	KeptFiles      []string `json:"kept"` // changed by the user, so not replaced
	RemovedFiles   []string `json:"removed"`
}

func (w installReport) Doc() result.Doc {
	doc := result.Doc{
		result.Heading{Level: 1, Text: "Skill installed"},
		result.Fields{
			{Name: "Folder", Value: w.Folder},
			{Name: "Unchanged", Value: countOf(w.UnchangedFiles)}, {Name: "Removed", Value: countOf(w.RemovedFiles)},
			{Name: "Written", Value: countOf(w.WrittenFiles)},
		},
	}
	if len(w.WrittenFiles) > 0 {
		doc = append(doc, result.List{Items: w.WrittenFiles})
	}
	return doc
}

func countOf(files []string) string {
	if len(files) == 0 {
		return ""
	}
	return fmt.Sprint(len(files))
}

func runInstall(_ context.Context, in *command.Input) (*result.Result, error) {
	var others []string
	dir := ""
	if len(in.Args) == 1 {
		dir = in.Args[0]
	} else if all := skillFolders(in.App.Env.HomeDir); len(all) > 0 {
		dir, others = all[0], all[1:]
	} else {
		return nil, result.Invalid("no agent's folder is here or in your home; name the folder in which your agent "+
			"looks for skills", "skill", "install", ".claude/skills")
	}
	dir, err := filepath.Abs(filepath.Join(dir, "biomcp"))
	if err != nil {
		return nil, cannotInstall(err)
	}
	report, err := install(dir, in.App.Version, in.Bool("force"))
	if err != nil {
		return nil, cannotInstall(err)
	}
	r := &result.Result{Payload: report}
	if len(report.KeptFiles) > 0 {
		kept := english.Plural(len(report.KeptFiles), "file was changed by a person and is kept",
			"files were changed by a person and are kept")
		r.Notice(kept + ": " + strings.Join(report.KeptFiles, ", "))
		r.Next = append(r.Next, in.Line([]string{filepath.Dir(dir)}, "--force", "true"))
	}
	for _, o := range others {
		r.Next = append(r.Next, result.Argv{"skill", "install", o})
	}
	return r, nil
}

func cannotInstall(err error) error {
	return &result.Failure{Code: result.Store, Message: "the skill cannot be written: " + err.Error(),
		Try: result.Argv{"skill", "install", "--help"}}
}

// skillFolders returns the skill folders of the agents found in this directory and then in the
// home folder.
func skillFolders(home string) (found []string) {
	for _, base := range []string{".", home} {
		for _, agent := range agentFolders {
			dir := filepath.Join(base, agent)
			if info, err := os.Stat(dir); base != "" && err == nil && info.IsDir() {
				found = append(found, filepath.Join(dir, "skills"))
			}
		}
	}
	return found
}

// manifest records the files that an installation wrote, so that the next one can tell which of
// them the user has changed.
type manifest struct {
	Version string            `json:"version"`
	Files   map[string]string `json:"files"` // SHA-256 sums by file name
}

const manifestFile = "manifest.json"

// skillFiles returns the contents of an installation by file name.
func skillFiles() map[string]string {
	list := map[string]string{"SKILL.md": skills.File()}
	for _, e := range skills.Catalogue() {
		list[fmt.Sprintf("use-cases/%02d-%s.md", e.Number, e.Slug)] = e.Text
	}
	return list
}

// install writes the skill into a folder. Each file is replaced atomically. A file that the
// user changed is replaced only if force is set.
func install(dir, version string, force bool) (report installReport, err error) {
	report = installReport{Folder: dir}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return report, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return report, err
	}
	defer root.Close()
	if err := root.MkdirAll("use-cases", 0o755); err != nil {
		return report, err
	}
	previous := manifest{Files: map[string]string{}}
	if body, err := root.ReadFile(manifestFile); err == nil && json.Unmarshal(body, &previous) != nil {
		previous.Files = nil // the manifest is damaged, so treat every file as changed
	}
	current := manifest{Version: version, Files: map[string]string{}}
	files := skillFiles()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		old, err := root.ReadFile(name)
		known := previous.Files[name]
		switch {
		case err == nil && string(old) == files[name]:
			report.UnchangedFiles = append(report.UnchangedFiles, name)
		case errors.Is(err, fs.ErrNotExist), err == nil && (force || sha256Hex(old) == known):
			if err := replace.FileIn(root, name, writeText(files[name])); err != nil {
				return report, err
			}
			report.WrittenFiles = append(report.WrittenFiles, name)
		case err == nil:
			report.KeptFiles = append(report.KeptFiles, name)
			current.Files[name] = known
			continue
		default:
			return report, err
		}
		current.Files[name] = sha256Hex([]byte(files[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(previous.Files)) {
		old, err := root.ReadFile(name)
		if _, still := files[name]; still || err != nil || sha256Hex(old) != previous.Files[name] {
			continue
		}
		if err := root.Remove(name); err != nil {
			return report, err
		}
		report.RemovedFiles = append(report.RemovedFiles, name)
	}
	body, err := json.MarshalIndent(current, "", "  ")
	if err != nil {
		return report, err
	}
	return report, replace.FileIn(root, manifestFile, writeText(string(body)+"\n"))
}

func sha256Hex(body []byte) string { return fmt.Sprintf("%x", sha256.Sum256(body)) }

// writeText returns a function that writes text.
func writeText(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}
