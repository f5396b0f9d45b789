package pages

import (
	"context"
	"encoding/binary"
	"slices"
)

const magic = "SQLite format 3\x00"

// Checked is what a check saw.
type Checked struct {
	Pages, Of int // pages checked, of how many
	Damaged   int // of them
}

// Check checks pages until done or ctx ends: the pointer map, where pages lead to,
// and every row, which row sees too. It goes through a file in steps that spread over
// all of it, so that a part that was checked says something of the rest. The file
// must not change meanwhile.
func (f *File) Check(ctx context.Context, row func(Row) error) Checked {
	const block = 64
	blocks := (f.pages + block - 1) / block
	step := max(1, blocks*618/1000)
	for gcd(step, blocks) > 1 {
		step++
	}
	c := Checked{Of: f.pages}
	for i := range blocks {
		first := i*step%blocks*block + 1
		for n := first; n < first+block && n <= f.pages; n++ {
			if ctx.Err() != nil {
				return c
			}
			c.Pages++
			if !f.sound(n, row) {
				c.Damaged++
			}
		}
	}
	return c
}

func gcd(a, b int) int {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// sound reports whether nothing is wrong with a page.
func (f *File) sound(n int, row func(Row) error) bool {
	b := f.page(n)
	switch {
	case n == f.lockPage():
		return true
	case b == nil:
		return false
	case n == 1:
		raw := make([]byte, len(magic)) // not the newer image in the journal: SQLite looks here first
		if _, err := f.main.ReadAt(raw, 0); err != nil || string(raw) != magic || string(b[:len(magic)]) != magic || int(binary.BigEndian.Uint16(b[16:])) != f.size || !f.freeList(b) {
			return false
		}
	case n == f.mapPage(n):
		return f.wholeMap(n, b)
	}
	kind, _ := f.mapped(n)
	switch {
	case n == 1, kind == mapRoot, kind == mapTree:
	case kind != 0:
		return true // overflow pages are read with the rows that they belong to
	case !f.unmapped(n):
		return false
	case !slices.Contains([]byte{innerTable, innerIndex, leafTable, leafIndex}, b[0]):
		return true // the page of the map is what is damaged
	}
	rows, err := f.Rows(n)
	if err != nil || !f.children(n, b) {
		return false
	}
	for _, r := range rows {
		if r.Err != nil || row(r) != nil {
			return false
		}
	}
	return true
}

// unmapped reports whether nothing is known of a page because the page of the map
// with its entry is damaged.
func (f *File) unmapped(n int) bool {
	at := f.mapPage(n)
	if n < 2 || n > f.pages || n == at {
		return false
	}
	whole, known := f.maps[at]
	if !known {
		b := f.page(at)
		whole = b != nil && f.wholeMap(at, b)
		f.maps[at] = whole
	}
	return !whole
}

// wholeMap reports whether a page of the pointer map knows all its pages.
func (f *File) wholeMap(n int, b []byte) bool {
	for p := n + 1; p <= min(n+f.size/5, f.pages); p++ {
		if kind, _ := f.mapped(p); kind == 0 && p != f.lockPage() {
			return false
		}
	}
	return true
}

// children reports whether the pages below an inner page are its own.
func (f *File) children(n int, b []byte) bool {
	head := 0
	if n == 1 {
		head = 100
	}
	if kind := b[head]; kind != innerTable && kind != innerIndex {
		return true
	}
	count := int(binary.BigEndian.Uint16(b[head+3:]))
	if head+12+2*count > len(b) {
		return false
	}
	below := []uint32{binary.BigEndian.Uint32(b[head+8:])}
	for i := range count {
		at := int(binary.BigEndian.Uint16(b[head+12+2*i:]))
		if at+4 > len(b) {
			return false
		}
		below = append(below, binary.BigEndian.Uint32(b[at:]))
	}
	for _, p := range below {
		if kind, parent := f.mapped(int(p)); (kind != mapTree || parent != n) && !f.unmapped(int(p)) {
			return false
		}
	}
	return true
}

// freeList reports whether the list of free pages is whole.
func (f *File) freeList(first []byte) bool {
	trunk, count := int(binary.BigEndian.Uint32(first[32:])), int(binary.BigEndian.Uint32(first[36:]))
	for trunk != 0 {
		kind, _ := f.mapped(trunk)
		b := f.page(trunk)
		if kind != mapFree || b == nil {
			return false
		}
		leaves := int(binary.BigEndian.Uint32(b[4:]))
		if leaves < 0 || leaves > f.size/4-2 {
			return false
		}
		for i := range leaves {
			if kind, _ := f.mapped(int(binary.BigEndian.Uint32(b[8+4*i:]))); kind != mapFree {
				return false
			}
		}
		if count -= 1 + leaves; count < 0 {
			return false
		}
		trunk = int(binary.BigEndian.Uint32(b))
	}
	return count == 0
}
