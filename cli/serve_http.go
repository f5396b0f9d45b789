package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/mcpshell"
	"biomcp/mcpshell/access"
	"biomcp/store"
)

// Default limits per caller: requests per second, and calls per minute that need the network.
const (
	defaultRate      = 100
	defaultPerMinute = 1200
)

func serveHTTP() *command.Command {
	return &command.Command{
		Use: "serve-http", Purpose: command.Serve,
		Synonyms: []string{"http", "http-server", "sse", "server"},
		Noun:     "command",
		Short:    "Serve MCP over HTTP, for agents on other machines",
		Help: command.Help{
			Purpose: "Serves what biomcp serve does, as MCP's Streamable HTTP at /mcp. The research library is at " +
				"/api/mcp, as Research Portal serves it. GET /health and /readyz are for monitors.",
			Input: "Variables; a flag overrides its own.\n" +
				"MCP_HTTP_HOST and MCP_HTTP_PORT: where it listens. MCP_ALLOWED_ORIGINS: web pages that may call it.\n" +
				"MCP_AUTH_SECRET_KEY: every call then needs a token of biomcp serve-http token.\n" +
				"MCP_AUTH_ISSUER and MCP_AUTH_AUDIENCE: the access tokens of that OAuth or OpenID provider are accepted " +
				"(RS256, ES256; scope " + access.Scope + "), and clients discover the provider themselves.",
			Surprises: "On an address that other machines can reach it starts only with MCP_AUTH_SECRET_KEY, " +
				"MCP_AUTH_ISSUER or --unsafe-no-auth.\n" +
				"Requests must name the server as it is bound, as localhost, or as --allowed-hosts says.\n" +
				"On SIGTERM it finishes the calls in progress first.",
		},
		Effect: command.Serves,
		Flags: func(f *command.Flags) {
			f.String("host", "127.0.0.1", "address to listen on (MCP_HTTP_HOST)")
			f.AddSynonyms("host", "bind", "address", "listen", "ip", "addr")
			f.String("port", "8080", "port to listen on, 0 for any (MCP_HTTP_PORT)")
			f.String("allowed-hosts", "", "other names of the server, separated by commas")
			f.String("allowed-origins", "", "origins of web pages that may call it, separated by commas "+
				"(MCP_ALLOWED_ORIGINS)")
			f.String("tls-cert", "", "file with the certificate, for HTTPS")
			f.String("tls-key", "", "file with the certificate's key")
			f.Bool("unsafe-no-auth", false, "accept calls without a token from anyone who can connect")
			f.Bool("metrics", false, "serve counts of calls and requests at /metrics, for Prometheus")
			f.Bool("metrics-by-subject", false, "with --metrics: count the calls of each subject too")
			f.Int("max-sessions", 1024, "clients at once, at most 64 of them from one subject or address")
			f.Int("max-calls", 8, "calls that run at once, and as many again that need no network; one subject or "+
				"address gets a quarter of them, and eight times as many may wait")
			f.Int("rate-limit", defaultRate, "requests a second from one caller; 0 removes this limit and the "+
				"default of --calls-per-minute")
			f.Int("calls-per-minute", defaultPerMinute,
				"calls a minute of one subject or address that need the network; 0 for no limit")
			f.Int("call-timeout", 60, "seconds one call may take")
			toolsFlag(f)
			auditFlag(f)
		},
		Examples: []command.Example{
			{Line: "biomcp serve-http", Explanation: "for this machine, at http://127.0.0.1:8080/mcp"},
			{
				Line: "biomcp serve-http --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem " +
					"--allowed-hosts mcp.example.org",
				Explanation: "for a team; needs MCP_AUTH_SECRET_KEY",
			},
		},
		Run: func(ctx context.Context, in *command.Input) (*result.Result, error) {
			if !in.Bool("metrics") {
				if err := in.RejectUnused("requires --metrics", "metrics-by-subject"); err != nil {
					return nil, err
				}
			}
			flagsByMinimum := [][]string{
				{"rate-limit", "calls-per-minute"},
				{"max-sessions", "max-calls", "call-timeout"},
			}
			for minimum, flags := range flagsByMinimum {
				for _, flag := range flags {
					if in.Int(flag) < minimum {
						return nil, result.Invalid(fmt.Sprintf("--%s must be at least %d", flag, minimum),
							in.LineWith("--"+flag, "")...)
					}
				}
			}
			return listen(ctx, in)
		},
		Commands: []*command.Command{serveToken(), serveProbe()},
	}
}

// flagOrVariable returns the value of a flag if it was given, and otherwise the value of its
// environment variable.
func flagOrVariable(in *command.Input, flag, variable string) string {
	if in.Given(flag) || variable == "" {
		return in.String(flag)
	}
	return variable
}

// listen serves until it is stopped.
func listen(ctx context.Context, in *command.Input) (*result.Result, error) {
	app := in.App
	if err := checkServing(app.Env); err != nil {
		return nil, err
	}
	host := strings.Trim(flagOrVariable(in, "host", app.Env.HTTPHost), "[]")
	rules, err := accessRules(in, host)
	if err != nil {
		return nil, err
	}
	audit, err := openAudit(app, in.String("audit-log"))
	if err != nil {
		return nil, err
	}
	defer reopenOnHangup(audit)()
	var config *tls.Config
	if cert, key := in.String("tls-cert"), in.String("tls-key"); cert != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, result.Invalid("--tls-cert and --tls-key must be files with a certificate and its key",
				"serve-http", "--help")
		}
		config = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12,
			NextProtos: []string{"h2", "http/1.1"}}
	}
	address := net.JoinHostPort(host, flagOrVariable(in, "port", app.Env.HTTPPort))
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		message := fmt.Sprintf("cannot listen on %s: the address is in use or not this machine's", address)
		return nil, result.Invalid(message, "serve-http", "--port", "0")
	}
	scheme := "http"
	if config != nil {
		scheme = "https"
	}
	app.Log.Info("serving MCP", "address", fmt.Sprintf("%s://%s/mcp", scheme, listener.Addr()),
		"token", rules.Key != nil || rules.Provider != nil)
	site := mcpshell.Site{Rules: rules, HTTP: mcpshell.HTTPOptions{MaxSessions: in.Int("max-sessions")},
		Ready: ready(app)}
	if in.Bool("metrics") {
		site.Metrics, site.MetricsBySubject = upstream(app), in.Bool("metrics-by-subject")
	}
	o := mcpshell.Options{CallTimeout: seconds(in.Int("call-timeout")), MaxInFlight: in.Int("max-calls"),
		CallsPerMinute: in.Int("calls-per-minute"), Audit: audit}
	if in.Int("rate-limit") == 0 && !in.Given("calls-per-minute") {
		o.CallsPerMinute = 0
	}
	shell := newShell(app, o, in.List("tools")...)
	site.Library = http.HandlerFunc(shell.ServeResearch)
	err = shell.NewServer(site).Serve(ctx, listener, config)
	if errors.Is(context.Cause(ctx), errInterrupted) {
		return nil, nil // a normal stop
	}
	return nil, err
}

// accessRules returns the access rules. It returns an error if other machines could connect without
// a token.
func accessRules(in *command.Input, host string) (access.Rules, error) {
	env, names := in.App.Env, strings.Fields(strings.ReplaceAll(in.String("allowed-hosts"), ",", " "))
	rules := access.Rules{Hosts: append(names, host), Now: time.Now}
	origins, err := access.ParseOrigins(flagOrVariable(in, "allowed-origins", env.AllowedOrigins))
	if err != nil {
		return rules, result.Invalid(err.Error(), "serve-http", "--help")
	}
	rules.Origins = origins
	if rate := in.Int("rate-limit"); rate > 0 {
		rules.Rate = access.NewRate(2*rate, 2*time.Second)
	}
	if in.Bool("unsafe-no-auth") {
		return rules, nil
	}
	if env.AuthKey != "" {
		if err := access.CheckKey([]byte(env.AuthKey)); err != nil {
			return rules, badKey(err)
		}
		rules.Key = []byte(env.AuthKey)
	}
	if env.AuthIssuer != "" || env.AuthAudience != "" {
		rules.Provider = &access.Provider{Issuer: env.AuthIssuer, Audience: env.AuthAudience,
			Transport: env.Network.Transport}
		if err := rules.Provider.Check(); err != nil {
			return rules, result.Invalid("MCP_AUTH_ISSUER and MCP_AUTH_AUDIENCE: "+err.Error(), "serve-http", "--help")
		}
	}
	if rules.Key == nil && rules.Provider == nil && !access.IsLoopback(host) {
		message := fmt.Sprintf("other machines can reach %s, and so calls need a token: "+
			"set MCP_AUTH_SECRET_KEY to a key of at least %d bytes, such as that of openssl rand -hex 32, "+
			"or MCP_AUTH_ISSUER and MCP_AUTH_AUDIENCE; --unsafe-no-auth serves anyone who can connect",
			host, access.MinKeyBytes)
		return rules, result.Invalid(message, "serve-http", "--host", "127.0.0.1")
	}
	return rules, nil
}

func badKey(err error) error {
	return result.Invalid("MCP_AUTH_SECRET_KEY: "+err.Error()+"; openssl rand -hex 32 makes one",
		"serve-http", "token", "--help")
}

// ready returns a check that fails if the local corpus exists but cannot be opened.
func ready(app *command.App) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := app.Corpus(ctx)
		if store.IsKind(err, store.NotFound) {
			return nil
		}
		return err
	}
}

// issuedToken is the answer of `serve-http token`.
type issuedToken struct {
	Token   string `json:"token"`
	Subject string `json:"subject"`
	Expires string `json:"expires"` // RFC 3339
}

func serveToken() *command.Command {
	return &command.Command{
		Use:   "token --subject <name>",
		Short: "Make a token for a caller of serve-http",
		Help: command.Help{
			Output: "A JWT signed with MCP_AUTH_SECRET_KEY (HS256), to be sent as Authorization: Bearer. Nothing " +
				"is stored.",
			Surprises: "A token cannot be revoked before it expires; a new MCP_AUTH_SECRET_KEY invalidates all of " +
				"them.",
		},
		Effect: command.Local,
		Flags: func(f *command.Flags) {
			f.String("subject", "", "who the token is for; requests are counted per subject")
			f.String("ttl", "24h", "how long it is valid: 30m, 24h, 30d")
		},
		Examples: []command.Example{{Line: "biomcp serve-http token --subject alice --ttl 30d",
			Explanation: "a token for one month"}},
		Run: func(_ context.Context, in *command.Input) (*result.Result, error) {
			subject := strings.TrimSpace(in.String("subject"))
			if subject == "" || len(subject) > 256 {
				return nil, result.Invalid("--subject must name who the token is for, in at most 256 bytes",
					"serve-http", "token", "--help")
			}
			ttl, err := ageOf(in, "ttl", "24h")
			if err == nil && ttl == 0 {
				err = result.Invalid("--ttl says how long the token is valid", in.LineWith("--ttl", "24h")...)
			}
			if err != nil {
				return nil, err
			}
			now := in.App.Now()
			signed, err := access.NewToken([]byte(in.App.Env.AuthKey), subject, now, now.Add(ttl))
			if err != nil {
				return nil, badKey(err)
			}
			token := issuedToken{signed, subject, now.Add(ttl).UTC().Format(time.RFC3339)}
			return &result.Result{Payload: result.Text{Value: token, Text: signed}}, nil
		},
	}
}

// probeReport is the answer of `serve-http probe` if the server is ready.
type probeReport struct {
	Ready bool `json:"ready"`
}

func (probeReport) Doc() result.Doc { return result.Doc{result.Para{Text: "The server is ready."}} }

// serveProbe returns the command for the health check of a container image, which contains no
// other client.
func serveProbe() *command.Command {
	return &command.Command{
		Use:   "probe",
		Short: "Ask the server on this machine whether it is ready",
		Help: command.Help{
			Input:  "The port of the server: --port or MCP_HTTP_PORT.",
			Output: "Exit status 0 if it is ready, 1 if it is not or does not answer within 3 seconds.",
		},
		Effect:   command.Local,
		Flags:    func(f *command.Flags) { f.String("port", "8080", "port of the server (MCP_HTTP_PORT)") },
		Examples: []command.Example{{Line: "biomcp serve-http probe", Explanation: "for the health check of a container"}},
		Run: func(ctx context.Context, in *command.Input) (*result.Result, error) {
			port := flagOrVariable(in, "port", in.App.Env.HTTPPort)
			ctx, stop := context.WithTimeout(ctx, 3*time.Second)
			defer stop()
			for _, host := range []string{"127.0.0.1", "::1"} { // the machine may have only IPv6
				req, err := http.NewRequestWithContext(ctx, http.MethodGet,
					"http://"+net.JoinHostPort(host, port)+"/readyz", nil)
				if err != nil {
					return nil, result.Invalid("--port must be a number", in.LineWith("--port", "8080")...)
				}
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					continue
				}
				resp.Body.Close()
				if resp.StatusCode == http.StatusOK {
					return &result.Result{Payload: probeReport{true}}, nil
				}
			}
			return nil, &result.Failure{Code: result.Upstream, Message: "no server is ready at port " + port,
				Try: result.Argv{"serve-http", "--help"}}
		},
	}
}
