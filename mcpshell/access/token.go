package access

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const (
	// Audience is the "aud" claim of this program's tokens.
	Audience = "biomcp"
	// Scope is the scope that a provider's token must include.
	Scope = "biomcp:read"
	// MinKeyBytes is the minimum length of a key for HS256 in bytes (RFC 7518, section 3.2).
	MinKeyBytes = 32
)

// CheckKey returns an error if the key is too short.
func CheckKey(key []byte) error {
	if len(key) < MinKeyBytes {
		return fmt.Errorf("the key for tokens has %d bytes; at least %d are required", len(key), MinKeyBytes)
	}
	return nil
}

// NewToken returns a signed token (RFC 7519) for subject, valid between the two times.
func NewToken(key []byte, subject string, from, until time.Time) (string, error) {
	if err := CheckKey(key); err != nil {
		return "", err
	}
	signingKey := jose.SigningKey{Algorithm: jose.HS256, Key: key}
	signer, err := jose.NewSigner(signingKey, (&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		return "", err
	}
	return jwt.Signed(signer).Claims(jwt.Claims{
		Subject: subject, Audience: jwt.Audience{Audience},
		IssuedAt: jwt.NewNumericDate(from), NotBefore: jwt.NewNumericDate(from), Expiry: jwt.NewNumericDate(until),
	}).Serialize()
}

// A refusal is the reason why the token of a request was rejected. It contains no part of the
// token. The code is an error code of RFC 6750, section 3.1, or "" if the request has no token.
type refusal struct {
	status     int
	code, text string
}

func (r *refusal) Error() string { return r.text }

// claims holds the claims of a token. Providers write its scopes as one string (RFC 9068, section
// 2.2.3), or as a list in scp.
type claims struct {
	jwt.Claims
	Scope string          `json:"scope"`
	Scp   json.RawMessage `json:"scp"`
}

// allows reports whether the token includes scope.
func (c claims) allows(scope string) bool {
	list := strings.Fields(c.Scope)
	var one string
	var several []string
	if json.Unmarshal(c.Scp, &one) == nil {
		list = append(list, strings.Fields(one)...)
	} else if json.Unmarshal(c.Scp, &several) == nil {
		list = append(list, several...)
	}
	return slices.Contains(list, scope)
}

// authenticate returns the subject of a request's token, or "" if no token is required. The
// subject of a provider's token ends in the provider's host, so that it cannot equal that of
// another token.
func (r Rules) authenticate(q *http.Request) (subject string, refused *refusal) {
	if r.Key == nil && r.Provider == nil {
		return "", nil
	}
	scheme, text, _ := strings.Cut(q.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || len(q.Header.Values("Authorization")) != 1 {
		made := "made with biomcp serve-http token"
		if r.Provider != nil {
			made = "of " + r.Provider.Issuer
		}
		return "", &refusal{http.StatusUnauthorized, "", "a token is required: Authorization: Bearer, " + made}
	}
	text = strings.TrimSpace(text)
	if subject, ok := r.cache.subject(text, r.now()); ok {
		return subject, nil
	}
	subject, until, refused := r.check(q, text)
	if refused == nil {
		r.cache.add(text, subject, r.now(), until)
	}
	return subject, refused
}

// check verifies a token. It returns the token's subject and expiry time.
func (r Rules) check(q *http.Request, text string) (subject string, until time.Time, refused *refusal) {
	bad := func(text string) (string, time.Time, *refusal) {
		return "", until, &refusal{http.StatusUnauthorized, "invalid_token", text}
	}
	var known []jose.SignatureAlgorithm
	if r.Key != nil {
		known = append(known, jose.HS256)
	}
	if r.Provider != nil {
		known = append(known, jose.RS256, jose.ES256)
	}
	token, err := jwt.ParseSigned(text, known)
	if err != nil {
		return bad("this server did not issue the token")
	}
	// The algorithm shows which issuer signed the token, and so which keys apply.
	keys, expected, leeway := []any{r.Key}, jwt.Expected{AnyAudience: jwt.Audience{Audience}}, time.Duration(0)
	ours := token.Headers[0].Algorithm == string(jose.HS256)
	if !ours {
		if keys, err = r.Provider.keysFor(q.Context(), token.Headers[0], r.now()); err != nil {
			return "", until, &refusal{http.StatusServiceUnavailable, "", "the token cannot be checked: " + err.Error()}
		}
		expected = jwt.Expected{Issuer: r.Provider.Issuer, AnyAudience: jwt.Audience{r.Provider.Audience}}
		leeway = jwt.DefaultLeeway
	}
	var c claims
	signed := slices.ContainsFunc(keys, func(key any) bool { return token.Claims(key, &c) == nil })
	switch err := c.ValidateWithLeeway(expected.WithTime(r.now()), leeway); {
	case !signed:
		return bad("this server did not issue the token")
	case c.Expiry == nil || errors.Is(err, jwt.ErrExpired):
		return bad("the token has expired")
	case errors.Is(err, jwt.ErrNotValidYet), errors.Is(err, jwt.ErrIssuedInTheFuture):
		return bad("the token is not valid yet")
	case errors.Is(err, jwt.ErrInvalidAudience):
		return bad("the token is for another audience; this server's is " + expected.AnyAudience[0])
	case err != nil:
		return bad(cmp.Or(expected.Issuer, "this server") + " did not issue the token")
	case c.Subject == "":
		return bad("the token names no subject")
	case ours:
		return c.Subject, c.Expiry.Time(), nil
	case !c.allows(Scope):
		return "", until, &refusal{http.StatusForbidden, "insufficient_scope", "the token does not allow " + Scope}
	}
	return c.Subject + "@" + r.Provider.host(), c.Expiry.Time(), nil
}

func (r Rules) now() time.Time {
	if r.Now != nil {
		return r.Now()
	}
	return time.Now()
}

// maxTokenCacheTime is the time for which a verified token is not verified again, unless it expires
// first. If a provider revokes a key, its tokens stay valid for that much longer.
const maxTokenCacheTime = time.Minute

// tokenCache caches the subjects of recently verified tokens, by the digest of the token. A
// verification takes as long as a call that is answered from memory.
type tokenCache struct {
	mu      sync.Mutex
	entries map[[sha256.Size]byte]cachedToken
}

type cachedToken struct {
	subject string
	until   time.Time
}

// subject returns the cached subject of a token. It reports whether the token is cached and
// valid.
func (c *tokenCache) subject(token string, now time.Time) (string, bool) {
	sum := sha256.Sum256([]byte(token))
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.entries[sum]
	return known.subject, ok && now.Before(known.until)
}

// add caches the subject of a token until the token expires, and for at most maxTokenCacheTime.
func (c *tokenCache) add(token, subject string, now, until time.Time) {
	if last := now.Add(maxTokenCacheTime); last.Before(until) {
		until = last
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil || len(c.entries) >= maxCallers {
		c.entries = map[[sha256.Size]byte]cachedToken{}
	}
	c.entries[sha256.Sum256([]byte(token))] = cachedToken{subject, until}
}
