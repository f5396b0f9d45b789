package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"biomcp/store/intern"
)

// wordList writes the words of a text as numbers, the commonest ones of the corpus in
// one byte, the next in two or three: what zstd packs then is a third as long, and
// takes a quarter less than the text itself. A word is a run of letters, digits and
// bytes from 0x80 on. Below 0x80 a byte is itself; the bytes from leadOne on begin a
// number; one from 0x80 on that belongs to no word of the list follows a leadByte.
// Between two numbers that follow one another there is a space.
type wordList struct {
	words   []string
	numbers intern.Table // of the words; without any in a list that only reads
}

const (
	leadByte  = 0x80
	leadOne   = 0x81 // 64 words
	leadTwo   = 0xc1 // 62 × 256 words
	leadThree = 0xff // 65,536 words
	oneByte   = leadTwo - leadOne
	twoBytes  = (leadThree - leadTwo) << 8

	maxWords   = 32_000
	maxWordLen = 40
	leastCount = 4 // of a word in the texts that the list is made from
)

func isWordByte(c byte) bool {
	return c >= 0x80 || c-'0' < 10 || c|0x20-'a' < 26
}

// newWordList makes a list of the words that texts have most often.
func newWordList(texts [][]byte) *wordList {
	counts := map[string]int{}
	for _, text := range texts {
		for i := 0; i < len(text); {
			n := wordLen(text[i:])
			if n > 1 && n <= maxWordLen {
				counts[string(text[i:i+n])]++
			}
			i += max(n, 1)
		}
	}
	maps.DeleteFunc(counts, func(_ string, n int) bool { return n < leastCount })
	words := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	l := &wordList{words: words[:min(len(words), maxWords)]}
	l.number()
	return l
}

// number makes a list ready to encode; false where it has a word twice.
func (l *wordList) number() bool {
	for _, w := range l.words {
		intern.Add(&l.numbers, w)
	}
	return l.numbers.Len() == len(l.words)
}

// wordLen is the length of the word that b begins with, 0 for none.
func wordLen(b []byte) int {
	n := 0
	for n < len(b) && isWordByte(b[n]) {
		n++
	}
	return n
}

// encode appends the coded form of b.
func (l *wordList) encode(dst, b []byte) []byte {
	after := false // a number
	for i := 0; i < len(b); {
		at := i
		if after && b[i] == ' ' {
			at++
		}
		n := wordLen(b[at:])
		if number, ok := intern.Find(&l.numbers, b[at:at+n]); ok && after == (at > i) {
			dst = appendNumber(dst, number)
			i, after = at+n, true
			continue
		}
		// A space and a word that is not in the list, or what is no word.
		for end := max(at+n, i+1); i < end; i++ {
			if b[i] >= leadByte {
				dst = append(dst, leadByte)
			}
			dst = append(dst, b[i])
		}
		after = false
	}
	return dst
}

func appendNumber(dst []byte, n uint32) []byte {
	switch {
	case n < oneByte:
		return append(dst, leadOne+byte(n))
	case n < oneByte+twoBytes:
		return binary.BigEndian.AppendUint16(dst, uint16(leadTwo<<8+n-oneByte))
	}
	n -= oneByte + twoBytes
	return append(dst, leadThree, byte(n>>8), byte(n))
}

// decode reads what encode wrote; false where it did not write that.
func (l *wordList) decode(coded []byte) ([]byte, bool) {
	b := make([]byte, 0, 4*len(coded))
	after := false
	for i := 0; i < len(coded); i++ {
		c := coded[i]
		if c < leadByte {
			b, after = append(b, c), false
			continue
		}
		more := 1 // bytes
		switch c {
		case leadThree:
			more = 2
		default:
			if c >= leadOne && c < leadTwo {
				more = 0
			}
		}
		if i+more >= len(coded) {
			return nil, false
		}
		i += more
		if c == leadByte {
			b, after = append(b, coded[i]), false
			continue
		}
		n := int(c) - leadOne
		switch more {
		case 1:
			n = oneByte + (int(c)-leadTwo)<<8 + int(coded[i])
		case 2:
			n = oneByte + twoBytes + int(coded[i-1])<<8 + int(coded[i])
		}
		if n >= len(l.words) {
			return nil, false
		}
		if after {
			b = append(b, ' ')
		}
		b, after = append(b, l.words[n]...), true
	}
	return b, true
}

// wordsMagic begins a dictionary with a list of words: after it come the length of the
// list, its words with a line end behind each, and the dictionary of zstd.
const wordsMagic = "bmw1"

func (l *wordList) appendTo(dst []byte) []byte {
	text := strings.Join(l.words, "\n")
	dst = append(dst, wordsMagic...)
	dst = binary.AppendUvarint(dst, uint64(len(text)))
	return append(dst, text...)
}

// readDictionary separates a row of the table dictionary into the list of words, nil for
// none, and the dictionary of zstd.
func readDictionary(data []byte) (*wordList, []byte, error) {
	rest, ok := bytes.CutPrefix(data, []byte(wordsMagic))
	if !ok {
		return nil, data, nil
	}
	n, size := binary.Uvarint(rest)
	if size <= 0 || n > uint64(len(rest)-size) {
		return nil, nil, errBody
	}
	text := string(rest[size : size+int(n)])
	return &wordList{words: strings.Split(text, "\n")}, rest[size+int(n):], nil
}
