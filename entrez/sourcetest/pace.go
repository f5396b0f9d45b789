package sourcetest

import (
	"sync"
	"time"
)

// pace counts requests in a sliding second, separately for each service and client. It uses real
// time (inside a synctest bubble, the bubble's time).
type pace struct {
	disabled bool
	mu       sync.Mutex
	times    map[string][]time.Time
}

func newPace() *pace { return &pace{times: map[string][]time.Time{}} }

// take admits a request, or returns the number of requests in the last second including this one. A
// rejected request does not count against later ones.
func (p *pace) take(client string, limit int) (count int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	recent := p.times[client]
	for len(recent) > 0 && now.Sub(recent[0]) >= time.Second {
		recent = recent[1:]
	}
	if !p.disabled && len(recent) >= limit {
		p.times[client] = recent
		return len(recent) + 1, false
	}
	p.times[client] = append(recent, now)
	return len(recent) + 1, true
}
