package mcpshell

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/sourcegraph/conc"
	"golang.org/x/net/netutil"

	"biomcp/mcpshell/access"
)

const (
	// MaxBody bounds the body of one request over HTTP, in bytes.
	MaxBody = 65536

	headerTimeout  = 5 * time.Second
	idleTimeout    = time.Minute
	maxHeaderBytes = 16 << 10
	maxConnections = 4096
	sweepInterval  = time.Minute

	// drainFor is how long requests may go on when the server stops, and closeAfter
	// when it closes their connections.
	drainFor   = 6 * time.Second
	closeAfter = 8 * time.Second
)

// Site says what a server offers over HTTP.
type Site struct {
	Rules access.Rules // MaxBody and Refused are set by NewServer
	HTTP  HTTPOptions
	Ready func(context.Context) error // nil: always
	// Library answers /api/mcp; nil: there is no such address.
	Library http.Handler
	// Metrics returns what GET /metrics shows besides the shell's own; nil: there is
	// no such address.
	Metrics func() []Metric
	// BySubject adds the calls of each subject to these.
	BySubject bool
}

// Server is a shell on the addresses of a site.
type Server struct {
	routes *http.ServeMux
	shell  *Shell
	mcp    *HTTP
}

// NewServer routes the addresses. All rules guard /mcp, /api/mcp and /metrics; no rule
// guards the two probes; the rules for Host and Origin guard every other address.
func (s *Shell) NewServer(o Site) *Server {
	o.Rules.MaxBody, o.Rules.Refused = MaxBody, s.recordRefusal
	mux, named := http.NewServeMux(), http.NewServeMux()
	v := &Server{routes: mux, shell: s, mcp: NewHTTP(s, o.HTTP)}
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, status("ok")) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if o.Ready != nil && o.Ready(r.Context()) != nil || v.mcp.stopped.Err() != nil {
			writeJSON(w, http.StatusServiceUnavailable, status("unavailable"))
			return
		}
		writeJSON(w, http.StatusOK, status("ok"))
	})
	named.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, struct {
			Name      string `json:"name"`
			Version   string `json:"version"`
			Transport string `json:"transport"`
			MCP       string `json:"mcp"`
		}{s.info.Name, s.info.Version, "streamable-http", "/mcp"})
	})
	o.Rules.Metadata(named)
	named.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		access.Refuse(w, http.StatusNotFound, "no such address; MCP is at /mcp")
	})
	mux.Handle("/", o.Rules.Names(named))
	mux.Handle("/mcp", o.Rules.Guard(v.mcp))
	if o.Library != nil {
		mux.Handle("/api/mcp", o.Rules.Guard(v.untilStopped(o.Library)))
	}
	if o.Metrics != nil {
		mux.Handle("GET /metrics", o.Rules.Guard(s.serveMetrics(o.BySubject, o.Metrics)))
	}
	return v
}

func status(s string) map[string]string { return map[string]string{"status": s} }

// untilStopped refuses requests once the server stops, and ends the streams that
// are open then.
func (v *Server) untilStopped(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if v.mcp.stopped.Err() != nil {
			refuseStopping(w)
			return
		}
		ctx, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		ends := v.mcp.ctx
		if r.Method == http.MethodGet {
			ends = v.mcp.stopped
		}
		defer context.AfterFunc(ends, func() { cancel(errStopping) })()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// ServeHTTP answers one request. A panic is answered and logged, without its value,
// which may hold anything.
func (v *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	access.LimitBodyTime(w, r)
	defer func() {
		if recover() != nil {
			id := callID()
			v.shell.log.Error("panic", "call", id, "at", panicSite())
			access.Refuse(w, http.StatusInternalServerError, v.shell.failure(errPanic, id).Message)
		}
	}()
	v.routes.ServeHTTP(w, r)
}

// Serve answers on a listener until ctx ends, with TLS if config is not nil.
// Then it refuses new requests, answers those that it has received, for at most eight
// seconds, and returns the cause of ctx's end.
func (v *Server) Serve(ctx context.Context, listener net.Listener, config *tls.Config) error {
	s := &http.Server{
		Handler:           v,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		TLSConfig:         config,
		ErrorLog:          slog.NewLogLogger(v.shell.log.Handler(), slog.LevelDebug),
	}
	listener = netutil.LimitListener(listener, maxConnections)
	failed := make(chan error, 1)
	var serving conc.WaitGroup
	serving.Go(func() {
		if config != nil {
			failed <- s.ServeTLS(listener, "", "")
			return
		}
		failed <- s.Serve(listener)
	})
	defer serving.Wait()
	sweep := time.NewTicker(sweepInterval)
	defer sweep.Stop()
	for ctx.Err() == nil {
		select {
		case err := <-failed:
			v.mcp.Stop()
			return err
		case <-sweep.C:
			v.mcp.sessions.sweep()
		case <-ctx.Done():
		}
	}
	v.mcp.Drain()
	stop := time.AfterFunc(drainFor, v.mcp.Stop)
	defer stop.Stop()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeAfter)
	defer cancel()
	if s.Shutdown(last) != nil {
		v.shell.log.Warn("some clients did not take their last answers")
		_ = s.Close() // nothing is left to lose
	}
	v.mcp.Stop()
	v.shell.waitIdle(stopGrace)
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return context.Cause(ctx)
}
