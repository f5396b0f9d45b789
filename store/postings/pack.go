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

// width is the number of bits that hold each of v.
func width(v *[blockLen]uint32) uint {
	var all uint32
	for _, x := range v {
		all |= x
	}
	return uint(bits.Len32(all))
}

// pack appends v with w bits each: 16·w bytes.
func pack(dst []byte, v *[blockLen]uint32, w uint) []byte {
	var buf uint64
	var n uint
	for _, x := range v {
		buf |= uint64(x) << n
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
