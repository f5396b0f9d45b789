package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez/httpclient"
)

// expected is the outcome of a fault.
var expected = []struct {
	fault Fault
	kinds []httpclient.Kind // allowed kinds of error; empty means no error
	heals bool              // a retry is made and succeeds
}{
	{Fault{Kind: Limit429}, []httpclient.Kind{httpclient.RateLimited}, true},
	{Fault{Kind: Limit429, RetryAfter: "7"}, []httpclient.Kind{httpclient.RateLimited}, true},
	{Fault{Kind: BadKey}, []httpclient.Kind{httpclient.BadKey, httpclient.Refused, httpclient.Upstream}, false},
	{Fault{Kind: URITooLarge}, []httpclient.Kind{httpclient.Refused}, false},
	{Fault{Kind: HTML500}, []httpclient.Kind{httpclient.Upstream}, true},
	{Fault{Kind: HTML502}, []httpclient.Kind{httpclient.Upstream}, true},
	{Fault{Kind: Down503, RetryAfter: "7"}, []httpclient.Kind{httpclient.Upstream}, true},
	{Fault{Kind: HTML200}, []httpclient.Kind{httpclient.Upstream}, true},
	{Fault{Kind: HTML403}, []httpclient.Kind{httpclient.Upstream}, false},
	{Fault{Kind: Empty}, []httpclient.Kind{httpclient.Upstream}, true},
	{Fault{Kind: OtherForm}, []httpclient.Kind{httpclient.Upstream}, true},
	{Fault{Kind: Truncated}, []httpclient.Kind{httpclient.Upstream}, true},
	{Fault{Kind: Cut}, []httpclient.Kind{httpclient.Upstream}, true},
	{Fault{Kind: CutXML}, []httpclient.Kind{httpclient.Upstream}, true},
	{Fault{Kind: Hangup}, []httpclient.Kind{httpclient.Unreachable, httpclient.Upstream}, true},
	{Fault{Kind: Endless}, []httpclient.Kind{httpclient.Upstream}, false},
	{Fault{Kind: Stall}, []httpclient.Kind{httpclient.Timeout}, true},
	{Fault{Kind: StallBody}, []httpclient.Kind{httpclient.Timeout}, true},
	{Fault{Kind: Redirect, Target: "https://elsewhere.example/"}, []httpclient.Kind{httpclient.Refused}, false},
	{Fault{Kind: GzipBomb}, []httpclient.Kind{httpclient.Upstream}, true}, // Transport does not unpack it
	{Fault{Kind: WrongType}, nil, true},
}

// TestFaults makes the smallest call of a source under every fault. A fault that occurs once must
// be repaired if a retry helps. A lasting fault must end in time, in an error that names the source
// and contains no key, and must leave no entry in the cache. TestFaults then tests the source's
// rate across several processes. start returns a server without a network that simulates the source; it is
// called inside a synctest bubble.
func TestFaults(t *testing.T, source *httpclient.Source, start func() (*Server, error)) {
	for _, e := range expected {
		if source.Ping.Form == httpclient.Head && slices.Contains(bodyKinds, e.fault.Kind) {
			continue
		}
		t.Run(fmt.Sprint(e.fault.Kind, e.fault.RetryAfter), func(t *testing.T) {
			runSimulated(t, source, start, func(t *testing.T, b *bench) {
				fault := e.fault
				if e.heals {
					b.fail(t, fault)
					began := time.Now()
					if err := b.ask(t.Context()); err != nil {
						t.Errorf("once: %v", err)
					}
					if fault.RetryAfter == "7" && time.Since(began) < 7*time.Second {
						t.Errorf("Retry-After: 7 was answered after %v", time.Since(began))
					}
				}
				b.server.ClearFaults()
				b.server.ClearRequests()
				clear(b.cache.entries)
				fault.Times = -1
				b.fail(t, fault)
				began := time.Now()
				err := b.ask(t.Context())
				if e.kinds == nil {
					if err != nil {
						t.Error(err)
					}
					return
				}
				b.wantError(t, err, e.kinds)
				if took := time.Since(began); took > httpclient.DefaultDeadline {
					t.Errorf("took %v", took)
				}
				want := 1
				if e.heals {
					want += b.retries
				}
				if n := b.server.Count(); n != want && !httpclient.IsKind(err, httpclient.Timeout) {
					t.Errorf("asked %d times, want %d", n, want)
				}
				if len(b.cache.entries) != 0 {
					t.Error("the cache holds something after a failure")
				}
			})
		})
	}
	keys := []bool{false}
	if source.Key.Variable != "" {
		keys = append(keys, true)
	}
	for _, keyed := range keys {
		t.Run(fmt.Sprint("rate with a key ", keyed), func(t *testing.T) {
			runSimulated(t, source, start, func(t *testing.T, b *bench) { testRate(t, b, keyed) })
		})
	}
}

// testRate makes calls with clients that share only a folder, as processes do.
func testRate(t *testing.T, b *bench, keyed bool) {
	dir, key := t.TempDir(), ""
	if keyed {
		key = b.key
	}
	limit := b.source.Rate.Limit(keyed)
	var group sync.WaitGroup
	for range 4 {
		client := b.client(t, dir, key)
		group.Go(func() {
			for range limit {
				if err := client.Service(b.source).Ping(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	began := time.Now()
	group.Wait()
	at := b.server.Requests()
	if len(at) != 4*limit || b.server.Limited() > 0 {
		t.Errorf("%d requests, %d over the limit", len(at), b.server.Limited())
	}
	for i := limit; i < len(at); i++ {
		if d := at[i].At.Sub(at[i-limit].At); d < time.Second {
			t.Errorf("requests %d to %d came within %v", i-limit, i, d)
		}
	}
	if took, most := time.Since(began), time.Duration(4*limit)*b.source.Rate.Delay(keyed)+time.Second; took > most {
		t.Errorf("%d requests took %v, want at most %v", len(at), took, most)
	}
}

// bench holds one source under test.
type bench struct {
	source  *httpclient.Source
	key     string // a valid key, if the source accepts keys
	server  *Server
	network *httpclient.Client
	cache   *memory
	log     strings.Builder
	logger  *slog.Logger // shared by all clients; writes one line at a time to log
	retries int
}

func runSimulated(t *testing.T, source *httpclient.Source, start func() (*Server, error), test func(*testing.T, *bench)) {
	synctest.Test(t, func(t *testing.T) {
		server, err := start()
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		if server.Address(source) == "" {
			t.Fatalf("%s is not simulated", source.Label)
		}
		b := &bench{source: source, server: server, cache: &memory{entries: map[string][]byte{}}, retries: 2}
		b.logger = slog.New(slog.NewTextHandler(&b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		if source.Key.Variable != "" {
			for b.key = range server.keys {
				break
			}
			if b.key == "" {
				t.Fatalf("the simulator of %s knows no key", source.Label)
			}
		}
		b.network = b.client(t, "", b.key)
		test(t, b)
		if text := b.log.String() + fmt.Sprint(b.cache.entries); b.key != "" && strings.Contains(text, b.key) {
			t.Errorf("the key is in the log or in the cache: %s", text)
		}
	})
}

func (b *bench) client(t *testing.T, slots, key string) *httpclient.Client {
	t.Helper()
	cfg := b.server.Config()
	cfg.Keys = map[string]string{b.source.Key.Variable: key}
	cfg.MaxRetries, cfg.SlotDir, cfg.Cache = b.retries, slots, b.cache
	cfg.Logger = b.logger
	client, err := httpclient.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func (b *bench) fail(t *testing.T, f Fault) {
	t.Helper()
	if err := b.server.Fail(f); err != nil {
		t.Fatal(err)
	}
}

func (b *bench) ask(ctx context.Context) error {
	call := *b.source.Ping
	_, err := b.network.Service(b.source).Do(ctx, &call)
	if httpclient.IsKind(err, httpclient.NotFound) {
		return nil
	}
	return err
}

// wantError fails the test unless err is an error of one of the kinds with a readable message.
func (b *bench) wantError(t *testing.T, err error, kinds []httpclient.Kind) {
	t.Helper()
	var e *httpclient.Error
	if !errors.As(err, &e) {
		t.Fatalf("want an error (%v), got %v", kinds, err)
	}
	good := false
	for _, k := range kinds {
		good = good || e.Kind == k
	}
	if !good {
		t.Errorf("want an error (%v), got (%s) %s", kinds, e.Kind, e.Message)
	}
	if e.Service != b.source.Label || e.Op != b.source.Ping.Op || !strings.HasPrefix(e.Message, b.source.Label) ||
		!strings.HasPrefix(e.URL, b.server.Address(b.source)) || strings.ContainsAny(e.Message, "\n\r\t<") ||
		b.key != "" && strings.Contains(fmt.Sprintf("%+v %s", *e, e.Reply), b.key) {
		t.Errorf("%+v", *e)
	}
}

// memory is a response cache in a map.
type memory struct {
	mu      sync.Mutex
	entries map[string][]byte
}

func (m *memory) Get(_ context.Context, key string) ([]byte, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok := m.entries[key]
	return b, ok, nil
}

// GetStale never returns an entry, because these tests do not cover an unreachable source.
func (m *memory) GetStale(context.Context, string) (body []byte, stored time.Time, ok bool, err error) {
	return nil, time.Time{}, false, nil
}

func (m *memory) Put(_ context.Context, key string, body []byte, _ time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries[key] = body
	return nil
}

func (m *memory) Delete(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.entries, key)
	return nil
}
