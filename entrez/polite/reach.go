package polite

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// A connection is attempted twice, each time for connectTime, so that a host that
// cannot be reached is reported in under 3 s. Once one host is unreachable and
// none was reached since, it is the network: other hosts get one attempt of
// probeTime. What is unreachable is not dialled again for downTime. A service on this
// machine answers or refuses at once, unless the processor is busy: it has localTime.
const (
	connectTime  = time.Second
	localTime    = 20 * time.Second
	probeTime    = 300 * time.Millisecond
	downTime     = 5 * time.Second
	dialAttempts = 2
)

type probeKey struct{}

// NewTransport is http.DefaultTransport with a bound on the time to connect.
func NewTransport(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Transport {
	if dial == nil {
		dial = (&net.Dialer{KeepAlive: 30 * time.Second}).DialContext
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 4 // more are never of use at this pace
	t.OnProxyConnectResponse = func(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
		if answer.StatusCode != http.StatusOK {
			return &proxyRefusal{answer.Status}
		}
		return nil
	}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		limit := connectTime
		if host, _, _ := net.SplitHostPort(address); host == "localhost" || net.ParseIP(host).IsLoopback() {
			limit = localTime
		} else if ctx.Value(probeKey{}) != nil {
			limit = probeTime
		}
		late := errors.New("no connection within " + limit.String())
		ctx, cancel := context.WithTimeoutCause(ctx, limit, late)
		defer cancel()
		conn, err := dial(ctx, network, address)
		if err != nil && context.Cause(ctx) == late {
			err = &net.OpError{Op: "dial", Net: network, Err: late}
		}
		return conn, err
	}
	return t
}

// NotConnected reports whether err is of a name or a connection, so that nothing
// was sent.
func NotConnected(err error) bool {
	var dns *net.DNSError
	var op *net.OpError
	return errors.As(err, &dns) || errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect")
}

// proxyRefusal is the answer of a proxy that does not connect to a host.
type proxyRefusal struct{ status string }

func (p *proxyRefusal) Error() string { return "the proxy answered " + p.status }

// ofProxy is the failure of the proxy of the environment, which is not the service's; nil
// where another one failed.
func ofProxy(req *http.Request, label string, err error) *Error {
	var op *net.OpError
	var refusal *proxyRefusal
	refused := errors.As(err, &refusal)
	if !refused && !(errors.As(err, &op) && op.Op == "proxyconnect") {
		return nil
	}
	name := "the proxy"
	if u, err := http.ProxyFromEnvironment(req); err == nil && u != nil {
		name += " " + u.Host
	}
	if refused {
		return &Error{Kind: Unreachable, final: true, Message: fmt.Sprintf("%s does not let %s be reached (%s)", name, label, refusal.status)}
	}
	return &Error{Kind: Unreachable, dial: true, Message: fmt.Sprintf("%s could not be reached: %s does not answer (%s); HTTP_PROXY or HTTPS_PROXY names it", label, name, reason(err))}
}

// untrusted is the failure of a service whose certificate does not prove who it is, which
// no other attempt changes; nil if that was not the failure.
func untrusted(label string, err error) *Error {
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	signed := errors.As(err, &authority)
	if !errors.As(err, &certificate) && !signed && !errors.As(err, &name) && !errors.As(err, &invalid) {
		return nil
	}
	hint := "a proxy that opens connections needs its own certificate among those of this machine"
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		hint = "the clock of this machine says " + time.Now().UTC().Format(time.RFC3339) + ", which may be wrong"
	case signed:
		hint = "this machine may have no certificates of authorities (package ca-certificates, or a file that SSL_CERT_FILE names); " + hint
	}
	return &Error{Kind: Unreachable, final: true, Message: label + " could not be reached: its certificate is not trusted (" + Plain(reason(err)) + "); " + hint}
}

// hosts remembers which hosts could not be reached a moment ago.
type hosts struct {
	mu   sync.Mutex
	down map[string]unreached
}

type unreached struct {
	at    time.Time
	label string // of the source that was asked; others may be on the same host
	fail  Error
}

// failure is the error of the last attempt to connect to host, in the name of the source
// that asks now, nil if it may be dialled; probe says that others could not be reached.
func (h *hosts) failure(host, label string) (fail *Error, probe bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, u := range h.down {
		switch {
		case time.Since(u.at) > downTime:
			delete(h.down, name)
		case name == host:
			u.fail.Message = strings.Replace(u.fail.Message, u.label, label, 1)
			return &u.fail, false
		default:
			probe = true
		}
	}
	return nil, probe
}

func (h *hosts) failed(host, label string, fail Error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.down == nil {
		h.down = map[string]unreached{}
	}
	h.down[host] = unreached{time.Now(), label, fail}
}

// reached forgets every failure: there is a network, and each host may be dialled.
func (h *hosts) reached() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.down)
}
