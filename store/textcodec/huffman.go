package textcodec

import (
	"cmp"
	"slices"
)

// maxCode is the maximum length of a code in bits.
const maxCode = 24

// huffman is a canonical Huffman code: codes of equal length are consecutive in the order of the
// symbols, and follow those of all shorter lengths (D. S. Hirschberg and D. A. Lelewer, Efficient
// decoding of prefix codes, CACM 33, 1990).
type huffman struct {
	lengths   []uint8             // by symbol
	codes     []uint32            // by symbol
	sorted    []uint32            // symbols in the order of their codes
	limit     [maxCode + 1]uint64 // by length: the code after the last one, left-aligned in 32 bits
	first     [maxCode + 1]uint32 // by length: the first code
	from      [maxCode + 1]uint32 // by length: the index of its first symbol in sorted
	maxLength int                 // maximum length
	minLength [256]uint8          // by the first eight bits of a code: the minimum length
}

// newHuffman returns the code with the given lengths. ok is false if there is no such code.
func newHuffman(lengths []uint8) (h huffman, ok bool) {
	h.lengths = lengths
	var count [maxCode + 1]uint32 // number of symbols by length
	for _, l := range lengths {
		if l > maxCode {
			return h, false
		}
		count[l]++
	}
	var code uint64
	var from uint32
	for l := 1; l <= maxCode; l++ {
		code <<= 1
		h.first[l], h.from[l] = uint32(code), from
		code += uint64(count[l])
		from += count[l]
		if count[l] > 0 {
			h.maxLength = l
		}
		if code > 1<<l {
			return h, false
		}
		h.limit[l] = code << (32 - l)
	}
	for b := range h.minLength {
		for h.minLength[b] = 1; int(h.minLength[b]) < h.maxLength && uint64(b)<<24 >= h.limit[h.minLength[b]]; {
			h.minLength[b]++
		}
	}
	h.sorted = make([]uint32, from)
	h.codes = make([]uint32, len(lengths))
	var used [maxCode + 1]uint32
	for symbol, l := range lengths {
		if l > 0 {
			h.sorted[h.from[l]+used[l]] = uint32(symbol)
			h.codes[symbol] = h.first[l] + used[l]
			used[l]++
		}
	}
	return h, from > 0
}

// has reports whether exactly the wanted symbols have a code.
func (h *huffman) has(wanted func(symbol int) bool) bool {
	for symbol, l := range h.lengths {
		if (l > 0) != wanted(symbol) {
			return false
		}
	}
	return true
}

func (h *huffman) write(w *bitWriter, symbol uint32) {
	w.put(h.codes[symbol], h.lengths[symbol])
}

// read returns the next symbol, or false if the code is unknown.
func (h *huffman) read(r *bitReader) (uint32, bool) {
	bits := r.peek()
	for l := int(h.minLength[bits>>24]); l <= h.maxLength; l++ {
		if uint64(bits) < h.limit[l] {
			r.at += uint(l)
			return h.sorted[h.from[l]+bits>>(32-l)-h.first[l]], true
		}
	}
	return 0, false
}

// codeLengths returns the code lengths that need the fewest bits for symbols with the given counts,
// at least two of which are not 0. The length for a count of 0 is 0 (D. A. Huffman, Proc. IRE 40,
// 1952, with two queues as in J. van Leeuwen, ICALP 1976). To keep codes within maxCode, it raises
// the counts of rare symbols.
func codeLengths(counts []uint32) []uint8 {
	lengths := make([]uint8, len(counts))
	var symbols []int
	for s, n := range counts {
		if n > 0 {
			symbols = append(symbols, s)
		}
	}
	for {
		slices.SortFunc(symbols, func(a, b int) int {
			return cmp.Or(cmp.Compare(counts[a], counts[b]), cmp.Compare(b, a))
		})
		most := uint8(0)
		for i, depth := range depths(symbols, counts) {
			lengths[symbols[i]] = depth
			most = max(most, depth)
		}
		if most <= maxCode {
			return lengths
		}
		counts = slices.Clone(counts)
		for _, s := range symbols {
			counts[s] = counts[s]/2 + 1
		}
	}
}

// depths returns the depths of the leaves of the Huffman tree, for symbols sorted by ascending
// count.
func depths(symbols []int, counts []uint32) []uint8 {
	n := len(symbols)
	weight, parent := make([]uint64, 2*n-1), make([]int, 2*n-1)
	for i, s := range symbols {
		weight[i] = uint64(counts[s])
	}
	leaf, inner := 0, n
	for made := n; made < 2*n-1; made++ {
		for range 2 {
			least := leaf
			if leaf == n || inner < made && weight[inner] < weight[leaf] {
				least = inner
				inner++
			} else {
				leaf++
			}
			weight[made] += weight[least]
			parent[least] = made
		}
	}
	depth := make([]uint8, 2*n-1)
	for i := 2*n - 3; i >= 0; i-- {
		depth[i] = min(depth[parent[i]]+1, 255)
	}
	return depth[:n]
}
