package store

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// listOf is a list with the given words, in this order, and as many invented ones as
// make n in all.
func listOf(n int, words ...string) *wordList {
	l := &wordList{words: words}
	for i := len(words); i < n; i++ {
		l.words = append(l.words, fmt.Sprint("invented", i))
	}
	l.number()
	return l
}

// With a word twice, the numbers after it would be those of other words.
func TestListWithAWordTwiceIsRefused(t *testing.T) {
	if l := (&wordList{words: []string{"cells", "mice", "cells", "rats"}}); l.number() {
		t.Error("a list with a word twice can be used")
	}
	if l := (&wordList{words: []string{"cells", "mice", "rats"}}); !l.number() {
		t.Error("a list of three words cannot be used")
	}
}

func TestCodedWordsAreReadBack(t *testing.T) {
	l := listOf(maxWords, "the", "Müller", "cells", "±", "of")
	for _, text := range []string{
		"", " ", "the", " the ", "the the", "the  the", "the of cells", "the unknown of", "the\nof", "the,of; cells.", "of Müller ± naïve ± the",
		"thecells cellsthe", "\x80\x81\xff\x00\xc1 the", "invented63 invented64 invented15935 invented15936 invented31999 invented32000",
		"the " + strings.Repeat("long", 40) + " the", "the\x80of", "the ", " the of ",
	} {
		coded := l.encode(nil, []byte(text))
		if back, ok := l.decode(coded); !ok || string(back) != text {
			t.Errorf("%q was written as %q and read as %q, %v", text, coded, back, ok)
		}
	}
	if got := l.encode(nil, []byte("the cells of the")); len(got) != 4 {
		t.Errorf("four of the commonest words take %d bytes", len(got))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"the", "cells", " ", "  ", "\x80", "x", "invented900", "invented20000", "\x00", "é", "\xff", "."}
	for range 2000 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		coded := l.encode(nil, []byte(b.String()))
		if back, ok := l.decode(coded); !ok || string(back) != b.String() {
			t.Fatalf("%q was written as %q and read as %q, %v", b.String(), coded, back, ok)
		}
	}
}

func TestDamagedCodesOfWordsAreRefused(t *testing.T) {
	l := listOf(100, "the")
	for _, coded := range []string{"\x80", "\xc1", "\xff\x00", "\xff", "\xc1\xff", "\xff\x00\x00", "a\xfe"} {
		if text, ok := l.decode([]byte(coded)); ok {
			t.Errorf("%q was read as %q", coded, text)
		}
	}
}

func TestListHasTheCommonestWords(t *testing.T) {
	text := []byte(strings.Repeat("of cells of mice, ", 10) + strings.Repeat("rats ", leastCount-1))
	l := newWordList([][]byte{text, []byte("of a")})
	if got := fmt.Sprint(l.words); got != "[of cells mice]" {
		t.Errorf("the words are %s", got)
	}
	dictionary := []byte("\x37\xa4\x30\xec…")
	data := append(l.appendTo(nil), dictionary...)
	again, rest, err := readDictionary(data)
	if err != nil || fmt.Sprint(again.words) != fmt.Sprint(l.words) || !bytes.Equal(rest, dictionary) {
		t.Errorf("%v, %q, %v", again, rest, err)
	}
	if words, rest, err := readDictionary(dictionary); words != nil || !bytes.Equal(rest, dictionary) || err != nil {
		t.Errorf("a dictionary without words: %v, %q, %v", words, rest, err)
	}
	if _, _, err := readDictionary([]byte(wordsMagic + "\xff\x01of")); err == nil {
		t.Error("a list that is cut short was read")
	}
}

func FuzzCodedWords(f *testing.F) {
	l := listOf(20_000, "the", "cells", "±")
	f.Add([]byte("the cells ± \x80 invented17000 the"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if back, ok := l.decode(l.encode(nil, text)); !ok || !bytes.Equal(back, text) {
			t.Errorf("%q was read as %q, %v", text, back, ok)
		}
		l.decode(text)
	})
}
