package httpclient

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (r roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return r(req) }

// A failure that another attempt cannot change is not retried, and its message names the cause.
func TestFailuresBetweenUsAndTheService(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		want  string
		times int32
	}{
		"certificate": {&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, "; this machine may have no certificates of authorities (install the package ca-certificates", 1},
		"clock":       {&tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Cert: &x509.Certificate{}, Reason: x509.Expired}}, "; the clock of this machine says 20", 1},
		"name":        {x509.HostnameError{Host: "x", Certificate: &x509.Certificate{}}, "its certificate is not trusted (", 1},
		"dead proxy":  {&net.OpError{Op: "proxyconnect", Net: "tcp", Err: &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}}, "the proxy does not answer (", dialAttempts},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int32
			o := options(nil)
			o.Transport = roundTrip(func(*http.Request) (*http.Response, error) { asked.Add(1); return nil, c.err })
			_, err := search(t.Context(), open(o), "x")
			failure(t, err, Unreachable)
			if n := asked.Load(); n != c.times {
				t.Errorf("%d requests, want %d", n, c.times)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q in it", err, c.want)
			}
		})
	}
}

// A real connection goes through a proxy that refuses it.
func TestProxyThatRefuses(t *testing.T) {
	var asked atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusForbidden)
	}))
	defer proxy.Close()
	address, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := NewTransport(nil)
	transport.Proxy = http.ProxyURL(address)
	o := options(nil)
	o.Transport = transport
	_, err = get(context.Background(), open(o), xmlCall, "https://host.example/x")
	failure(t, err, Unreachable)
	if n := asked.Load(); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
	for _, want := range []string{"the proxy refused the connection to ", "(403 Forbidden)"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q in it", err, want)
		}
	}
}
