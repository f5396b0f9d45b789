package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/cli/update"
)

// updateReport is the answer of `update`.
type updateReport struct {
	Version        string `json:"version"` // the running version
	Latest         string `json:"latest"`
	Newer          bool   `json:"newer"`
	Manager        string `json:"manager"` // what installed this program; "" for an archive
	ManagerCommand string `json:"type"`    // the manager's command
	Program        string `json:"program"`
	Backup         string `json:"kept"` // path of the previous program, if it was replaced
}

func (u updateReport) Doc() result.Doc {
	text := fmt.Sprintf("This is biomcp %s, the latest release.", u.Latest)
	switch {
	case u.Backup != "":
		text = fmt.Sprintf("From biomcp %s to %s. The previous program is kept as %s.", u.Version, u.Latest, u.Backup)
	case u.Newer && u.Manager != "":
		text = fmt.Sprintf("biomcp %s is available; this one, %s, was installed by %s. Type: %s", u.Latest, u.Version,
			u.Manager, u.ManagerCommand)
	case u.Newer:
		text = fmt.Sprintf("biomcp %s is available; this one is %s.", u.Latest, u.Version)
	case update.Newer(u.Version, u.Latest):
		text = fmt.Sprintf("This is biomcp %s. The latest release, %s, is older.", u.Version, u.Latest)
	}
	return result.Doc{result.Para{Text: text}}
}

func selfUpdate() *command.Command {
	return &command.Command{
		Use: "update", Purpose: command.Start,
		Synonyms: []string{"upgrade", "self-update"},
		Short:    "Replace this program with the latest release",
		Help: command.Help{
			Purpose: "Fetches the archive of the latest release for this machine, checks it against the signed " +
				"checksums, and replaces this program at once. The previous program is kept beside it, with .old in " +
				"its name.",
			Output: "The new version and the previous one. With --check nothing is changed.",
			Surprises: "A program installed by a package manager is not replaced; the command of the manager is " +
				"shown instead. A version that is older than this one is not installed.",
		},
		Effect: command.Local,
		Flags: func(f *command.Flags) {
			f.Bool("check", false, "say whether there is a later release, and change nothing")
		},
		Examples: []command.Example{{Line: "biomcp update --check", Explanation: "whether there is a later release"}},
		Run:      runUpdate,
	}
}

// thisProgram returns the path of the running program, with symbolic links resolved.
var thisProgram = func() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(program)
}

func runUpdate(ctx context.Context, in *command.Input) (*result.Result, error) {
	if in.Bool("offline") {
		return nil, result.Invalid("update asks the server of the releases, which --offline forbids",
			in.LineWith("--offline", "")...)
	}
	program, err := thisProgram()
	if err != nil {
		return nil, replaceFailure(err)
	}
	source := update.Source{Releases: update.Releases, Key: update.Key}
	if mirror := in.App.Env.Releases; mirror != "" {
		source.Releases = mirror
	}
	manager := update.ManagerOf(program)
	release, err := source.Latest(ctx)
	if err != nil {
		return nil, fetchFailure(err, manager)
	}
	u := updateReport{Version: in.App.Version, Latest: release.Version,
		Newer: update.Newer(release.Version, in.App.Version), Program: program}
	if manager != nil {
		u.Manager, u.ManagerCommand = manager.Name, manager.Update
	}
	r := &result.Result{}
	switch {
	case u.Newer && u.Manager == "" && !in.Bool("check"):
		show, done := in.ShowDownload("release " + release.Version)
		data, err := release.Program(ctx, show)
		done()
		if err != nil {
			return nil, fetchFailure(err, nil)
		}
		if err := update.Replace(program, data); err != nil {
			return nil, replaceFailure(err)
		}
		u.Backup = update.BackupPath(program)
	case u.Newer && u.Manager == "":
		r.Next = append(r.Next, in.LineWith("--check", ""))
	}
	r.Payload = u
	return r, nil
}

// fetchFailure converts an error of package update to a failure. It names the command of the
// package manager, if any.
func fetchFailure(err error, by *update.Manager) error {
	e, ok := errors.AsType[*update.Error](err)
	if !ok {
		return err
	}
	code := result.Upstream
	if e.Tampered {
		code = result.Invariant
	}
	message := e.Message + "; nothing was changed"
	if by != nil {
		message += fmt.Sprintf(". This program was installed by %s. Type: %s", by.Name, by.Update)
	}
	return &result.Failure{Code: code, Message: message, Try: result.Argv{"version"}}
}

// replaceFailure returns the failure of an update that could not replace the program.
func replaceFailure(err error) error {
	message := "the program cannot be replaced: " + err.Error()
	if errors.Is(err, fs.ErrPermission) {
		message += "; run it as the user who installed it"
	}
	return &result.Failure{Code: result.Store, Message: message, Try: result.Argv{"update", "--check"}}
}

// uninstallReport is the answer of `uninstall`: the paths that it would remove or has removed.
type uninstallReport struct {
	Removed        bool     `json:"removed"`
	RemovedPaths   []string `json:"goes"`
	RemainingPaths []string `json:"stays"`
	Manager        string   `json:"manager"` // what installed this program; "" for an archive
	ManagerCommand string   `json:"type"`    // the manager's command to remove the program
}

func (u uninstallReport) Doc() result.Doc {
	title := "What would be removed"
	if u.Removed {
		title = "Removed"
	}
	doc := result.Doc{result.Heading{Level: 1, Text: title}, result.List{Items: u.RemovedPaths}}
	if len(u.RemovedPaths) == 0 {
		doc[1] = result.Para{Text: "Nothing."}
	}
	if len(u.RemainingPaths) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "What stays"}, result.List{Items: u.RemainingPaths})
	}
	if u.Manager != "" {
		doc = append(doc,
			result.Para{Text: "The program was installed by " + u.Manager + ". Type: " + u.ManagerCommand})
	}
	return doc
}

func uninstall() *command.Command {
	return &command.Command{
		Use: "uninstall", Purpose: command.Start,
		Synonyms: []string{"remove-self"},
		Short:    "Remove this program; your data stay unless --data",
		Help: command.Help{
			Output: "What would be removed and what stays; with --yes, what was removed.",
			Surprises: "Your corpus, studies and library stay, except with --data. A program installed by a package " +
				"manager is not removed; the command of the manager is shown instead. Only its own folders are " +
				"removed.",
		},
		Effect: command.Local,
		Flags: func(f *command.Flags) {
			f.Bool("yes", false, "remove it")
			f.Bool("dry-run", false, "show what would be removed, as without --yes")
			f.Excludes("dry-run", "", "yes")
			f.Bool("data", false, "remove the corpus, the studies and the library too")
		},
		Examples: []command.Example{{Line: "biomcp uninstall", Explanation: "what would be removed"}},
		Run:      runUninstall,
	}
}

func runUninstall(_ context.Context, in *command.Input) (*result.Result, error) {
	program, err := thisProgram()
	if err != nil {
		return nil, replaceFailure(err)
	}
	u := uninstallReport{Removed: in.Bool("yes")}
	add := func(path string, goes bool) {
		if _, err := os.Lstat(path); err != nil {
			return
		}
		if goes {
			u.RemovedPaths = append(u.RemovedPaths, path)
		} else {
			u.RemainingPaths = append(u.RemainingPaths, path)
		}
	}
	env := in.App.Env
	add(env.CacheDir, filepath.Base(env.CacheDir) == "biomcp")
	add(env.DataDir, in.Bool("data") && filepath.Base(env.DataDir) == "biomcp")
	m := update.ManagerOf(program)
	if m != nil {
		u.Manager, u.ManagerCommand = m.Name, m.Remove
	}
	add(update.BackupPath(program), m == nil)
	add(program, m == nil)
	r := &result.Result{Payload: u}
	if !u.Removed {
		r.Next = append(r.Next, in.LineWith("--yes", "true", "--dry-run", ""))
		return r, nil
	}
	for _, path := range u.RemovedPaths {
		err := os.RemoveAll(path)
		// Windows can rename a running program, but not remove it
		if path == program && err != nil && runtime.GOOS == "windows" {
			aside := update.BackupPath(program)
			if err = os.Rename(program, aside); err == nil {
				r.Notice("Windows does not delete a running program; delete it later: " + aside)
			}
		}
		if err != nil {
			return nil, &result.Failure{Code: result.Store, Message: "some files could not be removed: " + err.Error(),
				Try: in.LineWith("--yes", "")}
		}
	}
	return r, nil
}
