package httpclient

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// wire starts a server for handler, for tests of decompression, framing and connections, which
// belong to the transport.
func wire(t *testing.T, handler http.HandlerFunc) (*Client, string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return open(Config{
		Keys: keys(secret), Addresses: map[string]string{source.Name: server.URL},
		Tool: "t", Transport: server.Client().Transport,
	}), server.URL
}

func TestBoundOnWhatIsRead(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"a long answer": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "<r>"+strings.Repeat("x", 5000)+"</r>")
		},
		"an endless answer": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, strings.Repeat("x", 1<<16)); err != nil {
					return
				}
			}
		},
		"a gzip bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			defer z.Close()
			zeros := make([]byte, 1<<20)
			for range 100 {
				z.Write(zeros)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			rt, where := wire(t, handler)
			_, err := get(t.Context(), rt, Call{Endpoint: Endpoint{Form: XML, MaxBytes: 4096}}, where)
			if f := failure(t, err, Upstream); !strings.Contains(f.Message, "4096") {
				t.Errorf("%s: %s", name, f.Message)
			}
		})
	}
}

func TestNothingIsReadPastTheBound(t *testing.T) {
	endless := &counter{}
	net := &network{answer: func(int, *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: endless}, nil
	}}
	_, err := get(t.Context(), open(options(net)), Call{Endpoint: Endpoint{MaxBytes: 4096}}, "https://h.example/")
	failure(t, err, Upstream)
	if endless.read != 4097 {
		t.Errorf("read %d bytes, want 4097", endless.read)
	}
	if !endless.closed {
		t.Error("the body was not closed")
	}
	if n := net.count(); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

type counter struct {
	read   int
	closed bool
}

func (c *counter) Read(p []byte) (int, error) { c.read += len(p); return len(p), nil }
func (c *counter) Close() error               { c.closed = true; return nil }

func TestBrokenTransfers(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"fewer bytes than announced": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "<r>")
		},
		"no answer at all": func(w http.ResponseWriter, _ *http.Request) {
			c, _, _ := w.(http.Hijacker).Hijack()
			c.Close()
		},
		"a gzip stream cut off": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.WriteString(z, "<r>"+strings.Repeat("abc", 1000)+"</r>")
			z.Flush() // no trailer
		},
	} {
		t.Run(name, func(t *testing.T) {
			rt, where := wire(t, handler)
			_, err := get(t.Context(), rt, xmlCall, where)
			if f := failure(t, err, Upstream); !f.temporary() {
				t.Errorf("%s is not tried again: %s", name, f.Message)
			}
		})
	}
}

// A real transport reports when a connection is ready; a request counts as sent at that time.
func TestRequestIsCountedWhenItsConnectionIsReady(t *testing.T) {
	var agents []string
	rt, where := wire(t, func(w http.ResponseWriter, r *http.Request) {
		agents = append(agents, r.UserAgent())
		io.WriteString(w, good)
	})
	for i := range 3 { // each is sent when its connection is ready
		if body, err := get(t.Context(), rt, xmlCall, fmt.Sprintf("%s/?%d", where, i)); err != nil || body != good {
			t.Fatalf("%q, %v", body, err)
		}
	}
	if n := remembered(rt, "ncbi-key"); n != 3 {
		t.Errorf("3 requests, %d sent", n)
	}
	if len(agents) != 3 || agents[0] != "t" {
		t.Errorf("agents: %q", agents)
	}
}

// remembered returns the number of requests that a limiter remembers, or -1 if the layers are not
// in the documented order.
func remembered(c *Client, name string) int {
	p := c.http.Transport.(*share).next.(*cache).next.(*deadline).next.(*retry).next.(*pace)
	if _, ok := p.next.(*identify).next.(*count).next.(*receive); !ok || p.limiters[name] == nil {
		return -1
	}
	return len(p.limiters[name].local.sentTimes)
}

func TestUnreachable(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	where := server.URL
	server.Close()
	_, err := get(t.Context(), open(Config{}), xmlCall, where)
	if f := failure(t, err, Unreachable); !strings.Contains(f.Message, "could not be reached") {
		t.Error(f.Message)
	}
}

// A call that counts rows asks for the count and keeps the range of the reply; another call does not ask.
func TestCallCountsRows(t *testing.T) {
	net := &network{answer: func(_ int, r *http.Request) (*http.Response, error) {
		h := http.Header{}
		if r.Header.Get("Prefer") == "count=exact" {
			h.Set("Content-Range", "0-24/190")
		}
		return &http.Response{StatusCode: http.StatusPartialContent, Header: h, Body: io.NopCloser(strings.NewReader("[1]"))}, nil
	}}
	for _, c := range []struct {
		counts bool
		want   string
	}{{true, "0-24/190"}, {false, ""}} {
		call := NewCall(Endpoint{Op: "rows", Path: "rows", Form: JSON})
		call.CountRows = c.counts
		body, err := open(options(net)).Service(source).Do(t.Context(), call)
		if err != nil || string(body) != "[1]" {
			t.Errorf("counting %v: %s, %v; want the rows", c.counts, body, err)
		}
		if call.ContentRange != c.want {
			t.Errorf("counting %v: range %q, want %q", c.counts, call.ContentRange, c.want)
		}
	}
}
