package mcpshell

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// overHTTP runs test with a server in a bubble, and checks that the server ends without an error.
func overHTTP(t *testing.T, o Options, site Site, test func(t *testing.T, r *siteRig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := startSite(t, o, site)
		test(t, r)
		r.end()
	})
}

// The answer to a message does not depend on the transport.
func TestHTTPAnswersAsStdioDoes(t *testing.T) {
	lines := []string{
		call("123456789012345678901234567890", "get article 1"), call("1.50", "list --json"), call(`"a\u00e9<"`, "x | y"), call("-0", ""),
		request("1", "ping", "{}"), request("2", "no/such", "{}"), request("3", "tools/list", "{}"), request("4", "tools/call", `{"name":"rm"}`),
		request("5", "tools/call", `{"name":5}`), request("6", "resources/list", "{}"), request("7", "resources/list", `{"cursor":"100"}`),
		request("8", "resources/read", `{"uri":"biomcp://book/1"}`), request("9", "resources/read", `{"uri":"biomcp://no"}`),
		request("10", "resources/templates/list", "{}"), request("11", "logging/setLevel", `{"level":"loud"}`), "[" + call("12", "list") + "]",
		request("13", "tools/call", `{"name":"biomcp","arguments":{"command":"`+strings.Repeat("x", maxCommandBytes+1)+`"}}`),
		request("14", "tools/call", `{"name":"biomcp","arguments":{"command":"\u0000\u0007"}}`),
	}
	o := Options{Resources: shelf(pageSize + 5), Version: "1"}
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			var want []string
			served(t, o, func(t *testing.T, r *rig) {
				r.ask(initialize("0", version))
				for _, line := range lines {
					r.send(line)
					r.seen.Scan()
					want = append(want, r.seen.Text())
				}
			})
			overHTTP(t, o, Site{}, func(t *testing.T, r *siteRig) {
				session := r.open(version)
				for i, line := range lines {
					a := r.post(line, session)
					if a.StatusCode != http.StatusOK || strings.TrimSpace(a.body) != want[i] {
						t.Errorf("%s: %.100s answered\n%s %s\nwant %s", version, line, a.Status, a.body, want[i])
					}
				}
			})
		})
	}
}

func TestMalformedMessagesOverHTTP(t *testing.T) {
	overHTTP(t, Options{}, Site{}, func(t *testing.T, r *siteRig) {
		session := r.open("2025-11-25")
		deep := strings.Repeat(`{"":`, 11000) + "1" + strings.Repeat("}", 11000)
		for body, code := range map[string]int{
			"": -32700, "{": -32700, "\xff": -32700, "5": -32600, `{"id":1}`: -32600, `{"jsonrpc":"1.0","id":1,"method":"ping"}`: -32600,
			`{"jsonrpc":"2.0","id":{},"method":"ping"}`: -32600, `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`: -32602,
			deep: -32700,
		} {
			if a := r.post(body, session); a.StatusCode != http.StatusBadRequest || a.got(t).Error == nil || a.got(t).Error.Code != code {
				t.Errorf("%.40q answered %s %s; want %d", body, a.Status, a.body, code)
			}
		}
		for header, status := range map[string]int{
			"Content-Type: text/plain": 415, "Content-Type: ": 415, "Accept: text/html": 406, "Mcp-Protocol-Version: 1999-01-01": 400,
			"Mcp-Session-Id: ": 400, "Mcp-Session-Id: nobody": 404,
		} {
			if a := r.post(request("1", "ping", "{}"), session, header); a.StatusCode != status {
				t.Errorf("%s answered %s %s", header, a.Status, a.body)
			}
		}
		if a := r.do("PUT", "/mcp", "", session); a.StatusCode != 405 || a.Header.Get("Allow") != "POST, GET, DELETE" {
			t.Errorf("PUT answered %s", a.Status)
		}
		for _, quiet := range []string{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`} {
			if a := r.post(quiet, session); a.StatusCode != http.StatusAccepted || a.body != "" {
				t.Errorf("%s answered %s %s", quiet, a.Status, a.body)
			}
		}
		if a := r.post(request("1", "ping", "{}"), session); a.got(t).Error != nil {
			t.Errorf("afterwards: %s", a.body)
		}
	})
}

func TestSessionsOverHTTPEnd(t *testing.T) {
	o := Options{Parse: parsing(func(ctx context.Context, words []string, _ bool) Reply {
		if words[0] == "wait" {
			<-ctx.Done()
		}
		return Reply{Text: "done"}
	})}
	overHTTP(t, o, Site{HTTP: HTTPOptions{MaxSessions: 2, SessionIdle: 10 * time.Minute}}, func(t *testing.T, r *siteRig) {
		ping := request("1", "ping", "{}")
		a := r.open("2025-11-25")
		if got := r.do("DELETE", "/mcp", "", a); got.StatusCode != http.StatusNoContent {
			t.Errorf("DELETE answered %s", got.Status)
		}
		for _, method := range []string{"POST", "GET", "DELETE"} {
			if got := r.do(method, "/mcp", ping, a); got.StatusCode != http.StatusNotFound {
				t.Errorf("%s after DELETE answered %s", method, got.Status)
			}
		}
		a, b := r.open("2025-11-25"), r.open("2025-11-25")
		if got := r.post(initialize("7", "2025-11-25")); got.StatusCode != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" || string(got.got(t).ID) != "7" {
			t.Errorf("a third of two sessions: %s %s", got.Status, got.body)
		}
		time.Sleep(2 * time.Minute)
		r.post(ping, b)
		c := r.open("2025-11-25") // replaces the one that was idle longest
		if got := r.post(ping, a); got.StatusCode != http.StatusNotFound {
			t.Errorf("the idle session was kept: %s", got.Status)
		}
		time.Sleep(12 * time.Minute)
		if n := r.server.mcp.sessions.size(); n != 0 {
			t.Errorf("%d idle sessions were kept", n)
		}
		if got := r.post(ping, c); got.StatusCode != http.StatusNotFound {
			t.Errorf("an expired session: %s", got.Status)
		}

		// The end of a session ends its work.
		d := r.open("2025-11-25")
		ended := make(chan answer)
		go func() { ended <- r.post(call("5", "wait"), d) }()
		synctest.Wait()
		r.do("DELETE", "/mcp", "", d)
		if got := (<-ended).got(t); got.Error == nil || got.Error.Message != errSessionEnded.Error() || string(got.ID) != "5" {
			t.Errorf("a call whose session ended: %s", got.raw)
		}
	})
}

// Notifications precede the answer also in the protocol without sessions, where streams cannot be
// resumed.
func TestNotificationsAreNotLostWithoutASession(t *testing.T) {
	overHTTP(t, Options{MaxInFlight: 100}, Site{}, func(t *testing.T, r *siteRig) {
		const n = 500
		answers := make(chan answer)
		for i := range n {
			go func() {
				answers <- r.post(request(fmt.Sprint(i), "tools/call", `{"name":"biomcp","arguments":{"command":"list"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
					`"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"info"}}`),
					"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: biomcp")
			}()
		}
		lost := 0
		for range n {
			if a := <-answers; strings.Count(a.body, "data: ") != 2 || !strings.Contains(a.body, "notifications/message") {
				lost++
			}
		}
		if lost > 0 {
			t.Errorf("%d of %d notifications were lost", lost, n)
		}
	})
}

// Each notification precedes the answer on the answer's own stream, whatever else the session
// does. mcp-go alone loses the last one in most runs or sends it on another stream.
func TestNotificationsAreNotLost(t *testing.T) {
	overHTTP(t, Options{MaxInFlight: 100}, Site{}, func(t *testing.T, r *siteRig) {
		session := r.open("2025-11-25")
		r.post(request("1", "logging/setLevel", `{"level":"info"}`), session)
		listening, hangUp := context.WithCancel(t.Context())
		heard := make(chan answer)
		go func() { heard <- r.send(listening, "GET", "/mcp", nil, session) }()
		synctest.Wait()
		answers := make(chan answer)
		const n = 200
		for i := range n {
			go func() { answers <- r.post(call(fmt.Sprint(i), "list"), session) }()
		}
		for range n {
			a := <-answers
			if strings.Count(a.body, "data: ") != 2 || !strings.Contains(a.body, "notifications/message") || a.got(t).text() != `["list"] json=false` {
				t.Errorf("answered %s", a.body)
			}
		}
		hangUp()
		if a := <-heard; strings.Contains(a.body, "notifications/message") {
			t.Errorf("on the stream of messages from the server: %s", a.body)
		}
	})
}

func TestKeepAliveMessages(t *testing.T) {
	overHTTP(t, Options{}, Site{HTTP: HTTPOptions{KeepAlive: 20 * time.Second}}, func(t *testing.T, r *siteRig) {
		session := r.open("2025-11-25")
		ctx, hangUp := context.WithTimeout(t.Context(), 65*time.Second)
		defer hangUp()
		a := r.send(ctx, "GET", "/mcp", nil, session)
		if strings.Count(a.body, `"method":"ping"`) != 3 {
			t.Errorf("in 65 seconds: %s", a.body)
		}
		if a := r.do("GET", "/mcp", "", session, "Accept: application/json"); a.StatusCode != http.StatusNotAcceptable {
			t.Errorf("a client that takes no events got %s", a.Status)
		}
		synctest.Wait() // the server has noticed that the first stream has ended
		ctx, hangUp = context.WithTimeout(t.Context(), time.Minute)
		defer hangUp()
		var open []chan answer
		for range maxListeners {
			one := make(chan answer, 1)
			open = append(open, one)
			go func() { one <- r.send(ctx, "GET", "/mcp", nil, session) }()
		}
		synctest.Wait()
		if a := r.send(ctx, "GET", "/mcp", nil, session); a.StatusCode != http.StatusTooManyRequests {
			t.Errorf("one stream too many answered %s", a.Status)
		}
		r.do("DELETE", "/mcp", "", session)
		for _, one := range open {
			<-one // the end of the session ends its streams
		}
	})
}

// A client that loses its connection can get the rest of an answer, and the call continues
// meanwhile. A call whose stream has no event ID to resume from is cancelled.
func TestBrokenStreamIsResumed(t *testing.T) {
	stopped := make(chan string, 1)
	o := Options{Parse: parsing(func(ctx context.Context, words []string, _ bool) Reply {
		select {
		case <-time.After(7 * time.Second):
		case <-ctx.Done():
			stopped <- words[0]
		}
		return Reply{Text: "done"}
	})}
	overHTTP(t, o, Site{}, func(t *testing.T, r *siteRig) {
		session := r.open("2025-11-25")
		ctx, hangUp := context.WithTimeout(t.Context(), 3*time.Second)
		defer hangUp()
		a := r.send(ctx, "POST", "/mcp", strings.NewReader(request("1", "tools/call", `{"name":"biomcp","arguments":{"command":"x"},"_meta":{"progressToken":1}}`)), session)
		id, _, _ := strings.Cut(strings.TrimPrefix(a.body, "id: "), "\n")
		if strings.Count(a.body, "data: ") != 1 {
			t.Fatalf("before the connection broke: %q", a.body)
		}
		for _, after := range []time.Duration{0, time.Minute} { // while it runs, and afterwards
			time.Sleep(after)
			a = r.do("GET", "/mcp", "", session, "Last-Event-ID: "+id)
			if strings.Count(a.body, "notifications/progress") != 2 || a.got(t).text() != "done" {
				t.Errorf("behind event %s: %s", id, a.body)
			}
		}
		other := r.open("2025-11-25")
		for _, unknown := range []string{"x", id + "0", "99-1", "-1", "1-0", id + "-1"} {
			if a := r.do("GET", "/mcp", "", session, "Last-Event-ID: "+unknown); a.StatusCode != http.StatusBadRequest {
				t.Errorf("behind the event %q: %s %s", unknown, a.Status, a.body)
			}
		}
		if a := r.do("GET", "/mcp", "", other, "Last-Event-ID: "+id); a.StatusCode != http.StatusBadRequest {
			t.Errorf("another session's event: %s %s", a.Status, a.body)
		}

		ctx, hangUp = context.WithTimeout(t.Context(), time.Second)
		defer hangUp()
		q, err := http.NewRequestWithContext(ctx, "POST", "http://localhost/mcp", strings.NewReader(call("2", "lost")))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Content-Type", "application/json")
		name, value, _ := strings.Cut(session, ": ")
		q.Header.Set(name, value)
		if resp, err := r.client.Do(q); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		if got := <-stopped; got != "lost" {
			t.Errorf("%s was stopped", got)
		}
	})
}

// The store of events is bounded, and a dropped stream is removed everywhere.
func TestKeptEventsAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("serves long answers, one after another")
	}
	text := strings.Repeat("x", 1<<20)
	o := Options{Parse: parsing(func(context.Context, []string, bool) Reply { return Reply{Text: text} })}
	overHTTP(t, o, Site{}, func(t *testing.T, r *siteRig) {
		session := r.open("2025-11-25")
		r.post(request("1", "logging/setLevel", `{"level":"info"}`), session)
		for range 2 * maxStoredBytes >> 20 {
			r.post(call("1", "x"), session)
		}
		kept, size := r.server.mcp.streams, 0
		for _, s := range kept.list {
			for _, data := range s.events {
				size += len(data)
			}
		}
		if size != kept.bytes || size > maxStoredBytes || size < maxStoredBytes/2 {
			t.Errorf("%d bytes in %d streams are counted as %d", size, len(kept.list), kept.bytes)
		}
		r.do("DELETE", "/mcp", "", session)
		if kept.bytes != 0 || len(kept.list) != 0 {
			t.Errorf("after the session's end: %d bytes", kept.bytes)
		}
	})
}
