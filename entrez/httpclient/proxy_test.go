package httpclient

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
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

// A proxy that asks for a password is named, whether the address is http or https.
func TestProxyThatAsksForAPassword(t *testing.T) {
	for _, scheme := range []string{"http", "https"} {
		for _, file := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, file %v", scheme, file), func(t *testing.T) {
				var asked atomic.Int32
				proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					asked.Add(1)
					w.Header().Set("Proxy-Authenticate", "Basic")
					w.WriteHeader(http.StatusProxyAuthRequired)
				}))
				defer proxy.Close()
				transport := NewTransport(nil)
				transport.Proxy = http.ProxyURL(address(proxy.URL))
				o := options(nil)
				o.Transport = transport
				o.Addresses = map[string]string{source.Name: scheme + "://host.example/"}
				s := open(o).Service(source)
				var err error
				if file {
					err = s.Save(t.Context(), NewCall(xmlCall.Endpoint), &File{Path: filepath.Join(t.TempDir(), "f")})
				} else {
					_, err = s.Do(t.Context(), NewCall(xmlCall.Endpoint))
				}
				failure(t, err, Unreachable)
				if n := asked.Load(); n != 1 {
					t.Errorf("%d requests, want 1", n)
				}
				for _, want := range []string{"the proxy refused the connection to Example service (407 Proxy Authentication Required)", "HTTPS_PROXY sets its user and password"} {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("%v, want %q in it", err, want)
					}
				}
			})
		}
	}
}

// A port that does not speak TLS is tried once, and the error says so.
func TestTLSToAPortThatDoesNotSpeakIt(t *testing.T) {
	serve := func(t *testing.T, answer string) (string, *atomic.Int32) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		var dials atomic.Int32
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				dials.Add(1)
				_, _ = conn.Write([]byte(answer))
				_, _ = conn.Read(make([]byte, 4096))
				conn.Close()
			}
		}()
		return l.Addr().String(), &dials
	}
	for name, answer := range map[string]string{
		"HTTP": "HTTP/1.0 400 Bad Request\r\n\r\n", "SSH": "SSH-2.0-OpenSSH_9.6\r\n", "something else": "hello, here I am",
	} {
		t.Run(name, func(t *testing.T) {
			host, dials := serve(t, answer)
			o := options(nil)
			o.Transport = nil
			o.Addresses = map[string]string{source.Name: "https://" + host + "/"}
			_, err := open(o).Service(source).Do(t.Context(), NewCall(xmlCall.Endpoint))
			failure(t, err, Unreachable)
			if n := dials.Load(); n != 1 {
				t.Errorf("%d connections, want 1", n)
			}
			if want := "Example service could not be reached: " + host + " does not speak TLS"; !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q in it", err, want)
			}
		})
	}
}
