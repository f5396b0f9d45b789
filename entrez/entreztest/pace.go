package entreztest

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// pace counts requests over a sliding second, for each service and client apart.
// It keeps real time (inside a synctest bubble, the bubble's).
type pace struct {
	off   bool
	mu    sync.Mutex
	taken map[string][]time.Time
}

func newPace() *pace { return &pace{taken: map[string][]time.Time{}} }

// take admits a request, or says how many there were in the second behind it,
// itself included. A refused request does not count against the next ones.
func (p *pace) take(who string, limit int) (count int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	recent := p.taken[who]
	for len(recent) > 0 && now.Sub(recent[0]) >= time.Second {
		recent = recent[1:]
	}
	if !p.off && len(recent) >= limit {
		p.taken[who] = recent
		return len(recent) + 1, false
	}
	p.taken[who] = append(recent, now)
	return len(recent) + 1, true
}

// limitBody is the answer past the limit: JSON whatever was asked for (capture
// esearch_json_25d287820236).
func limitBody(status int, who string, count, limit int) reply {
	return jsonReply(status, struct {
		Error string `json:"error"`
		Key   string `json:"api-key"`
		Count string `json:"count"`
		Limit string `json:"limit"`
	}{"API rate limit exceeded", who, strconv.Itoa(count), strconv.Itoa(limit)})
}

// badKey echoes the key, as NCBI does.
func badKey(key string) reply {
	return jsonReply(http.StatusBadRequest, struct {
		Error  string `json:"error"`
		Key    string `json:"api-key"`
		Type   string `json:"type"`
		Status string `json:"status"`
	}{"API key invalid", key, "invalid", "unknown"})
}
