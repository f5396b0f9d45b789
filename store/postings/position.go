package postings

import "encoding/binary"

// A number of Pos. The first byte says how many there are, so that numbers are passed over
// without being read (as in the variable-length integers of SQLite 4): one for the numbers
// below one, two for those below two, three for those below three, and five for the rest.
const (
	two   = 252 // the least number of two bytes, and the first byte of it
	three = two + 2<<8
	five  = three + 1<<16
)

// posLen is the number of bytes by the first of them.
var posLen = func() (n [256]uint8) {
	for i := range n {
		n[i] = 1
	}
	n[two], n[two+1], n[254], n[255] = 2, 2, 3, 5
	return n
}()

func appendPos(dst []byte, n uint32) []byte {
	switch {
	case n < two:
		return append(dst, byte(n))
	case n < three:
		return append(dst, byte(two+(n-two)>>8), byte(n-two))
	case n < five:
		return binary.LittleEndian.AppendUint16(append(dst, 254), uint16(n-three))
	}
	return binary.LittleEndian.AppendUint32(append(dst, 255), n)
}

// readPos reads a number; a damaged one is 0 and the rest empty.
func readPos(b []byte) (uint32, []byte) {
	if len(b) == 0 || int(posLen[b[0]]) > len(b) {
		return 0, nil
	}
	first, size := uint32(b[0]), posLen[b[0]]
	switch size {
	case 1:
		return first, b[1:]
	case 2:
		return two + (first-two)<<8 + uint32(b[1]), b[2:]
	case 3:
		return three + uint32(binary.LittleEndian.Uint16(b[1:])), b[3:]
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
