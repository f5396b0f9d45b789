package postings

import (
	"math/rand/v2"
	"testing"
)

func TestPackedNumbersComeBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for w := uint(0); w <= 32; w++ {
		var in, out [blockLen]uint32
		for i := range in {
			in[i] = rng.Uint32() & uint32(uint64(1)<<w-1)
		}
		if w > 0 {
			in[rng.IntN(blockLen)] = uint32(uint64(1)<<w - 1)
		}
		if got := width(&in); got != w {
			t.Fatalf("width %d, want %d", got, w)
		}
		packed := pack(nil, &in, w)
		if len(packed) != int(16*w) {
			t.Fatalf("%d bits: %d bytes", w, len(packed))
		}
		unpack(append(packed, 1, 2, 3, 4, 5, 6, 7, 8), w, &out)
		if in != out {
			t.Fatalf("%d bits: read %v, wrote %v", w, out, in)
		}
	}
}

func BenchmarkUnpack_128(b *testing.B) {
	var v [blockLen]uint32
	packed := append(pack(nil, &v, 5), make([]byte, slack)...)
	b.SetBytes(4 * blockLen)
	for b.Loop() {
		unpack(packed, 5, &v)
	}
}
