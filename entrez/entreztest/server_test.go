package entreztest

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// fetch sends a request without a network, and returns status and body.
func fetch(t *testing.T, s *Server, url string) (int, string) {
	t.Helper()
	r, err := s.Client().Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

func TestServerListensOnLoopbackOnly(t *testing.T) {
	s := New(t)
	if !strings.HasPrefix(s.URL(), "http://127.0.0.1:") {
		t.Errorf("listens on %s", s.URL())
	}
	r, err := http.Get(s.EntrezURL() + "einfo.fcgi")
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("status %d", r.StatusCode)
	}
	for _, addr := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "nonsense"} {
		t.Run(addr, func(t *testing.T) {
			if _, err := Start(Addr(addr)); err == nil {
				t.Errorf("Addr(%q) accepted", addr)
			}
		})
	}
}
