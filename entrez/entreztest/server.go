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
	"biomcp/entrez/idconv"
	"biomcp/entrez/polite"
	"biomcp/entrez/pubmed"
	"biomcp/entrez/pubmedfiles/pubmedfilestest"
	"biomcp/entrez/pubtator"
	"biomcp/entrez/sourcetest"
)

// Key is the API key every server knows unless Keys says otherwise.
const Key = "1f00d5eed0fa51abe11ed5eed0fa51abe11e"

// Server is a simulated NCBI: E-utilities, PMC ID converter, PubTator3 and the file
// server of PubMed on one address. All its methods may be called while it serves.
type Server struct {
	*sourcetest.Server
	Files   *pubmedfilestest.Files // of the file server; none until Publish
	corpus  *corpus
	history *history

	mu       sync.Mutex // guards the maps
	jats     map[string][]byte
	withheld map[string]bool
	pubtator map[string][]byte

	summaryBytes int // see SummaryBytes; 0 means NCBI's limit

	entriesMu sync.RWMutex
	entries   map[string]*entries // of the databases beyond PubMed
	strange   map[string]bool     // tags that were searched for and that EInfo does not list: "clinvar[VARNAME]"
}

// An Option of New and Start.
type Option func(*settings) error

type settings struct {
	server *Server
	keys   []string
	base   []sourcetest.Option
}

// New starts a server for one test and stops it when the test ends. The test fails where a
// database beyond PubMed was searched by a tag that EInfo does not list, or any by one that
// its source does not declare, unless the server is told to expect it: NCBI searches all
// fields then, or drops the term.
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
		for _, tag := range slices.Sorted(maps.Keys(s.strange)) {
			tb.Errorf("a search used a tag that the database does not have, or that its source does not declare: %s", tag)
		}
	})
	return s
}

// ExpectTags forgets the searches by unlisted tags so far, which a test made on purpose.
func (s *Server) ExpectTags() {
	s.entriesMu.Lock()
	defer s.entriesMu.Unlock()
	clear(s.strange)
}

// Start starts a server outside a test; Close stops it. Without Addr it listens
// on a free port of 127.0.0.1.
func Start(opts ...Option) (*Server, error) {
	s := &Server{
		Files: pubmedfilestest.New(), corpus: newCorpus(), history: newHistory(),
		jats: map[string][]byte{}, withheld: map[string]bool{}, pubtator: map[string][]byte{}, entries: ownEntries(), strange: map[string]bool{},
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
	s.OnStrangeTag(func(from *polite.Source, tag string) { // people type tags too
		s.entriesMu.Lock()
		defer s.entriesMu.Unlock()
		s.strange[from.Label+"["+tag+"]"] = true
	})
	s.services()
	s.controls()
	return s, nil
}

// EntrezURL, PubTatorURL and IDConvURL are the bases of the three services, each
// ending in a slash.
func (s *Server) EntrezURL() string   { return s.Address(&entrez.Source) }
func (s *Server) PubTatorURL() string { return s.Address(&pubtator.Source) }
func (s *Server) IDConvURL() string   { return s.Address(&idconv.Source) }

// XML holds the records of PubMed XML: a PubmedArticleSet, plain or gzipped.
func XML(r io.Reader) Option {
	return func(set *settings) error { return set.server.Add(r) }
}

// File holds the records of a file, .xml or .xml.gz.
func File(path string) Option {
	return file(path, func(s *Server, data []byte) error { return s.Add(bytes.NewReader(data)) })
}

// PMC holds a full text in JATS, found by the PMCID in it.
func PMC(path string) Option {
	return file(path, func(s *Server, data []byte) error {
		_, err := s.AddJATS(data)
		return err
	})
}

// PubTator holds a PubTator3 export (BioC-JSON) to answer with.
func PubTator(path string) Option {
	return file(path, func(s *Server, data []byte) error {
		_, err := s.AddPubTator(data)
		return err
	})
}

// file gives the bytes of a file, unpacked, to add.
func file(path string, add func(s *Server, data []byte) error) Option {
	return func(set *settings) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		r, err := pubmed.NewReader(f) // unpacks gzip
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

func with(o sourcetest.Option) Option {
	return func(set *settings) error { set.base = append(set.base, o); return nil }
}

// NoLimit turns the request limit off.
func NoLimit() Option { return with(sourcetest.NoLimit()) }

// Keys are the valid API keys, in place of Key.
func Keys(keys ...string) Option {
	return func(set *settings) error { set.keys = keys; return nil }
}

// Clock is what the server takes for now: reldate, DateRevised of what it
// changes, the age of EInfo. The request limit keeps real time.
func Clock(now func() time.Time) Option { return with(sourcetest.Clock(now)) }

// Addr is the address to listen on, "127.0.0.1:8123". Only loopback is allowed.
func Addr(addr string) Option { return with(sourcetest.Addr(addr)) }

// Unlisted makes a server without a network: only Transport and ServeHTTP reach
// it. With it a whole test can run inside a testing/synctest bubble, the request
// limit included.
func Unlisted() Option { return with(sourcetest.Unlisted()) }

// Add holds the records of PubMed XML, plain or gzipped: one record, or a set.
// A record whose PMID is held already is replaced; a DeleteCitation deletes.
func (s *Server) Add(r io.Reader) error {
	s.corpus.mu.Lock()
	defer s.corpus.mu.Unlock()
	return scan(r, s.corpus.add, func(pmid string) {
		if r := s.corpus.getID(pmid); r != nil {
			s.corpus.remove(r.pmid)
		}
	})
}

// Len is the number of held records.
func (s *Server) Len() int {
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	return s.corpus.live
}

// Raw returns the bytes of a record, nil if the server does not hold it.
func (s *Server) Raw(pmid string) []byte {
	s.corpus.mu.RLock()
	defer s.corpus.mu.RUnlock()
	if r := s.corpus.getID(pmid); r != nil {
		return r.raw
	}
	return nil
}

// Article returns a record as the scanner reads it, nil if the server does not hold it.
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
