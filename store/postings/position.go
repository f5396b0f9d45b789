package postings

import "encoding/binary"

// A number in Pos takes one byte if it is below min2Bytes, two bytes if below min3Bytes, three bytes
// if below min5Bytes, and five bytes otherwise. The first byte determines the length, so that numbers
// can be skipped without decoding (as in the variable-length integers of SQLite 4).
const (
	min2Bytes = 252 // smallest number of two bytes, and its first byte
	min3Bytes = min2Bytes + 2<<8
	min5Bytes = min3Bytes + 1<<16
)

// posLen maps the first byte of a number to its length.
var posLen = func() (n [256]uint8) {
	for i := range n {
		n[i] = 1
	}
	n[min2Bytes], n[min2Bytes+1], n[254], n[255] = 2, 2, 3, 5
	return n
}()

func appendPos(dst []byte, n uint32) []byte {
	switch {
	case n < min2Bytes:
		return append(dst, byte(n))
	case n < min3Bytes:
		return append(dst, byte(min2Bytes+(n-min2Bytes)>>8), byte(n-min2Bytes))
	case n < min5Bytes:
		return binary.LittleEndian.AppendUint16(append(dst, 254), uint16(n-min3Bytes))
	}
	return binary.LittleEndian.AppendUint32(append(dst, 255), n)
}

// readPos decodes a number. If b is damaged, it returns 0 and an empty rest.
func readPos(b []byte) (uint32, []byte) {
	if len(b) == 0 || int(posLen[b[0]]) > len(b) {
		return 0, nil
	}
	first, size := uint32(b[0]), posLen[b[0]]
	switch size {
	case 1:
		return first, b[1:]
	case 2:
		return min2Bytes + (first-min2Bytes)<<8 + uint32(b[1]), b[2:]
	case 3:
		return min3Bytes + uint32(binary.LittleEndian.Uint16(b[1:])), b[3:]
	}
	return binary.LittleEndian.Uint32(b[1:]), b[5:]
}

// AppendPositions encodes ascending positions.
func AppendPositions(dst []byte, positions []uint32) []byte {
	var last uint32
	for _, p := range positions {
		dst = appendPos(dst, p-last)
		last = p
	}
	return dst
}
