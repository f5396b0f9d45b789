package access

import (
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

var key = []byte("0123456789abcdef0123456789abcdef")

// ask sends a request through the rules to a handler that writes its caller.
func ask(rules Rules, method string, headers ...string) *httptest.ResponseRecorder {
	q := httptest.NewRequest(method, "http://localhost:8080/mcp", strings.NewReader("body"))
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		switch name {
		case "Host":
			q.Host = value
		case "Peer":
			q.RemoteAddr = value
		default:
			q.Header.Add(name, value)
		}
	}
	w := httptest.NewRecorder()
	rules.Guard(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_, _ = io.WriteString(w, "caller "+CallerOf(q.Context()).Subject)
	})).ServeHTTP(w, q)
	return w
}

func TestHost(t *testing.T) {
	rules := Rules{Hosts: []string{"mcp.example.org", "192.0.2.7", "2001:db8::1"}}
	for host, status := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "LOCALHOST:1": 200, "127.0.0.1:8080": 200, "127.8.9.1": 200, "[::1]:8080": 200, "localhost.": 200,
		"mcp.example.org": 200, "MCP.example.org:443": 200, "192.0.2.7:80": 200, "[2001:db8::1]:80": 200,
		"evil.example.org": 403, "localhost.evil.org": 403, "127.0.0.1.evil.org": 403, "0.0.0.0": 403, "": 403, "192.0.2.8": 403, "mcp.example.org.evil.org": 403,
		"localhost@evil.org": 403, "2130706433": 403,
	} {
		t.Run(host, func(t *testing.T) {
			if w := ask(rules, "POST", "Host: "+host); w.Code != status {
				t.Errorf("%q: %d %s", host, w.Code, w.Body)
			}
		})
	}
}

func TestOrigin(t *testing.T) {
	rules := Rules{Origins: []string{"https://app.example.org"}}
	for origin, status := range map[string]int{
		"https://app.example.org": 200, "http://localhost:6274": 200, "https://127.0.0.1": 200, "http://[::1]:9": 200,
		"http://app.example.org": 403, "https://app.example.org:444": 403, "https://app.example.org.evil.org": 403, "null": 403, "": 403,
		"https://evil.org": 403, "file://localhost": 403, "http://localhost.evil.org": 403, "*": 403, "https://app.example.org https://evil.org": 403,
	} {
		t.Run(origin, func(t *testing.T) {
			w := ask(rules, "POST", "Origin: "+origin)
			if w.Code != status {
				t.Errorf("%q: %d %s", origin, w.Code, w.Body)
			}
			allowed := w.Header().Get("Access-Control-Allow-Origin")
			if listed := origin == rules.Origins[0]; listed != (allowed == origin && origin != "") {
				t.Errorf("%q: Access-Control-Allow-Origin %q", origin, allowed)
			}
		})
	}
	if w := ask(rules, "POST", "Origin: https://app.example.org", "Origin: https://evil.org"); w.Code != 403 {
		t.Errorf("two origins: %d", w.Code)
	}
	if w := ask(rules, "POST"); w.Code != 200 || w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("no origin: %d %v", w.Code, w.Header())
	}
}

func TestPreflight(t *testing.T) {
	rules := Rules{Origins: []string{"https://app.example.org"}, Key: key}
	w := ask(rules, "OPTIONS", "Origin: https://app.example.org", "Access-Control-Request-Method: POST")
	h := w.Header()
	if w.Code != 204 || h.Get("Access-Control-Allow-Methods") != "GET, POST, DELETE" || !strings.Contains(h.Get("Access-Control-Allow-Headers"), "Authorization") || h.Get("Vary") != "Origin" {
		t.Errorf("%d %v", w.Code, h)
	}
	if w := ask(rules, "OPTIONS", "Origin: https://evil.org", "Access-Control-Request-Method: POST"); w.Code != 403 || w.Header().Get("Access-Control-Allow-Methods") != "" {
		t.Errorf("of another page: %d %v", w.Code, w.Header())
	}
}

func TestParseOrigins(t *testing.T) {
	if list, err := ParseOrigins(" https://a.org, http://b.org:8080/ ,"); err != nil || len(list) != 2 || list[1] != "http://b.org:8080" {
		t.Errorf("%v %v", list, err)
	}
	for _, bad := range []string{"*", "a.org", "ftp://a.org", "https://a.org/path", "https://", "null", "https://u@a.org"} {
		t.Run(bad, func(t *testing.T) {
			if list, err := ParseOrigins(bad); err == nil {
				t.Errorf("%q is %q", bad, list)
			}
		})
	}
}

func TestTokens(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	rules := Rules{Key: key, Now: func() time.Time { return now }}
	own := func(change func(map[string]any)) map[string]any {
		c := map[string]any{"sub": "alice", "aud": Audience, "exp": now.Add(time.Hour).Unix(), "nbf": now.Unix()}
		change(c)
		return c
	}
	hs := func(change func(map[string]any)) string { return sign(t, jose.HS256, key, "", own(change)) }
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	good, err := NewToken(key, "alice", now, now.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{good, hs(same), hs(func(c map[string]any) { c["aud"] = []string{"other", Audience} }), hs(func(c map[string]any) { delete(c, "nbf") })} {
		t.Run(token, func(t *testing.T) {
			if w := ask(rules, "POST", "Authorization: Bearer "+token); w.Code != 200 || w.Body.String() != "caller alice" {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	half := strings.Split(good, ".")
	for name, token := range map[string]string{
		"expired":        hs(func(c map[string]any) { c["exp"] = now.Add(-time.Second).Unix() }),
		"without an end": hs(func(c map[string]any) { delete(c, "exp") }),
		"not valid yet":  hs(func(c map[string]any) { c["nbf"] = now.Add(time.Minute).Unix() }),
		"other audience": hs(func(c map[string]any) { c["aud"] = "other" }),
		"no audience":    hs(func(c map[string]any) { delete(c, "aud") }),
		"no subject":     hs(func(c map[string]any) { delete(c, "sub") }),
		"unsigned":       unsigned(t, own(same)),
		"no signature":   half[0] + "." + half[1] + ".",
		"other key":      sign(t, jose.HS256, []byte("another key of thirty-two bytes!"), "", own(same)),
		"HS512":          sign(t, jose.HS512, append(key, key...), "", own(same)),
		"RS256":          sign(t, jose.RS256, private, "", own(same)),
		"critical":       sign(t, jose.HS256, key, "", own(same), "https://example.org/must-be-understood"),
		"none":           "", "no token": "x.y.z", "long": strings.Repeat("a", 8000),
	} {
		t.Run(name, func(t *testing.T) {
			w := ask(rules, "POST", "Authorization: Bearer "+token)
			if w.Code != 401 || !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Bearer") || strings.Contains(w.Body.String(), "caller") {
				t.Errorf("%s: %d %s", name, w.Code, w.Body)
			}
		})
	}
	for _, h := range []string{"X: y", "Authorization: Basic " + good, "Authorization: " + good} {
		t.Run(h, func(t *testing.T) {
			if w := ask(rules, "POST", h); w.Code != 401 {
				t.Errorf("%.30s: %d", h, w.Code)
			}
		})
	}
	if w := ask(rules, "POST", "Authorization: Bearer "+good, "Authorization: Bearer "+good); w.Code != 401 {
		t.Errorf("two tokens: %d", w.Code)
	}
	if _, err := NewToken(key[:MinKeyBytes-1], "alice", now, now); err == nil {
		t.Error("a short key signed a token")
	}
}

func TestRateLimit(t *testing.T) {
	token := func(subject string) string {
		s, err := NewToken(key, subject, time.Now(), time.Now().Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		return "Authorization: Bearer " + s
	}
	rules := Rules{Key: key, Rate: NewRate(2, 2*time.Second)}
	codes := func(n int, headers ...string) (list []int) {
		for range n {
			w := ask(rules, "POST", headers...)
			list = append(list, w.Code)
			if w.Code == 429 {
				if s, err := strconv.Atoi(w.Header().Get("Retry-After")); err != nil || s < 1 {
					t.Errorf("Retry-After %q", w.Header().Get("Retry-After"))
				}
			}
		}
		return list
	}
	alice, bob := token("alice"), token("bob")
	if got := codes(3, alice); got[1] != 200 || got[2] != 429 {
		t.Errorf("a subject: %v", got)
	}
	if got := codes(1, alice, "Peer: 198.51.100.1:5"); got[0] != 429 {
		t.Errorf("the same subject from another address: %v", got)
	}
	if got := codes(1, bob); got[0] != 200 {
		t.Errorf("another subject: %v", got)
	}
	// Without a valid token it goes by the address, and not by what the request says of it.
	for i, h := range []string{"Authorization: Bearer x", "X-Forwarded-For: 203.0.113.9", "Forwarded: for=203.0.113.9", "X-Real-Ip: 203.0.113.9"} {
		t.Run(h, func(t *testing.T) {
			want := 401
			if i > 1 {
				want = 429
			}
			if got := codes(1, h, "Peer: 192.0.2.1:"+strconv.Itoa(1000+i)); got[0] != want {
				t.Errorf("%s: %v", h, got)
			}
		})
	}
	for address, want := range map[string]bool{"127.0.0.1:9": true, "[::1]:9": true, "[::ffff:127.0.0.1]:9": true, "192.0.2.1:9": false, "[2001:db8::1]:9": false} {
		t.Run(address, func(t *testing.T) {
			if (Caller{Peer: address}).Account() == "" != want || (Caller{"alice", address}).Account() != "subject alice" {
				t.Errorf("%s is local: %v", address, !want)
			}
		})
	}
	if a, b := peerAddress("[2001:db8::1]:5"), peerAddress("[2001:db8::ffff]:6"); a != b || a == peerAddress("[2001:db8:0:1::1]:5") {
		t.Errorf("one network of IPv6 is %s and %s", a, b)
	}
	if peerAddress("[::ffff:192.0.2.1]:5") != peerAddress("192.0.2.1:7") {
		t.Error("an address of IPv4 written as one of IPv6 is another")
	}
}

func TestCallersAreBounded(t *testing.T) {
	r, now := NewRate(2, 2*time.Second), time.Now()
	for i := range 3 * maxCallers {
		r.Wait(strconv.Itoa(i), now)
	}
	if n := len(r.callers); n > maxCallers+1 {
		t.Errorf("%d callers are remembered", n)
	}
	if r.Wait("0", now); r.Wait("0", now) == 0 {
		t.Error("a caller that is remembered was forgotten")
	}
	later := now.Add(time.Minute)
	if r.Wait("new", later) != 0 || len(r.callers) > 2 {
		t.Errorf("a minute later %d are remembered", len(r.callers))
	}
}

// counted counts the bytes read from it.
type counted struct {
	io.Reader
	n int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}

func (c *counted) Close() error { return nil }

func TestBodiesAreBounded(t *testing.T) {
	const most = 65536
	rules := Rules{MaxBody: most}
	for _, c := range []struct {
		size     int
		declared bool
		status   int
		read     int
	}{
		{most, true, 200, most}, {most, false, 200, most},
		{most + 1, true, 413, 0}, {most + 1, false, 413, most + 1}, {50 << 20, true, 413, 0}, {50 << 20, false, 413, most + 1},
	} {
		t.Run(fmt.Sprint(c.size), func(t *testing.T) {
			body := &counted{Reader: io.LimitReader(rand.Reader, int64(c.size))}
			q := httptest.NewRequest("POST", "http://localhost/mcp", body)
			if q.ContentLength = -1; c.declared {
				q.ContentLength = int64(c.size)
			}
			w, got := httptest.NewRecorder(), int64(0)
			rules.Guard(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) { got, _ = io.Copy(io.Discard, q.Body) })).ServeHTTP(w, q)
			if w.Code != c.status || body.n != c.read || c.status == 200 && got != int64(c.size) {
				t.Errorf("%d bytes, declared %v: %d, %d were read, the handler got %d", c.size, c.declared, w.Code, body.n, got)
			}
		})
	}
}
