package postings

import (
	"encoding/binary"
	"math/bits"
)

// blockLen is the number of postings in a full block.
const blockLen = 128

// pageLen is the size of a page of Post, Skip and Pos. slack is the number of bytes after the last
// block of a Post page, so that eight bytes can always be read at once.
const (
	pageLen = 64 << 10
	slack   = 8
)

// A full block has two halves: the distances of the chunk numbers, and the tfs. Each half is packed
// at the width that takes the fewest bytes. Wider values, the exceptions, keep their high bits
// separately. The width of each half precedes the halves, with the bit hasExceptions set if it
// has exceptions. The exceptions follow both halves: their number, then the index and the high bits of
// each, a byte each.
const (
	hasExceptions = 0x80
	highBits      = 8
)

// half is an encoded half of a full block.
type half struct {
	packed     []byte // followed by at least 8 more bytes
	width      uint
	exceptions []byte
}

// width returns the number of bits at which to pack v, and the number of exceptions.
func width(v *[blockLen]uint32) (best uint, exceptions int) {
	var count [33]int // by number of bits
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

// appendBlock encodes a full block.
func appendBlock(dst []byte, gaps, tfs *[blockLen]uint32) []byte {
	head := len(dst)
	dst = append(dst, 0, 0)
	var exceptions [2]int
	for i, v := range [...]*[blockLen]uint32{gaps, tfs} {
		var w uint
		w, exceptions[i] = width(v)
		if dst[head+i] = byte(w); exceptions[i] > 0 {
			dst[head+i] |= hasExceptions
		}
		dst = pack(dst, v, w)
	}
	for i, v := range [...]*[blockLen]uint32{gaps, tfs} {
		if exceptions[i] == 0 {
			continue
		}
		dst = append(dst, byte(exceptions[i]))
		for at, x := range v {
			if high := x >> (dst[head+i] &^ hasExceptions); high > 0 {
				dst = append(dst, byte(at), byte(high))
			}
		}
	}
	return dst
}

// readBlock locates the halves of a full block.
func readBlock(b []byte) (gaps, tfs half, err error) {
	if len(b) < 2 {
		return gaps, tfs, ErrDamaged
	}
	heads, rest := [2]byte(b), b[2:]
	halves := [2]*half{&gaps, &tfs}
	for i, h := range halves {
		h.width, h.packed = uint(heads[i]&^hasExceptions), rest
		size := 16 * int(h.width)
		if h.width > 32 || len(rest) < size+slack {
			return gaps, tfs, ErrDamaged
		}
		rest = rest[size:]
	}
	for i, h := range halves {
		if heads[i]&hasExceptions == 0 {
			continue
		}
		size := 1 + 2*int(rest[0]) // cannot be empty, because of the slack
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

// pack appends the low w bits of each value of v, 16·w bytes in all.
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

// unpack decodes the output of pack. src must continue for 8 bytes after it.
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

// uvarint is like binary.Uvarint but faster for numbers below 128. If b is damaged, it returns 0
// and an empty rest.
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
