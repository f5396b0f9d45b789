package access

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// sign returns a signed token. critical lists extensions that its reader must understand.
func sign(t *testing.T, by jose.SignatureAlgorithm, key any, kid string, claims map[string]any, critical ...string) string {
	t.Helper()
	o := (&jose.SignerOptions{}).WithType("JWT")
	if len(critical) > 0 {
		o = o.WithCritical(critical...).WithHeader(jose.HeaderKey(critical[0]), true)
	}
	if kid != "" {
		o = o.WithHeader("kid", kid)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: by, Key: key}, o)
	if err != nil {
		t.Fatal(err)
	}
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// unsigned returns a token that claims to need no signature.
func unsigned(t *testing.T, claims map[string]any) string {
	t.Helper()
	body, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + base64.RawURLEncoding.EncodeToString(body) + "."
}

const issuer, audience = "https://login.example.org/realms/lab", "https://mcp.example.org/mcp"

// A provider simulates an OpenID provider. It chooses its replies by the address.
type provider struct {
	asked atomic.Int32 // number of requests for its keys
	mu    sync.Mutex
	keys  jose.JSONWebKeySet
	rude  func(q *http.Request) (*http.Response, error) // instead of the keys; nil: none
}

func (p *provider) set(keys ...jose.JSONWebKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys.Keys = keys
}

func text(status int, body io.Reader) *http.Response {
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Header: http.Header{}, Body: io.NopCloser(body)}
}

func (p *provider) RoundTrip(q *http.Request) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch q.URL.String() {
	case issuer + "/.well-known/openid-configuration":
		return text(200, strings.NewReader(`{"issuer":"`+issuer+`","jwks_uri":"https://login.example.org/keys"}`)), nil
	case "https://login.example.org/keys":
		p.asked.Add(1)
		if p.rude != nil {
			return p.rude(q)
		}
		var list []string
		for _, k := range p.keys.Keys {
			data, err := json.Marshal(k)
			if err != nil {
				return nil, err
			}
			list = append(list, string(data))
		}
		// Keys of kinds to come are for other readers.
		return text(200, strings.NewReader(`{"keys":[{"kty":"AKP","alg":"ML-DSA-44","pub":"AA","kid":"later"},`+strings.Join(list, ",")+`]}`)), nil
	}
	return text(404, strings.NewReader("<html>no such page</html>")), nil
}

func public(kid string, key crypto.Signer) jose.JSONWebKey {
	return jose.JSONWebKey{Key: key.Public(), KeyID: kid, Use: "sig"}
}

func newKeys(t *testing.T) (*rsa.PrivateKey, *ecdsa.PrivateKey) {
	t.Helper()
	r, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	e, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return r, e
}

// said returns the claims of a valid token of the provider, after change.
func said(now time.Time, change func(map[string]any)) map[string]any {
	c := map[string]any{"iss": issuer, "sub": "alice", "aud": audience, "exp": now.Add(time.Hour).Unix(), "iat": now.Unix(), "scope": "openid biomcp:read"}
	change(c)
	return c
}

func same(map[string]any) {}

func TestTokensOfAProvider(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	r, e := newKeys(t)
	other, _ := newKeys(t)
	p := &provider{}
	p.set(public("r", r), public("e", e), jose.JSONWebKey{Key: other.Public(), KeyID: "for-encryption", Use: "enc"})
	rules := Rules{Key: key, Provider: &Provider{Issuer: issuer, Audience: audience, Transport: p}, Now: func() time.Time { return now }}
	if err := rules.Provider.Check(); err != nil {
		t.Fatal(err)
	}
	rs := func(change func(map[string]any)) string { return sign(t, jose.RS256, r, "r", said(now, change)) }
	der, err := x509.MarshalPKIXPublicKey(r.Public())
	if err != nil {
		t.Fatal(err)
	}
	own, err := NewToken(key, "alice", now, now.Add(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ token, body string }{
		"RS256":              {rs(same), "caller alice@login.example.org"},
		"ES256":              {sign(t, jose.ES256, e, "e", said(now, same)), "caller alice@login.example.org"},
		"of this program":    {own, "caller alice"},
		"a list of scopes":   {rs(func(c map[string]any) { delete(c, "scope"); c["scp"] = []string{"a", Scope} }), "caller alice@login.example.org"},
		"scopes in scp":      {rs(func(c map[string]any) { delete(c, "scope"); c["scp"] = "a " + Scope }), "caller alice@login.example.org"},
		"several audiences":  {rs(func(c map[string]any) { c["aud"] = []string{"account", audience} }), "caller alice@login.example.org"},
		"a clock that lags":  {rs(func(c map[string]any) { c["exp"] = now.Add(-59 * time.Second).Unix() }), "caller alice@login.example.org"},
		"a clock that leads": {rs(func(c map[string]any) { c["nbf"] = now.Add(59 * time.Second).Unix() }), "caller alice@login.example.org"},
	} {
		t.Run(name, func(t *testing.T) {
			if w := ask(rules, "POST", "Authorization: Bearer "+c.token); w.Code != 200 || w.Body.String() != c.body {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	for name, token := range map[string]string{
		"expired":                     rs(func(c map[string]any) { c["exp"] = now.Add(-61 * time.Second).Unix() }),
		"without an end":              rs(func(c map[string]any) { delete(c, "exp") }),
		"not valid yet":               rs(func(c map[string]any) { c["nbf"] = now.Add(61 * time.Second).Unix() }),
		"made tomorrow":               rs(func(c map[string]any) { c["iat"] = now.Add(24 * time.Hour).Unix() }),
		"other audience":              rs(func(c map[string]any) { c["aud"] = "account" }),
		"the audience of own tokens":  rs(func(c map[string]any) { c["aud"] = Audience }),
		"no audience":                 rs(func(c map[string]any) { delete(c, "aud") }),
		"other issuer":                rs(func(c map[string]any) { c["iss"] = issuer + "/" }),
		"no issuer":                   rs(func(c map[string]any) { delete(c, "iss") }),
		"no subject":                  rs(func(c map[string]any) { delete(c, "sub") }),
		"unsigned":                    unsigned(t, said(now, same)),
		"critical":                    sign(t, jose.RS256, r, "r", said(now, same), "https://example.org/must-be-understood"),
		"other key":                   sign(t, jose.RS256, other, "r", said(now, same)),
		"a key that is unknown":       sign(t, jose.RS256, other, "x", said(now, same)),
		"a key for encryption":        sign(t, jose.RS256, other, "for-encryption", said(now, same)),
		"RS256 with the key of ES256": sign(t, jose.RS256, r, "e", said(now, same)),
		"RS512":                       sign(t, jose.RS512, r, "r", said(now, same)),
		"PS256":                       sign(t, jose.PS256, r, "r", said(now, same)),
		"HS256 with a public key":     sign(t, jose.HS256, der, "r", said(now, same)),
		"HS256 with its PEM":          sign(t, jose.HS256, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), "r", said(now, same)),
		"long":                        strings.Repeat("a", 8000), "long parts": strings.Repeat("eyJhbGciOiJSUzI1NiJ9.", 300), "none": "",
	} {
		t.Run(name, func(t *testing.T) {
			w := ask(rules, "POST", "Authorization: Bearer "+token)
			if challenge := w.Header().Get("WWW-Authenticate"); w.Code != 401 || strings.Contains(w.Body.String(), "caller") ||
				challenge != `Bearer realm="biomcp", error="invalid_token", scope="biomcp:read", resource_metadata="https://mcp.example.org/.well-known/oauth-protected-resource/mcp"` {
				t.Errorf("%d %s %s", w.Code, challenge, w.Body)
			}
		})
	}
	w := ask(rules, "POST", "Authorization: Bearer "+rs(func(c map[string]any) { c["scope"] = "openid biomcp:reads" }))
	if challenge := w.Header().Get("WWW-Authenticate"); w.Code != 403 || !strings.Contains(challenge, `error="insufficient_scope", scope="biomcp:read"`) {
		t.Errorf("without the scope: %d %s", w.Code, challenge)
	}
	if w := ask(rules, "POST"); w.Code != 401 || strings.Contains(w.Header().Get("WWW-Authenticate"), "error=") || !strings.Contains(w.Body.String(), issuer) {
		t.Errorf("without a token: %d %v %s", w.Code, w.Header(), w.Body)
	}
	rules.Key = nil
	for name, token := range map[string]string{"of this program": own, "HS256 with a public key": sign(t, jose.HS256, der, "r", said(now, same)), "HS256 with no key": sign(t, jose.HS256, make([]byte, 32), "", said(now, same))} {
		if w := ask(rules, "POST", "Authorization: Bearer "+token); w.Code != 401 {
			t.Errorf("%s, of a server without a key of its own: %d", name, w.Code)
		}
	}
}

// A verified token is verified again within a minute, and is never accepted once it has expired.
func TestTokensAreCheckedAgain(t *testing.T) {
	r, _ := newKeys(t)
	synctest.Test(t, func(t *testing.T) {
		p := &provider{}
		p.set(public("r", r))
		rules := Rules{Key: key, Provider: &Provider{Issuer: issuer, Audience: audience, Transport: p}}
		served := rules.Guard(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { _, _ = io.WriteString(w, CallerOf(q.Context()).Subject) }))
		send := func(token string) (int, string) {
			q := httptest.NewRequest("POST", "http://localhost/mcp", nil)
			q.Header.Set("Authorization", "Bearer "+token)
			w := httptest.NewRecorder()
			served.ServeHTTP(w, q)
			return w.Code, w.Body.String()
		}
		of := func(subject string) string {
			return sign(t, jose.RS256, r, "r", said(time.Now(), func(c map[string]any) { c["sub"] = subject }))
		}
		alice, bob := of("alice"), of("bob")
		for range 2 {
			for token, want := range map[string]string{alice: "alice@login.example.org", bob: "bob@login.example.org"} {
				if code, got := send(token); code != 200 || got != want {
					t.Errorf("%d %s, want %s", code, got, want)
				}
			}
			if code, _ := send(alice[:len(alice)-4] + "AAAA"); code != 401 {
				t.Errorf("another signature: %d", code)
			}
		}
		short, err := NewToken(key, "carol", time.Now(), time.Now().Add(10*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		if code, _ := send(short); code != 200 {
			t.Errorf("a short token: %d", code)
		}
		time.Sleep(10*time.Second + time.Nanosecond)
		if code, _ := send(short); code != 401 {
			t.Errorf("after its end: %d", code)
		}
		p.set(public("other", r))
		time.Sleep(keyRefreshAge)
		if code, _ := send(bob); code != 200 { // and the keys are fetched
			t.Errorf("with a key that may still be good: %d", code)
		}
		synctest.Wait()
		time.Sleep(maxTokenCacheTime)
		if code, _ := send(bob); code != 401 {
			t.Errorf("a minute after its key was taken back: %d", code)
		}
	})
}

func TestProvidersAreChecked(t *testing.T) {
	for name, p := range map[string]*Provider{
		"no issuer": {Audience: "a"}, "http": {Issuer: "http://login.example.org", Audience: "a"}, "no audience": {Issuer: issuer}, "file": {Issuer: "file:///etc", Audience: "a"},
		"a query": {Issuer: issuer + "?a=b", Audience: "a"}, "a password": {Issuer: "https://u:p@login.example.org", Audience: "a"}, "a name": {Issuer: "login.example.org", Audience: "a"},
	} {
		t.Run(name, func(t *testing.T) {
			if p.Check() == nil {
				t.Errorf("%s is taken", p.Issuer)
			}
		})
	}
	if err := (&Provider{Issuer: "http://127.0.0.1:8180/realms/lab", Audience: "a"}).Check(); err != nil {
		t.Errorf("on this machine: %v", err)
	}
}

// While keys change under load, one fetch serves all requests, and forged tokens cause no other
// fetches.
func TestKeysRotateUnderLoad(t *testing.T) {
	first, _ := newKeys(t)
	second, _ := newKeys(t)
	synctest.Test(t, func(t *testing.T) {
		p := &provider{}
		p.set(public("1", first))
		rules := Rules{Provider: &Provider{Issuer: issuer, Audience: audience, Transport: p}}
		crowd := func(want int, tokens ...string) {
			t.Helper()
			var all sync.WaitGroup
			for i := range 200 {
				all.Go(func() {
					if w := ask(rules, "POST", "Authorization: Bearer "+tokens[i%len(tokens)]); w.Code != want {
						t.Errorf("%d %s", w.Code, w.Body)
					}
				})
			}
			all.Wait()
			synctest.Wait()
		}
		by := func(kid string, key any) string {
			return sign(t, jose.RS256, key, kid, said(time.Now(), func(c map[string]any) { c["exp"] = time.Now().Add(72 * time.Hour).Unix() }))
		}
		asked := func(want int32) {
			t.Helper()
			if n := p.asked.Load(); n != want {
				t.Errorf("the keys were asked for %d times, not %d", n, want)
			}
		}
		old, next := by("1", first), by("2", second)
		crowd(200, old)
		asked(1)
		var forged []string
		for i := range 200 {
			forged = append(forged, by(fmt.Sprint("forged", i), second))
		}
		crowd(401, forged...)
		asked(1) // too soon after the last time
		time.Sleep(fetchPause)
		crowd(401, forged...)
		asked(2)
		p.set(public("1", first), public("2", second))
		time.Sleep(fetchPause)
		crowd(200, next)
		asked(3)
		p.set(public("2", second))
		time.Sleep(keyRefreshAge)
		crowd(200, next)
		asked(4)
		crowd(401, old) // a key that was taken back
		// Without the provider, the keys that are known serve for a day.
		p.rude = func(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") }
		time.Sleep(maxKeyAge - time.Minute)
		crowd(200, next)
		time.Sleep(time.Minute)
		crowd(503, next)
	})
}

// A misbehaving provider is awaited for a limited time and up to a limited length, and no token
// is accepted.
func TestRudeProviders(t *testing.T) {
	r, _ := newKeys(t)
	reply := func(status int, body string) func(*http.Request) (*http.Response, error) {
		return func(*http.Request) (*http.Response, error) { return text(status, strings.NewReader(body)), nil }
	}
	for name, rude := range map[string]func(*http.Request) (*http.Response, error){
		"silent":      func(q *http.Request) (*http.Response, error) { <-q.Context().Done(); return nil, q.Context().Err() },
		"endless":     func(*http.Request) (*http.Response, error) { return text(200, endless{}), nil },
		"stalls":      func(q *http.Request) (*http.Response, error) { return text(200, stalled{q.Context()}), nil },
		"an error":    reply(500, `{"keys":[]}`),
		"a redirect":  reply(302, ""),
		"HTML":        reply(200, "<html>"),
		"a panic":     func(*http.Request) (*http.Response, error) { panic("SECRET") },
		"no keys":     reply(200, `{"keys":[]}`),
		"null":        reply(200, `null`),
		"other keys":  reply(200, `{"keys":[{"kty":"oct","k":"AAAA","kid":"r"}]}`),
		"a wrong key": reply(200, `{"keys":[{"kty":"RSA","n":"","e":"","kid":"r"},7,null]}`),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rules := Rules{Provider: &Provider{Issuer: issuer, Audience: audience, Transport: &provider{rude: rude}}}
				begun := time.Now()
				w := ask(rules, "POST", "Authorization: Bearer "+sign(t, jose.RS256, r, "r", said(begun, same)))
				if want := map[bool]int{true: 401, false: 503}[name == "other keys"]; w.Code != want || time.Since(begun) > fetchTimeout || want == 503 && w.Header().Get("Retry-After") == "" {
					t.Errorf("%d after %s: %s", w.Code, time.Since(begun), w.Body)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		p := &Provider{Issuer: issuer, Audience: audience, Transport: &provider{rude: func(q *http.Request) (*http.Response, error) { <-q.Context().Done(); return nil, q.Context().Err() }}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := p.keysFor(ctx, jose.Header{}, time.Now()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a client that went away: %v", err)
		}
		time.Sleep(fetchTimeout) // the fetch ends by itself
		synctest.Wait()
	})
	for name, about := range map[string]string{"of another": `{"issuer":"https://evil.example.org","jwks_uri":"https://login.example.org/keys"}`, "keys without TLS": `{"issuer":"` + issuer + `","jwks_uri":"http://login.example.org/keys"}`} {
		t.Run(name, func(t *testing.T) {
			p := &Provider{Issuer: issuer, Audience: audience, Transport: round(func(*http.Request) (*http.Response, error) { return text(200, strings.NewReader(about)), nil })}
			if _, err := p.keysFor(t.Context(), jose.Header{}, time.Now()); err == nil {
				t.Error("it is taken")
			}
		})
	}
	// An OAuth server that knows nothing of OpenID.
	good := &provider{}
	good.set(public("r", r))
	oauth := round(func(q *http.Request) (*http.Response, error) {
		if q.URL.String() == "https://login.example.org/.well-known/oauth-authorization-server/realms/lab" {
			q = q.Clone(q.Context())
			q.URL.Path = "/realms/lab/.well-known/openid-configuration"
		} else if strings.Contains(q.URL.Path, "openid") {
			return text(404, strings.NewReader("")), nil
		}
		return good.RoundTrip(q)
	})
	rules := Rules{Provider: &Provider{Issuer: issuer, Audience: audience, Transport: oauth}}
	if w := ask(rules, "POST", "Authorization: Bearer "+sign(t, jose.RS256, r, "r", said(time.Now(), same))); w.Code != 200 {
		t.Errorf("an OAuth server: %d %s", w.Code, w.Body)
	}
}

type round func(*http.Request) (*http.Response, error)

func (r round) RoundTrip(q *http.Request) (*http.Response, error) { return r(q) }

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

type stalled struct{ context.Context }

func (s stalled) Read([]byte) (int, error) {
	<-s.Done()
	return 0, s.Err()
}
