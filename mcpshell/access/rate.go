package access

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Rate bounds how often each caller may ask. It must be made with [NewRate].
type Rate struct {
	limit rate.Limit
	burst int

	mu      sync.Mutex
	callers map[string]*rate.Limiter
	swept   time.Time
}

// maxCallers bounds how many callers are remembered. A caller that may ask its whole
// burst again needs no memory, and is dropped.
const maxCallers = 8192

// NewRate lets each caller ask n times in a time, on the average, and all n at once.
func NewRate(n int, in time.Duration) *Rate {
	return &Rate{limit: rate.Limit(float64(n) / in.Seconds()), burst: n, callers: map[string]*rate.Limiter{}}
}

// Burst is how often a caller may ask at once.
func (r *Rate) Burst() int { return r.burst }

// Wait returns how long a caller must wait before it may ask, 0 if it may ask now. A nil
// Rate has no bound.
func (r *Rate) Wait(caller string, now time.Time) time.Duration {
	if r == nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	limit := r.callers[caller]
	if limit == nil {
		if len(r.callers) >= maxCallers && now.Sub(r.swept) > time.Second {
			r.swept = now
			for name, l := range r.callers {
				if l.TokensAt(now) >= float64(r.burst) {
					delete(r.callers, name)
				}
			}
		}
		if len(r.callers) >= maxCallers {
			caller = "" // the others share one bound
			limit = r.callers[caller]
		}
		if limit == nil {
			limit = rate.NewLimiter(r.limit, r.burst)
			r.callers[caller] = limit
		}
	}
	if limit.AllowN(now, 1) {
		return 0
	}
	return time.Duration((1 - limit.TokensAt(now)) / float64(r.limit) * float64(time.Second))
}

func (r Rules) checkRate(w http.ResponseWriter, q *http.Request) bool {
	wait := r.Rate.Wait(CallerOf(q.Context()).name(), time.Now())
	if wait == 0 {
		return true
	}
	w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))
	Refuse(w, http.StatusTooManyRequests, fmt.Sprintf("more than %g requests a second; wait and send this one again", float64(r.Rate.limit)))
	return false
}

// Account returns who is charged for what a caller takes of a server: the subject of its
// token, or without a token its address. It is "", nobody, for a caller without a token on
// this machine: its user, or a proxy that many share.
func (c Caller) Account() string {
	if c.Subject == "" && (c.Peer == "" || IsLoopback(hostName(c.Peer))) {
		return ""
	}
	return c.name()
}

// name is the subject or, without a token, the address.
func (c Caller) name() string {
	if c.Subject != "" {
		return "subject " + c.Subject
	}
	return "address " + peer(c.Peer)
}

// peer is the address of a connection: in IPv6 its network, since one caller has
// all of it. What a request says about itself, as in X-Forwarded-For, is not asked.
func peer(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if ip = ip.Unmap(); ip.Is6() {
		if network, err := ip.Prefix(64); err == nil {
			return network.String()
		}
	}
	return ip.String()
}
