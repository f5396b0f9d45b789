package wordindex

import "testing"

func TestChunkIDs(t *testing.T) {
	for _, id := range []string{"s0", "w0", "s1_0", "s12_345", "w32767_65534"} {
		t.Run(id, func(t *testing.T) {
			code, ok := ChunkNumber(id)
			if !ok || chunkName(code) != id {
				t.Errorf("%s became %s, %v", id, chunkName(code), ok)
			}
		})
	}
	for _, id := range []string{"", "s", "x0", "s-1", "s01", "s1_", "s1_01", "s32768", "s1_65535", "s1_2_3", "s+1"} {
		t.Run(id, func(t *testing.T) {
			if _, ok := ChunkNumber(id); ok {
				t.Errorf("%q was taken for the id of a chunk", id)
			}
		})
	}
}
