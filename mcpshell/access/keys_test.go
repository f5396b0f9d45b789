package access

import (
	"crypto/rand"
	"crypto/rsa"
	"math/big"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// A token without kid may be signed with any listed key. RSA keys under 2,048 bits are not used.
func TestKeysForAToken(t *testing.T) {
	strong, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	weak := &rsa.PublicKey{N: new(big.Int).SetBit(big.NewInt(1), 1023, 1), E: 65537}
	now := time.Now()
	p := &Provider{fetchedAt: now, fetchStarted: now, keys: jose.JSONWebKeySet{Keys: []jose.JSONWebKey{
		{Key: weak, KeyID: "weak", Use: "sig"}, {Key: &strong.PublicKey, KeyID: "a", Use: "sig"},
		{Key: &strong.PublicKey, KeyID: "b"}, {Key: &strong.PublicKey, KeyID: "encrypts", Use: "enc"},
		{Key: &strong.PublicKey, KeyID: "other", Algorithm: "RS512"},
	}}}
	for kid, want := range map[string]int{"": 2, "a": 1, "b": 1, "weak": 0, "encrypts": 0, "other": 0, "unknown": 0} {
		keys, err := p.keysFor(t.Context(), jose.Header{KeyID: kid, Algorithm: "RS256"}, now)
		if err != nil {
			t.Errorf("kid %q: %v", kid, err)
		}
		if len(keys) != want {
			t.Errorf("kid %q: %d keys, want %d", kid, len(keys), want)
		}
	}
}
