// Package intern numbers words.
//
// It is for an import, which looks up every word of a text several times. What that
// costs is memory that is not in the processor's cache, and pointers that the garbage
// collector follows. A Table holds a word of up to eight bytes in the slot by which it
// is found, the text of all words in one piece of memory, and no pointer to any of them.
package intern

import (
	"math/bits"
	"math/rand/v2"
)

// Table numbers words in the order in which they are added, from 0. The zero value has
// none. Any number of goroutines may use a Table that nobody adds to. It holds up to
// 4 GB of text.
type Table struct {
	seed  uint64
	slots []slot // a power of two, at most three quarters of them in use
	text  []byte // the words
	ends  []uint32
}

// slot is of one word: the first one that was free, from the place on that the hash of
// the word gives.
type slot struct {
	head   uint64 // the first eight bytes; of a shorter word with zeros behind
	rest   uint32 // the length of a word of up to eight bytes; of others the hash, with the highest bit set
	number uint32 // plus one; 0 in a free slot
}

const (
	headLen = 8
	least   = 64 // slots
)

// Len is the number of words.
func (t *Table) Len() int { return len(t.ends) }

// Word returns the word of a number below Len. It must not be changed.
func (t *Table) Word(n uint32) []byte {
	from := uint32(0)
	if n > 0 {
		from = t.ends[n-1]
	}
	return t.text[from:t.ends[n]:t.ends[n]]
}

// Reset takes all words off. The room for them stays.
func (t *Table) Reset() {
	clear(t.slots)
	t.text, t.ends = t.text[:0], t.ends[:0]
}

// Find returns the number of a word.
func Find[T string | []byte](t *Table, word T) (n uint32, ok bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	at, _ := look(t, word)
	n = t.slots[at].number
	return n - 1, n > 0
}

// Add returns the number of a word, and adds it if it is new.
func Add[T string | []byte](t *Table, word T) (n uint32, added bool) {
	if 4*len(t.ends) >= 3*len(t.slots) {
		t.grow()
	}
	at, s := look(t, word)
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
		t.seed = rand.Uint64() // nobody can choose words that share a place
	}
	t.slots = make([]slot, max(2*len(t.slots), least))
	for n := range uint32(len(t.ends)) {
		at, s := look(t, t.Word(n))
		s.number = n + 1
		t.slots[at] = s
	}
}

// look returns the index of the slot of a word, or of the free one that it would get,
// and what belongs there but for the number.
func look[T string | []byte](t *Table, word T) (at int, s slot) {
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
		if has.head == s.head && has.rest == s.rest && (len(word) <= headLen || string(t.Word(has.number-1)) == string(word)) {
			return at, s
		}
	}
}

// mix returns the two halves of a product in one, as wyhash does
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
	case n >= 4: // the bytes that both halves have are the same
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
