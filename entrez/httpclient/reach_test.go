package httpclient

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

var unreachable = map[string]Dial{
	"black hole": func(ctx context.Context, network, address string) (net.Conn, error) {
		<-ctx.Done()
		return nil, &net.OpError{Op: "dial", Net: network, Err: ctx.Err()}
	},
	"closed port": func(_ context.Context, network, _ string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
	},
	"no such name": func(_ context.Context, network, address string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: network, Err: &net.DNSError{Err: "no such host", Name: address}}
	},
}

func TestUnreachableHostIsReportedWithinThreeSeconds(t *testing.T) {
	for name, dial := range unreachable {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var dials atomic.Int32
				o := options(nil)
				o.Transport = nil
				o.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
					dials.Add(1)
					return dial(ctx, network, address)
				}
				c := open(o)
				began := time.Now()
				_, err := search(t.Context(), c, "x")
				failure(t, err, Unreachable)
				if dials.Load() != 2 {
					t.Errorf("%d attempts to connect, want 2", dials.Load())
				}
				for i := range 2 { // the same host again and another one
					_, err = get(t.Context(), c, xmlCall, fmt.Sprintf("http://host%d.example/x", i))
					failure(t, err, Unreachable)
					_, err = search(t.Context(), c, fmt.Sprint("y", i))
					failure(t, err, Unreachable)
				}
				if took := time.Since(began); took >= 3*time.Second+probeTime {
					t.Errorf("calls to three hosts took %v", took)
				}
			})
		})
	}
}

// A busy machine is slow to connect to itself; that must not count as an unreachable network.
func TestServiceOnThisMachineIsWaitedFor(t *testing.T) {
	for host, want := range map[string]bool{"127.0.0.1": true, "[::1]": true, "localhost": true, "service.example": false} {
		t.Run(host, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				transport := NewTransport(func(ctx context.Context, _, _ string) (net.Conn, error) {
					select {
					case <-time.After(2 * time.Second):
						return nil, syscall.ECONNRESET // the connection was accepted
					case <-ctx.Done():
						return nil, ctx.Err()
					}
				})
				req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+host+"/", nil)
				if _, err := transport.RoundTrip(req); errors.Is(err, syscall.ECONNRESET) != want {
					t.Errorf("%s: %v", host, err)
				}
			})
		})
	}
}

// An unreachable host is dialled again after downTime.
func TestUnreachableHostIsDialledAgainLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
		c := open(options(inTurn(breaks(refused), breaks(refused), says(200, good))))
		if _, err := search(t.Context(), c, "x"); !IsKind(err, Unreachable) {
			t.Fatal(err)
		}
		if _, err := search(t.Context(), c, "x"); !IsKind(err, Unreachable) {
			t.Fatal("it was dialled again at once", err)
		}
		time.Sleep(downTime + 1)
		if _, err := search(t.Context(), c, "x"); err != nil {
			t.Error(err)
		}
	})
}

func TestOneDeadlineForAllCallsOfAContext(t *testing.T) {
	hang := unanswering()
	synctest.Test(t, func(t *testing.T) {
		s := open(options(hang)).Service(source)
		began := time.Now()
		ctx := WithEnd(t.Context(), began.Add(10*time.Second))
		for i := range 3 {
			_, err := s.Do(ctx, NewCall(xmlCall.Endpoint, "term", fmt.Sprint(i)))
			failure(t, err, Timeout)
		}
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("three calls under one deadline of 10 s took %v", took)
		}
	})
}

// Calls without an answer share one limit. An answer, or a refusal, starts it anew, and work between
// the calls does not count.
func TestSilenceLimit(t *testing.T) {
	const limit = 10 * time.Second
	for what, answer := range map[string]func() (*http.Response, error){
		"answer": says(200, good), "refusal": says(400, "<r><ERROR>no</ERROR></r>"),
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				answers := false
				s := open(options(&network{answer: func(_ int, req *http.Request) (*http.Response, error) {
					if answers {
						return answer()
					}
					<-req.Context().Done()
					return nil, req.Context().Err()
				}})).Service(source)
				ctx := WithSilenceLimit(WithProgress(t.Context(), &Progress{}), limit)
				n := 0
				call := func(ctx context.Context) error {
					n++
					_, err := s.Do(ctx, NewCall(xmlCall.Endpoint, "term", fmt.Sprint(n)))
					return err
				}
				waited := func(want time.Duration) {
					t.Helper()
					began := time.Now()
					failure(t, call(ctx), Timeout)
					if took := time.Since(began); took != want {
						t.Errorf("call %d took %v, want %v", n, took, want)
					}
				}
				short, cancel := context.WithTimeout(ctx, 4*time.Second)
				defer cancel()
				failure(t, call(short), Timeout)
				time.Sleep(time.Hour)
				waited(limit - 4*time.Second)
				waited(0)
				answers = true
				if err := call(ctx); !IsKind(err, Timeout) {
					t.Errorf("after the limit: %v, want a time-out", err)
				}
				ctx = WithSilenceLimit(WithProgress(t.Context(), &Progress{}), limit)
				answers = false
				short, cancel = context.WithTimeout(ctx, 9*time.Second)
				defer cancel()
				failure(t, call(short), Timeout)
				answers = true
				if err := call(ctx); what == "answer" && err != nil || IsKind(err, Timeout) {
					t.Errorf("%v", err)
				}
				answers = false
				waited(limit)
			})
		})
	}
}

func TestOldReplyWhereTheSourceIsUnreachable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stored := time.Now().Add(-72 * time.Hour)
		cache := &memory{}
		o := options(inTurn(says(200, good), breaks(&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED})))
		o.Cache = cache
		s := open(o).Service(source)
		watch := &Progress{}
		ctx := WithProgress(t.Context(), watch)
		call := func() *Call { return NewCall(hourCall.Endpoint, "term", "x") }
		if _, err := s.Do(ctx, call()); err != nil || len(watch.StaleReplies()) != 0 {
			t.Fatal(err, watch.StaleReplies())
		}
		cache.expired, cache.stored = true, stored
		for name, ctx := range map[string]context.Context{"unreachable": ctx, "offline": Offline(ctx)} {
			if body, err := s.Do(ctx, call()); err != nil || string(body) != good {
				t.Errorf("%s: %q, %v", name, body, err)
			}
		}
		if old, want := watch.StaleReplies(), (StaleReply{source.Label, stored}); len(old) != 1 {
			t.Errorf("%d old replies, want 1: %+v", len(old), old)
		} else if old[0] != want {
			t.Errorf("old reply %+v, want %+v", old[0], want)
		}
		_, err := s.Do(Offline(ctx), NewCall(hourCall.Endpoint, "term", "never asked"))
		if !strings.Contains(failure(t, err, Unreachable).Message, "--offline") {
			t.Error(err)
		}
		if _, err := s.Do(WithoutCache(ctx), call()); !IsKind(err, Unreachable) {
			t.Errorf("an old reply to a call without the cache: %v", err)
		}
	})
}

func unanswering() *network {
	return &network{answer: func(_ int, req *http.Request) (*http.Response, error) {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}}
}

// Several sources share a host at NCBI. Each error names the source that asked.
func TestUnreachableHostIsNamedByWhoAsks(t *testing.T) {
	var h hosts
	h.markDown("www.example", "Sky", Error{Message: "Sky could not be reached (no route)"})
	for _, label := range []string{"Sea", "Sky"} {
		if fail, _ := h.failure("www.example", label); fail == nil || fail.Message != label+" could not be reached (no route)" {
			t.Errorf("%s: %v", label, fail)
		}
	}
}

// An answer to one call extends the time of another that waits beside it.
func TestSilenceLimitOfCallsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 30 * time.Second
		s := open(options(&network{answer: func(_ int, req *http.Request) (*http.Response, error) {
			if strings.Contains(req.URL.RawQuery, "term=answered") {
				time.Sleep(25 * time.Second)
				return says(200, good)()
			}
			<-req.Context().Done()
			return nil, req.Context().Err()
		}})).Service(source)
		ctx := WithSilenceLimit(WithProgress(t.Context(), &Progress{}), limit)
		began := time.Now()
		var calls sync.WaitGroup
		calls.Go(func() {
			if _, err := s.Do(ctx, NewCall(xmlCall.Endpoint, "term", "answered")); err != nil {
				t.Errorf("the call that is answered: %v", err)
			}
		})
		time.Sleep(20 * time.Second)
		_, err := s.Do(ctx, NewCall(xmlCall.Endpoint, "term", "silent"))
		failure(t, err, Timeout)
		if took, want := time.Since(began), 25*time.Second+limit; took != want {
			t.Errorf("the silent call ended after %v, want %v", took, want)
		}
		calls.Wait()
	})
}
