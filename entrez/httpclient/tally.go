package httpclient

import (
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Activity counts the requests of a client to one source.
type Activity struct {
	Source   string           // Source.Name
	Requests map[string]int64 // attempts by HTTP status, or "failed" if there was no reply
	Cached   int64            // replies from the cache
	Last     time.Time        // time of the last attempt; zero if there was none
	Answered bool             // the last attempt got a reply that is not a server error
}

// Activity returns an entry for each source that was requested or answered from the cache, in the
// order of their first use.
func (c *Client) Activity() []Activity { return c.tally.all() }

// Waiting returns the number of requests of a rate group that wait in the queue of this process.
func (c *Client) Waiting(lane string) int64 {
	c.pace.mu.Lock()
	defer c.pace.mu.Unlock()
	var n int64
	for _, name := range []string{fileName(lane), fileName(lane) + keyedSuffix} {
		if l := c.pace.limiters[name]; l != nil {
			n += l.waiting.Load()
		}
	}
	return n
}

// tally counts requests and cached replies by source.
type tally struct {
	mu       sync.Mutex
	list     []*Activity
	bySource map[string]*Activity
}

// entry returns the entry of a source and adds it if absent. The caller holds t.mu.
func (t *tally) entry(source *Source) *Activity {
	a := t.bySource[source.Name]
	if a == nil {
		a = &Activity{Source: source.Name, Requests: map[string]int64{}}
		if t.bySource == nil {
			t.bySource = map[string]*Activity{}
		}
		t.bySource[source.Name] = a
		t.list = append(t.list, a)
	}
	return a
}

func (t *tally) all() []Activity {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]Activity, len(t.list))
	for i, a := range t.list {
		out[i] = *a
		out[i].Requests = maps.Clone(a.Requests)
	}
	return out
}

func (t *tally) countCached(source *Source) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.entry(source).Cached++
}

// count is the layer that counts attempts.
type count struct {
	next  http.RoundTripper
	tally *tally
}

func (c *count) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := c.next.RoundTrip(req)
	status := "failed"
	if err == nil {
		status = strconv.Itoa(resp.StatusCode)
	}
	c.tally.mu.Lock()
	defer c.tally.mu.Unlock()
	a := c.tally.entry(callOf(req).source())
	a.Requests[status]++
	a.Last, a.Answered = time.Now(), err == nil && !Temporary(resp.StatusCode)
	return resp, err
}
