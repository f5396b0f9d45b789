package postings

import (
	"encoding/binary"
	"math/bits"
)

// blockLen is the number of postings in a full block.
const blockLen = 128

// pageLen is the size of a page of Post, Skip and Pos; slack is what follows
// the last block of a Post page, so that eight bytes can be read at once.
const (
	pageLen = 64 << 10
	slack   = 8
)

// A half of a full block is the distances of the chunk numbers, or the tfs. It is packed at
// the width at which it takes the fewest bytes; of values that are wider, the exceptions,
// the high bits are kept apart. Before the halves lies the width of each, with the bit
// patched where it has exceptions. They follow after both halves: their number, and for
// each its place and its high bits, a byte each.
const (
	patched  = 0x80
	highBits = 8
)

// half is a half of a full block to be read.
type half struct {
	packed     []byte // goes on for 8 bytes after the half
	width      uint
	exceptions []byte
}

// width is the number of bits to pack v with, and the number of exceptions.
func width(v *[blockLen]uint32) (best uint, exceptions int) {
	var count [33]int // by bits
	for _, x := range v {
		count[bits.Len32(x)]++
	}
	greatest := 32
	for count[greatest] == 0 {
		greatest--
	}
	best = uint(greatest)
	least, wider := 16*greatest, 0
	for w := greatest - 1; w >= max(0, greatest-highBits); w-- {
		wider += count[w+1]
		if size := 16*w + 1 + 2*wider; size < least {
			best, exceptions, least = uint(w), wider, size
		}
	}
	return best, exceptions
}

// appendBlock writes a full block.
func appendBlock(dst []byte, gaps, tfs *[blockLen]uint32) []byte {
	head := len(dst)
	dst = append(dst, 0, 0)
	var exceptions [2]int
	for i, v := range [...]*[blockLen]uint32{gaps, tfs} {
		var w uint
		w, exceptions[i] = width(v)
		if dst[head+i] = byte(w); exceptions[i] > 0 {
			dst[head+i] |= patched
		}
		dst = pack(dst, v, w)
	}
	for i, v := range [...]*[blockLen]uint32{gaps, tfs} {
		if exceptions[i] == 0 {
			continue
		}
		dst = append(dst, byte(exceptions[i]))
		for at, x := range v {
			if high := x >> (dst[head+i] &^ patched); high > 0 {
				dst = append(dst, byte(at), byte(high))
			}
		}
	}
	return dst
}

// readBlock finds the halves of a full block.
func readBlock(b []byte) (gaps, tfs half, err error) {
	if len(b) < 2 {
		return gaps, tfs, ErrDamaged
	}
	heads, rest := [2]byte(b), b[2:]
	halves := [2]*half{&gaps, &tfs}
	for i, h := range halves {
		h.width, h.packed = uint(heads[i]&^patched), rest
		size := 16 * int(h.width)
		if h.width > 32 || len(rest) < size+slack {
			return gaps, tfs, ErrDamaged
		}
		rest = rest[size:]
	}
	for i, h := range halves {
		if heads[i]&patched == 0 {
			continue
		}
		size := 1 + 2*int(rest[0]) // there is always the slack
		if len(rest) < size+slack {
			return gaps, tfs, ErrDamaged
		}
		h.exceptions, rest = rest[1:size], rest[size:]
	}
	return gaps, tfs, nil
}

func (h *half) read(v *[blockLen]uint32) {
	unpack(h.packed, h.width, v)
	for e := h.exceptions; len(e) > 1; e = e[2:] {
		v[e[0]%blockLen] |= uint32(e[1]) << h.width
	}
}

// pack appends the low w bits of each of v: 16·w bytes.
func pack(dst []byte, v *[blockLen]uint32, w uint) []byte {
	var buf uint64
	var n uint
	mask := uint64(1)<<w - 1
	for _, x := range v {
		buf |= uint64(x) & mask << n
		for n += w; n >= 8; n -= 8 {
			dst = append(dst, byte(buf))
			buf >>= 8
		}
	}
	return dst
}

// unpack reads what pack wrote; src must go on for 8 bytes after it.
func unpack(src []byte, w uint, v *[blockLen]uint32) {
	if w == 0 {
		clear(v[:])
		return
	}
	mask := uint64(1)<<w - 1
	src = src[: 16*w+slack : 16*w+slack]
	for i := 0; i < blockLen; i += 8 { // eight values are w bytes
		s := src[uint(i)/8*w:]
		for j := range uint(8) {
			bit := j * w
			v[i+int(j)] = uint32(binary.LittleEndian.Uint64(s[bit>>3:]) >> (bit & 7) & mask)
		}
	}
}

// uvarint is binary.Uvarint for numbers that are mostly below 128; a damaged
// number reads as 0 and the rest as empty.
func uvarint(b []byte) (uint64, []byte) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), b[1:]
	}
	n, size := binary.Uvarint(b)
	if size <= 0 {
		return 0, nil
	}
	return n, b[size:]
}
