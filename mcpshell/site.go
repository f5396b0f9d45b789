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
	// MaxBody is the maximum length of a request body in bytes.
	MaxBody = 65536

	headerTimeout  = 5 * time.Second
	idleTimeout    = time.Minute
	maxHeaderBytes = 16 << 10
	maxConnections = 4096
	sweepInterval  = time.Minute

	// drainFor is the time that running requests get when the server stops. closeAfter is the
	// time after which their connections are closed.
	drainFor   = 6 * time.Second
	closeAfter = 8 * time.Second
)

// A Site configures an HTTP server.
type Site struct {
	Rules access.Rules // NewServer sets MaxBody and Refused
	HTTP  HTTPOptions
	Ready func(context.Context) error // nil: always ready
	// Library handles /api/mcp; nil: the path does not exist.
	Library http.Handler
	// Metrics returns additional metrics for GET /metrics; nil: the path does not exist.
	Metrics func() []Metric
	// MetricsBySubject adds the number of calls of each subject to the metrics.
	MetricsBySubject bool
}

// A Server serves a shell at the paths of a site.
type Server struct {
	routes *http.ServeMux
	shell  *Shell
	mcp    *HTTP
}

// NewServer returns a Server. All rules guard /mcp, /api/mcp and /metrics. No rule guards the two
// probes, /health and /readyz. Host and Origin are checked for every other path.
func (s *Shell) NewServer(o Site) *Server {
	o.Rules.MaxBody, o.Rules.OnRefused = MaxBody, s.recordRefusal
	mux, checked := http.NewServeMux(), http.NewServeMux()
	v := &Server{routes: mux, shell: s, mcp: NewHTTP(s, o.HTTP)}
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, status("ok"))
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if o.Ready != nil && o.Ready(r.Context()) != nil || v.mcp.draining.Err() != nil {
			writeJSON(w, http.StatusServiceUnavailable, status("unavailable"))
			return
		}
		writeJSON(w, http.StatusOK, status("ok"))
	})
	checked.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, struct {
			Name      string `json:"name"`
			Version   string `json:"version"`
			Transport string `json:"transport"`
			MCP       string `json:"mcp"`
		}{s.info.Name, s.info.Version, "streamable-http", "/mcp"})
	})
	o.Rules.HandleMetadata(checked)
	checked.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		access.WriteError(w, http.StatusNotFound, "no such address; MCP is at /mcp")
	})
	mux.Handle("/", o.Rules.GuardNames(checked))
	mux.Handle("/mcp", o.Rules.Guard(v.mcp))
	if o.Library != nil {
		mux.Handle("/api/mcp", o.Rules.Guard(v.untilStopped(o.Library)))
	}
	if o.Metrics != nil {
		mux.Handle("GET /metrics", o.Rules.Guard(s.serveMetrics(o.MetricsBySubject, o.Metrics)))
	}
	return v
}

func status(s string) map[string]string { return map[string]string{"status": s} }

// untilStopped rejects requests once the server stops, and ends the streams that are open then.
func (v *Server) untilStopped(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if v.mcp.draining.Err() != nil {
			refuseStopping(w)
			return
		}
		ctx, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		ends := v.mcp.ctx
		if r.Method == http.MethodGet {
			ends = v.mcp.draining
		}
		defer context.AfterFunc(ends, func() { cancel(errStopping) })()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// ServeHTTP answers one request. It logs a panic without its value, which may hold any data.
func (v *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	access.LimitBodyTime(w, r)
	defer func() {
		if recover() != nil {
			id := callID()
			v.shell.log.Error("panic", "call", id, "at", PanicSite())
			access.WriteError(w, http.StatusInternalServerError, v.shell.failure(errPanic, id).Message)
		}
	}()
	v.routes.ServeHTTP(w, r)
}

// Serve accepts connections on a listener until ctx ends, with TLS if config is not nil. Then it
// rejects new requests, answers the running ones within at most eight seconds, and returns the
// cause of ctx's end.
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
		_ = s.Close() // no answer is left to lose
	}
	v.mcp.Stop()
	v.shell.waitIdle(stopGrace)
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return context.Cause(ctx)
}
