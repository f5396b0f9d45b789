package textcodec

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// The limits of a Code, and the minimum uses in the samples.
const (
	maxWords     = 64_000
	maxPhrases   = 64_000
	maxWordLen   = 40
	minWordCount = 3   // occurrences of a word
	minPairCount = 8   // occurrences of each part of a phrase
	minSavedBits = 160 // bits that a phrase must save
	rounds       = 12  // each round lengthens phrases by a token
)

// Train returns a Code for texts like the samples. A thousand samples take a few tenths of a
// second.
func Train(samples [][]byte) *Code {
	c := &Code{words: commonWords(samples)}
	c.prepare()
	list := make([]tokens, len(samples))
	for i, text := range samples {
		list[i].read(c, text)
	}
	frequent := c.frequent(list)
	var pairs phraseTable
	for round, more := 0, true; more && round < rounds; round++ {
		more = c.lengthen(list, frequent, &pairs)
	}
	counts := c.counts(list, func(_, _ uint32) {})
	var spellings [contexts][firstWord]uint32
	for _, t := range list {
		for _, word := range t.words {
			context := 0
			for _, letter := range word {
				spellings[context][letter]++
				context = contextOf(letter)
			}
			spellings[context][' ']++
		}
	}
	// Every possible text must be writable.
	for s := range counts {
		if isWritable(s) {
			counts[s]++
		}
	}
	c.symbols, _ = newHuffman(codeLengths(counts))
	for context := range c.letters {
		for letter := range firstWord {
			if isWritableLetter(context, letter) {
				spellings[context][letter]++
			}
		}
		c.letters[context], _ = newHuffman(codeLengths(spellings[context][:]))
	}
	c.join()
	return c
}

// isWritable reports whether a text may contain symbol.
func isWritable(symbol int) bool {
	return symbol >= firstWord || symbol == spelled || isToken(byte(symbol))
}

// isWritableLetter reports whether a spelled word may have a letter, or its final space, in a context.
func isWritableLetter(context, letter int) bool {
	return isWordByte(byte(letter)) || letter == ' ' && context > 0
}

// commonWords returns the frequent words of the samples, the most frequent first.
func commonWords(samples [][]byte) []string {
	counts := map[string]int{}
	for _, text := range samples {
		for len(text) > 0 {
			word, size := nextToken(text, false)
			if 0 < len(word) && len(word) <= maxWordLen {
				counts[string(word)]++
			}
			text = text[size:]
		}
	}
	maps.DeleteFunc(counts, func(_ string, n int) bool { return n < minWordCount })
	words := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return words[:min(len(words), maxWords)]
}

// counts returns the counts of the symbols of texts. It calls pair with each symbol and the token
// that follows it.
func (c *Code) counts(list []tokens, pair func(symbol, token uint32)) []uint32 {
	counts := make([]uint32, c.phraseSymbol(len(c.phrases)))
	for _, t := range list {
		for rest := t.list; len(rest) > 0; {
			var symbol uint32
			symbol, rest = c.longestFrom(rest)
			counts[symbol]++
			if len(rest) > 0 {
				pair(symbol, rest[0])
			}
		}
	}
	return counts
}

// frequent reports, by token, whether it may become part of a phrase.
func (c *Code) frequent(list []tokens) []bool {
	counts := make([]uint32, c.phraseSymbol(0))
	for _, t := range list {
		for _, token := range t.list {
			counts[token]++
		}
	}
	frequent := make([]bool, len(counts))
	for token, n := range counts {
		frequent[token] = n >= minPairCount && token != spelled
	}
	return frequent
}

// lengthen adds phrases of a symbol and a token that follows it so much more often than by chance
// that a phrase saves bits. It reports whether it added any. It uses pairs as scratch memory.
func (c *Code) lengthen(list []tokens, frequent []bool, pairs *phraseTable) bool {
	clear(pairs.slots)
	pairs.n = 0
	counts := c.counts(list, func(symbol, token uint32) {
		if frequent[token] && (int(symbol) >= len(frequent) || frequent[symbol]) {
			pairs.slot(phrase{symbol, token}).number++
		}
	})
	total := 0.0
	for _, n := range counts {
		total += float64(n)
	}
	saved := map[phrase]float64{}
	for _, s := range pairs.slots {
		p, n := s.phrase, s.number
		byChance := float64(counts[p.symbol]) * float64(max(counts[p.token], n)) / total
		if bits := float64(n) * math.Log2(float64(n)/byChance); n > 0 && bits >= minSavedBits {
			saved[p] = bits
		}
	}
	best := slices.SortedFunc(maps.Keys(saved), func(a, b phrase) int {
		return cmp.Or(cmp.Compare(saved[b], saved[a]), cmp.Compare(a.symbol, b.symbol), cmp.Compare(a.token, b.token))
	})
	best = best[:min(len(best), maxPhrases-len(c.phrases))]
	for _, p := range best {
		c.phraseIndex.add(p, c.phraseSymbol(len(c.phrases)))
		c.phrases = append(c.phrases, p)
	}
	return len(best) > 0
}
