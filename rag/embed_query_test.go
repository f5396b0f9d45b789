package rag

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez/httpclient"
)

// transport is a service whose every request is answered by a function.
type transport func(n int, req *http.Request) (*http.Response, error)

func (f transport) RoundTrip(req *http.Request) (*http.Response, error) { return f(0, req) }

// counted counts the requests of a transport.
func counted(n *atomic.Int32, f transport) transport {
	return func(_ int, req *http.Request) (*http.Response, error) {
		return f(int(n.Add(1)), req)
	}
}

func queried(t *testing.T, provider string, rt http.RoundTripper) *Remote {
	t.Helper()
	r, err := NewRemote(RemoteConfig{Provider: provider, BaseURL: "http://service.test", Transport: rt})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// bubble runs a test in a bubble of synctest, and waits for the goroutines that it left.
func bubble(t *testing.T, f func(*testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f(t)
		time.Sleep(2 * loadTime)
	})
}

// within runs a query that may take so long, and returns how long it took.
func within(t *testing.T, r *Remote, wait time.Duration) ([]float32, time.Duration, error) {
	t.Helper()
	began := time.Now()
	v, err := r.Query(t.Context(), "asthma", began.Add(wait))
	return v, time.Since(began), err
}

// A service that is dead costs a query little, whoever asks, and is then not asked
// again for half a minute.
func TestQueryOfADeadService(t *testing.T) {
	refusing := transport(func(int, *http.Request) (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	})
	silent := func(ctx context.Context, network, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, &net.OpError{Op: "dial", Net: network, Err: ctx.Err()}
	}
	for name, c := range map[string]struct {
		rt            http.RoundTripper // nil: one of its own that cannot connect
		kind          EmbedKind
		agent, person time.Duration // at most
		requests      int           // requests of a person's query
	}{
		"refused":                   {refusing, EmbedUnreachable, 600 * time.Millisecond, 600 * time.Millisecond, 2},
		"no answer to a connection": {nil, EmbedUnreachable, AgentWait, 3 * time.Second, 2},
		"no answer to a request": {transport(func(_ int, req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, req.Context().Err()
		}), EmbedTimeout, AgentWait, PersonWait, 1},
		"starting": {transport(func(int, *http.Request) (*http.Response, error) { return status(503, ""), nil }), EmbedUpstream, 600 * time.Millisecond, 600 * time.Millisecond, 2},
	} {
		through := func() http.RoundTripper {
			if c.rt == nil {
				return httpclient.NewTransport(silent)
			}
			return c.rt
		}
		for _, provider := range []string{"openai", "hf"} { // of hf the model's name is asked first
			t.Run(name+", "+provider, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					if _, took, err := within(t, queried(t, provider, through()), AgentWait); err == nil || took > c.agent {
						t.Errorf("an agent waits %v for %v", took, err)
					}
				})
				bubble(t, func(t *testing.T) {
					var requests atomic.Int32
					rt := through()
					r := queried(t, provider, counted(&requests, func(_ int, req *http.Request) (*http.Response, error) { return rt.RoundTrip(req) }))
					if _, took, err := within(t, r, PersonWait); !IsEmbedKind(err, c.kind) || took > c.person || int(requests.Load()) != c.requests {
						t.Errorf("a person waits %v and %d requests for %v", took, requests.Load(), err)
					}
					time.Sleep(20 * time.Second)
					if _, took, err := within(t, r, PersonWait); !IsEmbedKind(err, c.kind) || took > 0 || int(requests.Load()) != c.requests || !strings.Contains(err.Error(), "next attempt in") {
						t.Errorf("20 s later: %v, %d requests, %v", took, requests.Load(), err)
					}
					if err := r.IdentifyBy(t.Context(), time.Now().Add(PersonWait)); provider == "hf" && !IsEmbedKind(err, c.kind) || int(requests.Load()) != c.requests {
						t.Errorf("the name of the model: %d requests, %v", requests.Load(), err)
					}
					time.Sleep(11 * time.Second)
					if _, _, err := within(t, r, PersonWait); err == nil || int(requests.Load()) == c.requests {
						t.Errorf("31 s later: %d requests, %v", requests.Load(), err)
					}
				})
			})
		}
	}
}

// A model that must be loaded first is waited for by a person, and by an agent's
// later query: the first one stays with the service.
func TestQueryOfAModelThatIsLoaded(t *testing.T) {
	cold := func() (transport, *atomic.Int32) {
		var requests atomic.Int32
		loaded := time.Time{}
		return counted(&requests, func(_ int, req *http.Request) (*http.Response, error) {
			if loaded.IsZero() {
				loaded = time.Now().Add(8 * time.Second)
			}
			select {
			case <-time.After(time.Until(loaded)):
				return status(200, `{"data":[{"index":0,"embedding":[3,4]}]}`), nil
			case <-req.Context().Done(): // as some do, it stops loading
				loaded = time.Time{}
				return nil, req.Context().Err()
			}
		}), &requests
	}
	bubble(t, func(t *testing.T) {
		rt, _ := cold()
		watch := &httpclient.Progress{} // which shows it at a terminal
		time.AfterFunc(5*time.Second, func() {
			if w, ok := watch.LongestWait(); !ok || w.Service != "openai at service.test" || w.Attempt != 1 {
				t.Errorf("waits for %+v", w)
			}
		})
		r := queried(t, "openai", rt)
		v, err := r.Query(httpclient.WithProgress(t.Context(), watch), "asthma", time.Now().Add(PersonWait))
		if _, waits := watch.LongestWait(); err != nil || v[0] != 0.6 || waits {
			t.Errorf("%v, %v, waits: %v", v, err, waits)
		}
	})
	bubble(t, func(t *testing.T) {
		rt, _ := cold()
		if v, took, err := within(t, queried(t, "openai", rt), PersonWait); err != nil || took != 8*time.Second || v[0] != 0.6 {
			t.Errorf("%v after %v, %v", v, took, err)
		}
	})
	bubble(t, func(t *testing.T) {
		rt, requests := cold()
		r := queried(t, "openai", rt)
		if _, took, err := within(t, r, AgentWait); !IsEmbedKind(err, EmbedTimeout) || took != AgentWait || !strings.Contains(err.Error(), "1.5s") {
			t.Errorf("after %v: %v", took, err)
		}
		time.Sleep(5 * time.Second)
		if _, took, err := within(t, r, AgentWait); err == nil || took != 0 || requests.Load() != 1 {
			t.Errorf("while it is loaded: %v, %d requests, %v", took, requests.Load(), err)
		}
		time.Sleep(2 * time.Second)
		if v, took, err := within(t, r, AgentWait); err != nil || v == nil || took != 0 {
			t.Errorf("once it is loaded: %v after %v, %v", v, took, err)
		}
	})
}

// A failure that waiting does not mend is not remembered; a caller who left fails
// with his own reason.
func TestQueryThatIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := queried(t, "openai", transport(func(_ int, req *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			return status(400, `{"error":"no"}`), nil
		}))
		for range 2 {
			if _, took, err := within(t, r, PersonWait); !IsEmbedKind(err, EmbedRefused) || took != time.Second {
				t.Errorf("after %v: %v", took, err)
			}
		}
		left := errors.New("left")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Millisecond, func() { cancel(left) })
		if _, err := r.Query(ctx, "asthma", time.Now().Add(PersonWait)); !errors.Is(err, left) || r.outage.failure() != nil {
			t.Errorf("a caller who left: %v", err)
		}
	})
}

func TestQueryPanicsReachTheCaller(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	_, _, err := within(t, queried(t, "openai", transport(func(int, *http.Request) (*http.Response, error) { panic("broken") })), PersonWait)
	t.Error(err)
}
