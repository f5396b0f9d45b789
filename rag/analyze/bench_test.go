package analyze

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"biomcp/store"
)

// synthetic generates text with PubMed's proportions of function words, invented
// words with Zipf frequencies, numbers, compounds and letters outside ASCII.
func synthetic(words int) string {
	r := rand.New(rand.NewPCG(1, 2))
	grammar := strings.Fields("the of and in to with for was were is a by that patients study results effect treatment")
	syllables := strings.Fields("car di o neu ro path gas tro hep ato nephr ic al ine ol ide ation ing ed s ly tic em ia")
	var b strings.Builder
	for range words {
		switch k := r.IntN(100); {
		case k < 40:
			b.WriteString(grammar[r.IntN(len(grammar))])
		case k < 90:
			rank := uint64(math.Exp(r.Float64() * math.Log(50_000)))
			w := rand.New(rand.NewPCG(rank, 7))
			for range 2 + w.IntN(3) {
				b.WriteString(syllables[w.IntN(len(syllables))])
			}
		case k < 94:
			fmt.Fprintf(&b, "%d", r.IntN(500))
		case k < 97:
			fmt.Fprintf(&b, "IL-%d", r.IntN(40))
		case k < 99:
			b.WriteString("dose-dependent")
		default:
			b.WriteString("TNF-α")
		}
		b.WriteString([]string{" ", " ", " ", " ", " ", " ", " ", " ", ", ", ". "}[r.IntN(10)])
	}
	return b.String()
}

func BenchmarkTokens_250words(b *testing.B) {
	const words = 250
	var texts []string
	all := strings.Fields(synthetic(words * 400))
	for i := 0; i+words <= len(all); i += words {
		texts = append(texts, strings.Join(all[i:i+words], " "))
	}
	a := New()
	var dst []store.Token
	b.ReportAllocs()
	b.SetBytes(int64(len(texts[0])))
	n := 0
	for b.Loop() {
		dst, _ = a.Tokens(dst[:0], texts[n%len(texts)], 0)
		n++
	}
	b.ReportMetric(float64(n*words)/b.Elapsed().Seconds()/1e6, "Mwords/s")
}

// The time for 1 MB of repeated text does not depend on the text.
func BenchmarkRepeatedText_1MB(b *testing.B) {
	for _, s := range []string{"a", "a-", "1", "1,", "1/", "α", "A*0:", "'s", "+", "\x01", "é", "癌", "IL 6 ", "²", "aᵇ", "a(2)", "(99m)T", "^(", "BRAFV600E"} {
		text := strings.Repeat(s, 1<<20/len(s))
		b.Run(s, func(b *testing.B) {
			a := New()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				a.Tokens(nil, text, 0)
			}
		})
	}
}
