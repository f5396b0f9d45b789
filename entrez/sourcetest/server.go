package sourcetest

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"biomcp/entrez/httpclient"
)

// Server simulates one or more services at one address. All methods are safe to call while it
// serves, except Add and Handle.
type Server struct {
	pace     *pace
	faults   *faults
	log      *requestLog
	controls map[string]Control
	services []Service

	first      []func(*Call) (Reply, bool)            // called before the services
	strangeTag func(s *httpclient.Source, tag string) // called for an undeclared search tag

	mu    sync.Mutex // guards the clock and the keys
	clock func() time.Time
	shift time.Duration // set by SetNow and Advance
	keys  map[string]bool

	mux    *http.ServeMux
	base   string
	http   *http.Server
	served chan struct{}
	busy   sync.RWMutex // read-held by every request that came over TCP
}

// An Option configures New and Start.
type Option func(*settings) error

type settings struct {
	server   *Server
	addr     string
	unlisted bool
}

// New starts a server for one test and stops it when the test ends.
func New(tb testing.TB, opts ...Option) *Server {
	tb.Helper()
	s, err := Start(opts...)
	if err != nil {
		tb.Fatal("sourcetest:", err)
	}
	tb.Cleanup(s.Close)
	return s
}

// Start starts a server outside a test; Close stops it. Without Addr it listens on a free port of
// 127.0.0.1.
func Start(opts ...Option) (*Server, error) {
	s := &Server{
		pace: newPace(), faults: newFaults(), log: &requestLog{}, controls: map[string]Control{},
		clock: time.Now, keys: map[string]bool{}, mux: http.NewServeMux(),
		strangeTag: func(s *httpclient.Source, tag string) { panic(s.Label + " does not declare the tag " + tag) },
	}
	set := settings{server: s, addr: "127.0.0.1:0"}
	for _, opt := range opts {
		if err := opt(&set); err != nil {
			return nil, err
		}
	}
	s.control()
	if set.unlisted {
		s.base = "http://simulated.invalid"
		return s, nil
	}
	ln, err := net.Listen("tcp", set.addr)
	if err != nil {
		return nil, err
	}
	s.base = "http://" + ln.Addr().String()
	counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.busy.RLock()
		defer s.busy.RUnlock()
		s.mux.ServeHTTP(w, r)
	})
	s.http = &http.Server{Handler: counted, ReadHeaderTimeout: 10 * time.Second}
	s.served = make(chan struct{})
	go func() {
		defer close(s.served)
		_ = s.http.Serve(ln) // ends with ErrServerClosed
	}()
	return s, nil
}

// OnUndeclaredTag sets the function to call, instead of a panic, if a client searches by a tag that
// its source does not declare.
func (s *Server) OnUndeclaredTag(do func(s *httpclient.Source, tag string)) { s.strangeTag = do }

// Close releases stalled requests, stops listening and waits for the server's
// goroutines.
func (s *Server) Close() {
	s.faults.release()
	if s.http != nil {
		_ = s.http.Close()
		<-s.served
		s.busy.Lock() // the last handler has returned
		defer s.busy.Unlock()
	}
}

// URL returns the address without a path, such as "http://127.0.0.1:39123".
func (s *Server) URL() string { return s.base }

// Address returns the base URL of a source with a slash at the end, or "" if it is not simulated.
func (s *Server) Address(source *httpclient.Source) string {
	for _, v := range s.services {
		if v.Source == source {
			return s.base + v.Path
		}
	}
	return ""
}

// Env returns the environment variables, as NAME=value, that direct a biomcp process to this
// server.
func (s *Server) Env() []string {
	var out []string
	for _, v := range s.services {
		out = append(out, v.Source.Variable()+"="+s.Address(v.Source))
	}
	return out
}

// Config returns a configuration for clients of this server, without a network.
func (s *Server) Config() httpclient.Config {
	addresses := map[string]string{}
	for _, v := range s.services {
		addresses[v.Source.Name] = s.Address(v.Source)
	}
	return httpclient.Config{Transport: s.Transport(), Addresses: addresses}
}

// Network returns a client of this server, without a network.
func (s *Server) Network(tb testing.TB) *httpclient.Client {
	tb.Helper()
	c, err := httpclient.New(s.Config())
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// ServeHTTP answers one request, without a network.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// NoLimit turns the request limit off.
func NoLimit() Option {
	return func(set *settings) error { set.server.pace.disabled = true; return nil }
}

// Keys sets the valid API keys. Without it every key is invalid.
func Keys(keys ...string) Option {
	return func(set *settings) error {
		for _, k := range keys {
			set.server.keys[k] = true
		}
		return nil
	}
}

// Clock sets the clock of the server. The request limit still uses real time.
func Clock(now func() time.Time) Option {
	return func(set *settings) error { set.server.clock = now; return nil }
}

// Addr sets the address to listen on, such as "127.0.0.1:8123". It must be a loopback address.
func Addr(addr string) Option {
	return func(set *settings) error {
		host, _, err := net.SplitHostPort(addr)
		if err != nil {
			return err
		}
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return fmt.Errorf("%s is not a loopback address", addr)
		}
		set.addr = addr
		return nil
	}
}

// WithoutNetwork makes a server without a network, reached only by Transport and ServeHTTP. A whole test,
// including the request limit, can then run inside a testing/synctest bubble.
func WithoutNetwork() Option {
	return func(set *settings) error { set.unlisted = true; return nil }
}

// Now returns the time of the server's clock in UTC.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock().Add(s.shift).UTC()
}

// SetNow sets the clock, which then continues from t.
func (s *Server) SetNow(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shift = t.Sub(s.clock())
}

// Advance moves the clock forward.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shift += d
}

func (s *Server) validKey(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys[key]
}

// Replay makes a service answer with captured replies. The key of a capture is the endpoint's name
// and, if there are parameters, "?" and the parameters without tool, email and key, sorted as by
// url.Values.Encode. The endpoint answers requests without a capture, with 404 if it has no Answer.
func (s *Server) Replay(captures map[string]Reply) {
	for asked, reply := range captures {
		s.faults.captures.Store(asked, reply)
	}
}

// Intercept registers a function that may answer calls before their services do.
func (s *Server) Intercept(answer func(*Call) (Reply, bool)) { s.first = append(s.first, answer) }

// captureKey returns the key of a capture.
func captureKey(source *httpclient.Source, name string, c *Call) string {
	form := map[string][]string{}
	for k, v := range c.Form {
		if k != source.ToolParam && k != source.EmailParam && k != source.Key.Param {
			form[k] = v
		}
	}
	return strings.TrimSuffix(name+"?"+encode(form), "?")
}
