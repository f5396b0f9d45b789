package cli

import (
	"context"
	"runtime"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

type versionInfo struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (versionInfo) Kind() string { return "version" }

func (v versionInfo) Doc() result.Doc {
	return result.Doc{result.Verbatim{Text: v.Name + " " + v.Version + " (" + v.Go + ", " + v.Platform + ")"}}
}

func version() *command.Command {
	return &command.Command{
		Use: "version", For: command.Start,
		Also:     []string{"about", "ver"},
		Short:    "Print the version",
		OnDisk:   true,
		Effect:   command.Reads,
		Examples: []command.Example{{Line: "biomcp version --json", Does: "the version for a script"}},
		Run: func(_ context.Context, in *command.Input) (*result.Result, error) {
			return &result.Result{Payload: versionInfo{
				Name: "biomcp", Version: in.App.Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
			}}, nil
		},
	}
}
