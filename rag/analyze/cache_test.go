package analyze

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"biomcp/store"
)

// A word is looked up again when more words than are kept have passed, and gives the
// same terms.
func TestTermsOutliveTheCacheOfWords(t *testing.T) {
	terms := func(a *Analyzer, text string) (list []string) {
		tokens, _ := a.Tokens(nil, text, 0)
		for _, token := range tokens {
			list = append(list, fmt.Sprint(token.Term, token.Pos))
		}
		return list
	}
	const text = "KRAS mutations, IL-6 and tumours of type 2"
	a := New()
	want := terms(a, text)
	for i := range 2*maxWords + 10 {
		a.word(fmt.Append(nil, "x", i))
	}
	if kept, older := len(a.words.words), len(a.older.words); kept > maxWords || older > maxWords || kept != a.words.numbers.Len() || older != a.older.numbers.Len() {
		t.Errorf("%d and %d words are kept, %d at most", kept, older, maxWords)
	}
	if got := terms(a, text); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The memory of dropped words must not grow. In this test every 64th word is used repeatedly.
func TestDroppedWordsAreFreed(t *testing.T) {
	a := New()
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var again [][]byte
	fill := func(from, to int) {
		for i := from; i < to; i++ {
			word := fmt.Appendf(nil, "x%dq", i)
			if a.word(word); i%64 == 0 {
				again = append(again, word)
			}
			if i%(maxWords/2) == 0 {
				for _, word := range again {
					a.word(word)
				}
			}
		}
	}
	fill(0, 4*maxWords)
	before := heap()
	fill(4*maxWords, 12*maxWords)
	if grown := int64(heap() - before); grown > 10<<20 {
		t.Errorf("%d MB more after %d more words", grown>>20, 8*maxWords)
	}
	runtime.KeepAlive(a)
}

// All tokens of one spelling share the entry of their term, including those that are part of a
// compound.
func TestEntryBelongsToOneTerm(t *testing.T) {
	tokens, _ := New().Tokens(nil, "IL-6 and IL 6, KRAS kras, BRAFV600E-mutant, U.S., CD8+ T cell", 0)
	terms := map[any]string{}
	for _, token := range tokens {
		if token.Entry == nil {
			t.Fatalf("%q has no entry", token.Term)
		}
		if before, ok := terms[token.Entry]; ok && before != token.Term {
			t.Errorf("one entry is of %q and %q", before, token.Term)
		}
		terms[token.Entry] = token.Term
	}
	again := slices.IndexFunc(tokens[1:], func(x store.Token) bool { return x.Term == "il6" })
	if again < 0 || tokens[again+1].Entry != tokens[slices.IndexFunc(tokens, func(x store.Token) bool { return x.Term == "il6" })].Entry {
		t.Error("il6 has two entries")
	}
}
