package httpclient

import (
	"context"
	"net/http"
	"sync"

	"github.com/sourcegraph/conc/panics"
)

// share sends identical concurrent requests once. A caller may give up without disturbing the
// others; when the last one gives up, the request is cancelled.
type share struct {
	next http.RoundTripper

	mu      sync.Mutex
	flights map[string]*flight
}

type flight struct {
	callers  int
	cancel   context.CancelFunc
	finished chan struct{}
	resp     *http.Response
	err      error
	panic    *panics.Recovered // panic of the request, raised again in every caller
}

func (s *share) RoundTrip(req *http.Request) (*http.Response, error) {
	if callOf(req).file != nil { // each caller has its own file
		return s.next.RoundTrip(req)
	}
	key, err := requestKey(req)
	if err != nil {
		return nil, err
	}
	ctx := req.Context()
	if cacheDisabled(ctx) {
		key += " fresh" // must not get a cached answer
	}
	if offline(ctx) {
		key += " offline"
	}
	f := s.join(key, req)
	defer s.leave(key, f)
	select {
	case <-f.finished:
	case <-ctx.Done():
		return nil, contextError(ctx, callOf(req).source().Label+" did not answer in the time allowed")
	}
	if f.panic != nil {
		panic(f.panic)
	}
	if f.err != nil {
		return nil, f.err
	}
	body, err := Body(f.resp)
	if err != nil {
		return nil, err
	}
	resp := withBody(f.resp, body) // another reader over the same bytes
	resp.Header, resp.Request = f.resp.Header.Clone(), req
	return resp, nil
}

func (s *share) join(key string, req *http.Request) *flight {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.flights[key]; f != nil {
		f.callers++
		return f
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(req.Context()))
	f := &flight{callers: 1, cancel: cancel, finished: make(chan struct{})}
	if s.flights == nil {
		s.flights = map[string]*flight{}
	}
	s.flights[key] = f
	go func() {
		f.panic = panics.Try(func() { f.resp, f.err = s.next.RoundTrip(req.WithContext(ctx)) })
		s.mu.Lock()
		if s.flights[key] == f {
			delete(s.flights, key)
		}
		s.mu.Unlock()
		close(f.finished)
	}()
	return f
}

func (s *share) leave(key string, f *flight) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.callers--; f.callers == 0 {
		f.cancel()
		if s.flights[key] == f { // no caller may join a cancelled request
			delete(s.flights, key)
		}
	}
}
