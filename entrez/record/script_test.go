package record

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// Unicode defines the character of each script by its compatibility decomposition.
func TestScriptsAreUnicodes(t *testing.T) {
	for _, pairs := range []string{superscripts, subscripts} {
		t.Run(pairs, func(t *testing.T) {
			runes := []rune(pairs)
			for i := 0; i < len(runes); i += 2 {
				from, to := runes[i], runes[i+1]
				plain := norm.NFKC.String(string(to))
				if strings.ContainsRune("-‐‑–", from) {
					from = '−'
				}
				if plain != string(from) && plain != norm.NFKC.String(string(from)) {
					t.Errorf("%c for %c means %q", to, from, plain)
				}
			}
		})
	}
	if s, ok := Superscript("\xff2"); ok || s != "\xff2" {
		t.Errorf("invalid UTF-8: %q %v", s, ok)
	}
	if s, ok := Subscript("2 n"); !ok || s != "₂ ₙ" {
		t.Errorf("%q %v", s, ok)
	}
}
