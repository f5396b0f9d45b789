package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// versionInfo is the answer of `version`.
type versionInfo struct {
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Go       string   `json:"go"`
	Platform string   `json:"platform"`
	Commit   string   `json:"commit"` // "" if unknown
	Date     string   `json:"date"`   // date of the commit, RFC 3339
	Modules  []module `json:"modules"`
}

// module is a library linked into the binary.
type module struct {
	Path    string `json:"path"`
	Version string `json:"version"`
}

// built adds the commit and the modules that the linker recorded in the binary.
func (v versionInfo) built() versionInfo {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Date = s.Value
		}
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		v.Modules = append(v.Modules, module{m.Path, m.Version})
	}
	return v
}

// buildVersion returns [Version], or the version of the module if "go install" built the program from a
// release of it.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if ok && info.Main.Sum != "" { // not built from a folder
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return Version
}

func (v versionInfo) Doc() result.Doc {
	text := v.Name + " " + v.Version + " (" + v.Go + ", " + v.Platform + ")"
	if v.Commit != "" {
		text += fmt.Sprintf("\ncommit %s of %s, %d modules", v.Commit[:min(len(v.Commit), 12)], v.Date, len(v.Modules))
	}
	return result.Doc{result.Verbatim{Text: text}}
}

func version() *command.Command {
	return &command.Command{
		Use: "version", Purpose: command.Start,
		Synonyms:  []string{"about", "ver"},
		Short:     "Print the version",
		LocalOnly: true,
		Effect:    command.Reads,
		Examples: []command.Example{{Line: "biomcp version --json",
			Explanation: "the version, the commit and the modules for a script"}},
		Run: func(_ context.Context, in *command.Input) (*result.Result, error) {
			return &result.Result{Payload: versionInfo{
				Name: "biomcp", Version: in.App.Version, Go: runtime.Version(),
				Platform: runtime.GOOS + "/" + runtime.GOARCH,
			}.built()}, nil
		},
	}
}
