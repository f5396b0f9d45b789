package analyze

import (
	"strings"

	"biomcp/store/intern"
)

// A word holds the properties of one spelling.
type word struct {
	raw  *term
	stem *term // equal to raw for a symbol
	stop bool
	asks bool // is a stop word in questions
	unit bool
}

// A wordCache maps spellings to words.
type wordCache struct {
	numbers intern.Table
	words   []word
}

func (c *wordCache) find(text []byte) *word {
	if n, ok := intern.Find(&c.numbers, text); ok {
		return &c.words[n]
	}
	return nil
}

// maxWords is the maximum number of recently used words in an Analyzer. With an equal number of
// older ones they take about 20 MB. Words that are used again stay.
const maxWords = 1 << 16

// word returns the cached properties of a spelling.
func (a *Analyzer) word(text []byte) *word {
	if w := a.words.find(text); w != nil {
		return w
	}
	var w word
	if older := a.older.find(text); older != nil {
		w = *older
	} else {
		w = a.newWord(text)
	}
	if len(a.words.words) >= maxWords {
		a.older.numbers.Reset()
		// Allocate a new slice, because atoms of this text may refer to a.older.words.
		a.words, a.older = wordCache{a.older.numbers, make([]word, 0, maxWords)}, a.words
	}
	intern.Add(&a.words.numbers, text)
	a.words.words = append(a.words.words, w)
	return &a.words.words[len(a.words.words)-1]
}

func (a *Analyzer) newWord(text []byte) word {
	raw := strings.ToValidUTF8(string(text[:min(len(text), maxAtom)]), "")
	w := word{raw: &term{text: raw}, stop: stopWords()[raw], asks: questionWords()[raw]}
	stem := a.stem.stem(raw)
	if w.stem = w.raw; stem != raw {
		w.stem = &term{text: stem}
	}
	w.unit = units()[stem]
	return w
}
