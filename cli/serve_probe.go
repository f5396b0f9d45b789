package cli

import (
	"context"
	"net"
	"net/http"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// probed is what a server that is ready answers.
type probed struct {
	Ready bool `json:"ready"`
}

func (probed) Kind() string    { return "serve-http.probe" }
func (probed) Doc() result.Doc { return result.Doc{result.Para{Text: "The server is ready."}} }

// serveProbe is for the health check of an image, which has no other program to ask with.
func serveProbe() *command.Command {
	return &command.Command{
		Use:   "probe",
		Short: "Ask the server on this machine whether it is ready",
		Help: command.Help{
			Input:  "MCP_HTTP_PORT, or --port, is where it listens.",
			Output: "Exit status 0 if it is ready, 1 if it is not or does not answer within 3 seconds.",
		},
		Effect:   command.Local,
		Flags:    func(f *command.Flags) { f.String("port", "8080", "port of the server (MCP_HTTP_PORT)") },
		Examples: []command.Example{{Line: "biomcp serve-http probe", Does: "for the health check of a container"}},
		Run: func(ctx context.Context, in *command.Input) (*result.Result, error) {
			port := in.String("port")
			if !in.Given("port") && in.App.Env.HTTPPort != "" {
				port = in.App.Env.HTTPPort
			}
			ctx, stop := context.WithTimeout(ctx, 3*time.Second)
			defer stop()
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort("127.0.0.1", port)+"/readyz", nil)
			if err != nil {
				return nil, result.Invalid("--port must be a number", in.Again("--port", "8080")...)
			}
			resp, err := http.DefaultClient.Do(req)
			if err == nil {
				resp.Body.Close()
			}
			if err != nil || resp.StatusCode != http.StatusOK {
				return nil, &result.Failure{Code: result.Upstream, Message: "no server is ready at port " + port, Try: result.Argv{"serve-http", "--help"}}
			}
			return &result.Result{Payload: probed{true}}, nil
		},
	}
}
