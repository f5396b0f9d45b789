package textcodec

import (
	"encoding/binary"
	"hash/crc32"
	"strings"
)

const sumLen = 4 // size of a Code's checksum in bytes

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendTo appends the stored form of the Code to dst.
func (c *Code) AppendTo(dst []byte) []byte {
	start := len(dst)
	words := strings.Join(c.words, "\n")
	dst = binary.AppendUvarint(dst, uint64(len(words)))
	dst = append(dst, words...)
	dst = binary.AppendUvarint(dst, uint64(len(c.phrases)))
	for _, p := range c.phrases {
		dst = binary.AppendUvarint(dst, uint64(p.symbol))
		dst = binary.AppendUvarint(dst, uint64(p.token))
	}
	dst = append(dst, c.symbols.lengths...)
	for _, h := range c.letters {
		dst = append(dst, h.lengths...)
	}
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

// Read decodes the output of AppendTo. Check reports whether the Code can compress.
func Read(data []byte) (*Code, error) {
	end := len(data) - sumLen
	if end < 0 || crc32.Checksum(data[:end], castagnoli) != binary.LittleEndian.Uint32(data[end:]) {
		return nil, ErrDamaged
	}
	r := reader{data[:end]}
	c := &Code{}
	if text := string(r.bytes(r.number())); text != "" {
		c.words = strings.Split(text, "\n")
	}
	for _, w := range c.words {
		if w == "" || len(w) > maxWordLen {
			return nil, ErrDamaged
		}
		for i := range len(w) {
			if !isWordByte(w[i]) {
				return nil, ErrDamaged
			}
		}
	}
	n := r.number()
	if n > uint64(len(r.data))/2 { // each takes at least two bytes
		return nil, ErrDamaged
	}
	c.phrases = make([]phrase, n)
	for i := range c.phrases {
		symbol, token := r.number(), r.number()
		inRange := symbol < uint64(c.phraseSymbol(i)) && token < uint64(c.phraseSymbol(0))
		if !inRange || !canJoin(symbol) || !canJoin(token) {
			return nil, ErrDamaged
		}
		c.phrases[i] = phrase{uint32(symbol), uint32(token)}
	}
	var ok bool
	if c.symbols, ok = newHuffman(r.bytes(uint64(c.phraseSymbol(len(c.phrases))))); !ok || !c.symbols.has(isWritable) {
		return nil, ErrDamaged
	}
	for i := range c.letters {
		wanted := func(letter int) bool { return isWritableLetter(i, letter) }
		if c.letters[i], ok = newHuffman(r.bytes(firstWord)); !ok || !c.letters[i].has(wanted) {
			return nil, ErrDamaged
		}
	}
	if len(r.data) > 0 || !c.join() {
		return nil, ErrDamaged
	}
	return c, nil
}

// canJoin reports whether a symbol may be part of a phrase.
func canJoin(symbol uint64) bool { return symbol >= firstWord || isToken(byte(symbol)) }

// reader reads from data. After an error no data remains.
type reader struct{ data []byte }

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.data)
	r.data = r.data[max(size, 0):]
	if size <= 0 {
		r.data = nil
		return 0
	}
	return n
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.data)) {
		r.data = nil
		return nil
	}
	b := r.data[:n:n]
	r.data = r.data[n:]
	return b
}
