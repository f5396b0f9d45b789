package mcpshell

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAccept(t *testing.T) {
	for header, want := range map[string]struct{ json, events bool }{
		"":                                    {true, true},
		"*/*":                                 {true, true},
		"application/json, text/event-stream": {true, true},
		"application/json":                    {true, false},
		"Application/JSON;charset=utf-8":      {true, false},
		"text/event-stream;q=0.5":             {false, true},
		"text/*, image/png":                   {false, true},
		"application/json;q=0, */*;q=0.1":     {true, true}, // the client contradicts itself
		"text/event-stream;q=0":               {false, false},
		"text/html":                           {false, false},
		"application/jsonp":                   {false, false},
		";;, text":                            {false, false},
	} {
		t.Run(header, func(t *testing.T) {
			h := http.Header{}
			for part := range strings.SplitSeq(header, ", ") { // as one header or several
				h.Add("Accept", part)
			}
			if json, events := accepts(h, jsonType), accepts(h, eventStream); json != want.json || events != want.events {
				t.Errorf("JSON %v, events %v", json, events)
			}
		})
	}
}

// A client that accepts only events gets an answer as an event.
func TestOnlyEventsAreAccepted(t *testing.T) {
	overHTTP(t, Options{}, Site{}, func(t *testing.T, r *siteRig) {
		session := r.open("2025-11-25")
		a := r.post(call("1", "list"), session, "Accept: text/event-stream")
		if a.Header.Get("Content-Type") != eventStream || a.got(t).text() != `["list"] json=false` {
			t.Errorf("answered with %s: %s", a.Header.Get("Content-Type"), a.body)
		}
	})
}

// waiting is a parser whose calls take seven seconds.
var waiting = parsing(func(ctx context.Context, words []string, _ bool) Reply {
	select {
	case <-time.After(7 * time.Second):
	case <-ctx.Done():
	}
	return Reply{Text: words[0]}
})

// withProgress returns a call with a progress token.
func withProgress(id, command string) string {
	return request(id, "tools/call", `{"name":"biomcp","arguments":{"command":"`+command+`"},"_meta":{"progressToken":1}}`)
}

// A new connection takes over a stream even if the old one is still open. Each message is sent on
// one connection only.
func TestStreamIsTakenOver(t *testing.T) {
	overHTTP(t, Options{Parse: waiting}, Site{}, func(t *testing.T, r *siteRig) {
		session := r.open("2025-11-25")
		first, second := make(chan answer, 1), make(chan answer, 1)
		go func() { first <- r.post(withProgress("1", "x"), session) }()
		time.Sleep(3 * time.Second) // one event has been sent
		go func() { second <- r.do("GET", "/mcp", "", session, "Last-Event-ID: 1-1") }()
		time.Sleep(2 * time.Second) // and another
		third := r.do("GET", "/mcp", "", session, "Last-Event-ID: 1-2")
		for name, c := range map[string]struct {
			answer
			notes, replies int
		}{"the first": {<-first, 1, 0}, "the second": {<-second, 1, 0}, "the third": {third, 1, 1}} {
			if notes, replies := strings.Count(c.body, "notifications/progress"), strings.Count(c.body, `"result"`); notes != c.notes || replies != c.replies {
				t.Errorf("%s has %d notifications and %d replies: %s", name, notes, replies, c.body)
			}
		}
	})
}

// The stream of a call continues after newer streams have replaced it in the store. None of its
// events remain stored when its session ends.
func TestStreamThatIsNotKept(t *testing.T) {
	overHTTP(t, Options{Parse: waiting}, Site{}, func(t *testing.T, r *siteRig) {
		session := r.open("2025-11-25")
		dropped := make(chan answer, 1)
		go func() { dropped <- r.post(withProgress("1", "x"), session) }()
		time.Sleep(3 * time.Second)
		kept := r.server.mcp.streams
		kept.mu.Lock()
		kept.drop(func(*stream) bool { return true })
		kept.mu.Unlock()
		if a := r.do("GET", "/mcp", "", session, "Last-Event-ID: 1-1"); a.StatusCode != http.StatusBadRequest {
			t.Errorf("a stream that was dropped was resumed: %s", a.Status)
		}
		if a := <-dropped; strings.Count(a.body, "notifications/progress") != 3 || a.got(t).text() != "x" {
			t.Errorf("the dropped stream: %s", a.body)
		}
		ended := make(chan answer, 1)
		go func() { ended <- r.post(withProgress("2", "x"), session) }()
		time.Sleep(time.Second)
		r.do("DELETE", "/mcp", "", session)
		if g := (<-ended).got(t); g.Error == nil || g.Error.Message != errSessionEnded.Error() {
			t.Errorf("a call whose session ended: %s", g.raw)
		}
		if kept.bytes != 0 || len(kept.list) != 0 {
			t.Errorf("%d bytes of %d streams are kept", kept.bytes, len(kept.list))
		}
	})
}

// A client that opens a stream and does not read it is disconnected. It delays neither its own
// calls nor the end of the server.
func TestClientThatDoesNotReadItsStream(t *testing.T) {
	var done chan time.Duration // belongs to the bubble, like begin
	var begin time.Time
	o := Options{Parse: func([]string) Call {
		return Call{Run: func(context.Context, bool) Reply {
			time.Sleep(45 * time.Second)
			done <- time.Since(begin)
			return Reply{Text: "done"}
		}}
	}}
	overHTTP(t, o, Site{}, func(t *testing.T, r *siteRig) {
		done, begin = make(chan time.Duration, 1), time.Now()
		session := r.open("2025-11-25")
		c, err := r.pipes.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		q, err := http.NewRequestWithContext(t.Context(), "POST", "http://localhost/mcp", strings.NewReader(withProgress("1", "x")))
		if err != nil {
			t.Fatal(err)
		}
		name, value, _ := strings.Cut(session, ": ")
		q.Header.Set(name, value)
		q.Header.Set("Content-Type", "application/json")
		if err := q.Write(c); err != nil {
			t.Fatal(err)
		}
		if after := <-done; after != 45*time.Second {
			t.Errorf("the work ended after %s", after)
		}
		synctest.Wait()
		if a := r.do("GET", "/mcp", "", session, "Last-Event-ID: 1-1"); a.got(t).text() != "done" {
			t.Errorf("the rest of the stream has %d bytes", len(a.body))
		}
	})
}

// A batch whose calls report progress is answered on one stream, even if all calls are cancelled.
func TestBatchOnAStream(t *testing.T) {
	overHTTP(t, Options{Parse: waiting}, Site{}, func(t *testing.T, r *siteRig) {
		session := r.open("2025-03-26")
		batch := "[" + withProgress("1", "x") + "," + withProgress("2", "y") + "]"
		if a := r.post(batch, session); strings.Count(a.body, "notifications/progress") != 6 || strings.Count(a.body, `"result"`) != 2 {
			t.Errorf("answered %s", a.body)
		}
		cancelled := make(chan answer, 1)
		go func() { cancelled <- r.post(batch, session) }()
		time.Sleep(3 * time.Second)
		for _, id := range []string{"1", "2"} {
			r.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+id+`}}`, session)
		}
		if a := <-cancelled; strings.Count(a.body, "data: ") != 2 {
			t.Errorf("answered %s", a.body)
		}
		// The stream has ended for those who come back to it as well.
		if a := r.do("GET", "/mcp", "", session, "Last-Event-ID: 2-1"); strings.Count(a.body, "data: ") != 1 {
			t.Errorf("behind its first event: %s %s", a.Status, a.body)
		}
	})
}

// The headers of a request of protocol 2026-07-28 must match its body.
func TestHeadersOfAStatelessRequest(t *testing.T) {
	const version = `"io.modelcontextprotocol/protocolVersion":"2026-07-28",`
	good := []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: biomcp"}
	for _, c := range []struct {
		name, meta, header string
		status, code       int
	}{
		{"right", version, "X: y", 200, 0},
		{"a session is ignored", version, "Mcp-Session-Id: nobody", 200, 0},
		{"an event", version, "Last-Event-ID: 1-1", 400, -32020},
		{"no version in the header", version, "Mcp-Protocol-Version: ", 400, -32020},
		{"no version in the body", "", "X: y", 400, -32602},
		{"two versions", `"io.modelcontextprotocol/protocolVersion":"2025-11-25",`, "X: y", 400, -32020},
		{"another method", version, "Mcp-Method: tools/list", 400, -32020},
		{"another tool", version, "Mcp-Name: rm", 400, -32020},
	} {
		t.Run(c.name, func(t *testing.T) {
			overHTTP(t, Options{}, Site{}, func(t *testing.T, r *siteRig) {
				body := request("1", "tools/call", `{"name":"biomcp","arguments":{"command":"list"},"_meta":{`+c.meta+`"io.modelcontextprotocol/clientCapabilities":{}}}`)
				a := r.post(body, append(slices.Clone(good), c.header)...)
				g := a.got(t)
				if a.StatusCode != c.status || (g.Error != nil) != (c.code != 0) || g.Error != nil && (g.Error.Code != c.code || string(g.ID) != "1") {
					t.Errorf("%s %s", a.Status, a.body)
				}
			})
		})
	}
}

// An unknown protocol version gets an error that lists the known ones, as on standard input.
func TestUnknownVersionOverHTTP(t *testing.T) {
	const version = "2099-01-01"
	ask := request("7", "tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"`+version+`","io.modelcontextprotocol/clientCapabilities":{}}}`)
	var want string
	served(t, Options{}, func(_ *testing.T, r *rig) { want = r.ask(ask).raw })
	if !strings.Contains(want, `"supported":["2026-07-28"`) {
		t.Fatalf("on standard input: %s", want)
	}
	overHTTP(t, Options{}, Site{}, func(t *testing.T, r *siteRig) {
		if a := r.post(ask, "Mcp-Protocol-Version: "+version, "Mcp-Method: tools/list"); a.StatusCode != http.StatusBadRequest || a.body != want {
			t.Errorf("%s %s\nwant %s", a.Status, a.body, want)
		}
		for _, method := range []string{"GET", "DELETE"} {
			if a := r.do(method, "/mcp", "", "Mcp-Protocol-Version: 1999-01-01"); a.StatusCode != http.StatusBadRequest || !strings.Contains(a.body, `"supported":["2026-07-28"`) {
				t.Errorf("%s: %s %s", method, a.Status, a.body)
			}
		}
	})
}

// The error code of an unknown resource depends on the client's protocol, not on the transport.
func TestUnknownResourceByProtocol(t *testing.T) {
	const meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for name, c := range map[string]struct {
		meta, want string
		headers    []string
	}{
		"2025-11-25": {"", `"code":-32002,"message":"Unknown resource: biomcp://no"}`, nil},
		"2026-07-28": {meta, `"code":-32602,"message":"Unknown resource: biomcp://no","data":{"uri":"biomcp://no"}}`,
			[]string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: resources/read", "Mcp-Name: biomcp://no"}},
	} {
		t.Run(name, func(t *testing.T) {
			ask, o := request("1", "resources/read", `{"uri":"biomcp://no"`+c.meta+`}`), Options{Resources: shelf(1)}
			served(t, o, func(t *testing.T, r *rig) {
				if g := r.ask(ask); !strings.Contains(g.raw, c.want) {
					t.Errorf("on standard input: %s", g.raw)
				}
			})
			overHTTP(t, o, Site{}, func(t *testing.T, r *siteRig) {
				headers := c.headers
				if headers == nil {
					headers = []string{r.open(name)}
				}
				if a := r.post(ask, headers...); !strings.Contains(a.body, c.want) {
					t.Errorf("over HTTP: %s %s", a.Status, a.body)
				}
			})
		})
	}
}
