package sourcetest

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"biomcp/entrez/contract"
	"biomcp/entrez/httpclient"
)

// Transport answers requests to the server's URL without a network. It starts
// no goroutine outside the bubble of package testing/synctest that the caller is in. With
// WithoutNetwork, client, server and request limit then share one fake clock. Faults look as they do
// over TCP: a short body ends in io.ErrUnexpectedEOF, and a stalled one waits for the context. Unlike
// http.Transport, it does not decompress gzip, so it cannot test the fault in which a small reply
// decompresses to a huge one.
func (s *Server) Transport() http.RoundTripper { return roundTripper{s} }

// Client returns an HTTP client over Transport.
func (s *Server) Client() *http.Client { return &http.Client{Transport: s.Transport()} }

type roundTripper struct{ s *Server }

func (t roundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	t.s.mustDeclare(r)
	in := r.Clone(r.Context())
	in.RequestURI = r.URL.RequestURI()
	in.RemoteAddr = "127.0.0.1:1"
	if in.Body == nil {
		in.Body = http.NoBody
	}
	pr, pw := io.Pipe()
	w := &pipeWriter{header: http.Header{}, body: pw, ready: make(chan struct{}), length: -1}
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		defer func() {
			_ = in.Body.Close()
			err := io.EOF
			switch p := recover(); {
			case p != nil && p != http.ErrAbortHandler:
				panic(p)
			case r.Context().Err() != nil:
				err = r.Context().Err()
			case p != nil || w.length >= 0 && w.sent < w.length:
				err = io.ErrUnexpectedEOF
			default:
				w.WriteHeader(http.StatusOK)
			}
			_ = pw.CloseWithError(err)
			w.abandon()
		}()
		t.s.ServeHTTP(w, in)
	}()
	// A context that ends closes the pipe, so that a handler stops writing as over a closed
	// connection.
	go func() {
		select {
		case <-stop:
		case <-r.Context().Done():
			_ = pw.CloseWithError(r.Context().Err())
		}
	}()
	select {
	case <-w.ready:
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	if w.status == 0 {
		return nil, errors.New("EOF: the server closed the connection without an answer")
	}
	return &http.Response{
		Status: strconv.Itoa(w.status) + " " + http.StatusText(w.status), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: w.sentHeader, Body: pr,
		ContentLength: int64(w.length), Request: r,
	}, nil
}

// mustDeclare panics if a client makes a request that its source does not declare. It ignores
// requests that do not come from package polite, which are tests of a simulator itself.
func (s *Server) mustDeclare(r *http.Request) {
	if !httpclient.IsCall(r.Context()) {
		return
	}
	in := r.Clone(r.Context())
	if r.GetBody != nil {
		in.Body, _ = r.GetBody() // after an error the form is empty
	}
	form, _ := readForm(in)
	for _, v := range s.services {
		at, is := strings.CutPrefix(r.URL.Path, v.Path)
		if !is || v.Source.Dependencies == nil {
			continue
		}
		if what := contract.UndeclaredPart(v.Source, at, form); what != "" {
			panic(v.Source.Label + " does not declare " + what + ": add it to its Uses with its evidence")
		}
		for _, tag := range contract.UndeclaredTags(v.Source, at, form) {
			s.strangeTag(v.Source, tag)
		}
	}
}

// pipeWriter is a ResponseWriter whose body is a pipe.
type pipeWriter struct {
	header     http.Header
	sentHeader http.Header
	body       *io.PipeWriter
	once       sync.Once
	ready      chan struct{}
	status     int
	length     int // Content-Length, -1 without one
	sent       int
}

func (w *pipeWriter) Header() http.Header { return w.header }

func (w *pipeWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sentHeader = status, w.header.Clone()
		if n, err := strconv.Atoi(w.header.Get("Content-Length")); err == nil {
			w.length = n
		}
		close(w.ready)
	})
}

// abandon lets RoundTrip return if no answer was written.
func (w *pipeWriter) abandon() { w.once.Do(func() { close(w.ready) }) }

func (w *pipeWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	n, err := w.body.Write(p)
	w.sent += n
	return n, err
}

// FlushError implements flushing for http.ResponseController; a pipe does not buffer.
func (w *pipeWriter) FlushError() error { return nil }
