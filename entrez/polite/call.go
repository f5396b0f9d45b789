package polite

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

// Form is what a whole reply looks like; a reply in another form is broken.
type Form int

const (
	Text Form = iota // anything that is not HTML
	XML              // one root element, closed
	JSON             // one value
	Gzip             // a file that gzip packed, for Save
	Page             // a whole web page
	Head             // nothing: the source is asked only whether it has it
)

// Endpoint is one address of a source, with what may be expected of its replies.
type Endpoint struct {
	Op       string        // the service's name for it: "ESearch"
	Path     string        // under the source's address
	Form     Form          //
	MaxBytes int64         // longest reply read, after decompression; 0: 8 MB
	First    int64         // so much is read of a longer reply, which is Text; 0: all
	TTL      time.Duration // how long a reply is kept; 0: not at all
	// Needs are what a good reply has one of; a reply without any cannot be read. In JSON they
	// are members by their paths as gjson has them: "#" is a list, "#.id" one that is
	// empty or has a member with an id, "{}" an empty object. In XML they are names of elements.
	Needs []string
}

// At is the endpoint with a path.
func (e Endpoint) At(path string) Endpoint {
	e.Path = path
	return e
}

// Call is one request to an endpoint. Do fills URL and Method: what was asked,
// without tool, email and key, which say who asked; of a POST the address alone.
type Call struct {
	Endpoint
	Params url.Values
	Post   bool                   // even where the parameters are short
	Once   bool                   // one attempt
	Keep   func(body []byte) bool // where given, has the last word on keeping a good reply

	URL, Method string

	service *Service
	file    *File  // where the reply goes, of Save
	kept    string // the key under which the cache has the reply
}

// NewCall is a call with parameters given as name, value, name, value.
func NewCall(e Endpoint, params ...string) *Call {
	c := &Call{Endpoint: e, Params: url.Values{}}
	for i := 0; i+1 < len(params); i += 2 {
		c.Set(params[i], params[i+1])
	}
	return c
}

// Set sets a parameter that is not empty.
func (c *Call) Set(name, value string) {
	if value = Clean(value); value != "" {
		c.Params.Set(name, value)
	}
}

// Clean is text without control characters and broken UTF-8, which would come
// back in a reply that is no XML any more.
func Clean(value string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(value, "\uFFFD"))
}

// Service is a source as one client asks it.
type Service struct {
	client *Client
	source *Source
	base   *url.URL
	key    string
}

// Do makes the call and returns the whole reply, which may be shared: do not
// change it. Every failure is an *Error, except context.Canceled.
func (s *Service) Do(ctx context.Context, c *Call) ([]byte, error) {
	reply, from, err := s.do(ctx, c)
	watchOf(ctx).noteReply(c, from.key, reply)
	watchOf(ctx).noteOld(s.source.Label, from.stored)
	if err == nil {
		c.kept = cmp.Or(from.key, from.put)
		watchOf(ctx).hear()
	}
	return reply, err
}

// forget drops the reply from the cache: who asks again may get one that makes sense.
func (c *Call) forget() {
	if c.kept != "" {
		_ = c.service.client.cache.store.Delete(context.Background(), c.kept) // else it stays until its time has passed
	}
}

func (s *Service) do(ctx context.Context, c *Call) (reply []byte, from held, err error) {
	if end, ok := ctx.Value(endKey{}).(time.Time); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end)
		defer cancel()
	}
	req, err := s.request(ctx, c)
	if err != nil {
		return nil, held{}, c.failed(err)
	}
	resp, err := s.client.http.Do(req)
	if err != nil {
		return nil, held{}, c.failed(err)
	}
	if reply, err = Body(resp); err != nil {
		return nil, held{}, c.failed(err)
	}
	return reply, heldIn(resp), nil
}

// Describe fills URL and Method of a call as Do does, and makes no request.
func (s *Service) Describe(c *Call) { _, _ = s.request(context.Background(), c) }

// request is a call as it is sent, with its URL and Method filled.
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
	return req, err
}

// Address is the address of a call sent by GET.
func (s *Service) Address(c *Call) *url.URL {
	address := *s.base
	address.Path += c.Path
	address.RawQuery = strings.ReplaceAll(c.Params.Encode(), "%2C", ",") // half the length of a list of ids
	return &address
}

// Ping makes the source's smallest call, once and without the cache. nil says
// that the service answers, even with "no such record".
func (s *Service) Ping(ctx context.Context) error {
	c := *s.source.Ping
	c.Once = true
	if _, err := s.Do(WithoutCache(ctx), &c); !IsKind(err, NotFound) {
		return err
	}
	return nil
}

func (c *Call) source() *Source { return c.service.source }

// keyed reports whether a request carries the key, and so has the key's rate.
func (c *Call) keyed(u *url.URL) bool { return c.service.key != "" && within(c.service.base, u) }

// bound is how many bytes of the reply are read.
func (c *Call) bound() int64 {
	if c.MaxBytes > 0 {
		return c.MaxBytes
	}
	return 8 << 20
}

// signature are the parameters that say who asks and not what is asked.
func (s *Source) signature() []string {
	return slices.DeleteFunc([]string{s.ToolParam, s.EmailParam, s.Key.Param}, func(p string) bool { return p == "" })
}

type callKey struct{}

func callOf(req *http.Request) *Call { return req.Context().Value(callKey{}).(*Call) }

// held is a response body already in memory. Every response above receive has
// one, so that a layer can look at it without reading it away.
type held struct {
	*bytes.Reader
	all    []byte
	key    string    // in the cache, of a reply from there whose time has not passed
	put    string    // the same of a reply that was put there
	stored time.Time // when it was kept, of a reply whose time has passed
}

func (held) Close() error { return nil }

func hold(resp *http.Response, body []byte) *http.Response {
	out := *resp
	from := heldIn(resp)
	out.Body = held{bytes.NewReader(body), body, from.key, from.put, from.stored}
	out.ContentLength = int64(len(body))
	return &out
}

// heldIn is the body of a response that is in memory; zero where it is not.
func heldIn(resp *http.Response) held {
	h, _ := resp.Body.(held)
	return h
}

// Body returns the whole reply. The bytes may be shared: do not change them.
func Body(resp *http.Response) ([]byte, error) {
	if h, ok := resp.Body.(held); ok {
		return h.all, nil
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// formOf reads a request's form without consuming it. The layers send a body
// more than once, so it must be one that can be had again.
func formOf(req *http.Request) ([]byte, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return nil, nil
	}
	if req.GetBody == nil {
		return nil, errors.New("polite: a request with a body needs GetBody")
	}
	r, err := req.GetBody()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
