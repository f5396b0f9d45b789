package httpclient

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

// Each connection is attempted twice for connectTime, so that an unreachable host is reported in
// under 3 s. If one host is unreachable and no host has been reached since, the network is probably
// down: other hosts get one attempt of probeTime. An unreachable host is not dialled again for
// downTime. A service on this machine gets localTime, because only a busy processor delays its
// answer.
const (
	connectTime  = time.Second
	localTime    = 20 * time.Second
	probeTime    = 300 * time.Millisecond
	downTime     = 5 * time.Second
	dialAttempts = 2
)

type probeKey struct{}

// NewTransport returns a copy of http.DefaultTransport with a limit on the time to connect. If dial
// is nil, it uses a net.Dialer.
func NewTransport(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Transport {
	if dial == nil {
		dial = (&net.Dialer{KeepAlive: 30 * time.Second}).DialContext
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 4 // the request rates never need more
	t.OnProxyConnectResponse = func(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
		if answer.StatusCode != http.StatusOK {
			return &proxyRefusal{answer.StatusCode, answer.Status}
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

// NotConnected reports whether err is a failure of name resolution or connection, so that no
// request was sent.
func NotConnected(err error) bool {
	var dns *net.DNSError
	var op *net.OpError
	return errors.As(err, &dns) || errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect")
}

// A proxyRefusal is the error of a proxy that refuses to connect to a host.
type proxyRefusal struct {
	code   int
	status string
}

func (p *proxyRefusal) Error() string { return "the proxy answered " + p.status }

// proxyError returns the error of a failure of the proxy set in the environment, or nil if the
// proxy did not fail.
func proxyError(req *http.Request, label string, err error) *Error {
	var op *net.OpError
	var refusal *proxyRefusal
	refused := errors.As(err, &refusal)
	if !refused && !(errors.As(err, &op) && op.Op == "proxyconnect") {
		return nil
	}
	name := proxyName(req)
	if refused {
		e := &Error{Kind: Unreachable, final: true,
			Message: fmt.Sprintf("%s refused the connection to %s (%s)", name, label, refusal.status)}
		if refusal.code == http.StatusProxyAuthRequired {
			e.Message += "; HTTP_PROXY or HTTPS_PROXY sets its user and password: http://user:password@host:port"
		}
		return e
	}
	return &Error{Kind: Unreachable, dial: true, Message: fmt.Sprintf(
		"%s could not be reached: %s does not answer (%s); HTTP_PROXY or HTTPS_PROXY sets it",
		label, name, reason(err))}
}

// proxyName returns a name for the proxy of a request.
func proxyName(req *http.Request) string {
	if u, err := http.ProxyFromEnvironment(req); err == nil && u != nil {
		return "the proxy " + u.Host
	}
	return "the proxy"
}

// protocolError returns the error of a port that does not speak TLS, or nil if err has another cause.
// Another attempt would fail in the same way.
func protocolError(req *http.Request, call *Call, err error) *Error {
	var record tls.RecordHeaderError
	if !errors.As(err, &record) && !errors.Is(err, http.ErrSchemeMismatch) {
		return nil
	}
	var op *net.OpError
	who := req.URL.Host
	if errors.As(err, &op) && op.Op == "proxyconnect" {
		who = proxyName(req)
	}
	return &Error{Kind: Unreachable, final: true, Message: fmt.Sprintf("%s could not be reached: %s does not speak TLS (%s)",
		call.source().Label, who, Plain(reason(err)))}
}

// certificateError returns the error of a certificate that cannot be verified, or nil if err has
// another cause. Another attempt would fail in the same way.
func certificateError(label string, err error) *Error {
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	signed := errors.As(err, &authority)
	if !errors.As(err, &certificate) && !signed && !errors.As(err, &name) && !errors.As(err, &invalid) {
		return nil
	}
	hint := "if a proxy decrypts connections, add its certificate to those of this machine"
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		hint = "the clock of this machine says " + time.Now().UTC().Format(time.RFC3339) + ", which may be wrong"
	case signed:
		hint = "this machine may have no certificates of authorities " +
			"(install the package ca-certificates, or set SSL_CERT_FILE); " + hint
	}
	return &Error{Kind: Unreachable, final: true, Message: label +
		" could not be reached: its certificate is not trusted (" + Plain(reason(err)) + "); " + hint}
}

// hosts remembers the hosts that were recently unreachable.
type hosts struct {
	mu   sync.Mutex
	down map[string]failedHost
}

type failedHost struct {
	at    time.Time
	label string // label of the source that failed; other sources may use the same host
	fail  Error
}

// failure returns the error of the last attempt to connect to host, with label as the source, or
// nil if the host may be dialled. probe reports whether another host is unreachable.
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

// markDown records that host is unreachable.
func (h *hosts) markDown(host, label string, fail Error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.down == nil {
		h.down = map[string]failedHost{}
	}
	h.down[host] = failedHost{time.Now(), label, fail}
}

// markUp forgets every failure: the network is up, and each host may be dialled.
func (h *hosts) markUp() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.down)
}
