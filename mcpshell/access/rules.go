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

// Rules decide which requests are accepted. The zero value accepts requests to a loopback name
// from anyone who can connect.
type Rules struct {
	Hosts   []string // host names of the server besides the loopback names, without ports
	Origins []string // origins whose pages may call the server from a browser, such as https://example.org
	Key     []byte   // signs this program's tokens; nil: such tokens are not accepted
	// Provider is another issuer of tokens; nil means none. A token is required only if Key or
	// Provider is set.
	Provider *Provider
	Rate     *Rate // nil: no limit
	MaxBody  int64 // maximum length of a request body in bytes; 0: no limit
	// Now returns the current time; nil means time.Now.
	Now func() time.Time
	// OnRefused, if not nil, is called for each request whose token is missing or rejected.
	OnRefused func(q *http.Request, reason error)

	cache *tokenCache // set by Guard
}

// A Caller is the sender of a request. Peer, the address of its connection, does not identify one
// caller: all callers behind a proxy have the same address.
type Caller struct {
	Subject string // subject of its token; "" without a token
	Peer    string
}

type callerKey struct{}

// CallerOf returns the caller of the request with context ctx. [Rules.Guard] stores it there.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// NewContext returns a copy of ctx from which CallerOf returns c.
func (c Caller) NewContext(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// GuardNames wraps a handler that needs no token. It checks only Host and Origin.
func (r Rules) GuardNames(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if r.checkHost(w, q) && r.checkOrigin(w, q) {
			next.ServeHTTP(w, q)
		}
	})
}

// Guard wraps a handler with all rules.
func (r Rules) Guard(next http.Handler) http.Handler {
	r.cache = &tokenCache{}
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if !r.checkHost(w, q) || !r.checkOrigin(w, q) {
			return
		}
		subject, refused := r.authenticate(q)
		q = q.WithContext(Caller{subject, q.RemoteAddr}.NewContext(q.Context()))
		if !r.checkRate(w, q) {
			return
		}
		if refused != nil {
			if r.OnRefused != nil {
				r.OnRefused(q, refused)
			}
			if refused.status == http.StatusServiceUnavailable {
				w.Header().Set("Retry-After", "10")
			} else {
				w.Header().Set("WWW-Authenticate", r.challenge(q, refused))
			}
			WriteError(w, refused.status, refused.text)
			return
		}
		if r.checkLength(w, q) {
			next.ServeHTTP(w, q)
		}
	})
}

// IsLoopback reports whether host, without a port, names this machine.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.Unmap().IsLoopback()
}

// hostName returns the host name of a Host header or of a URL's host, in lower case and without
// its port.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// isServerName reports whether host is one of the server's names. The check stops DNS rebinding, in
// which a page makes its own host name resolve to this server and so sends that name.
func (r Rules) isServerName(host string) bool {
	name := hostName(host)
	return IsLoopback(name) || slices.ContainsFunc(r.Hosts, func(h string) bool { return hostName(h) == name })
}

func (r Rules) checkHost(w http.ResponseWriter, q *http.Request) bool {
	if r.isServerName(q.Host) {
		return true
	}
	text := fmt.Sprintf("%.100q is not a host name of this server; start it with --allowed-hosts to add one", q.Host)
	WriteError(w, http.StatusForbidden, text)
	return false
}

func (r Rules) checkOrigin(w http.ResponseWriter, q *http.Request) bool {
	origins := q.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	isOrigin := func(o string) bool { return strings.EqualFold(o, origins[0]) }
	listed := len(origins) == 1 && slices.ContainsFunc(r.Origins, isOrigin)
	w.Header().Add("Vary", "Origin")
	if !listed {
		u, err := url.Parse(origins[0])
		if len(origins) == 1 && err == nil && (u.Scheme == "http" || u.Scheme == "https") && r.isServerName(u.Host) {
			return true
		}
		text := fmt.Sprintf("pages of %.100q may not call this server; set MCP_ALLOWED_ORIGINS to allow them", origins[0])
		WriteError(w, http.StatusForbidden, text)
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origins[0])
	h.Set("Access-Control-Expose-Headers", "Mcp-Session-Id, Retry-After, WWW-Authenticate")
	if q.Method != http.MethodOptions || q.Header.Get("Access-Control-Request-Method") == "" {
		return true
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	h.Set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type, Last-Event-ID, "+
		"Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id")
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return false
}

// ParseOrigins parses a comma-separated list of origins.
func ParseOrigins(list string) ([]string, error) {
	var origins []string
	for o := range strings.SplitSeq(list, ",") {
		if o = strings.TrimSuffix(strings.TrimSpace(o), "/"); o == "" {
			continue
		}
		u, err := url.Parse(o)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || o != u.Scheme+"://"+u.Host {
			return nil, fmt.Errorf("%.100q is not an origin, such as https://example.org", o)
		}
		origins = append(origins, o)
	}
	return origins, nil
}

// WriteError answers with a status and a JSON-RPC error.
func WriteError(w http.ResponseWriter, status int, text string) {
	// JSON-RPC leaves the codes -32000 to -32099 to servers.
	data, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": -32000, "message": text},
	})
	if err != nil {
		status = http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// The write fails only if the client has disconnected.
	_, _ = w.Write(data)
}
