package mcpshell

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzLines checks that the reader returns the lines of a stream in order, however reads split
// it, and skips blank and oversized lines.
func FuzzLines(f *testing.F) {
	for _, s := range []string{"", "\n", "a\nb", "a\r\n\n b \n", strings.Repeat("x", 70) + "\ny", strings.Repeat("x", 64), "\x00\xff\n", strings.Repeat("x", 65) + " \n"} {
		f.Add([]byte(s))
	}
	const limit = 64
	f.Fuzz(func(t *testing.T, data []byte) {
		var want []string
		for line := range bytes.Lines(data) {
			if len(line) > limit {
				want = append(want, "too long")
			} else if line = bytes.TrimSpace(line); len(line) > 0 {
				want = append(want, string(line))
			}
		}
		for _, r := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
			lines := newLineReader(r, limit)
			for i := 0; ; i++ {
				line, err := lines.next()
				if err == io.EOF {
					if i != len(want) {
						t.Fatalf("%d lines of %q; want %d", i, data, len(want))
					}
					break
				}
				got := string(line)
				if errors.Is(err, errLongLine) {
					got = "too long"
				} else if err != nil {
					t.Fatal(err)
				}
				if i >= len(want) || got != want[i] {
					t.Fatalf("line %d of %q is %q", i, data, got)
				}
			}
		}
	})
}

// An oversized line is dropped while it is read, with memory of a small multiple of the limit.
func TestLongLineUsesBoundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a long line, in one goroutine")
	}
	const size = 64 << 20
	lines := newLineReader(io.MultiReader(io.LimitReader(zeros{}, size), strings.NewReader("\nnext\n")), maxLine)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := lines.next()
	runtime.ReadMemStats(&after)
	if !errors.Is(err, errLongLine) {
		t.Fatal(err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 8*maxLine {
		t.Errorf("%d bytes were allocated for a line of %d", n, size)
	}
	if line, err := lines.next(); string(line) != "next" || err != nil {
		t.Errorf("behind it: %q, %v", line, err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
