package postings

import (
	"bytes"
	"cmp"
	"errors"
	"sort"
	"sync"
)

// ErrDamaged is returned if a page has invalid contents.
var ErrDamaged = errors.New("a page of the index is damaged")

// Source provides the pages of segments and caches decoded values. Callers must not modify its
// results.
type Source interface {
	// GetPage returns a page, or nil if the stream has no such page.
	GetPage(segment int64, stream Stream, n int) ([]byte, error)
	Recall(key string) any
	Remember(key string, value any, bytes int)
}

// Segment is one immutable part of the index. It is safe for concurrent use, each use with its own
// Source.
type Segment struct {
	ID     int64
	Chunks int

	mu    sync.Mutex
	first []string // first term of each block of Dict, once loaded
}

// NewSegment returns a segment that was written before. It reads nothing yet.
func NewSegment(id int64, chunks int) *Segment { return &Segment{ID: id, Chunks: chunks} }

// index loads the first terms of the blocks: about 20 bytes per 16 KiB of Dict.
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
	// Dict must have exactly the blocks of the index, so that no page of either is missing.
	for n := max(0, len(first)-1); n <= len(first); n++ {
		if page, err := src.GetPage(s.ID, Dict, n); err != nil || (page != nil) != (n < len(first)) {
			return nil, cmp.Or(err, ErrDamaged)
		}
	}
	s.first = first
	return first, nil
}

// entry is one term of Dict. Its slices share the memory of the page.
type entry struct {
	term      []byte
	df        uint32
	short     []byte
	positions []byte
	list      listAt
}

// dictReader reads entries in the order of terms.
type dictReader struct {
	seg     *Segment
	src     Source
	next    int // block to load next
	block   []byte
	pending bool // whether advance returns the current entry again
	entry
}

// seek positions the reader so that advance returns the first term that is at least term.
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
			d.pending = true
			return nil
		}
	}
}

// advance reads the next entry.
func (d *dictReader) advance() (bool, error) {
	if d.pending {
		d.pending = false
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

// lists decodes the part of an entry after its term.
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

// Finder looks up terms of a segment. It reads each block once if terms are looked up in ascending
// order. It is not safe for concurrent use and must not be used after an error.
type Finder struct {
	dictReader          // its term is the last one looked up
	before       uint64 // length of the entry before block
	commonPrefix uint64 // length of the prefix that it shares with the term
}

// Finder returns a Finder for the segment.
func (s *Segment) Finder(src Source) *Finder {
	return &Finder{dictReader: dictReader{seg: s, src: src}}
}

// find reads the entry of a term. It compares bytes only if an entry shares as many bytes with the
// previous entry as that shares with the term. An entry that shares more also sorts before the
// term, and one that shares fewer sorts after it.
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
	f.commonPrefix = min(f.commonPrefix, shared(f.term, term))
	f.term = append(f.term[:0], term...)
	for len(f.block) > 0 {
		same, b := uvarint(f.block)
		size, b := uvarint(b)
		if same > f.before || size > uint64(len(b)) {
			return false, ErrDamaged
		}
		if same < f.commonPrefix {
			break
		}
		if same == f.commonPrefix {
			own, rest := b[:size], term[same:]
			n := shared(own, rest)
			if n == size && n == uint64(len(rest)) {
				f.before, f.commonPrefix = same+size, same+size
				err := f.lists(b[size:])
				return err == nil, err
			}
			if n == uint64(len(rest)) || n < size && own[n] > rest[n] {
				break
			}
			f.commonPrefix += n
		}
		f.before = same + size
		if f.block = pastLists(b[size:]); f.block == nil {
			return false, ErrDamaged
		}
	}
	return false, nil
}

// shared returns the length of the common prefix of a and b.
func shared(a, b []byte) uint64 {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return uint64(n)
}

// pastLists returns the bytes after the lists of an entry, or nil if they are damaged.
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

// region returns size bytes of a stream from offset at. It copies them if they span several pages.
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
