package postings

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"
)

// Every number is decoded correctly, in as many bytes as its first byte indicates, and a greater
// number takes no fewer bytes.
func TestNumbersOfPos(t *testing.T) {
	step := uint64(31) // a step of 1 takes a minute
	if testing.Short() {
		step = 509
	}
	var room [8]byte
	check := func(n uint32) int {
		b := appendPos(room[:0], n)
		got, rest := readPos(append(b, 7))
		if got != n || len(rest) != 1 || len(b) != int(posLen[b[0]]) {
			t.Fatalf("%d is written as %x and read as %d, %x", n, b, got, rest)
		}
		return len(b)
	}
	before := 0
	for n := uint64(0); n <= math.MaxUint32; n += step {
		size := check(uint32(n))
		if size < before {
			t.Fatalf("%d takes %d bytes, a smaller number %d", n, size, before)
		}
		before = size
	}
	for _, n := range []struct {
		n    uint32
		size int
	}{{0, 1}, {251, 1}, {252, 2}, {763, 2}, {764, 3}, {66299, 3}, {66300, 5}, {math.MaxUint32, 5}} {
		t.Run(fmt.Sprint(n.size), func(t *testing.T) {
			if size := check(n.n); size != n.size {
				t.Errorf("%d takes %d bytes, want %d", n.n, size, n.size)
			}
		})
	}
}

// Arbitrary bytes are decoded to their end, and decoding the encoded result gives the same numbers.
func FuzzPositions(f *testing.F) {
	f.Add([]byte{0, 251, 252, 0, 253, 255, 254, 1, 2, 255, 1, 2, 3, 4})
	f.Add([]byte{255, 1})
	f.Add(binary.AppendUvarint(nil, math.MaxUint64))
	f.Fuzz(func(t *testing.T, b []byte) {
		var again []byte
		var numbers []uint32
		for rest := b; len(rest) > 0; {
			n, left := readPos(rest)
			if left == nil {
				break
			}
			numbers, again, rest = append(numbers, n), appendPos(again, n), left
		}
		for _, want := range numbers {
			var n uint32
			if n, again = readPos(again); n != want {
				t.Fatalf("%d, want %d", n, want)
			}
		}
	})
}
