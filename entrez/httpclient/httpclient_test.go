package httpclient

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// network is a simulated service. It records the time and the parameters of each request.
type network struct {
	answer func(n int, req *http.Request) (*http.Response, error) // n counts from 0

	mu    sync.Mutex
	times []time.Time
	forms []string // the parameters of each request, from the URL or the body
}

func (w *network) RoundTrip(req *http.Request) (*http.Response, error) {
	form := req.URL.RawQuery
	if req.Body != nil {
		b, _ := io.ReadAll(req.Body)
		req.Body.Close()
		form = joinQuery(form, string(b))
	}
	w.mu.Lock()
	n := len(w.times)
	w.times = append(w.times, time.Now())
	w.forms = append(w.forms, form)
	w.mu.Unlock()
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	return w.answer(n, req)
}

func (w *network) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.times)
}

func reply(status int, body string, headers ...string) *http.Response {
	h := http.Header{}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

func always(status int, body string, headers ...string) *network {
	return &network{answer: func(int, *http.Request) (*http.Response, error) {
		return reply(status, body, headers...), nil
	}}
}

// inTurn returns a network that answers with each step once, and then always with the last one.
func inTurn(steps ...func() (*http.Response, error)) *network {
	return &network{answer: func(n int, _ *http.Request) (*http.Response, error) {
		return steps[min(n, len(steps)-1)]()
	}}
}

func says(status int, body string, headers ...string) func() (*http.Response, error) {
	return func() (*http.Response, error) { return reply(status, body, headers...), nil }
}

func breaks(err error) func() (*http.Response, error) {
	return func() (*http.Response, error) { return nil, err }
}

const (
	good   = `<r><Id>1</Id></r>`
	secret = "0123456789abcdef0123456789abcdef0123"
)

func address(s string) *url.URL {
	u, err := url.Parse(s)
	if err != nil {
		panic(err)
	}
	return u
}

var eutils = address("https://eutils.example/entrez/eutils/")

// source is the service of these tests. It has a key, a judgement and a rule for caching.
var source = &Source{
	Name: "eutils", Label: "Example service", Address: eutils.String(),
	Rate: Rate{Group: "ncbi", PerSecond: 3, WithKey: 10}, Key: Key{Variable: "EXAMPLE_KEY", Param: "api_key"},
	ToolParam: "tool", EmailParam: "email", MaxQuery: 200,
	CheckReply: func(r Reply) *Verdict {
		switch {
		case strings.Contains(string(r.Body), "rate limit exceeded"):
			return &Verdict{RateLimited, "says that we ask too often"}
		case strings.Contains(string(r.Body), "<ERROR>") && r.Complete():
			return &Verdict{Refused, ErrorText("no")}
		}
		return nil
	},
	Cacheable: func(body []byte) bool { return !strings.Contains(string(body), "<WebEnv>") },
	Ping:      NewCall(Endpoint{Form: XML, Path: "ping"}),
}

func options(next http.RoundTripper) Config {
	return Config{Tool: "biomcp/test", Email: "a@b.example", MaxRetries: 5, Transport: next}
}

func keys(key string) map[string]string { return map[string]string{source.Key.Variable: key} }

func open(cfg Config) *Client {
	c, err := New(cfg)
	if err != nil {
		panic(err)
	}
	return c
}

var xmlCall = Call{Endpoint: Endpoint{Form: XML}}

// describe adds the call of a source to a context, as Do does.
func describe(ctx context.Context, c *Client, call Call) context.Context {
	call.service = c.Service(source)
	return context.WithValue(ctx, callKey{}, &call)
}

func get(ctx context.Context, c *Client, call Call, address string) (string, error) {
	req, err := http.NewRequestWithContext(describe(ctx, c, call), http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	return send(c, req)
}

func post(ctx context.Context, c *Client, call Call, address, form string) (string, error) {
	req, err := http.NewRequestWithContext(describe(ctx, c, call), http.MethodPost, address, strings.NewReader(form))
	if err != nil {
		return "", err
	}
	return send(c, req)
}

func send(c *Client, req *http.Request) (string, error) {
	resp, err := c.http.Transport.RoundTrip(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), err
}

func search(ctx context.Context, c *Client, term string) (string, error) {
	return get(ctx, c, xmlCall, eutils.String()+"esearch.fcgi?db=pubmed&term="+url.QueryEscape(term))
}

// failure fails the test unless err is an Error of the kind.
func failure(t *testing.T, err error, kind Kind) *Error {
	t.Helper()
	var f *Error
	if !errors.As(err, &f) {
		t.Fatalf("want a failure (%s), got %v", kind, err)
	}
	if f.Kind != kind {
		t.Fatalf("want a failure (%s), got %s: %s", kind, f.Kind, f.Message)
	}
	return f
}

type logBook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logBook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func logger() (*slog.Logger, *logBook) {
	b := &logBook{}
	return slog.New(slog.NewTextHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug})), b
}
