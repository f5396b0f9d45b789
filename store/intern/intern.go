// Package intern numbers words.
//
// It serves imports, which look up every word of a text several times. The cost of that is cache
// misses, and pointers that the garbage collector follows. So a Table stores a word of up to eight
// bytes in the hash slot itself, the text of all words in one block of memory, and no pointers to
// words.
package intern

import (
	"math/bits"
	"math/rand/v2"
)

// Table numbers words from 0 in the order in which they are added. The zero value is empty.
// Goroutines may use a Table concurrently while none of them adds words. It holds up to 4 GB of
// text.
type Table struct {
	seed  uint64
	slots []slot // length is a power of two; at most three quarters are in use
	text  []byte // concatenated words
	ends  []uint32
}

// slot holds one word. Collisions are resolved by linear probing.
type slot struct {
	head   uint64 // first eight bytes, padded with zeros
	rest   uint32 // length of a word of up to eight bytes; otherwise its hash, with the highest bit set
	number uint32 // word's number plus one; 0 if the slot is free
}

const (
	headLen  = 8
	minSlots = 64 // initial number of slots
)

// Len returns the number of words.
func (t *Table) Len() int { return len(t.ends) }

// Word returns the word with number n, which must be below Len. The caller must not modify it.
func (t *Table) Word(n uint32) []byte {
	from := uint32(0)
	if n > 0 {
		from = t.ends[n-1]
	}
	return t.text[from:t.ends[n]:t.ends[n]]
}

// Reset removes all words but keeps the memory.
func (t *Table) Reset() {
	clear(t.slots)
	t.text, t.ends = t.text[:0], t.ends[:0]
}

// Find returns the number of a word and reports whether the Table holds it.
func Find[T string | []byte](t *Table, word T) (n uint32, ok bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	at, _ := probe(t, word)
	n = t.slots[at].number
	return n - 1, n > 0
}

// Add returns the number of a word and reports whether it was added because it is new.
func Add[T string | []byte](t *Table, word T) (n uint32, added bool) {
	if 4*len(t.ends) >= 3*len(t.slots) {
		t.grow()
	}
	at, s := probe(t, word)
	if n := t.slots[at].number; n > 0 {
		return n - 1, false
	}
	t.text = append(t.text, word...)
	t.ends = append(t.ends, uint32(len(t.text)))
	s.number = uint32(len(t.ends))
	t.slots[at] = s
	return s.number - 1, true
}

func (t *Table) grow() {
	if t.slots == nil {
		t.seed = rand.Uint64() // random, so that input cannot be crafted to collide
	}
	t.slots = make([]slot, max(2*len(t.slots), minSlots))
	for n := range uint32(len(t.ends)) {
		at, s := probe(t, t.Word(n))
		s.number = n + 1
		t.slots[at] = s
	}
}

// probe returns the index of the slot of a word, or of the free slot for it, and the
// contents of that slot without the number.
func probe[T string | []byte](t *Table, word T) (at int, s slot) {
	s.head = head(word)
	hash := mix(s.head^t.seed, uint64(len(word)))
	if s.rest = uint32(len(word)); len(word) > headLen {
		rest := word[headLen:]
		for ; len(rest) > headLen; rest = rest[headLen:] {
			hash = mix(hash^head(rest), t.seed)
		}
		hash = mix(hash^head(rest), t.seed)
		s.rest = uint32(hash>>32) | 1<<31
	}
	for at = int(hash) & (len(t.slots) - 1); ; at = (at + 1) & (len(t.slots) - 1) {
		has := &t.slots[at]
		if has.number == 0 {
			return at, s
		}
		if has.head != s.head || has.rest != s.rest {
			continue
		}
		if len(word) <= headLen || string(t.Word(has.number-1)) == string(word) {
			return at, s
		}
	}
}

// mix returns the two halves of a product combined into one, like wyhash
// (https://github.com/wangyi-fudan/wyhash).
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd1b54a32d192ed03)
	return hi ^ lo
}

// head returns the first eight bytes of a word, the first one lowest.
func head[T string | []byte](w T) (h uint64) {
	switch n := len(w); {
	case n >= headLen:
		_ = w[7]
		return uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
			uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
	case n >= 4: // the two halves overlap in equal bytes
		end := w[n-4:]
		_, _ = w[3], end[3]
		return uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
			(uint64(end[0])|uint64(end[1])<<8|uint64(end[2])<<16|uint64(end[3])<<24)<<(8*(n-4))
	}
	for i := range len(w) {
		h |= uint64(w[i]) << (8 * i)
	}
	return h
}
