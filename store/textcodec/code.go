package textcodec

import (
	"encoding/binary"
	"errors"
	"slices"
	"sync"

	"biomcp/store/intern"
)

// Code compresses texts. Its methods are safe for concurrent use.
type Code struct {
	words   []string
	phrases []phrase
	symbols huffman
	letters [contexts]huffman

	text []byte   // texts of all symbols, concatenated
	ends []uint32 // end of each symbol's text in text

	writing     sync.Once // guards the fields below, which only writing needs
	unique      bool
	numbers     intern.Table // numbers of the words
	phraseIndex phraseTable
}

// A token is a byte outside words, represented by its value, or a word, represented by firstWord
// plus its index. A symbol is a token, or a phrase; the numbers of phrases follow those of tokens.
const (
	firstWord = 256
	spelled   = 'a' // symbol before a spelled word; free, as no byte of a word is a token
)

// ErrDamaged is returned for data that was not written by a Code.
var ErrDamaged = errors.New("a compressed text is damaged")

func isWordByte(c byte) bool {
	return c >= 0x80 || c-'0' < 10 || c|0x20-'a' < 26
}

// isToken reports whether c is a token.
func isToken(c byte) bool { return !isWordByte(c) }

// nextToken reads the token at the beginning of text. It returns its size and its word, which is nil for
// another byte. A single space between two words belongs to the second one.
func nextToken(text []byte, afterWord bool) (word []byte, size int) {
	from := 0
	if afterWord && text[0] == ' ' {
		from = 1
	}
	to := from
	for to < len(text) && isWordByte(text[to]) {
		to++
	}
	if to == from {
		return nil, 1
	}
	return text[from:to], to
}

// Check returns an error if a word of the Code is repeated, in which case the Code cannot compress.
func (c *Code) Check() error {
	if c.prepare(); !c.unique {
		return ErrDamaged
	}
	return nil
}

// prepare creates the fields that only writing needs.
func (c *Code) prepare() {
	c.writing.Do(func() {
		for _, w := range c.words {
			intern.Add(&c.numbers, w)
		}
		c.unique = c.numbers.Len() == len(c.words)
		for i, p := range c.phrases {
			c.phraseIndex.add(p, c.phraseSymbol(i))
		}
	})
}

func (c *Code) phraseSymbol(i int) uint32 { return uint32(firstWord + len(c.words) + i) }

// tokens holds the tokens of one text.
type tokens struct {
	list  []uint32
	words [][]byte // the words that are spelled
}

var tokenPool = sync.Pool{New: func() any { return new(tokens) }}

// read splits a text into tokens.
func (t *tokens) read(c *Code, text []byte) {
	t.list, t.words = t.list[:0], t.words[:0]
	for afterWord := false; len(text) > 0; {
		token := uint32(text[0])
		word, size := nextToken(text, afterWord)
		if afterWord = word != nil; afterWord {
			if n, ok := intern.Find(&c.numbers, word); ok {
				token = firstWord + n
			} else {
				token = spelled
				t.words = append(t.words, word)
			}
		}
		t.list = append(t.list, token)
		text = text[size:]
	}
}

// longestFrom returns the longest symbol at the beginning of tokens, and the tokens after it.
func (c *Code) longestFrom(tokens []uint32) (symbol uint32, rest []uint32) {
	symbol, rest = tokens[0], tokens[1:]
	for len(rest) > 0 {
		longer, ok := c.phraseIndex.find(phrase{symbol, rest[0]})
		if !ok {
			break
		}
		symbol, rest = longer, rest[1:]
	}
	return symbol, rest
}

// Append appends the compressed text to dst.
func (c *Code) Append(dst, text []byte) []byte {
	c.prepare()
	t := tokenPool.Get().(*tokens)
	defer tokenPool.Put(t)
	t.read(c, text)
	words := t.words
	w := bitWriter{dst: binary.AppendUvarint(dst, uint64(len(text)))}
	for list := t.list; len(list) > 0; {
		var symbol uint32
		symbol, list = c.longestFrom(list)
		c.symbols.write(&w, symbol)
		if symbol == spelled {
			c.spell(&w, words[0])
			words = words[1:]
		}
	}
	clear(t.words) // do not retain the text
	return w.end()
}

// spell writes a word letter by letter, each in the context of the previous one, and a final space.
func (c *Code) spell(w *bitWriter, word []byte) {
	context := 0
	for _, letter := range word {
		c.letters[context].write(w, uint32(letter))
		context = contextOf(letter)
	}
	c.letters[context].write(w, ' ')
}

// contexts is the number of contexts of a letter: the start of a word, each lower-case letter, a
// capital, a digit, and a byte beyond ASCII.
const contexts = 30

func contextOf(letter byte) int {
	switch {
	case letter >= 0x80:
		return 29
	case letter >= 'a':
		return 1 + int(letter-'a')
	case letter >= 'A':
		return 27
	}
	return 28
}

const (
	maxText = 256 << 20 // maximum size of a decompressed text in bytes

	// maxSymbol is the maximum size of a symbol in bytes: Train adds a word or byte in each round.
	maxSymbol = (rounds + 1) * (maxWordLen + 1)
)

// Text returns the text that Append compressed. For other data it returns ErrDamaged or an
// arbitrary text, so callers must verify data with a checksum.
func (c *Code) Text(packed []byte) ([]byte, error) { return c.AppendText(nil, packed) }

// AppendText is like Text but appends to dst, which must be empty.
func (c *Code) AppendText(dst, packed []byte) ([]byte, error) {
	n, size := binary.Uvarint(packed)
	if size <= 0 || n > min(maxText, uint64(len(packed))*8*(1+maxSymbol)) {
		return nil, ErrDamaged
	}
	r := bitReader{src: packed[size:]}
	text := slices.Grow(dst, int(n))
	for afterWord := false; uint64(len(text)) < n; afterWord = isWordByte(text[len(text)-1]) {
		symbol, ok := c.symbols.read(&r)
		if !ok {
			return nil, ErrDamaged
		}
		piece := c.textOf(symbol)
		if afterWord && isWordByte(piece[0]) {
			text = append(text, ' ')
		}
		if symbol != spelled {
			text = append(text, piece...)
		} else if text, ok = c.readSpelled(text, &r, n); !ok {
			return nil, ErrDamaged
		}
	}
	if uint64(len(text)) != n || !r.atEnd() {
		return nil, ErrDamaged
	}
	return text, nil
}

// readSpelled appends a spelled word to a text that has n bytes in all.
func (c *Code) readSpelled(text []byte, r *bitReader, n uint64) ([]byte, bool) {
	for context := 0; uint64(len(text)) <= n; {
		letter, ok := c.letters[context].read(r)
		if !ok {
			break
		}
		if letter == ' ' {
			return text, true
		}
		text = append(text, byte(letter))
		context = contextOf(byte(letter))
	}
	return text, false
}

func (c *Code) textOf(symbol uint32) []byte {
	from := uint32(0)
	if symbol > 0 {
		from = c.ends[symbol-1]
	}
	return c.text[from:c.ends[symbol]]
}

// join sets the texts of the symbols. It reports false if one is too long.
func (c *Code) join() bool {
	c.ends = make([]uint32, 0, c.phraseSymbol(len(c.phrases)))
	c.text = make([]byte, 0, 8*cap(c.ends)) // typically seven bytes each
	end := func() { c.ends = append(c.ends, uint32(len(c.text))) }
	for b := range firstWord {
		c.text = append(c.text, byte(b))
		end()
	}
	for _, w := range c.words {
		c.text = append(c.text, w...)
		end()
	}
	for _, p := range c.phrases {
		first, second := c.textOf(p.symbol), c.textOf(p.token)
		if len(first)+len(second) >= maxSymbol {
			return false
		}
		c.text = append(c.text, first...)
		if isWordByte(first[len(first)-1]) && isWordByte(second[0]) {
			c.text = append(c.text, ' ')
		}
		c.text = append(c.text, second...)
		end()
	}
	return true
}
