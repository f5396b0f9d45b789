package mcpshell

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"biomcp/mcpshell/access"
)

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(q *http.Request) (*http.Response, error) { return f(q) }

// A client without a token learns where to get one. With the token, the log names the client.
func TestTokensOfAProviderOverHTTP(t *testing.T) {
	const issuer, audience = "https://login.example.org", "http://localhost/mcp"
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	set, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "1"}}})
	if err != nil {
		t.Fatal(err)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key, KeyID: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	provider := &access.Provider{Issuer: issuer, Audience: audience, Transport: tripper(func(q *http.Request) (*http.Response, error) {
		body := string(set)
		if q.URL.Path != "/keys" {
			body = `{"issuer":"` + issuer + `","jwks_uri":"` + issuer + `/keys"}`
		}
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}, nil
	})}
	synctest.Test(t, func(t *testing.T) {
		r := startSite(t, Options{}, Site{Rules: access.Rules{Provider: provider}})
		defer r.end()
		refused := r.post(hello("2025-11-25", "test"))
		_, at, _ := strings.Cut(refused.Header.Get("WWW-Authenticate"), `resource_metadata="http://localhost`)
		about := r.do("GET", strings.TrimSuffix(at, `"`), "")
		if refused.StatusCode != 401 || about.StatusCode != 200 || !strings.Contains(about.body, `"authorization_servers":["`+issuer+`"]`) || !strings.Contains(about.body, `"resource":"`+audience+`"`) {
			t.Errorf("%s, then %s %s", refused.Status, about.Status, about.body)
		}
		for scope, want := range map[string]int{access.Scope: 200, "openid": 403} {
			token, err := jwt.Signed(signer).Claims(map[string]any{"iss": issuer, "aud": audience, "sub": "alice", "scope": scope, "exp": time.Now().Add(time.Hour).Unix()}).Serialize()
			if err != nil {
				t.Fatal(err)
			}
			if a := r.post(hello("2025-11-25", "test"), "Authorization: Bearer "+token); a.StatusCode != want {
				t.Errorf("scope %s: %s %s", scope, a.Status, a.body)
			}
		}
		if log := r.log.String(); !strings.Contains(log, `"subject":"alice@login.example.org"`) || !strings.Contains(log, "the token does not allow biomcp:read") || strings.Contains(log, "eyJ") {
			t.Error(log)
		}
	})
}
