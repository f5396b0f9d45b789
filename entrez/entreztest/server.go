package entreztest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"biomcp/entrez"
	"biomcp/entrez/idconv"
	"biomcp/entrez/polite"
	"biomcp/entrez/pubmed"
	"biomcp/entrez/pubtator"
)

// Key is the API key every server knows unless Keys says otherwise.
const Key = "1f00d5eed0fa51abe11ed5eed0fa51abe11e"

// Server is a simulated NCBI: E-utilities, PMC ID converter and PubTator3 on one
// address. All its methods may be called while it serves.
type Server struct {
	corpus  *corpus
	history *history
	pace    *pace
	faults  *faults
	log     *requestLog

	mu       sync.Mutex // guards the maps and the clock
	jats     map[string][]byte
	withheld map[string]bool
	pubtator map[string][]byte
	clock    func() time.Time
	shift    time.Duration // moved by SetNow and Advance
	keys     map[string]bool

	handler  http.Handler
	base     string
	listener net.Listener
	http     *http.Server
	served   chan struct{}
	busy     sync.RWMutex // read-held by every request that came over TCP
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
		tb.Fatal("entreztest:", err)
	}
	tb.Cleanup(s.Close)
	return s
}

// Start starts a server outside a test; Close stops it. Without Addr it listens
// on a free port of 127.0.0.1.
func Start(opts ...Option) (*Server, error) {
	s := &Server{
		corpus: newCorpus(), history: newHistory(), pace: newPace(), faults: newFaults(), log: &requestLog{},
		jats: map[string][]byte{}, withheld: map[string]bool{}, pubtator: map[string][]byte{},
		clock: time.Now, keys: map[string]bool{Key: true},
	}
	set := settings{server: s, addr: "127.0.0.1:0"}
	for _, opt := range opts {
		if err := opt(&set); err != nil {
			return nil, err
		}
	}
	s.handler = s.routes()
	if set.unlisted {
		s.base = "http://ncbi.invalid"
		return s, nil
	}
	ln, err := net.Listen("tcp", set.addr)
	if err != nil {
		return nil, err
	}
	s.listener, s.base = ln, "http://"+ln.Addr().String()
	counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.busy.RLock()
		defer s.busy.RUnlock()
		s.handler.ServeHTTP(w, r)
	})
	s.http = &http.Server{Handler: counted, ReadHeaderTimeout: 10 * time.Second}
	s.served = make(chan struct{})
	go func() {
		defer close(s.served)
		_ = s.http.Serve(ln) // ends with ErrServerClosed
	}()
	return s, nil
}

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

// EntrezURL, PubTatorURL and IDConvURL are the bases of the three services, each
// ending in a slash.
func (s *Server) EntrezURL() string   { return s.base + entrezPath }
func (s *Server) PubTatorURL() string { return s.base + pubtatorPath }
func (s *Server) IDConvURL() string   { return s.base + idconvPath }

// Env is the environment that points a biomcp process at this server, as
// NAME=value.
func (s *Server) Env() []string {
	return []string{
		entrez.Source.Variable() + "=" + s.EntrezURL(),
		pubtator.Source.Variable() + "=" + s.PubTatorURL(),
		idconv.Source.Variable() + "=" + s.IDConvURL(),
	}
}

// Config points a client at this server, without a network.
func (s *Server) Config() polite.Config {
	return polite.Config{Transport: s.Transport(), Addresses: map[string]string{
		entrez.Source.Name: s.EntrezURL(), pubtator.Source.Name: s.PubTatorURL(), idconv.Source.Name: s.IDConvURL(),
	}}
}

// ServeHTTP answers one request, without a network.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// XML holds the records of PubMed XML: a PubmedArticleSet, plain or gzipped.
func XML(r io.Reader) Option {
	return func(set *settings) error { return set.server.load(r) }
}

// File holds the records of a file, .xml or .xml.gz.
func File(path string) Option {
	return func(set *settings) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := set.server.load(f); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
}

// PMC holds a full text in JATS, found by the PMCID that stands in it.
func PMC(path string) Option {
	return func(set *settings) error {
		data, err := readFile(path)
		if err != nil {
			return err
		}
		if _, err := set.server.AddJATS(data); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := pubmed.NewReader(f) // unpacks gzip
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// PubTator holds a PubTator3 export (BioC-JSON) to answer with.
func PubTator(path string) Option {
	return func(set *settings) error {
		data, err := readFile(path)
		if err != nil {
			return err
		}
		if _, err := set.server.AddPubTator(data); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
}

// NoLimit turns the request limit off.
func NoLimit() Option {
	return func(set *settings) error { set.server.pace.off = true; return nil }
}

// Keys are the valid API keys, in place of Key.
func Keys(keys ...string) Option {
	return func(set *settings) error {
		set.server.keys = map[string]bool{}
		for _, k := range keys {
			set.server.keys[k] = true
		}
		return nil
	}
}

// Clock is what the server takes for now: reldate, DateRevised of what it
// changes, the age of EInfo. The request limit keeps real time.
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

func (s *Server) load(r io.Reader) error {
	s.corpus.mu.Lock()
	defer s.corpus.mu.Unlock()
	return scan(r, s.corpus.add, func(pmid string) {
		if r := s.corpus.getID(pmid); r != nil {
			s.corpus.remove(r.pmid)
		}
	})
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

// Len is the number of held records.
func (s *Server) Len() int {
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	return s.corpus.live
}

// Raw is the record's own bytes, nil where it is not held.
func (s *Server) Raw(pmid string) []byte {
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	if r := s.corpus.getID(pmid); r != nil {
		return r.raw
	}
	return nil
}

// Article is the record as the scanner reads it, nil where it is not held.
func (s *Server) Article(pmid string) *pubmed.Article {
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	if r := s.corpus.getID(pmid); r != nil {
		return r.article()
	}
	return nil
}

var errNotHeld = errors.New("no such record")

func notHeld(pmid string) error { return fmt.Errorf("PMID %s: %w", strconv.Quote(pmid), errNotHeld) }
