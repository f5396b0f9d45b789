package polite

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// Form is what a whole answer looks like; an answer in another form is broken.
type Form int

const (
	Text Form = iota // anything that is not HTML
	XML              // one root element, closed
	JSON             // one value
)

// Call describes a request to the layers. The zero value is a request that is
// not cached, may be 8 MB long and is paced by its host alone.
type Call struct {
	Service  string        // for messages: "NCBI E-utilities"
	Lane     string        // requests of one lane share one limit
	Form     Form          //
	MaxBytes int64         // longest answer read, after decompression; 0: 8 MB
	TTL      time.Duration // how long the answer may be kept; 0: not at all
	Once     bool          // one attempt, no retry

	// Keep, where given, has the last word on storing a good answer.
	Keep func(body []byte) bool
}

type callKey struct{}

// WithCall attaches a description to a request's context.
func WithCall(ctx context.Context, c Call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

func callOf(req *http.Request) Call {
	c, _ := req.Context().Value(callKey{}).(Call)
	if c.Service == "" {
		c.Service = req.URL.Host
	}
	if c.Lane == "" {
		c.Lane = req.URL.Host
	}
	if c.MaxBytes <= 0 {
		c.MaxBytes = 8 << 20
	}
	return c
}

// held is a response body already in memory. Every response above receive has
// one, so that a layer can look at it without reading it away.
type held struct {
	*bytes.Reader
	all []byte
}

func (held) Close() error { return nil }

func hold(resp *http.Response, body []byte) *http.Response {
	out := *resp
	out.Body = held{bytes.NewReader(body), body}
	out.ContentLength = int64(len(body))
	return &out
}

// Body returns the whole answer. The bytes may be shared: do not change them.
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
