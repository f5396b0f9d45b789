package mcpshell

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/mcpshell/access"
)

// A subject that uses all its slots delays neither other subjects nor its own calls that need no
// network.
func TestGreedySubject(t *testing.T) {
	var running, over atomic.Int64
	o := Options{MaxInFlight: 8, Parse: func(words []string) Call {
		return Call{Local: words[0] == "version", Run: func(ctx context.Context, _ bool) Reply {
			if words[0] == "slow" {
				if running.Add(1) > 2 {
					over.Add(1)
				}
				<-ctx.Done()
				running.Add(-1)
			}
			return Reply{Text: "done"}
		}}
	}}
	overHTTP(t, o, Site{Rules: access.Rules{Key: testKey}}, func(t *testing.T, r *siteRig) {
		mallory, alice := bearer(t, "mallory"), bearer(t, "alice")
		var all sync.WaitGroup
		var refused atomic.Int64
		for range 4 {
			session := r.open("2025-11-25", mallory)
			for range 50 {
				all.Go(func() {
					if g := r.post(call("1", "slow"), session, mallory).got(t); strings.Contains(g.text(), "2 calls of one caller run at once") {
						refused.Add(1)
					}
				})
			}
		}
		synctest.Wait()
		if running.Load() != 2 || refused.Load() != 200-2-64 {
			t.Errorf("%d calls of one subject run, %d are refused", running.Load(), refused.Load())
		}
		begin := time.Now()
		for _, who := range []string{alice, mallory} {
			session := r.open("2025-11-25", who)
			for i := range 20 {
				command := "fast"
				if who == mallory {
					command = "version"
				}
				if g := r.post(call(fmt.Sprint(i), command), session, who).got(t); g.text() != "done" {
					t.Errorf("%s: %s", command, g.raw)
				}
			}
		}
		if waited := time.Since(begin); waited != 0 {
			t.Errorf("others waited for %s", waited)
		}
		all.Wait()
		synctest.Wait()
		if over.Load() != 0 {
			t.Error("more than two calls of one subject ran at once")
		}
		if n := len(r.server.shell.remote.perCaller); n != 0 {
			t.Errorf("%d callers without a call are remembered", n)
		}
	})
}

// If one subject's call makes more requests to a source than the source allows in half a minute,
// every second position of the queue remains free for others.
func TestGreedySubjectInTheQueueOfASource(t *testing.T) {
	source := &httpclient.Source{Name: "slow", Label: "Slow", Address: "https://slow.example.org/", Rate: httpclient.Rate{Group: "slow", PerSecond: 2}}
	client, err := httpclient.New(httpclient.Config{Transport: tripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}"))}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Parse: parsing(func(ctx context.Context, words []string, _ bool) Reply {
		n, err := strconv.Atoi(words[0])
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				if _, err := client.Service(source).Do(ctx, httpclient.NewCall(httpclient.Endpoint{Form: httpclient.JSON}, "q", fmt.Sprint(n, " ", i))); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		return Reply{Text: "done", IsError: err != nil}
	})}
	overHTTP(t, o, Site{Rules: access.Rules{Key: testKey}}, func(t *testing.T, r *siteRig) {
		mallory, alice := bearer(t, "mallory"), bearer(t, "alice")
		var all sync.WaitGroup
		for _, n := range []string{"40", "30"} {
			all.Go(func() { r.post(call("1", n), r.open("2025-11-25", mallory), mallory) })
		}
		synctest.Wait()
		session, begin := r.open("2025-11-25", alice), time.Now()
		if g := r.post(call("1", "1"), session, alice).got(t); g.text() != "done" || time.Since(begin) > 1500*time.Millisecond {
			t.Errorf("%s after %s", g.raw, time.Since(begin))
		}
		all.Wait()
	})
}

// Without tokens, callers with the same address share its slots. Callers on this machine and on
// standard input can use all slots.
func TestPlacesOfAnAddress(t *testing.T) {
	for peer, want := range map[string]int{"192.0.2.1:9": 2, "127.0.0.1:9": 8, "[::1]:9": 8, "": 8} {
		t.Run(peer, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newLimiter(8)
				ctx, cancel := context.WithTimeoutCause(access.Caller{Peer: peer}.NewContext(t.Context()), time.Minute, errDeadline)
				defer cancel()
				var all sync.WaitGroup
				for range 20 {
					all.Go(func() {
						if _, leave, err := p.acquire(ctx); err == nil {
							time.Sleep(time.Hour)
							leave()
						}
					})
				}
				synctest.Wait()
				if n := len(p.running); n != want {
					t.Errorf("%d run, want %d", n, want)
				}
				all.Wait()
				if len(p.running) != 0 || len(p.perCaller) != 0 {
					t.Errorf("%d places and %d callers are left", len(p.running), len(p.perCaller))
				}
			})
		})
	}
}

func TestCallsPerMinute(t *testing.T) {
	o := Options{CallsPerMinute: 5, Parse: func(words []string) Call {
		return Call{Local: words[0] == "version", Run: func(context.Context, bool) Reply { return Reply{Text: "done"} }}
	}}
	overHTTP(t, o, Site{Rules: access.Rules{Key: testKey}}, func(t *testing.T, r *siteRig) {
		mallory, alice := bearer(t, "mallory"), bearer(t, "alice")
		session, other := r.open("2025-11-25", mallory), r.open("2025-11-25", alice)
		done := func(command, session, token string) bool {
			a := r.post(call("1", command), session, token)
			if a.StatusCode != http.StatusOK {
				t.Errorf("%s", a.Status)
			}
			text := a.got(t).text()
			if text != "done" && !strings.Contains(text, "one caller may make 5 calls a minute") {
				t.Errorf("%s", text)
			}
			return text == "done"
		}
		for i := range 8 {
			if got := done("list", session, mallory); got != (i < 5) {
				t.Errorf("call %d of a minute: %v", i+1, got)
			}
		}
		if !done("version", session, mallory) || !done("list", other, alice) {
			t.Error("a call without a network, or of another, was refused")
		}
		time.Sleep(12 * time.Second)
		if !done("list", session, mallory) || done("list", session, mallory) {
			t.Error("five calls a minute are one in 12 seconds")
		}
	})
}
