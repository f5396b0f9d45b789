package access

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	// Audience is the claim "aud" of a token of this program.
	Audience = "biomcp"
	// MinKey is the least length of a key for HS256, in bytes: RFC 7518, 3.2.
	MinKey = 32
)

// CheckKey says what is wrong with a key.
func CheckKey(key []byte) error {
	if len(key) < MinKey {
		return fmt.Errorf("the key for tokens has %d bytes; at least %d are needed", len(key), MinKey)
	}
	return nil
}

// NewToken signs a token (RFC 7519) for a subject.
func NewToken(key []byte, subject string, from, until time.Time) (string, error) {
	if err := CheckKey(key); err != nil {
		return "", err
	}
	return jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
		Subject: subject, Audience: jwt.ClaimStrings{Audience},
		IssuedAt: jwt.NewNumericDate(from), NotBefore: jwt.NewNumericDate(from), ExpiresAt: jwt.NewNumericDate(until),
	}).SignedString(key)
}

// authenticate returns the subject of a request's token, "" if no token is needed. Its error
// says why the token is refused, and holds nothing of it.
func (r Rules) authenticate(q *http.Request) (subject string, err error) {
	if r.Key == nil {
		return "", nil
	}
	scheme, token, _ := strings.Cut(q.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || len(q.Header.Values("Authorization")) != 1 {
		return "", errors.New("a token is needed: Authorization: Bearer, made with biomcp serve-http token")
	}
	options := []jwt.ParserOption{jwt.WithValidMethods([]string{"HS256"}), jwt.WithAudience(Audience), jwt.WithExpirationRequired()}
	if r.Now != nil {
		options = append(options, jwt.WithTimeFunc(r.Now))
	}
	var claims jwt.RegisteredClaims
	_, err = jwt.NewParser(options...).ParseWithClaims(strings.TrimSpace(token), &claims, func(*jwt.Token) (any, error) { return r.Key, nil })
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return "", errors.New("the token has expired")
	case errors.Is(err, jwt.ErrTokenNotValidYet):
		return "", errors.New("the token is not valid yet")
	case errors.Is(err, jwt.ErrTokenInvalidAudience):
		return "", errors.New("the token is for another audience; this server's is " + Audience)
	case err != nil:
		return "", errors.New("the token is not one of this server")
	case claims.Subject == "":
		return "", errors.New("the token names no subject")
	}
	return claims.Subject, nil
}
