package sourcetest

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"biomcp/entrez/polite"
)

// Server simulates one or more services on one address. All its methods may be
// called while it serves, Add and Handle before.
type Server struct {
	pace     *pace
	faults   *faults
	log      *requestLog
	controls map[string]Control
	services []Service

	first      []func(*Call) (Reply, bool)        // answer before the services
	strangeTag func(s *polite.Source, tag string) // meets a search tag that its source does not declare

	mu    sync.Mutex // guards the clock and the keys
	clock func() time.Time
	shift time.Duration // moved by SetNow and Advance
	keys  map[string]bool

	mux    *http.ServeMux
	base   string
	http   *http.Server
	served chan struct{}
	busy   sync.RWMutex // read-held by every request that came over TCP
}

// An Option of New and Start.
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

// Start starts a server outside a test; Close stops it. Without Addr it listens
// on a free port of 127.0.0.1.
func Start(opts ...Option) (*Server, error) {
	s := &Server{
		pace: newPace(), faults: newFaults(), log: &requestLog{}, controls: map[string]Control{},
		clock: time.Now, keys: map[string]bool{}, mux: http.NewServeMux(),
		strangeTag: func(s *polite.Source, tag string) { panic(s.Label + " does not declare the tag " + tag) },
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

// OnStrangeTag says what to do, in place of a panic, where a client searches by a tag that
// its source does not declare.
func (s *Server) OnStrangeTag(do func(s *polite.Source, tag string)) { s.strangeTag = do }

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

// URL is the address without a path, "http://127.0.0.1:39123".
func (s *Server) URL() string { return s.base }

// Address is the base of a source, which ends in a slash; "" where it is not
// simulated.
func (s *Server) Address(source *polite.Source) string {
	for _, v := range s.services {
		if v.Source == source {
			return s.base + v.Path
		}
	}
	return ""
}

// Env is the environment that points a biomcp process at this server, as
// NAME=value.
func (s *Server) Env() []string {
	var out []string
	for _, v := range s.services {
		out = append(out, v.Source.Variable()+"="+s.Address(v.Source))
	}
	return out
}

// Config points a client at this server, without a network.
func (s *Server) Config() polite.Config {
	addresses := map[string]string{}
	for _, v := range s.services {
		addresses[v.Source.Name] = s.Address(v.Source)
	}
	return polite.Config{Transport: s.Transport(), Addresses: addresses}
}

// Network is a client of this server, without a network.
func (s *Server) Network(tb testing.TB) *polite.Client {
	tb.Helper()
	c, err := polite.New(s.Config())
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// ServeHTTP answers one request, without a network.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// NoLimit turns the request limit off.
func NoLimit() Option {
	return func(set *settings) error { set.server.pace.off = true; return nil }
}

// Keys are the valid API keys. Without one, every key is wrong.
func Keys(keys ...string) Option {
	return func(set *settings) error {
		for _, k := range keys {
			set.server.keys[k] = true
		}
		return nil
	}
}

// Clock is what the server takes for now. The request limit keeps real time.
func Clock(now func() time.Time) Option {
	return func(set *settings) error { set.server.clock = now; return nil }
}

// Addr is the address to listen on, "127.0.0.1:8123". Only loopback is allowed.
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

// Unlisted makes a server without a network: only Transport and ServeHTTP reach
// it. With it a whole test can run inside a testing/synctest bubble, the request
// limit included.
func Unlisted() Option {
	return func(set *settings) error { set.unlisted = true; return nil }
}

// Now is the server's clock, in UTC.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock().Add(s.shift).UTC()
}

// SetNow sets the clock; it goes on from there.
func (s *Server) SetNow(t time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shift = t.Sub(s.clock())
}

// Advance moves the clock.
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

// Replay makes a service answer with captured replies, by what was asked: the
// endpoint's name and, where there are parameters, "?" and these, without tool,
// email and key, sorted as url.Values.Encode sorts them. What no capture answers
// is answered by the endpoint, 404 where it has no Answer.
func (s *Server) Replay(captures map[string]Reply) {
	for asked, reply := range captures {
		s.faults.captures.Store(asked, reply)
	}
}

// First makes the server answer some calls before their services do.
func (s *Server) First(answer func(*Call) (Reply, bool)) { s.first = append(s.first, answer) }

// asked is the key of a capture.
func asked(source *polite.Source, name string, c *Call) string {
	form := map[string][]string{}
	for k, v := range c.Form {
		if k != source.ToolParam && k != source.EmailParam && k != source.Key.Param {
			form[k] = v
		}
	}
	return strings.TrimSuffix(name+"?"+encode(form), "?")
}
