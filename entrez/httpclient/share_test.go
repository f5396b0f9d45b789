package httpclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// memory is a Cache in a map that can be made to fail.
type memory struct {
	fail    error
	expired bool
	stored  time.Time

	mu   sync.Mutex
	kept map[string][]byte
	ttl  map[string]time.Duration
}

func (m *memory) Get(_ context.Context, key string) ([]byte, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok := m.kept[key]
	return b, ok && !m.expired, m.fail
}

func (m *memory) GetStale(_ context.Context, key string) ([]byte, time.Time, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, ok := m.kept[key]
	return b, m.stored, ok, m.fail
}

func (m *memory) Put(_ context.Context, key string, body []byte, ttl time.Duration) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail == nil {
		if m.kept == nil {
			m.kept, m.ttl = map[string][]byte{}, map[string]time.Duration{}
		}
		m.kept[key], m.ttl[key] = body, ttl
	}
	return m.fail
}

func (m *memory) Delete(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.kept, key)
	return m.fail
}

var hourCall = Call{Endpoint: Endpoint{Form: XML, TTL: time.Hour}}

func TestIdenticalRequestsAreMadeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan struct{})
		net := &network{answer: func(int, *http.Request) (*http.Response, error) {
			<-answer
			return reply(200, good), nil
		}}
		rt := open(options(net))
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if body, err := search(t.Context(), rt, "same"); err != nil || body != good {
					t.Errorf("%q, %v", body, err)
				}
			})
		}
		synctest.Wait()
		close(answer)
		wg.Wait()
		if net.count() != 1 {
			t.Errorf("%d requests for 20 identical calls", net.count())
		}
		search(t.Context(), rt, "same") // not at the same time as the others
		if net.count() != 2 {
			t.Error("an answer outlived its callers")
		}
	})
}

func TestOneCallersCancellationDoesNotCancelTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan struct{})
		net := &network{answer: func(_ int, req *http.Request) (*http.Response, error) {
			select {
			case <-answer:
				return reply(200, good), nil
			case <-req.Context().Done():
				return nil, req.Context().Err()
			}
		}}
		rt := open(options(net))
		first, leave := context.WithCancel(t.Context())
		gone, stayed := make(chan error, 1), make(chan error, 1)
		go func() { _, err := search(first, rt, "same"); gone <- err }()
		synctest.Wait()
		go func() { _, err := search(t.Context(), rt, "same"); stayed <- err }()
		synctest.Wait()
		leave() // the caller that started the request leaves
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("the caller that left got %v", err)
		}
		close(answer)
		if err := <-stayed; err != nil {
			t.Errorf("the caller that stayed got %v", err)
		}
		if net.count() != 1 {
			t.Errorf("%d requests", net.count())
		}
	})
}

func TestRequestIsCancelledWhenAllCallersLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		off := make(chan struct{})
		net := &network{answer: func(n int, req *http.Request) (*http.Response, error) {
			if n > 0 {
				return reply(200, good), nil
			}
			<-req.Context().Done()
			close(off)
			return nil, req.Context().Err()
		}}
		rt := open(options(net))
		ctx, leave := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { search(ctx, rt, "same") })
		}
		synctest.Wait()
		leave()
		wg.Wait()
		// A new caller must not join the cancelled request.
		if _, err := search(t.Context(), rt, "same"); err != nil {
			t.Error(err)
		}
		<-off
	})
}

func TestCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := always(200, good)
		store := &memory{}
		o := options(net)
		o.Cache, o.Keys = store, keys(secret)
		rt := open(o)
		where := eutils.String() + "esearch.fcgi?db=pubmed&term=x"
		ask := func(ctx context.Context, rt *Client, where string) {
			t.Helper()
			if body, err := get(ctx, rt, hourCall, where); err != nil || body != good {
				t.Fatalf("%q, %v", body, err)
			}
		}
		ask(t.Context(), rt, where)
		ask(t.Context(), rt, where)
		ask(t.Context(), rt, eutils.String()+"esearch.fcgi?term=x&db=pubmed&tool=other&email=e&api_key=f")
		if _, err := post(t.Context(), rt, hourCall, eutils.String()+"esearch.fcgi", "db=pubmed&term=x"); err != nil {
			t.Fatal(err)
		}
		other := o
		other.Keys, other.Tool = nil, "another"
		ask(t.Context(), open(other), where)
		if net.count() != 1 {
			t.Errorf("%d requests for one question", net.count())
		}
		ask(WithoutCache(t.Context()), rt, where)
		ask(t.Context(), rt, where+"2")
		if net.count() != 3 {
			t.Errorf("%d requests, want 3: the cache bypassed, and another question", net.count())
		}
		if len(store.kept) != 2 {
			t.Errorf("%d answers kept, want 2", len(store.kept))
		}
		for key, ttl := range store.ttl {
			if ttl != time.Hour {
				t.Errorf("%q is kept for %v, want an hour", key, ttl)
			}
			if n := strings.Count(key, " "); n != 1 {
				t.Errorf("key %q has %d spaces, want 1", key, n)
			}
			if !strings.HasPrefix(key, "esearch.fcgi ") {
				t.Errorf("key %q, want it to begin with the endpoint", key)
			}
			if strings.Contains(key, "\n") {
				t.Errorf("key %q has more than one line", key)
			}
		}
	})
}

func TestCacheKeepsNoErrorsOrSessions(t *testing.T) {
	no := func([]byte) bool { return false }
	for i, c := range []struct {
		call Call
		body string
	}{
		{Call{Endpoint: Endpoint{Form: XML}}, good},
		{Call{Endpoint: hourCall.Endpoint, Cacheable: no}, good},
		{hourCall, "<r><WebEnv>MCID_1</WebEnv></r>"},
		{Call{Endpoint: Endpoint{TTL: time.Hour}}, " \n"},
	} {
		t.Run(c.body, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := &memory{}
				o := options(always(200, c.body))
				o.Cache = store
				if _, err := get(t.Context(), open(o), c.call, eutils.String()+fmt.Sprint("e.fcgi?", i)); err != nil {
					t.Errorf("%s: %v", c.body, err)
				}
				if len(store.kept) != 0 {
					t.Errorf("kept: %s", c.body)
				}
			})
		})
	}
}

func TestFailingCacheCostsARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, text := logger()
		o := options(always(200, good))
		o.Cache, o.Logger = &memory{fail: errors.New("disk is gone")}, log
		if body, err := get(t.Context(), open(o), hourCall, eutils.String()+"e.fcgi"); err != nil || body != good {
			t.Errorf("%q, %v", body, err)
		}
		if strings.Count(text.String(), "disk is gone") != 2 {
			t.Errorf("not logged:\n%s", text)
		}
	})
}

// A call without the cache must not join one that may be answered from it.
func TestWithoutCacheIsNotSharedWithCachedCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan struct{})
		net := &network{answer: func(int, *http.Request) (*http.Response, error) {
			<-answer
			return reply(200, good), nil
		}}
		rt := open(options(net))
		var wg sync.WaitGroup
		wg.Go(func() { search(t.Context(), rt, "same") })
		wg.Go(func() { search(WithoutCache(t.Context()), rt, "same") })
		time.AfterFunc(time.Minute/2, func() { close(answer) })
		wg.Wait()
		if net.count() != 2 {
			t.Errorf("%d requests, want 2", net.count())
		}
	})
}
