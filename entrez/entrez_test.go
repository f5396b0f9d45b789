package entrez_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
)

// imaginary runs a test with the simulated NCBI inside a synctest bubble, so that limits and waits
// take no time. Its records are the simulator's hand-made ones unless opts replace them.
func imaginary(t *testing.T, test func(t *testing.T, sim *entreztest.Server, c *entrez.Client), opts ...entreztest.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		sim := simulator(t, opts...)
		test(t, sim, client(t, sim, httpclient.Config{}))
	})
}

func simulator(t *testing.T, opts ...entreztest.Option) *entreztest.Server {
	t.Helper()
	if len(opts) == 0 {
		opts = []entreztest.Option{
			entreztest.File("entreztest/testdata/synthetic.xml"),
			entreztest.PMC("entreztest/testdata/synthetic.nxml"),
		}
	}
	sim, err := entreztest.Start(append(opts, entreztest.WithoutNetwork())...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sim.Close)
	return sim
}

// network returns a client for all sources of the simulator.
func network(t *testing.T, sim *entreztest.Server, cfg httpclient.Config) *httpclient.Client {
	t.Helper()
	own := sim.Config()
	cfg.Addresses, cfg.Transport = own.Addresses, own.Transport
	cfg.Tool, cfg.Email = "biomcp test", "someone@example.org"
	c, err := httpclient.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func client(t *testing.T, sim *entreztest.Server, cfg httpclient.Config) *entrez.Client {
	t.Helper()
	return entrez.New(network(t, sim, cfg))
}

// wants fails the test unless err is a *httpclient.Error of the kind.
func wants(t *testing.T, err error, kind httpclient.Kind) *httpclient.Error {
	t.Helper()
	var e *httpclient.Error
	if !errors.As(err, &e) {
		t.Fatalf("want an error (%s), got %v", kind, err)
	}
	if e.Kind != kind {
		t.Fatalf("want an error (%s), got (%s) %s", kind, e.Kind, e.Message)
	}
	return e
}

// realData returns a file of real test data, which is not part of the project. It skips the test if
// the file is absent.
func realData(t testing.TB, name string) []byte {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	data, err := os.ReadFile(filepath.Join(dir, "..", "shared", "data", name))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("SKIPPED: the real data %s is absent", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprintf("%#v", got), fmt.Sprintf("%#v", want); g != w {
		t.Errorf("%s is %s, want %s", what, g, w)
	}
}

// memory is a response cache in a map.
type memory struct {
	mu     sync.Mutex
	kept   map[string][]byte
	ttl    map[string]time.Duration
	stored map[string]time.Time
}

func (m *memory) Get(ctx context.Context, key string) ([]byte, bool, error) {
	b, stored, ok, err := m.GetStale(ctx, key)
	m.mu.Lock()
	defer m.mu.Unlock()
	return b, ok && time.Since(stored) < m.ttl[key], err
}

func (m *memory) GetStale(_ context.Context, key string) (body []byte, stored time.Time, ok bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	body, ok = m.kept[key]
	return body, m.stored[key], ok, nil
}

func (m *memory) Put(_ context.Context, key string, body []byte, ttl time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept, m.ttl, m.stored = map[string][]byte{}, map[string]time.Duration{}, map[string]time.Time{}
	}
	m.kept[key], m.ttl[key], m.stored[key] = body, ttl, time.Now()
	return nil
}

func (m *memory) Delete(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.kept, key)
	return nil
}
