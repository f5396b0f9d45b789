package textcodec

import "encoding/binary"

// bitWriter appends codes of up to maxCode bits, the highest bit first.
type bitWriter struct {
	dst []byte
	buf uint64 // the lowest n bits are not written yet
	n   uint
}

func (w *bitWriter) put(code uint32, length uint8) {
	w.buf = w.buf<<length | uint64(code)
	if w.n += uint(length); w.n >= 32 {
		w.n -= 32
		w.dst = binary.BigEndian.AppendUint32(w.dst, uint32(w.buf>>w.n))
	}
}

// end writes the remaining bits, padded with zeros to a whole byte.
func (w *bitWriter) end() []byte {
	w.buf <<= 32 - w.n
	for ; w.n > 0; w.n -= min(w.n, 8) {
		w.dst = append(w.dst, byte(w.buf>>24))
		w.buf <<= 8
	}
	return w.dst
}

// bitReader reads the output of a bitWriter, followed by zeros.
type bitReader struct {
	src []byte
	at  uint // number of bits read
}

// peek returns the next 32 bits.
func (r *bitReader) peek() uint32 {
	var window [8]byte
	if from := r.at / 8; from < uint(len(r.src)) {
		if rest := r.src[from:]; len(rest) >= 8 {
			return uint32(binary.BigEndian.Uint64(rest) >> (32 - r.at%8))
		}
		copy(window[:], r.src[from:])
	}
	return uint32(binary.BigEndian.Uint64(window[:]) >> (32 - r.at%8))
}

// atEnd reports whether only zero padding of the last byte remains.
func (r *bitReader) atEnd() bool { return (r.at+7)/8 == uint(len(r.src)) && r.peek() == 0 }
