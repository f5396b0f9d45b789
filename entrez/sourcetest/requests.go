package sourcetest

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// Request is one request that the server received. Status is 0 while it is being answered, and if a
// fault ended it before it had a status.
type Request struct {
	Endpoint  string     `json:"endpoint"` // name of the endpoint
	Method    string     `json:"method"`
	Path      string     `json:"path"`
	Params    url.Values `json:"params"` // query and posted form
	Range     string     `json:"range,omitempty"`
	UserAgent string     `json:"user_agent"`
	Status    int        `json:"status"`
	At        time.Time  `json:"at"`
}

type requestLog struct {
	mu      sync.Mutex
	all     []Request
	from    int           // sequence number of all[0]
	arrival chan struct{} // closed by the next request; nil if no caller waits
}

func (l *requestLog) open(r Request) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, r)
	if l.arrival != nil {
		close(l.arrival)
		l.arrival = nil
	}
	return l.from + len(l.all) - 1
}

func (l *requestLog) close(seq, status int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := seq - l.from; i >= 0 {
		l.all[i].Status = status
	}
}

// Requests returns every request since the start or the last ClearRequests, in order. With endpoint names
// it returns only theirs.
func (s *Server) Requests(endpoints ...string) []Request {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	out := []Request{}
	for _, r := range s.log.all {
		if len(endpoints) == 0 || slices.Contains(endpoints, r.Endpoint) {
			out = append(out, r)
		}
	}
	return out
}

// Count returns the number of requests to the endpoints, or to all without a name.
func (s *Server) Count(endpoints ...string) int { return len(s.Requests(endpoints...)) }

// Await returns when n requests to the endpoints have arrived, answered or not, or with the
// context's error.
func (s *Server) Await(ctx context.Context, n int, endpoints ...string) error {
	for {
		s.log.mu.Lock()
		if s.log.arrival == nil {
			s.log.arrival = make(chan struct{})
		}
		next := s.log.arrival
		s.log.mu.Unlock()
		if s.Count(endpoints...) >= n {
			return nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Limited returns the number of requests answered 429.
func (s *Server) Limited() int {
	n := 0
	for _, r := range s.Requests() {
		if r.Status == http.StatusTooManyRequests {
			n++
		}
	}
	return n
}

// ClearRequests empties the list of requests.
func (s *Server) ClearRequests() {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	s.log.from += len(s.log.all)
	s.log.all = nil
}
