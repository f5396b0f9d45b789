package access

import (
	"context"
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
	// fetchTimeout bounds the fetching of a provider's keys, and maxFetched each of its replies, in bytes.
	fetchTimeout = 10 * time.Second
	maxFetched   = 1 << 20
	// Keys are fetched again after keysFresh, and are not used after keysLast. A token with a
	// key that is unknown has them fetched too, but not more often than fetchPause: anyone
	// can make such a token.
	keysFresh  = 10 * time.Minute
	keysLast   = 24 * time.Hour
	fetchPause = 10 * time.Second
)

// Provider is an OpenID Connect or OAuth 2.0 provider whose access tokens are taken, signed
// with RS256 or ES256 (RFC 9068). Its keys (RFC 7517) are fetched when the first token
// comes, and kept. It must not be copied.
type Provider struct {
	Issuer    string            // its address, as its tokens name it
	Audience  string            // of its tokens for this server
	Transport http.RoundTripper // nil: http.DefaultTransport

	mu      sync.Mutex
	keys    jose.JSONWebKeySet
	fetched time.Time     // when the keys came
	tried   time.Time     // when they were last asked for
	pending chan struct{} // closed when the fetch in hand has ended, nil if there is none
	failed  error         // the last fetch
}

// Check says what is wrong with a provider as it is set.
func (p *Provider) Check() error {
	if err := secure(p.Issuer); err != nil {
		return fmt.Errorf("the issuer %w", err)
	}
	if p.Audience == "" {
		return errors.New("tokens need an audience, or those for other services would be taken")
	}
	return nil
}

// secure says what is wrong with an address of a provider. Without TLS, whoever is between
// could give keys of their own.
func secure(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && (u.Scheme != "http" || !IsLoopback(u.Hostname())) {
		return fmt.Errorf("%.100q is no https address", address)
	}
	return nil
}

// host is the provider's name in that of its subjects.
func (p *Provider) host() string {
	u, err := url.Parse(p.Issuer)
	if err != nil {
		return p.Issuer
	}
	return u.Host
}

// keysOf are the keys that a token may be signed with, none if the provider has no such key.
// It fails if the provider's keys cannot be had.
func (p *Provider) keysOf(ctx context.Context, h jose.Header, now time.Time) (list []any, err error) {
	for asked := false; ; asked = true {
		p.mu.Lock()
		age := now.Sub(p.fetched)
		for _, k := range p.keys.Key(h.KeyID) {
			if age < keysLast && k.Valid() && k.IsPublic() && (k.Use == "" || k.Use == "sig") && (k.Algorithm == "" || k.Algorithm == h.Algorithm) {
				list = append(list, k.Key)
			}
		}
		wanted := age >= keysFresh || len(list) == 0 && !asked
		if wanted && p.pending == nil && now.Sub(p.tried) >= fetchPause {
			p.tried, p.pending = now, make(chan struct{})
			go p.fetch(now)
		}
		pending, failed := p.pending, p.failed
		p.mu.Unlock()
		switch {
		case len(list) > 0 || pending == nil && age < keysLast || asked && failed == nil:
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

// fetch fetches the keys. It does not end with the request that wanted them, since others
// wait for them too.
func (p *Provider) fetch(now time.Time) {
	ctx, cancel := context.WithTimeout(context.Background(), fetchTimeout)
	defer cancel()
	var keys jose.JSONWebKeySet
	err := fmt.Errorf("the reply of %s cannot be read", p.Issuer) // unless ask returns
	panics.Try(func() { keys, err = p.ask(ctx) })
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed = err; err == nil {
		p.keys, p.fetched = keys, now
	}
	close(p.pending)
	p.pending = nil
}

// ask asks for the provider's metadata (OpenID Connect Discovery 1.0, 4; RFC 8414, 3), and
// for its keys.
func (p *Provider) ask(ctx context.Context) (keys jose.JSONWebKeySet, err error) {
	client := &http.Client{Transport: p.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	get := func(address string, into any) error {
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(q)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(io.LimitReader(resp.Body, maxFetched))
		if err == nil && resp.StatusCode != http.StatusOK {
			err = errors.New(resp.Status)
		}
		if err != nil {
			return err
		}
		return json.Unmarshal(data, into)
	}
	var about struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	issuer, err := url.Parse(p.Issuer)
	if err != nil {
		return keys, err
	}
	path := strings.TrimSuffix(issuer.Path, "/")
	err = get(issuer.JoinPath("/.well-known/openid-configuration").String(), &about)
	if err != nil && ctx.Err() == nil {
		issuer.Path = "/.well-known/oauth-authorization-server" + path
		err = get(issuer.String(), &about)
	}
	switch {
	case err != nil:
		return keys, fmt.Errorf("%s does not answer", p.Issuer)
	case about.Issuer != p.Issuer:
		return keys, fmt.Errorf("%s is the address of another issuer", p.Issuer)
	case secure(about.Keys) != nil:
		return keys, fmt.Errorf("%s has no address of keys", p.Issuer)
	}
	var set struct{ Keys []json.RawMessage }
	err = get(about.Keys, &set)
	for _, raw := range set.Keys {
		var key jose.JSONWebKey
		if json.Unmarshal(raw, &key) == nil { // a kind that is unknown is for others
			keys.Keys = append(keys.Keys, key)
		}
	}
	if err != nil || len(keys.Keys) == 0 {
		return keys, fmt.Errorf("%s has no keys", p.Issuer)
	}
	return keys, nil
}

// resource is the address of what a request asks, as a token may name it (RFC 8707): the
// audience where that is an address, for a server behind another. One that ends TLS says so,
// and clients refuse an address of another scheme than theirs; the header can change nothing
// but the answer to the one who sent it.
func (r Rules) resource(q *http.Request) *url.URL {
	if u, err := url.Parse(r.Provider.Audience); err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") {
		return u
	}
	u := &url.URL{Scheme: "http", Host: q.Host, Path: "/mcp"}
	if q.TLS != nil || q.Header.Get("X-Forwarded-Proto") == "https" {
		u.Scheme = "https"
	}
	return u
}

// metadataPath is where a client learns which provider makes the tokens: RFC 9728, 3.1.
const metadataPath = "/.well-known/oauth-protected-resource"

// challenge is the header WWW-Authenticate of a refusal (RFC 6750, 3; RFC 9728, 5.1).
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

// Metadata serves what [Rules] ask of a token (RFC 9728), at the paths under which clients
// look for it. It needs no token.
func (r Rules) Metadata(mux *http.ServeMux) {
	if r.Provider == nil {
		return
	}
	serve := func(w http.ResponseWriter, q *http.Request) {
		data, err := json.Marshal(map[string]any{
			"resource": r.resource(q).String(), "resource_name": "BioMCP", "authorization_servers": []string{r.Provider.Issuer},
			"scopes_supported": []string{Scope}, "bearer_methods_supported": []string{"header"},
		})
		if err != nil {
			Refuse(w, http.StatusInternalServerError, "internal error")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		// A client that is gone misses its answer.
		_, _ = w.Write(data)
	}
	mux.HandleFunc("GET "+metadataPath, serve)
	mux.HandleFunc("GET "+metadataPath+"/", serve)
}
