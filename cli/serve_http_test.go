package cli

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"biomcp/cli/command"
)

const secret = "0123456789abcdef0123456789abcdef"

func TestServeHTTPRefusesWhatIsUnsafe(t *testing.T) {
	for line, want := range map[string]string{
		"serve-http --host 0.0.0.0":                    "MCP_AUTH_SECRET_KEY",
		"serve-http --host ::":                         "--unsafe-no-auth",
		"serve-http --host 192.0.2.1":                  "need a token",
		"serve-http --allowed-origins *":               "is not an origin",
		"serve-http --tls-cert missing.pem":            "--tls-cert and --tls-key",
		"serve-http --max-sessions 0":                  "--max-sessions must be at least 1",
		"serve-http --rate-limit -5":                   "--rate-limit must be at least 0",
		"serve-http --calls-per-minute=-1":             "--calls-per-minute must be at least 0",
		"serve-http --metrics-by-subject":              "--metrics-by-subject requires --metrics",
		"serve-http --host 127.0.0.1 --port 99999999":  "cannot listen",
		"serve-http --host [::1] --port 99999999":      "cannot listen on [::1]:99999999",
		"serve-http tokens":                            "did you mean token?",
		"serve-http token --subject alice":             "MCP_AUTH_SECRET_KEY",
		"serve-http token":                             "--subject",
		"serve-http token --subject alice --ttl never": "--ttl",
	} {
		t.Run(line, func(t *testing.T) {
			app := diskApp(t)
			if text, code := ask(t, app, command.Person, line); code != 2 || !strings.Contains(text, want) || !strings.Contains(text, "try: ") {
				t.Errorf("%s: exit %d\n%s", line, code, text)
			}
		})
	}
	app := diskApp(t)
	app.Env.AuthKey = secret[:31]
	for _, line := range []string{"serve-http", "serve-http --host 0.0.0.0", "serve-http token --subject alice"} {
		t.Run(line, func(t *testing.T) {
			if text, code := ask(t, app, command.Person, line); code != 2 || !strings.Contains(text, "at least 32") || strings.Contains(text, app.Env.AuthKey) {
				t.Errorf("%s with a short key: exit %d\n%s", line, code, text)
			}
		})
	}
	for _, of := range [][2]string{{"https://login.example.org", ""}, {"", "biomcp"}, {"http://login.example.org", "biomcp"}, {"login", "biomcp"}} {
		app := diskApp(t)
		app.Env.AuthIssuer, app.Env.AuthAudience = of[0], of[1]
		if text, code := ask(t, app, command.Person, "serve-http"); code != 2 || !strings.Contains(text, "MCP_AUTH_ISSUER and MCP_AUTH_AUDIENCE: ") {
			t.Errorf("%q: exit %d\n%s", of, code, text)
		}
	}
	app.Env.Transport = "carrier pigeon"
	if text, code := ask(t, app, command.Person, "serve"); code != 2 || !strings.Contains(text, "MCP_TRANSPORT_TYPE") {
		t.Errorf("exit %d\n%s", code, text)
	}
	app = toyApp()
	app.Env.ChartImages = "gif"
	for _, line := range []string{"serve", "serve-http --port 0"} {
		if text, code := ask(t, app, command.Person, line); code != 2 || !strings.Contains(text, `MCP_CHART_IMAGES is auto, svg or png, not "gif"`) {
			t.Errorf("%s: exit %d: %s", line, code, text)
		}
	}
	if text, _ := ask(t, diskApp(t), command.Agent, "serve-http token --subject alice"); !strings.Contains(text, command.RefusalPrefix) {
		t.Errorf("an agent made a token: %s", text)
	}
}

func TestTokenOfServeHTTP(t *testing.T) {
	app := diskApp(t)
	app.Env.AuthKey = secret
	text, code := ask(t, app, command.Person, "serve-http token --subject alice --ttl 30d --json")
	var got issuedToken
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 || got.Subject != "alice" || got.Expires != app.Now().Add(30*24*time.Hour).UTC().Format(time.RFC3339) {
		t.Errorf("exit %d %v\n%s", code, err, text)
	}
	plain, _ := ask(t, app, command.Person, "serve-http token --subject alice --ttl 30d")
	if strings.TrimSpace(plain) != got.Token || strings.Count(got.Token, ".") != 2 {
		t.Errorf("%s\nis not\n%s", plain, got.Token)
	}
}

// With MCP_TRANSPORT_TYPE=http, serve behaves like serve-http and reads its variables.
func TestServeOverHTTPByTheEnvironment(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	app := diskApp(t)
	app.Env.Transport, app.Env.HTTPHost, app.Env.HTTPPort = "http", "127.0.0.1", port
	for _, line := range []string{"serve", "mcp", "serve-http"} {
		t.Run(line, func(t *testing.T) {
			if text, code := ask(t, app, command.Person, line); code != 2 || !strings.Contains(text, "cannot listen on "+taken.Addr().String()) {
				t.Errorf("%s: exit %d\n%s", line, code, text)
			}
		})
	}
	if text, _ := ask(t, app, command.Person, "serve-http --host 192.0.2.1 --unsafe-no-auth"); !strings.Contains(text, "192.0.2.1:"+port) {
		t.Errorf("a flag did not win over its variable: %s", text)
	}
}

func TestServeHTTPEndsAsAsked(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errInterrupted)
	out := Run(ctx, diskApp(t), agentIO(), []string{"serve-http", "--port", "0"}, command.Person)
	if out.Failure != nil {
		t.Errorf("%+v", out.Failure)
	}
}

func TestReadyWhileTheCorpusCanBeOpened(t *testing.T) {
	app := diskApp(t)
	if err := ready(app)(t.Context()); err != nil {
		t.Errorf("without a corpus: %v", err)
	}
	app = diskApp(t)
	app.Env.DataDir = filepath.Join("/dev/null", "data")
	if err := ready(app)(t.Context()); err == nil {
		t.Error("ready with a data folder that is none")
	}
}

// A machine may have only IPv6.
func TestProbeOverIPv6(t *testing.T) {
	listener, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("no IPv6 here: ", err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	server.Listener.Close()
	server.Listener = listener
	server.Start()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if text, code := ask(t, diskApp(t), command.Person, "serve-http probe --port "+port); code != 0 {
		t.Errorf("exit %d: %s", code, text)
	}
	server.Close()
	if text, code := ask(t, diskApp(t), command.Person, "serve-http probe --port "+port); code != 1 || !strings.Contains(text, "no server is ready") {
		t.Errorf("exit %d: %s", code, text)
	}
}
