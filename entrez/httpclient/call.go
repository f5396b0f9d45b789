package httpclient

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Form is the format of a complete reply. A reply in another format counts as broken.
type Form int

const (
	Text Form = iota // anything that is not HTML
	XML              // one root element, closed
	JSON             // one value
	Gzip             // a gzip file, for Save
	Page             // a complete web page
	Head             // no body: the request is a HEAD
)

// Endpoint is one address of a source and the expected form of its replies.
type Endpoint struct {
	Op        string        // the service's name for the endpoint: "ESearch"
	Path      string        // relative to the source's address
	Form      Form          // expected format of the reply
	MaxBytes  int64         // maximum length of a reply after decompression; 0 means 8 MB
	ReadLimit int64         // maximum bytes to read of a longer Text reply; 0 means all
	TTL       time.Duration // how long the cache keeps a reply; 0 means never
	// Needs lists alternatives: a good reply has at least one of them, and a reply without
	// any is unreadable. In JSON an alternative is a gjson path: "#" is a list, "#.id" a list
	// that is empty or has a member with an id, "{}" an empty object. In XML it is the name
	// of an element.
	Needs []string
}

// WithPath returns a copy of the endpoint with another path.
func (e Endpoint) WithPath(path string) Endpoint {
	e.Path = path
	return e
}

// Call is one request to an endpoint. Do sets URL and Method. URL omits tool, email and key, and
// the parameters of a POST. With CountRows, Do sets ContentRange, unless the reply is from the cache.
type Call struct {
	Endpoint
	Params    url.Values
	Post      bool                   // send a POST even if the parameters are short
	NoRetry   bool                   // make a single attempt
	CountRows bool                   // ask PostgREST for the number of all rows (Prefer: count=exact)
	Cacheable func(body []byte) bool // if not nil, reports whether a good reply may be cached

	URL, Method  string
	ContentRange string // header of the reply: "0-24/190"

	service  *Service
	file     *File  // destination of the reply; nil except in Save
	cacheKey string // cache key of the reply, or ""
}

// NewCall returns a call whose parameters are given as name, value, name, value.
func NewCall(e Endpoint, params ...string) *Call {
	c := &Call{Endpoint: e, Params: url.Values{}}
	for i := 0; i+1 < len(params); i += 2 {
		c.Set(params[i], params[i+1])
	}
	return c
}

// Set sets a parameter. An empty value is ignored.
func (c *Call) Set(name, value string) {
	if value = Clean(value); value != "" {
		c.Params.Set(name, value)
	}
}

// Clean replaces control characters with spaces and repairs invalid UTF-8. A service that echoes
// such characters would send a reply that is not valid XML.
func Clean(value string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(value, "\uFFFD"))
}

// Service makes the calls of one client to one source.
type Service struct {
	client *Client
	source *Source
	base   *url.URL
	key    string
}

// Do makes the call and returns the complete reply. The bytes may be shared; do not modify them.
// Every failure is an *Error, except context.Canceled.
func (s *Service) Do(ctx context.Context, c *Call) ([]byte, error) {
	limited, done := limitSilence(ctx, c)
	defer done()
	reply, from, err := s.do(limited, c)
	watchOf(ctx).noteReply(c, from.key, reply)
	watchOf(ctx).noteOld(s.source.Label, from.stored)
	if e, ok := errors.AsType[*Error](err); err == nil || ok && e.answered() {
		watchOf(ctx).noteAnswer()
	}
	if err == nil {
		c.cacheKey = cmp.Or(from.key, from.storedKey)
	}
	return reply, err
}

// forget removes the reply from the cache, so that a later call requests a new one.
func (c *Call) forget() {
	if c.cacheKey != "" {
		// After an error the reply stays until it expires.
		_ = c.service.client.cache.store.Delete(context.Background(), c.cacheKey)
	}
}

func (s *Service) do(ctx context.Context, c *Call) (reply []byte, from bufferedBody, err error) {
	if end, ok := ctx.Value(endKey{}).(time.Time); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end)
		defer cancel()
	}
	req, err := s.request(ctx, c)
	if err != nil {
		return nil, bufferedBody{}, c.completeError(err)
	}
	resp, err := s.client.http.Do(req)
	if err != nil {
		return nil, bufferedBody{}, c.completeError(err)
	}
	if reply, err = Body(resp); err != nil {
		return nil, bufferedBody{}, c.completeError(err)
	}
	c.ContentRange = resp.Header.Get("Content-Range")
	return reply, bufferedBodyOf(resp), nil
}

// Describe sets URL and Method of a call as Do does, without a request.
func (s *Service) Describe(c *Call) { _, _ = s.request(context.Background(), c) }

// request returns the HTTP request of a call and sets the call's URL and Method.
func (s *Service) request(ctx context.Context, c *Call) (*http.Request, error) {
	if c.service = s; s.client.problem != nil {
		return nil, s.client.problem
	}
	address := s.Address(c)
	var body io.Reader
	c.Method, c.URL = http.MethodGet, address.Redacted()
	if form := address.RawQuery; c.Post || s.source.MaxQuery > 0 && len(form) > s.source.MaxQuery {
		address.RawQuery = ""
		c.Method, c.URL, body = http.MethodPost, address.Redacted(), strings.NewReader(form)
	}
	if c.Form == Head {
		c.Method = http.MethodHead
	}
	req, err := http.NewRequestWithContext(context.WithValue(ctx, callKey{}, c), c.Method, address.String(), body)
	if err == nil && body != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if err == nil && c.CountRows {
		req.Header.Set("Prefer", "count=exact")
	}
	return req, err
}

// Address returns the URL of a call sent by GET.
func (s *Service) Address(c *Call) *url.URL {
	address := *s.base
	address.Path += c.Path
	// Escaped commas would nearly double the length of a list of short IDs.
	address.RawQuery = strings.ReplaceAll(c.Params.Encode(), "%2C", ",")
	return &address
}

// Ping makes the source's smallest call, once and without the cache. It returns nil if the service
// answers, even with "not found".
func (s *Service) Ping(ctx context.Context) error {
	c := *s.source.Ping
	c.NoRetry = true
	if _, err := s.Do(WithoutCache(ctx), &c); !IsKind(err, NotFound) {
		return err
	}
	return nil
}

func (c *Call) source() *Source { return c.service.source }

// keyed reports whether a request to u carries the key and so has the rate for keys.
func (c *Call) keyed(u *url.URL) bool { return c.service.key != "" && underBase(c.service.base, u) }

// bound returns the maximum number of bytes to read of the reply.
func (c *Call) bound() int64 {
	if c.MaxBytes > 0 {
		return c.MaxBytes
	}
	return 8 << 20
}

// signature returns the names of the parameters that identify the caller.
func (s *Source) signature() []string {
	return slices.DeleteFunc([]string{s.ToolParam, s.EmailParam, s.Key.Param}, func(p string) bool { return p == "" })
}

type callKey struct{}

func callOf(req *http.Request) *Call { return req.Context().Value(callKey{}).(*Call) }

// bufferedBody is a response body that is already in memory. Every layer above receive gets one, so
// that it can inspect the body without consuming it.
type bufferedBody struct {
	*bytes.Reader
	data      []byte
	key       string    // cache key, if the reply was read from the cache and is valid
	storedKey string    // cache key, if the reply was just stored
	stored    time.Time // when the reply was stored, if it has expired
}

func (bufferedBody) Close() error { return nil }

func withBody(resp *http.Response, body []byte) *http.Response {
	out := *resp
	from := bufferedBodyOf(resp)
	out.Body = bufferedBody{bytes.NewReader(body), body, from.key, from.storedKey, from.stored}
	out.ContentLength = int64(len(body))
	return &out
}

// bufferedBodyOf returns the in-memory body of a response, or a zero value if it has none.
func bufferedBodyOf(resp *http.Response) bufferedBody {
	h, _ := resp.Body.(bufferedBody)
	return h
}

// Body returns the complete reply. The bytes may be shared; do not modify them.
func Body(resp *http.Response) ([]byte, error) {
	if h, ok := resp.Body.(bufferedBody); ok {
		return h.data, nil
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// formOf reads a request's form without consuming it. A retry sends the body again, so the request
// needs GetBody.
func formOf(req *http.Request) ([]byte, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return nil, nil
	}
	if req.GetBody == nil {
		return nil, errors.New("httpclient: a request with a body needs GetBody")
	}
	r, err := req.GetBody()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
