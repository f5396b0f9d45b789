package intern

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// checked is a Table and a map that must agree with it.
type checked struct {
	Table
	known map[string]uint32
}

func (c *checked) add(t *testing.T, word string) {
	t.Helper()
	want, was := c.known[word]
	if n, ok := Find(&c.Table, word); ok != was || ok && n != want {
		t.Fatalf("%q was found as %d, %v; want %d, %v", word, n, ok, want, was)
	}
	if !was {
		want = uint32(len(c.known))
		c.known[word] = want
	}
	if n, added := Add(&c.Table, []byte(word)); n != want || added == was {
		t.Fatalf("%q was added as %d, %v; want %d, %v", word, n, added, want, !was)
	}
	if got := string(c.Word(want)); got != word || c.Len() != len(c.known) {
		t.Fatalf("word %d of %d is %q, want %q", want, c.Len(), got, word)
	}
}

func (c *checked) all(t *testing.T) {
	t.Helper()
	for word, want := range c.known {
		if n, ok := Find(&c.Table, []byte(word)); !ok || n != want {
			t.Fatalf("%q was found as %d, %v; want %d", word, n, ok, want)
		}
	}
}

func TestWordsKeepTheirNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	c := checked{known: map[string]uint32{}}
	for range 2 {
		if _, ok := Find(&c.Table, "a"); ok {
			t.Error("an empty table has a word")
		}
		for _, word := range []string{"", "\x00", "\x00\x00", "a", "a\x00", "aaaaaaa", "aaaaaaaa", "aaaaaaaa\x00", "aaaaaaaaa", strings.Repeat("a", 16), strings.Repeat("a", 17), strings.Repeat("\x00", 40)} {
			c.add(t, word)
			c.add(t, word)
		}
		for range 20_000 {
			word := make([]byte, rng.IntN(20))
			for i := range word {
				word[i] = "ab\x00\xff"[rng.IntN(4)]
			}
			c.add(t, string(word))
		}
		for i := range 5000 {
			c.add(t, fmt.Sprintf("the same beginning %d the same end", i))
		}
		c.all(t)
		c.Reset()
		clear(c.known)
	}
}

func FuzzTable(f *testing.F) {
	f.Add("alpha beta alpha")
	f.Add("a\x00 a  immunoglobulin immunoglobulins")
	f.Fuzz(func(t *testing.T, words string) {
		c := checked{known: map[string]uint32{}}
		for word := range strings.SplitSeq(words, " ") {
			c.add(t, word)
		}
		c.all(t)
	})
}
