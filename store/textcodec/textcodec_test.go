package textcodec

import (
	"bytes"
	"container/heap"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// samples returns synthetic records with fields that occur together, and words, some of them rare.
func samples(n int, seed uint64) (list [][]byte) {
	rng := rand.New(rand.NewPCG(seed, 1))
	fields := []string{"\x0aNeoplasmas\x07D009369\x00", "\x05Ratsx\x07D051381\x01", "\x10J Made-up Biol A\x091234-5678"}
	words := strings.Fields("the of in patients with expression cells treatment and was significantly increased β-catenin naïve p53 2021 results")
	for range n {
		var b bytes.Buffer
		for range 3 {
			b.WriteString(fields[rng.IntN(len(fields))])
		}
		for range 60 {
			b.WriteString(words[min(rng.IntN(len(words)), rng.IntN(len(words)))])
			b.WriteString([]string{" ", " ", " ", ", ", ". "}[rng.IntN(5)])
		}
		fmt.Fprintf(&b, "id%d", rng.Uint32())
		list = append(list, b.Bytes())
	}
	return list
}

func check(t *testing.T, c *Code, text []byte) (packed []byte) {
	t.Helper()
	packed = c.Append(nil, text)
	if back, err := c.Text(packed); err != nil || !bytes.Equal(back, text) {
		t.Fatalf("%q was packed as %x and read as %q, %v", text, packed, back, err)
	}
	return packed
}

// odd lists texts unlike those of the samples.
var odd = []string{
	"", " ", "  ", "the", " the ", "the the", "the  the", "the\nof", "unknown word", "the unknown, of", "unknown", strings.Repeat("long", 40) + " the",
	"the\x80of", "\x00\x01\xff\xfe", "Müller ± naïve β", "a b c", "a  b", "the ", ". the", "123 456", "\x00", "pmid:1", "日本語 テキスト", "x y\x00z ",
	"D009369", "\x0aNeoplasmas\x07D009369", strings.Repeat("the of ", 300),
}

func TestWhatIsPackedIsReadBack(t *testing.T) {
	for _, n := range []int{0, 1, 300} {
		c := Train(samples(n, 1))
		for _, text := range odd {
			check(t, c, []byte(text))
		}
		rng := rand.New(rand.NewPCG(5, 6))
		pieces := append(odd, "cells", "Cells", "7", "é", "-", " and ")
		for range 2000 {
			var b strings.Builder
			for range rng.IntN(12) {
				b.WriteString(pieces[rng.IntN(len(pieces))])
			}
			check(t, c, []byte(b.String()))
		}
	}
}

// Fields that occur together become one symbol, and words take bits according to their frequency.
func TestWhatIsCommonTakesLittle(t *testing.T) {
	c := Train(samples(500, 1))
	symbols := func(text string) (n int) {
		var list tokens
		list.read(c, []byte(text))
		for rest := list.list; len(rest) > 0; n++ {
			_, rest = c.longestFrom(rest)
		}
		return n
	}
	if n := symbols("\x0aNeoplasmas\x07D009369\x00"); n > 2 {
		t.Errorf("a field that is in every record takes %d symbols", n)
	}
	if n := symbols("id77 unseen cells"); n < 3 {
		t.Errorf("what no record has takes %d symbols", n)
	}
	raw, packed := 0, 0
	for _, text := range samples(200, 2) {
		raw += len(text)
		packed += len(check(t, c, text))
	}
	if packed*4 > raw {
		t.Errorf("%d bytes were packed to %d", raw, packed)
	}
}

func TestTheSameSamplesMakeTheSameCode(t *testing.T) {
	first, second := Train(samples(200, 1)).AppendTo(nil), Train(samples(200, 1)).AppendTo(nil)
	if !bytes.Equal(first, second) {
		t.Error("the same samples made two codes")
	}
}

func TestCodeIsReadBack(t *testing.T) {
	for _, n := range []int{0, 300} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			c := Train(samples(n, 1))
			data := c.AppendTo([]byte("magic"))[5:]
			again, err := Read(data)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(again.AppendTo(nil), data) {
				t.Error("a code changes when it is read and written")
			}
			for _, text := range append(samples(20, 3), []byte("unseen")) {
				packed := c.Append(nil, text)
				if !bytes.Equal(again.Append(nil, text), packed) {
					t.Errorf("%q is packed otherwise by a code that was read", text)
				}
				if back, err := again.Text(packed); err != nil || !bytes.Equal(back, text) {
					t.Errorf("%q was read as %q, %v", text, back, err)
				}
			}
		})
	}
}

// A truncated text and a changed code are rejected.
func TestDamageIsFound(t *testing.T) {
	c := Train(samples(100, 1))
	packed := c.Append(nil, samples(1, 9)[0])
	for n := range packed {
		if back, err := c.Text(packed[:n]); err == nil {
			t.Fatalf("the first %d bytes are %q", n, back)
		}
	}
	data := c.AppendTo(nil)
	for i := 0; i < len(data); i += 7 {
		changed := bytes.Clone(data)
		changed[i]++
		if _, err := Read(changed); err == nil {
			t.Fatalf("with byte %d changed it is a code", i)
		}
		if _, err := Read(data[:i]); err == nil {
			t.Fatalf("the first %d bytes are a code", i)
		}
	}
}

// An invalid code is rejected even if its checksum is right.
func TestWrongCodesAreRefused(t *testing.T) {
	good := func() *Code { return Train(samples(100, 1)) }
	for name, change := range map[string]func(*Code){
		"empty word":             func(c *Code) { c.words[3] = "" },
		"no word":                func(c *Code) { c.words[3] = "a b" },
		"long word":              func(c *Code) { c.words[3] = strings.Repeat("a", maxWordLen+1) },
		"phrase of itself":       func(c *Code) { c.phrases[0].symbol = c.phraseSymbol(0) },
		"phrase of a later one":  func(c *Code) { c.phrases[0].symbol = c.phraseSymbol(1) },
		"phrase of no token":     func(c *Code) { c.phrases[0].token = c.phraseSymbol(0) },
		"phrase of a letter":     func(c *Code) { c.phrases[0].token = 'b' },
		"phrase of spelled word": func(c *Code) { c.phrases[0].symbol = spelled },
		"symbol without code":    func(c *Code) { c.symbols.lengths[firstWord] = 0 },
		"letter as symbol":       func(c *Code) { c.symbols.lengths['b'] = 20 },
		"too many short codes":   func(c *Code) { c.symbols.lengths[firstWord], c.symbols.lengths[firstWord+1] = 1, 1 },
		"code of 25 bits":        func(c *Code) { c.symbols.lengths[firstWord] = maxCode + 1 },
		"end of no word":         func(c *Code) { c.letters[0].lengths[' '] = 20 },
		"brace as letter":        func(c *Code) { c.letters[2].lengths['}'] = 20 },
		"endless phrase": func(c *Code) {
			for i := range c.phrases {
				c.phrases[i] = phrase{firstWord, firstWord}
				if i > 0 {
					c.phrases[i].symbol = c.phraseSymbol(i - 1)
				}
			}
			for range 300 {
				c.phrases = append(c.phrases, phrase{c.phraseSymbol(len(c.phrases) - 1), firstWord})
				c.symbols.lengths = append(c.symbols.lengths, 24)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := good()
			change(c)
			if _, err := Read(c.AppendTo(nil)); err == nil {
				t.Errorf("%s: it was read", name)
			}
		})
	}
}

// A Code with a repeated word must not compress, because the numbers of later words would be wrong.
func TestCodeWithAWordTwiceDoesNotWrite(t *testing.T) {
	c := Train(samples(100, 1))
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	c.words[3] = c.words[4]
	again, err := Read(c.AppendTo(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Check(); err == nil {
		t.Error("a code with a word twice would write")
	}
}

func TestPhrasesAreFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var table phraseTable
	want := map[phrase]uint32{}
	for i := range 20_000 {
		p := phrase{rng.Uint32N(300), rng.Uint32N(300)}
		if is, ok := table.find(p); is != want[p] || ok != (want[p] > 0) {
			t.Fatalf("after %d phrases %v is %d, %v, want %d", len(want), p, is, ok, want[p])
		}
		if want[p] == 0 && i%3 > 0 {
			want[p] = uint32(i + 1)
			table.add(p, uint32(i+1))
		}
	}
	for p, is := range want {
		if got, _ := table.find(p); got != is {
			t.Fatalf("%v is %d, want %d", p, got, is)
		}
	}
}

func BenchmarkAppend_1KB(b *testing.B) { benchmark(b, false) }
func BenchmarkText_1KB(b *testing.B)   { benchmark(b, true) }

func benchmark(b *testing.B, read bool) {
	c := Train(samples(1000, 1))
	text := bytes.Join(samples(3, 2), nil)[:1<<10]
	packed := c.Append(nil, text)
	b.ReportMetric(float64(len(packed)), "packed-bytes")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if read {
			if _, err := c.Text(packed); err != nil {
				b.Fatal(err)
			}
			continue
		}
		packed = c.Append(packed[:0], text)
	}
}

func BenchmarkTrain_1000(b *testing.B) {
	list := samples(1000, 1)
	for b.Loop() {
		Train(list)
	}
}

// tree is a heap of weights, as in the usual form of Huffman's algorithm.
type tree []uint64

func (h tree) Len() int           { return len(h) }
func (h tree) Less(i, j int) bool { return h[i] < h[j] }
func (h tree) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *tree) Push(x any)        { *h = append(*h, x.(uint64)) }
func (h *tree) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// The code takes as many bits as one by Huffman's algorithm with a heap, which is the sum of all
// joined weights.
func TestCodesAreAsShortAsHuffmans(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		counts := make([]uint32, 2+rng.IntN(400))
		var h tree
		for i := range counts {
			counts[i] = uint32(math.Exp(rng.Float64() * 9))
			if i > 1 && rng.IntN(5) == 0 {
				counts[i] = 0
				continue
			}
			h = append(h, uint64(counts[i]))
		}
		want, got := uint64(0), uint64(0)
		for heap.Init(&h); len(h) > 1; {
			sum := heap.Pop(&h).(uint64) + heap.Pop(&h).(uint64)
			want += sum
			heap.Push(&h, sum)
		}
		kraft := 0.0
		lengths := codeLengths(counts)
		for i, l := range lengths {
			if (l == 0) != (counts[i] == 0) {
				t.Fatalf("a symbol that occurs %d times has %d bits", counts[i], l)
			}
			got += uint64(l) * uint64(counts[i])
			if l > 0 {
				kraft += math.Exp2(-float64(l))
			}
		}
		if got != want || kraft != 1 {
			t.Fatalf("%d bits, by a heap %d; the codes fill %g", got, want, kraft)
		}
		if _, ok := newHuffman(lengths); !ok {
			t.Fatal("there is no code with these lengths")
		}
	}
}

// With counts that grow like Fibonacci numbers, the longest code would have as many bits as there
// are symbols.
func TestNoCodeIsTooLong(t *testing.T) {
	counts := []uint32{1, 1}
	for len(counts) < 44 {
		counts = append(counts, counts[len(counts)-1]+counts[len(counts)-2])
	}
	lengths := codeLengths(counts)
	h, ok := newHuffman(lengths)
	if !ok || h.maxLength > maxCode {
		t.Fatalf("codes of up to %d bits, %v", h.maxLength, ok)
	}
	w := bitWriter{}
	for s := range counts {
		h.write(&w, uint32(s))
	}
	r := bitReader{src: w.end()}
	for s := range counts {
		if got, ok := h.read(&r); !ok || got != uint32(s) {
			t.Fatalf("symbol %d was read as %d, %v", s, got, ok)
		}
	}
}

func FuzzText(f *testing.F) {
	c := Train(samples(200, 1))
	for _, text := range odd {
		f.Add([]byte(text))
		f.Add(c.Append(nil, []byte(text)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		check(t, c, text)
		if back, err := c.Text(text); err == nil {
			check(t, c, back)
		}
	})
}

// A code with a valid checksum is either rejected or works.
func FuzzRead(f *testing.F) {
	for _, n := range []int{0, 20} {
		data := Train(samples(n, 1)).AppendTo(nil)
		f.Add(data[:len(data)-sumLen])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Read(binary.LittleEndian.AppendUint32(bytes.Clone(data), crc32.Checksum(data, castagnoli)))
		if err != nil || c.Check() != nil {
			return
		}
		for _, text := range odd {
			check(t, c, []byte(text))
		}
	})
}
