package access

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Rules says who may ask. The zero value takes requests to a loopback name, from
// everybody who can connect.
type Rules struct {
	Hosts   []string // names the server goes by, besides the loopback ones; without a port
	Origins []string // of pages that may call it from a browser: https://example.org
	Key     []byte   // signs the tokens; nil: none of this program are taken
	// Provider makes tokens too; nil: none does. Without Key and Provider no token is needed.
	Provider *Provider
	Rate     *Rate // nil: no bound
	MaxBody  int64 // of a request, in bytes; 0: no bound
	Now      func() time.Time
	// Refused is told of each request whose token is missing or refused, and why; nil: nobody is.
	Refused func(q *http.Request, reason error)

	checked *checkedTokens // made by Guard
}

// Caller is who sent a request. Peer, the address of its connection, names nobody: all who
// are behind it share it.
type Caller struct {
	Subject string // of its token, "" without one
	Peer    string
}

type callerKey struct{}

// CallerOf returns the caller of a request that [Rules.Guard] let pass, by its context.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// In is a context in which CallerOf returns the caller.
func (c Caller) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// Names wraps a handler that needs no token, with the rules for Host and Origin.
func (r Rules) Names(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if r.checkHost(w, q) && r.checkOrigin(w, q) {
			next.ServeHTTP(w, q)
		}
	})
}

// Guard wraps a handler with all rules.
func (r Rules) Guard(next http.Handler) http.Handler {
	r.checked = &checkedTokens{}
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if !r.checkHost(w, q) || !r.checkOrigin(w, q) {
			return
		}
		subject, refused := r.authenticate(q)
		q = q.WithContext(Caller{subject, q.RemoteAddr}.In(q.Context()))
		if !r.checkRate(w, q) {
			return
		}
		if refused != nil {
			if r.Refused != nil {
				r.Refused(q, refused)
			}
			if refused.status == http.StatusServiceUnavailable {
				w.Header().Set("Retry-After", "10")
			} else {
				w.Header().Set("WWW-Authenticate", r.challenge(q, refused))
			}
			Refuse(w, refused.status, refused.text)
			return
		}
		if r.checkLength(w, q) {
			next.ServeHTTP(w, q)
		}
	})
}

// IsLoopback reports whether a host, without a port, is this machine's own.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.Unmap().IsLoopback()
}

// hostName is a Host header or a URL's host without its port, lower-cased.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// known reports whether a name is one of the server's. A page that makes its own name
// resolve to this server (DNS rebinding) sends that name.
func (r Rules) known(host string) bool {
	name := hostName(host)
	return IsLoopback(name) || slices.ContainsFunc(r.Hosts, func(h string) bool { return hostName(h) == name })
}

func (r Rules) checkHost(w http.ResponseWriter, q *http.Request) bool {
	if r.known(q.Host) {
		return true
	}
	Refuse(w, http.StatusForbidden, fmt.Sprintf("this server does not go by the name %.100q; start it with --allowed-hosts to add one", q.Host))
	return false
}

func (r Rules) checkOrigin(w http.ResponseWriter, q *http.Request) bool {
	origins := q.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	listed := len(origins) == 1 && slices.ContainsFunc(r.Origins, func(o string) bool { return strings.EqualFold(o, origins[0]) })
	w.Header().Add("Vary", "Origin")
	if !listed {
		u, err := url.Parse(origins[0])
		if len(origins) == 1 && err == nil && (u.Scheme == "http" || u.Scheme == "https") && r.known(u.Host) {
			return true
		}
		Refuse(w, http.StatusForbidden, fmt.Sprintf("pages of %.100q may not call this server; set MCP_ALLOWED_ORIGINS to allow them", origins[0]))
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origins[0])
	h.Set("Access-Control-Expose-Headers", "Mcp-Session-Id, Retry-After, WWW-Authenticate")
	if q.Method != http.MethodOptions || q.Header.Get("Access-Control-Request-Method") == "" {
		return true
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	h.Set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id")
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return false
}

// ParseOrigins reads a list of origins, separated by commas.
func ParseOrigins(list string) ([]string, error) {
	var origins []string
	for o := range strings.SplitSeq(list, ",") {
		if o = strings.TrimSuffix(strings.TrimSpace(o), "/"); o == "" {
			continue
		}
		u, err := url.Parse(o)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || o != u.Scheme+"://"+u.Host {
			return nil, fmt.Errorf("%.100q is no origin, such as https://example.org", o)
		}
		origins = append(origins, o)
	}
	return origins, nil
}

// Refuse answers with a status and a JSON-RPC error.
func Refuse(w http.ResponseWriter, status int, text string) {
	// -32000 to -32099 are for servers to define.
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": -32000, "message": text}})
	if err != nil {
		status = http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A client that is gone misses its answer.
	_, _ = w.Write(data)
}
