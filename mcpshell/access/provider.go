package access

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/sourcegraph/conc/panics"
)

const (
	// fetchTimeout bounds one fetch of a provider's keys. maxReplyBytes bounds each reply in bytes.
	fetchTimeout  = 10 * time.Second
	maxReplyBytes = 1 << 20
	// Keys are fetched again after keyRefreshAge and are not used after maxKeyAge. A token with an
	// unknown key also causes a fetch, but at most one in fetchPause, because anyone can make
	// such a token.
	keyRefreshAge = 10 * time.Minute
	maxKeyAge     = 24 * time.Hour
	fetchPause    = 10 * time.Second
)

// A Provider is an OpenID Connect or OAuth 2.0 provider whose access tokens are accepted if they
// are signed with RS256 or ES256 (RFC 9068). It fetches its keys (RFC 7517) when the first token
// arrives, and caches them. A Provider must not be copied.
type Provider struct {
	Issuer    string            // address of the provider, as its tokens state it
	Audience  string            // audience that tokens for this server must name
	Transport http.RoundTripper // nil: http.DefaultTransport

	mu           sync.Mutex
	keys         jose.JSONWebKeySet
	fetchedAt    time.Time     // when the keys arrived
	fetchStarted time.Time     // when the last fetch began
	pending      chan struct{} // closed when the running fetch ends; nil if none runs
	fetchErr     error         // error of the last fetch
}

// Check returns an error if the provider's settings are invalid.
func (p *Provider) Check() error {
	if err := checkAddress(p.Issuer); err != nil {
		return fmt.Errorf("the issuer %w", err)
	}
	if p.Audience == "" {
		return errors.New("an audience is required; without it, tokens for other services would be accepted")
	}
	return nil
}

// checkAddress returns an error unless address is an https URL, or an http URL of this machine. Without
// TLS, an attacker on the network could substitute the keys.
func checkAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("%.100q is not an https address", address)
	}
	secure := u.Scheme == "https" || u.Scheme == "http" && IsLoopback(u.Hostname())
	plain := u.User == nil && u.RawQuery == "" && u.Fragment == ""
	if !secure || !plain || u.Host == "" {
		return fmt.Errorf("%.100q is not an https address", address)
	}
	return nil
}

// host returns the host of the issuer. It is part of the subject names of the provider's tokens.
func (p *Provider) host() string {
	u, err := url.Parse(p.Issuer)
	if err != nil {
		return p.Issuer
	}
	return u.Host
}

// keysFor returns the keys that may have signed a token with header h. The list is empty if the
// provider has no such key. It returns an error if the provider's keys cannot be fetched.
func (p *Provider) keysFor(ctx context.Context, h jose.Header, now time.Time) (list []any, err error) {
	for asked := false; ; asked = true {
		p.mu.Lock()
		age := now.Sub(p.fetchedAt)
		keys := p.keys.Key(h.KeyID)
		if h.KeyID == "" { // the header kid is optional (RFC 7515, section 4.1.4)
			keys = p.keys.Keys
		}
		for _, k := range keys {
			valid := age < maxKeyAge && k.Valid() && k.IsPublic() && isStrong(k.Key)
			signs := k.Use == "" || k.Use == "sig"
			matches := k.Algorithm == "" || k.Algorithm == h.Algorithm
			if valid && signs && matches {
				list = append(list, k.Key)
			}
		}
		wanted := age >= keyRefreshAge || len(list) == 0 && !asked
		if wanted && p.pending == nil && now.Sub(p.fetchStarted) >= fetchPause {
			p.fetchStarted, p.pending = now, make(chan struct{})
			go p.fetch(now)
		}
		pending, failed := p.pending, p.fetchErr
		p.mu.Unlock()
		switch {
		case len(list) > 0 || pending == nil && age < maxKeyAge || asked && failed == nil:
			return list, nil
		case pending == nil || asked:
			return nil, failed
		}
		select {
		case <-pending:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// minRSABits is the minimum size of an RSA key (RFC 7518, section 3.3).
const minRSABits = 2048

// isStrong reports whether a public key is long enough. Only RSA keys vary in size.
func isStrong(key any) bool {
	k, isRSA := key.(*rsa.PublicKey)
	return !isRSA || k.N.BitLen() >= minRSABits
}

// fetch fetches the keys. It is independent of the request that started it, because other
// requests may wait for the same keys.
func (p *Provider) fetch(now time.Time) {
	ctx, cancel := context.WithTimeout(context.Background(), fetchTimeout)
	defer cancel()
	var keys jose.JSONWebKeySet
	err := fmt.Errorf("the reply of %s cannot be read", p.Issuer) // replaced when ask returns
	panics.Try(func() { keys, err = p.fetchKeySet(ctx) })
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fetchErr = err; err == nil {
		p.keys, p.fetchedAt = keys, now
	}
	close(p.pending)
	p.pending = nil
}

// fetchKeySet fetches the provider's metadata (OpenID Connect Discovery 1.0, section 4; RFC 8414, section
// 3), and then its keys.
func (p *Provider) fetchKeySet(ctx context.Context) (keys jose.JSONWebKeySet, err error) {
	refuseRedirect := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client := &http.Client{Transport: p.Transport, CheckRedirect: refuseRedirect}
	get := func(address string, dst any) error {
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(q)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(io.LimitReader(resp.Body, maxReplyBytes))
		if err == nil && resp.StatusCode != http.StatusOK {
			err = errors.New(resp.Status)
		}
		if err != nil {
			return err
		}
		return json.Unmarshal(data, dst)
	}
	var metadata struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	issuer, err := url.Parse(p.Issuer)
	if err != nil {
		return keys, err
	}
	path := strings.TrimSuffix(issuer.Path, "/")
	err = get(issuer.JoinPath("/.well-known/openid-configuration").String(), &metadata)
	if err != nil && ctx.Err() == nil {
		issuer.Path = "/.well-known/oauth-authorization-server" + path
		err = get(issuer.String(), &metadata)
	}
	switch {
	case err != nil:
		return keys, fmt.Errorf("%s did not answer", p.Issuer)
	case metadata.Issuer != p.Issuer:
		return keys, fmt.Errorf("the metadata of %s name another issuer", p.Issuer)
	case checkAddress(metadata.Keys) != nil:
		return keys, fmt.Errorf("the metadata of %s have no https address of keys", p.Issuer)
	}
	var set struct{ Keys []json.RawMessage }
	err = get(metadata.Keys, &set)
	for _, raw := range set.Keys {
		var key jose.JSONWebKey
		if json.Unmarshal(raw, &key) == nil { // skip unsupported kinds of key
			keys.Keys = append(keys.Keys, key)
		}
	}
	if err != nil || len(keys.Keys) == 0 {
		return keys, fmt.Errorf("%s has no keys", p.Issuer)
	}
	return keys, nil
}

// resource returns the address of this server that a token may name (RFC 8707). If the provider's
// audience is a URL, it returns that, which suits a server behind a proxy. Otherwise it builds
// the address from the request. A proxy that ends TLS says so in X-Forwarded-Proto, because
// clients reject an address with another scheme. A forged header only changes the answer to its
// sender.
func (r Rules) resource(q *http.Request) *url.URL {
	u, err := url.Parse(r.Provider.Audience)
	if err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") {
		return u
	}
	u = &url.URL{Scheme: "http", Host: q.Host, Path: "/mcp"}
	if q.TLS != nil || q.Header.Get("X-Forwarded-Proto") == "https" {
		u.Scheme = "https"
	}
	return u
}

// metadataPath is the path at which clients look up the provider that issues tokens (RFC 9728,
// section 3.1).
const metadataPath = "/.well-known/oauth-protected-resource"

// challenge returns the WWW-Authenticate header of a rejected request (RFC 6750, section 3; RFC
// 9728, section 5.1).
func (r Rules) challenge(q *http.Request, refused *refusal) string {
	parts := []string{`realm="biomcp"`}
	if refused.code != "" {
		parts = append(parts, fmt.Sprintf("error=%q", refused.code))
	}
	if r.Provider != nil {
		at := r.resource(q)
		at.Path = metadataPath + at.Path
		parts = append(parts, fmt.Sprintf("scope=%q", Scope), fmt.Sprintf("resource_metadata=%q", at))
	}
	return "Bearer " + strings.Join(parts, ", ")
}

// HandleMetadata registers handlers that describe the required tokens (RFC 9728), at the paths where
// clients look for the description. The handlers need no token.
func (r Rules) HandleMetadata(mux *http.ServeMux) {
	if r.Provider == nil {
		return
	}
	serve := func(w http.ResponseWriter, q *http.Request) {
		data, err := json.Marshal(map[string]any{
			"resource":                 r.resource(q).String(),
			"resource_name":            "BioMCP",
			"authorization_servers":    []string{r.Provider.Issuer},
			"scopes_supported":         []string{Scope},
			"bearer_methods_supported": []string{"header"},
		})
		if err != nil {
			WriteError(w, http.StatusInternalServerError, "internal error")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		// The write fails only if the client has disconnected.
		_, _ = w.Write(data)
	}
	mux.HandleFunc("GET "+metadataPath, serve)
	mux.HandleFunc("GET "+metadataPath+"/", serve)
}
