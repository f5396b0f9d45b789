package postings

import (
	"math/bits"
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

// A full block is decoded correctly, whichever few of its values are wide, and takes no more bytes
// than without exceptions.
func TestBlocksComeBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	smaller := 0
	for range 20_000 {
		var in, out [2][blockLen]uint32
		plain := 2
		for i := range in {
			usual, greatest, share := rng.IntN(33), 0, 1+rng.IntN(60)
			for j := range in[i] {
				w := usual
				if rng.IntN(share) == 0 {
					w = rng.IntN(33)
				}
				in[i][j] = uint32(rng.Uint64() & (1<<w - 1))
				greatest = max(greatest, bits.Len32(in[i][j]))
			}
			plain += 16 * greatest
		}
		b := appendBlock(nil, &in[0], &in[1])
		if len(b) > plain {
			t.Fatalf("%d bytes, without exceptions %d", len(b), plain)
		}
		if len(b) < plain {
			smaller++
		}
		for _, short := range []int{0, 1, 2, len(b) / 2, len(b) - 1} {
			if _, _, err := readBlock(b[:short]); err == nil {
				t.Fatalf("%d bytes of %d are a block", short, len(b))
			}
		}
		gaps, tfs, err := readBlock(append(b, make([]byte, slack)...))
		if err != nil {
			t.Fatal(err)
		}
		gaps.read(&out[0])
		tfs.read(&out[1])
		if in != out {
			t.Fatalf("read %v, wrote %v", out, in)
		}
	}
	if smaller < 2_000 {
		t.Errorf("%d blocks have exceptions", smaller)
	}
}

// A block without exceptions, with the width of its greatest value, is also valid.
func TestBlocksWithoutExceptionsComeBack(t *testing.T) {
	var in, out [2][blockLen]uint32
	for j := range blockLen {
		in[0][j], in[1][j] = uint32(j*j), uint32(j)
	}
	b := pack(pack([]byte{14, 7}, &in[0], 14), &in[1], 7)
	gaps, tfs, err := readBlock(append(b, make([]byte, slack)...))
	if err != nil {
		t.Fatal(err)
	}
	gaps.read(&out[0])
	tfs.read(&out[1])
	if in != out {
		t.Errorf("read %v, wrote %v", out, in)
	}
}

func FuzzBlock(f *testing.F) {
	var v [blockLen]uint32
	v[3], v[77] = 1000, 3
	f.Add(append(appendBlock(nil, &v, &v), make([]byte, slack)...))
	f.Add(append(appendBlock(nil, &[blockLen]uint32{1<<20 - 127}, &v), make([]byte, slack)...))
	f.Add([]byte{hasExceptions, hasExceptions, 255, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Add(append([]byte{hasExceptions | 32, 33}, make([]byte, 2000)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		var docs, v [blockLen]uint32
		tfs, err := unpackBlock(b, noChunk, 1<<20, &docs)
		if err == nil {
			tfs.read(&v)
			for i, d := range docs[1:] {
				if d <= docs[i] {
					t.Fatalf("chunk %d after %d", d, docs[i])
				}
			}
		}
	})
}

func BenchmarkUnpack_128(b *testing.B) {
	var v [blockLen]uint32
	packed := append(pack(nil, &v, 5), make([]byte, slack)...)
	b.SetBytes(4 * blockLen)
	for b.Loop() {
		unpack(packed, 5, &v)
	}
}
