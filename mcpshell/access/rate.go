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

// A Rate limits the number of requests of each caller. It must be made with [NewRate].
type Rate struct {
	limit rate.Limit
	burst int

	mu      sync.Mutex
	callers map[string]*rate.Limiter
	swept   time.Time
}

// maxCallers bounds the number of callers with a limiter of their own. Limiters that have their
// full burst again are dropped.
const maxCallers = 8192

// NewRate returns a Rate that allows each caller n requests per period in on average, and bursts
// of n.
func NewRate(n int, period time.Duration) *Rate {
	return &Rate{limit: rate.Limit(float64(n) / period.Seconds()), burst: n, callers: map[string]*rate.Limiter{}}
}

// Burst returns the maximum number of requests in a burst.
func (r *Rate) Burst() int { return r.burst }

// Wait counts one request of caller if the rate allows it and returns 0. Otherwise it returns the
// time until the next request is allowed. A nil Rate allows every request.
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
			caller = "" // further callers share one limiter
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
	text := fmt.Sprintf("more than %g requests a second; wait and send this one again", float64(r.Rate.limit))
	WriteError(w, http.StatusTooManyRequests, text)
	return false
}

// Account returns the name under which a caller's use of the server is counted: the subject of
// its token or, without a token, its address. It returns "" for a caller without a token on this
// machine, which may be the local user or a proxy that many share.
func (c Caller) Account() string {
	if c.Subject == "" && (c.Peer == "" || IsLoopback(hostName(c.Peer))) {
		return ""
	}
	return c.name()
}

// name returns the subject or, without a token, the address.
func (c Caller) name() string {
	if c.Subject != "" {
		return "subject " + c.Subject
	}
	return "address " + peerAddress(c.Peer)
}

// peerAddress returns the IP address of a connection without its port. For IPv6 it returns the /64
// network, since one caller usually controls all of it. Headers such as X-Forwarded-For are
// ignored, because the caller writes them.
func peerAddress(address string) string {
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
