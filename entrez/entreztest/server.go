package entreztest

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"biomcp/entrez"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/idconv"
	"biomcp/entrez/pubmed"
	"biomcp/entrez/pubmedfiles/pubmedfilestest"
	"biomcp/entrez/pubtator"
	"biomcp/entrez/sourcetest"
)

// Key is the valid API key of every server without the option Keys.
const Key = "1f00d5eed0fa51abe11ed5eed0fa51abe11e"

// A Server is a simulated NCBI: the E-utilities, the PMC ID converter, PubTator3 and PubMed's file
// server on one address. Its methods may be called while it serves.
type Server struct {
	*sourcetest.Server
	Files   *pubmedfilestest.Files // files of the file server; empty until Publish
	corpus  *corpus
	history *history

	mu       sync.Mutex // guards the maps
	jats     map[string][]byte
	withheld map[string]bool
	pubtator map[string][]byte

	summaryBytes int // see SummaryBytes; 0 means NCBI's limit

	entriesMu   sync.RWMutex
	entries     map[string]*entries // by name of the database
	unknownTags map[string]bool     // unknown tags in searches: "clinvar[VARNAME]"
}

// An Option of New and Start.
type Option func(*settings) error

type settings struct {
	server *Server
	keys   []string
	base   []sourcetest.Option
}

// New starts a server for one test, and stops it when the test ends. The test fails if a search of
// a database other than PubMed used a tag that EInfo does not list, or any search used one that its
// source does not declare, unless the test calls ExpectTags. NCBI would search all fields or drop
// the term.
func New(tb testing.TB, opts ...Option) *Server {
	tb.Helper()
	s, err := Start(opts...)
	if err != nil {
		tb.Fatal("entreztest:", err)
	}
	tb.Cleanup(func() {
		s.Close()
		s.entriesMu.Lock()
		defer s.entriesMu.Unlock()
		for _, tag := range slices.Sorted(maps.Keys(s.unknownTags)) {
			tb.Errorf("a search used a tag that the database does not have, or that its source does not declare: %s", tag)
		}
	})
	return s
}

// ExpectTags clears the unknown tags so far, which the test used on purpose.
func (s *Server) ExpectTags() {
	s.entriesMu.Lock()
	defer s.entriesMu.Unlock()
	clear(s.unknownTags)
}

// Start starts a server outside of a test; Close stops it. Without the option Addr it listens on a
// free port of 127.0.0.1.
func Start(opts ...Option) (*Server, error) {
	s := &Server{
		Files: pubmedfilestest.New(), corpus: newCorpus(), history: newHistory(),
		jats: map[string][]byte{}, withheld: map[string]bool{}, pubtator: map[string][]byte{},
		entries: copyEntries(), unknownTags: map[string]bool{},
	}
	set := settings{server: s, keys: []string{Key}}
	for _, opt := range opts {
		if err := opt(&set); err != nil {
			return nil, err
		}
	}
	var err error
	if s.Server, err = sourcetest.Start(append(set.base, sourcetest.Keys(set.keys...))...); err != nil {
		return nil, err
	}
	s.OnUndeclaredTag(func(source *httpclient.Source, tag string) { // a user may type tags too
		s.entriesMu.Lock()
		defer s.entriesMu.Unlock()
		s.unknownTags[source.Label+"["+tag+"]"] = true
	})
	s.services()
	s.controls()
	return s, nil
}

// EntrezURL, PubTatorURL and IDConvURL return the base addresses of the services, each with a final
// slash.
func (s *Server) EntrezURL() string   { return s.Address(&entrez.Source) }
func (s *Server) PubTatorURL() string { return s.Address(&pubtator.Source) }
func (s *Server) IDConvURL() string   { return s.Address(&idconv.Source) }

// XML adds the records of PubMed XML, a PubmedArticleSet that may be gzipped.
func XML(r io.Reader) Option {
	return func(set *settings) error { return set.server.Add(r) }
}

// File adds the records of a file, .xml or .xml.gz.
func File(path string) Option {
	return file(path, func(s *Server, data []byte) error { return s.Add(bytes.NewReader(data)) })
}

// PMC adds a full text in JATS, which is found by the PMCID in it.
func PMC(path string) Option {
	return file(path, func(s *Server, data []byte) error {
		_, err := s.AddJATS(data)
		return err
	})
}

// PubTator adds a PubTator3 export (BioC-JSON) to serve.
func PubTator(path string) Option {
	return file(path, func(s *Server, data []byte) error {
		_, err := s.AddPubTator(data)
		return err
	})
}

// file calls add with the bytes of a file, decompressed.
func file(path string, add func(s *Server, data []byte) error) Option {
	return func(set *settings) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		r, err := pubmed.NewReader(f) // decompresses gzip
		if err != nil {
			return err
		}
		data, err := io.ReadAll(r)
		if err == nil {
			err = add(set.server, data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
}

func baseOption(o sourcetest.Option) Option {
	return func(set *settings) error { set.base = append(set.base, o); return nil }
}

// NoLimit disables the request limit.
func NoLimit() Option { return baseOption(sourcetest.NoLimit()) }

// Keys sets the valid API keys, instead of Key.
func Keys(keys ...string) Option {
	return func(set *settings) error { set.keys = keys; return nil }
}

// Clock sets the server's current time, which affects reldate, DateRevised of changed records, and
// EInfo. The request limit uses real time.
func Clock(now func() time.Time) Option { return baseOption(sourcetest.Clock(now)) }

// Addr sets the address to listen on, such as "127.0.0.1:8123". It must be a loopback address.
func Addr(addr string) Option { return baseOption(sourcetest.Addr(addr)) }

// WithoutNetwork makes a server without a network listener, which is reached only through Transport and
// ServeHTTP. It allows a whole test to run inside a testing/synctest bubble, including the request
// limit.
func WithoutNetwork() Option { return baseOption(sourcetest.WithoutNetwork()) }

// Add adds the records of PubMed XML, which may be gzipped: one record or a set. It replaces a
// record with the same PMID. A DeleteCitation deletes records.
func (s *Server) Add(r io.Reader) error {
	s.corpus.mu.Lock()
	defer s.corpus.mu.Unlock()
	return scan(r, s.corpus.add, func(pmid string) {
		if r := s.corpus.getID(pmid); r != nil {
			s.corpus.remove(r.pmid)
		}
	})
}

// Len returns the number of records.
func (s *Server) Len() int {
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	return s.corpus.live
}

// Raw returns the bytes of a record, or nil if the server does not have it.
func (s *Server) Raw(pmid string) []byte {
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	if r := s.corpus.getID(pmid); r != nil {
		return r.raw
	}
	return nil
}

// Article returns a parsed record, or nil if the server does not have it.
func (s *Server) Article(pmid string) *pubmed.Article {
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	if r := s.corpus.getID(pmid); r != nil {
		return r.article()
	}
	return nil
}

func notHeld(pmid string) error {
	return fmt.Errorf("PMID %s: no such record: %w", strconv.Quote(pmid), sourcetest.ErrNotFound)
}
