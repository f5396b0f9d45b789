package mcpshell

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/mcpshell/access"
)

func TestRoutes(t *testing.T) {
	var broken atomic.Bool
	site := Site{
		Rules: access.Rules{Key: testKey},
		Ready: func(context.Context) error {
			if broken.Load() {
				return errors.New("the store is broken")
			}
			return nil
		},
		Library: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			_, _ = io.WriteString(w, access.CallerOf(q.Context()).Subject)
		}),
	}
	overHTTP(t, Options{Version: "1.2.3"}, site, func(t *testing.T, r *siteRig) {
		token := bearer(t, "alice")
		for _, c := range []struct {
			method, path, header string
			status               int
			body                 string
		}{
			{"GET", "/health", "", 200, `{"status":"ok"}`},
			{"GET", "/health", "Host: evil.org", 200, `{"status":"ok"}`},
			{"GET", "/readyz", "", 200, `{"status":"ok"}`},
			{"GET", "/", "", 200, `{"name":"biomcp","version":"1.2.3","transport":"streamable-http","mcp":"/mcp"}`},
			{"GET", "/", "Host: evil.org", 403, "evil.org"},
			{"GET", "/", "Origin: https://evil.org", 403, "evil.org"},
			{"POST", "/", "", 404, "no such address"},
			{"GET", "/nothing", "", 404, "no such address"},
			{"GET", "/../../etc/passwd", "", 404, "no such address"},
			{"GET", "/%2e%2e/%2e%2e/etc/passwd", "", 404, "no such address"},
			{"POST", "/mcp/", "", 404, "no such address"},
			{"POST", "/mcp", "", 401, "token"},
			{"GET", "/mcp", "", 401, "token"},
			{"POST", "/mcp", "Host: evil.org", 403, "evil.org"},
			{"POST", "/api/mcp", "", 401, "token"},
			{"GET", "/api/mcp", "", 401, "token"},
			{"GET", "/api/mcp", "Origin: https://evil.org", 403, "evil.org"},
			{"POST", "/api/mcp", token, 200, "alice"},
			{"GET", "/api/mcp", token, 200, "alice"},
		} {
			if a := r.do(c.method, c.path, "", append([]string{"X: y"}, c.header)[:1+min(1, len(c.header))]...); a.StatusCode != c.status || !strings.Contains(a.body, c.body) {
				t.Errorf("%s %s %s: %s %s", c.method, c.path, c.header, a.Status, a.body)
			}
		}
		broken.Store(true)
		if a := r.do("GET", "/readyz", ""); a.StatusCode != http.StatusServiceUnavailable || strings.Contains(a.body, "broken") {
			t.Errorf("not ready: %s %s", a.Status, a.body)
		}
		if a := r.do("GET", "/health", ""); a.StatusCode != 200 {
			t.Errorf("health of a server that is not ready: %s", a.Status)
		}
	})
}

// A subject cannot use a session that another subject opened.
func TestSessionBelongsToItsSubject(t *testing.T) {
	overHTTP(t, Options{}, Site{Rules: access.Rules{Key: testKey}}, func(t *testing.T, r *siteRig) {
		alice, bob := bearer(t, "alice"), bearer(t, "bob")
		session := r.open("2025-11-25", alice)
		for _, method := range []string{"POST", "GET", "DELETE"} {
			if a := r.do(method, "/mcp", request("1", "ping", "{}"), session, bob); a.StatusCode != http.StatusNotFound {
				t.Errorf("%s by another subject: %s", method, a.Status)
			}
		}
		if a := r.post(request("1", "ping", "{}"), session, alice); a.StatusCode != 200 {
			t.Errorf("by its own: %s %s", a.Status, a.body)
		}
	})
}

func TestServerDrains(t *testing.T) {
	stopped := make(chan struct{}, 1)
	o := Options{Parse: parsing(func(ctx context.Context, words []string, _ bool) Reply {
		d, err := time.ParseDuration(words[0])
		if err != nil {
			return Reply{Text: err.Error(), IsError: true}
		}
		select {
		case <-time.After(d):
		case <-ctx.Done():
			stopped <- struct{}{}
		}
		return Reply{Text: "after " + words[0]}
	})}
	synctest.Test(t, func(t *testing.T) {
		r := startSite(t, o, Site{})
		session := r.open("2025-11-25")
		short, long, heard := make(chan answer, 1), make(chan answer, 1), make(chan answer, 1)
		go func() { short <- r.post(call("1", "3s"), session) }()
		go func() { long <- r.post(call("2", "50s"), session) }()
		go func() { heard <- r.do("GET", "/mcp", "", session) }()
		spare, err := r.pipes.dial(t.Context(), "", "") // a connection that asks nothing
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		begin := time.Now()
		r.stop(errTerminated)
		synctest.Wait()
		<-heard
		if _, err := r.pipes.dial(t.Context(), "", ""); err == nil {
			t.Error("a new connection was taken")
		}
		if a := (<-short).got(t); a.text() != "after 3s" {
			t.Errorf("a call in hand: %s", a.raw)
		}
		if a := (<-long).got(t); a.Error == nil || a.Error.Message != errStopping.Error() {
			t.Errorf("a call that takes too long: %s", a.raw)
		}
		<-stopped
		r.client.CloseIdleConnections()
		if err := <-r.done; !errors.Is(err, errTerminated) || time.Since(begin) >= 10*time.Second {
			t.Errorf("%v after %s", err, time.Since(begin))
		}
		spare.Close()
	})
	// A request on a connection that is open already is refused.
	synctest.Test(t, func(t *testing.T) {
		r := startSite(t, o, Site{})
		session := r.open("2025-11-25")
		r.server.mcp.Drain()
		for _, path := range []string{"/mcp", "/readyz"} {
			method := map[string]string{"/mcp": "POST", "/readyz": "GET"}[path]
			if a := r.do(method, path, request("1", "ping", "{}"), session); a.StatusCode != http.StatusServiceUnavailable {
				t.Errorf("%s: %s", path, a.Status)
			}
		}
		r.end()
	})
}

// Clients that send slowly or not at all are disconnected and do not delay others.
func TestSlowClients(t *testing.T) {
	overHTTP(t, Options{}, Site{}, func(t *testing.T, r *siteRig) {
		session := r.open("2025-11-25")
		begin := time.Now()
		ended := make(chan time.Duration, 200)
		drip := func(first, piece string) {
			c, err := r.pipes.dial(t.Context(), "", "")
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			go func() { _, _ = io.Copy(io.Discard, c) }()
			_, err = io.WriteString(c, first)
			for err == nil {
				time.Sleep(500 * time.Millisecond)
				_, err = io.WriteString(c, piece)
			}
			ended <- time.Since(begin)
		}
		head := "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
		for range 50 {
			go drip("GET /mcp HTTP/1.1\r\n", "X: y\r\n")                                  // a header without end
			go drip(head+"Content-Length: 60000\r\n\r\n", " ")                            // a body without end
			go drip(head+"Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n")              // the same in chunks
			go drip(head+"Origin: https://evil.org\r\nContent-Length: 9000\r\n\r\n", " ") // refused before its body
		}
		for range 5 {
			sent := time.Now()
			if a := r.post(call("1", "list"), session); a.got(t).text() != `["list"] json=false` || time.Since(sent) > time.Second {
				t.Errorf("a good client: %s after %s", a.body, time.Since(sent))
			}
			time.Sleep(2 * time.Second)
		}
		for range cap(ended) {
			if after := <-ended; after > headerTimeout+access.BodyTimeout {
				t.Errorf("a slow client was given up after %s", after)
			}
		}
	})
}

func TestPanicOfAHandlerIsAnswered(t *testing.T) {
	site := Site{Library: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("key=SECRET") })}
	overHTTP(t, Options{}, site, func(t *testing.T, r *siteRig) {
		a := r.do("POST", "/api/mcp", "{}")
		if a.StatusCode != http.StatusInternalServerError || strings.Contains(a.body+r.log.String(), "SECRET") || !strings.Contains(r.log.String(), "serve_http_test.go") {
			t.Errorf("%s %s\n%s", a.Status, a.body, r.log)
		}
	})
}
