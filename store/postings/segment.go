package postings

import (
	"bytes"
	"cmp"
	"errors"
	"sort"
	"sync"
)

// ErrDamaged is returned for pages that do not hold what they should.
var ErrDamaged = errors.New("a page of the index is damaged")

// Source hands out the pages of segments, and remembers decoded values as long
// as its memory allows. What it returns must not be changed.
type Source interface {
	// GetPage returns nil if the stream has no such page.
	GetPage(segment int64, stream Stream, n int) ([]byte, error)
	Recall(key string) any
	Remember(key string, value any, bytes int)
}

// Segment is one immutable part of the index. It may be used concurrently, each
// time with a Source of the moment.
type Segment struct {
	ID     int64
	Chunks int

	mu    sync.Mutex
	first []string // of each block of Dict, once loaded
}

// NewSegment describes a segment that was written; nothing is read yet.
func NewSegment(id int64, chunks int) *Segment { return &Segment{ID: id, Chunks: chunks} }

// index loads the first terms of the blocks: about 20 bytes for 16 KiB of Dict.
func (s *Segment) index(src Source) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first != nil {
		return s.first, nil
	}
	first := []string{}
	for n := 0; ; n++ {
		page, err := src.GetPage(s.ID, DictIndex, n)
		if err != nil {
			return nil, err
		}
		if page == nil {
			break
		}
		for len(page) > 0 {
			var size uint64
			if size, page = uvarint(page); size > uint64(len(page)) || size == 0 {
				return nil, ErrDamaged
			}
			first = append(first, string(page[:size]))
			page = page[size:]
		}
	}
	// As many blocks as the index has, and none more: no page of either is missing.
	for n := max(0, len(first)-1); n <= len(first); n++ {
		if page, err := src.GetPage(s.ID, Dict, n); err != nil || (page != nil) != (n < len(first)) {
			return nil, cmp.Or(err, ErrDamaged)
		}
	}
	s.first = first
	return first, nil
}

// entry is one term of Dict. Its slices are parts of the page.
type entry struct {
	term      []byte
	df        uint32
	short     []byte
	positions []byte
	list      listAt
}

// dictReader walks through entries in the order of terms.
type dictReader struct {
	seg   *Segment
	src   Source
	next  int // block to load next
	block []byte
	held  bool // advance shall stay where it is
	entry
}

// seek places the reader so that advance yields the first term not less than
// term.
func (d *dictReader) seek(term []byte) error {
	first, err := d.seg.index(d.src)
	if err != nil {
		return err
	}
	d.next = max(0, sort.Search(len(first), func(i int) bool { return first[i] > string(term) })-1)
	d.block = nil
	for {
		ok, err := d.advance()
		if err != nil || !ok {
			return err
		}
		if bytes.Compare(d.term, term) >= 0 {
			d.held = true
			return nil
		}
	}
}

// advance reads the next entry.
func (d *dictReader) advance() (bool, error) {
	if d.held {
		d.held = false
		return true, nil
	}
	if len(d.block) == 0 {
		if ok, err := d.load(); !ok || err != nil {
			return false, err
		}
	}
	shared, b := uvarint(d.block)
	size, b := uvarint(b)
	if shared > uint64(len(d.term)) || size > uint64(len(b)) {
		return false, ErrDamaged
	}
	d.term = append(d.term[:shared], b[:size]...)
	return true, d.lists(b[size:])
}

// load reads the next block. It reports false if there is none.
func (d *dictReader) load() (bool, error) {
	page, err := d.src.GetPage(d.seg.ID, Dict, d.next)
	if page == nil && err == nil {
		var first []string
		if first, err = d.seg.index(d.src); err == nil && d.next < len(first) {
			err = ErrDamaged
		}
	}
	if page == nil || err != nil {
		return false, err
	}
	if len(page) == 0 {
		return false, ErrDamaged
	}
	d.block, d.term = page, d.term[:0]
	d.next++
	return true, nil
}

// lists reads what follows the letters of an entry.
func (d *dictReader) lists(b []byte) error {
	n, b := uvarint(b)
	if n == 0 || n > uint64(d.seg.Chunks) {
		return ErrDamaged
	}
	d.df = uint32(n)
	d.short, d.positions = nil, nil
	if n < blockLen {
		for _, part := range []*[]byte{&d.short, &d.positions} {
			var size uint64
			if size, b = uvarint(b); size > uint64(len(b)) {
				return ErrDamaged
			}
			*part, b = b[:size:size], b[size:]
		}
	} else {
		for _, part := range []*uint64{&d.list.post, &d.list.skip, &d.list.skipLen, &d.list.pos} {
			*part, b = uvarint(b)
		}
	}
	if d.block = b; b == nil {
		return ErrDamaged
	}
	return nil
}

// Finder finds terms of a segment. Where they are sought in ascending order it reads each
// block once. It is not for concurrent use, nor for any after an error.
type Finder struct {
	dictReader        // its term is the one that was sought last
	before     uint64 // letters of the entry before block
	alike      uint64 // of these, those with which term begins
}

// Finder returns what finds terms.
func (s *Segment) Finder(src Source) *Finder {
	return &Finder{dictReader: dictReader{seg: s, src: src}}
}

// find reads the entry of a term. It compares letters only where an entry shares as many
// with the one before it as that does with the term: one that shares more stands before the
// term too, and one that shares less behind it.
func (f *Finder) find(term []byte) (bool, error) {
	first, err := f.seg.index(f.src)
	if err != nil {
		return false, err
	}
	n := sort.Search(len(first), func(i int) bool { return first[i] > string(term) })
	if n == 0 {
		return false, nil
	}
	if n != f.next || bytes.Compare(f.term, term) >= 0 {
		f.next, f.before = n-1, 0
		if _, err := f.load(); err != nil {
			return false, err
		}
	}
	f.alike = min(f.alike, shared(f.term, term))
	f.term = append(f.term[:0], term...)
	for len(f.block) > 0 {
		same, b := uvarint(f.block)
		size, b := uvarint(b)
		if same > f.before || size > uint64(len(b)) {
			return false, ErrDamaged
		}
		if same < f.alike {
			break
		}
		if same == f.alike {
			own, rest := b[:size], term[same:]
			n := shared(own, rest)
			if n == size && n == uint64(len(rest)) {
				f.before, f.alike = same+size, same+size
				err := f.lists(b[size:])
				return err == nil, err
			}
			if n == uint64(len(rest)) || n < size && own[n] > rest[n] {
				break
			}
			f.alike += n
		}
		f.before = same + size
		if f.block = pastLists(b[size:]); f.block == nil {
			return false, ErrDamaged
		}
	}
	return false, nil
}

// shared is the number of letters with which both begin.
func shared(a, b []byte) uint64 {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return uint64(n)
}

// pastLists is what follows the lists of an entry, nil if they are damaged.
func pastLists(b []byte) []byte {
	n, b := uvarint(b)
	if n >= blockLen {
		for range 4 {
			_, b = uvarint(b)
		}
		return b
	}
	for range 2 {
		var size uint64
		if size, b = uvarint(b); n == 0 || size > uint64(len(b)) {
			return nil
		}
		b = b[size:]
	}
	return b
}

// region returns size bytes of a stream from offset at, copied together where
// they lie on several pages.
func (s *Segment) region(src Source, stream Stream, at uint64, size int) ([]byte, error) {
	if size < 0 || size > 1<<30 || at > 1<<42 {
		return nil, ErrDamaged
	}
	page, err := src.GetPage(s.ID, stream, int(at/pageLen))
	if err != nil {
		return nil, err
	}
	from := at % pageLen
	if from+uint64(size) <= uint64(len(page)) {
		return page[from : from+uint64(size) : from+uint64(size)], nil
	}
	whole := make([]byte, 0, size)
	for {
		if from >= uint64(len(page)) {
			return nil, ErrDamaged
		}
		whole = append(whole, page[from:min(from+uint64(size-len(whole)), uint64(len(page)))]...)
		if len(whole) == size {
			return whole, nil
		}
		from, at = 0, at+pageLen
		if page, err = src.GetPage(s.ID, stream, int(at/pageLen)); err != nil {
			return nil, err
		}
	}
}
