package sourcetest

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"
)

func TestGzipBombIsSmallAndUnpacksLarge(t *testing.T) {
	packed := bomb()
	if len(packed) > 4<<20 {
		t.Errorf("%d bytes packed", len(packed))
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, io.LimitReader(z, 64<<20)); err != nil || n != 64<<20 {
		t.Errorf("%d bytes, %v", n, err)
	}
}
